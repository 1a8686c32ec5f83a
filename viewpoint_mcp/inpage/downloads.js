// Tells of the downloads that links ask for (`<a download>`, in the document or not): no navigation and no request
// does. `viewpointDownload` is a binding of the protocol that this world alone has.
const tellDownload = globalThis.viewpointDownload;
const { addEventListener } = EventTarget.prototype;

if (tellDownload && window.navigation) {
  addEventListener.call(window.navigation, "navigate", (event) => {
    if (typeof event.downloadRequest === "string" && !event.defaultPrevented) tellDownload("");
  });
}

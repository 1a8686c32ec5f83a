// Tells of the downloads that links ask for (`<a download>`, in the document or not): no navigation and no request
// does. `viewpointDownload` is a binding of the protocol that this world alone has.

import { listenTo } from "./dom.js";

const tellDownload = window.viewpointDownload;

if (tellDownload && window.navigation) {
  listenTo.call(window.navigation, "navigate", (event) => {
    if (typeof /** @type {NavigateEvent} */ (event).downloadRequest === "string" && !event.defaultPrevented) tellDownload("");
  });
}

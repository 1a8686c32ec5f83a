// Reports downloads that links start (`<a download>`, in the document or detached). Such a download causes neither a
// navigation nor a request that CDP reports. `viewpointDownload` is a CDP binding that exists only in the isolated
// world.

import { listenTo } from "./dom.js";

const tellDownload = window.viewpointDownload;

if (tellDownload && window.navigation) {
  listenTo.call(window.navigation, "navigate", (event) => {
    if (typeof /** @type {NavigateEvent} */ (event).downloadRequest === "string" && !event.defaultPrevented) tellDownload("");
  });
}

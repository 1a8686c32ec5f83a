// The text that a key copies. Editors that draw only a part of their text write the whole selected text into the clipboard
// data of the copy event. So this is the only way to read all of it that every editor supports.

import { selectedTextOf } from "./caret.js";
import { activeElement, getter, listenTo, stopListening } from "../dom/dom.js";

const EVENTS = ["copy", "cut"];
const getClipboardData = getter(ClipboardEvent.prototype, "clipboardData");
const isCopyPrevented = getter(Event.prototype, "defaultPrevented");
const { getData: readClipboard } = DataTransfer.prototype;

/** @type {string | null} */
let copied = null;

// Read the text of the next copy event in this document.
/** @returns {void} */
export function expectCopy() {
  copied = null;
  for (const type of EVENTS) listenTo.call(window, type, readCopy);
}

// Return the text that was copied since `expectCopy`; null if nothing was copied, or if it is a password.
/** @returns {string | null} */
export function copiedText() {
  for (const type of EVENTS) stopListening.call(window, type, readCopy);
  return copied;
}

/** @param {Event} event */
function readCopy(event) {
  const data = getClipboardData.call(/** @type {ClipboardEvent} */ (event));
  if (!event.isTrusted || data === null) return;
  // Without the page's own text, the browser copies the selection.
  copied = isCopyPrevented.call(event) ? readClipboard.call(data, "text/plain") : selectedTextOf(activeElement());
}

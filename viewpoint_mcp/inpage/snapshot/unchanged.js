// Whether a walk would say what the last one said. Most of it the mutations tell. What controls hold, and where the
// focus is, changes without one and is compared. What style sheets do to the page is not for us to see: whoever asks
// compares how often the browser has computed styles and layout, which it is made to do here.

import { getInputValue } from "../aria/names.js";
import { getChecked, getIndeterminate, getSelectedOptions, getTextAreaValue } from "../aria/states.js";
import {
  activeElement, boxOf, getDocumentElement, getter, isElement, isMatching, localNameOf, queryAll,
} from "../dom/dom.js";
import { memo } from "../dom/memo.js";
import { changes, observe, startWatching } from "../settle/changes.js";

/** @type {{ stamp: number, changes: number, active: Element | null, controls: Element[], held: string[] }} */
let lastWalk = { stamp: 0, changes: 0, active: null, controls: [], held: [] };

// Takes note of a walk of the whole document that was just made; returns its stamp. Called within its look.
export function noteWalk() {
  startWatching();
  const roots = [document, ...(memo.owners?.scopes ?? [])].filter((root) => !isElement(root));
  for (const root of roots) observe(root);
  const controls = [...new Set(roots)].flatMap((root) => [...queryAll(root, "input, textarea, select")]);
  lastWalk = {
    stamp: lastWalk.stamp + 1, changes: changes(), active: activeElement(), controls, held: controls.map(heldBy),
  };
  return lastWalk.stamp;
}

// What a control holds, as one text.
/** @param {Element} control */
function heldBy(control) {
  const told = isMatching(control, ":user-invalid") ? "!" : "";
  const tag = localNameOf(control);
  if (tag === "textarea") return told + getTextAreaValue.call(/** @type {HTMLTextAreaElement} */ (control));
  if (tag === "select") return told + [...getSelectedOptions.call(/** @type {HTMLSelectElement} */ (control))].map((option) => getOptionIndex.call(option)).join();
  const input = /** @type {HTMLInputElement} */ (control);
  return `${told}${getChecked.call(input)}${getIndeterminate.call(input)}${getInputValue.call(input)}`;
}

const getOptionIndex = getter(HTMLOptionElement.prototype, "index");

// Whether the document is as the walk of that stamp left it, as far as a script can see.
/** @param {number} stamp */
export function isAsWalked(stamp) {
  const { changes: before, active, controls, held } = lastWalk;
  if (stamp === 0 || stamp !== lastWalk.stamp || changes() !== before || activeElement() !== active) return false;
  if (controls.some((control, index) => heldBy(control) !== held[index])) return false;
  const top = getDocumentElement.call(document);
  if (top !== null) boxOf(top);
  return true;
}

// No walk that is known is up to date any more, though the document is the same.
export function forgetWalk() {
  lastWalk.stamp += 1;
}

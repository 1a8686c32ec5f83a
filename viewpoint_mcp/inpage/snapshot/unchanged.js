// Detection of an unchanged document, so that a walk can be skipped. Mutations show most changes. Values of controls
// and the focus change without mutations, so they are compared. Effects of style sheets are not visible to scripts.
// Therefore the caller compares how often the browser computed style and layout. This module forces that computation.

import { getInputValue } from "../aria/names.js";
import { getChecked, getIndeterminate, getSelectedOptions, getTextAreaValue } from "../aria/states.js";
import {
  activeElement, boxOf, getDocumentElement, getter, isElement, isMatching, localNameOf, queryAll,
} from "../dom/dom.js";
import { memo } from "../dom/memo.js";
import { changes, observe, startWatching } from "../settle/changes.js";
import { areCanvasesAsWalked } from "../settle/drawings.js";

/** @type {{ stamp: number, changes: number, active: Element | null, controls: Element[], held: string[] }} */
let lastWalk = { stamp: 0, changes: 0, active: null, controls: [], held: [] };

// Record a completed walk of the whole document and return its stamp. Call this in the look of the walk.
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

// Return the state of a control as one text.
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

// Return whether the document is still as at the walk with the stamp, as far as scripts can see.
/** @param {number} stamp */
export function isAsWalked(stamp) {
  const { changes: before, active, controls, held } = lastWalk;
  if (stamp === 0 || stamp !== lastWalk.stamp || changes() !== before || activeElement() !== active) return false;
  if (controls.some((control, index) => heldBy(control) !== held[index])) return false;
  if (!areCanvasesAsWalked()) return false;
  const top = getDocumentElement.call(document);
  if (top !== null) boxOf(top);
  return true;
}

// Invalidate all recorded walks, although the document did not change.
export function forgetWalk() {
  lastWalk.stamp += 1;
}

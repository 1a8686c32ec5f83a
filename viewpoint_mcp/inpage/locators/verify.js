// Facts that a test verifies: what a person sees of the matches of a locator, and what a control holds.

import { isDrawn } from "../actions/actionability.js";
import { told } from "../actions/causes.js";
import { perform, visibleTextOf } from "../actions/locate.js";
import { getControl, getInputValue, tidy } from "../aria/names.js";
import { inputTypeOf, roleOf } from "../aria/roles.js";
import { CHECKABLE, computeStates, getSelectedOptions, getTextAreaValue, spokenValue } from "../aria/states.js";
import {
  attribute, flatChildrenOf, getDocumentElement, getIsContentEditable, getter, has, isConnected, isElement, isHtml, isHtmlTag, trimmed,
} from "../dom/dom.js";
import { look } from "../dom/memo.js";
import { element, register } from "../dom/registry.js";
import { isVisible } from "../visibility/visibility.js";

const MOST_ITEMS = 50;
const getSelectValue = getter(HTMLSelectElement.prototype, "value");

// Return how many matches of the steps a person sees, the first of them, and how many are hidden. With `inside`, only
// matches in the element with this number count.
/** @param {LocateStep[]} steps @param {number | null} inside @returns {VisibleMatches} */
export function visibleMatches(steps, inside) {
  const root = getDocumentElement.call(document);
  const container = inside === null ? null : element(inside);
  if (root === null || (inside !== null && container === null)) return { visible: 0, hidden: 0, first: null, text: "" };
  return look(() => {
    let found = container === null ? null : [container];
    for (const step of steps) found = perform(step, found, root);
    const shown = (found ?? []).filter((each) => isDrawn(each) && isVisible(each));
    const first = shown.length > 0 ? register(shown[0]) : null;
    const text = shown.length > 0 ? tidy(visibleTextOf(shown[0])) : "";
    return { visible: shown.length, hidden: (found ?? []).length - shown.length, first, text };
  });
}

// Return the texts of the items of a list, or of the parts of another element; null if the element is gone.
/** @param {number} number @returns {string[] | null} */
export function itemTexts(number) {
  const list = element(number);
  if (list === null || !isConnected(list)) return null;
  return look(() => {
    let items = flatChildrenOf(list).filter(isElement);
    // Wrappers around all items.
    while (items.length === 1 && flatChildrenOf(items[0]).some(isElement)) items = flatChildrenOf(items[0]).filter(isElement);
    return items.filter(isDrawn).map((each) => tidy(visibleTextOf(each))).filter((text) => text !== "").slice(0, MOST_ITEMS);
  });
}

// Return what a control holds: whether it is checked, or its values, of which the first is the one that scripts read.
/** @param {number} number @param {boolean} isCheckable @returns {(Named & HeldValue) | Gone} */
export function heldValue(number, isCheckable) {
  const target = element(number);
  if (target === null || !isConnected(target)) return { fail: "gone" };
  return look(() => {
    const control = (isHtmlTag(target, "label") ? getControl.call(target) : null) ?? target;
    return told(target, isCheckable ? heldCheck(control) : valuesOf(control));
  });
}

/** @param {Element} control @returns {HeldValue} */
function heldCheck(control) {
  const role = roleOf(control);
  return CHECKABLE.has(role) ? { kind: "checked", checked: computeStates(control, role).checked === true } : { kind: "none" };
}

/** @param {Element} control @returns {HeldValue} */
function valuesOf(control) {
  if (isHtmlTag(control, "select")) {
    const labels = [...getSelectedOptions.call(control)].map((option) => tidy(visibleTextOf(option)));
    return { kind: "value", values: [getSelectValue.call(control), labels.join(", ")] };
  }
  if (isHtmlTag(control, "textarea")) return { kind: "value", values: [getTextAreaValue.call(control)] };
  if (isHtmlTag(control, "input")) {
    return { kind: "value", values: [getInputValue.call(control)], isSecret: inputTypeOf(control) === "password" };
  }
  if (has(control, "aria-valuenow")) {
    return { kind: "aria-valuenow", values: [trimmed(control, "aria-valuenow"), attribute(control, "aria-valuetext") ?? ""] };
  }
  const role = roleOf(control);
  if (isHtml(control) && getIsContentEditable.call(control)) return { kind: "text", values: [tidy(visibleTextOf(control))] };
  if (role === "combobox" || role === "textbox" || role === "searchbox") return { kind: "text", values: [spokenValue(control, role)] };
  return { kind: "none" };
}

// What counts as a list that a page draws itself, and as an option of it.

import { isDisabled, isDrawn } from "../actions/actionability.js";
import { nameOf, tidy } from "../aria/names.js";
import { roleOf } from "../aria/roles.js";
import { getChecked } from "../aria/states.js";
import {
  activeElement, assignedNodes, attribute, boxOf, checkVisibility, flatParentOf, getBody, has, isElement, isHtmlTag, isTrue, queryAll,
  trimmed,
} from "../dom/dom.js";
import { getInnerText, shadowRootsIn } from "../settle/changes.js";
import { flatPathOf } from "../visibility/visibility.js";

export const OPTION_ROLES = new Set(["option", "treeitem", "menuitemradio", "menuitemcheckbox", "menuitem", "radio"]);
export const LIST_ROLES = new Set(["listbox", "tree", "menu", "radiogroup"]);
const CLASS_DEPTH = 6; // levels above a list or control, for its classes
const SEVERAL = /(?:^|[\s_-])(?:multi(?:ple)?(?:\s|$)|multi-?select(?:[\s_-]|$))/i; // class of a list of several choices
export const CLIP_DEPTH = 3; // levels above an option or control, for a box that clips it to nothing
const VALUE_NAMES = ["data-value", "value", "data-key", "data-id"];

// Return the document and all known shadow roots.
/** @returns {Scope[]} */
export const allRoots = () => [document, ...shadowRootsIn(document)];
/** @param {Scope} root @param {Set<string>} roles */
export const withRoles = (root, roles) => [...queryAll(root, "[role]")].filter((node) => roles.has(roleOf(node)));
// Return whether the element is drawn, visible and not transparent.
/** @param {Element} node */
export const isShown = (node) => isDrawn(node) && checkVisibility.call(node, { opacityProperty: true, visibilityProperty: true });

// Return whether the element is clipped to nothing.
/** @param {Element} node */
export function isCollapsed(node) {
  const { width, height } = boxOf(node);
  return (width <= 1 || height <= 1) && getComputedStyle(node).overflow !== "visible";
}

// Return the list, or the box around a list that only screen readers get. That box contains the drawn list.
/** @param {Element | null} list @returns {Element | null} */
export function drawnListOf(list) {
  let at = list;
  while (at !== null && isCollapsed(at)) at = flatParentOf(at);
  return at === getBody.call(document) ? null : at;
}

/** @param {Element} node */
export const isOptionShown = (node) => isShown(node) && ancestorsOf(node, CLIP_DEPTH).every((each) => !isCollapsed(each));

/** @param {Element} node @param {number} count */
export const ancestorsOf = (node, count) => [...flatPathOf(node)].slice(1, count + 1).filter(isElement);

// Return the drawn options: the elements with such a role, also those that the page puts into a slot of the list, or else
// the elements with such a class.
/** @param {Element} list */
export function optionsUnder(list) {
  const roots = [list, ...shadowRootsIn(list)];
  const slots = /** @type {HTMLSlotElement[]} */ ([...queryAll(list, "slot")]);
  const slotted = slots.flatMap((slot) => assignedNodes.call(slot).filter(isElement));
  const inside = [...roots, ...slotted].flatMap((root) => withRoles(root, OPTION_ROLES));
  const withRole = [...slotted.filter((node) => OPTION_ROLES.has(roleOf(node))), ...inside].filter(isOptionShown);
  if (withRole.length > 0 || LIST_ROLES.has(roleOf(list))) return withRole;
  const withClass = roots.flatMap((root) => [...queryAll(root, "[class*=option]")]);
  return withClass.filter((node) => hasClass(node, "option") && isShown(node));
}

// Return whether a class of the element is the word, or ends in it: "x-option", "select__option".
/** @param {Element} node @param {"option" | "selected" | "active" | "highlighted"} word */
const hasClass = (node, word) => new RegExp(`(?:^|[\\s_-])${word}(?:\\s|$)`).test(trimmed(node, "class"));

/** @param {HTMLElement} option @returns {Choice} */
export function asOption(option) {
  const name = nameOf(option);
  const text = tidy(getInnerText.call(option) ?? "");
  return {
    element: option,
    value: VALUE_NAMES.map((each) => attribute(option, each)).find((value) => value !== null) ?? null,
    // The name of an active option may have a hint of the style sheet at its end.
    texts: text !== "" && name.startsWith(`${text} `) ? [text, name] : [name, text],
    isOff: isDisabled(option),
  };
}

// Return whether the option is selected or checked.
/** @param {Element} option */
export const isMarkedChosen = (option) => isTrue(option, "aria-selected") || isTrue(option, "aria-checked")
  || (isHtmlTag(option, "input") && getChecked.call(option)) || (!has(option, "role") && hasClass(option, "selected"));

// Return whether the option looks like the one that Enter would choose. Some libraries set aria-selected of it.
/** @param {Element} option */
export function looksActive(option) {
  if (hasClass(option, "selected")) return false;
  const field = activeElement();
  return hasClass(option, "highlighted")
    || (hasClass(option, "active") && field !== null && trimmed(field, "aria-activedescendant") === option.id);
}

// Return whether lists, or the control that opens them, accept several choices; null if they do not say so. Some libraries
// say it by an attribute or a class of their own.
/** @param {Element[]} lists @returns {boolean | null} */
export function acceptSeveral(lists) {
  const said = lists.filter((list) => has(list, "aria-multiselectable"));
  if (said.length > 0) return said.some((list) => isTrue(list, "aria-multiselectable"));
  if (lists.some((list) => has(list, "multiple"))) return true; // a custom element
  const around = lists.flatMap((list) => [list, ...ancestorsOf(list, CLASS_DEPTH)]);
  return around.some((at) => at !== getBody.call(document) && SEVERAL.test(trimmed(at, "class"))) || null;
}

// Return the closest list around each option.
/** @param {Choice[]} options @returns {Set<Element>} */
export function listsAround(options) {
  const lists = options.map((option) => ancestorsOf(option.element, Infinity).find((at) => LIST_ROLES.has(roleOf(at))));
  return new Set(lists.filter((list) => list !== undefined));
}

// ARIA states of an element (checked, disabled, expanded and others), and the value of a control.

import { PLAIN, contentOf, getInputValue, nameOf, tidy } from "./names.js";
import { partOf } from "./partial_lists.js";
import { inputTypeOf, isFocusable, roleOf, summaryRole } from "./roles.js";
import {
  activeElement, attribute, flatParentOf, getIsContentEditable, getter, has, isHtml, isHtmlTag, isMatching, isTrue,
  keyword, localNameOf, parentOf, queryAll, querySelectorAll, trimmed,
} from "../dom/dom.js";
import { look, memo } from "../dom/memo.js";

export const VALUED = new Set(["textbox", "searchbox", "combobox", "listbox", "slider", "spinbutton", "scrollbar", "progressbar",
  "meter"]);
export const CHECKABLE = new Set(["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio", "option", "treeitem"]);
const SELECTABLE = new Set(["option", "tab", "treeitem", "row", "cell", "gridcell", "columnheader", "rowheader"]);
const HEADERS = new Set(["columnheader", "rowheader"]);
const SPECIAL_TYPES = new Set(["date", "time", "datetime-local", "month", "week", "color", "file"]);
const TEXT_TAGS = new Set(["input", "textarea"]);
const CONTROL_TAGS = new Set(["button", "input", "select", "textarea", "option", "optgroup", "fieldset"]);

export const getChecked = getter(HTMLInputElement.prototype, "checked");
export const getIndeterminate = getter(HTMLInputElement.prototype, "indeterminate");
const getFiles = getter(HTMLInputElement.prototype, "files");
export const getTextAreaValue = getter(HTMLTextAreaElement.prototype, "value");
export const getOptionSelected = getter(HTMLOptionElement.prototype, "selected");
export const getSelectedOptions = getter(HTMLSelectElement.prototype, "selectedOptions");
const getProgressValue = getter(HTMLProgressElement.prototype, "value");
const getMeterValue = getter(HTMLMeterElement.prototype, "value");
const getPopoverTarget = getter(HTMLButtonElement.prototype, "popoverTargetElement");
const getInputPopoverTarget = getter(HTMLInputElement.prototype, "popoverTargetElement");
const getValidity = getter(HTMLInputElement.prototype, "validity");
const getTextAreaValidity = getter(HTMLTextAreaElement.prototype, "validity");
const getValueMissing = getter(ValidityState.prototype, "valueMissing");

// Return the states of the element, as the properties of a printed node.
/** @param {Element} target */
export const statesOf = (target) => look(() => computeStates(target, roleOf(target)));

// Compute the states of an element with the role. Only states that apply are set.
/** @param {Element} target @param {string} role */
export function computeStates(target, role) {
  /** @type {Props} */
  const states = {};
  /**
   * @template {keyof Props} N
   * @param {N} name
   * @param {Props[N]} value
   */
  const set = (name, value) => {
    if (value !== undefined) states[name] = value;
  };
  const isControl = isHtml(target) && CONTROL_TAGS.has(localNameOf(target));
  if (CHECKABLE.has(role)) set("checked", checkedOf(target, role));
  if (isOff(target, isControl)) states.disabled = true;
  set("expanded", expandedOf(target));
  if (target === focused()) states.active = true;
  set("invalid", invalidOf(target, isControl));
  set("level", levelOf(target, role));
  if (role === "button" && has(target, "aria-pressed")) set("pressed", triState(target, "aria-pressed"));
  if (SELECTABLE.has(role) && isSelected(target)) states.selected = true;
  if (HEADERS.has(role)) set("sort", sortOf(target));
  const { rows, items } = partOf(target, role);
  set("rows", rows);
  set("items", items);
  if (isTrue(target, "aria-readonly") || (isControl && isReadonly(target))) states.readonly = true;
  if (isTrue(target, "aria-required") || (isControl && isMatching(target, ":required"))) states.required = true;
  if (role === "textbox" && isMultiline(target)) states.multiline = true;
  return states;
}

/** @param {Element} target */
function isMultiline(target) {
  if (isHtmlTag(target, "textarea")) return true;
  const asked = keyword(target, "aria-multiline");
  if (asked === "true" || asked === "false") return asked === "true";
  return isHtml(target) && has(target, "contenteditable") && getIsContentEditable.call(target);
}

export const focused = () => (memo.focused ??= { element: activeElement() }).element;

/** @param {Element} target @param {string} name */
function triState(target, name) {
  const value = keyword(target, name);
  if (value === "mixed") return "mixed";
  return value === "true" ? true : value === "false" ? false : undefined;
}

const EITHER_OR = new Set(["radio", "switch", "menuitemradio"]); // no mixed state

// Return the checked state: true, "mixed", or undefined if not checked.
/** @param {Element} target @param {string} role */
export function checkedOf(target, role) {
  if (isHtmlTag(target, "input")) {
    if (getIndeterminate.call(target) && inputTypeOf(target) === "checkbox") return "mixed";
    return getChecked.call(target) || undefined;
  }
  const state = triState(target, "aria-checked");
  return (state === "mixed" && EITHER_OR.has(role) ? false : state) || undefined;
}

// Return whether the element is disabled: by itself, by its fieldset, or by aria-disabled. If it is focusable,
// aria-disabled on an ancestor counts too.
/** @param {Element} target @param {boolean} isControl */
export function isOff(target, isControl) {
  if (isControl && isMatching(target, ":disabled")) return true;
  if (!isControl && isHtml(target) && localNameOf(target).includes("-") && isMatching(target, ":disabled")) return true;
  if (has(target, "aria-disabled")) return isTrue(target, "aria-disabled");
  memo.someDisabled ??= { found: queryAll(document, '[aria-disabled="true"]').length > 0 };
  if (!memo.someDisabled.found || !isFocusable(target)) return false;
  for (let at = flatParentOf(target); at !== null; at = flatParentOf(at)) if (isTrue(at, "aria-disabled")) return true;
  return false;
}

// Return whether the element is expanded; undefined if it cannot be.
/** @param {Element} target */
function expandedOf(target) {
  const value = keyword(target, "aria-expanded");
  if (value === "true" || value === "false") return value === "true";
  if (!isHtml(target)) return undefined;
  const tag = localNameOf(target);
  if (tag === "summary" && summaryRole(target) === "button") return has(/** @type {Element} */ (parentOf(target)), "open");
  if ((tag !== "button" && tag !== "input") || !has(target, "popovertarget")) return undefined;
  const getTarget = /** @type {(this: HTMLElement) => Element | null} */ (tag === "button" ? getPopoverTarget : getInputPopoverTarget);
  const popover = getTarget.call(target);
  return popover === null ? undefined : isMatching(popover, ":popover-open");
}

// Return the invalid state, or undefined. An element is invalid if the page declares it, if it holds a wrong value, or
// if the user was shown the error. A required field that is still empty does not count before that.
/** @param {Element} target @param {boolean} isControl */
function invalidOf(target, isControl) {
  const value = keyword(target, "aria-invalid");
  if (value === "grammar" || value === "spelling") return value;
  if (value !== "" && value !== "false") return true;
  if (!isControl || !isMatching(target, ":invalid")) return undefined;
  return isMatching(target, ":user-invalid") || !isStillEmpty(target) ? true : undefined;
}

// Return whether an invalid control only lacks a value. A <select> always counts as such.
/** @param {Element} control */
function isStillEmpty(control) {
  const tag = localNameOf(control);
  const get = tag === "input" ? getValidity : tag === "textarea" ? getTextAreaValidity : null;
  return get === null || getValueMissing.call(/** @type {(this: Element) => ValidityState} */ (get).call(control));
}

// Return the direction in which the table is sorted by this header, or undefined.
/** @param {Element} header */
function sortOf(header) {
  const value = keyword(header, "aria-sort");
  return ["ascending", "descending", "other"].includes(value) ? value : undefined;
}

// Return the level of a heading or a tree item, or undefined.
/** @param {Element} target @param {string} role */
function levelOf(target, role) {
  if (role !== "heading" && role !== "treeitem") return undefined;
  const asked = parseInt(attribute(target, "aria-level") ?? "", 10);
  if (asked > 0) return asked;
  if (role === "treeitem") return undefined;
  const match = isHtml(target) ? /^h([1-6])$/.exec(localNameOf(target)) : null;
  return match === null ? 2 : Number(match[1]);
}

/** @param {Element} target */
function isSelected(target) {
  if (isHtmlTag(target, "option")) return getOptionSelected.call(target);
  return isTrue(target, "aria-selected");
}

const ALWAYS_WRITABLE = new Set(["range", "color", "file", "checkbox", "radio", "button", "submit", "reset", "image"]);

// Return whether the control has the `readonly` attribute and supports it.
/** @param {Element} target */
export function isReadonly(target) {
  if (!has(target, "readonly")) return false;
  return localNameOf(target) === "textarea" || (isHtmlTag(target, "input") && !ALWAYS_WRITABLE.has(inputTypeOf(target)));
}

// Return the value that is printed with a control; "" for none. Each character of a password is replaced by a bullet.
/** @param {Element} target @param {string} role */
export function valueOf(target, role) {
  if (isHtml(target)) {
    const tag = localNameOf(target);
    if (tag === "textarea") return getTextAreaValue.call(/** @type {HTMLTextAreaElement} */ (target));
    if (tag === "input") return inputValue(target);
    if (tag === "select") return "";
    if (tag === "progress") return has(target, "value") ? shortNumber(getProgressValue.call(/** @type {HTMLProgressElement} */ (target))) : "";
    if (tag === "meter") return shortNumber(getMeterValue.call(/** @type {HTMLMeterElement} */ (target)));
  }
  return RANGES.has(role) ? rangeText(target) : "";
}

const LONGEST_SECRET = 1000;
const RANGES = new Set(["slider", "spinbutton", "scrollbar", "progressbar", "meter", "separator"]);
const SILENT_INPUTS = new Set(["button", "submit", "reset", "image", "checkbox", "radio", "hidden"]);

/** @param {Element} target */
const rangeText = (target) => trimmed(target, "aria-valuetext") || trimmed(target, "aria-valuenow");
/** @param {number} number */
const shortNumber = (number) => String(Math.round(number * 1e6) / 1e6);

// Return the value of an <input>; "" for buttons, checkboxes and radio buttons. For a file input, return the names of
// its files.
/** @param {Element} target */
export function inputValue(target) {
  const input = /** @type {HTMLInputElement} */ (target);
  const type = inputTypeOf(input);
  if (SILENT_INPUTS.has(type)) return "";
  if (type === "file") return [...(getFiles.call(input) ?? [])].map((file) => file.name).join(", ");
  const value = getInputValue.call(input);
  if (type === "password") return "•".repeat(Math.min(value.length, LONGEST_SECRET));
  return type === "range" ? rangeText(input) || value : value;
}

// Return the text that a control contributes to a name around it: its value or its selected options.
/** @param {Element} target @param {string} role */
export function spokenValue(target, role) {
  if (isHtmlTag(target, "select")) return [...getSelectedOptions.call(target)].map((option) => nameOf(option)).join(" ");
  const value = valueOf(target, role);
  if (value !== "" || (isHtml(target) && TEXT_TAGS.has(localNameOf(target)))) return value;
  if (role === "listbox") return selectedTexts(target);
  if (role === "combobox") return selectedTexts(target) || tidy(contentOf(target, PLAIN));
  return RANGES.has(role) ? impliedNow(target, role) : tidy(contentOf(target, PLAIN));
}

// Return the value of a range that declares none: its minimum, or the middle between its limits. Return "" for a
// progress bar and for a separator that is not focusable.
/** @param {Element} target @param {string} role */
function impliedNow(target, role) {
  if (role === "progressbar" || (role === "separator" && !isFocusable(target))) return "";
  const least = Number(attribute(target, "aria-valuemin") ?? 0);
  if (role === "meter" || role === "spinbutton") return String(least);
  return String((least + Number(attribute(target, "aria-valuemax") ?? 100)) / 2);
}

/** @param {Element} list */
const selectedTexts = (list) =>
  [...querySelectorAll.call(list, '[role="option"][aria-selected="true"]')].map((option) => nameOf(option)).join(" ");

// Return the type of an <input> with a special value format, such as a date; undefined for other elements.
/** @param {Element} target */
export function specialTypeOf(target) {
  if (!isHtmlTag(target, "input")) return undefined;
  const type = inputTypeOf(target);
  return SPECIAL_TYPES.has(type) ? type : undefined;
}

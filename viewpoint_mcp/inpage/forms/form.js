// Filling in a form. One call checks all fields before the first one is changed, and one call reads them all at the
// end.

import { isDisabled, isDrawn, scrollIntoView } from "../actions/actionability.js";
import { told } from "../actions/causes.js";
import { getControl, getInputValue, isLabelable, labelsOf, nameOf } from "../aria/names.js";
import { inputTypeOf, roleOf } from "../aria/roles.js";
import { getChecked, getIndeterminate, getSelectedOptions } from "../aria/states.js";
import {
  attribute, boxOf, flatParentOf, has, isConnected, isElement, isHtmlTag, isTrue, keyword, localNameOf, parentOf,
  queryAll, rootNodeOf, trimmed,
} from "../dom/dom.js";
import { look } from "../dom/memo.js";
import { element, register } from "../dom/registry.js";
import { editableIn, fieldFailure, heldAfter, isFocused, isValueField, takeFocus, tryValue } from "./fields.js";
import { allRoots } from "./options.js";
import { chooserIn, isSelect, labelOfOption, nativeOptions, offer, optionMeant, tryToChoose } from "./select.js";
import { frame, shadowRootsIn } from "../settle/changes.js";

const CHECK_ROLES = { checkbox: new Set(["checkbox", "switch", "menuitemcheckbox"]), radio: new Set(["radio", "menuitemradio"]) };
const SLIDE_PATIENCE = 500; // ms
const SLIDER_ROLES = new Set(["slider", "spinbutton", "scrollbar"]);
/** @type {Map<number, string>} */
let profiles = new Map(); // of the fields in the last `checkFields` call, by number

// Check whether each field can be filled, without changing any of them.
/** @param {FormField[]} fields @returns {(Named & Refusal | Gone)[]} */
export function checkFields(fields) {
  profiles = new Map();
  return look(() => fields.map(({ number, type, typed: value }) => {
    const target = element(number);
    if (!target || !isConnected(target)) return { fail: "gone" };
    profiles.set(number, profileOf(target));
    return told(target, isFileField(target) ? { refused: "file" } : CHECKS[type](target, value));
  }));
}

/** @param {Element} node */
const isFileField = (node) => isHtmlTag(node, "input") && inputTypeOf(node) === "file";

/** @type {Record<FormField["type"], (target: Element, value: string) => Refusal>} */
const CHECKS = {
  textbox(target, value) {
    const field = editableIn(target);
    if (field === null) return { refused: "kind" };
    const fail = fieldFailure(field);
    if (fail) return { fail };
    if (isHtmlTag(field, "input") && inputTypeOf(field) === "number" && Number.isNaN(Number(value))) return { refused: "value" };
    const instead = isValueField(field) ? tryValue(field, value) : null;
    return instead === null ? {} : { refused: "value", instead };
  },
  checkbox: (target) => checkFailure(checkableIn(target, "checkbox")),
  radio(target, value) {
    const control = radioMeant(target, value);
    return control === "none" ? { refused: "missing", value, ...offer(radiosIn(target)) } : checkFailure(control);
  },
  combobox(target, value) {
    const control = chooserIn(target);
    return control === null ? { refused: "kind" } : tryToChoose(control, [value], { isCheck: true });
  },
  slider(target, value) {
    const control = sliderIn(target);
    if (control === null) return { refused: "kind" };
    if (isDisabled(control)) return { fail: "disabled" };
    const { least, most } = limitsOf(control);
    const isWithin = value.trim() !== "" && Number(value) >= least && Number(value) <= most;
    return isWithin ? {} : { refused: "value", instead: null, least, most };
  },
};

// Return a text that identifies the element even after the page renders it again.
/** @param {Element} target */
function profileOf(target) {
  const attributes = ["id", "name", "type", "aria-label"].map((name) => attribute(target, name));
  return [localNameOf(target), ...attributes, roleOf(target), nameOf(target)].join("\n");
}

// Return the element with the number. If the page rendered it again since `checkFields`, return the only element with
// the same profile. Return null if that is not unique.
/** @param {number} number @returns {Element | null} */
export function fillable(number) {
  const known = element(number);
  if (known && isConnected(known)) return known;
  const profile = profiles.get(number);
  if (profile === undefined) return null;
  const tag = profile.slice(0, profile.indexOf("\n"));
  const alike = look(() => allRoots().flatMap((root) => [...queryAll(root, CSS.escape(tag))])
    .filter((node) => profileOf(node) === profile));
  return alike.length === 1 ? alike[0] : null;
}

// Return the checkbox or radio button that is meant: the element itself, the control of a label, or the only one inside
// the element.
/** @param {Element} target @param {"checkbox" | "radio"} type @returns {Element | null} */
function checkableIn(target, type) {
  const roles = CHECK_ROLES[type];
  if (roles.has(roleOf(target))) return target;
  const control = isHtmlTag(target, "label") ? getControl.call(target) : null;
  if (control !== null && roles.has(roleOf(control))) return control;
  const inside = [target, ...shadowRootsIn(target)]
    .flatMap((root) => [...queryAll(root, "input, [role]")]).filter((node) => roles.has(roleOf(node)));
  return inside.length === 1 ? inside[0] : null;
}

// Return why the checkbox or radio button cannot be changed; {} if it can.
/** @param {Element | null} control @returns {Refusal} */
function checkFailure(control) {
  if (control === null) return { refused: "kind" };
  return isDisabled(control) || (isTrue(control, "aria-readonly")) ? { fail: "disabled" } : {};
}

// Return the radio button to check: the element itself for "true", or the one in its group with the label or value.
// Return "none" if no radio button matches, and null if there are no radio buttons.
/** @param {Element} target @param {string} value @returns {Element | "none" | null} */
function radioMeant(target, value) {
  const own = checkableIn(target, "radio");
  if (own !== null && value === "true") return own;
  const options = radiosIn(target);
  if (options.length === 0) return null;
  return optionMeant(options, value)?.element ?? "none";
}

// Return the radio buttons of the element's group, as choices.
/** @param {Element} target */
function radiosIn(target) {
  const own = checkableIn(target, "radio");
  const group = own === null ? target : groupOf(own);
  const name = own === null ? null : attribute(own, "name");
  const radios = [...queryAll(group, "input, [role]")].filter((node) => CHECK_ROLES.radio.has(roleOf(node)));
  return radios.filter((radio) => name === null || attribute(radio, "name") === name).map((radio) => ({
    element: radio, value: attribute(radio, "value"), texts: [nameOf(radio)], isOff: isDisabled(radio),
  }));
}

/** @param {Element} radio @returns {Scope} */
function groupOf(radio) {
  for (let at = parentOf(radio); at !== null && isElement(at); at = parentOf(at)) {
    if (["radiogroup", "group", "form"].includes(roleOf(at))) return at;
  }
  return rootNodeOf(radio);
}

// Return what must be done so that a checkbox or radio button has the wanted state. A control that accepts a key gets
// the focus.
/** @param {number} number @param {FormField} options @returns {ToCheck | NamedFailure | Gone} */
export function toCheck(number, { type, typed: value }) {
  const target = fillable(number);
  if (target === null) return { fail: "gone" };
  const control = type === "radio" ? radioMeant(target, value) : checkableIn(target, "checkbox");
  if (control === null || control === "none") return { fail: "gone" };
  const fail = checkFailure(control).fail;
  if (fail) return told(target, { fail });
  if (isCheckedAs(control, type === "radio" || value === "true")) return { isDone: true };
  if (isHtmlTag(control, "input") && widgetOf(control) === null) {
    scrollIntoView.call(control, { block: "nearest", inline: "nearest", behavior: "instant" });
    takeFocus(control);
    if (isFocused(control)) return { press: true, number: register(clickableFor(control)) };
  }
  return { number: register(clickableFor(control)) };
}

/** @param {Element} node */
const isDrawnLarge = (node) => isDrawn(node) && boxOf(node).width > 2 && boxOf(node).height > 2;

// Return the drawn box around a hidden <input> that has a role attribute, such as a switch; null for other controls. The
// <input> only stores the state of such a widget. The widget handles clicks on the box; a key on the <input> can leave
// the two in different states.
/** @param {Element} control */
function widgetOf(control) {
  if (!has(control, "role") || isDrawnLarge(control)) return null;
  const box = flatParentOf(control);
  return box !== null && isDrawnLarge(box) && queryAll(box, "input").length === 1 ? box : null;
}

// Return the element to click for a control: if the control itself is hidden, its widget or its drawn label.
/** @param {Element} control */
function clickableFor(control) {
  if (isDrawnLarge(control)) return control;
  const widget = widgetOf(control);
  if (widget !== null) return widget;
  const labels = look(() => (isLabelable(control) ? labelsOf(control).filter(isDrawn) : []));
  return labels[0] ?? control;
}

// Return whether the control has the wanted state.
/** @param {Element} control @param {boolean} wanted */
function isCheckedAs(control, wanted) {
  if (!isHtmlTag(control, "input")) return keyword(control, "aria-checked") === String(wanted);
  return getChecked.call(control) === wanted && !(getIndeterminate.call(control) && inputTypeOf(control) === "checkbox");
}

/** @param {Element} node */
const isSlider = (node) => SLIDER_ROLES.has(roleOf(node));

// Return the slider that is meant: the element itself, the control of a label, or the only one inside the element.
/** @param {Element} target */
function sliderIn(target) {
  if (isSlider(target)) return target;
  const control = isHtmlTag(target, "label") ? getControl.call(target) : null;
  if (control !== null && isSlider(control)) return control;
  const inside = [target, ...shadowRootsIn(target)]
    .flatMap((root) => [...queryAll(root, "input, [role]")]).filter(isSlider);
  return inside.length === 1 ? inside[0] : null;
}

// Return the limits of a slider or number field.
/** @param {Element} control */
function limitsOf(control) {
  const native = isHtmlTag(control, "input");
  /** @param {string} name @param {number} otherwise */
  const read = (name, otherwise) => {
    const given = trimmed(control, native ? name : `aria-value${name}`);
    return given === "" || Number.isNaN(Number(given)) ? otherwise : Number(given);
  };
  const isOpen = native && inputTypeOf(control) === "number";
  return { least: read("min", isOpen ? -Infinity : 0), most: read("max", isOpen ? Infinity : 100) };
}

// Return the value and the limits of a slider that is changed by keys, and focus it. `isField` is true for an <input>,
// which is set directly. Frameworks change the value late: wait up to SLIDE_PATIENCE until it is no longer `from`, or
// until it is `wanted`.
/**
 * @param {number} number
 * @param {{ from?: number, wanted?: number }} [options]
 * @returns {Promise<{ isField: true } | { now: number, least: number, most: number } | Gone>}
 */
export async function toSlide(number, { from, wanted } = {}) {
  const start = performance.now();
  for (;;) {
    const target = fillable(number);
    const control = target && sliderIn(target);
    if (!control) return { fail: "gone" };
    if (isHtmlTag(control, "input")) return { isField: true };
    focusForKeys(control);
    const now = Number(attribute(control, "aria-valuenow"));
    const isAwaited = now === from || (wanted !== undefined && now !== wanted);
    if (!isAwaited || performance.now() - start > SLIDE_PATIENCE) return { now, ...limitsOf(control) };
    await frame();
  }
}

// Focus the control, or else the first part of it that accepts the focus.
/** @param {Element} control */
function focusForKeys(control) {
  for (const part of [control, ...queryAll(control, "[tabindex]")]) {
    takeFocus(part);
    if (isFocused(part)) return;
  }
}

// Return, for each field, null if it has the wanted value, and else its present value.
/** @param {(FormField & { count: number })[]} fields @returns {(Held | null)[]} */
export const holdingOf = (fields) => look(() => fields.map(holding));

/** @param {FormField & { count: number }} options */
function holding({ number, type, typed: value, count }) {
  if (type === "textbox") return heldAfter(number, { typed: value, added: false, count, isKnown: true });
  const target = fillable(number);
  if (target === null) return { held: null, reached: true, isReplaced: true };
  const held = STATES[type](target, value);
  return held === null ? null : { held, reached: true };
}

/** @type {Record<Exclude<FormField["type"], "textbox">, (target: Element, value: string) => string | null>} */
const STATES = {
  checkbox(target, value) {
    const control = checkableIn(target, "checkbox");
    return control === null || isCheckedAs(control, value === "true") ? null : String(value !== "true");
  },
  radio(target, value) {
    const control = radioMeant(target, value);
    return control === null || control === "none" || isCheckedAs(control, true) ? null : "another choice";
  },
  combobox(target, value) {
    const control = chooserIn(target);
    if (control === null || !isSelect(control)) return null;
    const options = nativeOptions(getSelectedOptions.call(control));
    return optionMeant(options, value) === null ? options.map(labelOfOption).join(", ") : null;
  },
  slider(target, value) {
    const control = sliderIn(target);
    if (control === null) return null;
    const now = isHtmlTag(control, "input") ? getInputValue.call(control) : attribute(control, "aria-valuenow");
    return Number(now) === Number(value) ? null : now;
  },
};

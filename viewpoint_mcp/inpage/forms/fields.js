// Text fields: finding the field of an element, preparing it for typing, setting fields without text input, and reading
// the result.

import { isDisabled, isDrawn, passing, scrollIntoView, untilAnsweredAnew } from "../actions/actionability.js";
import { disabledBy, failure, hiddenBy, told } from "../actions/causes.js";
import { getControl, getInputValue } from "../aria/names.js";
import { inputTypeOf } from "../aria/roles.js";
import { isReadonly } from "../aria/states.js";
import {
  DOCUMENT, activeElement, boxOf, checkVisibility, dataOf, flatParentOf, getActiveElement, getActiveElementOfRoot,
  getBody, getDocumentElement, getIsContentEditable, getter, isConnected, isElement, isHtml, isHtmlTag, isText,
  keyword, localNameOf, parentOf, queryAll, rootNodeOf, setter, typeOf,
} from "../dom/dom.js";
import { element } from "../dom/registry.js";
import { focusedEditable, focusedIn, hasCaret, isSecret, textAround } from "./caret.js";
import { fillable } from "./form.js";
import { changes, getInnerText, shadowRootsIn } from "../settle/changes.js";
import { drawnLinesOf, isShownInPart } from "../snapshot/code_editors.js";

const EDITABLE_TYPES = new Set(["text", "search", "email", "url", "tel", "password", "number", ""]);
const VALUE_TYPES = new Set(["date", "time", "datetime-local", "month", "week", "color", "range"]);
const SMALLEST_FIELD = 4; // px; a smaller field only receives keys for text that is drawn elsewhere
export const { dispatchEvent } = EventTarget.prototype;
const getLastChild = getter(Node.prototype, "lastChild");
const getChildNodes = getter(Node.prototype, "childNodes");
export const getEditContext = getter(HTMLElement.prototype, "editContext");

// Return whether the element accepts text or a value: a textarea, an <input> with one, or an editable element.
/** @param {Element} node */
export function isEditable(node) {
  if (isHtmlTag(node, "textarea")) return true;
  if (isHtmlTag(node, "input")) return EDITABLE_TYPES.has(inputTypeOf(node)) || VALUE_TYPES.has(inputTypeOf(node));
  return isHtml(node) && (getIsContentEditable.call(node) || getEditContext.call(node) !== null);
}

// Return the field to type into: the element itself, the control of a label, or the only field inside the element.
// Return null if there is none, or if several are drawn.
/** @param {Element} target @returns {Element | null} */
export function editableIn(target) {
  if (isEditable(target)) return target;
  const control = isHtmlTag(target, "label") ? getControl.call(target) : null;
  if (control !== null && isEditable(control)) return control;
  const inside = [target, ...shadowRootsIn(target)]
    .flatMap((root) => [...queryAll(root, "input, textarea, [contenteditable]")])
    .filter(isEditable);
  if (inside.length < 2) return inside[0] ?? null;
  const drawn = inside.filter(isDrawn);
  return drawn.length === 1 ? drawn[0] : null;
}

/** @type {WeakMap<Element, string>} */
const valuesBefore = new WeakMap();
/** @type {WeakMap<Element, ReturnType<typeof textAround>>} */
const surroundings = new WeakMap(); // of the caret at the start of typing, by field

// Focus the text field of the element for typing. With `replace`, select its content, so that the inserted text
// replaces it. Otherwise keep the caret or the selection in the field, or else move the caret to the end. Set a field
// without text input to `typed` immediately.
/**
 * @param {number} number
 * @param {FieldOptions & Again} options
 * @returns {Promise<Focused | FocusRefused | Passing<NamedFailure> | Gone>}
 */
export const focusFor = (number, options) => untilAnsweredAnew(options.again, () => focusNowFor(number, options));

/**
 * @param {number} number
 * @param {FieldOptions} options
 * @returns {Promise<Focused | FocusRefused | Passing<NamedFailure> | Gone>}
 */
async function focusNowFor(number, options) {
  const target = options.isKnown ? fillable(number) : element(number);
  if (!target || !isConnected(target)) return { fail: "gone" };
  const field = (options.replace ? null : focusedIn(target)) ?? editableIn(target);
  const fail = fieldFailure(field);
  const focused = fail ? null : focusField(/** @type {Element} */ (field), options);
  // An editor is notified of the selection in a later task, and types at the position that it knows.
  if (focused !== null && controlOf(/** @type {Element} */ (field)) === null) await tasksSoFar();
  // The blur of the previous field may have made the page render this field again.
  if (focused !== null && isConnected(/** @type {Element} */ (field))) return toldOnce(target, options, /** @type {FocusTried} */ (focused));
  if (focused === null && isFrame(target)) return told(target, { refused: "frame" });
  return told(target, passing(failure({ fail: fail ?? "hidden", ...whyNot(fail, field) }, target)));
}

// Wait for the tasks that are already queued. A timer would not do, because settling counts its callback as script that
// the action ran.
export const tasksSoFar = () => new Blob(["."]).text();

/**
 * @param {Element} target
 * @param {{ isKnown?: boolean }} options
 * @param {FocusTried} extra
 * @returns {Focused | FocusRefused}
 */
const toldOnce = (target, { isKnown }, extra) => (isKnown && !extra.refused ? extra : told(target, extra));
/** @param {Element} node */
const isFrame = (node) => isHtml(node) && ["iframe", "frame"].includes(localNameOf(node));

// Return why the field cannot be typed into, or null.
/** @param {Element | null} field @returns {"not-editable" | "disabled" | "readonly" | "hidden" | null} */
export function fieldFailure(field) {
  if (!field) return "not-editable";
  if (isDisabled(field)) return "disabled";
  if (isReadonly(field)) return "readonly";
  return isDrawn(field) || field === focusedEditable() || isUndrawnEditor(field) ? null : "hidden";
}

// Return whether the field receives keys for a code editor without having a size.
/** @param {Element} field */
const isUndrawnEditor = (field) => isStandIn(field) && checkVisibility.call(field);

// Return the cause of a failure as {how, by}, or {} if only the field itself can be the cause.
/** @param {string | null} fail @param {Element | null} field */
function whyNot(fail, field) {
  if (fail === "disabled") return disabledBy(/** @type {Element} */ (field));
  return fail === "hidden" ? (hiddenBy(/** @type {Element} */ (field)) ?? { how: "size", by: null }) : {};
}

/**
 * @typedef {object} Control
 * @property {(this: Element) => void} select
 * @property {(this: Element, start: number, end: number) => void} setSelectionRange
 * @property {(this: Element) => number | null} getSelectionStart
 * @property {(this: Element) => number | undefined} getSelectionEnd
 * @property {(this: Element) => string} getValue
 */

// Return the members of a control, taken from its prototype; null for other editable elements. Members must come from
// the prototype, because an editable <form> has properties with the names of its fields.
/** @param {Element} field @returns {Control | null} */
export function controlOf(field) {
  if (isHtmlTag(field, "textarea")) return TEXT_AREA;
  return isHtmlTag(field, "input") ? INPUT : null;
}

/** @param {HTMLInputElement | HTMLTextAreaElement} prototype @returns {Control} */
const controlMembers = (prototype) => /** @type {any} */ ({
  select: prototype.select,
  setSelectionRange: prototype.setSelectionRange,
  getSelectionStart: getter(prototype, "selectionStart"),
  getSelectionEnd: getter(prototype, "selectionEnd"),
  getValue: getter(prototype, "value"),
});
const INPUT = controlMembers(HTMLInputElement.prototype);
const TEXT_AREA = controlMembers(HTMLTextAreaElement.prototype);
/** @param {Element} field @returns {field is HTMLInputElement} */
export const isValueField = (field) => isHtmlTag(field, "input") && VALUE_TYPES.has(inputTypeOf(field));

/** @typedef {Focused | { refused: "focus", by: Named | null }} FocusTried */

// Focus the field and place the caret or the selection. Return {} if the page removed the field meanwhile.
/**
 * @param {Element} field
 * @param {{ replace: boolean, typed: string }} options
 * @returns {FocusTried | Record<string, never>}
 */
function focusField(field, { replace, typed }) {
  const control = controlOf(field);
  const host = control === null ? editingHostOf(field) : field;
  const keepsCaret = !replace && hasCaret(field, host);
  scrollIntoView.call(field, { block: "nearest", inline: "nearest", behavior: "instant" });
  takeFocus(host);
  if (!isConnected(field)) return {};
  if (!isFocused(host)) takeFocus(host); // a focus handler may have moved the focus once
  const thief = isFocused(host) ? null : activeElement();
  if (thief !== null || !isFocused(host)) return { refused: "focus", by: thief && told(thief) };
  const before = heldText(field);
  valuesBefore.set(field, before);
  if (isValueField(field)) return { kind: "value", instead: setValue(field, typed) };
  const kind = isStandIn(field) ? "keys" : "text";
  const isPlaced = keepsCaret || (kind === "text" && (replace ? selectAll(field, control) : caretToEnd(field, control)));
  if (!replace) surroundings.set(field, textAround(field, before, keepsCaret));
  const endKey = kind === "keys" && keyword(field, "aria-multiline") !== "false" ? "ControlOrMeta+End" : "End";
  return { kind, empty: before === "", hasCaret: isPlaced, endKey, count: changes(), isSecret: isSecret(field) };
}

/** @param {Element} host */
export const takeFocus = (host) => HTMLElement.prototype.focus.call(/** @type {HTMLElement} */ (host), { preventScroll: true });

// Return whether the field has the focus in its tree scope.
/** @param {Element} field */
export function isFocused(field) {
  const root = rootNodeOf(field);
  const getActive = /** @type {(this: Scope) => Element | null} */ (typeOf(root) === DOCUMENT ? getActiveElement : getActiveElementOfRoot);
  const active = getActive.call(root);
  return active === field || (typeOf(root) === DOCUMENT && isDesigned(field) && active === getBody.call(document));
}

/** @param {Element} field */
const isDesigned = (field) => field === getBody.call(document) || field === getDocumentElement.call(document);

// Return the element that must have the focus to edit the field: the outermost editable element around it.
/** @param {Element} field @returns {Element} */
export function editingHostOf(field) {
  let host = field;
  for (let at = parentOf(host); at !== null && isElement(at); at = parentOf(at)) {
    if (!isHtml(at) || !getIsContentEditable.call(at)) break;
    host = at;
  }
  return host;
}

// Return whether the field only receives keys for a code editor, which draws the text itself. The selection in such a
// field is not that of the editor.
/** @param {Element} field */
export function isStandIn(field) {
  if (controlOf(field) === null) return getEditContext.call(/** @type {HTMLElement} */ (field)) !== null;
  if (!isHtmlTag(field, "textarea")) return false;
  const { width, height } = boxOf(field);
  if (width < SMALLEST_FIELD || height < SMALLEST_FIELD || Number(getComputedStyle(field).opacity) === 0) return true;
  const parent = flatParentOf(field);
  if (parent === null || getComputedStyle(parent).overflow === "visible") return false;
  const around = boxOf(parent);
  return around.width < SMALLEST_FIELD || around.height < SMALLEST_FIELD;
}

/** @param {Element} field @param {Control | null} control */
function selectAll(field, control) {
  if (control !== null) control.select.call(field);
  else getSelection()?.selectAllChildren(field);
  return true;
}

// Move the caret to the end. Return false if the field does not allow scripts to move it.
/** @param {Element} field @param {Control | null} control */
function caretToEnd(field, control) {
  if (control === null) {
    const end = lastPlaceIn(field);
    getSelection()?.setPosition(end, isText(end) ? dataOf(end).length : getChildNodes.call(end).length);
    return true;
  }
  if (control.getSelectionStart.call(field) === null) return false;
  const { length } = control.getValue.call(field);
  control.setSelectionRange.call(field, length, length);
  return true;
}

// Return the node in which the text of an editable element ends: inside its last paragraph, not after it.
/** @param {Element} field @returns {Node} */
function lastPlaceIn(field) {
  let at = /** @type {Node} */ (field);
  for (;;) {
    const last = getLastChild.call(at);
    if (last === null || (!isText(last) && !isWritableBlock(last))) return at;
    at = last;
  }
}

/** @param {Node} node */
const isWritableBlock = (node) =>
  isElement(node) && isHtml(node) && localNameOf(node) !== "br" && getIsContentEditable.call(node);

const setInputValue = setter(HTMLInputElement.prototype, "value");

// Set a field without text input (date, colour, range and others) and dispatch the events of a user input. Return null
// if the field accepts the value. Otherwise restore the old value and return the value that the field would store
// instead.
/** @param {HTMLInputElement} field @param {string} text */
function setValue(field, text) {
  const before = getInputValue.call(field);
  setInputValue.call(field, text);
  const instead = getInputValue.call(field);
  if (!isSameValue(field, text)) {
    setInputValue.call(field, before);
    return instead;
  }
  if (instead !== before) tellOfChoice(field);
  return null;
}

// Dispatch the input and change events of a user's choice.
/** @param {Element} control */
export function tellOfChoice(control) {
  dispatchEvent.call(control, new Event("input", { bubbles: true, composed: true }));
  dispatchEvent.call(control, new Event("change", { bubbles: true }));
}

// Return whether the field accepted `text` as its value. Numbers and colours are compared; for other types, a non-empty
// value was accepted.
/** @param {HTMLInputElement} field @param {string} text */
function isSameValue(field, text) {
  const value = getInputValue.call(field);
  const type = inputTypeOf(field);
  if (type === "range") return text.trim() !== "" && Number(value) === Number(text);
  if (type === "color") return value === text.toLowerCase();
  return (value === "") === (text === "");
}

// Return null if the field accepts the value, or else the value that it would store instead. The field itself does not
// change.
/** @param {HTMLInputElement} field @param {string} text */
export function tryValue(field, text) {
  const before = getInputValue.call(field);
  const probe = /** @type {HTMLInputElement} */ (Node.prototype.cloneNode.call(field, false));
  setInputValue.call(probe, text);
  return isSameValue(probe, text) || text === before ? null : getInputValue.call(probe);
}

// Return the text that the field contains.
/** @param {Element} field */
export function heldText(field) {
  const getText = /** @type {(this: Element) => string} */ (controlOf(field)?.getValue ?? getInnerText);
  return getText.call(field);
}

// Return null if the field contains the typed text; otherwise return what it contains.
//   added: the text was inserted at the caret; count: the document's change count when typing began
/**
 * @param {number} number
 * @param {{ typed: string, added: boolean, count: number, isKnown?: boolean }} options
 * @returns {Held | null}
 */
export function heldAfter(number, { typed, added, count, isKnown }) {
  const target = isKnown ? fillable(number) : element(number);
  const named = target && isConnected(target) ? ((added ? focusedIn(target) : null) ?? editableIn(target)) : null;
  const field = named ?? (isKnown ? null : activeElement());
  if (field === null || !isEditable(field)) return { held: null, reached: true, isReplaced: true };
  const before = (named === null ? undefined : valuesBefore.get(named)) ?? "";
  const held = heldText(field);
  const isAsBefore = held === before;
  const reached = !isAsBefore || changes() !== count;
  if (isStandIn(field) || isShownInPart(field)) {
    const drawn = added ? null : drawnTextOf(field, typed);
    return drawn !== null ? { held: drawn, isAsBefore: !reached, reached, isReplaced: false } : reached ? null : { held: null, reached };
  }
  if (added ? isAdded(field, held, typed) && !isAsBefore : isSameText(field, held, typed)) return null;
  const told = isSecret(field) ? String(held.length) : held;
  return { held: told, isSecret: isSecret(field), isAsBefore, reached, isReplaced: named === null };
}

// Return the text that a code editor draws for the field. Return null if it is the typed text, or if the drawn lines do
// not show the whole text, because they are only those in view or because long lines are wrapped.
/** @param {Element} field @param {string} typed */
function drawnTextOf(field, typed) {
  const lines = drawnLinesOf(field);
  const wanted = looseText(typed.replace(/\r\n?/g, "\n"));
  const drawn = looseText(lines.join("\n"));
  return lines.length === 0 || drawn === wanted || drawn.split("\n").length !== wanted.split("\n").length ? null : lines.join("\n");
}

// Return whether the field contains the typed text at the former caret position.
/** @param {Element} field @param {string} held @param {string} typed */
function isAdded(field, held, typed) {
  const around = surroundings.get(field) ?? null;
  if (around === null) return held.includes(typed);
  const { head, tail, isLoose } = around;
  const wanted = head + typed + tail;
  return isLoose ? held.replace(ANY_SPACE, "") === wanted.replace(ANY_SPACE, "") : isSameText(field, held, wanted);
}

const ANY_SPACE = /[\s\u200b\ufeff]+/g;

// Return whether the field contains the text, apart from white space that editors change.
/** @param {Element} field @param {string} held @param {string} wanted */
function isSameText(field, held, wanted) {
  const lines = wanted.replace(/\r\n?/g, "\n");
  if (held === lines) return true;
  return controlOf(field) === null && looseText(held) === looseText(lines);
}

// Remove differences in white space and line ends, which depend on the editor.
/** @param {string} text */
const looseText = (text) => text.replace(/[\u200b\ufeff]/g, "").replace(/[^\S\n]/g, " ").replace(/\n+/g, "\n").trim();

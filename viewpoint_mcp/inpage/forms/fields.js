// Finds the field that is meant, prepares it for typing, sets those that take no text, and tells what a field holds.

import { isDisabled, isDrawn, passing, scrollIntoView, untilAnsweredAnew } from "../actions/actionability.js";
import { disabledBy, failure, hiddenBy, told } from "../actions/causes.js";
import { getControl, getInputValue } from "../aria/names.js";
import { inputTypeOf } from "../aria/roles.js";
import { isReadonly } from "../aria/states.js";
import {
  DOCUMENT, activeElement, boxOf, checkVisibility, dataOf, flatParentOf, getActiveElement, getActiveElementOfRoot,
  getBody, getDocumentElement, getIsContentEditable, getter, isConnected, isElement, isHtml, isHtmlTag, isText,
  keyword, localNameOf, parentOf, queryAll, rootNodeOf, typeOf,
} from "../dom/dom.js";
import { element } from "../dom/registry.js";
import { focusedEditable, focusedIn, hasCaret, textAround } from "./caret.js";
import { fillable } from "./form.js";
import { changes, getInnerText, shadowRootsIn } from "../settle/changes.js";

const EDITABLE_TYPES = new Set(["text", "search", "email", "url", "tel", "password", "number", ""]);
const VALUE_TYPES = new Set(["date", "time", "datetime-local", "month", "week", "color", "range"]);
const SMALLEST_FIELD = 4; // px; what is smaller takes the keys for something that is drawn elsewhere
export const { dispatchEvent } = EventTarget.prototype;
const getLastChild = getter(Node.prototype, "lastChild");
const getChildNodes = getter(Node.prototype, "childNodes");
export const getEditContext = getter(HTMLElement.prototype, "editContext");

export function isEditable(node) {
  if (isHtmlTag(node, "textarea")) return true;
  if (isHtmlTag(node, "input")) return EDITABLE_TYPES.has(inputTypeOf(node)) || VALUE_TYPES.has(inputTypeOf(node));
  return isHtml(node) && (getIsContentEditable.call(node) || getEditContext.call(node) !== null);
}

// The text field meant by the element: itself, its label's control, or the only one inside it.
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

const valuesBefore = new WeakMap();
const surroundings = new WeakMap(); // of the caret when typing began, by field: {head, tail, isLoose}, see `textAround`

// Focuses the text field of the element for typing; with `replace` its content is selected, so that what is
// inserted takes its place, else its caret and selection stay, or without them the caret goes to its end.
// A field that takes no text is set to `typed` at once. Returns {role, name} and
//   kind: "text"; "value" with `instead`, see `setValue`; "keys": an editor that only looks like a field
//   empty: nothing is in it; hasCaret: the caret is where the text goes; endKey: what brings it to the end otherwise
//   count: how often the document had changed by now
// or {refused: "focus", by}, {refused: "frame"}, or {fail}. With `isKnown` it is not named.
export const focusFor = (number, options) => untilAnsweredAnew(options.again, () => focusNowFor(number, options));

async function focusNowFor(number, options) {
  const target = options.isKnown ? fillable(number) : element(number);
  if (!target || !isConnected(target)) return { fail: "gone" };
  const field = (options.replace ? null : focusedIn(target)) ?? editableIn(target);
  const fail = fieldFailure(field);
  const focused = fail ? null : focusField(field, options);
  // An editor hears of the selection in a task of its own, and types where it knows the caret to be.
  if (focused !== null && controlOf(field) === null) await tasksSoFar();
  // Leaving the field before may have made the page draw this one anew.
  if (focused !== null && isConnected(field)) return toldOnce(target, options, focused);
  if (focused === null && isFrame(target)) return told(target, { refused: "frame" });
  return told(target, passing(failure({ fail: fail ?? "hidden", ...whyNot(fail, field) }, target)));
}

// What was due when this was called has run. The callback of a timer would count as a script that the act ran.
const tasksSoFar = () => new Blob(["."]).text();

const toldOnce = (target, { isKnown }, extra) => (isKnown && !extra.refused ? extra : told(target, extra));
const isFrame = (node) => isHtml(node) && ["iframe", "frame"].includes(localNameOf(node));

export function fieldFailure(field) {
  if (!field) return "not-editable";
  if (isDisabled(field)) return "disabled";
  if (isReadonly(field)) return "readonly";
  return isDrawn(field) || field === focusedEditable() || isUndrawnEditor(field) ? null : "hidden";
}

// A code editor may give the element that takes its keys no size at all.
const isUndrawnEditor = (field) => isStandIn(field) && checkVisibility.call(field);

// The cause of a field's failure, where another element may be it.
function whyNot(fail, field) {
  if (fail === "disabled") return disabledBy(field);
  return fail === "hidden" ? (hiddenBy(field) ?? { how: "size", by: null }) : {};
}

// The members of the kind of control; null for other editable elements. A form may be one of those, and the names of
// its fields are properties of it: members are taken from the prototypes only.
export function controlOf(field) {
  if (isHtmlTag(field, "textarea")) return TEXT_AREA;
  return isHtmlTag(field, "input") ? INPUT : null;
}

const controlMembers = (prototype) => ({
  select: prototype.select,
  setSelectionRange: prototype.setSelectionRange,
  getSelectionStart: getter(prototype, "selectionStart"),
  getSelectionEnd: getter(prototype, "selectionEnd"),
  getValue: getter(prototype, "value"),
});
const INPUT = controlMembers(HTMLInputElement.prototype);
const TEXT_AREA = controlMembers(HTMLTextAreaElement.prototype);
export const isValueField = (field) => isHtmlTag(field, "input") && VALUE_TYPES.has(inputTypeOf(field));

function focusField(field, { replace, typed }) {
  const control = controlOf(field);
  const host = control === null ? editingHostOf(field) : field;
  const keepsCaret = !replace && hasCaret(field, host);
  scrollIntoView.call(field, { block: "nearest", inline: "nearest", behavior: "instant" });
  takeFocus(host);
  if (!isConnected(field)) return {};
  if (!isFocused(host)) takeFocus(host); // a handler may have given it away, once
  const thief = isFocused(host) ? null : activeElement();
  if (thief !== null || !isFocused(host)) return { refused: "focus", by: thief && told(thief) };
  const before = heldText(field);
  valuesBefore.set(field, before);
  if (isValueField(field)) return { kind: "value", instead: setValue(field, typed) };
  const kind = isStandIn(field) ? "keys" : "text";
  const isPlaced = keepsCaret || (kind === "text" && (replace ? selectAll(field, control) : caretToEnd(field, control)));
  if (!replace) surroundings.set(field, textAround(field, before, keepsCaret));
  const endKey = kind === "keys" && keyword(field, "aria-multiline") !== "false" ? "ControlOrMeta+End" : "End";
  return { kind, empty: before === "", hasCaret: isPlaced, endKey, count: changes() };
}

export const takeFocus = (host) => HTMLElement.prototype.focus.call(host, { preventScroll: true });

export function isFocused(field) {
  const root = rootNodeOf(field);
  const active = (typeOf(root) === DOCUMENT ? getActiveElement : getActiveElementOfRoot).call(root);
  return active === field || (typeOf(root) === DOCUMENT && isDesigned(field) && active === getBody.call(document));
}

const isDesigned = (field) => [getBody.call(document), getDocumentElement.call(document)].includes(field);

// What is focused in order to edit within it.
function editingHostOf(field) {
  let host = field;
  for (let at = parentOf(host); at !== null && isElement(at); at = parentOf(at)) {
    if (!isHtml(at) || !getIsContentEditable.call(at)) break;
    host = at;
  }
  return host;
}

// Code editors draw their text themselves; a field that nobody can see takes the keys. What is selected in it is not
// what is selected in the editor.
function isStandIn(field) {
  if (controlOf(field) === null) return getEditContext.call(field) !== null;
  if (!isHtmlTag(field, "textarea")) return false;
  const { width, height } = boxOf(field);
  if (width < SMALLEST_FIELD || height < SMALLEST_FIELD || Number(getComputedStyle(field).opacity) === 0) return true;
  const parent = flatParentOf(field);
  if (parent === null || getComputedStyle(parent).overflow === "visible") return false;
  const around = boxOf(parent);
  return around.width < SMALLEST_FIELD || around.height < SMALLEST_FIELD;
}

function selectAll(field, control) {
  if (control !== null) control.select.call(field);
  else getSelection().selectAllChildren(field);
  return true;
}

// Returns false where the field does not let a script move its caret.
function caretToEnd(field, control) {
  if (control === null) {
    const end = lastPlaceIn(field);
    getSelection().setPosition(end, isText(end) ? dataOf(end).length : getChildNodes.call(end).length);
    return true;
  }
  if (control.getSelectionStart.call(field) === null) return false;
  const { length } = control.getValue.call(field);
  control.setSelectionRange.call(field, length, length);
  return true;
}

// Where the text of an editable element ends: within its last paragraph, not behind it.
function lastPlaceIn(field) {
  let at = field;
  for (;;) {
    const last = getLastChild.call(at);
    if (last === null || (!isText(last) && !isWritableBlock(last))) return at;
    at = last;
  }
}

const isWritableBlock = (node) =>
  isElement(node) && isHtml(node) && localNameOf(node) !== "br" && getIsContentEditable.call(node);

const setInputValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;

// Sets a field that has no text to type into (date, colour, range ...), with the events a person would cause.
// Returns null, or where the field takes no such value and keeps its own: the value it would make of it.
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

export function tellOfChoice(control) {
  dispatchEvent.call(control, new Event("input", { bubbles: true, composed: true }));
  dispatchEvent.call(control, new Event("change", { bubbles: true }));
}

function isSameValue(field, text) {
  const value = getInputValue.call(field);
  const type = inputTypeOf(field);
  if (type === "range") return text.trim() !== "" && Number(value) === Number(text);
  if (type === "color") return value === text.toLowerCase();
  return (value === "") === (text === "");
}

// What would become of the value in such a field, which keeps its own: null where it takes it.
export function tryValue(field, text) {
  const before = getInputValue.call(field);
  const probe = Node.prototype.cloneNode.call(field, false);
  setInputValue.call(probe, text);
  return isSameValue(probe, text) || text === before ? null : getInputValue.call(probe);
}

export const heldText = (field) => (controlOf(field)?.getValue ?? getInnerText).call(field);

// Whether the field holds `typed` after it was typed: null, or {held, isSecret, isAsBefore, reached,
// isReplaced}.
//   added: where the caret was; count: how often the document had changed when the typing began
export function heldAfter(number, { typed, added, count, isKnown }) {
  const target = isKnown ? fillable(number) : element(number);
  const named = target && isConnected(target) ? ((added ? focusedIn(target) : null) ?? editableIn(target)) : null;
  const field = named ?? (isKnown ? null : activeElement());
  if (field === null || !isEditable(field)) return { held: null, reached: true, isReplaced: true };
  const before = valuesBefore.get(named) ?? "";
  const held = heldText(field);
  const isAsBefore = held === before;
  const reached = !isAsBefore || changes() !== count;
  if (isStandIn(field)) return reached ? null : { held: null, reached };
  if (added ? isAdded(field, held, typed) && !isAsBefore : isSameText(field, held, typed)) return null;
  const isSecret = isHtmlTag(field, "input") && inputTypeOf(field) === "password";
  const told = isSecret ? String(held.length) : held;
  return { held: told, isSecret, isAsBefore, reached, isReplaced: named === null };
}

function isAdded(field, held, typed) {
  const around = surroundings.get(field) ?? null;
  if (around === null) return held.includes(typed);
  const { head, tail, isLoose } = around;
  const wanted = head + typed + tail;
  return isLoose ? held.replace(ANY_SPACE, "") === wanted.replace(ANY_SPACE, "") : isSameText(field, held, wanted);
}

const ANY_SPACE = /[\s\u200b\ufeff]+/g;

function isSameText(field, held, wanted) {
  const lines = wanted.replace(/\r\n?/g, "\n");
  if (held === lines) return true;
  return controlOf(field) === null && looseText(held) === looseText(lines);
}

// Editors differ in how they write spaces and ends of lines.
const looseText = (text) => text.replace(/[\u200b\ufeff]/g, "").replace(/[^\S\n]/g, " ").replace(/\n+/g, "\n").trim();

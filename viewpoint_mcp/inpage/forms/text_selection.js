// Selection of a given text in a field, in an editor, or in the text of a document.

import { isDisabled, isDrawn, scrollIntoView } from "../actions/actionability.js";
import { told } from "../actions/causes.js";
import { getControl, tidy } from "../aria/names.js";
import { inputTypeOf, isFrameOwner } from "../aria/roles.js";
import {
  boxOf, checkVisibility, createTreeWalker, dataOf, flatParentOf, isConnected, isElement, isHtml, isHtmlTag, isMatching, isText,
  parentOf,
} from "../dom/dom.js";
import { element } from "../dom/registry.js";
import { shadowRootsIn } from "../settle/changes.js";
import { focusedEditable } from "./caret.js";
import {
  controlOf, editableIn, editingHostOf, getEditContext, isEditable, isFocused, isStandIn, isValueField, takeFocus, tasksSoFar,
} from "./fields.js";

const TEXT_AND_ELEMENTS = NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT;
const INVISIBLE_CHARACTER = /[\u200b\ufeff\u00ad]/;
const LONGEST_HELD = 1000; // characters
const EDITOR_DEPTH = 8; // levels from a field that only receives keys up to the element that draws its text
const BLOCKS = "inline"; // the only display whose text continues the text around it
const NOT_FOR_MOUSE = "a, button, label, summary, select, option, [draggable=true], [role=button], [role=link]";

/** @typedef {{ node: Text, offset: number }} Place */
/** @typedef {{ text: string, occurrence: number | null }} Wanted */
/** @typedef {{ matches: number, held: string, count: number, isSecret: boolean }} Unmatched */
/**
 * @typedef {object} SelectedText
 * @property {"done" | "keys" | "mouse"} kind `done`: it is selected. `keys`: the whole content is, and keys must select
 *     `length` characters after `start`. `mouse`: the mouse must be dragged from `from` to `to`.
 * @property {boolean} isSecret
 * @property {number} [start]
 * @property {number} [length]
 * @property {Point} [from]
 * @property {Point} [to]
 * @property {boolean} [isDrawnOnly] Whether a code editor draws the text, so that only the mouse can select it.
 */

/** @type {WeakMap<Element, Range>} */
const foundRanges = new WeakMap(); // the last range that was found for an element

// Select the text in the element: a field, the field of a label, or any element that shows the text.
/**
 * @param {number} number
 * @param {Wanted} wanted
 * @returns {Promise<Gone | Named & (SelectedText | Unmatched | { refused: string })>}
 */
export async function selectText(number, wanted) {
  const target = element(number);
  if (target === null || !isConnected(target)) return { fail: "gone" };
  if (isFrameOwner(target)) return told(target, { refused: "frame" });
  const field = fieldFor(target, wanted);
  const answer = field === null ? selectInContent(target, target, wanted) : await selectInField(target, field, wanted);
  return told(target, answer);
}

// Select the text that `selectText` found, unless the mouse has selected it, or has selected it in a code editor, whose
// selection is not that of the document. Return whether this was necessary.
/** @param {number} number @returns {boolean} */
export function ensureTextSelected(number) {
  const target = element(number);
  const range = target === null ? undefined : foundRanges.get(target);
  const active = focusedEditable();
  if (range === undefined || (active !== null && drawsItsText(active))) return false;
  if (tidy(String(getSelection())) === tidy(String(range))) return false;
  selectRange(range);
  return true;
}

// Return whether a code editor draws the text of the field.
/** @param {Element} field */
const drawsItsText = (field) => (isHtml(field) && getEditContext.call(field) !== null) || isStandIn(field);

// Return the field whose content is meant; null for the content of the element itself.
/** @param {Element} target @param {Wanted} wanted */
function fieldFor(target, wanted) {
  if (isEditable(target)) return target;
  const control = isHtmlTag(target, "label") ? getControl.call(target) : null;
  if (control !== null && isEditable(control)) return control;
  const inside = editableIn(target);
  const isEditor = inside !== null && drawsItsText(inside);
  return !isEditor && placesOf(target, wanted.text).length > 0 ? null : inside;
}

/** @param {Element} target @param {Element} field @param {Wanted} wanted */
async function selectInField(target, field, wanted) {
  if (isDisabled(field)) return { refused: "disabled" };
  if (isValueField(field)) return { refused: "value" };
  if (drawsItsText(field)) return selectInDrawnText(target, field, wanted);
  if (!isDrawn(field)) return { refused: "hidden" };
  if (controlOf(field) !== null) return selectInControl(field, wanted);
  scrollIntoView.call(field, { block: "nearest", inline: "nearest", behavior: "instant" });
  takeFocus(editingHostOf(field));
  const answer = selectInContent(target, field, wanted);
  if (!("kind" in answer)) return answer;
  selectRange(/** @type {Range} */ (foundRanges.get(target)));
  await tasksSoFar(); // an editor is notified of the selection in a later task
  return { kind: /** @type {const} */ ("done"), isSecret: false };
}

/** @param {Element} field @param {Wanted} wanted @returns {SelectedText | Unmatched | { refused: string }} */
function selectInControl(field, { text, occurrence }) {
  const control = /** @type {import("./fields.js").Control} */ (controlOf(field));
  const value = control.getValue.call(field);
  const isSecret = isHtmlTag(field, "input") && inputTypeOf(field) === "password";
  const starts = indexesOf(value, text);
  const start = chooseMatch(starts, occurrence);
  if (start === null) return unmatched(starts.length, value, isSecret);
  scrollIntoView.call(field, { block: "nearest", inline: "nearest", behavior: "instant" });
  takeFocus(field);
  if (!isFocused(field)) return { refused: "focus" };
  if (text.length === value.length) control.select.call(field);
  else if (control.getSelectionStart.call(field) !== null) control.setSelectionRange.call(field, start, start + text.length);
  else {
    control.select.call(field);
    return { kind: "keys", isSecret, start, length: text.length };
  }
  return { kind: "done", isSecret };
}

// Find the text in the content of `top`; remember its range for `target`.
/**
 * @param {Element} target
 * @param {Element} top
 * @param {Wanted} wanted
 * @param {boolean} [isDrawnOnly]
 * @returns {SelectedText | Unmatched}
 */
function selectInContent(target, top, { text, occurrence }, isDrawnOnly = false) {
  const found = placesOf(top, text);
  const place = chooseMatch(found, occurrence);
  if (place === null) return unmatched(found.length, drawnText(top).text, false);
  const range = new Range();
  range.setStart(place.first.node, place.first.offset);
  range.setEnd(place.last.node, place.last.offset + 1);
  foundRanges.set(target, range);
  const parent = /** @type {Element} */ (parentOf(place.first.node));
  scrollIntoView.call(parent, { block: "nearest", inline: "nearest", behavior: "instant" });
  const [from, to] = [characterEdge(place.first, true), characterEdge(place.last, false)];
  const isForMouse = from !== null && to !== null && (isDrawnOnly || isMouseFree(parent));
  return { kind: "mouse", isSecret: false, isDrawnOnly, ...(isForMouse ? { from, to } : {}) };
}

// Find the text that a code editor draws beside the field that receives its keys.
/** @param {Element} target @param {Element} field @param {Wanted} wanted @returns {SelectedText | Unmatched} */
function selectInDrawnText(target, field, wanted) {
  let at = /** @type {Element | null} */ (field);
  let answer = /** @type {SelectedText | Unmatched} */ (unmatched(0, "", false));
  for (let level = 0; at !== null && level < EDITOR_DEPTH; level += 1, at = flatParentOf(at)) {
    answer = selectInContent(target, at, wanted, true);
    if ("kind" in answer || answer.matches > 0) return answer;
  }
  return answer;
}

/** @param {Range} range */
function selectRange(range) {
  const { startContainer, startOffset, endContainer, endOffset } = range;
  getSelection()?.setBaseAndExtent(startContainer, startOffset, endContainer, endOffset);
}

/** @param {number} matches @param {string} held @param {boolean} isSecret @returns {Unmatched} */
const unmatched = (matches, held, isSecret) =>
  ({ matches, held: isSecret ? "" : held.slice(0, LONGEST_HELD), count: held.length, isSecret });

// Return the chosen match, the only one if none is chosen, or null.
/** @template T @param {T[]} found @param {number | null} occurrence @returns {T | null} */
const chooseMatch = (found, occurrence) => (occurrence === null ? (found.length === 1 ? found[0] : null) : (found[occurrence - 1] ?? null));

/** @param {string} text @param {string} part @returns {number[]} */
function indexesOf(text, part) {
  const found = [];
  for (let at = text.indexOf(part); part !== "" && at >= 0; at = text.indexOf(part, at + part.length)) found.push(at);
  return found;
}

// Return the first and last character of each occurrence of the text in an element, its shadow roots included. White
// space is compared as it is drawn.
/** @param {Element} top @param {string} text @returns {{ first: Place, last: Place }[]} */
function placesOf(top, text) {
  const wanted = tidy(text.replace(/\u00a0/g, " "));
  return [top, ...shadowRootsIn(top)].flatMap((root) => {
    const drawn = drawnText(root);
    return indexesOf(drawn.text, wanted).map((at) => ({ first: drawn.places[at], last: drawn.places[at + wanted.length - 1] }));
  });
}

// Return the visible text of a tree scope with single spaces, and the place of each character.
/** @param {Element | ShadowRoot} top @returns {{ text: string, places: Place[] }} */
function drawnText(top) {
  const walker = createTreeWalker.call(document, top, TEXT_AND_ELEMENTS);
  const parts = /** @type {string[]} */ ([]);
  const places = /** @type {Place[]} */ ([]);
  let block = /** @type {Element | null} */ (null);
  let isSpaced = true;
  /** @param {Text} node @param {number} offset @param {string} character */
  const add = (node, offset, character) => {
    const isSpace = /\s/.test(character);
    if ((isSpace && isSpaced) || INVISIBLE_CHARACTER.test(character)) return;
    parts.push(isSpace ? " " : character);
    places.push({ node, offset });
    isSpaced = isSpace;
  };
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!isText(node)) {
      if (isElement(node) && isHtmlTag(node, "br")) block = null;
      continue;
    }
    const parent = parentOf(node);
    if (parent === null || !isElement(parent) || !checkVisibility.call(parent, { visibilityProperty: true })) continue;
    const own = blockOf(parent);
    if (own !== block && parts.length > 0) add(/** @type {Text} */ (node), 0, " ");
    block = own;
    const data = dataOf(node);
    for (let at = 0; at < data.length; at += 1) add(/** @type {Text} */ (node), at, data[at]);
  }
  return { text: parts.join(""), places };
}

/** @param {Element} element */
function blockOf(element) {
  let at = element;
  while (getComputedStyle(at).display === BLOCKS) {
    const parent = parentOf(at);
    if (parent === null || !isElement(parent)) break;
    at = parent;
  }
  return at;
}

// Return the point before or after a character in the viewport; null if the mouse cannot reach it there.
/** @param {Place} place @param {boolean} isBefore @returns {Point | null} */
function characterEdge({ node, offset }, isBefore) {
  const range = new Range();
  range.setStart(node, offset);
  range.setEnd(node, offset + 1);
  const box = range.getClientRects()[0];
  if (box === undefined || box.width === 0) return null;
  const inset = Math.min(1, box.width / 4);
  const x = isBefore ? box.left + inset : box.right - inset;
  const y = (box.top + box.bottom) / 2;
  return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight ? { x, y } : null;
}

// Return whether pressing the mouse on the text selects it and does nothing else.
/** @param {Element} parent */
function isMouseFree(parent) {
  const style = getComputedStyle(parent);
  if (style.userSelect === "none" || style.direction === "rtl" || boxOf(parent).width === 0) return false;
  for (let at = /** @type {Element | null} */ (parent); at !== null; at = flatParentOf(at)) if (isMatching(at, NOT_FOR_MOUSE)) return false;
  return true;
}

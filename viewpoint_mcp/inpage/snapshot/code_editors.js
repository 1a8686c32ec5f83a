// Code editors. Many draw their text themselves, beside a small field that only receives the keys, and draw only the
// lines in view. The drawn lines are printed as the content of that field. Their numbers, if the editor draws any, say
// which part of the text they are. Nothing here is specific to one editor (docs/decisions/0048).

import { tidy } from "../aria/names.js";
import {
  boxOf, contains, firstChildOf, flatParentOf, isElement, isHtml, isTrue, localNameOf, nextSiblingOf, queryAll,
  querySelectorAll, textContentOf, trimmed,
} from "../dom/dom.js";
import { look } from "../dom/memo.js";
import { isStandIn } from "../forms/fields.js";
import { isEditingHost } from "./editing.js";
import { LEAVES, isWholePage } from "./nodes.js";
import { isGone, isVisible, startsLine, styleOf } from "../visibility/visibility.js";

const EDITOR_FIELDS = "textarea, [role=textbox], [contenteditable]";
const DRAWN_DEPTH = 3; // levels from a field up to the element that draws its text
const SMALLEST_EDITOR = 20; // px
const MOST_EDITOR_PARTS = 5000;
const NUMBER = /^\d+$/;

// Return the code editors of the document, or null if it has none.
/** @returns {CodeEditors | null} */
export function findCodeEditors() {
  /** @type {CodeEditors} */
  const found = { byTop: new Map(), byField: new Map(), byLine: new Map(), gutters: new Set() };
  for (const field of queryAll(document, EDITOR_FIELDS)) {
    if (!isHtml(field) || isGone(field)) continue;
    const editor = isStandIn(field) ? drawnEditorOf(field) : numberedEditorOf(field);
    if (editor === null) continue;
    found.byTop.set(editor.top, editor);
    found.byField.set(field, editor);
    for (const line of editor.lines) found.byLine.set(line, editor);
    for (const gutter of editor.gutters) found.gutters.add(gutter);
  }
  return found.byField.size === 0 ? null : found;
}

// Return the editor that draws the text of a field that only receives keys, or null.
/** @param {Element} field @returns {CodeEditor | null} */
function drawnEditorOf(field) {
  if (!isVisible(field)) return null;
  let top = flatParentOf(field);
  for (let level = 0; level < DRAWN_DEPTH && top !== null && !isWholePage(top); level += 1, top = flatParentOf(top)) {
    if (isGone(top)) return null;
    const { width, height } = boxOf(top);
    if (width < SMALLEST_EDITOR || height < SMALLEST_EDITOR) continue;
    const blocks = textBlocksIn(top);
    const lines = linesAmong(blocks);
    const numbers = numbersAmong(blocks, lines);
    if (lines.length + numbers.length > 0 || blocks.some(keepsBlanks)) return newEditor(field, top, lines, numbers);
  }
  return null;
}

// Return the editor around an editable element that has line numbers beside it, or null.
/** @param {Element} field @returns {CodeEditor | null} */
function numberedEditorOf(field) {
  const top = flatParentOf(field);
  if (top === null || isWholePage(top) || !styleOf(field).whiteSpaceCollapse.startsWith("preserve")) return null;
  const blocks = [];
  for (let node = firstChildOf(top); node !== null; node = nextSiblingOf(node)) {
    if (isElement(node) && node !== field && isTrue(node, "aria-hidden")) blocks.push(...textBlocksIn(node));
  }
  if (blocks.length === 0) return null;
  const lines = linesAmong(textBlocksIn(field));
  const numbers = numbersAmong(blocks, lines);
  if (numbers.length === 0) return null;
  return { ...newEditor(field, top, lines, numbers), lines: [], shown: shownLines(lines, numbers, endsWith(field, lines)) };
}

/** @param {Element} field @param {Element} top @param {Element[]} lines @param {Element[]} numbers @returns {CodeEditor} */
function newEditor(field, top, lines, numbers) {
  const gutters = new Set(numbers.map((number) => gutterOf(number, top, lines[0])));
  return { field, top, lines, gutters, shown: shownLines(lines, numbers, hasSpaceBelow(top, lines)), drawn: new Map(), node: null };
}

// Return the outermost aria-hidden element around a line number that does not contain the lines, or the number itself.
/** @param {Element} number @param {Element} top @param {Element | undefined} line */
function gutterOf(number, top, line) {
  let gutter = number;
  for (let at = /** @type {Element | null} */ (number); at !== null && at !== top; at = flatParentOf(at)) {
    if (line !== undefined && contains.call(at, line)) break;
    if (isTrue(at, "aria-hidden")) gutter = at;
  }
  return gutter;
}

// Return the elements that start a line and contain none that do: lines of text, numbers, and decoration.
/** @param {Element} top */
function textBlocksIn(top) {
  const parts = [...querySelectorAll.call(top, "*")].slice(0, MOST_EDITOR_PARTS)
    .filter((part) => isHtml(part) && !LEAVES.has(localNameOf(part)) && startsLine(part) && styleOf(part).display !== "none");
  const outer = new Set();
  for (const part of parts) {
    for (let at = flatParentOf(part); at !== null && at !== top && !outer.has(at); at = flatParentOf(at)) outer.add(at);
  }
  return parts.filter((part) => !outer.has(part) && isVisible(part) && boxOf(part).height > 0);
}


// Return the blocks that are the lines of the text: those of the kind with the most text, in the order in which they are
// drawn. Blank lines are of the same kind. Only text whose line breaks are preserved counts.
/** @param {Element[]} blocks */
function linesAmong(blocks) {
  const kinds = Map.groupBy(blocks.filter(keepsBlanks), kindOf);
  let [best, most] = [/** @type {Element[]} */ ([]), 0];
  for (const kind of kinds.values()) {
    const texts = kind.map((block) => tidy(textContentOf(block)));
    const size = texts.every((text) => NUMBER.test(text) || text === "") ? 0 : texts.join("").length;
    if (size > most) [best, most] = [kind, size];
  }
  const topOf = new Map(best.map((line) => [line, boxOf(line).top]));
  return best.sort((a, b) => (topOf.get(a) ?? 0) - (topOf.get(b) ?? 0));
}

/** @param {Element} block */
const keepsBlanks = (block) => !/^normal|pre-line/.test(styleOf(block).whiteSpace);

// Return what the lines of an editor share: the tag, and the first class of the element and of its parent.
/** @param {Element} block */
function kindOf(block) {
  const parent = flatParentOf(block);
  return [localNameOf(block), trimmed(block, "class"), parent === null ? "" : trimmed(parent, "class")].map((each) => each.split(/\s/, 1)[0]).join(" ");
}

// Return the blocks that number the first and the last line.
/** @param {Element[]} blocks @param {Element[]} lines */
function numbersAmong(blocks, lines) {
  const left = lines.length === 0 ? Infinity : boxOf(lines[0]).left;
  const areLines = new Set(lines);
  return blocks.filter((block) => !areLines.has(block) && NUMBER.test(tidy(textContentOf(block))) && boxOf(block).left <= left);
}

// Return which lines are drawn, such as "3-28"; "" if these are all.
/** @param {Element[]} lines @param {Element[]} numbers @param {boolean} isEnd */
function shownLines(lines, numbers, isEnd) {
  if (lines.length === 0) return "";
  const [first, last] = [lines[0], lines[lines.length - 1]];
  const [from, to] = [numberBeside(first, numbers), numberBeside(last, numbers)];
  if (from === "" || to === "") return isEnd ? "" : "in view";
  return from === "1" && isEnd ? "" : `${from}-${to}`;
}

// Return whether the editor has room for another line below the drawn ones, so that the last one is the end of the text.
/** @param {Element} top @param {Element[]} lines */
function hasSpaceBelow(top, lines) {
  if (lines.length === 0) return true;
  const { bottom, height } = boxOf(lines[lines.length - 1]);
  return boxOf(top).bottom - bottom >= height;
}

// Return whether the content of the element ends with the drawn lines, and not with a gap in place of further lines.
/** @param {Element} field @param {Element[]} lines */
function endsWith(field, lines) {
  if (lines.length === 0) return true;
  const { bottom, height } = boxOf(lines[lines.length - 1]);
  for (let node = firstChildOf(field); node !== null; node = nextSiblingOf(node)) {
    if (isElement(node) && boxOf(node).bottom - bottom >= height) return false;
  }
  return true;
}

// Return the number beside the line; "" for none.
/** @param {Element} line @param {Element[]} numbers */
function numberBeside(line, numbers) {
  const { top, height } = boxOf(line);
  const beside = numbers.find((number) => Math.abs(boxOf(number).top - top) < height / 2);
  return beside === undefined ? "" : tidy(textContentOf(beside));
}

// Record a line that the editor draws: its text without colours, and the elements in it that can be acted on.
/** @param {CodeEditor} editor @param {Element} line @param {PrintedChild[]} content */
export function addDrawnLine({ drawn }, line, content) {
  /** @param {PrintedChild} child @returns {string} */
  const text = (child) => (typeof child === "string" ? child : child[2]?.ref === undefined ? child[3].map(text).join("") : "");
  const fragments = content.flatMap((child) => (typeof child !== "string" && child[2]?.flow ? child[3] : [child]));
  const controls = fragments.filter((child) => typeof child !== "string" && child[2]?.ref !== undefined);
  drawn.set(line, [content.map(text).join(""), ...controls]);
}

// Add the drawn lines to the node of the editor's field, in the order in which they are drawn.
/** @param {CodeEditor} editor */
export function printDrawnLines({ node, lines, drawn }) {
  if (node === null || lines.length === 0) return;
  node[3] = lines.flatMap((line) => drawn.get(line) ?? []);
}

// Return the lines that an editor draws for the field; an empty list if they are not the whole text, or if the field
// contains its text itself.
/** @param {Element} field @returns {string[]} */
export const drawnLinesOf = (field) => look(() => {
  const editor = isStandIn(field) ? drawnEditorOf(field) : null;
  if (editor === null || editor.shown !== "") return [];
  return editor.lines.map((line) => textContentOf(line).replaceAll("\u00a0", " ").replace(/[\u200b\ufeff]/g, ""));
});

// Return whether the editable element contains only the lines in view.
/** @param {Element} field */
export const isShownInPart = (field) => look(() => isEditingHost(field) && (numberedEditorOf(field)?.shown ?? "") !== "");

// Return the element to click for a field that only receives keys: the element that draws the lines. Return the element
// itself if it is no such field.
/** @param {Element} target */
export function drawnPartOf(target) {
  const editor = isHtml(target) && isStandIn(target) ? drawnEditorOf(target) : null;
  if (editor === null) return target;
  if (editor.lines.length === 0) return editor.top;
  let part = /** @type {Element} */ (flatParentOf(editor.lines[0]));
  while (part !== editor.top && (styleOf(part).pointerEvents === "none" || !editor.lines.every((line) => contains.call(part, line)))) {
    part = /** @type {Element} */ (flatParentOf(part));
  }
  return part;
}

// Editable content. Lines, blanks and formatting are part of a text that is being edited, so they are printed: each
// line of a rich-text editor is a text, or a node with the property `flow` if it has formatting, links or images in it.
// Elsewhere blanks are collapsed and formatting is folded (docs/decisions/0048).

import { textOf } from "../aria/names.js";
import { getIsContentEditable, has, isHtml, keyword } from "../dom/dom.js";
import { addText } from "../visibility/sight.js";
import { startsLine, styleOf } from "../visibility/visibility.js";

/** @type {Record<string, string>} */
const FORMATS = {
  b: "strong", strong: "strong", i: "emphasis", em: "emphasis", u: "underline", s: "deletion", strike: "deletion",
  del: "deletion", ins: "insertion", code: "code", kbd: "code", samp: "code", tt: "code", mark: "mark", sub: "subscript",
  sup: "superscript",
};
const BOLD = 600;

// Roles that editable content prints as lines or as formatting, instead of as nodes.
export const FOLDED_IN_EDITORS = new Set(["paragraph", "deletion", "insertion"]);
// Roles whose empty elements are blank lines of editable content.
export const KEPT_IN_EDITORS = new Set(["listitem", "heading", "blockquote"]);

// Return whether the content of the element can be edited.
/** @param {Element} target */
export const isEditedTop = (target) => isHtml(target) && getIsContentEditable.call(target);

// Return whether the content of an element is edited, which its attribute decides, or else the element around it.
/** @param {Element} target @param {boolean} isAround */
export function isEditedIn(target, isAround) {
  if (!has(target, "contenteditable")) return isAround;
  return isHtml(target) && getIsContentEditable.call(target);
}

// Return the formatting of text in the element, as roles joined by "-"; "" for none. A class alone is no sign of it,
// because the classes of code editors colour the syntax.
/** @param {Element} target @param {string} tag @param {string} around */
export function formatIn(target, tag, around) {
  const own = isHtml(target) && Object.hasOwn(FORMATS, tag) ? FORMATS[tag] : "";
  if ((own === "" && !has(target, "style")) || startsLine(target)) return around;
  const formats = new Set(around === "" ? [] : around.split("-"));
  if (own !== "") formats.add(own);
  const { fontWeight, fontStyle, textDecorationLine } = styleOf(target);
  if (Number(fontWeight) >= BOLD && tag !== "a") formats.add("strong");
  if (fontStyle === "italic") formats.add("emphasis");
  if (textDecorationLine.includes("line-through") && own !== "deletion") formats.add("deletion");
  if (textDecorationLine.includes("underline") && own !== "insertion" && tag !== "a") formats.add("underline");
  return [...formats].join("-");
}

// Add a text node to the current line, with its formatting. Preserved blanks are represented until `endLine` by \u0001,
// \u0004 (tab) and \v (line break).
/** @param {Text} text @param {Frame} frame */
export function addEditedText(text, frame) {
  const { sink, format, target } = frame;
  startFragment(sink, format);
  const data = textOf(text, target).replaceAll("\u00a0", "\u0001");
  const isPreserved = styleOf(target).whiteSpaceCollapse.startsWith("preserve");
  addText(isPreserved ? data.replace(/\r?\n/g, "\v").replaceAll(" ", "\u0001").replaceAll("\t", "\u0004") : data, frame);
}

/** @param {Sink} sink @param {string} format */
function startFragment(sink, format) {
  if (sink.format === format) return;
  endFragment(sink);
  sink.format = format;
}

// Move the pending text to the fragments of the line.
/** @param {Sink} sink */
export function endFragment(sink) {
  const { pending, format } = sink;
  if (pending === "") return;
  sink.pending = "";
  fragmentsOf(sink).push(format === "" || pending.trim() === "" ? pending : [format, "", null, [pending]]);
}

/** @param {Sink} sink */
const fragmentsOf = (sink) => /** @type {PrintedChild[]} */ (sink.line);

// Add an inline element, such as a link, to the current line.
/** @param {Sink} sink @param {PrintedNode} node */
export function addToLine(sink, node) {
  endFragment(sink);
  fragmentsOf(sink).push(node);
}

// End the current line at a <br>. A <br> at the beginning of a line is a blank line.
/** @param {Sink} sink */
export function breakLine(sink) {
  const { length } = sink.children;
  endLine(sink);
  if (sink.children.length === length) sink.children.push("");
}

// End the current line and add it to the children.
/** @param {Sink} sink */
export function endLine(sink) {
  endFragment(sink);
  if (fragmentsOf(sink).length === 0) return;
  const fragments = trimmedLine(fragmentsOf(sink));
  sink.line = [];
  if (fragments.length === 0) return;
  /** @type {PrintedChild[]} */
  let line = [];
  for (const each of fragments) {
    const [first, ...others] = typeof each === "string" ? each.split("\n") : [each];
    if (first !== "") line.push(first);
    for (const other of others) {
      addLine(sink, line);
      line = other === "" ? [] : [other];
    }
  }
  addLine(sink, line);
}

// Add the fragments of a line to the children, as a text if they are only texts.
/** @param {Sink} sink @param {PrintedChild[]} fragments */
function addLine(sink, fragments) {
  if (fragments.every((each) => typeof each === "string")) {
    const text = fragments.join("");
    sink.children.push(text.trim() === "" ? "" : text);
  } else if (fragments.length === 1 && /** @type {PrintedNode} */ (fragments[0])[2] !== null) {
    sink.children.push(fragments[0]);
  } else {
    sink.children.push(["paragraph", "", { flow: true }, fragments]);
  }
}

// Return the fragments as they are printed, without collapsed blanks at the edges of the line. A line break at the end
// only ends the line.
/** @param {PrintedChild[]} fragments @returns {PrintedChild[]} */
function trimmedLine(fragments) {
  const last = fragments.length - 1;
  return fragments.map((each, index) => {
    if (typeof each !== "string" && each[2] !== null) return each;
    let text = (typeof each === "string" ? each : String(each[3][0])).replace(/[ \t\n\r\f]+/g, " ");
    if (index === 0) text = text.replace(/^ /, "");
    if (index === last) text = text.replace(/ ?\v? ?$/, "");
    text = text.replace(/[\u200b\ufeff]/g, "").replaceAll("\v", "\n").replaceAll("\u0001", " ").replaceAll("\u0004", "\t");
    return typeof each === "string" ? text : /** @type {PrintedNode} */ ([each[0], "", null, [text]]);
  }).filter((each) => each !== "" && (typeof each === "string" || each[2] !== null || each[3][0] !== ""));
}

// Return the content of an element in an editor: one text with line breaks instead of several adjacent lines, and the
// fragments of the line instead of a single line with fragments. `flow` is true for such fragments.
/** @param {PrintedChild[]} lines @param {boolean} areSeparate @returns {{ children: PrintedChild[], flow: boolean }} */
export function contentOfLines(lines, areSeparate) {
  if (lines.length === 1 && isFlow(lines[0])) return { children: lines[0][3], flow: true };
  if (lines.every((each) => each === "")) return { children: lines.slice(1), flow: false };
  if (areSeparate) return { children: lines, flow: false };
  /** @type {PrintedChild[]} */
  const joined = [];
  for (const each of lines) {
    const last = joined[joined.length - 1];
    if (typeof each === "string" && typeof last === "string") joined[joined.length - 1] = `${last}\n${each}`;
    else joined.push(each);
  }
  return { children: joined, flow: false };
}

/** @param {PrintedChild} child @returns {child is PrintedNode} */
const isFlow = (child) => typeof child !== "string" && child[0] === "paragraph" && child[2]?.flow === true;

// Return whether the element is the root of editable content without a role of its own, which is printed as a textbox.
/** @param {Element} target */
export const isEditingHost = (target) => has(target, "contenteditable") && keyword(target, "contenteditable") !== "false" && isHtml(target);

// Word breaks: whether a space separates two texts that have none in the source. In names, an inline block separates
// words (accname, Chrome). The text of a page follows the rendering: "Wel" in three boxes is one word; "Name" and
// "Mara" in two columns are two.

import { dataOf } from "../dom/dom.js";
import { memo } from "../dom/memo.js";
import { pseudoText } from "../dom/pseudo_elements.js";
import { paintedText } from "./walker.js";
import { addText } from "../visibility/sight.js";
import { styleOf } from "../visibility/visibility.js";

const WORD_GAP = 0.125; // of the font size; half a space

const BEGINS_BLANK = /^[\s\u0001\v]/;
const ENDS_BLANK = /[\s\u0001]$/;

// Record that the line passes an edge of the inline block `target`. A border adds a space; otherwise the next text
// decides.
/** @param {Element} target @param {Sink} sink */
export function meetEdge(target, sink) {
  if (sink.pending === "" || ENDS_BLANK.test(sink.pending)) return;
  const { borderLeftWidth, borderRightWidth } = styleOf(target);
  if (parseFloat(borderLeftWidth) > 0 || parseFloat(borderRightWidth) > 0) sink.pending += " ";
  else sink.hasEdge = true;
}

// Add a text node to the line, with a space before it if it is separate from the text before the edge.
/** @param {Text} text @param {Frame} frame */
export function addTextNode(text, frame) {
  const { sink, target } = frame;
  const data = paintedText(text, target);
  const isBlank = data.trim() === "";
  if (sink.hasEdge && !isBlank) {
    sink.hasEdge = false;
    const isInLine = sink.pending !== "" && !BEGINS_BLANK.test(data);
    if (isInLine && isApart(sink.lastText, text, parseFloat(styleOf(target).fontSize))) sink.pending += " ";
  }
  addText(data, frame);
  if (!isBlank) sink.lastText = text;
}

// Add generated text to the line. Its position is unknown, so an edge always separates it from the text before it.
/** @param {Element} target @param {"::before" | "::after"} pseudo @param {Frame} frame */
export function addPseudoText(target, pseudo, frame) {
  const text = pseudoText(target, pseudo);
  if (text === "") return;
  const { sink } = frame;
  if (sink.hasEdge) sink.pending += " ";
  sink.hasEdge = false;
  sink.lastText = null;
  addText(text, frame);
}

// Return whether a reader sees a gap between two texts: a space in the line, or a new line.
/** @param {Text | null} before @param {Text} after @param {number} fontSize */
function isApart(before, after, fontSize) {
  const end = before === null ? null : boxOfCharacter(before, dataOf(before).trimEnd().length - 1);
  const data = dataOf(after);
  const start = end === null ? null : boxOfCharacter(after, data.length - data.trimStart().length);
  if (end === null || start === null) return true;
  if (start.top >= end.bottom || start.bottom <= end.top) return true;
  return Math.max(start.left - end.right, end.left - start.right) > fontSize * WORD_GAP;
}

// Return the box of one character of a text; null if it has none.
/** @param {Text} text @param {number} index */
function boxOfCharacter(text, index) {
  const range = (memo.range ??= new Range());
  range.setStart(text, index);
  range.setEnd(text, index + 1);
  return range.getClientRects()[0] ?? null;
}

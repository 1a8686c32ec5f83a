// Visibility of text against its background: font size, indentation, colour.

import {
  boxOf, checkVisibility, flatParentOf, getDocumentElement, isFlatAncestor, isSvg, queryAll,
} from "../dom/dom.js";
import { memo } from "../dom/memo.js";
import { flatPathOf, styleOf } from "./visibility.js";

const SMALLEST_TEXT = 2; // px
const FARTHEST_INDENT = 500; // px; a larger indent moves the text out of its box
const SAME = 10; // of 255 for each colour component; smaller differences are not visible in text
const FAINT = 0.05; // alpha; a smaller value is not visible

// Return the colour of the canvas: white, or null if unknown. It is unknown in a dark colour scheme, and in a frame
// because the parent document may show through.
export function canvasBackground() {
  const isLight = window === window.top && !styleOf(getDocumentElement.call(document)).colorScheme.includes("dark");
  return isLight ? WHITE : null;
}

const WHITE = [255, 255, 255, 1];

// Return the background colour behind the element's text, or null if it is unknown. `around` is the colour behind the
// element itself.
/** @param {Element} target @param {Color | null} around @returns {Color | null} */
export function backgroundOf(target, around) {
  const style = styleOf(target);
  if (style.backgroundImage !== "none") return null;
  const own = parseColor(style.backgroundColor);
  if (own === null || own[3] === 0) return own === null ? null : around;
  return own[3] === 1 ? own : around === null ? null : blend(own, around);
}

// Return whether the text directly inside the element is invisible.
/** @param {Element} target @param {Color | null} background */
export function isMuteText(target, background) {
  const style = styleOf(target);
  if (parseFloat(style.fontSize) < SMALLEST_TEXT || isIndented(target, style)) return true;
  const color = parseColor(isSvg(target) ? style.fill : style.webkitTextFillColor);
  if (color === null) return false;
  const isFaint = color[3] < FAINT;
  if (!isFaint && (background === null || !isSame(color[3] === 1 ? color : blend(color, background), background))) return false;
  if (style.textShadow !== "none" || parseFloat(style.webkitTextStrokeWidth) > 0) return false;
  if (style.mixBlendMode !== "normal" || (isSvg(target) && style.stroke !== "none")) return false;
  return isFaint ? !isFilledByBackground(target) : !isPaintedElsewhere(target);
}

// Return whether `text-indent` moves the text out of its box.
/** @param {Element} target @param {CSSStyleDeclaration} style */
function isIndented(target, style) {
  const indent = parseFloat(style.textIndent);
  if (indent === 0 || Number.isNaN(indent)) return false;
  if (style.textIndent.endsWith("%")) return Math.abs(indent) >= 100;
  return indent <= -FARTHEST_INDENT || indent >= Math.max(FARTHEST_INDENT, boxOf(target).width);
}

// Return [red, green, blue, alpha], or null for a pattern and for a colour that is not in sRGB.
/** @param {string} text @returns {Color | null} */
export function parseColor(text) {
  if (text === "none") return [0, 0, 0, 0];
  const match = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
  return match === null ? null : [Number(match[1]), Number(match[2]), Number(match[3]), Number(match[4] ?? 1)];
}

// Return the colour that results from painting `color` over `under`.
/** @param {Color} color @param {Color} under */
const blend = (color, under) =>
  [0, 1, 2].map((part) => color[part] * color[3] + under[part] * (1 - color[3])).concat(under[3]);

/** @param {Color} one @param {Color} other */
const isSame = (one, other) => [0, 1, 2].every((part) => Math.abs(one[part] - other[part]) <= SAME);

// Return whether the letters are cut out of a background (background-clip: text). Such text is visible although its
// colour is transparent.
/** @param {Element} target */
function isFilledByBackground(target) {
  for (let at = /** @type {Element | null} */ (target); at !== null; at = flatParentOf(at)) if (styleOf(at).webkitBackgroundClip.includes("text")) return true;
  return false;
}

// Return whether something other than the ancestors may be painted behind the text: an element below it, or generated
// content of an ancestor. This is only checked if the text is invisible against its ancestors.
/** @param {Element} target */
function isPaintedElsewhere(target) {
  const { left, top, right, bottom } = boxOfContent(target);
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const path = flatPathOf(target);
  for (const at of path) {
    if (isPseudoPainted(at, "::before") || isPseudoPainted(at, "::after")) return true;
    if (at !== target && parseColor(styleOf(at).backgroundColor)?.[3] === 1) break;
  }
  /** @param {PaintedBox} options */
  const isUnder = ({ painted, box }) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom &&
    !path.has(painted) && !isFlatAncestor(target, painted);
  memo.pictures ??= paintedBoxes(PICTURES, () => true);
  if (memo.pictures.some(isUnder)) return true;
  memo.painted ??= paintedBoxes("body *", isPainted);
  return memo.painted.some(isUnder);
}

// Return the box around the content of the element.
/** @param {Element} target */
function boxOfContent(target) {
  const range = new Range();
  selectNodeContents.call(range, target);
  return getRangeBox.call(range);
}

export const { selectNodeContents, getBoundingClientRect: getRangeBox } = Range.prototype;

// Return whether a positioned pseudo-element paints a background.
/** @param {Element} target @param {string} pseudo */
function isPseudoPainted(target, pseudo) {
  const style = getComputedStyle(target, pseudo);
  return style.content !== "none" && style.content !== "normal" && style.position !== "static" && isPainted(style);
}

const PICTURES = "img, video, canvas, svg, iframe, embed, object";
const SEEN = { opacityProperty: true, visibilityProperty: true };

// Return whether the style paints a background. An unknown colour counts as one.
/** @param {CSSStyleDeclaration} style */
export const isPainted = (style) => style.backgroundImage !== "none" || (parseColor(style.backgroundColor)?.[3] ?? 1) > 0;

// Return the visible elements that match the selector and that `isCover` accepts, with their boxes.
/** @param {string} selector @param {(style: CSSStyleDeclaration) => boolean} isCover @returns {PaintedBox[]} */
function paintedBoxes(selector, isCover) {
  const found = [];
  for (const painted of queryAll(document, selector)) {
    if (!isCover(styleOf(painted))) continue;
    if (checkVisibility.call(painted, SEEN)) found.push({ painted, box: boxOf(painted) });
  }
  return found;
}

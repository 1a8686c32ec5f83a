// Hit points: the visible points of an element at which the hit test returns it.

import { boxesOfArea, imageOf } from "../aria/image_maps.js";
import { getControl } from "../aria/names.js";
import {
  boxOf, flatChildrenOf, flatParentOf, isElement, isFlatAncestor, isHtmlTag, isMatching, isSvg, localNameOf,
  querySelectorAll, shadowRootOf,
} from "../dom/dom.js";
import { isWholePage } from "../snapshot/nodes.js";
import { selectNodeContents } from "../visibility/paint.js";
import { viewport } from "../visibility/unseen.js";

export const { getClientRects } = Element.prototype;
const { getClientRects: getClientRectsOfRange } = Range.prototype;
const { getPointAtLength, getTotalLength } = SVGGeometryElement.prototype;
const { getScreenCTM } = SVGGraphicsElement.prototype;
const GEOMETRY = new Set(["circle", "ellipse", "line", "path", "polygon", "polyline", "rect"]);
const SAMPLES = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.1], [0.9, 0.9]];
const GRID = 24; // rows and columns of the points that are tried after the samples missed
const MOST_NODES = 200; // nodes that are examined for the boxes of an element without a box
const MOST_SHAPES = 20;
const ALONG = [0.5, 0.25, 0.75, 0.1, 0.9];

/**
 * Collected boxes; `left` is the number of nodes that may still be examined.
 * @typedef {{ boxes: DOMRect[], left: number }} BoxRun
 */

// Return the element that would receive an event at the point, also inside shadow roots; null outside the viewport.
/** @param {number} x @param {number} y @returns {Element | null} */
export function elementAt(x, y) {
  let hit = Document.prototype.elementFromPoint.call(document, x, y);
  for (;;) {
    const root = hit && shadowRootOf(hit);
    const inner = root && ShadowRoot.prototype.elementFromPoint.call(root, x, y);
    if (!inner || inner === hit) return hit;
    hit = inner;
  }
}

const WORKED_IN_LABELS = "a[href], button, input, select, textarea, summary";

// Return whether a click on the hit target acts on the target. `hit` must be the target, inside it, its label, or the
// image of an <area>.
/** @param {Element} target @param {Element | null} hit */
export function reaches(target, hit) {
  if (hit !== null && isHtmlTag(target, "area") && hit === imageOf(target)) return true;
  const control = isHtmlTag(target, "label") ? getControl.call(target) : target;
  let isOther = false;
  for (let node = hit; node; node = flatParentOf(node)) {
    if (node === target) return !isOther || control === target;
    // A click on a label clicks its control, and some pages draw only the label. This does not apply to a link in the
    // label.
    if (isHtmlTag(node, "label") && getControl.call(node) === control) return !isOther;
    isOther ||= node !== control && isMatching(node, WORKED_IN_LABELS);
  }
  return false;
}

// Return the boxes in which the element is drawn. For an element without a box (display: contents, or floating content
// only), return the boxes of its content. Visible descendants of an invisible element count, because a click reaches
// them.
/** @param {Element} target @returns {DOMRect[]} */
export function boxesOf(target) {
  if (isHtmlTag(target, "area")) return boxesOfArea(target);
  /** @type {BoxRun} */
  const run = { boxes: [], left: MOST_NODES };
  addBoxes(target, run);
  return run.boxes;
}

/** @param {Element} node @param {BoxRun} run */
function addBoxes(node, run) {
  run.left -= 1;
  const isShown = getComputedStyle(node).visibility === "visible";
  const own = isShown ? ownBoxesOf(node) : [];
  run.boxes.push(...own);
  if (own.length === 0) addBoxesInside(node, isShown, run);
}

// Add the boxes of the descendants, and of the text if the node is visible.
/** @param {Element} node @param {boolean} isShown @param {BoxRun} run */
function addBoxesInside(node, isShown, run) {
  for (const child of flatChildrenOf(node)) {
    if (run.left <= 0) return;
    if (isElement(child)) addBoxes(child, run);
    else if (isShown) run.boxes.push(...boxesOfText(child));
  }
}

// Return the boxes of the element itself that have an area. For SVG one dimension is enough, because a straight line
// still has a stroke.
/** @param {Element} node @returns {DOMRect[]} */
export function ownBoxesOf(node) {
  /** @type {(box: Size) => boolean} */
  const hasArea = isSvg(node) ? ({ width, height }) => width > 0 || height > 0 : ({ width, height }) => width > 0 && height > 0;
  return [...getClientRects.call(node)].filter(hasArea);
}

/** @param {Text} text @returns {DOMRect[]} */
function boxesOfText(text) {
  const range = new Range();
  selectNodeContents.call(range, text);
  return [...getClientRectsOfRange.call(range)].filter(({ width, height }) => width > 0 && height > 0);
}

/** @param {Area} a @param {Area} b @returns {Box} */
export function intersect(a, b) {
  const left = Math.max(a.left, b.left);
  const top = Math.max(a.top, b.top);
  const right = Math.min(a.right, b.right);
  const bottom = Math.min(a.bottom, b.bottom);
  return { left, top, right, bottom, width: right - left, height: bottom - top };
}

// Return the smallest box that encloses all boxes.
/** @param {Area[]} boxes @returns {Box} */
export function enclosing(boxes) {
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.right));
  const bottom = Math.max(...boxes.map((box) => box.bottom));
  return { left, top, right, bottom, width: right - left, height: bottom - top };
}

// Return the parts of the boxes inside the clip area, the largest first. A link that wraps over lines has several
// boxes.
/** @param {Area[]} boxes @param {Area} clip @returns {Box[]} */
export function partsInside(boxes, clip) {
  const parts = boxes.map((box) => intersect(box, clip)).filter(({ width, height }) => width >= 0 && height >= 0);
  return parts.sort((a, b) => b.width * b.height - a.width * a.height);
}

/** @param {CSSStyleDeclaration} style */
const hasScrollPort = ({ overflowX, overflowY }) => overflowX !== "visible" || overflowY !== "visible";
// Return whether the style makes an element the containing block of its fixed descendants.
/** @param {CSSStyleDeclaration} style */
const holdsFixed = (style) => style.transform !== "none" || style.perspective !== "none" || style.filter !== "none" ||
  style.translate !== "none" || style.rotate !== "none" || style.scale !== "none" || /paint|layout|strict|content/.test(style.contain);

// Yield the ancestors whose overflow clips the element, the innermost first. Skip ancestors that are not in the chain
// of its containing blocks. Skip the body and the root element, because their overflow applies to the viewport.
/** @param {Element} target @returns {Generator<Element, void>} */
export function* clippersOf(target) {
  let { position } = getComputedStyle(target);
  for (let at = flatParentOf(target); at !== null; at = flatParentOf(at)) {
    if (isWholePage(at)) return;
    const style = getComputedStyle(at);
    const holds = holdsFixed(style) || (position !== "fixed" && (position !== "absolute" || style.position !== "static"));
    if (!holds || style.display === "contents") continue;
    position = style.position;
    if (hasScrollPort(style)) yield at;
  }
}

/** @param {Element} target @returns {Area} */
function clipOf(target) {
  let clip = viewport();
  for (const at of clippersOf(target)) clip = intersect(clip, boxOf(at));
  return clip;
}

// Yield the points at the given shares of each part's size. Round them if the part is large enough, because input
// events have whole pixels.
/** @param {Box[]} parts @param {number[][]} shares @returns {Generator<Point, void>} */
function* samplesOf(parts, shares = SAMPLES) {
  for (const { left, top, width, height } of parts) {
    /** @type {(number: number) => number} */
    const whole = width > 3 && height > 3 ? Math.round : (number) => number;
    for (const [fx, fy] of shares) yield { x: whole(left + width * fx), y: whole(top + height * fy) };
  }
}

// Yield the shares of a grid of points.
/** @returns {Generator<number[], void>} */
function* gridShares() {
  for (let row = 0.5; row < GRID; row += 1) for (let column = 0.5; column < GRID; column += 1) yield [column / GRID, row / GRID];
}

// Yield more points, for the case that the samples missed. These are points in the parts that overflow does not clip, a
// grid in the largest of these parts, and points on SVG strokes. The last points are in the content, which may receive
// clicks if the element itself does not.
/** @param {Element} target @param {Box[]} parts @returns {Generator<Point, void>} */
function* moreSamplesOf(target, parts) {
  const left = partsInside(parts, clipOf(target));
  yield* samplesOf(left.slice(0, 3));
  if (left.length > 0) yield* samplesOf(left.slice(0, 1), [...gridShares()]);
  if (isSvg(target)) yield* pointsOnShapes(target);
  /** @type {BoxRun} */
  const run = { boxes: [], left: MOST_NODES };
  addBoxesInside(target, true, run);
  yield* samplesOf(partsInside(run.boxes, viewport()).slice(0, 30), SAMPLES.slice(0, 1));
}

/** @param {Element} target @returns {Generator<Point, void>} */
function* pointsOnShapes(target) {
  const all = [target, ...querySelectorAll.call(target, "*")];
  for (const shape of all.filter((each) => isSvg(each) && GEOMETRY.has(localNameOf(each))).slice(0, MOST_SHAPES)) {
    const matrix = getScreenCTM.call(shape);
    const length = matrix && getTotalLength.call(shape);
    if (!length) continue;
    for (const share of ALONG) {
      const { x, y } = getPointAtLength.call(shape, length * share);
      yield { x: matrix.a * x + matrix.c * y + matrix.e, y: matrix.b * x + matrix.d * y + matrix.f };
    }
  }
}

// Yield the points to hit-test. With `isThorough`, add the points of `moreSamplesOf`.
/** @param {Element} target @param {Box[]} parts @param {boolean} isThorough @returns {Generator<Point, void>} */
function* pointsToTry(target, parts, isThorough) {
  yield* samplesOf(parts.slice(0, 3));
  if (isThorough) yield* moreSamplesOf(target, parts);
}

// Return {point} if a point of the element can be hit. Otherwise return {cover}: the first element that was hit
// instead. An ancestor of the target counts only if nothing else was hit. `cover` is null if no point lies in the
// viewport.
/**
 * @param {Element} target
 * @param {boolean} isThorough
 * @returns {{ point: Point, cover?: undefined } | { cover: Element | null, point?: undefined }}
 */
export function findPoint(target, isThorough) {
  const parts = partsInside(boxesOf(target), viewport());
  let cover = null;
  let around = null;
  for (const point of pointsToTry(target, parts, isThorough)) {
    const hit = elementAt(point.x, point.y);
    if (!hit) continue;
    if (reaches(target, hit)) return { point };
    if (isFlatAncestor(hit, target)) around ??= hit;
    else cover ??= hit;
  }
  return { cover: cover ?? around };
}

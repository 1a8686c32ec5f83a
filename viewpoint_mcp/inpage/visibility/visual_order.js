// The order of placed siblings. Virtualised lists and grids reuse their rows and cells and place each one by its style
// attribute, so the order of the document is not the order on the screen. Reading order is restored from the boxes.

import { roleOf } from "../aria/roles.js";
import { attribute, boxOf, has, isElement } from "../dom/dom.js";
import { styleOf } from "./visibility.js";
import { CONTAINED } from "../snapshot/nodes.js";

const PLACED = /(?:^|[;\s])(?:top|left|right|bottom|inset[a-z-]*|transform|translate|order|grid-(?:row|column|area)[a-z-]*)\s*:/i;

// Return the children in the order of the screen, if their style attributes place them. Children without a place keep
// their positions.
/** @param {(Element | Text)[]} children */
export function inVisualOrder(children) {
  if (children.length < 2 || !children.slice(0, 2).some(isPlaced)) return children;
  const boxes = children.filter(isPlaced).map((each) => ({ each: /** @type {Element} */ (each), box: boxOf(/** @type {Element} */ (each)) }))
    .filter(({ box }) => box.width > 0 && box.height > 0);
  const lines = linesOf(boxes);
  if (boxes.length < 2 || (!CONTAINED.has(roleOf(boxes[0].each)) && doAnyOverlap(lines))) return children;
  const placed = new Set(boxes.map(({ each }) => /** @type {Element | Text} */ (each)));
  const sorted = lines.flat().map(({ each }) => each);
  let next = 0;
  return children.map((child) => (placed.has(child) ? sorted[next++] : child));
}

/** @param {Element | Text} child */
const isPlaced = (child) => isElement(child) && has(child, "style") && PLACED.test(attribute(child, "style") ?? "");

// Return the boxes in lines from top to bottom, each in reading direction. A box starts a line if it is below the middle
// of the first box of the line before.
/** @param {BoxOf[]} boxes @returns {BoxOf[][]} */
function linesOf(boxes) {
  /** @type {BoxOf[][]} */
  const lines = [];
  for (const each of boxes.toSorted((one, other) => one.box.top - other.box.top)) {
    const line = lines[lines.length - 1];
    if (line === undefined || each.box.top >= (line[0].box.top + line[0].box.bottom) / 2) lines.push([each]);
    else line.push(each);
  }
  return lines.map((line) => (line.length === 1 ? line : line.sort((one, other) => one.box.left - other.box.left)))
    .map((line) => (line.length > 1 && isRightToLeft(line[0].each) ? line.reverse() : line));
}

/** @param {Element} target */
const isRightToLeft = (target) => styleOf(target).direction === "rtl";

// Return whether two boxes overlap by more than a border. Such elements are layers, not items of a list.
/** @param {BoxOf[][]} lines */
function doAnyOverlap(lines) {
  let lowest = -Infinity;
  for (const line of lines) {
    if (line[0].box.top < lowest - BORDER) return true;
    const inOrder = line.toSorted((one, other) => one.box.left - other.box.left);
    if (inOrder.some(({ box }, index) => index > 0 && box.left < inOrder[index - 1].box.right - BORDER)) return true;
    lowest = Math.max(...line.map(({ box }) => box.bottom));
  }
  return false;
}

const BORDER = 2; // px

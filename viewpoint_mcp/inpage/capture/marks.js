// Visible areas of elements, for the marks on a screenshot. `whereSeen` does not scroll, wait or change the page.

import { isDrawn, scrollToShow } from "../actions/actionability.js";
import { boxesOf, clippersOf, elementAt, enclosing, intersect, partsInside, reaches } from "../actions/hit_points.js";
import { boxOf, flatChildrenOf, isConnected, isElement, isFlatAncestor, isHtmlTag } from "../dom/dom.js";
import { pointInOwner } from "../dom/frame_owner.js";
import { look } from "../dom/memo.js";
import { element } from "../dom/registry.js";
import { viewport } from "../visibility/unseen.js";
import { isVisible } from "../visibility/visibility.js";

const CORNERS = [[0.5, 0.5], [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]];
const SIGHT_GRID = 6; // rows and columns of the points that are tried if one of CORNERS is covered
const MOST_PARTS = 4; // of one element; a link that wraps over lines has several boxes
const LEAST_SEEN = 2; // CSS pixels
const SLIVER = 6; // CSS pixels; a smaller part of a larger element is not recognisable
const EVERYWHERE = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };

// Return the visible parts of elements, in CSS pixels of this frame's viewport. `own` lists elements of this frame;
// `inner` lists parts of child frames. `isBeyond` is true if the picture is larger than the viewport. No hit test is
// possible outside the viewport.
/**
 * @param {{ own: [key: string, number: number][], inner: { owner: number, seen: Seen[] }[], isBeyond: boolean }} options
 * @returns {Seen[]}
 */
export function whereSeen({ own, inner, isBeyond }) {
  const area = isBeyond && window === window.top ? EVERYWHERE : viewport();
  return look(() => [
    ...own.flatMap(([key, number]) => {
      const target = element(number);
      return target === null || !isConnected(target) ? [] : seenOf(key, target, picturedBoxesOf(target), area, isBeyond);
    }),
    ...inner.flatMap(({ owner, seen }) => seenInFrame(element(owner), seen, area, isBeyond)),
  ]);
}

// Return the visible parts of the boxes as one entry, or an empty list if nothing is visible.
/**
 * @param {string} key
 * @param {Element} target
 * @param {Box[]} boxes
 * @param {Area} area
 * @param {boolean} isBeyond
 * @returns {Seen[]}
 */
function seenOf(key, target, boxes, area, isBeyond) {
  if (!boxes.some((box) => partsInside([box], area).length > 0)) return []; // skips most of a long page cheaply
  let clip = /** @type {Area} */ (area);
  for (const at of clippersOf(target)) clip = intersect(clip, boxOf(at));
  const isSeen = sightTestOf(target, isBeyond);
  const parts = boxes.flatMap((box) => {
    const [part] = partsInside([box], clip);
    const left = part && isEnoughOf(box, part) ? uncovered(part, isSeen) : null;
    return left !== null && isEnoughOf(box, left) ? [left] : [];
  });
  return parts.length === 0 ? [] : [[key, parts.map(({ left, top, right, bottom }) => [left, top, right, bottom])]];
}

// Return whether the part is large enough to be recognised.
/** @param {Box} box @param {Size} part */
const isEnoughOf = (box, part) => isLongEnough(part.width, box.width) && isLongEnough(part.height, box.height);

/** @param {number} seen @param {number} whole */
const isLongEnough = (seen, whole) => seen >= Math.max(LEAST_SEEN, Math.min(SLIVER, whole / 2));

// Return the boxes of the element as they are painted. The box of an inline element does not include an image that is
// higher than the line. Therefore the boxes of such children are added.
/** @param {Element} target */
function picturedBoxesOf(target) {
  const boxes = boxesOf(target);
  if (boxes.length === 0 || getComputedStyle(target).display !== "inline") return mergedBoxes(boxes);
  /** @param {Area} inner */
  const isIn = (inner) => boxes.some((box) => inner.top >= box.top - 1 && inner.bottom <= box.bottom + 1);
  const higher = flatChildrenOf(target).filter((child) => isElement(child))
    .flatMap((child) => boxesOf(child)).filter((box) => !isIn(box));
  return higher.length === 0 ? mergedBoxes(boxes) : [enclosing([...boxes, ...higher])];
}

/** @param {Box[]} boxes */
const mergedBoxes = (boxes) => (boxes.length > MOST_PARTS ? [enclosing(boxes)] : boxes);

// Return a function that tests whether the element is visible at a point. An <option>, or an element with
// `pointer-events: none`, counts as visible if the hit test returns an ancestor.
/** @param {Element} target @param {boolean} isBeyond @returns {SightTest} */
function sightTestOf(target, isBeyond) {
  const isThrough = getComputedStyle(target).pointerEvents === "none" || isHtmlTag(target, "option");
  return (x, y) => {
    const hit = elementAt(x, y);
    if (hit === null) return isBeyond;
    return reaches(target, hit) || (isThrough && isFlatAncestor(hit, target));
  };
}

// Return the part of the box that is not covered, estimated from a few points. Return null if no point is visible.
/** @param {Box} box @param {SightTest} isSeen */
function uncovered(box, isSeen) {
  /** @param {number[]} options */
  const isSeenAt = ([fx, fy]) => isSeen(box.left + box.width * fx, box.top + box.height * fy);
  const seen = CORNERS.filter(isSeenAt);
  if (seen.length === CORNERS.length) return box;
  for (let row = 0.5; row < SIGHT_GRID; row += 1) {
    for (let column = 0.5; column < SIGHT_GRID; column += 1) {
      const point = /** @type {[number, number]} */ ([column / SIGHT_GRID, row / SIGHT_GRID]);
      if (isSeenAt(point)) seen.push(point);
    }
  }
  if (seen.length === 0) return null;
  const sizes = [box.width, box.height];
  const [left, top] = [0, 1].map((axis) => edgeOf(seen, axis, -1, sizes[axis], isSeenAt));
  const [right, bottom] = [0, 1].map((axis) => edgeOf(seen, axis, 1, sizes[axis], isSeenAt));
  return intersect(box, {
    left: box.left + box.width * left, top: box.top + box.height * top,
    right: box.left + box.width * right, bottom: box.top + box.height * bottom,
  });
}

// Return the edge of the visible part on one side, as a share of the box size. Bisection starts at the outermost
// visible points.
/**
 * @param {number[][]} seen
 * @param {number} axis
 * @param {number} side
 * @param {number} size
 * @param {(point: number[]) => boolean} isSeenAt
 */
function edgeOf(seen, axis, side, size, isSeenAt) {
  const end = side < 0 ? 0 : 1;
  let inside = seen.reduce((most, point) => (side * point[axis] > side * most ? point[axis] : most), 1 - end);
  const across = seen.filter((point) => Math.abs(point[axis] - inside) < 0.1).map((point) => point[1 - axis]);
  let outside = end;
  while (Math.abs(outside - inside) * size > 1) {
    const middle = (inside + outside) / 2;
    if (across.some((other) => isSeenAt(axis === 0 ? [middle, other] : [other, middle]))) inside = middle;
    else outside = middle;
  }
  return outside;
}

// Return the visible parts of a child frame's elements, converted to the coordinates of this frame.
/** @param {Element | null} owner @param {Seen[]} seen @param {Area} area @param {boolean} isBeyond */
function seenInFrame(owner, seen, area, isBeyond) {
  if (owner === null || !isConnected(owner) || !isVisible(owner)) return [];
  const far = 1000;
  const corners = [[0, 0], [far, 0], [0, far]].map(([x, y]) => pointInOwner(owner, x, y));
  const [origin, right, down] = corners;
  if (origin === null || right === null || down === null) return [];
  /** @param {number} x @param {number} y */
  const mapped = (x, y) => ({
    x: origin.x + ((right.x - origin.x) * x + (down.x - origin.x) * y) / far,
    y: origin.y + ((right.y - origin.y) * x + (down.y - origin.y) * y) / far,
  });
  /** @param {number[]} options */
  const placed = ([left, top, rightmost, bottom]) => {
    const points = [mapped(left, top), mapped(rightmost, top), mapped(left, bottom), mapped(rightmost, bottom)];
    return enclosing(points.map(({ x, y }) => ({ left: x, top: y, right: x, bottom: y })));
  };
  return seen.flatMap(([key, parts]) => seenOf(key, owner, parts.map(placed), area, isBeyond));
}

// ---- scroll position of the page

// Scroll by the smallest distance that brings the element into view.
/** @param {number} number @returns {void} */
export function showNearest(number) {
  const target = element(number);
  if (target !== null && isConnected(target) && isDrawn(target)) scrollToShow(target, "nearest");
}

// Scroll the page and return the previous position. At position 0, elements have the same places as in a picture of the
// whole page.
/** @param {number} left @param {number} top @returns {Point} */
export function scrollPageTo(left, top) {
  const was = { x: scrollX, y: scrollY };
  scrollTo({ left, top, behavior: "instant" });
  return was;
}

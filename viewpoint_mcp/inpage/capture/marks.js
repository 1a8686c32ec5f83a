// Where elements are seen, so that a picture of the page can be marked. Nothing is scrolled, awaited or changed.

import { isDrawn, scrollToShow } from "../actions/actionability.js";
import { boxesOf, clippersOf, elementAt, enclosing, intersect, partsInside, reaches } from "../actions/hit_points.js";
import { boxOf, flatChildrenOf, isConnected, isElement, isFlatAncestor, isHtmlTag } from "../dom/dom.js";
import { pointInOwner } from "../dom/frame_owner.js";
import { look } from "../dom/memo.js";
import { element } from "../dom/registry.js";
import { viewport } from "../visibility/unseen.js";
import { isVisible } from "../visibility/visibility.js";

const CORNERS = [[0.5, 0.5], [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]];
const SIGHT_GRID = 6; // rows and columns of points that are tried where one of these is covered
const MOST_PARTS = 4; // that an element is told in: a link may be broken over lines
const LEAST_SEEN = 2; // CSS pixels
const SLIVER = 6; // less than that of something larger is not seen as a thing
const EVERYWHERE = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };

// What is seen of elements of this frame, `own`, and of those of child frames, `inner`, in CSS pixels of this frame's
// viewport. `isBeyond`: the picture goes over the viewport's edges, where no hit test tells what is covered.
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

/**
 * @param {string} key
 * @param {Element} target
 * @param {Box[]} boxes
 * @param {Area} area
 * @param {boolean} isBeyond
 * @returns {Seen[]}
 */
function seenOf(key, target, boxes, area, isBeyond) {
  if (!boxes.some((box) => partsInside([box], area).length > 0)) return []; // most of a long page, told at once
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

/** @param {Box} box @param {Size} part */
const isEnoughOf = (box, part) => isLongEnough(part.width, box.width) && isLongEnough(part.height, box.height);

/** @param {number} seen @param {number} whole */
const isLongEnough = (seen, whole) => seen >= Math.max(LEAST_SEEN, Math.min(SLIVER, whole / 2));

// A box of text holds no picture that is higher than its line.
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

// Whether the element is what is seen at a point. One that lets the mouse through is told by what is met behind it.
/** @param {Element} target @param {boolean} isBeyond @returns {SightTest} */
function sightTestOf(target, isBeyond) {
  const isThrough = getComputedStyle(target).pointerEvents === "none" || isHtmlTag(target, "option");
  return (x, y) => {
    const hit = elementAt(x, y);
    if (hit === null) return isBeyond;
    return reaches(target, hit) || (isThrough && isFlatAncestor(hit, target));
  };
}

// The part of the box that is not covered, as far as a few points tell; null where all of it is.
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

// How far what is seen goes to one side, as a share of the size: from the outermost points seen, by bisection.
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

// ---- the page as it is pictured

// Scrolls no further than need be to see the element.
/** @param {number} number @returns {void} */
export function showNearest(number) {
  const target = element(number);
  if (target !== null && isConnected(target) && isDrawn(target)) scrollToShow(target, "nearest");
}

// Scrolls the page; returns where it was. At its start all stands where it does in a picture of the whole page.
/** @param {number} left @param {number} top @returns {Point} */
export function scrollPageTo(left, top) {
  const was = { x: scrollX, y: scrollY };
  scrollTo({ left, top, behavior: "instant" });
  return was;
}

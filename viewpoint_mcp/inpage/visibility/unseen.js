// Whether a box and all in it can be seen by a person. Each answer is a veil: what covers, from which element down.

import { labelsOf } from "../aria/names.js";
import { inputTypeOf } from "../aria/roles.js";
import {
  boxOf, flatParentOf, getBody, getDocumentElement, getter, isFlatAncestor, isHtml, parentOf,
} from "../dom/dom.js";
import { memo } from "../dom/memo.js";
import { animated } from "./suspects.js";
import { isHidden, paintOf, styleOf } from "./visibility.js";

const NEARLY_NOTHING = 0.05; // opacity
const TINY = 1; // px

/** @param {Element | null} root @param {boolean} isLater @param {boolean} [isEscapable] @returns {Veil} */
const veilOf = (root, isLater, isEscapable = false) => ({ root, isLater: isLater || (root !== null && animated().has(root)), isEscapable });

// The veil over the element: one around it that it does not escape, or its own; null for none.
/** @param {Element} target @param {string} tag @param {Sight} around @returns {Veil | null} */
export function veilOver(target, tag, around) {
  const outer = around.veil;
  if (outer !== null && !(outer.isEscapable && isPositionedOutside(target, outer.root))) return outer;
  return ownVeil(target, tag, around.clip);
}

/** @param {Element} target @param {string} tag @param {Clip | null} clip @returns {Veil | null} */
function ownVeil(target, tag, clip) {
  const { style, display } = paintOf(target);
  if (display === "contents") return null;
  if (parseFloat(style.opacity) <= NEARLY_NOTHING || isFilteredAway(style)) return isOverlay(target, tag) ? null : veilOf(target, true);
  if (style.clipPath !== "none") {
    const kind = clippedBy(style.clipPath, target);
    if (kind !== "") return veilOf(target, kind === "later");
  }
  const { position } = style;
  if (position !== "static" && style.clip !== "auto" && isEmptyClip(style.clip)) return veilOf(target, false);
  // A rule (hr) is flat and clips, but it is drawn by its border.
  const isClipping = display !== "inline" && overflowOf(target) !== "visible" && tag !== "hr" && !isViewportOverflow(target);
  if (isClipping && isFlat(target)) return veilOf(target, false, true);
  // A line's boxes are where their block is.
  if (display === "inline" && position === "static" && !SIZED.has(tag)) return null;
  return veilByPlace(target, tag, position, clip);
}

const SIZED = new Set(["img", "iframe", "frame", "video", "canvas", "embed", "input", "textarea", "select"]);
const getOffsetParent = getter(HTMLElement.prototype, "offsetParent");
export const getOffsetWidth = getter(HTMLElement.prototype, "offsetWidth");
export const getOffsetHeight = getter(HTMLElement.prototype, "offsetHeight");
export const getClientWidth = getter(Element.prototype, "clientWidth");
export const getClientHeight = getter(Element.prototype, "clientHeight");
export const getScrollLeft = getter(Element.prototype, "scrollLeft");
export const getScrollTop = getter(Element.prototype, "scrollTop");
export const getScrollWidth = getter(Element.prototype, "scrollWidth");
export const getScrollHeight = getter(Element.prototype, "scrollHeight");

/**
 * @param {Element} target
 * @param {string} tag
 * @param {string} position
 * @param {Clip | null} clip
 * @returns {Veil | null}
 */
function veilByPlace(target, tag, position, clip) {
  const box = boxOf(target);
  if (box.width <= TINY || box.height <= TINY) {
    if (SIZED.has(tag)) return veilOf(target, false);
    if (isScaledAway(target, box)) return veilOf(target, false);
  }
  if (position === "fixed") return isOutside(box, viewport()) ? veilOf(target, false) : null;
  if (clip !== null && isOutside(box, clip.box) && isClippedBy(clip.root, target)) {
    return isOutside(withOverflow(box, target), clip.box) ? veilOf(target, true, true) : ASK_CHILDREN;
  }
  const page = reachableArea();
  if (!isOutside(box, page) || !isOutside(unscrolled(box, target), page)) return null;
  return isOutside(withOverflow(unscrolled(box, target), target), page) ? veilOf(target, false, true) : ASK_CHILDREN;
}

// The veil of a box that is not seen but has something sticking out: a track of slides that was moved on.
export const ASK_CHILDREN = veilOf(null, false);

// The box with what sticks out of it to the right and below.
/** @param {Area} options @param {Element} target */
const withOverflow = ({ left, top, right, bottom }, target) => ({
  left, top, right: Math.max(right, left + getScrollWidth.call(target)), bottom: Math.max(bottom, top + getScrollHeight.call(target)),
});

// A control that is laid over what is drawn in its stead, with nothing of its own to be seen, is worked through it.
const OVERLAID = new Set(["input", "select", "textarea"]);

/** @param {Element} target @param {string} tag */
function isOverlay(target, tag) {
  if (!OVERLAID.has(tag) || !isHtml(target) || styleOf(target).pointerEvents === "none") return false;
  const { width, height } = boxOf(target);
  return width > TINY && height > TINY;
}

// Whether a checkbox, radio button or file field that is hidden itself is worked by a label that is not.
const LABELLED_TYPES = new Set(["checkbox", "radio", "file"]);

/** @param {Element} target @param {string} tag @param {Element | null} root */
export function isWorkedByLabel(target, tag, root) {
  if (tag !== "input" || !isHtml(target) || !LABELLED_TYPES.has(inputTypeOf(target))) return false;
  return labelsOf(target).some((label) => !isHidden(label) && !isFlatAncestor(root, label));
}

/** @param {CSSStyleDeclaration} style */
const isFilteredAway = (style) => style.filter !== "none" && /opacity\(0?\.?0\d*%?\)/.test(style.filter) ||
  style.maskImage.startsWith("linear-gradient(") && !/rgb\(|rgba\((?:[\d.]+, ){3}(?!0\))|(?:color|lab|lch)\(/.test(style.maskImage);

/** @param {string} clip */
function isEmptyClip(clip) {
  const sides = [...clip.matchAll(/-?[\d.]+/g)].map(Number);
  return sides.length === 4 && (sides[1] - sides[3] <= TINY || sides[2] - sides[0] <= TINY);
}

// Whether nothing is left of the element: "" for no, "later" where a page may be about to unroll it. The pattern for
// texts that are meant for screen readers alone clips half from every side.
/** @param {string} path @param {Element} target */
function clippedBy(path, target) {
  const inset = /^(inset|rect|xywh)\(([^)]*?)(?: round [^)]*)?\)$/.exec(path);
  if (inset !== null) return insetLeavesNothing(inset[1], inset[2].split(" "), target) ? (path === "inset(50%)" ? "ever" : "later") : "";
  if (/^(?:circle|ellipse)\((?:[\d.]+(?:px|%) )?0(?:px|%)/.test(path) || path === 'path("")') return "later";
  const points = /^polygon\((?:evenodd, |nonzero, )?(.*)\)$/.exec(path)?.[1].split(", ").map((point) => point.split(" "));
  return points?.length && [0, 1].some((axis) => points.every((point) => point[axis] === points[0][axis])) ? "later" : "";
}

/** @param {string} kind @param {string[]} sides @param {Element} target */
function insetLeavesNothing(kind, sides, target) {
  const { width, height } = boxOf(target);
  /** @param {string} text @param {number} whole */
  const size = (text, whole) => (text.endsWith("%") ? parseFloat(text) / 100 * whole : parseFloat(text));
  const [top, right = top, bottom = top, left = right] = sides;
  if (kind === "xywh") return size(sides[2], width) <= TINY || size(sides[3], height) <= TINY;
  if (kind === "rect") return size(right, width) - size(left, width) <= TINY || size(bottom, height) - size(top, height) <= TINY;
  return width - size(left, width) - size(right, width) <= TINY || height - size(top, height) - size(bottom, height) <= TINY;
}

// Whether an element that cuts off what is outside of it has no inside.
/** @param {Element} target */
const isFlat = (target) => getClientWidth.call(target) <= TINY || getClientHeight.call(target) <= TINY;

/** @param {Element} target @param {Size} box */
const isScaledAway = (target, box) => isHtml(target) &&
  ((box.width <= TINY && getOffsetWidth.call(target) > 4 * TINY) || (box.height <= TINY && getOffsetHeight.call(target) > 4 * TINY));

// A box without a size has its descendants where it is, if they are nowhere else: they are asked again.
/** @param {Area} box @param {Area} area */
function isOutside(box, area) {
  /** @param {number} from @param {number} to @param {number} low @param {number} high */
  const isBeside = (from, to, low, high) => (to > from ? to <= low || from >= high : to < low || from > high);
  return isBeside(box.left, box.right, area.left, area.right) || isBeside(box.top, box.bottom, area.top, area.bottom);
}

export const viewport = () => ({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });

// All that can be scrolled to, in the coordinates of the viewport: a document goes on to the right and down. Where a
// page keeps itself from being scrolled sideways, nothing beside it is reached.
function reachableArea() {
  if (memo.area === null) {
    const top = getDocumentElement.call(document);
    const body = getBody.call(document);
    const isFixed = [top, body].some((each) => each !== null && /hidden|clip/.test(styleOf(each).overflowX));
    const isReversed = styleOf(top).direction === "rtl";
    const [left, right] = [-scrollX, innerWidth - scrollX];
    memo.area = { left: isReversed && !isFixed ? -Infinity : left, top: -scrollY,
      right: isReversed || isFixed ? right : Infinity, bottom: Infinity };
  }
  return memo.area;
}

// Where the box would be if nothing around it were scrolled but the page.
/** @param {Area} options @param {Element} target */
function unscrolled({ left, top, right, bottom }, target) {
  const root = getDocumentElement.call(document);
  let [x, y] = [0, 0];
  for (let at = flatParentOf(target); at !== null && at !== root; at = flatParentOf(at)) {
    x += getScrollLeft.call(at);
    y += getScrollTop.call(at);
    // What is to the right of the page may be scrolled to in a part of it.
    if (left >= innerWidth && getScrollWidth.call(at) > getClientWidth.call(at) && /auto|scroll/.test(styleOf(at).overflowX)) x -= Infinity;
  }
  return { left: left + x, top: top + y, right: right + x, bottom: bottom + y };
}

// Asked twice of most elements that are asked at all.
/** @param {Element} target */
function overflowOf(target) {
  const paint = paintOf(target);
  return (paint.overflow ??= paint.style.overflow);
}

// Whether the element's overflow clips the viewport instead of the element's own box: the root's does, and the body's
// where the root's is visible and neither has containment (CSS Overflow 3, section 3.3).
/** @param {Element} target */
function isViewportOverflow(target) {
  const root = getDocumentElement.call(document);
  if (target === root) return true;
  if (target !== getBody.call(document) || parentOf(target) !== root || overflowOf(root) !== "visible") return false;
  return [root, target].every((each) => styleOf(each).contain === "none");
}

// The box that cuts off what is in the element; null where it can be scrolled to, or is not cut off.
/** @param {Element} target @param {Sight} around @returns {Clip | null} */
export function clipIn(target, around) {
  if (paintOf(target).display === "inline" || overflowOf(target) === "visible" || isViewportOverflow(target)) return around.clip;
  return /auto|scroll/.test(overflowOf(target)) ? null : { root: target, box: boxOf(target) };
}

// Whether the element is laid out in the one that clips, and not only written there.
/** @param {Element | null} root @param {Element} target */
function isClippedBy(root, target) {
  for (let at = /** @type {Element | null} */ (target); at !== null;) {
    if (at === root) return true;
    const { position } = styleOf(at);
    if (position === "fixed") return false;
    at = position === "absolute" && isHtml(at) ? containingBlockOf(at) : flatParentOf(at);
  }
  return false;
}

// The element that an absolutely positioned one is placed against; null for the page. `offsetParent` also stops at the
// body, a table and its cells, which contain such an element only when they are positioned or transformed themselves.
/** @param {Element} target */
function containingBlockOf(target) {
  let at = getOffsetParent.call(/** @type {HTMLElement} */ (target));
  while (at !== null && isPlainBlock(styleOf(at))) at = getOffsetParent.call(/** @type {HTMLElement} */ (at));
  return at;
}

/** @param {CSSStyleDeclaration} options */
const isPlainBlock = ({ position, transform, filter, contain }) =>
  position === "static" && transform === "none" && filter === "none" && contain === "none";

/** @param {Element} target @param {Element | null} root */
function isPositionedOutside(target, root) {
  const { position } = styleOf(target);
  return (position === "fixed" || position === "absolute") && !isClippedBy(root, target);
}

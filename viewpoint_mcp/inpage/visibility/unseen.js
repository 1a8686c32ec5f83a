// Visibility of an element and its content to a person. The result is a veil: the reason why it is invisible, and the
// element from which the reason applies.

import { labelsOf } from "../aria/names.js";
import { inputTypeOf } from "../aria/roles.js";
import {
  boxOf, flatParentOf, getBody, getDocumentElement, getter, isFlatAncestor, isHtml, parentOf,
} from "../dom/dom.js";
import { memo } from "../dom/memo.js";
import { isPainted } from "./paint.js";
import { animated } from "./suspects.js";
import { isHidden, paintOf, styleOf } from "./visibility.js";

const NEARLY_NOTHING = 0.05; // opacity
const TINY = 1; // px
const THIN = 12; // px; less than a line of text
const AWAY = 999; // px; an offset that no slide has

// Create a veil. An animation on `root` makes it temporary.
/** @param {Element | null} root @param {boolean} isLater @param {boolean} [isEscapable] @returns {Veil} */
const veilOf = (root, isLater, isEscapable = false) => ({ root, isLater: isLater || (root !== null && animated().has(root)), isEscapable });

// Return the veil over the element: one from around it that also covers the element, or its own. Return null if it is
// visible.
/** @param {Element} target @param {string} tag @param {Sight} around @returns {Veil | null} */
export function veilOver(target, tag, around) {
  const outer = around.veil;
  if (outer !== null && !(outer.isEscapable && isPositionedOutside(target, outer.root))) return outer;
  return ownVeil(target, tag, around.clip);
}

// Return the veil that the element's own style or place causes, or null.
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
  // An <hr> has no height and clips, but its border is drawn.
  const isClipping = display !== "inline" && overflowOf(target) !== "visible" && tag !== "hr" && !isViewportOverflow(target);
  if (isClipping && isFlat(target)) return veilOf(target, false, true);
  // Inline boxes are inside their block, so their position need not be checked.
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
    return isOutside(withOverflow(box, target), clip.box) ? veilOf(target, !isPlacedAway(target, position), true) : ASK_CHILDREN;
  }
  const page = reachableArea();
  if (!isOutside(box, page) || !isOutside(unscrolled(box, target), page)) return null;
  return isOutside(withOverflow(unscrolled(box, target), target), page) ? veilOf(target, false, true) : ASK_CHILDREN;
}

// Return whether the element's own offsets move it away for good. Slides are moved with their track.
/** @param {Element} target @param {string} position */
const isPlacedAway = (target, position) =>
  position === "absolute" && Math.min(parseFloat(styleOf(target).top), parseFloat(styleOf(target).left)) <= -AWAY;

// The marker for a box that is out of view, although some of its content may be visible. An example is a moved track of
// slides.
export const ASK_CHILDREN = veilOf(null, false);

// Return the box including the content that overflows to the right and below.
/** @param {Area} options @param {Element} target */
const withOverflow = ({ left, top, right, bottom }, target) => ({
  left, top, right: Math.max(right, left + getScrollWidth.call(target)), bottom: Math.max(bottom, top + getScrollHeight.call(target)),
});

const OVERLAID = new Set(["input", "select", "textarea"]);

// Return whether an invisible control lies over a drawn replacement and receives its clicks.
/** @param {Element} target @param {string} tag */
function isOverlay(target, tag) {
  if (!OVERLAID.has(tag) || !isHtml(target) || styleOf(target).pointerEvents === "none") return false;
  const { width, height } = boxOf(target);
  return width > TINY && height > TINY;
}

const LARGEST_HANDLE = 64; // pixels
const LABELLED_TYPES = new Set(["checkbox", "radio", "file"]);

// Return whether a hidden checkbox, radio button or file input has a visible label that can be clicked instead, or a
// hidden range input is in the visible handle of a slider.
/** @param {Element} target @param {string} tag @param {Element | null} root */
export function isWorkedByLabel(target, tag, root) {
  if (tag !== "input" || !isHtml(target)) return false;
  const type = inputTypeOf(target);
  if (type === "range") return isInHandle(target, root);
  if (!LABELLED_TYPES.has(type)) return false;
  return labelsOf(target).some((label) => !isHidden(label) && !isFlatAncestor(root, label));
}

// Return whether the range input, or the box that hides it, is in a small painted box, which people drag.
/** @param {Element} range @param {Element | null} root */
function isInHandle(range, root) {
  const handle = flatParentOf(root ?? range);
  if (handle === null || isHidden(handle)) return false;
  const { width, height } = boxOf(handle);
  return isPainted(styleOf(handle)) && Math.min(width, height) > TINY && Math.max(width, height) < LARGEST_HANDLE;
}

// Return whether a filter or a mask makes the element invisible.
/** @param {CSSStyleDeclaration} style */
const isFilteredAway = (style) => style.filter !== "none" && /opacity\(0?\.?0\d*%?\)/.test(style.filter) ||
  style.maskImage.startsWith("linear-gradient(") && !/rgb\(|rgba\((?:[\d.]+, ){3}(?!0\))|(?:color|lab|lch)\(/.test(style.maskImage);

// Return whether the area of a `clip: rect(...)` is empty.
/** @param {string} clip */
function isEmptyClip(clip) {
  const sides = [...clip.matchAll(/-?[\d.]+/g)].map(Number);
  return sides.length === 4 && (sides[1] - sides[3] <= TINY || sides[2] - sides[0] <= TINY);
}

// Return how a clip path hides the element: "ever", "later" if the page may open it in an animation, or "" if it does
// not. "ever" is the usual style for text that is meant for screen readers only.
/** @param {string} path @param {Element} target */
function clippedBy(path, target) {
  const inset = /^(inset|rect|xywh)\(([^)]*?)(?: round [^)]*)?\)$/.exec(path);
  if (inset !== null) return insetLeavesNothing(inset[1], inset[2].split(" "), target) ? (path === "inset(50%)" ? "ever" : "later") : "";
  if (/^(?:circle|ellipse)\((?:[\d.]+(?:px|%) )?0(?:px|%)/.test(path) || path === 'path("")') return "later";
  const points = /^polygon\((?:evenodd, |nonzero, )?(.*)\)$/.exec(path)?.[1].split(", ").map((point) => point.split(" "));
  return points?.length && [0, 1].some((axis) => points.every((point) => point[axis] === points[0][axis])) ? "later" : "";
}

// Return whether a rectangular clip path leaves nothing of the element.
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

// Return whether an element that clips its overflow has no inner area. The padding of a collapsed submenu shows less than
// a line of its content.
/** @param {Element} target */
function isFlat(target) {
  const height = getClientHeight.call(target);
  if (getClientWidth.call(target) <= TINY || height <= TINY) return true;
  if (height > THIN) return false;
  const { paddingTop, paddingBottom } = styleOf(target);
  return height - parseFloat(paddingTop) - parseFloat(paddingBottom) <= TINY;
}

// Return whether a transform scales the element to nothing.
/** @param {Element} target @param {Size} box */
const isScaledAway = (target, box) => isHtml(target) &&
  ((box.width <= TINY && getOffsetWidth.call(target) > 4 * TINY) || (box.height <= TINY && getOffsetHeight.call(target) > 4 * TINY));

// Return whether the box is outside the area. A box without a size at the edge is not outside, because its content may
// be inside.
/** @param {Area} box @param {Area} area */
function isOutside(box, area) {
  /** @param {number} from @param {number} to @param {number} low @param {number} high */
  const isBeside = (from, to, low, high) => (to > from ? to <= low || from >= high : to < low || from > high);
  return isBeside(box.left, box.right, area.left, area.right) || isBeside(box.top, box.bottom, area.top, area.bottom);
}

// Return the area of the viewport.
export const viewport = () => ({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });

// Return the area that scrolling can reach, in coordinates of the viewport. It extends to the right and down, or to the
// left in right-to-left documents. If the page prevents horizontal scrolling, nothing beside the viewport can be
// reached.
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

// Return the box as it would be if only the page were scrolled.
/** @param {Area} options @param {Element} target */
function unscrolled({ left, top, right, bottom }, target) {
  const root = getDocumentElement.call(document);
  let [x, y] = [0, 0];
  for (let at = flatParentOf(target); at !== null && at !== root; at = flatParentOf(at)) {
    x += getScrollLeft.call(at);
    y += getScrollTop.call(at);
    // Content to the right of the viewport may be reached by scrolling a part of the page.
    if (left >= innerWidth && getScrollWidth.call(at) > getClientWidth.call(at) && /auto|scroll/.test(styleOf(at).overflowX)) x -= Infinity;
  }
  return { left: left + x, top: top + y, right: right + x, bottom: bottom + y };
}

// Return the element's overflow. It is cached, because it is read twice for most elements that are checked.
/** @param {Element} target */
function overflowOf(target) {
  const paint = paintOf(target);
  return (paint.overflow ??= paint.style.overflow);
}

// Return whether the overflow of the element applies to the viewport instead of its own box. This holds for the root,
// and for the body if the root has visible overflow and neither has containment (CSS Overflow 3, section 3.3).
/** @param {Element} target */
function isViewportOverflow(target) {
  const root = getDocumentElement.call(document);
  if (target === root) return true;
  if (target !== getBody.call(document) || parentOf(target) !== root || overflowOf(root) !== "visible") return false;
  return [root, target].every((each) => styleOf(each).contain === "none");
}

// Return the box that clips the content of the element. Return null if the content can be scrolled into view or is not
// clipped.
/** @param {Element} target @param {Sight} around @returns {Clip | null} */
export function clipIn(target, around) {
  if (paintOf(target).display === "inline" || overflowOf(target) === "visible" || isViewportOverflow(target)) return around.clip;
  return /auto|scroll/.test(overflowOf(target)) ? null : { root: target, box: boxOf(target) };
}

// Return whether `root` is in the chain of containing blocks of the element, so that it really clips the element.
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

// Return the containing block of an absolutely positioned element; null for the initial one. `offsetParent` also stops
// at the body, at tables and at cells. These are containing blocks only if they are positioned or transformed.
/** @param {Element} target */
function containingBlockOf(target) {
  let at = getOffsetParent.call(/** @type {HTMLElement} */ (target));
  while (at !== null && isPlainBlock(styleOf(at))) at = getOffsetParent.call(/** @type {HTMLElement} */ (at));
  return at;
}

// Return whether the style does not make an element a containing block.
/** @param {CSSStyleDeclaration} options */
const isPlainBlock = ({ position, transform, filter, contain }) =>
  position === "static" && transform === "none" && filter === "none" && contain === "none";

// Return whether the element is positioned relative to an element outside `root`.
/** @param {Element} target @param {Element | null} root */
function isPositionedOutside(target, root) {
  const { position } = styleOf(target);
  return (position === "fixed" || position === "absolute") && !isClippedBy(root, target);
}

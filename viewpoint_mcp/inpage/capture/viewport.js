// Preparation of the viewport for a screenshot: pixel ratio, scrolling to a part, restoring the scroll positions.

import { isDrawn, shownPartOf } from "../actions/actionability.js";
import { failure, hiddenBy, told } from "../actions/causes.js";
import { boxesOf, clippersOf, enclosing, intersect } from "../actions/hit_points.js";
import { getScrollingElement, hear } from "../actions/mouse.js";
import { boxOf, getBody, getDocumentElement, getter, isConnected, isHtml, scrollContentBy, scrollContentTo } from "../dom/dom.js";
import { pointInOwner } from "../dom/frame_owner.js";
import { element } from "../dom/registry.js";
import { frame } from "../settle/changes.js";
import {
  getClientHeight, getClientWidth, getOffsetHeight, getOffsetWidth, getScrollLeft, getScrollTop,
} from "../visibility/unseen.js";

const getClientLeft = getter(Element.prototype, "clientLeft");
const getClientTop = getter(Element.prototype, "clientTop");
const stopEvent = Event.prototype.stopImmediatePropagation;
const LEASE = 20000; // ms; then everything is restored, because a dialog may have stopped the caller
const ECHO = 2000; // ms; time for the resize events that follow a picture

// Return the device pixel ratio and the size of the viewport in CSS pixels.
/** @returns {{ ratio: number, width: number, height: number }} */
export function viewNow() {
  return { ratio: devicePixelRatio, width: innerWidth, height: innerHeight };
}

// ---- scrolling for a picture

/** @type {Map<Element, { left: number, top: number }>} */
const scrolledFrom = new Map();
let scrolls = 0;
let lease = 0;

const pageScroller = () => getScrollingElement.call(document) ?? getDocumentElement.call(document);

// Scroll by the distance and record the original position. All positions are restored after LEASE ms at the latest.
/** @param {Element} scroller @param {number} left @param {number} top */
function scrollForPicture(scroller, left, top) {
  const from = { left: getScrollLeft.call(scroller), top: getScrollTop.call(scroller) };
  scrollContentBy.call(scroller, { left, top, behavior: "instant" });
  if (from.left === getScrollLeft.call(scroller) && from.top === getScrollTop.call(scroller)) return;
  scrolls += 1;
  if (!scrolledFrom.has(scroller)) scrolledFrom.set(scroller, from);
  clearTimeout(lease);
  lease = setTimeout(putBack, LEASE);
}

// Restore all recorded scroll positions. Return whether there were any.
/** @returns {boolean} */
export function putBack() {
  clearTimeout(lease);
  const count = scrolledFrom.size;
  for (const [scroller, from] of [...scrolledFrom].reverse()) scrollContentTo.call(scroller, { ...from, behavior: "instant" });
  scrolledFrom.clear();
  return count > 0;
}

// Scroll to the start of the page, where fixed and sticky elements have their initial places.
/** @returns {void} */
export function toOrigin() {
  const scroller = pageScroller();
  scrollForPicture(scroller, -getScrollLeft.call(scroller), -getScrollTop.call(scroller));
}

// ---- the window size during a picture that is larger than the window

/** @typedef {Size & { isDrawing: boolean }} Still */
/** @type {Still | null} */
let still = null;

// Hide a temporary window size from the page, and return after one frame. For a large picture, Chromium resizes the
// page for a moment and then dispatches resize events. If a frame was just drawn, the resizing ends before the next
// frame. Therefore frames are requested continuously until `letGo`, and the resize events are stopped.
/** @returns {Promise<void>} */
export async function holdStill() {
  const held = { width: innerWidth, height: innerHeight, isDrawing: true };
  still = held;
  const draw = () => {
    if (held.isDrawing) requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
  setTimeout(() => stopDrawing(held), LEASE);
  await frame();
}

// Stop requesting frames, and stop hiding resize events ECHO ms later.
/** @param {Still} held */
function stopDrawing(held) {
  held.isDrawing = false;
  setTimeout(() => {
    if (still === held) still = null;
  }, ECHO);
}

// End the effect of `holdStill`.
/** @returns {void} */
export function letGo() {
  if (still !== null) stopDrawing(still);
}

// Stop a resize event that does not belong to a real change of the window.
/** @param {Event} event */
function keepFromPage(event) {
  if (still === null) return;
  const isBack = innerWidth === still.width && innerHeight === still.height;
  if (isBack || (innerWidth === 1 && innerHeight === 1)) stopEvent.call(event);
}

// Listeners of a window run in the order of registration. This listener is the first one, because this script runs
// before the page's scripts.
if (window === window.top) for (const target of [window, visualViewport]) hear.call(target, "resize", keepFromPage);

// ---- the visible part of an element

// Scroll until as much as possible of an area of the element is visible, starting at its upper left corner.
// `options.area` is relative to the element's box, in CSS pixels; null means the whole box. With `options.isStill`, do
// not scroll. The browser window does not limit the result in the main frame.
/**
 * @param {number} number
 * @param {{ area: Area | null, isStill: boolean }} options
 * @returns {Promise<Named & Revealed & { box: Area } | NamedFailure | Gone>}
 */
export async function reveal(number, options) {
  const target = element(number);
  if (!target || !isConnected(target)) return { fail: "gone" };
  if (!isDrawn(target)) {
    return told(target, failure({ fail: "hidden", ...(hiddenBy(target) ?? { how: "size", by: null }) }, target));
  }
  const place = () => {
    const { left, top, right, bottom } = enclosing(boxesOf(target));
    const { area } = options;
    if (!area) return { left, top, right, bottom };
    return { left: left + area.left, top: top + area.top, right: left + area.right, bottom: top + area.bottom };
  };
  const shown = await bringAbout(shownPartOf(target), place, options);
  const { left, top, right, bottom } = enclosing(boxesOf(target));
  return told(target, { ...shown, box: { left, top, right, bottom } });
}

// Do the same as `reveal` for an area of a child frame's viewport.
/**
 * @param {number} number
 * @param {Area} area
 * @param {{ isStill: boolean }} options
 * @returns {Promise<Revealed | Gone>}
 */
export async function revealInside(number, area, options) {
  const owner = element(number);
  if (!owner || !isConnected(owner)) return { fail: "gone" };
  const place = () => {
    const corners = [[area.left, area.top], [area.right, area.top], [area.left, area.bottom], [area.right, area.bottom]];
    return enclosing(corners.map(([x, y]) => pointInOwner(owner, x, y)).filter((each) => each !== null).map(({ x, y }) => new DOMRect(x, y)));
  };
  return bringAbout(owner, place, options);
}

// Scroll all scroll containers around the subject, unless `isStill`, and return its visible part.
/**
 * @param {Element} subject
 * @param {() => Area} place
 * @param {{ isStill: boolean }} options
 * @returns {Promise<Revealed>}
 */
async function bringAbout(subject, place, { isStill }) {
  const isTop = window === window.top;
  const before = scrolls;
  /** @type {(Element | null)[]} */
  const passed = [];
  const seenNow = () => passed.reduce((area, at) => intersect(area, portOf(at)), place());
  for (const at of [...clippersOf(subject), ...(isTop ? [] : [null])]) {
    if (!isStill) scrollAreaInto(at, seenNow());
    passed.push(at);
  }
  if (isTop && !isStill) scrollPageToArea(seenNow());
  // Out-of-process frames draw their new position later.
  for (let drawn = 0; scrolls > before && drawn < (isTop ? 1 : 3); drawn += 1) await frame();
  const seen = seenNow();
  return { whole: place(), seen: seen.right > seen.left && seen.bottom > seen.top ? seen : null, isMoved: scrolledFrom.size > 0 };
}

// Return the area in which the element shows its content; null stands for this frame.
/** @param {Element | null} at @returns {Area} */
function portOf(at) {
  if (at === null) {
    const seen = /** @type {VisualViewport} */ (visualViewport);
    return { left: 0, top: 0, right: seen.width, bottom: seen.height };
  }
  const { left, top, right, bottom, width, height } = boxOf(at);
  if (!isHtml(at)) return { left, top, right, bottom };
  const { overflowX, overflowY } = getComputedStyle(at);
  const scaleX = width / getOffsetWidth.call(at) || 1;
  const scaleY = height / getOffsetHeight.call(at) || 1;
  const port = new DOMRect(left + getClientLeft.call(at) * scaleX, top + getClientTop.call(at) * scaleY,
    getClientWidth.call(at) * scaleX, getClientHeight.call(at) * scaleY);
  const isOpen = { x: overflowX === "visible", y: overflowY === "visible" };
  return {
    left: isOpen.x ? -Infinity : port.left, right: isOpen.x ? Infinity : port.right,
    top: isOpen.y ? -Infinity : port.top, bottom: isOpen.y ? Infinity : port.bottom,
  };
}

// Scroll the element (null for the page) until the area is visible, but only in directions in which a user can scroll.
/** @param {Element | null} at @param {Area} area */
function scrollAreaInto(at, area) {
  const port = portOf(at);
  const { overflowX, overflowY } = at === null ? overflowOfPage() : getComputedStyle(at);
  const scaleX = at === null ? 1 : boxOf(at).width / getOffsetWidth.call(/** @type {HTMLElement} */ (at)) || 1;
  const scaleY = at === null ? 1 : boxOf(at).height / getOffsetHeight.call(/** @type {HTMLElement} */ (at)) || 1;
  /** @param {string} overflow */
  const isRolling = (overflow) => overflow === "auto" || overflow === "scroll" || (at === null && overflow === "visible");
  const left = isRolling(overflowX) ? wayInto(port.left, port.right, area.left, area.right) : 0;
  const top = isRolling(overflowY) ? wayInto(port.top, port.bottom, area.top, area.bottom) : 0;
  if (left || top) scrollForPicture(at ?? pageScroller(), left / scaleX, top / scaleY);
}

// Return the distance to scroll so that the range is inside, or at least its start. Round it to whole pixels so that
// the edge in question stays inside.
/** @param {number} low @param {number} high @param {number} from @param {number} to */
function wayInto(low, high, from, to) {
  if (from >= low && to <= high) return 0;
  if (to - from > high - low || from < low) return Math.floor(from - low);
  return Math.ceil(to - high);
}

// Return the style that sets the overflow of the viewport.
function overflowOfPage() {
  const style = getComputedStyle(getDocumentElement.call(document));
  const body = getBody.call(document);
  return style.overflowX === "visible" && style.overflowY === "visible" && body ? getComputedStyle(body) : style;
}

// Scroll the page so that the area is in the middle of the window. If the area does not fit, scroll to the start of the
// page. Then fixed bars cover no more of it than in a picture of the whole page.
/** @param {Area} options */
function scrollPageToArea({ left, top, right, bottom }) {
  const { width, height } = /** @type {VisualViewport} */ (visualViewport);
  if (left >= 0 && top >= 0 && right <= width && bottom <= height) return;
  if (right - left > width || bottom - top > height) {
    toOrigin();
    return;
  }
  const x = left < 0 || right > width ? Math.round((left + right - width) / 2) : 0;
  const y = top < 0 || bottom > height ? Math.round((top + bottom - height) / 2) : 0;
  scrollForPicture(pageScroller(), x, y);
}

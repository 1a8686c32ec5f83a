// Detection of the element that a wheel event scrolls, and scrolling inside an element.

import { closestFlat, told } from "./causes.js";
import { getScrollingElement } from "./mouse.js";
import { isFrameOwner, roleOf } from "../aria/roles.js";
import { boxOf, isConnected, isElement, queryAll, scrollContentBy } from "../dom/dom.js";
import { look } from "../dom/memo.js";
import { element } from "../dom/registry.js";
import { allRoots, isShown } from "../forms/options.js";
import { frame, shadowRootsIn } from "../settle/changes.js";
import { isWholePage } from "../snapshot/nodes.js";
import { getClientHeight, getClientWidth, getScrollHeight, getScrollLeft, getScrollTop, getScrollWidth } from "../visibility/unseen.js";
import { flatPathOf } from "../visibility/visibility.js";

const LONGEST_SCROLL = 3000; // ms; the page may scroll smoothly
// Frames without movement that end the wait, before and after the first movement. A busy browser, or one that rarely
// draws the tab, starts late.
const STILL_BEFORE = 18;
const STILL_AFTER = 3;
const UNNAMED = new Set(["generic", "none"]);
const MOST_LOOKED_AT = 20000; // elements that are checked for overflow

/** @type {{ at: Element, left: number, top: number, isAround: boolean }[]} */
let scrollers = []; // first those around the mouse, from the innermost to the outermost
/** @type {{ at: Element, box: DOMRect }[]} */
let aroundMouse = []; // the elements around the mouse, the innermost first

// Record all scroll positions before a wheel event: of the element's ancestors, and of other elements that a handler
// may scroll.
/** @param {number} number @returns {void} */
export function noteScroll(number) {
  const path = [...flatPathOf(element(number))].filter((at) => isElement(at));
  const page = getScrollingElement.call(document);
  const inside = new Set(page === null ? path : [...path, page]);
  const others = allRoots().flatMap((root) => [...queryAll(root, "*")]).slice(0, MOST_LOOKED_AT).filter(hasOverflow);
  scrollers = [...new Set([...inside, ...others])].map((at) => ({ at, ...scrolledBy(at), isAround: inside.has(at) }));
  aroundMouse = path.map((at) => ({ at, box: boxOf(at) }));
}

/** @param {Element} at */
const hasOverflow = (at) =>
  getScrollHeight.call(at) > getClientHeight.call(at) + 1 || getScrollWidth.call(at) > getClientWidth.call(at) + 1;
/** @param {Element} at */
const scrolledBy = (at) => ({ left: getScrollLeft.call(at), top: getScrollTop.call(at) });

// Wait until everything that scrolled since `noteScroll` has stopped. Return what was scrolled, without `by` for the
// whole page, or null if nothing scrolled.
/** @param {number} deltaX @param {number} deltaY @returns {Promise<Scrolled | null>} */
export async function scrolledSince(deltaX, deltaY) {
  const noted = scrollers;
  scrollers = [];
  const now = () => noted.map(({ at, left, top, isAround }) => {
    const { left: x, top: y } = scrolledBy(at);
    return { at, x: x - left, y: y - top, isAround };
  });
  /** @param {Point} options */
  const hasMoved = ({ x, y }) => x !== 0 || y !== 0;
  // An element elsewhere may scroll by itself, so its direction must match the wheel.
  /** @param {Point & { isAround?: boolean }} each */
  const isByWheel = (each) => each.isAround || each.x * deltaX > 0 || each.y * deltaY > 0;
  const start = performance.now();
  let last = now();
  const enough = () => (last.some(hasMoved) ? STILL_AFTER : STILL_BEFORE);
  for (let still = 0; still < enough() && performance.now() - start < LONGEST_SCROLL;) {
    await frame();
    const next = now();
    still = next.every(({ x, y }, index) => x === last[index].x && y === last[index].y) ? still + 1 : 0;
    last = next;
  }
  const moved = [...last, ...movedContent()].find((each) => hasMoved(each) && isByWheel(each));
  if (moved === undefined) return null;
  const { at, x, y } = moved;
  return isWholePage(at) ? { x, y } : { x, y, ...nameOfScroller(at) };
}

// Return the moved content as a list with at most one entry. Editors and maps move their content instead of scrolling.
// The moved content is the outermost element around the mouse that moved with an unchanged size, inside a parent that
// did not move.
function movedContent() {
  const shifts = aroundMouse.map(({ at, box }) => {
    const { left, top, width, height } = boxOf(at);
    return { at, x: box.left - left, y: box.top - top, isSame: isConnected(at) && width === box.width && height === box.height };
  });
  const index = shifts.findLastIndex(({ x, y }) => x !== 0 || y !== 0);
  const moved = shifts[index];
  return moved?.isSame && index + 1 < shifts.length ? [{ ...moved, at: shifts[index + 1].at }] : [];
}

// Return the description of the closest element with a role around the scroller. `isPart` is true if that is not the
// scroller itself.
/** @param {Element} at */
function nameOfScroller(at) {
  const named = look(() => closestFlat(at, (each) => !isWholePage(each) && !UNNAMED.has(roleOf(each))));
  return named === null ? { isPart: true } : { by: told(named, {}), isPart: named !== at };
}

// ---- scrolling inside an element

const PAGE_OF_SCROLLING = 0.9; // of the visible size, so that the last lines stay visible
const FAR = 1e9; // px

// Scroll the scroll container in or around the element. "up", "down", "left" and "right" scroll by a page; "top" and
// "bottom" scroll to the end.
/**
 * @param {number} number
 * @param {{ to: Direction }} options
 * @returns {Promise<ScrolledInside | (Named & { refused: "frame" | "still" }) | Gone>}
 */
export async function scrollInside(number, { to }) {
  const target = element(number);
  if (!target || !isConnected(target)) return { fail: "gone" };
  if (isFrameOwner(target)) return told(target, { refused: "frame" });
  const isAcross = to === "left" || to === "right";
  const scroller = scrollerMeant(target, isAcross);
  if (scroller === null) return told(target, { refused: "still" });
  const before = scrolledBy(scroller);
  const seen = (isAcross ? getClientWidth : getClientHeight).call(scroller) * PAGE_OF_SCROLLING;
  const by = { up: -seen, left: -seen, down: seen, right: seen, top: -FAR, bottom: FAR }[to];
  scrollContentBy.call(scroller, { [isAcross ? "left" : "top"]: by, behavior: "instant" });
  for (let drawn = 0; drawn < 2; drawn += 1) await frame();
  const { left, top } = scrolledBy(scroller);
  const [at, most] = isAcross
    ? [left, getScrollWidth.call(scroller) - getClientWidth.call(scroller)]
    : [top, getScrollHeight.call(scroller) - getClientHeight.call(scroller)];
  const moved = { x: left - before.left, y: top - before.top, rest: by < 0 ? Math.abs(at) : most - at };
  const named = isWholePage(scroller) ? {} : nameOfScroller(scroller);
  return told(target, { ...moved, ...named });
}

// Return the scroll container that is meant: the element itself, else the largest one in it, else the closest ancestor.
// Return null if none scrolls in that direction.
/** @param {Element} target @param {boolean} isAcross */
function scrollerMeant(target, isAcross) {
  /** @param {Element} at */
  const doesScroll = (at) => canScroll(at, isAcross);
  const page = getScrollingElement.call(document);
  if (isWholePage(target) && page !== null && doesScroll(page)) return page;
  if (doesScroll(target)) return target;
  /** @param {Element} at */
  const area = (at) => getClientWidth.call(at) * getClientHeight.call(at);
  const inside = [target, ...shadowRootsIn(target)].flatMap((root) => [...queryAll(root, "*")])
    .slice(0, MOST_LOOKED_AT).filter((at) => doesScroll(at) && isShown(at));
  if (inside.length > 0) return inside.reduce((one, other) => (area(other) > area(one) ? other : one));
  return closestFlat(target, doesScroll) ?? (page !== null && doesScroll(page) ? page : null);
}

// Return whether a user can scroll the element in the direction.
/** @param {Element} at @param {boolean} isAcross */
function canScroll(at, isAcross) {
  const [seen, whole] = isAcross ? [getClientWidth, getScrollWidth] : [getClientHeight, getScrollHeight];
  if (whole.call(at) <= seen.call(at) + 1) return false;
  const style = getComputedStyle(at);
  const overflow = isAcross ? style.overflowX : style.overflowY;
  return /auto|scroll/.test(overflow) || (at === getScrollingElement.call(document) && overflow === "visible");
}

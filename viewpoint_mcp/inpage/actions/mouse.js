// Preparation of mouse actions besides the point to hit: scrolling for a drag, the label of a hidden control, and the
// observation of a drag.

import { isDisabled, isDrawn, passing, scrollIntoView, shownPartOf, untilAnsweredAnew } from "./actionability.js";
import { failure, hiddenBy, told } from "./causes.js";
import { boxesOf } from "./hit_points.js";
import { roleOf } from "../aria/roles.js";
import { CHECKABLE } from "../aria/states.js";
import {
  boxOf, flatParentOf, getter, isConnected, isFlatAncestor, isHtml, isHtmlTag, nextSiblingOf, parentOf, scrollContentBy,
} from "../dom/dom.js";
import { element, register } from "../dom/registry.js";
import { frame } from "../settle/changes.js";
import { getScrollLeft, getScrollTop } from "../visibility/unseen.js";

const getDraggable = getter(HTMLElement.prototype, "draggable");
const getLabels = getter(HTMLInputElement.prototype, "labels");
export const getScrollingElement = getter(Document.prototype, "scrollingElement");
const getDefaultPrevented = getter(Event.prototype, "defaultPrevented");
export const { addEventListener: hear, removeEventListener: unhear } = EventTarget.prototype;

/** @param {Area} options */
export const isInSight = ({ left, top, right, bottom }) => right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;

// Scroll the element to the centre of the viewport and return when it has stopped moving, or after `timeout` ms. Return
// a failure if the element is gone, hidden, or still not in view.
/**
 * @param {number} number
 * @param {{ timeout: number } & Again} options
 * @returns {Promise<Named | NamedFailure | Passing<NamedFailure> | Gone>}
 */
export const centre = (number, options) => untilAnsweredAnew(options.again, () => centreNow(number, options));

/**
 * @param {number} number
 * @param {{ timeout: number }} options
 * @returns {Promise<Named | NamedFailure | Passing<NamedFailure> | Gone>}
 */
async function centreNow(number, { timeout }) {
  const target = element(number);
  if (!target || !isConnected(target)) return { fail: "gone" };
  if (!isDrawn(target)) {
    return told(target, passing(failure({ fail: "hidden", ...(hiddenBy(target) ?? { how: "size", by: null }) }, target)));
  }
  const start = performance.now();
  scrollIntoView.call(shownPartOf(target), { block: "center", inline: "center", behavior: "instant" });
  let still = 0;
  for (let before = boxOf(target); still < 2 && performance.now() - start < timeout;) {
    await frame();
    const box = boxOf(target);
    still = box.left === before.left && box.top === before.top ? still + 1 : 0;
    before = box;
  }
  return told(target, boxesOf(target).some(isInSight) ? {} : { fail: "outside" });
}

// Scroll so that both elements are in view, if they fit. Return the vector from the centre of the first to that of the
// second.
/** @param {number} from @param {number} to @returns {Point | null} */
export function bringTogether(from, to) {
  const [one, other] = [element(from), element(to)];
  if (!one || !other) return null;
  for (let node = flatParentOf(one); node; node = flatParentOf(node)) {
    if (isFlatAncestor(node, other)) scrollToBoth(node, one, other);
  }
  const [a, b] = [boxOf(one), boxOf(other)];
  return { x: b.left + b.width / 2 - a.left - a.width / 2, y: b.top + b.height / 2 - a.top - a.height / 2 };
}

/** @param {Element} scroller @param {Element} one @param {Element} other */
function scrollToBoth(scroller, one, other) {
  const isPage = scroller === getScrollingElement.call(document);
  if (!isPage && !/auto|scroll|hidden/.test(getComputedStyle(scroller).overflow)) return;
  const view = isPage ? new DOMRect(0, 0, innerWidth, innerHeight) : boxOf(scroller);
  const [a, b] = [boxOf(one), boxOf(other)];
  const left = shortfall(view.left, view.right, Math.min(a.left, b.left), Math.max(a.right, b.right));
  const top = shortfall(view.top, view.bottom, Math.min(a.top, b.top), Math.max(a.bottom, b.bottom));
  if (left || top) scrollContentBy.call(scroller, { left, top, behavior: "instant" });
}

// Return the distance to scroll so that the range is in view; 0 if it already is, or if it does not fit.
/** @param {number} low @param {number} high @param {number} from @param {number} to */
function shortfall(low, high, from, to) {
  if (to - from > high - low || (from >= low && to <= high)) return 0;
  return (from + to) / 2 - (low + high) / 2;
}

// Return the number of the drawn label to click instead of a hidden checkbox or radio button; null if it has none.
/** @param {number} number @returns {{ number: number } | null} */
export function labelFor(number) {
  const target = element(number);
  const label = target && drawnLabelOf(target);
  return label && { number: register(label) };
}

// Return the drawn label of an enabled checkbox or radio button, or null.
/** @param {Element} target */
export function drawnLabelOf(target) {
  if (!isHtmlTag(target, "input") || !CHECKABLE.has(roleOf(target)) || isDisabled(target)) return null;
  return [...(getLabels.call(target) ?? [])].find(isDrawn) ?? null;
}

// ---- observation of a drag

/** @type {{ seen: DragSeen, listeners: Record<string, (event: any) => void> } | null} */
let drag = null;

/**
 * The observed events of a drag, whether a field changed after the drop, and the drop effect.
 * @typedef {{ start: Event | null, over: Event | null, drop: Event | null, changed: boolean, effect: string | null }} DragSeen
 */

/** @type {{ target: WeakRef<Element>, at: Point, parent: Node | null, next: Node | null } | null} */
let dragged = null; // the pressed element and its place before the drag

// Listen to drag and drop events in this document until `dragSeen` is called. Return whether the browser itself drags
// the element with the number, as it does for links, images and draggable=true.
/** @param {number} number @returns {boolean} */
export function followDrag(number) {
  dragSeen();
  /** @type {DragSeen} */
  const seen = { start: null, over: null, drop: null, changed: false, effect: null };
  /** @type {Record<string, (event: any) => void>} */
  const listeners = {
    dragstart: (event) => { seen.start = event; },
    dragover: (event) => { seen.over = event; },
    drop: (event) => { seen.drop = event; },
    dragend: (event) => { seen.effect = event.dataTransfer?.dropEffect ?? "none"; },
    input: () => { seen.changed ||= seen.drop !== null; },
    change: () => { seen.changed ||= seen.drop !== null; },
  };
  for (const type of Object.keys(listeners)) hear.call(window, type, listeners[type], true);
  drag = { seen, listeners };
  const target = element(number);
  dragged = target && { target: new WeakRef(target), at: placeOf(target), parent: parentOf(target), next: nextSiblingOf(target) };
  for (let node = target; node; node = flatParentOf(node)) {
    if (isHtml(node) && getDraggable.call(node)) return true;
  }
  return false;
}

// Stop listening and report the drag. `started`: the page allowed it. `ended`: dragend fired. `dropped`: it was dropped
// in this document. `taken`: the drop was accepted. A drop is accepted if the page prevented a default action, a field
// changed, or the drop effect is not "none".
/** @returns {{ started: boolean, ended: boolean, dropped: boolean, taken: boolean }} */
export function dragSeen() {
  if (drag === null) return { started: false, ended: false, dropped: false, taken: false };
  const { seen, listeners } = drag;
  for (const type of Object.keys(listeners)) unhear.call(window, type, listeners[type], true);
  drag = null;
  /** @param {Event | null} event */
  const isPrevented = (event) => event !== null && getDefaultPrevented.call(event);
  const dropped = seen.drop !== null;
  const isWanted = dropped && (seen.changed || isPrevented(seen.over) || isPrevented(seen.drop));
  const taken = isWanted || (seen.effect ?? "none") !== "none";
  return { started: seen.start !== null && !isPrevented(seen.start), ended: seen.effect !== null, dropped, taken };
}

// Return the position of the element, not affected by scrolling.
/** @param {Element} target @returns {Point} */
function placeOf(target) {
  const { left, top } = boxOf(target);
  const place = { x: left, y: top };
  for (let at = flatParentOf(target); at !== null; at = flatParentOf(at)) {
    place.x += getScrollLeft.call(at);
    place.y += getScrollTop.call(at);
  }
  return place;
}

// Return how far the pressed element of the last drag has moved. Return null if it has not moved, or if it has another
// place in the tree, which a snapshot shows.
/** @returns {Point | null} */
export function draggedBy() {
  const target = dragged?.target.deref();
  if (!dragged || !target || !isConnected(target)) return null;
  if (parentOf(target) !== dragged.parent || nextSiblingOf(target) !== dragged.next) return null;
  const { x, y } = placeOf(target);
  const [right, down] = [Math.round(x - dragged.at.x), Math.round(y - dragged.at.y)];
  return right === 0 && down === 0 ? null : { x: right, y: down };
}

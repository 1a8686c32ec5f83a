// Takes points of a child frame to this frame, through its owner: an iframe, object, embed or frame.

import { GONE, answered, isHitAt, looked, scrollPointTo, untilChanged } from "../actions/actionability.js";
import { unreachable } from "../actions/causes.js";
import { takeAim } from "../actions/hit_guard.js";
import { clippersOf, elementAt } from "../actions/hit_points.js";
import { animationKindOf, motionSince } from "../actions/motion.js";
import { boxOf, getter, isConnected, listenTo, stopListening } from "./dom.js";
import { element } from "./registry.js";
import { dispatchEvent } from "../forms/fields.js";
import { frame } from "../settle/changes.js";
import { viewport } from "../visibility/unseen.js";

const getOffsetX = getter(MouseEvent.prototype, "offsetX");
const getOffsetY = getter(MouseEvent.prototype, "offsetY");
export const getZoom = getter(Element.prototype, "currentCSSZoom");
const PLACES_OF_POINT = [null, 0.5, 0.75, 0.25, 0.65, 0.35]; // see `scrollPointTo`; null: anywhere in view
const PROBE = `probe-${Math.random()}`; // a type of event that nobody listens for

// Reports whether the frame's owner can be hit at a point of the child frame's viewport now; see `hitFacts`. With
// `options.aim`, no press is expected here.
/**
 * @param {number} number
 * @param {number} x
 * @param {number} y
 * @param {{ aim: boolean } & Again} options
 * @returns {Promise<HitFacts | GoneFacts>}
 */
export async function hitFactsOfOwner(number, x, y, options) {
  const owner = element(number);
  if (!owner) return GONE;
  const found = await untilChanged(options.again, async (looks) => {
    const attempt = await tryOwner(owner, x, y, options.again === null && looks === 1 ? PLACES_OF_POINT : [null]);
    // A frame that is drawn costs each frame above as much; only what is animated is watched so long.
    const isWatched = attempt.point && animationKindOf(owner) !== "none";
    return isWatched ? looked(owner, attempt, await motionSince(owner, boxOf(owner))) : looked(owner, attempt);
  });
  if (found.point !== null && options.aim) takeAim(null, null);
  return answered(owner, { ...found, isAimed: found.point !== null && Boolean(options.aim) });
}

// The point of the owner's document, scrolled to where it can be hit: {point}, or what `unreachable` returns.
/**
 * @param {Element} owner
 * @param {number} x
 * @param {number} y
 * @param {(number | null)[]} places
 * @returns {Promise<Attempt>}
 */
async function tryOwner(owner, x, y, places) {
  if (!isConnected(owner)) return { fail: "gone" };
  const before = pointInOwner(owner, x, y);
  for (const place of places) {
    const point = await bringIntoView(owner, x, y, { place, before });
    if (point !== null && isHitAt(owner, point)) return { point };
  }
  const point = pointInOwner(owner, x, y);
  return unreachable(owner, point && elementAt(point.x, point.y));
}

// Scrolls what scrolls around the owner, from the inside out, until the point is in view.
/**
 * @param {Element} owner
 * @param {number} x
 * @param {number} y
 * @param {{ place: number | null, before: Point | null }} options
 */
async function bringIntoView(owner, x, y, { place, before }) {
  for (const at of [...clippersOf(owner), null]) {
    const point = pointInOwner(owner, x, y);
    if (point === null) return null;
    const isIn = isPointIn(point, at === null ? viewport() : boxOf(at));
    if (!isIn || place !== null) scrollPointTo(at, point, place ?? 0.5);
  }
  const after = pointInOwner(owner, x, y);
  if (after === null || (after.x === before?.x && after.y === before?.y)) return after;
  // The browser sends events to frames of other processes by what it drew last.
  for (let drawn = 0; drawn < 3; drawn += 1) await frame();
  return pointInOwner(owner, x, y);
}

/** @param {Point} options @param {Area} options */
const isPointIn = ({ x, y }, { left, top, right, bottom }) => x >= left && y >= top && x < right && y < bottom;

// An event knows where it is in the coordinates of the element it was sent to, whatever turns or scales that. So the
// point is sought by Newton's method: a turned frame is met at the second step, one seen in perspective a little later.
/** @param {Element} owner @param {number} x @param {number} y @returns {Point | null} */
export function pointInOwner(owner, x, y) {
  const style = getComputedStyle(owner);
  const zoom = getZoom.call(owner) ?? 1;
  const wanted = [parseFloat(style.paddingLeft) + x, parseFloat(style.paddingTop) + y].map((each) => each * zoom);
  const box = boxOf(owner);
  let at = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  for (let step = 0; step < 20; step += 1) {
    const [u, v] = localPoint(owner, at.x, at.y);
    const [du, dv] = [wanted[0] - u, wanted[1] - v];
    if (Math.abs(du) + Math.abs(dv) < 0.01) return at;
    const [ux, vx] = localPoint(owner, at.x + 1, at.y).map((each, index) => each - [u, v][index]);
    const [uy, vy] = localPoint(owner, at.x, at.y + 1).map((each, index) => each - [u, v][index]);
    const area = ux * vy - uy * vx;
    if (!area) return null;
    at = { x: at.x + (vy * du - uy * dv) / area, y: at.y + (ux * dv - vx * du) / area };
  }
  return null;
}

// Asked while the event is under way: one that was sent in a shadow root does not know its target afterwards.
/** @param {Element} owner @param {number} clientX @param {number} clientY */
export function localPoint(owner, clientX, clientY) {
  let local = [NaN, NaN];
  /** @param {Event} event */
  const read = (event) => {
    const at = /** @type {MouseEvent} */ (event);
    local = [getOffsetX.call(at), getOffsetY.call(at)];
  };
  listenTo.call(owner, PROBE, read);
  dispatchEvent.call(owner, new PointerEvent(PROBE, { clientX, clientY }));
  stopListening.call(owner, PROBE, read);
  return local;
}

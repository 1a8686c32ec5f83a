// Conversion of points from a child frame to this frame, through the frame's owner element (iframe, frame, object or
// embed).

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
const PLACES_OF_POINT = [null, 0.5, 0.75, 0.25, 0.65, 0.35]; // see `scrollPointTo`; null: only if not in view
const PROBE = `probe-${Math.random()}`; // an event type without listeners in the page

// Report whether the frame owner can be hit at a point of the child frame's viewport; see `hitFacts`. With
// `options.aim`, expect that no press reaches this document, because the press belongs to the child frame.
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
    // Drawing a frame again also costs time in each frame above. Therefore motion is measured only if an animation
    // runs.
    const isWatched = attempt.point && animationKindOf(owner) !== "none";
    return isWatched ? looked(owner, attempt, await motionSince(owner, boxOf(owner))) : looked(owner, attempt);
  });
  if (found.point !== null && options.aim) takeAim(null, null);
  return answered(owner, { ...found, isAimed: found.point !== null && Boolean(options.aim) });
}

// Scroll the point to a place where the owner can be hit there. Return {point} in this frame's viewport, or the
// obstacle from `unreachable`.
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

// Scroll all scroll containers around the owner, the innermost first, until the point is in view. Return the point in
// this frame's viewport, or null if it cannot be computed.
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
  // The browser routes input to out-of-process frames by the positions in the last drawn frame.
  for (let drawn = 0; drawn < 3; drawn += 1) await frame();
  return pointInOwner(owner, x, y);
}

// Return whether the point lies in the area. The right and bottom edges do not count.
/** @param {Point} options @param {Area} options */
const isPointIn = ({ x, y }, { left, top, right, bottom }) => x >= left && y >= top && x < right && y < bottom;

// Return the point of the child frame's viewport in the coordinates of this frame, or null if it cannot be computed. An
// event reports its offset in the coordinates of its target, with all transforms applied. Newton's method searches for
// the point with the wanted offset. It takes two steps for a rotated frame and a few more for a perspective.
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

// Return the offset of a viewport point in the owner's coordinates. The offset must be read during the dispatch. In a
// shadow root, an event has no target afterwards.
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

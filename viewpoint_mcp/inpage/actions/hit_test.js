// What lies at a point, for those who aim by what they see in a picture.

import { closestFlat, shortTextOf, told } from "./causes.js";
import { elementAt } from "./hit_points.js";
import { isFrameOwner, roleOf } from "../aria/roles.js";
import { dataOf, flatChildrenOf, isText } from "../dom/dom.js";
import { getZoom, localPoint } from "../dom/frame_owner.js";
import { look } from "../dom/memo.js";
import { register } from "../dom/registry.js";
import { isPointerRoot } from "../snapshot/click_listeners.js";
import { KEPT_EMPTY, isWholePage, wantsOwnRef } from "../snapshot/nodes.js";

// The point of what is seen of the page, which a pinch makes less than the viewport, in the coordinates of events; or
// {width, height} of what is seen, when the point is outside.
/** @param {number} x @param {number} y @returns {Spot | { outside: Size }} */
export function spotInSight(x, y) {
  const { scale, width, height, offsetLeft, offsetTop } = /** @type {VisualViewport} */ (visualViewport);
  const seen = scale === 1 ? { width: innerWidth, height: innerHeight } : { width, height }; // scroll bars are of it, too
  if (x < 0 || y < 0 || x >= seen.width || y >= seen.height) return { outside: seen };
  return spot(x + offsetLeft, y + offsetTop);
}

// What gets a click at that point of this frame's viewport: {hit, by} as numbers and names; without `by` where
// it is but the ground of the page. Of a frame's owner also the point `inner` in that frame. {} for nothing at all.
/** @param {number} x @param {number} y @returns {Spot} */
export function spot(x, y) {
  const target = elementAt(x, y);
  if (target === null) return {};
  const hit = register(target);
  const inner = isFrameOwner(target) ? innerPoint(target, x, y) : null;
  const named = look(() => meaningOf(target));
  if (named === null) return { hit, inner };
  return { hit, inner, by: told(named, { number: register(named), text: shortTextOf(named) }) };
}

// What to call the element: what it is part of that can be acted on, or the block of text or the picture that it is.
// Null for what only holds other things.
/** @param {Element} target @returns {Element | null} */
function meaningOf(target) {
  /** @param {Element} at */
  const isOne = (at) => !isWholePage(at) && (isPointerRoot(at) || wantsOwnRef(at, roleOf(at), { isPointer: true }));
  const acted = closestFlat(target, isOne);
  if (acted !== null) return acted;
  if (KEPT_EMPTY.has(roleOf(target))) return target;
  const isRead = [...flatChildrenOf(target)].some((child) => isText(child) && dataOf(child).trim() !== "");
  const block = isRead ? closestFlat(target, (at) => getComputedStyle(at).display !== "inline") : null;
  return block !== null && isWholePage(block) ? (isWholePage(target) ? null : target) : block;
}

/** @param {Element} owner @param {number} x @param {number} y @returns {Point} */
function innerPoint(owner, x, y) {
  const style = getComputedStyle(owner);
  const [u, v] = localPoint(owner, x, y).map((each) => each / (getZoom.call(owner) ?? 1));
  return { x: u - parseFloat(style.paddingLeft), y: v - parseFloat(style.paddingTop) };
}

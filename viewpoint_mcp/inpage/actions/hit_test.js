// Hit test at a point, for agents that choose coordinates in a screenshot.

import { closestFlat, shortTextOf, told } from "./causes.js";
import { elementAt } from "./hit_points.js";
import { isFrameOwner, roleOf } from "../aria/roles.js";
import { dataOf, flatChildrenOf, isHtmlTag, isText } from "../dom/dom.js";
import { getZoom, localPoint } from "../dom/frame_owner.js";
import { look } from "../dom/memo.js";
import { register } from "../dom/registry.js";
import { isPointerRoot } from "../snapshot/click_listeners.js";
import { KEPT_EMPTY, isWholePage, wantsOwnRef } from "../snapshot/nodes.js";

// Convert a point of the visual viewport, which pinch zoom makes smaller than the layout viewport, and return `spot`
// for it. Return the size of the visual viewport as {outside} if the point lies beyond it.
/** @param {number} x @param {number} y @returns {Spot | { outside: Size }} */
export function spotInSight(x, y) {
  const { scale, width, height, offsetLeft, offsetTop } = /** @type {VisualViewport} */ (visualViewport);
  const seen = scale === 1 ? { width: innerWidth, height: innerHeight } : { width, height }; // includes scroll bars
  if (x < 0 || y < 0 || x >= seen.width || y >= seen.height) return { outside: seen };
  return spot(x + offsetLeft, y + offsetTop);
}

// Return the element that a click at the point of this frame's viewport reaches. `hit` is its number and `by` describes
// the element that names it. `by` is missing for the page background. `inner` is the point in the child frame if the
// element is a frame owner. Return {} if the point hits nothing.
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

// Return the element that names the hit target in a reply. This is the closest element to act on, else an image or
// similar element, else the closest text block. Return null for a mere container.
/** @param {Element} target @returns {Element | null} */
function meaningOf(target) {
  /** @param {Element} at */
  const isOne = (at) => !isWholePage(at) && (isPointerRoot(at) || wantsOwnRef(at, roleOf(at), { isPointer: true }));
  const acted = closestFlat(target, isOne);
  // A drawing program listens on an element around its canvas.
  const isOnCanvas = isHtmlTag(target, "canvas") && acted !== null && roleOf(acted) === "generic";
  if (acted !== null && !isOnCanvas) return acted;
  if (KEPT_EMPTY.has(roleOf(target))) return target;
  const isRead = [...flatChildrenOf(target)].some((child) => isText(child) && dataOf(child).trim() !== "");
  const block = isRead ? closestFlat(target, (at) => getComputedStyle(at).display !== "inline") : null;
  return block !== null && isWholePage(block) ? (isWholePage(target) ? null : target) : block;
}

// Convert the point to the coordinates of the child frame's viewport.
/** @param {Element} owner @param {number} x @param {number} y @returns {Point} */
function innerPoint(owner, x, y) {
  const style = getComputedStyle(owner);
  const [u, v] = localPoint(owner, x, y).map((each) => each / (getZoom.call(owner) ?? 1));
  return { x: u - parseFloat(style.paddingLeft), y: v - parseFloat(style.paddingTop) };
}

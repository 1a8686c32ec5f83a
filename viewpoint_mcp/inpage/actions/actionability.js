// Actionability check: scrolls an element into view, finds a point to hit, and hit-tests it. It reports facts and
// decides nothing. `page/actions/actionability_decision.py` decides whether to act, to ask again, or to fail.

import { disabledBy, failure, hiddenBy, offersAction, told, unreachable } from "./causes.js";
import { signsOn } from "./cover_signs.js";
import { takeAim } from "./hit_guard.js";
import { boxesOf, clippersOf, elementAt, findPoint, ownBoxesOf, reaches } from "./hit_points.js";
import { animationKindOf, hasFiniteAnimation, motionSince } from "./motion.js";
import { drawnLabelOf } from "./mouse.js";
import { imageOf } from "../aria/image_maps.js";
import { isFrameOwner } from "../aria/roles.js";
import { statesOf } from "../aria/states.js";
import {
  boxOf, flatChildrenOf, getIsHidden, isConnected, isElement, isFlatAncestor, isHtmlTag, queryAll, scrollContentBy,
} from "../dom/dom.js";
import { look } from "../dom/memo.js";
import { element, register } from "../dom/registry.js";
import { frame } from "../settle/changes.js";
import { drawnPartOf } from "../snapshot/code_editors.js";
import { viewport } from "../visibility/unseen.js";

export const { scrollIntoView } = Element.prototype;
/** @type {(ScrollLogicalPosition | number)[]} */
const PLACES = ["center", "end", "start", 0.75, 0.25, 0.65, 0.35]; // numbers: shares, see `scrollPointTo`
const MOST_LOOKS = 3; // of one call without `again`

// Return whether the element or its content has a box. Neither clipping nor covering elements matter.
/** @param {Element} target */
export const isDrawn = (target) => boxesOf(target).length > 0;

/** @param {Element} target */
export function isDisabled(target) {
  return statesOf(target).disabled === true;
}

// Return {point} if the target can be hit, or else the obstacle. Scroll if the target is not in view. With `isEarly`,
// also scroll if it is covered, because a header may cover some positions. With `evenDisabled`, accept a disabled
// target.
/** @param {Element} target @param {boolean} isEarly @param {{ evenDisabled: boolean }} options @returns {Attempt} */
function tryTarget(target, isEarly, options) {
  if (!isConnected(target)) return { fail: "gone" };
  if (!options.evenDisabled && isDisabled(target)) return { fail: "disabled", ...disabledBy(target) };
  if (!isDrawn(target)) return { fail: "hidden", ...(hiddenBy(target) ?? { how: "size", by: null }) };
  let { point, cover } = findPoint(target, true);
  for (const place of cover === null || isEarly ? PLACES : []) {
    if (point) break;
    scrollToShow(target, place);
    const found = findPoint(target, place === "center");
    point = found.point;
    if (place === "center") cover = found.cover;
  }
  if (point) return { point };
  scrollToShow(target, "center");
  return unreachable(target, /** @type {Element | null} */ (cover));
}

// Scroll the element, or the part of it that has a box, to a place in the viewport. A number is a share as for
// `scrollPointTo`.
/** @param {Element} target @param {ScrollLogicalPosition | number} place */
export function scrollToShow(target, place) {
  const shown = shownPartOf(target);
  if (typeof place === "string") scrollIntoView.call(shown, { block: place, inline: place, behavior: "instant" });
  else for (const at of [...clippersOf(shown), null]) scrollPointTo(at, middleOf(boxOf(shown)), place);
}

/** @param {Box} box @returns {Point} */
const middleOf = ({ left, top, width, height }) => ({ x: left + width / 2, y: top + height / 2 });

// Scroll the element (null for the page) until the point is at the given share of its size from its upper left corner.
/** @param {Element | null} scroller @param {Point} point @param {number} share */
export function scrollPointTo(scroller, { x, y }, share) {
  const box = scroller === null ? viewport() : boxOf(scroller);
  const left = x - (box.left + (box.right - box.left) * share);
  const top = y - (box.top + (box.bottom - box.top) * share);
  const by = /** @type {ScrollToOptions} */ ({ left, top, behavior: "instant" });
  if (scroller === null) scrollBy(by);
  else scrollContentBy.call(scroller, by);
}

// Return the element to scroll to: the image of an <area>, a descendant of an element without a box, or else the
// element itself.
/** @param {Element} target @returns {Element} */
export function shownPartOf(target) {
  if (isHtmlTag(target, "area")) return imageOf(target) ?? target;
  if (ownBoxesOf(target).length > 0) return target;
  for (const child of flatChildrenOf(target)) {
    const inside = isElement(child) && isDrawn(child) ? shownPartOf(child) : null;
    if (inside !== null) return inside;
  }
  return target;
}

// Scroll to the element and report whether it can be hit now: a `Look` with the role and name of the element.
//   evenDisabled: accept an element that is disabled
//   aim: watch the press that follows ("name": compare the name as well); `isAimed` reports whether it is watched
//   again: {state, limit} to answer only when the state differs from `state`, or after `limit` ms
/**
 * @param {number} number
 * @param {{ evenDisabled: boolean, aim: "name" | "node" | null } & Again} options
 * @returns {Promise<HitFacts | GoneFacts>}
 */
export async function hitFacts(number, options) {
  const target = element(number);
  if (!target) return GONE;
  const shown = look(() => drawnPartOf(target));
  const found = await untilChanged(options.again, async (looks) => {
    const before = boxOf(shown);
    const attempt = tryTarget(shown, options.again === null && looks <= MOST_LOOKS, options);
    return attempt.point ? looked(shown, attempt, await motionSince(shown, before)) : looked(shown, attempt);
  });
  // This document receives no events for a press inside a child frame, so such a press cannot be watched.
  const isAimed = found.point !== null && Boolean(options.aim) && !isFrameOwner(/** @type {Element} */ (elementAt(found.point.x, found.point.y)));
  const answer = answered(target, { ...found, isAimed });
  const hasName = options.aim === "name" && shown === target;
  if (isAimed) takeAim(shown, hasName ? /** @type {HitFacts} */ (answer).name : null);
  return answer;
}

/** @type {GoneFacts} */
export const GONE = { state: "gone", obstacle: { fail: "gone" } };

// Return the `Look` for the result of one attempt. If the attempt has a point, include the motion that was measured
// since.
/**
 * @param {Element} target
 * @param {Attempt} attempt
 * @param {{ moved: number, hasFrame: boolean }} motion
 * @returns {Look}
 */
export function looked(target, { point, ...obstacle }, { moved, hasFrame } = { moved: 0, hasFrame: true }) {
  const animation = animationKindOf(target);
  const isPageAnimated = hasFiniteAnimation();
  if (point) {
    const isHit = isHitAt(target, point);
    const isStill = isHit && moved === 0 && (hasFrame || animation === "none");
    const motion = { moved, isHit, isStill, hasFrame };
    return { state: isStill ? "ready" : "moving", point, obstacle: null, cover: null, motion, animation, isPageAnimated };
  }
  const isCover = obstacle.fail === "covered" && obstacle.by && !isFlatAncestor(obstacle.by, target);
  const cover = isCover ? coverFacts(/** @type {Covering} */ (obstacle), target) : null;
  const state = [obstacle.fail, obstacle.how, animation, isPageAnimated, cover?.offersAction, ...(cover?.signs ?? [])].join(" ");
  return { state, point: null, obstacle: /** @type {Obstacle} */ (obstacle), cover, motion: null, animation, isPageAnimated };
}

/** @param {Covering} obstacle @param {Element} target @returns {CoverFacts} */
const coverFacts = (obstacle, target) => ({
  signs: signsOn(obstacle, target),
  offersAction: offersAction(obstacle.by, target),
  isLabelled: drawnLabelOf(target) !== null,
});

// Return the answer for Python: the look with the role and name of the element. A responsible element is described.
/**
 * @param {Element} target
 * @param {Look & { isAimed: boolean }} found
 * @returns {HitFacts | GoneFacts}
 */
export function answered(target, { obstacle, ...found }) {
  if (obstacle?.fail === "gone") return GONE;
  return told(target, { ...found, isHidden: getIsHidden.call(document), obstacle: obstacle && failure(obstacle, target) });
}

// Call `look` repeatedly and return its last result. Without `again`, stop when the element is ready, when the obstacle
// is not a covering element, or after MOST_LOOKS looks. The repetition matters because a page may show a header as a
// reaction to scrolling. With `again`, stop when the state differs or the limit is reached.
/** @param {Question | null} again @param {(looks: number) => Promise<Look>} look @returns {Promise<Look>} */
export async function untilChanged(again, look) {
  const start = performance.now();
  for (let looks = 1; ; looks += 1) {
    const found = await look(looks);
    if (again === null ? isFinal(found) || looks === MOST_LOOKS : isOther(found, again, start)) return found;
    if (found.point === null) await frame();
  }
}

// Call `ask` and return its answer. With `again`, repeat once per frame until the state differs or the limit is
// reached.
/**
 * @template {object} T
 * @param {Question | null} again
 * @param {() => T | Promise<T>} ask
 * @returns {Promise<T>}
 */
export async function untilAnsweredAnew(again, ask) {
  const start = performance.now();
  for (;;) {
    const answer = await ask();
    if (!again || isOther(/** @type {{ state?: string }} */ (answer), again, start)) return answer;
    await frame();
  }
}

// Return the answer with a `state` and `isPageAnimated`, so that `page/actions/actionability_decision.py` can decide to ask
// again.
/**
 * @template {{ fail?: string, refused?: string, how?: string }} T
 * @param {T} answer
 * @returns {Passing<T>}
 */
export function passing(answer) {
  const isPageAnimated = hasFiniteAnimation();
  return { ...answer, isPageAnimated, state: [answer.fail ?? answer.refused, answer.how, isPageAnimated].join(" ") };
}

/** @param {Look} look */
const isFinal = ({ state, obstacle }) => state === "ready" || (obstacle !== null && obstacle.fail !== "covered");
/** @param {{ state?: string }} answer @param {Question} again @param {number} start */
const isOther = ({ state }, again, start) => state !== again.state || performance.now() - start >= again.limit;

// Return whether a click at the point reaches the target.
/** @param {Element} target @param {Point} point */
export function isHitAt(target, { x, y }) {
  const hit = elementAt(x, y);
  return hit !== null && reaches(target, hit);
}

const MOST_LISTED = 10; // numbers of elements, if several match

// Return {number} of the only element that the CSS selector matches. Otherwise return the count as {matches} with the
// numbers of the first ones, or {invalid} for an invalid selector.
/** @param {string} selector @returns {Found | { invalid: true }} */
export function find(selector) {
  let found;
  try {
    found = [...queryAll(document, selector)];
  } catch {
    return { invalid: true };
  }
  return numbered(found);
}

// Return {number} of the only element, or the count as {matches} with the numbers of the first ones.
/** @param {Element[]} found @returns {Found} */
export function numbered(found) {
  if (found.length === 1) return { number: register(found[0]) };
  return { matches: found.length, first: found.slice(0, MOST_LISTED).map(register) };
}

// Prepares an act on one element: brings it into view, waits while waiting can help, finds the point to
// hit and proves that a click there would reach it; or says why not. One call per act.

import { disabledBy, failure, hiddenBy, offersAction, told, unreachable } from "./causes.js";
import { takeAim } from "./hit_guard.js";
import { boxesOf, clippersOf, elementAt, findPoint, ownBoxesOf, reaches } from "./hit_points.js";
import { drawnLabelOf } from "./mouse.js";
import { imageOf } from "../aria/image_maps.js";
import { isFrameOwner, roleOf } from "../aria/roles.js";
import { statesOf } from "../aria/states.js";
import {
  ELEMENT, animationsNow, boxOf, flatChildrenOf, getIsHidden, isConnected, isFlatAncestor, isHtmlTag, isTrue,
  queryAll, querySelectorAll, typeOf,
} from "../dom/dom.js";
import { element, register } from "../dom/registry.js";
import { frame } from "../settle/changes.js";
import { viewport } from "../visibility/unseen.js";

export const { scrollIntoView, scrollBy: scrollElementBy } = Element.prototype;
const PLACES = ["center", "end", "start", 0.75, 0.25, 0.65, 0.35]; // the last ones: how far down and to the right
const SCROLL_TRIES = 3; // a page that was scrolled may show a header because of that
const LATE = 4; // times the patience: how long a frame may be late on a busy machine, before none is waited for
const TREMBLE = 2; // CSS pixels from frame to frame that leave the element where it is, when it never rests
const COVER_GOES = 2000; // ms that a cover with nothing to act on is given to go away by itself
const RESTS = 2; // frames that such an element must stay: where it turns back it is, for one, where it was

export const isDrawn = (target) => boxesOf(target).length > 0;

export function isDisabled(target) {
  return statesOf(target).disabled === true;
}

// What stands in the way of acting on the target now, or the point where it can be hit.
// `isEarly`: try it at other places of the viewport too, as a header may cover some.
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
  return unreachable(target, cover);
}

export function scrollToShow(target, place) {
  const shown = shownPartOf(target);
  if (typeof place === "string") scrollIntoView.call(shown, { block: place, inline: place, behavior: "instant" });
  else for (const at of [...clippersOf(shown), null]) scrollPointTo(at, middleOf(boxOf(shown)), place);
}

const middleOf = ({ left, top, width, height }) => ({ x: left + width / 2, y: top + height / 2 });

// Scrolls the element, or the page for null, until the point is that share of its size from its upper left corner.
export function scrollPointTo(scroller, { x, y }, share) {
  const box = scroller === null ? viewport() : boxOf(scroller);
  const left = x - (box.left + (box.right - box.left) * share);
  const top = y - (box.top + (box.bottom - box.top) * share);
  const by = /** @type {ScrollToOptions} */ ({ left, top, behavior: "instant" });
  if (scroller === null) scrollBy(by);
  else scrollElementBy.call(scroller, by);
}

// What has a box to scroll to: the picture of an area, the content of what has no box itself.
export function shownPartOf(target) {
  if (isHtmlTag(target, "area")) return imageOf(target) ?? target;
  if (ownBoxesOf(target).length > 0) return target;
  for (const child of flatChildrenOf(target)) {
    const inside = typeOf(child) === ELEMENT && isDrawn(child) ? shownPartOf(child) : null;
    if (inside !== null) return inside;
  }
  return target;
}

// How far the box is from where it was, in CSS pixels.
const distance = (a, b) =>
  Math.max(Math.abs(a.left - b.left), Math.abs(a.top - b.top), Math.abs(a.width - b.width), Math.abs(a.height - b.height));

// Whether waiting may help. What moves may stop, what covers may move away or be done with its work; an element may
// appear or become enabled without a sign before, and is given `patience` ms for that.
function mayPass(attempt, waited, options) {
  if (waited >= options.timeout) return false;
  if (attempt.fail === "moving") return waited < options.patience || attempt.isFrameLate || !isAnimatedForEver(attempt.target);
  if (finiteAnimationsRun()) return true;
  if (attempt.fail === "covered") return attempt.tries < 2 || mayGoAway(attempt, waited, options);
  return LATER.has(attempt.fail) && attempt.how !== "option" && worthWaiting(waited, options);
}

const LATER = new Set(["disabled", "hidden", "inert", "outside", "through"]);

export function worthWaiting(waited, options) {
  return waited < options.patience || (waited < options.timeout && finiteAnimationsRun());
}

export const isFiniteEffect = (effect) => Number.isFinite(effect?.getComputedTiming().endTime ?? NaN);

function finiteAnimationsRun() {
  return animationsNow().some(({ playState, effect }) => playState === "running" && isFiniteEffect(effect));
}

// The animations that may carry the element along.
export function animationsOf(target) {
  return animationsNow().filter(({ playState, effect }) =>
    playState === "running" && effect?.target && isFlatAncestor(effect.target, target));
}

function isAnimatedForEver(target) {
  const found = animationsOf(target);
  return found.length > 0 && !found.some(({ effect }) => isFiniteEffect(effect));
}

// Whether what covers the target may go away by itself. A busy cover is waited for as long as an act may take. One that
// offers nothing to act on cannot be closed, so it gets some time, unless the target can be worked by its label.
export function mayGoAway({ by, target }, waited, options) {
  if (!by || waited >= options.timeout) return false;
  if (isBusy(by)) return true;
  return waited < COVER_GOES && drawnLabelOf(target) === null && !offersAction(by, target);
}

// Whether the cover says that something is under way: a spinner goes when that is done.
function isBusy(cover) {
  const isIn = ({ playState, effect }) => playState === "running" && effect?.target && isFlatAncestor(cover, effect.target);
  return isTrue(cover, "aria-busy") || roleOf(cover) === "progressbar" ||
    querySelectorAll.call(cover, 'progress, [role="progressbar"], [aria-busy="true"]').length > 0 || animationsNow().some(isIn);
}

// Returns {role, name, x, y} in CSS pixels of this frame's viewport, or {fail, how, by}; see `failure`. With
// `options.aim` the press that follows is watched ("name": by the name as well); `isAimed` says whether it is.
export async function prepare(number, options) {
  const target = element(number);
  if (!target) return { fail: "gone" };
  const start = performance.now();
  let rests = 0;
  for (let tries = 0; ; tries += 1) {
    const before = boxOf(target);
    let attempt = { ...tryTarget(target, tries < SCROLL_TRIES, options), target, tries };
    if (attempt.fail === "gone") return attempt;
    // Asked before the frame: with it the last animation may end, and then one more try is due.
    const isHopeful = mayPass(attempt, performance.now() - start, options);
    const isFrame = await frame();
    const waited = performance.now() - start;
    if (attempt.point) {
      const isFrameLate = !isFrame && !getIsHidden.call(document) && waited < LATE * options.patience && animationsOf(target).length > 0;
      const isResting = !isFrameLate && isAtRest(target, before, { isFrame, waited, options }) && isHitAt(target, attempt.point);
      rests = isResting ? rests + 1 : 0;
      if (rests >= (isAnimatedForEver(target) ? RESTS : 1)) return ready(target, attempt.point, options);
      attempt = { fail: "moving", target, isFrameLate };
    } else {
      rests = 0;
    }
    if (rests === 0 && !isHopeful && !mayPass(attempt, waited, options)) return told(target, failure({ ...attempt, waited }, target));
  }
}

// Measured one frame apart: a box that moved (or was scrolled just now) is tried again. Without a frame nothing had a
// chance to move. What pulses without end is taken where it is.
function isAtRest(target, before, { isFrame, waited, options }) {
  const moved = distance(before, boxOf(target));
  if (waited > options.patience) return moved === 0 || (moved < TREMBLE && isAnimatedForEver(target));
  return moved === 0 && (isFrame || animationsOf(target).length === 0);
}

export function isHitAt(target, { x, y }) {
  const hit = elementAt(x, y);
  return hit !== null && reaches(target, hit);
}

function ready(target, point, options) {
  const answer = told(target, point);
  // What a frame inside gets, nobody learns here.
  answer.isAimed = Boolean(options.aim) && !isFrameOwner(elementAt(point.x, point.y));
  if (answer.isAimed) takeAim(target, options.aim === "name" ? answer.name : null);
  return answer;
}

// The number of the only element that the CSS selector matches: {number}, or {matches} or {invalid}.
export function find(selector) {
  let found;
  try {
    found = queryAll(document, selector);
  } catch {
    return { invalid: true };
  }
  return found.length === 1 ? { number: register(found[0]) } : { matches: found.length };
}

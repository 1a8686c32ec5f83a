// Whether an element moves: measured from frame to frame, and which animations may carry it along.

import { animationsNow, boxOf, isFlatAncestor } from "../dom/dom.js";
import { frame } from "../settle/changes.js";

const FRAMES_OF_ENDLESS = 2; // an element that turns back is, for one frame, where it was

/** @param {KeyframeEffect | null} effect */
const isFiniteEffect = (effect) => Number.isFinite(effect?.getComputedTiming().endTime ?? NaN);

export const runningAnimations = () => animationsNow().filter(({ playState }) => playState === "running");

// Whether an animation or transition runs in the document that comes to an end.
export const hasFiniteAnimation = () => runningAnimations().some(({ effect }) => isFiniteEffect(effect));

// The kind of the animations that may carry the element along: "none", "finite", or "endless" where all of them are.
/** @param {Element} target @returns {AnimationKind} */
export function animationKindOf(target) {
  const carrying = runningAnimations().filter(({ effect }) => effect?.target && isFlatAncestor(effect.target, target));
  if (carrying.length === 0) return "none";
  return carrying.some(({ effect }) => isFiniteEffect(effect)) ? "finite" : "endless";
}

// Whether an animation runs on a layer that covers the target or in it, or carries a layer along without carrying the
// target (or for a limited time).
/** @param {Element[]} layers @param {Element} target */
export function isAnimated(layers, target) {
  return runningAnimations().some(({ effect }) => {
    const at = effect?.target;
    if (!at) return false;
    const isCarrying = isFiniteEffect(effect) || !isFlatAncestor(at, target);
    return layers.some((layer) => isFlatAncestor(layer, at) || (isCarrying && isFlatAncestor(at, layer)));
  });
}

// The largest distance from box to box, in CSS pixels, since `before`: {moved, hasFrame}; `hasFrame` is false where the
// browser drew no frame in time, so nothing had a chance to move.
/** @param {Element} target @param {DOMRect} before @returns {Promise<{ moved: number, hasFrame: boolean }>} */
export async function motionSince(target, before) {
  const frames = animationKindOf(target) === "endless" ? FRAMES_OF_ENDLESS : 1;
  let [moved, hasFrame] = [0, true];
  for (let [left, last] = [frames, before]; left > 0; left -= 1) {
    hasFrame = (await frame()) && hasFrame;
    const box = boxOf(target);
    moved = Math.max(moved, distance(last, box));
    last = box;
  }
  return { moved, hasFrame };
}

/** @param {DOMRect} a @param {DOMRect} b */
const distance = (a, b) =>
  Math.max(Math.abs(a.left - b.left), Math.abs(a.top - b.top), Math.abs(a.width - b.width), Math.abs(a.height - b.height));

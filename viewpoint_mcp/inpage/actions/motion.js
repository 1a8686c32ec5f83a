// Motion of an element from frame to frame, and the animations that may move it.

import { animationsNow, boxOf, isFlatAncestor } from "../dom/dom.js";
import { frame } from "../settle/changes.js";

const FRAMES_OF_ENDLESS = 2; // an element at its turning point seems still for one frame

/** @param {KeyframeEffect | null} effect */
const isFiniteEffect = (effect) => Number.isFinite(effect?.getComputedTiming().endTime ?? NaN);

export const runningAnimations = () => animationsNow().filter(({ playState }) => playState === "running");

// Return whether a running animation or transition of the document will end.
export const hasFiniteAnimation = () => runningAnimations().some(({ effect }) => isFiniteEffect(effect));

// Return the kind of the animations that may move the element: "none", "finite" if at least one will end, or "endless".
/** @param {Element} target @returns {AnimationKind} */
export function animationKindOf(target) {
  const carrying = runningAnimations().filter(({ effect }) => effect?.target && isFlatAncestor(effect.target, target));
  if (carrying.length === 0) return "none";
  return carrying.some(({ effect }) => isFiniteEffect(effect)) ? "finite" : "endless";
}

// Return whether an animation runs on a layer or inside it, or moves the layer. An endless animation that also moves
// the target does not count.
/** @param {Element[]} layers @param {Element} target */
export function isAnimated(layers, target) {
  return runningAnimations().some(({ effect }) => {
    const at = effect?.target;
    if (!at) return false;
    const isCarrying = isFiniteEffect(effect) || !isFlatAncestor(at, target);
    return layers.some((layer) => isFlatAncestor(layer, at) || (isCarrying && isFlatAncestor(at, layer)));
  });
}

// Return the largest distance in CSS pixels between successive boxes of the element, starting with `before`. `hasFrame`
// is false if the browser drew no frame in time, so that nothing could move.
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

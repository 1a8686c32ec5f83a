// Watches what an act does to the document: how often it changed, and when it is still again.
// Settling asks; nothing here decides. Times are milliseconds of this document's own clock.

import { tidy } from "../aria/names.js";
import {
  animationsNow, getBody, getIsHidden, getter, isElement, isHtml, shadowRootOf, treeWalkerOf,
} from "../dom/dom.js";
import { forgetSigns, saysLoading, touch } from "./loading_signs.js";

export const getInnerText = getter(HTMLElement.prototype, "innerText");
export const watched = {
  observer: /** @type {MutationObserver | null} */ (null),
  count: 0, // of all changes
  effects: 0, // of those that an act may have caused
  /** @type {WeakMap<Node, { times: number, at: number }>} */
  restless: new WeakMap(), // how often a node changed while nothing was done, and when last
  askedAt: 0,
  /** @type {WeakSet<Node>} */
  roots: new WeakSet(),
  /** @type {WeakSet<Animation>} */
  animations: new WeakSet(),
  /** @type {Set<() => void>} */
  waiters: new Set(),
};
const IDLE = 300; // ms since anybody asked what an act does
const TICK = 50; // ms between two changes of a clock, at least: a rendering in parts is none
const TICKS = 2; // changes that make a node restless
const HIDDEN_FRAME = 16; // a hidden page has no frames: a timer stands in for them
const LOST_FRAME = 100; // a visible page may be denied frames as well (a tab behind another): do not wait for ever
const COLOURING = /^(-webkit-)?(background|border-.*color|box-shadow|caret|color|fill|outline|stroke|text-(?!indent))/;
let areFramesLost = false; // until one comes, a timer stands in for them

/** @param {MutationRecord[]} records */
function onMutations(records) {
  watched.count += records.length;
  if (watched.waiters.size === 0 && performance.now() - watched.askedAt > IDLE) noteRestless(records);
  for (const record of records) {
    if (!isRestless(record.target)) {
      watched.effects += 1;
      touch(record);
    }
    for (const node of record.addedNodes) if (isElement(node)) observeRootsIn(node);
  }
  for (const wake of watched.waiters) wake();
}

// What changes while nothing is done (a clock, a ticker) goes on doing so during an act, and is not its effect.
/** @param {MutationRecord[]} records */
function noteRestless(records) {
  const now = performance.now();
  for (const { target } of records.slice(0, 100)) {
    const known = watched.restless.get(target);
    if (known === undefined) watched.restless.set(target, { times: 1, at: now });
    else if (now - known.at > TICK) Object.assign(known, { times: known.times + 1, at: now });
  }
}

/** @param {Node} node */
const isRestless = (node) => (watched.restless.get(node)?.times ?? 0) >= TICKS;

/** @param {Node} root */
export function observe(root) {
  if (watched.roots.has(root)) return;
  watched.roots.add(root);
  watched.observer?.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
}

// A MutationObserver does not see into shadow roots, so each root is observed by itself.
/** @param {Node} top */
function observeRootsIn(top) {
  for (const root of shadowRootsIn(top)) observe(root);
}

/** @param {Node} top @returns {Generator<ShadowRoot, void>} */
export function* shadowRootsIn(top) {
  const pending = [top];
  for (let root = pending.pop(); root; root = pending.pop()) {
    const walker = treeWalkerOf(root);
    for (let node = /** @type {Node | null} */ (walker.currentNode); node; node = walker.nextNode()) {
      const shadow = isElement(node) ? shadowRootOf(node) : null;
      if (!shadow) continue;
      yield shadow;
      pending.push(shadow);
    }
  }
}

// Whether the text can be read on the page, white space aside; through the shadow roots that are known.
/** @param {string} text @returns {boolean} */
export function hasText(text) {
  const wanted = tidy(text);
  /** @param {HTMLElement | null} top */
  const shows = (top) => top !== null && tidy(getInnerText.call(top)).includes(wanted);
  if (shows(getBody.call(document))) return true;
  for (const root of shadowRootsIn(document)) {
    for (const child of root.children) if (isHtml(child) && shows(child)) return true;
  }
  return false;
}

// Starts to count changes, once per document.
export function startWatching() {
  if (watched.observer) return;
  watched.observer = new MutationObserver(onMutations);
  observe(document);
}

// Starts counting and remembers which animations ran before the act.
/** @returns {number} */
export function watch() {
  startWatching();
  // A root that was attached since is no mutation.
  observeRootsIn(document);
  watched.animations = new WeakSet(animationsNow());
  changes();
  forgetSigns();
  return effects();
}

// The count of changes that an act may have caused.
/** @returns {number} */
export function effects() {
  watched.askedAt = performance.now();
  changes();
  return watched.effects;
}

// Records that were not delivered yet count as well.
/** @returns {number} */
export function changes() {
  if (watched.observer) {
    const records = watched.observer.takeRecords();
    if (records.length) onMutations(records);
  }
  return watched.count;
}

// Resolves with the next frame to true; to false where none comes in time.
/** @returns {Promise<boolean>} */
export function frame() {
  return new Promise((resolve) => {
    const isWithout = getIsHidden.call(document) || areFramesLost;
    const timer = setTimeout(() => {
      areFramesLost = true;
      resolve(false);
    }, isWithout ? HIDDEN_FRAME : LOST_FRAME);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      areFramesLost = false;
      resolve(true);
    });
  });
}

// One frame: what the act's handlers did is in the document now. Returns the count of changes; what began to move
// by style alone (a menu that opens on :hover) counts as one.
/** @returns {Promise<number>} */
export async function nextFrame() {
  await frame();
  if (moving()) watched.effects += 1;
  return effects();
}

// Resolves with the count of changes, as soon as it is above `count` or after `limit` ms.
/** @param {number} count @param {number} limit @returns {Promise<number>} */
export function untilChange(count, limit) {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      watched.waiters.delete(wake);
      resolve(effects());
    };
    const wake = () => {
      if (watched.effects > count) finish();
    };
    const timer = setTimeout(finish, limit);
    watched.waiters.add(wake);
    effects();
    wake();
  });
}

// Whether something began to move since `watch` that comes to rest and may show or hide something; colours may not.
function moving() {
  return animationsNow().some((animation) => {
    if (watched.animations.has(animation) || animation.playState !== "running") return false;
    if (COLOURING.test(animation.transitionProperty ?? "")) return false;
    const end = animation.effect?.getComputedTiming().endTime;
    return typeof end === "number" && Number.isFinite(end);
  });
}

// Whether the page says that more is to come: since `watch` something began to turn without end, or a sign appeared.
function saysBusy() {
  return saysLoading() || animationsNow().some((animation) =>
    !watched.animations.has(animation) && animation.playState === "running" &&
    animation.effect?.getComputedTiming().endTime === Infinity);
}

// Resolves once two frames passed without a change and what began to move since `watch` has come
// to rest; after `limit` ms in any case.
/** @param {number} limit @returns {Promise<{ count: number, busy: boolean }>} */
export async function untilStill(limit) {
  const deadline = performance.now() + limit;
  let quiet = 0;
  let last = effects();
  while (quiet < 2 && performance.now() < deadline) {
    await frame();
    const count = effects();
    quiet = count === last && !moving() ? quiet + 1 : 0;
    last = count;
  }
  return { count: last, busy: saysBusy() };
}

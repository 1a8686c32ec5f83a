// Observation of a document during an action: the number of changes, and the end of the changes. Python decides how to
// settle. Times are in milliseconds of this document's clock.

import { tidy } from "../aria/names.js";
import { valueOf } from "../aria/states.js";
import {
  animationsNow, checkVisibility, getBody, getIsHidden, getter, isElement, isHtml, isJavaScriptOff, queryAll, shadowRootOf,
  textContentOf, treeWalkerOf,
} from "../dom/dom.js";
import { noteAnimatedCanvases, noteGraphicChange } from "./drawings.js";
import { forgetSigns, saysLoading, touch } from "./loading_signs.js";

export const getInnerText = getter(HTMLElement.prototype, "innerText");
export const watched = {
  observer: /** @type {MutationObserver | null} */ (null),
  count: 0, // of all changes
  effects: 0, // of the changes that an action may have caused
  /** @type {WeakMap<Node, { times: number, at: number }>} */
  restless: new WeakMap(), // how often a node changed while no action ran, and when it last did
  askedAt: 0,
  /** @type {WeakSet<Node>} */
  roots: new WeakSet(),
  /** @type {WeakSet<Animation>} */
  animations: new WeakSet(),
  /** @type {Set<() => void>} */
  waiters: new Set(),
};
const IDLE = 300; // ms without a call to `effects`, after which no action is considered to run
const TICK = 50; // minimum ms between two changes of a clock; shorter intervals are one rendering in parts
const TICKS = 2; // changes after which a node counts as restless
const HIDDEN_FRAME = 16; // ms; a hidden page draws no frames, so a timer replaces them
const LOST_FRAME = 100; // ms; a visible page may also get no frames, such as a tab behind another one
const COLOURING = /^(-webkit-)?(background|border-.*color|box-shadow|caret|color|fill|outline|stroke|text-(?!indent))/;
let areFramesLost = false; // while true, a timer replaces the frames

// Count the changes, observe new shadow roots, and wake the waiting calls.
/** @param {MutationRecord[]} records */
function onMutations(records) {
  watched.count += records.length;
  if (watched.waiters.size === 0 && performance.now() - watched.askedAt > IDLE) noteRestless(records);
  for (const record of records) {
    if (!isRestless(record.target)) {
      watched.effects += 1;
      touch(record);
    }
    // Nodes that move by themselves are no news, but new shapes are, wherever they appear.
    if (record.type === "childList" || !isRestless(record.target)) noteGraphicChange(record);
    for (const node of record.addedNodes) if (isElement(node)) observeRootsIn(node);
  }
  for (const wake of watched.waiters) wake();
}

// Record nodes that change while no action runs, such as clocks. They continue to change during an action, but the
// action does not cause that.
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

// Observe the changes of a document or a shadow root, once.
/** @param {Node} root */
export function observe(root) {
  if (watched.roots.has(root)) return;
  watched.roots.add(root);
  watched.observer?.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
}

// Observe the shadow roots below a node. A MutationObserver does not observe shadow trees by itself.
/** @param {Node} top */
function observeRootsIn(top) {
  for (const root of shadowRootsIn(top)) observe(root);
}

// Yield the known shadow roots below a node, at any depth.
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

// Return whether the page shows the text, apart from white space: as rendered text, or as the value of a drawn field.
// Known shadow roots are searched too.
/** @param {string} text @returns {boolean} */
export function hasText(text) {
  const wanted = tidy(text);
  /** @param {HTMLElement | null} top */
  const shows = (top) => top !== null && tidy(getInnerText.call(top)).includes(wanted);
  const body = getBody.call(document);
  if (shows(body) || isFieldValue(document, wanted)) return true;
  if (body === null && isDrawnText(wanted)) return true;
  for (const root of shadowRootsIn(document)) {
    for (const child of root.children) if (isHtml(child) && shows(child)) return true;
    if (isFieldValue(root, wanted)) return true;
  }
  return false;
}

// Return whether a text of a document without a body, which is SVG, contains the text.
/** @param {string} wanted */
const isDrawnText = (wanted) => [...queryAll(document, "text")].some((text) =>
  tidy(textContentOf(text)).includes(wanted) && checkVisibility.call(text, { visibilityProperty: true }));

// Return whether the value of a drawn field below the root contains the text.
/** @param {Document | ShadowRoot} root @param {string} text */
function isFieldValue(root, text) {
  return [...queryAll(root, "input, textarea")].some((field) => tidy(valueOf(field, "")).includes(text) && checkVisibility.call(field, { visibilityProperty: true }));
}

// Start counting changes, if counting has not started yet.
export function startWatching() {
  if (watched.observer) return;
  watched.observer = new MutationObserver(onMutations);
  observe(document);
}

// Start observing an action: count changes, and remember the animations and loading signs that exist. Return the count.
/** @returns {number} */
export function watch() {
  startWatching();
  // Attaching a shadow root is not a mutation, so new roots must be searched for.
  observeRootsIn(document);
  watched.animations = new WeakSet(animationsNow());
  changes();
  forgetSigns();
  noteAnimatedCanvases();
  return effects();
}

// Return the number of changes that an action may have caused.
/** @returns {number} */
export function effects() {
  watched.askedAt = performance.now();
  changes();
  return watched.effects;
}

// Return the number of all changes. Changes that the observer has not delivered yet are counted first.
/** @returns {number} */
export function changes() {
  if (watched.observer) {
    const records = watched.observer.takeRecords();
    if (records.length) onMutations(records);
  }
  return watched.count;
}

// Wait for the next frame. Return false if no frame is drawn in time.
/** @returns {Promise<boolean>} */
export function frame() {
  return new Promise((resolve) => {
    const isWithout = getIsHidden.call(document) || areFramesLost;
    if (isWithout && isJavaScriptOff) return resolve(false);
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

// Wait for one frame, and return the number of changes that an action may have caused. After the frame, the changes by
// event handlers are in the document. A movement by style alone, such as a menu that opens on :hover, counts as one
// change.
/** @returns {Promise<number>} */
export async function nextFrame() {
  await frame();
  if (moving()) watched.effects += 1;
  return effects();
}

// Call `callback` in `limit` ms. Return a function that prevents the call. Drawn frames replace the timer if JavaScript
// is off, because Chromium then runs no timers, not even those of this world.
/** @param {number} limit @param {() => void} callback @returns {() => void} */
function callAfter(limit, callback) {
  if (!isJavaScriptOff) {
    const timer = setTimeout(callback, limit);
    return () => clearTimeout(timer);
  }
  const end = performance.now() + limit;
  let request = 0;
  const look = () => {
    if (performance.now() >= end) callback();
    else request = requestAnimationFrame(look);
  };
  look();
  return () => cancelAnimationFrame(request);
}

// Wait until the number of changes exceeds `count`, for at most `limit` ms, and return the number.
/** @param {number} count @param {number} limit @returns {Promise<number>} */
export function untilChange(count, limit) {
  return new Promise((resolve) => {
    const finish = () => {
      forget();
      watched.waiters.delete(wake);
      resolve(effects());
    };
    const wake = () => {
      if (watched.effects > count) finish();
    };
    const forget = callAfter(limit, finish);
    watched.waiters.add(wake);
    effects();
    wake();
  });
}

// Return whether a finite animation that started after `watch` is running. Colour transitions do not count, because
// they show and hide nothing.
function moving() {
  return animationsNow().some((animation) => {
    if (watched.animations.has(animation) || animation.playState !== "running") return false;
    if (COLOURING.test(animation.transitionProperty ?? "")) return false;
    const end = animation.effect?.getComputedTiming().endTime;
    return typeof end === "number" && Number.isFinite(end);
  });
}

// Return whether the page shows that it is busy: an endless animation or a loading sign appeared after `watch`.
function saysBusy() {
  return saysLoading() || animationsNow().some((animation) =>
    !watched.animations.has(animation) && animation.playState === "running" &&
    animation.effect?.getComputedTiming().endTime === Infinity);
}

// Wait for two frames without changes and without finite animations that started after `watch`. Wait for at most
// `limit` ms. Return the number of changes, and whether the page is busy.
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

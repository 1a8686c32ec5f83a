// Between the hit test and the press of the mouse a page may change. So the press is looked at before the page sees
// it: one that would go to another element than was meant is kept from it, with all that belongs to it.

import { isDisabled } from "./actionability.js";
import { coverOf, failure } from "./causes.js";
import { elementAt, reaches } from "./hit_points.js";
import { nameOf } from "../aria/names.js";
import { getter, isConnected, listenTo, shadowRootOf, stopListening } from "../dom/dom.js";

// Observables are too new for the type checker.
const { when: whenever } = /** @type {any} */ (EventTarget.prototype);
const { preventDefault, stopImmediatePropagation, composedPath } = Event.prototype;
const PRESSES = ["pointerdown", "mousedown"];
const BELONGING = [...PRESSES, "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"];
const AIM_LASTS = 3000; // ms; what nobody asked about by then is not ours to judge
const CAPTURING = { capture: true };

/**
 * The press that is expected.
 * @typedef {object} Aim
 * @property {Element | null} target
 * @property {string | null} name
 * @property {number} since
 * @property {"waiting" | "hit" | "missed"} state
 * @property {Element | null} by - What a missed press met.
 * @property {AbortController} end
 */

// Null while no press is expected. Its type leaves that out, for nearly all that reads it runs only meanwhile.
let aim = /** @type {Aim} */ (/** @type {unknown} */ (null));

// Settling takes script that ran for the page's, so a listener must not be one. An observed event is handed to a
// promise, which asks whether it is a promise itself; the question is answered here, while the event is under way.
Object.defineProperty(MouseEvent.prototype, "then", {
  configurable: true,
  get() {
    if (aim !== null && getEventPhase.call(this) !== 0) judge(this);
  },
});
const getEventPhase = getter(Event.prototype, "eventPhase");
const ignore = () => {};

// Expects the next press to be the target's; with null, in a frame above, to be nobody's here. Its `name` is the one
// it was recognised by: the same node may stand for something else by then; null where that does not matter.
/** @param {Element | null} target @param {string | null} name */
export function takeAim(target, name) {
  pressed();
  const end = new AbortController();
  aim = { target, name, since: performance.now(), state: "waiting", by: null, end };
  for (const type of PRESSES) {
    // Without observables (before Chromium 135) every click is taken for one that ran a script.
    if (whenever) whenever.call(window, type, CAPTURING).first({ signal: end.signal }).then(ignore, ignore);
    else listenTo.call(window, type, judge, { ...CAPTURING, signal: end.signal });
  }
}

// What became of the press: {state}, and of a missed one what `failure` answers, without `by` where the target was
// met, but stood for something else or was disabled by then. Nothing is expected any more.
/** @returns {{ state: "waiting" | "hit" } | { state: "missed" } & Failure} */
export function pressed() {
  if (aim === null) return { state: "waiting" };
  for (const type of BELONGING) stopListening.call(window, type, block, CAPTURING);
  const { state, by, target, end } = aim;
  aim = /** @type {Aim} */ (/** @type {unknown} */ (null));
  end.abort();
  const cover = by === null ? { how: "", by } : coverOf(by, target);
  return state === "missed" ? { state, ...failure({ fail: "missed", ...cover }, target) } : { state };
}

/** @param {Event} event */
function judge(event) {
  if (aim.state !== "waiting" || !isInTime(event)) return;
  const hit = hitOf(/** @type {MouseEvent} */ (event));
  const isReached = aim.target !== null && isConnected(aim.target) && reaches(aim.target, hit);
  const isSame = isReached && !isDisabled(/** @type {Element} */ (aim.target)) && (aim.name === null || nameOf(/** @type {Element} */ (aim.target)) === aim.name);
  aim.state = isSame ? "hit" : "missed";
  aim.by = isReached ? null : hit;
  if (isSame) return;
  block(event);
  for (const type of BELONGING) listenTo.call(window, type, block, CAPTURING);
}

/** @param {Event} event */
const isInTime = (event) => event.isTrusted && event.timeStamp - aim.since < AIM_LASTS;

/** @param {Event} event */
function block(event) {
  if (!isInTime(event)) return;
  preventDefault.call(event);
  stopImmediatePropagation.call(event);
}

// The element that the event is sent to. From outside a closed root only its host is told.
/** @param {MouseEvent} event */
function hitOf(event) {
  const [hit] = /** @type {Element[]} */ (composedPath.call(event));
  return shadowRootOf(hit) === null ? hit : (elementAt(event.clientX, event.clientY) ?? hit);
}

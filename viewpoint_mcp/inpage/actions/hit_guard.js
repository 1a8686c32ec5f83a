// The guard of a press. The page may change between the hit test and the press. Therefore an observer checks the press
// before the page receives it. If the press would reach another element than the target, the guard blocks it and all
// events that follow from it.

import { isDisabled } from "./actionability.js";
import { coverOf, failure } from "./causes.js";
import { elementAt, reaches } from "./hit_points.js";
import { nameOf } from "../aria/names.js";
import { getter, isConnected, listenTo, shadowRootOf, stopListening } from "../dom/dom.js";

// The type checker does not know observables yet.
const { when: whenever } = /** @type {any} */ (EventTarget.prototype);
const { preventDefault, stopImmediatePropagation, composedPath } = Event.prototype;
const PRESSES = ["pointerdown", "mousedown"];
const BELONGING = [...PRESSES, "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"];
const AIM_LASTS = 3000; // ms; a later press does not belong to the action
const CAPTURING = { capture: true };

/**
 * The press that is expected.
 * @typedef {object} Aim
 * @property {Element | null} target
 * @property {string | null} name
 * @property {number} since
 * @property {"waiting" | "hit" | "missed"} state
  * @property {Element | null} by - The element that a missed press would have reached.
 * @property {AbortController} end
 */

// Null while no press is expected. The declared type omits null, because nearly all code that reads it runs during that
// time.
let aim = /** @type {Aim} */ (/** @type {unknown} */ (null));

// Settling attributes each script that runs to the page, so the guard must not be an event listener. Instead it
// observes the event with a promise. When the promise resolves with the event, it reads `then`. This getter runs at
// that moment, during the dispatch, and checks the press.
Object.defineProperty(MouseEvent.prototype, "then", {
  configurable: true,
  get() {
    if (aim !== null && getEventPhase.call(this) !== 0) judge(this);
  },
});
const getEventPhase = getter(Event.prototype, "eventPhase");
const ignore = () => {};

// Expect that the next press reaches the target. A target of null expects that no press reaches this document, because
// the press belongs to a child frame. If `name` is not null, the target must still have that name, because pages reuse
// nodes for other items.
/** @param {Element | null} target @param {string | null} name */
export function takeAim(target, name) {
  pressed();
  const end = new AbortController();
  aim = { target, name, since: performance.now(), state: "waiting", by: null, end };
  for (const type of PRESSES) {
    // Without observables (before Chromium 135), the guard needs a listener. Then each click counts as one that ran a
    // script.
    if (whenever) whenever.call(window, type, CAPTURING).first({ signal: end.signal }).then(ignore, ignore);
    else listenTo.call(window, type, judge, { ...CAPTURING, signal: end.signal });
  }
}

// Return the result for the expected press as {state} and stop expecting it. For a missed press, add the result of
// `failure`. `by` is null if the press reached the target, but the target had another name or was disabled.
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

// Compare the press with the expectation. Block it if it misses.
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

// Return the element that receives the event. Outside a closed shadow root, `composedPath` ends at its host, so a hit
// test finds the inner element.
/** @param {MouseEvent} event */
function hitOf(event) {
  const [hit] = /** @type {Element[]} */ (composedPath.call(event));
  return shadowRootOf(hit) === null ? hit : (elementAt(event.clientX, event.clientY) ?? hit);
}

// Between the hit test and the press of the mouse a page may change. So the press is looked at before the page sees
// it: one that would go to another element than was meant is kept from it, with all that belongs to it.

const { addEventListener: listenTo, removeEventListener: stopListening } = EventTarget.prototype;
const { preventDefault, stopImmediatePropagation, composedPath } = Event.prototype;
const MOUSE_EVENTS = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"];
const PRESSES = new Set(["pointerdown", "mousedown"]);
const AIM_LASTS = 3000; // ms; what nobody asked about by then is not ours to judge

let aim = null; // {target, name, since, state: "waiting"|"hit"|"missed", by}

// Expects the next press to be the target's; with null, in a frame above, to be nobody's here. Its `name` is the one
// it was recognised by: the same node may stand for something else by then; null where that does not matter.
function takeAim(target, name) {
  if (aim === null) for (const type of MOUSE_EVENTS) listenTo.call(window, type, judge, true);
  aim = { target, name, since: performance.now(), state: "waiting", by: null };
}

// What became of the press: {state}, and of a missed one what `failure` answers, without `by` where the target was another's by then. Nothing is expected any more.
function pressed(first) {
  if (aim === null) return { state: "waiting" };
  for (const type of MOUSE_EVENTS) stopListening.call(window, type, judge, true);
  const { state, by, target } = aim;
  aim = null;
  const cover = by === null ? { how: "", by } : coverOf(by, target);
  return state === "missed" ? { state, ...failure({ fail: "missed", ...cover }, target, first) } : { state };
}

function judge(event) {
  if (aim === null || !event.isTrusted || event.timeStamp - aim.since > AIM_LASTS) return;
  if (aim.state === "waiting" && PRESSES.has(event.type)) {
    const hit = hitOf(event);
    const isReached = aim.target !== null && isConnected(aim.target) && reaches(aim.target, hit);
    const isSame = isReached && (aim.name === null || nameOf(aim.target) === aim.name);
    aim.state = isSame ? "hit" : "missed";
    aim.by = isReached ? null : hit;
  }
  if (aim.state !== "missed") return;
  preventDefault.call(event);
  stopImmediatePropagation.call(event);
}

// The element that the event is sent to. From outside a closed root only its host is told.
function hitOf(event) {
  const [hit] = composedPath.call(event);
  return shadowRootOf(hit) === null ? hit : (elementAt(event.clientX, event.clientY) ?? hit);
}

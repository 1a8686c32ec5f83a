// Prepares an act on one element: brings it into view, waits while waiting can help, finds the point to
// hit and proves that a click there would reach it; or says why not. One call per act.

const { getClientRects, scrollIntoView } = Element.prototype;
const getChildren = getter(Element.prototype, "children");
const SAMPLES = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.1], [0.9, 0.9]];

// The element that would receive an event at the point, looked up through the shadow roots.
function elementAt(x, y) {
  let hit = Document.prototype.elementFromPoint.call(document, x, y);
  for (;;) {
    const root = hit && shadowRootOf(hit);
    const inner = root && ShadowRoot.prototype.elementFromPoint.call(root, x, y);
    if (!inner || inner === hit) return hit;
    hit = inner;
  }
}

function reaches(target, hit) {
  if (hit !== null && isHtmlTag(target, "area") && hit === imageOf(target)) return true;
  for (let node = hit; node; node = flatParentOf(node)) {
    if (node === target) return true;
    // A click on a label is a click on its control, and the control may be drawn by the label alone.
    if (isHtmlTag(node, "label") && getControl.call(node) === target) return true;
  }
  return false;
}

// The parts of the element that lie in the viewport, the largest first: a link may be broken over lines.
function visibleRects(target) {
  const rects = [];
  for (const rect of boxesOf(target)) {
    const left = Math.max(rect.left, 0);
    const top = Math.max(rect.top, 0);
    const width = Math.min(rect.right, innerWidth) - left;
    const height = Math.min(rect.bottom, innerHeight) - top;
    if (width > 0 && height > 0) rects.push({ left, top, width, height });
  }
  return rects.sort((a, b) => b.width * b.height - a.width * a.height);
}

// An element that is not drawn itself (display: contents) is where its children are.
function boxesOf(target) {
  if (isHtmlTag(target, "area")) return boxesOfArea(target);
  const own = [...getClientRects.call(target)].filter((rect) => rect.width > 0 && rect.height > 0);
  if (own.length || getComputedStyle(target).display !== "contents") return own;
  return [...getChildren.call(target)].flatMap((child) => boxesOf(child));
}

function findPoint(target) {
  let cover = null;
  for (const rect of visibleRects(target).slice(0, 3)) {
    for (const [fx, fy] of SAMPLES) {
      const point = { x: rect.left + rect.width * fx, y: rect.top + rect.height * fy };
      const hit = elementAt(point.x, point.y);
      if (hit && reaches(target, hit)) return { point };
      cover ??= hit;
    }
  }
  return { cover };
}

function isDrawn(target) {
  const style = getComputedStyle(target);
  return style.visibility === "visible" && boxesOf(target).length > 0;
}

function isDisabled(target) {
  return statesOf(target).disabled === true;
}

// What stands in the way of acting on the target now, or the point where it can be hit.
function tryTarget(target) {
  if (!isConnected(target)) return { fail: "gone" };
  if (isDisabled(target)) return { fail: "disabled" };
  if (!isDrawn(target)) return { fail: "hidden" };
  let found = findPoint(target);
  if (!found.point) {
    const shown = (isHtmlTag(target, "area") && imageOf(target)) || target;
    scrollIntoView.call(shown, { block: "center", inline: "center", behavior: "instant" });
    found = findPoint(target);
  }
  if (found.point) return found;
  return found.cover ? { fail: "covered", cover: found.cover } : { fail: "outside" };
}

function sameBox(a, b) {
  return a.left === b.left && a.top === b.top && a.width === b.width && a.height === b.height;
}

// Whether waiting may help. What moves may stop and what covers may move away; an element may appear or become
// enabled without a sign before, and is given `patience` ms for that.
function mayPass(attempt, waited, options) {
  if (attempt.fail === "moving") return waited < options.timeout;
  if (attempt.fail === "covered") return waited < options.timeout && finiteAnimationsRun();
  return worthWaiting(waited, options);
}

function worthWaiting(waited, options) {
  return waited < options.patience || (waited < options.timeout && finiteAnimationsRun());
}

function finiteAnimationsRun() {
  return animationsNow().some((animation) => {
    const end = animation.playState === "running" && animation.effect?.getComputedTiming().endTime;
    return typeof end === "number" && Number.isFinite(end);
  });
}

function told(target, extra) {
  return { role: roleOf(target) || "generic", name: nameOf(target), ...extra };
}

// Whether an animation runs that may carry the element along.
function isAnimated(target) {
  return animationsNow().some(({ playState, effect }) =>
    playState === "running" && effect?.target && isFlatAncestor(effect.target, target));
}

// Returns {role, name, x, y} in CSS pixels of this frame's viewport, or {fail, ...}: "gone", "disabled",
// "hidden", "outside", "moving", or "covered" with {by: {role, name, number}} and the registry's {next}.
async function prepare(number, options) {
  const target = element(number);
  if (!target) return { fail: "gone" };
  const start = performance.now();
  let attempt;
  for (;;) {
    const before = getBoundingClientRect.call(target);
    attempt = tryTarget(target);
    if (attempt.fail === "gone") return attempt;
    // Asked before the frame: with it the last animation may end, and then one more try is due.
    const isHopeful = mayPass(attempt, performance.now() - start, options);
    const isDrawn = await frame();
    if (attempt.point) {
      // Measured one frame apart: a box that moved (or was scrolled just now) is tried again. Without a frame nothing
      // had a chance to move.
      const isProven = isDrawn || performance.now() - start > options.patience || !isAnimated(target);
      if (isProven && sameBox(before, getBoundingClientRect.call(target))) return told(target, attempt.point);
      attempt = { fail: "moving" };
    }
    const isPatient = isHopeful || mayPass(attempt, performance.now() - start, options);
    if (!isPatient) return told(target, failure(attempt, options.first));
  }
}

function failure(attempt, first) {
  if (attempt.fail !== "covered") return { fail: attempt.fail };
  const { number, next } = register(attempt.cover, first);
  return { fail: "covered", by: told(attempt.cover, { number }), next };
}

// The number of the only element that the CSS selector matches: {number, next}, or {matches} or {invalid}.
function find(selector, first) {
  let found;
  try {
    found = queryAll(document, selector);
  } catch {
    return { invalid: true };
  }
  return found.length === 1 ? register(found[0], first) : { matches: found.length };
}

// The element's box in CSS pixels of this frame's viewport, scrolled into view: {x, y, width, height} or {fail}.
function boxFor(number) {
  const target = element(number);
  if (!target || !isConnected(target)) return { fail: "gone" };
  if (!isDrawn(target)) return told(target, { fail: "hidden" });
  scrollIntoView.call(target, { block: "nearest", inline: "nearest", behavior: "instant" });
  const box = getBoundingClientRect.call(target);
  return told(target, { x: box.left, y: box.top, width: box.width, height: box.height });
}

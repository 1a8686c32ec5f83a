// Prepares an act on one element: brings it into view, waits while waiting can help, finds the point to
// hit and proves that a click there would reach it; or says why not. One call per act.

const EDITABLE_TYPES = new Set(["text", "search", "email", "url", "tel", "password", "number", ""]);
const VALUE_TYPES = new Set(["date", "time", "datetime-local", "month", "week", "color", "range"]);
const { getClientRects, scrollIntoView } = Element.prototype;
const { dispatchEvent } = EventTarget.prototype;
const getChildren = getter(Element.prototype, "children");
const getOffsetWidth = getter(HTMLElement.prototype, "offsetWidth");
const getOffsetHeight = getter(HTMLElement.prototype, "offsetHeight");
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

// The point of a child frame's viewport in this frame's: {x, y}; with `hit`, scrolled to where it can be hit, or
// {fail} when something else would be. `first`: see `prepare`.
async function framePoint(number, x, y, hit, first) {
  const owner = element(number);
  if (!owner) return { fail: "gone" };
  const before = pointInOwner(owner, x, y);
  if (!hit) return before;
  let point = bringIntoView(owner, x, y);
  if (point.x !== before.x || point.y !== before.y) {
    // The browser sends events to frames of other processes by what it drew last.
    for (let drawn = 0; drawn < 3; drawn += 1) await frame();
    point = pointInOwner(owner, x, y);
  }
  const met = elementAt(point.x, point.y);
  if (met && reaches(owner, met)) return point;
  return failure(met ? { fail: "covered", cover: met } : { fail: "outside" }, first);
}

function bringIntoView(owner, x, y) {
  let point = pointInOwner(owner, x, y);
  if (!isInViewport(point) || !reaches(owner, elementAt(point.x, point.y))) {
    scrollIntoView.call(owner, { block: "nearest", inline: "nearest", behavior: "instant" });
    point = pointInOwner(owner, x, y);
  }
  if (isInViewport(point)) return point;
  scrollBy({ left: point.x - innerWidth / 2, top: point.y - innerHeight / 2, behavior: "instant" });
  return pointInOwner(owner, x, y);
}

// Scaled frames count; turned ones are not undone.
function pointInOwner(owner, x, y) {
  const box = getBoundingClientRect.call(owner);
  const style = getComputedStyle(owner);
  const inset = (side) => parseFloat(style[`border${side}Width`]) + parseFloat(style[`padding${side}`]);
  const scaleX = box.width / (getOffsetWidth.call(owner) || box.width || 1);
  const scaleY = box.height / (getOffsetHeight.call(owner) || box.height || 1);
  return { x: box.left + (inset("Left") + x) * scaleX, y: box.top + (inset("Top") + y) * scaleY };
}

const isInViewport = ({ x, y }) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;

function scrollOffset() {
  return { x: scrollX, y: scrollY };
}

function isEditable(node) {
  if (isHtmlTag(node, "textarea")) return true;
  if (isHtmlTag(node, "input")) return EDITABLE_TYPES.has(inputTypeOf(node)) || VALUE_TYPES.has(inputTypeOf(node));
  return isHtml(node) && getIsContentEditable.call(node);
}

// The text field meant by the element: itself, its label's control, or the only one inside it.
function editableIn(target) {
  if (isEditable(target)) return target;
  const control = isHtmlTag(target, "label") ? getControl.call(target) : null;
  if (control !== null && isEditable(control)) return control;
  const inside = [...querySelectorAll.call(target, "input, textarea, [contenteditable]")].filter(isEditable);
  return inside.length === 1 ? inside[0] : null;
}

// Focuses the text field of the element for typing; with `replace` its content is selected, so that what is
// inserted takes its place. Returns {role, name, kind: "text"|"value", empty} or {fail}.
async function focusFor(number, options) {
  const target = element(number);
  if (!target || !isConnected(target)) return { fail: "gone" };
  const start = performance.now();
  for (;;) {
    const field = editableIn(target);
    const fail = fieldFailure(field);
    if (!fail) return told(target, focusField(field, options.replace));
    if (fail === "not-editable" || !worthWaiting(performance.now() - start, options)) return told(target, { fail });
    await frame();
  }
}

function fieldFailure(field) {
  if (!field) return "not-editable";
  if (isDisabled(field)) return "disabled";
  if (isReadonly(field)) return "readonly";
  return isDrawn(field) ? null : "hidden";
}

// The members of the kind of control; null for other editable elements. A form may be one of those, and the names of
// its fields are properties of it: members are taken from the prototypes only.
function controlOf(field) {
  if (isHtmlTag(field, "textarea")) return TEXT_AREA;
  return isHtmlTag(field, "input") ? INPUT : null;
}

const controlMembers = (prototype) => ({
  select: prototype.select,
  setSelectionRange: prototype.setSelectionRange,
  getSelectionStart: getter(prototype, "selectionStart"),
  getValue: getter(prototype, "value"),
});
const INPUT = controlMembers(HTMLInputElement.prototype);
const TEXT_AREA = controlMembers(HTMLTextAreaElement.prototype);
const isValueField = (field) => isHtmlTag(field, "input") && VALUE_TYPES.has(inputTypeOf(field));

function focusField(field, replace) {
  scrollIntoView.call(field, { block: "nearest", inline: "nearest", behavior: "instant" });
  HTMLElement.prototype.focus.call(field, { preventScroll: true });
  const isValue = isValueField(field);
  const control = controlOf(field);
  const content = control === null ? textContentOf(field) : control.getValue.call(field);
  if (replace && !isValue) selectAll(field, control);
  else if (!isValue) caretToEnd(field, control);
  return { kind: isValue ? "value" : "text", empty: content === "" };
}

function selectAll(field, control) {
  if (control !== null) control.select.call(field);
  else getSelection().selectAllChildren(field);
}

function caretToEnd(field, control) {
  if (control === null) {
    const selection = getSelection();
    selection.selectAllChildren(field);
    selection.collapseToEnd();
  } else if (control.getSelectionStart.call(field) !== null) {
    const { length } = control.getValue.call(field);
    control.setSelectionRange.call(field, length, length);
  }
}

const setInputValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;

// Sets a field that has no text to type into (date, colour, range ...), with the events a person would cause.
// Returns null, or where the field takes no such value and keeps its own: the value it would make of it.
function setValue(number, text) {
  const field = editableIn(element(number));
  const before = getInputValue.call(field);
  setInputValue.call(field, text);
  if (!isSameValue(field, text)) {
    const instead = getInputValue.call(field);
    setInputValue.call(field, before);
    return instead;
  }
  dispatchEvent.call(field, new Event("input", { bubbles: true, composed: true }));
  dispatchEvent.call(field, new Event("change", { bubbles: true }));
  return null;
}

function isSameValue(field, text) {
  const value = getInputValue.call(field);
  const type = inputTypeOf(field);
  if (type === "range") return text.trim() !== "" && Number(value) === Number(text);
  if (type === "color") return value === text.toLowerCase();
  return (value === "") === (text === "");
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

// Draws boxes around elements, above everything else in the document. The body of a function, which runs once in the
// isolated world of a document, and returns the functions that Python calls.
//
// The page can see one element more: an inert child of <html> with a closed shadow root. Its position in the top layer,
// and the events of that, stay in the shadow tree.
"use strict";

const XHTML = "http://www.w3.org/1999/xhtml";
const BASE = "position: absolute; box-sizing: border-box; outline: 2px solid #d6336c; background: rgb(214 51 108 / 0.15); ";
const LABEL = "position: absolute; padding: 1px 5px; background: #d6336c; color: white; font: 12px/16px sans-serif; white-space: nowrap;";
const LABEL_HEIGHT = 18; // px
const STILL_FRAMES = 3; // without a movement, after which the boxes are not measured in each frame any more
// A form or a document can have children whose names hide these methods.
const rectOf = (node) => Element.prototype.getBoundingClientRect.call(node);
const rootOfDocument = () => Object.getOwnPropertyDescriptor(Document.prototype, "documentElement").get.call(document);
const create = (tag) => Document.prototype.createElementNS.call(document, XHTML, tag);

const shown = new Map(); // from each element to the parts that are drawn for it
let host = null, layer = null, observers = [], stillFrames = 0, isFollowing = false;

// Draw a box around the element, with a label. Return where the element is now, or what prevents the box.
function show(target, label, style) {
  if (rootOfDocument()?.namespaceURI !== XHTML) return "not HTML";
  const box = create("div");
  box.style.cssText = style;
  if (style.trim() !== "" && box.style.length === 0) return "bad style";
  box.style.cssText = BASE + style;
  box.style.setProperty("pointer-events", "none", "important");
  const tag = create("div");
  tag.style.cssText = LABEL;
  tag.textContent = label;
  hide(target);
  open();
  layer.append(box, tag);
  shown.set(target, { box, tag, drawn: null });
  update();
  follow();
  const part = partOf(target);
  if (part === null) return "hidden";
  return part.right > 0 && part.bottom > 0 && part.left < innerWidth && part.top < innerHeight ? "drawn" : "outside";
}

function hide(target) {
  const parts = shown.get(target);
  if (parts === undefined) return false;
  parts.box.remove();
  parts.tag.remove();
  shown.delete(target);
  if (shown.size === 0) close();
  return true;
}

function hideAll() {
  const count = shown.size;
  for (const target of [...shown.keys()]) hide(target);
  return count;
}

function open() {
  if (host !== null) {
    if (!host.isConnected) rootOfDocument().append(host); // the page replaced its content
    raise();
    return;
  }
  host = create("viewpoint-highlight");
  host.inert = true;
  host.style.cssText = "all: initial !important; display: contents !important;";
  layer = create("div");
  layer.popover = "manual";
  layer.style.cssText = "all: initial; display: block; position: fixed; inset: 0; width: auto; height: auto; "
    + "z-index: 2147483647; pointer-events: none;";
  host.attachShadow({ mode: "closed" }).append(layer);
  rootOfDocument().append(host);
  raise();
  addEventListener("scroll", follow, { capture: true, passive: true });
  addEventListener("resize", follow);
  addEventListener("toggle", raise, true); // of a dialog or popover, which may cover the layer
  addEventListener("fullscreenchange", raise, true);
}

function close() {
  host.remove();
  host = layer = null;
  for (const observer of observers) observer.disconnect();
  observers = [];
  removeEventListener("scroll", follow, { capture: true });
  removeEventListener("resize", follow);
  removeEventListener("toggle", raise, true);
  removeEventListener("fullscreenchange", raise, true);
}

// Put the layer above all others in the top layer.
function raise() {
  if (layer.matches(":popover-open")) layer.hidePopover();
  layer.showPopover();
}

// Measure the elements in each frame until they stand still. No script runs after that until one of them moves.
function follow() {
  stillFrames = 0;
  if (isFollowing) return;
  isFollowing = true;
  requestAnimationFrame(step);
}

function step() {
  if (host === null) {
    isFollowing = false;
    return;
  }
  stillFrames = update() ? 0 : stillFrames + 1;
  if (stillFrames < STILL_FRAMES) {
    requestAnimationFrame(step);
    return;
  }
  isFollowing = false;
  watchForMovement();
}

// Observe the size of each element, and whether it leaves the place where it is now.
function watchForMovement() {
  for (const observer of observers) observer.disconnect();
  observers = [];
  for (const target of shown.keys()) {
    const { left, top, right, bottom } = rectOf(target);
    const margins = [top, innerWidth - right, innerHeight - bottom, left].map((each) => `${-Math.floor(each)}px`);
    const options = { root: document, rootMargin: margins.join(" "), threshold: [0, 0.25, 0.5, 0.75, 0.9, 0.99, 1] };
    for (const Observer of [IntersectionObserver, ResizeObserver]) {
      let isFirst = true; // each observer reports once at its start
      const observer = new Observer(() => {
        if (!isFirst) follow();
        isFirst = false;
      }, options);
      observer.observe(target);
      observers.push(observer);
    }
  }
}

// Draw each box where its element is now. Return whether one of them moved.
function update() {
  let hasMoved = false;
  for (const [target, parts] of shown) {
    const part = partOf(target);
    const drawn = part === null ? "" : [part.left, part.top, part.right, part.bottom].join(" ");
    if (drawn === parts.drawn) continue;
    hasMoved = true;
    parts.drawn = drawn;
    place(parts, part);
  }
  return hasMoved;
}

function place({ box, tag }, part) {
  // The style of the caller must not move the box.
  for (const { style } of [box, tag]) style.setProperty("display", part === null ? "none" : "block", "important");
  if (part === null) return;
  const { left, top, right, bottom } = part;
  const size = { left, top, width: right - left, height: bottom - top };
  for (const [name, value] of Object.entries(size)) box.style.setProperty(name, `${value}px`, "important");
  box.style.setProperty("position", "absolute", "important");
  const below = bottom + LABEL_HEIGHT <= innerHeight ? bottom + 2 : Math.max(top, 0);
  const labelTop = top >= LABEL_HEIGHT + 2 ? top - LABEL_HEIGHT - 2 : below;
  tag.style.left = `${Math.max(0, Math.min(left - 2, innerWidth - rectOf(tag).width))}px`;
  tag.style.top = `${labelTop}px`;
}

// Return the part of the element that its scroll containers show; null if there is none.
function partOf(target) {
  if (!target.isConnected || !target.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) {
    if (!target.isConnected || getComputedStyle(target).display !== "contents") return null;
  }
  let { left, top, right, bottom } = rectOf(target);
  if (left === right && top === bottom) {
    const content = document.createRange();
    content.selectNodeContents(target);
    ({ left, top, right, bottom } = content.getBoundingClientRect());
  }
  let { position } = getComputedStyle(target);
  for (let at = target; position !== "fixed"; ) {
    at = at.assignedSlot ?? at.parentElement ?? at.getRootNode().host ?? null;
    if (at === null || at === rootOfDocument() || at === document.body) break;
    const style = getComputedStyle(at);
    position = style.position;
    if (style.overflowX === "visible" && style.overflowY === "visible") continue;
    const clip = rectOf(at);
    left = Math.max(left, clip.left);
    top = Math.max(top, clip.top);
    right = Math.min(right, clip.right);
    bottom = Math.min(bottom, clip.bottom);
  }
  return right > left && bottom > top ? { left, top, right, bottom } : null;
}

return { show, hide, hideAll };

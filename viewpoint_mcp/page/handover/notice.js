// Draws a notice for a person at the edge of the window: a message, a field, and buttons that answer it. The body of a
// function, which runs once in the isolated world of the main frame's document, and returns the functions that Python
// calls. The buttons call a binding that only this world has.
//
// The page can see one element more, with a closed shadow root. It cannot reach into the shadow tree, and its script
// cannot click: the notice accepts trusted events only.
"use strict";

const XHTML = "http://www.w3.org/1999/xhtml";
const CHECK_INTERVAL = 400; // ms
const EVENTS = [
  "pointerdown", "pointerup", "pointermove", "mousedown", "mouseup", "mousemove", "click", "dblclick", "auxclick",
  "contextmenu", "touchstart", "touchend", "keydown", "keypress", "keyup", "beforeinput", "input", "focusin", "focusout",
  "copy", "cut", "paste", "wheel",
];
const STYLE = `
  :host { all: initial !important; display: contents !important; }
  .bar { all: initial; position: fixed; inset: auto 0 12px; margin: 0 auto; display: block; box-sizing: border-box;
    width: fit-content; max-width: min(720px, calc(100vw - 24px)); padding: 12px 14px; border-radius: 10px;
    border: 2px solid #e8590c; background: #fffaf3; color: #1f1300; box-shadow: 0 6px 24px rgb(0 0 0 / 0.35);
    font: 14px/1.4 system-ui, sans-serif; cursor: default; visibility: visible; opacity: 1; }
  .bar.top { inset: 12px 0 auto; }
  .message { max-height: 30vh; overflow: auto; margin-bottom: 10px; white-space: pre-wrap; overflow-wrap: anywhere; }
  .message b { display: block; font-size: 12px; color: #a33f00; }
  .row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
  input { flex: 1 1 210px; min-width: 0; font: inherit; color: inherit; background: white; padding: 5px 8px;
    border: 1px solid #c9b8a6; border-radius: 6px; }
  button { font: inherit; padding: 5px 12px; border-radius: 6px; border: 1px solid #c9b8a6; background: white;
    color: inherit; cursor: pointer; }
  button.done { background: #2b8a3e; border-color: #2b8a3e; color: white; }
`;

// The page can replace these in its own world only, but a document can have children whose names hide its members.
const rootOfDocument = () => Object.getOwnPropertyDescriptor(Document.prototype, "documentElement").get.call(document);
const create = (tag) => Document.prototype.createElementNS.call(document, XHTML, tag);
const element = (tag, name, text) => {
  const made = create(tag);
  made.className = name;
  made.textContent = text;
  return made;
};

let host = null, shadow = null, bar = null, field = null, buttons = null, timer = 0;

// Draw the notice, unless it is there already. Return whether it is drawn.
function show(title, message, report) {
  if (host === null) {
    if (rootOfDocument()?.namespaceURI !== XHTML) return false;
    build(title, message, report);
    for (const name of EVENTS) addEventListener(name, receive, { capture: true, passive: false });
    addEventListener("pagehide", leave);
    timer = setInterval(place, CHECK_INTERVAL);
  }
  place();
  return true;
}

// The document may come back from the back/forward cache after the notice has ended.
function leave(event) {
  if (event.isTrusted) hide();
}

function hide() {
  if (host === null) return;
  clearInterval(timer);
  for (const name of EVENTS) removeEventListener(name, receive, { capture: true });
  removeEventListener("pagehide", leave);
  host.remove();
  host = shadow = bar = field = buttons = null;
}

function build(title, message, report) {
  host = create("viewpoint-notice");
  host.style.cssText = "all: initial !important; display: contents !important;";
  shadow = host.attachShadow({ mode: "closed" });
  // The policy of the page (CSP) may forbid a <style>.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  shadow.adoptedStyleSheets = [sheet];
  bar = element("div", "bar", "");
  bar.popover = "manual";
  const text = element("div", "message", "");
  text.append(element("b", "", title), message);
  field = element("input", "", "");
  field.placeholder = "Note for the agent (optional)";
  field.maxLength = 2000;
  const done = element("button", "done", "Done");
  const declined = element("button", "", "Cannot do it");
  const move = element("button", "", "\u2195");
  move.title = "Move to the other edge";
  const answer = (outcome) => report(JSON.stringify({ outcome, text: field.value }));
  buttons = new Map([
    [done, () => answer("done")],
    [declined, () => answer("declined")],
    [move, () => bar.classList.toggle("top")],
  ]);
  const row = element("div", "row", "");
  row.append(field, done, declined, move);
  bar.append(text, row);
  shadow.append(bar);
}

// Keep the notice in the document and above the page. A modal dialog makes everything outside of it inert, so the
// notice moves into it. A layer of the page that opened later may lie above it.
function place() {
  const root = rootOfDocument();
  if (root === null) return;
  host.style.cssText = "all: initial !important; display: contents !important;";
  const modals = Document.prototype.querySelectorAll.call(document, "dialog:modal");
  const home = modals.length > 0 ? modals[modals.length - 1] : root;
  const hasMoved = host.parentNode !== home;
  if (hasMoved) Element.prototype.append.call(home, host);
  if (hasMoved || !bar.matches(":popover-open") || isCovered()) {
    if (bar.matches(":popover-open")) bar.hidePopover();
    bar.showPopover();
  }
}

function isCovered() {
  const { left, top, right, bottom } = bar.getBoundingClientRect();
  const at = Document.prototype.elementFromPoint.call(document, (left + right) / 2, (top + bottom) / 2);
  return at !== null && at !== host;
}

// Keep the events of the notice from the page, and act on those of a person. This listener is on the window, because
// a page with a dialog of its own may stop all events outside of it at the document.
function receive(event) {
  if (host === null || event.target !== host) return;
  event.stopImmediatePropagation();
  const isField = shadow.activeElement === field;
  const at = event.clientX === undefined ? null : shadow.elementFromPoint(event.clientX, event.clientY);
  // The field of the page keeps the focus when a button is pressed.
  if (event.type === "mousedown" && at !== field) event.preventDefault();
  if (!event.isTrusted) return;
  if (event.type === "keydown" && event.key === "Enter" && isField && !event.isComposing) press("done");
  if (event.type !== "click") return;
  const isByKeyboard = event.detail === 0;
  buttons.get(isByKeyboard ? shadow.activeElement : at)?.();
}

function press(name) {
  for (const [button, act] of buttons) if (button.className === name) act();
}

return { show, hide, isShown: () => host !== null && host.isConnected };

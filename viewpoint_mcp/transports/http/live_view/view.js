/** The page of the live view: asks the server for pictures and states, and shows them. */

import { addEvent, listenToKeyboard, listenToMouse } from "./input.js";

/**
 * @typedef {{id: string, title: string, url: string, isAgents: boolean, isShown: boolean}} Tab
 * @typedef {{number: number, name: string, arguments: string, started: number,
 *   seconds: number | null, error: string}} Call
 * @typedef {{tabs: Tab[], isPinned: boolean, notice: string, awaitsFiles: boolean, controller: string,
 *   dialog: {kind: string, message: string, defaultText: string} | null, calls: Call[]}} State
 * @typedef {{now: number, picture: number, width: number, height: number, state: number,
 *   view: State | null}} Update
 */

const RETRY_PAUSE = 1000; // milliseconds
const STORED_KEY = "key";

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 */
function find(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`The page has no ${id}.`);
  return found;
}

const picture = find("picture", HTMLCanvasElement);
const keyboard = find("keyboard", HTMLTextAreaElement);
const control = find("control", HTMLButtonElement);
const dialog = find("dialog", HTMLFormElement);
const dialogText = find("dialog-text", HTMLInputElement);
const drawing = picture.getContext("2d");

const viewer = crypto.randomUUID();
const key = takeKey();
/** @type {State | null} */
let state = null;
let stateNumber = 0, pictureNumber = 0, clockAhead = 0;
let isOver = false;
let interruption = new AbortController();
/** @type {import("./input.js").PersonEvent[]} */
const queue = [];
let isSending = false;

/** Return the key of the URL, and remove it from there. A reload of the page finds it in the storage of the tab. */
function takeKey() {
  const given = location.hash.slice(1);
  if (given) {
    sessionStorage.setItem(STORED_KEY, given);
    history.replaceState(null, "", location.pathname);
  }
  return given || sessionStorage.getItem(STORED_KEY) || "";
}

/** @param {string} path @param {RequestInit} [options] */
function request(path, options) {
  return fetch(path, { ...options, headers: { Authorization: `Bearer ${key}` } });
}

function isInControl() {
  return state?.controller === viewer;
}

/** @param {string} text */
function showStatus(text, agent = "") {
  const role = find("role", HTMLElement);
  if (role.textContent !== text) role.textContent = text; // screen readers read each change
  find("agent", HTMLElement).textContent = agent;
}

/** @param {string} reason */
function end(reason) {
  isOver = true;
  state = null;
  document.body.className = "";
  for (const id of ["control", "screen", "address", "hint", "tabs"]) find(id, HTMLElement).hidden = true;
  showStatus(reason);
}

// ---- updates

async function poll() {
  while (!isOver) {
    interruption = new AbortController();
    try {
      const response = await request(`view/updates?${describeViewer()}`, { signal: interruption.signal });
      if ([401, 403, 410].includes(response.status)) {
        end("This live view is closed, or its URL is incomplete. Ask the agent for a new one.");
      } else if (response.ok) {
        await show(await response.arrayBuffer());
      } else {
        throw new Error(response.statusText);
      }
    } catch {
      if (interruption.signal.aborted) continue;
      document.body.classList.add("stale");
      showStatus("The connection is lost. Trying again…");
      pictureNumber = stateNumber = 0;
      await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE));
    }
  }
}

// The server stops the pictures while the page is hidden.
document.addEventListener("visibilitychange", () => interruption.abort());

function describeViewer() {
  const screen = find("screen", HTMLElement);
  const width = Math.round(screen.clientWidth * devicePixelRatio);
  const isNarrow = matchMedia("(max-width: 820px)").matches;
  const height = isNarrow ? 2 * width : Math.round(screen.clientHeight * devicePixelRatio);
  return new URLSearchParams(Object.entries({
    viewer, picture: `${pictureNumber}`, state: `${stateNumber}`, width: `${width}`, height: `${height}`,
    paused: `${document.hidden}`,
  }));
}

/** @param {ArrayBuffer} data */
async function show(data) {
  const bytes = new Uint8Array(data);
  const lineEnd = bytes.indexOf(10);
  /** @type {Update} */
  const update = JSON.parse(new TextDecoder().decode(bytes.subarray(0, lineEnd)));
  clockAhead = Date.now() - update.now;
  if (update.view) {
    stateNumber = update.state;
    showState(update.view);
  }
  if (bytes.length > lineEnd + 1) {
    const image = await createImageBitmap(new Blob([bytes.subarray(lineEnd + 1)], { type: "image/jpeg" }));
    [picture.width, picture.height] = [image.width, image.height];
    drawing?.drawImage(image, 0, 0);
    image.close();
    pictureNumber = update.picture;
  }
}

/** @param {State} next */
function showState(next) {
  const hadControl = isInControl();
  const hadDialog = Boolean(state?.dialog);
  state = next;
  const shown = next.tabs.find((tab) => tab.isShown);
  document.title = shown ? `${shown.title || shown.url} - live view` : "Live view";
  find("address", HTMLElement).textContent = shown?.url ?? "";
  document.body.className = isInControl() ? "controlled" : "";
  document.body.classList.toggle("stale", Boolean(next.notice));
  showControl(next);
  showTabs(next);
  showNotices(next, hadDialog);
  showCalls(next.calls);
  if (isInControl() && !hadControl && !next.dialog) keyboard.focus({ preventScroll: true });
}

/** @param {State} next */
function showControl(next) {
  const isOthers = next.controller !== "" && !isInControl();
  const isRunning = next.calls.some((call) => call.seconds === null);
  control.disabled = isOthers;
  control.textContent = isInControl() ? "Give back control" : "Take control";
  const agent = isRunning ? "The agent is running a call." : "The agent is idle.";
  if (isInControl()) showStatus("You have control.", agent);
  else showStatus(isOthers ? "Another person has control." : "Watching.", agent);
  find("hint", HTMLElement).textContent = isInControl()
    ? "Click into the picture, and type. Ctrl+Shift+Enter gives control back. What you type is in no log."
    : "";
}

/** @param {State} next */
function showTabs(next) {
  const buttons = next.tabs.map((tab) => {
    const button = makeButton(`${tab.isAgents ? "● " : ""}${tab.title || tab.url || "New tab"}`, () => act({ type: "tab", tab: tab.id }));
    button.ariaPressed = String(tab.isShown);
    button.title = tab.isAgents ? `${tab.url} (the tab of the agent)` : tab.url;
    return button;
  });
  if (next.isPinned) {
    const follow = makeButton("Follow the agent", () => act({ type: "tab", tab: null }));
    follow.className = "follow";
    buttons.unshift(follow);
  }
  replaceIfChanged(find("tabs", HTMLElement), buttons);
}

/** @param {State} next @param {boolean} hadDialog */
function showNotices(next, hadDialog) {
  const notice = find("notice", HTMLElement);
  notice.textContent = next.notice;
  notice.hidden = !next.notice;
  find("files", HTMLElement).hidden = !next.awaitsFiles;
  find("files-cancel", HTMLButtonElement).disabled = !isInControl();
  dialog.hidden = !next.dialog;
  if (!next.dialog) return;
  find("dialog-kind", HTMLElement).textContent = `The page shows ${next.dialog.kind === "alert" ? "an" : "a"} ${next.dialog.kind} dialog`;
  find("dialog-message", HTMLElement).textContent = next.dialog.message;
  dialogText.hidden = next.dialog.kind !== "prompt";
  find("dialog-dismiss", HTMLElement).hidden = next.dialog.kind === "alert";
  if (!hadDialog) dialogText.value = next.dialog.defaultText;
  for (const each of dialog.elements) {
    if (each instanceof HTMLButtonElement || each instanceof HTMLInputElement) each.disabled = !isInControl();
  }
}

/** @param {Call[]} calls */
function showCalls(calls) {
  const items = calls.toReversed().map((call) => {
    const item = document.createElement("li");
    const outcome = call.seconds === null ? "running" : call.error ? "failed" : "done";
    item.className = outcome;
    const head = makeText("div", "head", "");
    const mark = makeText("span", "mark", { running: "…", failed: "✗", done: "✓" }[outcome]);
    mark.ariaLabel = outcome;
    mark.setAttribute("role", "img");
    const name = makeText("span", "", "");
    name.append(mark, call.name.replace(/^browser_/, ""));
    const started = new Date(call.started + clockAhead).toLocaleTimeString();
    head.append(name, makeText("span", "time", call.seconds === null ? started : `${started} · ${call.seconds.toFixed(1)} s`));
    item.append(head);
    if (call.arguments) item.append(makeText("div", "details", call.arguments));
    if (call.error) item.append(makeText("div", "error", call.error));
    return item;
  });
  replaceIfChanged(find("calls", HTMLElement), items);
}

/** Replace the children, unless they look the same: else the focus and the selection would be lost.
 * @param {HTMLElement} parent @param {HTMLElement[]} children */
function replaceIfChanged(parent, children) {
  const look = children.map((each) => each.outerHTML).join("");
  if (parent.dataset.look === look) return;
  const focused = [...parent.children].findIndex((each) => each === document.activeElement);
  parent.dataset.look = look;
  parent.replaceChildren(...children);
  children[focused]?.focus();
}

/** @param {string} tag @param {string} className @param {string} text */
function makeText(tag, className, text) {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

/** @param {string} text @param {() => void} onClick */
function makeButton(text, onClick) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.addEventListener("click", onClick);
  return button;
}

// ---- input

/** @param {import("./input.js").PersonEvent} event */
function act(event) {
  addEvent(queue, event);
  if (!isSending) void sendAll();
}

/** Send what waits, one message after another. Events during a message are joined in the next one. */
async function sendAll() {
  isSending = true;
  try {
    while (queue.length > 0 && !isOver) {
      const events = queue.splice(0, 200);
      const response = await request("view/input", { method: "POST", body: JSON.stringify({ viewer, picture: pictureNumber, events }) });
      if (!response.ok) queue.length = 0; // control is lost; the next state shows it
    }
  } catch {
    queue.length = 0;
  } finally {
    isSending = false;
  }
}

control.addEventListener("click", () => act({ type: isInControl() ? "release" : "take" }));
dialog.addEventListener("submit", (event) => {
  event.preventDefault();
  answer(true);
});
find("dialog-dismiss", HTMLElement).addEventListener("click", () => answer(false));
find("files-cancel", HTMLElement).addEventListener("click", () => act({ type: "cancelFiles" }));

/** @param {boolean} accept */
function answer(accept) {
  act({ type: "dialog", accept, text: dialogText.hidden ? null : dialogText.value });
  keyboard.focus({ preventScroll: true });
}

/** @type {import("./input.js").View} */
const view = { isInControl, send: act, leave: () => {
  act({ type: "release" });
  control.focus();
} };
listenToMouse(picture, keyboard, view);
listenToKeyboard(keyboard, view);
addEventListener("hashchange", () => location.reload()); // a URL with another key
if (key) void poll();
else end("The URL is incomplete: it ends with # and a key.");

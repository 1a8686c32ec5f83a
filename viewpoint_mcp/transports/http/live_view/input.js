/** The mouse and the keyboard of the person, as events for the server. */

/** @typedef {Record<string, string | number | boolean | null>} PersonEvent */

const BUTTONS = ["left", "middle", "right", "back", "forward"];
const COMPOSED = ["Dead", "Process", "Unidentified"]; // keys of an input method; its text follows
const WHEEL_LINE = 16; // pixels

/**
 * Return the point of the picture that an event is at: (0, 0) is its upper left corner, and (1, 1)
 * its lower right one. The box of the picture may be scaled and zoomed.
 *
 * @param {{clientX: number, clientY: number}} event
 * @param {{left: number, top: number, width: number, height: number}} box
 */
export function toShare(event, box) {
  return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
}

/**
 * Add an event to those that wait for the server. Moves and turns of the wheel that wait are joined.
 *
 * @param {PersonEvent[]} queue
 * @param {PersonEvent} event
 */
export function addEvent(queue, event) {
  const last = queue.at(-1);
  if (last?.type === "move" && event.type === "move") queue.pop();
  if (last?.type === "wheel" && event.type === "wheel") {
    queue.pop();
    event = { ...event, right: Number(last.right) + Number(event.right), down: Number(last.down) + Number(event.down) };
  }
  queue.push(event);
}

/**
 * What the page of the view offers to the listeners.
 *
 * @typedef {{isInControl: () => boolean, send: (event: PersonEvent) => void, leave: () => void}} View
 */

/**
 * Listen to the mouse over the picture.
 *
 * @param {HTMLCanvasElement} picture
 * @param {HTMLTextAreaElement} keyboard Gets the focus.
 * @param {View} view
 */
export function listenToMouse(picture, keyboard, { isInControl, send }) {
  let pressed = 0;

  /** @param {MouseEvent} event */
  const place = (event) => toShare(event, picture.getBoundingClientRect());

  /** @param {string} type @param {MouseEvent} event */
  const sendButton = (type, event) => {
    const button = BUTTONS[event.button] ?? "left";
    send({ type, ...place(event), button, clicks: Math.min(Math.max(event.detail, 1), 3) });
  };

  picture.addEventListener("mousedown", (event) => {
    if (!isInControl()) return;
    event.preventDefault();
    keyboard.focus({ preventScroll: true });
    pressed += 1;
    sendButton("press", event);
  });
  window.addEventListener("mouseup", (event) => {
    if (!pressed) return;
    pressed -= 1;
    if (isInControl()) sendButton("up", event);
  });
  window.addEventListener("mousemove", (event) => {
    if (isInControl() && (pressed || event.target === picture)) send({ type: "move", ...place(event) });
  });
  picture.addEventListener("contextmenu", (event) => {
    if (isInControl()) event.preventDefault();
  });
  picture.addEventListener("wheel", (event) => {
    if (!isInControl()) return;
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : WHEEL_LINE;
    send({ type: "wheel", ...place(event), right: event.deltaX * unit, down: event.deltaY * unit });
  }, { passive: false });
}

/**
 * Listen to the keyboard.
 *
 * @param {HTMLTextAreaElement} keyboard Has the focus during the control, so that input methods and
 *   the clipboard work. It is emptied after each input.
 * @param {View} view
 */
export function listenToKeyboard(keyboard, { isInControl, send, leave }) {
  const takeText = () => {
    if (isInControl() && keyboard.value) send({ type: "text", text: keyboard.value });
    keyboard.value = "";
  };

  keyboard.addEventListener("keydown", (event) => {
    if (!isInControl() || event.isComposing || COMPOSED.includes(event.key)) return;
    if (event.ctrlKey && event.shiftKey && event.key === "Enter") {
      event.preventDefault();
      leave();
      return;
    }
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    const isCommand = hasModifier && !event.getModifierState("AltGraph");
    if (isCommand && event.key.toLowerCase() === "v") return; // the event `paste` follows
    event.preventDefault();
    send({ type: "key", key: event.key, code: event.code, types: event.key.length === 1 && !isCommand });
  });
  keyboard.addEventListener("keyup", (event) => {
    if (isInControl() && event.key) send({ type: "keyUp", key: event.key, code: event.code });
  });
  keyboard.addEventListener("paste", (event) => {
    event.preventDefault();
    const text = event.clipboardData?.getData("text/plain");
    if (isInControl() && text) send({ type: "text", text });
  });
  keyboard.addEventListener("input", (event) => {
    if (event instanceof InputEvent && !event.isComposing) takeText();
  });
  keyboard.addEventListener("compositionend", takeText);
  keyboard.addEventListener("blur", () => {
    if (isInControl()) send({ type: "releaseAll" });
  });
}

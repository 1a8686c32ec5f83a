// Prepares a field for typing, and sets those that take no text.

const EDITABLE_TYPES = new Set(["text", "search", "email", "url", "tel", "password", "number", ""]);
const VALUE_TYPES = new Set(["date", "time", "datetime-local", "month", "week", "color", "range"]);
const { dispatchEvent } = EventTarget.prototype;

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

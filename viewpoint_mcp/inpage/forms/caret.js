// The caret and the selection.

import { told } from "../actions/causes.js";
import { inputTypeOf, isFrameOwner } from "../aria/roles.js";
import { FRAGMENT, activeElement, getBody, isFlatAncestor, isHtml, isHtmlTag, rootNodeOf, typeOf } from "../dom/dom.js";
import { register } from "../dom/registry.js";
import { controlOf, getEditContext, isEditable, isFocused } from "./fields.js";

// Only Chromium has this method.
const { getSelection: getSelectionOfRoot } = /** @type {any} */ (ShadowRoot.prototype);
const LONGEST_SELECTION = 1000; // characters

// Return whether the caret or the selection is already in the field. A control has a caret while it has the focus. An
// editable element has a caret while the selection is inside it.
/** @param {Element} field @param {Element} host */
export function hasCaret(field, host) {
  if (controlOf(field) !== null || getEditContext.call(/** @type {HTMLElement} */ (host)) !== null) return isFocused(host) && Document.prototype.hasFocus.call(document);
  const { anchorNode, focusNode } = selectionIn(field);
  return anchorNode !== null && isFlatAncestor(host, anchorNode) && isFlatAncestor(host, focusNode);
}

// Return the selection as seen from the tree scope of the field. From outside, the nodes in a shadow tree are not
// accessible.
/** @param {Element} field */
function selectionIn(field) {
  const root = rootNodeOf(field);
  return (typeOf(root) === FRAGMENT ? getSelectionOfRoot?.call(root) : null) ?? getSelection();
}

// Return the text before (`head`) and after (`tail`) the text that typing replaces; null if the caret position is
// unknown. `isLoose` is true if the line ends in the texts may differ from those that the field shows.
/** @param {Element} field @param {string} text @param {boolean} keepsCaret @returns {{ head: string, tail: string, isLoose: boolean } | null} */
export function textAround(field, text, keepsCaret) {
  const control = controlOf(field);
  if (!keepsCaret) return { head: control === null ? text.trimEnd() : text, tail: "", isLoose: false };
  if (control !== null) {
    const start = control.getSelectionStart.call(field);
    return start === null ? null : { head: text.slice(0, start), tail: text.slice(control.getSelectionEnd.call(field)), isLoose: false };
  }
  const selection = selectionIn(field);
  if (selection.rangeCount === 0) return null;
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
  const [before, behind] = [new Range(), new Range()];
  before.selectNodeContents(field);
  before.setEnd(startContainer, startOffset);
  behind.selectNodeContents(field);
  behind.setStart(endContainer, endOffset);
  return { head: before.toString(), tail: behind.toString(), isLoose: true };
}

// Return the focused editable element of this document, or null. `activeElement` omits the body, so a body that is
// editable as a whole is checked separately.
/** @returns {Element | null} */
export function focusedEditable() {
  const active = activeElement();
  if (active !== null) return isEditable(active) ? active : null;
  const body = getBody.call(document);
  return body !== null && isEditable(body) && Document.prototype.hasFocus.call(document) ? body : null;
}

// Return the focused editable element if it is the target or inside it, or else null.
/** @param {Element} target */
export function focusedIn(target) {
  const field = focusedEditable();
  return field !== null && isFlatAncestor(target, field) ? field : null;
}

// Return a description of the focused element, with the selected text. `isFrame` is true if the element shows another
// document and the focus is in that document. Without a focused element, return only the selected text.
/** @returns {Partial<Named> & { number?: number, isEditable?: boolean, isFrame?: boolean, selected: Selected }} */
export function focusNow() {
  const active = focusedEditable() ?? activeElement();
  const selected = selectedNow(active);
  if (active === null) return { selected };
  const known = { number: register(active), isEditable: isEditable(active), isFrame: isFrameOwner(active) };
  return told(active, { ...known, selected });
}

// Return the selected text and its length. The text is cut, and null for a password.
/** @param {Element | null} active */
function selectedNow(active) {
  const text = selectedCharacters(active);
  return { text: isSecret(active) ? null : text.slice(0, LONGEST_SELECTION), count: text.length };
}

// Return the whole selected text; null for a password.
/** @param {Element | null} active */
export const selectedTextOf = (active) => (isSecret(active) ? null : selectedCharacters(active));

// Return whether the element is a field for a password.
/** @param {Element | null} active */
export const isSecret = (active) => active !== null && isHtmlTag(active, "input") && inputTypeOf(active) === "password";

/** @param {Element | null} active */
function selectedCharacters(active) {
  const control = active === null ? null : controlOf(active);
  const context = active !== null && isHtml(active) ? getEditContext.call(active) : null;
  let text = String(active === null ? getSelection() : selectionIn(active));
  if (context !== null) text = context.text.slice(...[context.selectionStart, context.selectionEnd].sort((a, b) => a - b));
  else if (active !== null && control !== null) {
    const start = control.getSelectionStart.call(active);
    text = start === null ? "" : control.getValue.call(active).slice(start, control.getSelectionEnd.call(active));
  }
  return text;
}

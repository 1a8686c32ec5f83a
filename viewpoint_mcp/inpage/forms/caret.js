// Where the caret is, and what is selected.

import { told } from "../actions/causes.js";
import { inputTypeOf, isFrameOwner } from "../aria/roles.js";
import { FRAGMENT, activeElement, getBody, isFlatAncestor, isHtml, isHtmlTag, rootNodeOf, typeOf } from "../dom/dom.js";
import { register } from "../dom/registry.js";
import { controlOf, getEditContext, isEditable, isFocused } from "./fields.js";

// Chromium alone has this method.
const { getSelection: getSelectionOfRoot } = /** @type {any} */ (ShadowRoot.prototype);
const LONGEST_SELECTION = 1000; // characters that are read of it

// Whether the caret or a selection is in the field already. A control has a caret while it has the focus, an editable
// element while the selection is in it.
/** @param {Element} field @param {Element} host */
export function hasCaret(field, host) {
  if (controlOf(field) !== null || getEditContext.call(/** @type {HTMLElement} */ (host)) !== null) return isFocused(host) && Document.prototype.hasFocus.call(document);
  const { anchorNode, focusNode } = selectionIn(field);
  return anchorNode !== null && isFlatAncestor(host, anchorNode) && isFlatAncestor(host, focusNode);
}

// The selection as the tree scope of the element sees it: outside of a shadow tree its nodes are not told.
/** @param {Element} field */
function selectionIn(field) {
  const root = rootNodeOf(field);
  return (typeOf(root) === FRAGMENT ? getSelectionOfRoot?.call(root) : null) ?? getSelection();
}

// The text before and behind what typing replaces. `isLoose`: the ends of lines in it are not those that the field
// shows; null where nobody knows where the caret is.
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

// The editable element that has the focus in this document: one that is editable as a whole is not told by others.
/** @returns {Element | null} */
export function focusedEditable() {
  const active = activeElement();
  if (active !== null) return isEditable(active) ? active : null;
  const body = getBody.call(document);
  return body !== null && isEditable(body) && Document.prototype.hasFocus.call(document) ? body : null;
}

/** @param {Element} target */
export function focusedIn(target) {
  const field = focusedEditable();
  return field !== null && isFlatAncestor(target, field) ? field : null;
}

// What has the focus in this document, and what is selected there. `isFrame`: it shows another document, and the focus
// is there.
/** @returns {Partial<Named> & { number?: number, isEditable?: boolean, isFrame?: boolean, selected: Selected }} */
export function focusNow() {
  const active = focusedEditable() ?? activeElement();
  const selected = selectedNow(active);
  if (active === null) return { selected };
  const known = { number: register(active), isEditable: isEditable(active), isFrame: isFrameOwner(active) };
  return told(active, { ...known, selected });
}

/** @param {Element | null} active */
function selectedNow(active) {
  const control = active === null ? null : controlOf(active);
  const context = active !== null && isHtml(active) ? getEditContext.call(active) : null;
  let text = String(active === null ? getSelection() : selectionIn(active));
  if (context !== null) text = context.text.slice(...[context.selectionStart, context.selectionEnd].sort((a, b) => a - b));
  else if (active !== null && control !== null) {
    const start = control.getSelectionStart.call(active);
    text = start === null ? "" : control.getValue.call(active).slice(start, control.getSelectionEnd.call(active));
  }
  const isSecret = active !== null && isHtmlTag(active, "input") && inputTypeOf(active) === "password";
  return { text: isSecret ? null : text.slice(0, LONGEST_SELECTION), count: text.length };
}

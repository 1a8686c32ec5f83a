// Basic visibility of elements. These functions must be called in a `look`, which caches the style of each element.
// Reading one property of a computed style costs more than ten DOM calls.

import {
  activeElement, assignedNodes, childWithTag, flatChildrenOf, flatParentOf, getBody, getDocumentElement, has, isHtml,
  isHtmlTag, isJavaScriptOff, isSvg, isTrue, localNameOf, parentOf, queryAll,
} from "../dom/dom.js";
import { memo } from "../dom/memo.js";

// Return the cached style properties of the element.
/** @param {Element} target @returns {Paint} */
export function paintOf(target) {
  const known = memo.paints.get(target);
  if (known !== undefined) return known;
  const style = getComputedStyle(target);
  const { display, visibility, cursor } = style;
  const paint = { style, display, isVisible: visibility === "visible", isPointer: cursor === "pointer" };
  memo.paints.set(target, paint);
  return paint;
}

/** @param {Element} target */
export const styleOf = (target) => paintOf(target).style;

// Return the node and its ancestors in the flattened tree, the innermost first.
/** @param {Node | null} node */
export function flatPathOf(node) {
  const path = new Set();
  for (let at = node; at !== null; at = flatParentOf(at)) path.add(at);
  return path;
}

const focusPath = () => (memo.focusPath ??= flatPathOf(activeElement()));

// Return the modal dialog that makes the rest of the document inert, with its ancestors; null if there is none. If
// several are open, take the last one in the tree, because the order of the top layer is not accessible.
export function topModal() {
  if (memo.modal === undefined) {
    const dialogs = queryAll(document, "dialog:modal");
    const dialog = dialogs[dialogs.length - 1] ?? null;
    memo.modal = dialog && { dialog, path: flatPathOf(dialog) };
  }
  return memo.modal;
}

export const NEVER_SHOWN = new Set(["script", "style", "head", "meta", "link", "title", "noscript", "template", "datalist", "param",
  "source", "track", "base", "colgroup", "col", "area", "rp"]);
if (isJavaScriptOff) NEVER_SHOWN.delete("noscript");
const NEVER_SHOWN_SVG = new Set(["defs", "title", "desc", "metadata", "symbol", "clipPath", "mask", "marker", "pattern",
  "linearGradient", "radialGradient", "filter", "script", "style"]);

// Return whether the element and its descendants are neither rendered nor exposed to assistive technology.
/** @param {Element} target */
export const isGone = (target) => isAriaHidden(target) || isUnshown(target);

// Return whether the element and its descendants are hidden for a reason other than aria-hidden.
/** @param {Element} target */
export function isUnshown(target) {
  const tag = localNameOf(target);
  if (isSvg(target) ? NEVER_SHOWN_SVG.has(tag) : NEVER_SHOWN.has(tag)) return true;
  return isInert(target) || isNotLaidOut(target);
}

/** @param {Element} target */
function isNotLaidOut(target) {
  const { display } = paintOf(target);
  return display === "none" || display === "";
}

// Return whether the element has no style. This happens to a child that is assigned to no slot of its parent's shadow
// root.
/** @param {Element} target */
export const isUnstyled = (target) => paintOf(target).display === "";

// Return whether the element is aria-hidden. As in Chrome, the attribute has no effect on the body, the root element,
// or an element that contains the focus.
/** @param {Element} target */
export function isAriaHidden(target) {
  if (!isTrue(target, "aria-hidden")) return false;
  return !focusPath().has(target) && target !== getBody.call(document) && target !== getDocumentElement.call(document);
}

// Return whether the element is inert, by its attribute or because of a modal dialog.
/** @param {Element} target */
function isInert(target) {
  if (has(target, "inert") && isHtml(target)) return true;
  const modal = topModal();
  if (modal === null || modal.path.has(target)) return false;
  // Only a sibling of the path to the dialog starts an inert part. Elements inside the dialog are not inert.
  const parent = flatParentOf(target);
  return parent !== null && parent !== modal.dialog && modal.path.has(parent);
}

// Return whether the element has `visibility: visible`. Its descendants may differ.
/** @param {Element} target */
export const isVisible = (target) => paintOf(target).isVisible;

// Return whether the cursor over the element is a pointer.
/** @param {Element} target */
export const isPointer = (target) => paintOf(target).isPointer;

// Return whether the children of a rendered element are not rendered, because of `content-visibility: hidden`.
/** @param {Element} target */
function hidesChildren(target) {
  const { display, style } = paintOf(target);
  return display !== "inline" && style.contentVisibility === "hidden";
}

// Return the visible children in the flattened tree. A closed <details> shows only its summary.
/** @param {Element} target */
export function shownChildrenOf(target) {
  if (isHtmlTag(target, "details") && !has(target, "open")) {
    const summary = childWithTag(target, "summary");
    return summary === null ? [] : [summary];
  }
  return hidesChildren(target) ? [] : flatChildrenOf(target);
}

// Return whether the element or an ancestor prevents it from being rendered. Use this for elements that were not
// reached by a walk from the top.
/** @param {Element} target */
export function isHidden(target) {
  let top = target;
  for (let at = /** @type {Element | null} */ (target); at !== null; at = flatParentOf(at)) {
    if (isGone(at) || (at !== target && leavesOut(at, top))) return true;
    top = at;
  }
  return top !== getDocumentElement.call(document) || !isVisible(target);
}

// Return whether `shownChildrenOf` omits the child. This check does not build the list, which may be long.
/** @param {Element} parent @param {Element} child */
function leavesOut(parent, child) {
  if (isHtmlTag(parent, "details") && !has(parent, "open")) return childWithTag(parent, "summary") !== child;
  if (isHtmlTag(parent, "slot") && parentOf(child) === parent && assignedNodes.call(parent).length > 0) return true;
  return hidesChildren(parent);
}

export const INLINE = new Set(["inline", "contents", "ruby", "ruby-text", "ruby-base"]);
/** @param {Element} target */
export const isInline = (target) => INLINE.has(paintOf(target).display);

// Return whether the box starts a new line. An inline-block does not, but it is separate from its neighbours.
/** @param {Element} target */
export const startsLine = (target) => {
  const { display } = paintOf(target);
  return !INLINE.has(display) && !display.startsWith("inline-");
};

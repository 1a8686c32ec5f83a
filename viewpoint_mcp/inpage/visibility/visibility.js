// What is shown at all, and how. Called within a `look`, which remembers how each element is drawn: reading one
// property of a computed style costs more than asking the element ten times for its name.

import {
  activeElement, assignedNodes, childWithTag, flatChildrenOf, flatParentOf, getBody, getDocumentElement, has, isHtml,
  isHtmlTag, isSvg, isTrue, localNameOf, parentOf, queryAll,
} from "../dom/dom.js";
import { memo } from "../dom/memo.js";

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

/** @param {Node | null} node */
export function flatPathOf(node) {
  const path = new Set();
  for (let at = node; at !== null; at = flatParentOf(at)) path.add(at);
  return path;
}

const focusPath = () => (memo.focusPath ??= flatPathOf(activeElement()));

// The dialog that makes the rest of the document inert, or null. Of several the last one in the tree is taken, since
// the order of the top layer cannot be asked for.
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
const NEVER_SHOWN_SVG = new Set(["defs", "title", "desc", "metadata", "symbol", "clipPath", "mask", "marker", "pattern",
  "linearGradient", "radialGradient", "filter", "script", "style"]);

// Whether nothing of the element and its descendants is shown or told to anyone.
/** @param {Element} target */
export const isGone = (target) => isAriaHidden(target) || isUnshown(target);

// The same, as long as the element is not aria-hidden.
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

// A child that no slot of its parent's shadow root takes has no style at all.
/** @param {Element} target */
export const isUnstyled = (target) => paintOf(target).display === "";

// As in Chrome, aria-hidden does not hide the page as a whole, nor what holds the focus.
/** @param {Element} target */
export function isAriaHidden(target) {
  if (!isTrue(target, "aria-hidden")) return false;
  return !focusPath().has(target) && target !== getBody.call(document) && target !== getDocumentElement.call(document);
}

/** @param {Element} target */
function isInert(target) {
  if (has(target, "inert") && isHtml(target)) return true;
  const modal = topModal();
  if (modal === null || modal.path.has(target)) return false;
  // A sibling of the way to the modal dialog: what is inside the dialog has it on its own way.
  const parent = flatParentOf(target);
  return parent !== null && parent !== modal.dialog && modal.path.has(parent);
}

// Whether the element itself is painted, where its parents are; a descendant may still be, or not.
/** @param {Element} target */
export const isVisible = (target) => paintOf(target).isVisible;

/** @param {Element} target */
export const isPointer = (target) => paintOf(target).isPointer;

// Whether the children of a shown element are not shown: they are laid out by nobody.
/** @param {Element} target */
function hidesChildren(target) {
  const { display, style } = paintOf(target);
  return display !== "inline" && style.contentVisibility === "hidden";
}

// The children to look at: all in the flattened tree, but of a closed <details> the summary only.
/** @param {Element} target */
export function shownChildrenOf(target) {
  if (isHtmlTag(target, "details") && !has(target, "open")) {
    const summary = childWithTag(target, "summary");
    return summary === null ? [] : [summary];
  }
  return hidesChildren(target) ? [] : flatChildrenOf(target);
}

// Whether the element or an ancestor keeps it from being shown: for elements met outside of a walk from the top.
/** @param {Element} target */
export function isHidden(target) {
  let top = target;
  for (let at = /** @type {Element | null} */ (target); at !== null; at = flatParentOf(at)) {
    if (isGone(at) || (at !== target && leavesOut(at, top))) return true;
    top = at;
  }
  return top !== getDocumentElement.call(document) || !isVisible(target);
}

// Whether the child is not among those that `shownChildrenOf` tells of its parent; that list may be long.
/** @param {Element} parent @param {Element} child */
function leavesOut(parent, child) {
  if (isHtmlTag(parent, "details") && !has(parent, "open")) return childWithTag(parent, "summary") !== child;
  if (isHtmlTag(parent, "slot") && parentOf(child) === parent && assignedNodes.call(parent).length > 0) return true;
  return hidesChildren(parent);
}

export const INLINE = new Set(["inline", "contents", "ruby", "ruby-text", "ruby-base"]);
/** @param {Element} target */
export const isInline = (target) => INLINE.has(paintOf(target).display);

// Whether the box begins a line of its own; an inline-block does not, but stands apart from its neighbours.
/** @param {Element} target */
export const startsLine = (target) => {
  const { display } = paintOf(target);
  return !INLINE.has(display) && !display.startsWith("inline-");
};

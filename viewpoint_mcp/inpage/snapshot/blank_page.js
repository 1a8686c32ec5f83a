// Detection of blank documents. It runs after a load and must be fast, so it stops at the first visible content. A
// document with much content has some of it early in the tree.

import { closestFlat } from "../actions/causes.js";
import { nameOf } from "../aria/names.js";
import {
  FRAGMENT, animationsNow, checkVisibility, createTreeWalker, dataOf, getBody, getDocumentElement, getHost, getter,
  isElement, isHtmlTag, isSvg, keyword, parentOf, queryAll, typeOf,
} from "../dom/dom.js";
import { shadowRootsIn } from "../settle/changes.js";
import { LIVE_ROLES, isLoadingSign, isSign, ownTextOf } from "../settle/loading_signs.js";
import { isWholePage } from "./nodes.js";

const SHOWING = "a[href], button, input, select, textarea, summary, img, svg, canvas, video, audio, iframe, frame, object, " +
  "embed, [role], [tabindex], [contenteditable], [onclick]";

// Return whether the document, including known shadow roots, shows neither text nor a control or picture. Loading signs
// do not count as content (see settle/loading_signs.js).
/** @returns {boolean} */
export function showsNothing() {
  const top = getBody.call(document) ?? getDocumentElement.call(document);
  if (top === null || showsSomething(top)) return top === null;
  for (const root of shadowRootsIn(top)) if (showsSomething(root)) return false;
  return true;
}

/** @param {Scope} top */
function showsSomething(top) {
  const texts = createTreeWalker.call(document, top, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (dataOf(text).trim() !== "" && isSeen(parentOf(text)) && !isSignText(parentOf(text))) return true;
  }
  for (const found of queryAll(top, SHOWING)) if (isSeen(found) && !isPartOfSign(found)) return true;
  return false;
}

/** @param {Node | null} parent */
const isSignText = (parent) => parent !== null && isElement(parent) && isSign(parent);

// Return whether the element is part of a loading sign. A picture without a name counts as part of a spinner while an
// endless animation runs.
/** @param {Element} target */
function isPartOfSign(target) {
  const isPicture = isHtmlTag(target, "img") || isSvg(target);
  if (isPicture && nameOf(target) === "" && isTurning()) return true;
  return LIVE_ROLES.has(keyword(target, "role")) || closestFlat(target, (at) => !isWholePage(at) && isSign(at)) !== null;
}

const isTurning = () => animationsNow().some(({ playState, effect }) =>
  playState === "running" && effect?.getComputedTiming().endTime === Infinity);

// Return the loading state of a blank document, with the text of its loading signs. Return null if the document shows
// something.
/** @returns {{ isLoading: boolean, isTurning: boolean, text: string } | null} */
export function loadingNow() {
  if (!showsNothing()) return null;
  const found = [...queryAll(document, "*")].filter(isLoadingSign);
  const isLoading = getReadyState.call(document) !== "complete" || found.length > 0;
  return { isLoading, isTurning: isTurning(), text: found.map(ownTextOf).find((text) => text !== "") ?? "" };
}

const getReadyState = getter(Document.prototype, "readyState");

// Return whether the node is rendered. Scripts are not. For text directly in a shadow root, the host is checked.
/** @param {Node | null} node */
function isSeen(node) {
  const target = node !== null && typeOf(node) === FRAGMENT ? getHost.call(/** @type {ShadowRoot} */ (node)) : node;
  return target !== null && isElement(target) && checkVisibility.call(target, { visibilityProperty: true });
}

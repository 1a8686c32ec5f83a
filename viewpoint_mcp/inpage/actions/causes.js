// Causes: the reason why an element cannot be acted on, and the other element that is responsible.

import { isDisabled, isDrawn } from "./actionability.js";
import { clippersOf, getClientRects, intersect, ownBoxesOf } from "./hit_points.js";
import { nameOf, tidy } from "../aria/names.js";
import { roleOf } from "../aria/roles.js";
import {
  boxOf, childWithTag, closest, flatParentOf, getDocumentElement, has, isFlatAncestor, isHtml, isHtmlTag, isMatching,
  isTrue, parentOf, queryAll, textContentOf,
} from "../dom/dom.js";
import { look } from "../dom/memo.js";
import { register } from "../dom/registry.js";
import { changes, shadowRootsIn } from "../settle/changes.js";
import { isWholePage, printedRole, wantsOwnRef } from "../snapshot/nodes.js";
import { viewport } from "../visibility/unseen.js";
import { topModal } from "../visibility/visibility.js";

const DIALOGS = new Set(["dialog", "alertdialog"]);
const NO_ROLE = new Set(["generic", "none"]);
const LONGEST_TEXT = 60;

// Return the closest of the element and its ancestors in the flattened tree that `fits` accepts, or null.
/** @param {Element | null} target @param {(at: Element) => boolean} fits @returns {Element | null} */
export function closestFlat(target, fits) {
  for (let at = target; at !== null; at = flatParentOf(at)) if (fits(at)) return at;
  return null;
}

// Return what disables the element as {how, by}. `by` is null if the element itself is the cause; otherwise it is the
// ancestor.
/** @param {Element} target @returns {Reason} */
export function disabledBy(target) {
  if (isMatching(target, ":disabled")) {
    const isOwn = has(target, "disabled") && !isHtmlTag(target, "fieldset");
    const set = isOwn ? null : closestFlat(flatParentOf(target), (at) => isHtmlTag(at, "fieldset") && has(at, "disabled"));
    return { how: "fieldset", by: set };
  }
  const by = closestFlat(target, (at) => isTrue(at, "aria-disabled"));
  return { how: "aria-disabled", by: by === target ? null : by };
}

// Return what hides the element as {how, by}, or null if nothing does. `by` is null if the cause is the element itself
// or the frame.
/** @param {Element} target @returns {Reason | null} */
export function hiddenBy(target) {
  if (window !== window.top && getClientRects.call(getDocumentElement.call(document)).length === 0) return { how: "frame", by: null };
  if (isHtmlTag(target, "option") && getClientRects.call(target).length === 0) {
    return { how: "option", by: closest.call(target, "select") };
  }
  const at = outermostUnlaid(target);
  if (at !== null) return { ...at, by: at.by === target ? null : at.by };
  if (getComputedStyle(target).visibility !== "visible") return { how: "visibility", by: topmostHiding(target) };
  return ownBoxesOf(target).length === 0 && getComputedStyle(target).display !== "contents" ? { how: "size", by: null } : null;
}

// Return the outermost of the element and its ancestors that removes the element from the layout, and how. Return null
// if none does.
/** @param {Element} target @returns {Reason | null} */
function outermostUnlaid(target) {
  let top = target;
  let found = null;
  for (let at = /** @type {Element | null} */ (target); at !== null; at = flatParentOf(at)) {
    const how = unlaidHow(at, at === target ? null : top);
    if (how !== null) found = { how, by: at };
    top = at;
  }
  return top === getDocumentElement.call(document) ? found : (found ?? { how: "unslotted", by: /** @type {Element | null} */ (parentOf(top)) });
}

// Return how `at` removes `child` from the layout, or null. `child` is null if `at` is the target itself.
/** @param {Element} at @param {Element | null} child */
function unlaidHow(at, child) {
  if (child !== null && isHtmlTag(at, "details") && !has(at, "open") && childWithTag(at, "summary") !== child) return "details";
  const { display, contentVisibility } = getComputedStyle(at);
  if (child !== null && contentVisibility === "hidden" && display !== "inline") return "content-visibility";
  if (display !== "none") return null;
  if (isHtmlTag(at, "dialog") && !has(at, "open")) return "dialog";
  return has(at, "popover") ? "popover" : "display";
}

// Return the outermost ancestor from which the target inherits its `visibility`, or null if the target sets it itself.
/** @param {Element} target */
function topmostHiding(target) {
  let top = target;
  for (let at = flatParentOf(target); at !== null && getComputedStyle(at).visibility !== "visible"; at = flatParentOf(at)) top = at;
  return top === target ? null : top;
}

// Return why no point of a drawn element can be hit, as {fail, how, by}. For a covering element, `hit` is the hit
// target. `cover` is the element from the hit test, or null if the hit test found none.
/** @param {Element} target @param {Element | null} cover @returns {Obstacle} */
export function unreachable(target, cover) {
  const hidden = hiddenBy(target);
  if (hidden !== null && (hidden.how !== "size" || cover === null)) return { fail: "hidden", ...hidden };
  const inert = closestFlat(target, (at) => isHtml(at) && has(at, "inert"));
  if (inert !== null) return { fail: "inert", how: "", by: inert === target ? null : inert };
  const modal = look(topModal);
  if (modal !== null && !isFlatAncestor(modal.dialog, target)) {
    return { fail: "covered", how: "modal", by: modal.dialog, hit: modal.dialog };
  }
  if (getComputedStyle(target).pointerEvents === "none") return { fail: "through", how: "", by: cover };
  if (cover !== null && !isFlatAncestor(cover, target)) return { fail: "covered", ...coverOf(cover, target), hit: cover };
  return outsideBy(target) ?? (hidden && { fail: "hidden", ...hidden }) ?? { fail: "covered", how: "", by: cover, hit: cover };
}

// Return the element that names the covering element in a reply: its dialog, its fixed or sticky bar, or its closest
// part with a role. `how` is "modal", the position of the bar, or "".
/** @param {Element} hit @param {Element | null} target @returns {Reason} */
export function coverOf(hit, target) {
  /** @param {Element} at */
  const isApart = (at) => !isWholePage(at) && !isFlatAncestor(at, target);
  const dialog = closestFlat(hit, (at) => isApart(at) && (isHtmlTag(at, "dialog") || isTrue(at, "aria-modal") || DIALOGS.has(roleOf(at))));
  if (dialog !== null) {
    const isModal = isTrue(dialog, "aria-modal") || (isHtmlTag(dialog, "dialog") && isMatching(dialog, ":modal"));
    return { how: isModal ? "modal" : "", by: dialog };
  }
  const bar = closestFlat(hit, (at) => isApart(at) && isStaying(at));
  if (bar !== null && !coversViewport(bar)) return { how: getComputedStyle(bar).position, by: bar };
  const meaning = closestFlat(hit, (at) => !NO_ROLE.has(roleOf(at) || "generic"));
  return { how: "", by: meaning !== null && isApart(meaning) ? meaning : (bar ?? hit) };
}

/** @param {Element} at */
const isStaying = (at) => /^(fixed|sticky)$/.test(getComputedStyle(at).position);

// Return whether the element covers more than 80 percent of the viewport.
/** @param {Element} at */
function coversViewport(at) {
  const { width, height } = intersect(boxOf(at), viewport());
  return width * height > 0.8 * innerWidth * innerHeight;
}

// Return why the element is out of reach: an ancestor clips it, it lies beyond an edge of the viewport, or a clip path
// applies. Return null if none of these is the case.
/** @param {Element} target @returns {Obstacle | null} */
function outsideBy(target) {
  const box = boxOf(target);
  /** @param {Element} at */
  const isApart = (at) => {
    const { width, height } = intersect(box, boxOf(at));
    return width <= 0 || height <= 0;
  };
  for (const at of clippersOf(target)) if (isApart(at)) return { fail: "outside", how: "clipped", by: at };
  const side = box.right <= 0 ? "left" : box.bottom <= 0 ? "above" : box.left >= innerWidth ? "right" : box.top >= innerHeight ? "below" : "";
  if (side !== "") return { fail: "outside", how: side, by: null };
  const clip = closestFlat(target, (at) => getComputedStyle(at).clipPath !== "none" || getComputedStyle(at).clip !== "auto");
  return clip === null ? null : { fail: "outside", how: "clipped", by: clip === target ? null : clip };
}

// Return the description of an element for a reply: role, name and `extra`. `changes` is the document's change count so
// far, see `walk`.
/**
 * @template {object} [T={}]
 * @param {Element} target
 * @param {T} [extra]
 * @returns {Named & T}
 */
export function told(target, extra) {
  return /** @type {Named & T} */ ({ changes: changes(), role: printedRole(target, roleOf(target)), name: nameOf(target), ...extra });
}

// Return whether the covering element contains an enabled control. If it covers the whole viewport, the controls of
// open dialogs count too, since it may be the backdrop of one.
/** @param {Element} cover @param {Element} target */
export function offersAction(cover, target) {
  /** @param {Element} dialog */
  const isApart = (dialog) => dialog !== cover && isDrawn(dialog) && !isFlatAncestor(dialog, target);
  const dialogs = coversViewport(cover) ? [...queryAll(document, DIALOG_SELECTOR)].filter(isApart) : [];
  return look(() => [cover, ...dialogs].some((top) => elementsUnder(top).some(isActedOn)));
}

const DIALOG_SELECTOR = 'dialog[open], [role="dialog"], [role="alertdialog"], [aria-modal="true"]';
// Return the element and all its descendants, also those in shadow roots.
/** @param {Element} top @returns {Element[]} */
export const elementsUnder = (top) => [top, ...[top, ...shadowRootsIn(top)].flatMap((root) => [...queryAll(root, "*")])];
// Return whether the element is drawn, enabled and something to act on.
/** @param {Element} target */
export const isActedOn = (target) => wantsOwnRef(target, roleOf(target), { isPointer: false }) && isDrawn(target) && !isDisabled(target);

// Return the failure for a reply. `by` describes the responsible element with role, name, number and text; it is null
// if no other element is responsible.
/** @param {Obstacle} obstacle @param {Element | null} target @returns {Failure} */
export function failure({ fail, how = "", by }, target) {
  if (!by) return { fail, how, by: null };
  const text = isFlatAncestor(by, target) ? "" : shortTextOf(by);
  return { fail, how, by: told(by, { number: register(by), text }) };
}

// Return the first characters of the element's text.
/** @param {Element} target */
export const shortTextOf = (target) => tidy(textContentOf(target).slice(0, 10 * LONGEST_TEXT)).slice(0, LONGEST_TEXT);

// Signs that a covering element will disappear by itself. `page/actions/actionability_decision.py` decides what follows from
// them.

import { closestFlat, elementsUnder } from "./causes.js";
import { isAnimated } from "./motion.js";
import { tidy } from "../aria/names.js";
import { boxOf, flatChildrenOf, flatParentOf, isElement, isFlatAncestor, isHtmlTag, isTrue, keyword, textContentOf } from "../dom/dom.js";
import { isLoadingSign } from "../settle/loading_signs.js";
import { isWholePage } from "../snapshot/nodes.js";

const MOST_OF_OVERLAY = 400; // elements of the layers that are examined
const MOST_BESIDE = 50; // elements beside the covering element that are examined
const LIFTED = /^(absolute|fixed|sticky)$/;
const STATUS_ROLES = new Set(["status", "alert"]);

// Return the kinds of signs on the covering element or beside it: "animation", "busy", "status" or "spinner". "status"
// includes alerts and progress bars. `loading_signs.js` defines "spinner".
//   hit: the element that receives the click instead of the target; null if only the dialog is known
/**
 * @param {Covering} cover
 * @param {Element} target
 * @returns {string[]}
 */
export function signsOn({ by, hit }, target) {
  const overlay = overlayOf(hit ?? by, by, target);
  const beside = elementsBeside(overlay, target);
  const layers = [overlay, ...beside.filter(isLifted)];
  const looked = [...layers.flatMap(elementsUnder).slice(0, MOST_OF_OVERLAY), ...beside];
  /** @type {Record<string, boolean>} */
  const signs = {
    animation: isAnimated(layers, target),
    busy: closestFlat(overlay, (at) => isTrue(at, "aria-busy")) !== null || looked.some((at) => isTrue(at, "aria-busy")),
    status: looked.some(isStatus),
    spinner: looked.some(isLoadingSign),
  };
  return Object.keys(signs).filter((kind) => signs[kind]);
}

// Return the outermost element around the hit target that is positioned over the page and does not contain the target.
/** @param {Element} hit @param {Element} by @param {Element} target */
function overlayOf(hit, by, target) {
  let overlay = isFlatAncestor(by, hit) ? by : hit;
  for (let at = /** @type {Element | null} */ (hit); at !== null && !isWholePage(at) && !isFlatAncestor(at, target); at = flatParentOf(at)) {
    if (isLifted(at) && isFlatAncestor(at, overlay)) overlay = at;
  }
  return overlay;
}

// Return whether the element is positioned out of the flow, or is a wrapper without an area.
/** @param {Element} at */
function isLifted(at) {
  const { width, height } = boxOf(at);
  return width * height === 0 || LIFTED.test(getComputedStyle(at).position);
}

// Return the siblings of the covering element that do not contain the target.
/** @param {Element} overlay @param {Element} target @returns {Element[]} */
function elementsBeside(overlay, target) {
  const parent = flatParentOf(overlay);
  if (parent === null) return [];
  /** @param {Node} node @returns {node is Element} */
  const isBeside = (node) => isElement(node) && node !== overlay && !isFlatAncestor(node, target);
  return [...flatChildrenOf(parent)].filter(isBeside).slice(0, MOST_BESIDE);
}

// Return whether the element is a drawn progress bar, or a drawn status or alert with a text. Many pages keep an empty
// status element for screen readers, so a text is required.
/** @param {Element} at */
function isStatus(at) {
  const role = keyword(at, "role");
  const isProgress = role === "progressbar" || isHtmlTag(at, "progress");
  if (!isProgress && !STATUS_ROLES.has(role) && !isHtmlTag(at, "output")) return false;
  const { width, height } = boxOf(at);
  return width > 1 && height > 1 && (isProgress || tidy(textContentOf(at)) !== "");
}

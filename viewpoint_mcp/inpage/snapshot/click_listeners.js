// Elements with click listeners that scripts added. A script cannot see the listeners of another world. Therefore
// Python asks the debugger, and the elements are recorded here for the lifetime of the document.

import { INTERACTIVE, computeRole, roleOf } from "../aria/roles.js";
import {
  dataOf, flatChildrenOf, flatParentOf, getBody, isElement, isSvg, isText, localNameOf, parentOf, queryAll,
  querySelectorAll, textContentOf, trimmed,
} from "../dom/dom.js";
import { look } from "../dom/memo.js";
import { isWholePage } from "./nodes.js";
import { forgetWalk } from "./unchanged.js";
import { flatPathOf, isPointer, styleOf } from "../visibility/visibility.js";

/** @type {WeakSet<Node>} */
export const reacting = new WeakSet();
export let doAnyReact = false; // false on most pages, which saves the lookups

const INSIDE_DELEGATES = "a[href], button, input, select, textarea, summary, [role], [tabindex], [onclick], [contenteditable]";
const MANY_INSIDE = 3;
const MANY_PARTS = 9; // a board, some of whose fields may be empty

// Record the elements. Return for each whether a new walk would print it differently.
/** @param {...Element} targets @returns {boolean[]} */
export function react(...targets) {
  const news = look(() => targets.map((target) => {
    if (!isElement(target) || isWholePage(target)) return false;
    const role = roleOf(target);
    if (INTERACTIVE.has(role) || isResizeHandle(target)) return false;
    doAnyReact = true;
    reacting.add(target);
    // A listener gives a role to a link without an address, and to an SVG drawing around a part with a listener.
    return !isPointerRoot(target) || isSvg(target) || computeRole(target) !== role;
  }));
  if (news.includes(true)) forgetWalk();
  return news;
}

const GRID_PARTS = new Set(["row", "columnheader", "gridcell", "cell", "rowgroup", "grid", "table", "treegrid"]);
const HANDLE_DEPTH = 3; // levels between a handle and the part of a table

// Return whether the element is an empty handle that resizes a column or a part of a drawing. Grids have one for each
// column, and some one for each cell.
/** @param {Element} target */
function isResizeHandle(target) {
  const isHandle = styleOf(target).cursor.endsWith("-resize") || /(?:^|[\s_-])resiz/i.test(trimmed(target, "class"));
  if (!isHandle || textContentOf(target).trim() !== "") return false;
  const around = [...flatPathOf(target)].slice(1, HANDLE_DEPTH + 1).filter(isElement);
  return isSvg(target) || around.some((at) => GRID_PARTS.has(roleOf(at)));
}

// Return whether the pointer cursor starts at the element. Such an element counts as clickable even without a known
// listener.
/** @param {Element} target */
export function isPointerRoot(target) {
  const around = flatParentOf(target);
  return isPointer(target) && (around === null || !isPointer(around));
}

// Return whether a listener is meant for clicks on the element itself, and not for clicks on elements inside it.
/** @param {Element} target */
export function isReacting(target) {
  return doAnyReact && reacting.has(target) && !isDelegate(target);
}

/** @param {Element} target */
function isDelegate(target) {
  const count = querySelectorAll.call(target, INSIDE_DELEGATES).length;
  return count > MANY_INSIDE || (count > 0 && parentOf(target) === getBody.call(document));
}

// Return whether the element listens for clicks on its children. They must be of one kind and contain nothing else to
// act on.
/** @param {Element} target */
export function listensForParts(target) {
  if (!isReacting(target) || queryAll(target, INSIDE_DELEGATES).length > 0) return false;
  let [tag, count, empty] = ["", 0, 0];
  for (const child of flatChildrenOf(target)) {
    if (isText(child)) {
      if (dataOf(child).trim() !== "") return false;
      continue;
    }
    if (count > 0 && localNameOf(child) !== tag) return false;
    tag = localNameOf(child);
    count += 1;
    empty += Number(textContentOf(child).trim() === "");
  }
  if (count < MANY_PARTS && empty > 0 && empty < count) return false; // a label with an icon
  return count > 1 && !PHRASES.has(tag);
}

const PHRASES = new Set(["b", "i", "em", "strong", "br", "p", "svg", "path"]);

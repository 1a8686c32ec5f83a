// What reacts to the mouse by a listener that a script has added. No script can see those of another world, so the
// protocol tells which elements have one, and they are remembered here for the life of the document.

import { INTERACTIVE, computeRole, roleOf } from "../aria/roles.js";
import {
  dataOf, flatChildrenOf, flatParentOf, getBody, isElement, isSvg, isText, localNameOf, parentOf, queryAll,
  querySelectorAll,
} from "../dom/dom.js";
import { look } from "../dom/memo.js";
import { isWholePage } from "./nodes.js";
import { forgetWalk } from "./unchanged.js";
import { isPointer } from "../visibility/visibility.js";

/** @type {WeakSet<Node>} */
export const reacting = new WeakSet();
export let doAnyReact = false; // most pages: then no element need be looked up

const INSIDE_DELEGATES = "a[href], button, input, select, textarea, summary, [role], [tabindex], [onclick], [contenteditable]";
const MANY_INSIDE = 3;

// Remembers the elements; returns for each whether that is news: whether a walk tells it otherwise from now on.
/** @param {...Element} targets @returns {boolean[]} */
export function react(...targets) {
  const news = look(() => targets.map((target) => {
    if (!isElement(target) || isWholePage(target)) return false;
    const role = roleOf(target);
    if (INTERACTIVE.has(role)) return false;
    doAnyReact = true;
    reacting.add(target);
    // A listener gives a role to a link without an address, and to the drawing around a part of it.
    return !isPointerRoot(target) || isSvg(target) || computeRole(target) !== role;
  }));
  if (news.includes(true)) forgetWalk();
  return news;
}

// Where the pointer cursor begins, the element is known to react without being told.
/** @param {Element} target */
export function isPointerRoot(target) {
  const around = flatParentOf(target);
  return isPointer(target) && (around === null || !isPointer(around));
}

// Whether a click on the element itself is meant by its listener: not where it listens for what is in it.
/** @param {Element} target */
export function isReacting(target) {
  return doAnyReact && reacting.has(target) && !isDelegate(target);
}

/** @param {Element} target */
function isDelegate(target) {
  const count = querySelectorAll.call(target, INSIDE_DELEGATES).length;
  return count > MANY_INSIDE || (count > 0 && parentOf(target) === getBody.call(document));
}

// Whether the element listens for its children, which are of one kind and have nothing else in them to act on.
/** @param {Element} target */
export function listensForParts(target) {
  if (!isReacting(target) || queryAll(target, INSIDE_DELEGATES).length > 0) return false;
  let [tag, count] = ["", 0];
  for (const child of flatChildrenOf(target)) {
    if (isText(child)) {
      if (dataOf(child).trim() !== "") return false;
      continue;
    }
    if (count > 0 && localNameOf(child) !== tag) return false;
    tag = localNameOf(child);
    count += 1;
  }
  return count > 1 && !PHRASES.has(tag);
}

const PHRASES = new Set(["b", "i", "em", "strong", "br", "p", "svg", "path"]);

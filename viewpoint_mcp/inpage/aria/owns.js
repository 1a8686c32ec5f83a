// aria-owns: elements that are read as children of an element other than their parent. Each element has one owner, the
// first one that refers to it. An element cannot own its ancestor.

import { flatParentOf, isElement, queryAll, referenced, rootNodeOf, shadowRootOf } from "../dom/dom.js";
import { memo } from "../dom/memo.js";
import { isHidden, shownChildrenOf } from "../visibility/visibility.js";

/** @type {Element[]} */
export const NOTHING = [];

// Return the owners in the memo, with those of the tree scope added. A scope is read once per look.
/** @param {Scope} root */
function learnOwners(root) {
  const owners = (memo.owners ??= { scopes: new Set(), ownerOf: new Map(), ownedBy: new Map() });
  if (owners.scopes.has(root)) return owners;
  owners.scopes.add(root);
  if (!isElement(root)) for (const owner of queryAll(root, "[aria-owns]")) claim(owners, owner);
  return owners;
}

// Record the elements that `owner` owns. A hidden owner owns nothing, because its children would not be read.
/** @param {Owners} owners @param {Element} owner */
function claim(owners, owner) {
  if (isHidden(owner)) return;
  const owned = referenced(owner, "aria-owns")
    .filter((target) => !owners.ownerOf.has(target) && !isReadUnder(owners, owner, target));
  for (const target of owned) owners.ownerOf.set(target, owner);
  if (owned.length > 0) owners.ownedBy.set(owner, owned);
}

// Return whether the owner is read as part of the target. Two elements that own each other would be read without end.
/** @param {Owners} owners @param {Element} owner @param {Element} target */
function isReadUnder(owners, owner, target) {
  for (let at = /** @type {Element | null} */ (owner); at !== null; at = owners.ownerOf.get(at) ?? flatParentOf(at)) if (at === target) return true;
  return false;
}

// Return the children in reading order, without those that another element owns, and with the owned elements at the
// end.
/** @param {Element} target @param {(Element | Text)[]} children */
export function withOwned(target, children) {
  // A look starts in one tree scope and enters others through their hosts, so the scope need not be determined for each
  // element.
  const { ownerOf, ownedBy } = memo.owners ?? learnOwners(rootNodeOf(target));
  const shadow = shadowRootOf(target);
  if (shadow !== null) learnOwners(shadow);
  if (ownerOf.size === 0) return children;
  return [...children.filter((child) => !ownerOf.has(child)), ...(ownedBy.get(target) ?? NOTHING)];
}

// Return the visible children of the element in reading order.
/** @param {Element} target */
export const readChildrenOf = (target) => withOwned(target, shownChildrenOf(target));

// Return the element that the target is read as a child of: its owner or its parent in the flattened tree.
/** @param {Element} target */
export function readParentOf(target) {
  return learnOwners(rootNodeOf(target)).ownerOf.get(target) ?? flatParentOf(target);
}

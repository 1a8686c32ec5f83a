// aria-owns: elements that are read as children of another element than their parent. An element has one owner, the
// first that asks for it, and nothing can own what it is part of.

import { flatParentOf, isElement, queryAll, referenced, rootNodeOf, shadowRootOf } from "../dom/dom.js";
import { memo } from "../dom/memo.js";
import { isHidden, shownChildrenOf } from "../visibility/visibility.js";

/** @type {Element[]} */
export const NOTHING = [];

// Reads the aria-owns of a tree scope, once per look.
/** @param {Scope} root */
function learnOwners(root) {
  const owners = (memo.owners ??= { scopes: new Set(), ownerOf: new Map(), ownedBy: new Map() });
  if (owners.scopes.has(root)) return owners;
  owners.scopes.add(root);
  if (!isElement(root)) for (const owner of queryAll(root, "[aria-owns]")) claim(owners, owner);
  return owners;
}

// What is not shown itself cannot lend its place to others.
/** @param {Owners} owners @param {Element} owner */
function claim(owners, owner) {
  if (isHidden(owner)) return;
  const owned = referenced(owner, "aria-owns")
    .filter((target) => !owners.ownerOf.has(target) && !isReadUnder(owners, owner, target));
  for (const target of owned) owners.ownerOf.set(target, owner);
  if (owned.length > 0) owners.ownedBy.set(owner, owned);
}

// Whether the owner would be read as part of the target: two that own each other would be read for ever.
/** @param {Owners} owners @param {Element} owner @param {Element} target */
function isReadUnder(owners, owner, target) {
  for (let at = /** @type {Element | null} */ (owner); at !== null; at = owners.ownerOf.get(at) ?? flatParentOf(at)) if (at === target) return true;
  return false;
}

// The children in the order they are read: without those that another element owns, and with its own after them.
/** @param {Element} target @param {(Element | Text)[]} children */
export function withOwned(target, children) {
  // A look begins in one scope and enters the others by their hosts: there is no need to ask every element for its own.
  const { ownerOf, ownedBy } = memo.owners ?? learnOwners(rootNodeOf(target));
  const shadow = shadowRootOf(target);
  if (shadow !== null) learnOwners(shadow);
  if (ownerOf.size === 0) return children;
  return [...children.filter((child) => !ownerOf.has(child)), ...(ownedBy.get(target) ?? NOTHING)];
}

/** @param {Element} target */
export const readChildrenOf = (target) => withOwned(target, shownChildrenOf(target));

// The element of whose children it is read as one.
/** @param {Element} target */
export function readParentOf(target) {
  return learnOwners(rootNodeOf(target)).ownerOf.get(target) ?? flatParentOf(target);
}

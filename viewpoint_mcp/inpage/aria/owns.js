// aria-owns: elements that are read as children of another element than their parent. An element has one owner, the
// first that asks for it, and nothing can own what it is part of.

import { flatParentOf, isElement, queryAll, referenced, rootNodeOf, shadowRootOf } from "../dom/dom.js";
import { memo } from "../dom/memo.js";
import { isHidden, shownChildrenOf } from "../visibility/visibility.js";

export const NOTHING = [];

// Reads the aria-owns of a tree scope, once per look.
function learnOwners(root) {
  memo.owners ??= { scopes: new Set(), ownerOf: new Map(), ownedBy: new Map() };
  if (memo.owners.scopes.has(root)) return;
  memo.owners.scopes.add(root);
  if (isElement(root)) return;
  for (const owner of queryAll(root, "[aria-owns]")) claim(memo.owners, owner);
}

// What is not shown itself cannot lend its place to others.
function claim(owners, owner) {
  if (isHidden(owner)) return;
  const owned = referenced(owner, "aria-owns")
    .filter((target) => !owners.ownerOf.has(target) && !isReadUnder(owners, owner, target));
  for (const target of owned) owners.ownerOf.set(target, owner);
  if (owned.length > 0) owners.ownedBy.set(owner, owned);
}

// Whether the owner would be read as part of the target: two that own each other would be read for ever.
function isReadUnder(owners, owner, target) {
  for (let at = owner; at !== null; at = owners.ownerOf.get(at) ?? flatParentOf(at)) if (at === target) return true;
  return false;
}

// The children in the order they are read: without those that another element owns, and with its own after them.
export function withOwned(target, children) {
  // A look begins in one scope and enters the others by their hosts: there is no need to ask every element for its own.
  if (memo.owners === null) learnOwners(rootNodeOf(target));
  const shadow = shadowRootOf(target);
  if (shadow !== null) learnOwners(shadow);
  const { ownerOf, ownedBy } = memo.owners;
  if (ownerOf.size === 0) return children;
  return [...children.filter((child) => !ownerOf.has(child)), ...(ownedBy.get(target) ?? NOTHING)];
}

export const readChildrenOf = (target) => withOwned(target, shownChildrenOf(target));

// The element of whose children it is read as one.
export function readParentOf(target) {
  learnOwners(rootNodeOf(target));
  return memo.owners.ownerOf.get(target) ?? flatParentOf(target);
}

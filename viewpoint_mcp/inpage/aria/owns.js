// aria-owns: elements that are read as children of an element other than their parent. Each element has one owner, the
// first one that refers to it. An element cannot own its ancestor.

import {
  boxOf, closest, flatParentOf, isElement, keyword, parentOf, queryAll, referenced, rootNodeOf, shadowRootOf,
} from "../dom/dom.js";
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
  if (!isElement(root)) {
    for (const owner of queryAll(root, "[aria-owns]")) claim(owners, owner);
    joinRows(owners, queryAll(root, "[role=row][aria-rowindex]"));
  }
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

// Let the leftmost of the row elements with the same index in a grid own the cells of the others. Grids with pinned
// columns have one element for each group of columns.
/** @param {Owners} owners @param {Iterable<Element>} rows */
function joinRows(owners, rows) {
  /** @type {Map<Element | null, Map<string, Element[]>>} */
  const grids = new Map();
  for (const row of rows) {
    const grid = closest.call(row, "[role=grid], [role=treegrid], [role=table], table");
    const parts = grids.get(grid) ?? new Map();
    grids.set(grid, parts);
    const index = keyword(row, "aria-rowindex");
    parts.set(index, [...(parts.get(index) ?? NOTHING), row]);
  }
  for (const parts of [...grids.values()].flatMap((each) => [...each.values()])) if (parts.length > 1) joinParts(owners, parts);
}

/** @param {Owners} owners @param {Element[]} parts */
function joinParts(owners, parts) {
  const shown = parts.map((row) => ({ row, box: boxOf(row) })).filter(({ box }) => box.width > 0 && box.height > 0);
  if (shown.length < 2 || new Set(shown.map(({ row }) => parentOf(row))).size < shown.length) return;
  const [first, ...others] = shown.sort((one, other) => one.box.left - other.box.left).map(({ row }) => row);
  const cells = others.flatMap((row) => shownChildrenOf(row).filter(isElement));
  for (const each of [...others, ...cells]) owners.ownerOf.set(each, first);
  owners.ownedBy.set(first, [...(owners.ownedBy.get(first) ?? NOTHING), ...cells]);
}

// Return whether the element is read in another place than that of its parent.
/** @param {Element} target */
export const isOwned = (target) => memo.owners !== null && memo.owners.ownerOf.has(target);

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

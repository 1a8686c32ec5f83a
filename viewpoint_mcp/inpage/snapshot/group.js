// The group of an element: the row, list item, card or fieldset that distinguishes it from similar elements. Lists
// reuse their rows. Therefore the same "Delete" button may later belong to another item than the printed one.

import { nameOf, tidy } from "../aria/names.js";
import { isOwned, readParentOf } from "../aria/owns.js";
import { roleOf } from "../aria/roles.js";
import {
  FRAGMENT, contains, getHost, isConnected, isElement, isFlatAncestor, localNameOf, parentOf, queryAll,
  readOrNull,
  rootNodeOf, shadowRootOf, textContentOf, trimmed, typeOf,
} from "../dom/dom.js";
import { look } from "../dom/memo.js";
import { element } from "../dom/registry.js";
import { NAMED_BY_PARTS, isWholePage } from "./nodes.js";
import { newRun, walkFrom } from "./walker.js";

const GROUP_ROLES = new Set(["row", "listitem", "treeitem", "option", "article", "group", "radiogroup", "figure"]);
const LARGEST_GROUP = 1000; // characters; an element with more text is not a row

// Return the nodes of the element's group, as a walk prints them. Return null for an element without a group.
/** @param {number} number @returns {PrintedChild[] | null} */
export function groupAround(number) {
  const target = element(number);
  if (target === null || !isConnected(target)) return null;
  return look(() => {
    const group = [groupByRole(target), groupByTwins(target)].filter((each) => each !== null && saysMore(each, target)).map(joinedRowOf)
      .reduce((one, other) => (one !== null && isFlatAncestor(one, other) ? one : other), null);
    return group === null ? null : walkFrom(group, newRun({ hidden: true }));
  });
}

// Return the row that has the cells of this row, or the group itself.
/** @param {Element | null} group @returns {Element | null} */
const joinedRowOf = (group) => (group !== null && isOwned(group) && roleOf(group) === "row" ? readParentOf(group) : group);

// Return the group by role. An element that is printed without a name is recognised by its own text, so it is its own
// group.
/** @param {Element} target @returns {Element | null} */
function groupByRole(target) {
  const isNameless = NAMED_BY_PARTS.has(roleOf(target)) || nameOf(target) === "";
  if (isNameless && tidy(textContentOf(target)) !== "") return target;
  let at = readParentOf(target);
  while (at !== null && !GROUP_ROLES.has(roleOf(at))) at = readParentOf(at);
  return at;
}

// Return the largest element around the target that contains none of its twins. Without twins, return the host of the
// target's shadow root, if other elements have the host's tag. Otherwise return null.
/** @param {Element} target @returns {Element | null} */
function groupByTwins(target) {
  const root = rootNodeOf(target);
  const alike = [...queryAll(root, localNameOf(target))];
  const index = alike.indexOf(target);
  const looks = looksOf(target);
  /** @param {Element} other */
  const isTwin = (other) => looksOf(other) === looks;
  const twins = [alike.slice(0, index).findLast(isTwin), alike.slice(index + 1).find(isTwin)].filter((each) => each !== undefined);
  if (twins.length === 0) return groupOfHost(typeOf(root) === FRAGMENT ? readOrNull(getHost, root) : null);
  let group = target;
  for (let at = parentOf(target); at !== null && isElement(at) && !isWholePage(at); at = parentOf(at)) {
    if (twins.some((twin) => contains.call(at, twin))) break;
    group = at;
  }
  return group;
}

/** @param {Element | null} host */
const groupOfHost = (host) => (host !== null && queryAll(rootNodeOf(host), localNameOf(host)).length > 1 ? host : null);

// Return the properties that twins share: text, label, title and class.
/** @param {Element} target */
const looksOf = (target) =>
  [tidy(textContentOf(target)), trimmed(target, "aria-label"), trimmed(target, "title"), trimmed(target, "class")].join("\n");

// Return whether the group is small enough to compare and adds information to the target.
/** @param {Element} group @param {Element} target */
function saysMore(group, target) {
  const text = tidy(textContentOf(group));
  return text.length <= LARGEST_GROUP && (group === target || text !== tidy(textContentOf(target)) || shadowRootOf(group) !== null);
}

// Loading signs: `aria-busy`, a progress bar without a value, a text or placeholder such as "Searching…", and the
// classes of spinners and skeletons. Only nodes that changed during the action are examined, so permanent signs cause
// no delay.

import { elementsUnder, isActedOn } from "../actions/causes.js";
import { tidy } from "../aria/names.js";
import {
  attribute, boxOf, checkVisibility, dataOf, firstChildOf, has, isConnected, isElement, isHtmlTag, isText, isTrue,
  keyword, localNameOf, nextSiblingOf, parentOf, textContentOf, treeWalkerOf, trimmed,
} from "../dom/dom.js";
import { look } from "../dom/memo.js";

const LOADING_WORDS = "loading|searching|fetching|saving|sending|updating|processing|connecting|please wait";
const SAYS_LOADING = new RegExp(`^(?:${LOADING_WORDS})(?:\\W*|\\b.*(?:…|\\.\\.\\.))$`, "i");
const ENDS_OPEN = /(?:…|\.\.\.)$/; // an ellipsis, in any language
const LOADING_CLASS = new RegExp("(?:^|[^a-zA-Z])(?:pre)?(?:loading|loader|spinner|skeleton|shimmer|searching)(?![a-z])|" +
  "(?:Loading|Loader|Spinner|Skeleton|Shimmer|Searching)(?![a-z])");
export const LIVE_ROLES = new Set(["status", "alert"]);
const LONGEST_SIGN = 60; // characters
const MOST_TOUCHED = 500; // changed nodes that are examined
const MOST_UNDER = 400; // elements that are examined below each of them

const signs = {
  /** @type {WeakRef<Node>[]} */
  touched: [], // the nodes that changed since the last call of `saysLoading`
  /** @type {Set<Element>} */
  found: new Set(), // the signs that appeared during the action
  /** @type {Set<string>} */
  old: new Set(), // descriptions of the signs that existed before the action
};

// Start a new action. Signs that are still visible from earlier actions are treated as part of the page.
export function forgetSigns() {
  signs.found = new Set([...signs.found].filter(isLoadingSign));
  signs.old = new Set([...signs.found].map(looksLike));
  signs.touched = [];
}

// Record the nodes that a mutation changed.
/** @param {MutationRecord} record */
export function touch({ type, target, addedNodes }) {
  if (signs.touched.length >= MOST_TOUCHED) return;
  if (type !== "childList") signs.touched.push(new WeakRef(type === "attributes" ? target : (parentOf(target) ?? target)));
  for (const node of addedNodes) signs.touched.push(new WeakRef(isElement(node) ? node : target));
}

// Return whether a sign that appeared during the action is visible.
export function saysLoading() {
  const tops = new Set(/** @type {Element[]} */ (signs.touched.map((each) => each.deref()).filter((node) => node && isElement(node))));
  signs.touched = [];
  for (const top of tops) {
    const walker = treeWalkerOf(top);
    for (let at = /** @type {Element | null} */ (top), left = MOST_UNDER; at !== null && left > 0;
      at = /** @type {Element | null} */ (walker.nextNode()), left -= 1) {
      if (isLoadingSign(at)) signs.found.add(at);
    }
  }
  return [...signs.found].some((sign) => isLoadingSign(sign) && !signs.old.has(looksLike(sign)));
}

// Return a text that is equal for signs that look the same.
/** @param {Element} sign */
const looksLike = (sign) => `${localNameOf(sign)} ${attribute(sign, "class")} ${ownTextOf(sign)}`;

// Return whether the element is a visible loading sign.
/** @param {Element} target */
export const isLoadingSign = (target) => isConnected(target) && isSign(target) && checkVisibility.call(target, { visibilityProperty: true });

// Return whether the element is a loading sign, visible or not.
/** @param {Element} target */
export function isSign(target) {
  if (isTrue(target, "aria-busy") || SAYS_LOADING.test(trimmed(target, "placeholder"))) return true;
  const role = keyword(target, "role");
  if (role === "progressbar" ? !has(target, "aria-valuenow") : isHtmlTag(target, "progress") && !has(target, "value")) return true;
  const text = ownTextOf(target);
  if (text.length <= LONGEST_SIGN) {
    if (SAYS_LOADING.test(text)) return true;
    if (ENDS_OPEN.test(text) && (LIVE_ROLES.has(role) || has(target, "aria-live"))) return true;
  }
  return LOADING_CLASS.test(attribute(target, "class") ?? "") && isBareSign(target);
}

// Return whether the element is only a sign: it has a size and little text, and contains nothing to act on.
/** @param {Element} target */
function isBareSign(target) {
  const { width, height } = boxOf(target);
  return width * height > 0 && tidy(textContentOf(target)).length <= LONGEST_SIGN && !elementsUnder(target).some(isActedOnNow);
}

/** @param {Element} target */
const isActedOnNow = (target) => look(() => isActedOn(target));

// Return the text that is directly inside the element, without the text of its children.
/** @param {Element} target */
export function ownTextOf(target) {
  let text = "";
  for (let node = firstChildOf(target); node !== null && text.length <= LONGEST_SIGN; node = nextSiblingOf(node)) {
    if (isText(node)) text += dataOf(node);
  }
  return tidy(text);
}

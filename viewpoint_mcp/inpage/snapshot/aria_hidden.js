// Content that is painted but aria-hidden. People see it, but assistive technology does not, and names do not include
// it. It is printed with the mark [aria-hidden], unless it is decoration or repeats content printed beside it
// (docs/decisions/0008).

import { withoutGlyphs } from "../aria/names.js";
import { INTERACTIVE, roleOf } from "../aria/roles.js";
import { flatParentOf, isFlatAncestor, isSvg, queryAll, shadowRootOf, textContentOf } from "../dom/dom.js";
import { memo, remembered } from "../dom/memo.js";
import { register } from "../dom/registry.js";
import { NAMED_BY_PARTS, closeNode, hasAuthorName, newNode, openNode, wantsOwnRef } from "./nodes.js";
import { DEEPEST_PRINTED } from "./walker.js";
import { hasLooks, seenPart } from "../visibility/sight.js";
import { isAriaHidden, isHidden, isUnshown, isVisible, styleOf } from "../visibility/visibility.js";

// How an aria-hidden element is printed: only its text, or an area with the elements inside it.
export const TEXT_ONLY = "text";
const AREA = "area";

const CONTROLS = "a[href], button, input, select, textarea, summary, [onclick], [contenteditable], [tabindex]:not([tabindex^='-']), " +
  [...INTERACTIVE].map((role) => `[role=${role}]`).join();

// Layers that open over the page. While one is open, libraries hide the rest of the page with aria-hidden.
const OPEN_DIALOGS = "[aria-modal=true], [role=dialog], [role=alertdialog], dialog[open]";
const OPEN_LAYERS = `${OPEN_DIALOGS}, [role=menu], [role=listbox]`;

// Return TEXT_ONLY or AREA, or "" for an element that is omitted. Drawings and icons have no text to print.
/** @param {Element} target @param {Around | Frame} around */
export function ariaHiddenKind(target, around) {
  if (!isAriaHidden(target) || isUnshown(target) || around.depth >= DEEPEST_PRINTED) return "";
  const isActed = wantsOwnRef(target, roleOf(target), around);
  if (isSvg(target) && !isActed) return "";
  const hasControls = isActed || queryAll(target, CONTROLS).length > 0;
  if (!hasControls && shadowRootOf(target) === null && textContentOf(target).trim() === "") return "";
  if (isBehind(target, hasControls ? OPEN_LAYERS : OPEN_DIALOGS)) return "";
  return hasControls ? AREA : TEXT_ONLY;
}

// Return whether the element is hidden because of an open layer outside of it.
/** @param {Element} target @param {string} selector */
function isBehind(target, selector) {
  memo.layers ??= new Map();
  const open = remembered("layers", selector, () => [...queryAll(document, selector)].filter((layer) => !isHidden(layer)));
  const parent = flatParentOf(target);
  return open.some((layer) => isFlatAncestor(parent, layer) && !isFlatAncestor(target, layer));
}

// Open the node of an aria-hidden element, or of an element inside one. The outermost aria-hidden element always gets a
// node, which carries the mark. Return null for an inner element that is invisible or gets no node.
/**
 * @param {Element} target
 * @param {string} role
 * @param {string} kind
 * @param {Around | Frame} around
 * @param {Run} run
 * @param {Sight} sight
 * @returns {OpenNode | null}
 */
export function openAriaHidden(target, role, kind, around, run, sight) {
  const isOutermost = around.ariaHidden === "";
  const isPrinted = isVisible(target) && sight.veil === null && (kind === AREA || wantsOwnRef(target, role, around));
  const node = isPrinted ? openNode(target, role, around, run, sight) : null;
  if (node === null && !isOutermost) return null;
  const marked = node ?? newNode(target, "generic");
  marked.isAriaHidden = isOutermost;
  if (node === null && run.allRefs) marked.ref = register(target);
  return marked;
}

// Close the node that carries the mark. Return null if nothing remains to be printed. The sink around it records
// whether something was painted even then.
/** @param {OpenNode} node @param {Frame} frame @returns {PrintedNode | null} */
export function closeAriaHidden(node, { sink, around }) {
  const children = joinedParts(sink.children);
  const text = children.every((child) => typeof child === "string") ? children.join(" ") : null;
  around.sink.isPainted ||= sink.isPainted || sink.children.length > 0;
  if (text !== null && !node.isActed && !(isTelling(text) && !isPrintedAround(text, around))) return null;
  const closed = closeNode(node, children);
  if (closed === null || node.isHidden || (isBareNode(closed) && !hasLooks(node.target))) return null;
  closed[2] = { ...closed[2], "aria-hidden": true };
  around.sink.hasAriaHidden = true;
  return closed;
}

// Return whether the node has no name, children or value.
/** @param {PrintedNode} options */
const isBareNode = ([, name, props, children]) => name === "" && children.length === 0 && props?.value === undefined;

// Return the parts of a text, without glyphs of the private use area. Adjacent parts without letters are joined, for
// example "$", "19", "99".
/** @param {PrintedChild[]} children @returns {PrintedChild[]} */
function joinedParts(children) {
  /** @type {PrintedChild[]} */
  const joined = [];
  for (const child of children) {
    const last = joined[joined.length - 1];
    const part = typeof child === "string" ? withoutGlyphs(child).trim() : child;
    if (part === "") continue;
    const isOne = typeof part === "string" && typeof last === "string" && !/\p{L}/u.test(last + part);
    if (isOne) joined[joined.length - 1] = `${last} ${part}`;
    else joined.push(part);
  }
  return joined;
}

// Return whether a text has a meaning: a word, a number or a row of symbols ("★★★★☆"), but not a single "×" or "|".
/** @param {string} text */
const isTelling = (text) => /[\p{L}\p{N}]|\p{So}\s*\p{So}\s*\p{So}/u.test(text) && !isCounting(text.split(" "));

// Return whether the texts are consecutive numbers, such as line numbers.
/** @param {string[]} texts */
const isCounting = (texts) =>
  texts.length > 2 && texts.every((text, index) => /^\d+$/.test(text) && Number(text) === Number(texts[0]) + index);

// Return whether the font of the element draws pictures instead of letters.
/** @param {Element} target */
export const isIconFont = (target) => /^[^,]*(?:icon|symbol|awesome|glyph)/i.test(styleOf(target).fontFamily);

// Return the words of the text, in lower case and surrounded by spaces.
/** @param {string} text */
const wordsIn = (text) => ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")} `;

// Return whether the whole text contains the words of `text`, or its characters if it has no words.
/** @param {string} text @param {string} whole */
function isIn(text, whole) {
  const words = wordsIn(text);
  return words.trim() === "" ? whole.includes(text) : wordsIn(whole).includes(words);
}

// Return whether the text is already printed around the element: in the current line, or in the name of an enclosing
// node. The search goes further out only inside a control or label, whose name may contain the text.
/** @param {string} text @param {Around | Frame} around */
function isPrintedAround(text, around) {
  if (isIn(text, seenPart(around.sink.pending))) return true;
  for (let at = around; at?.node !== undefined; at = at.around) {
    if (at.node === null) continue;
    const isNamedByParts = NAMED_BY_PARTS.has(at.node.role) && !hasAuthorName(at.target);
    if (!isNamedByParts && isIn(text, at.node.name)) return true;
    if (!at.isSpoken) return false;
  }
  return false;
}

/** @param {PrintedChild} child @returns {child is PrintedNode} */
export const isAriaHiddenNode = (child) => typeof child !== "string" && child[2]?.["aria-hidden"] === true;

// Remove aria-hidden children whose text a neighbour prints, and links that repeat another link. A neighbour marked
// [hidden] does not count, because its text is invisible.
/** @param {PrintedChild[]} children */
export function withoutRepeats(children) {
  const heard = children.filter((child) => !isAriaHiddenNode(child));
  const numbers = children.filter(isAriaHiddenNode).filter((child) => /^\d+$/.test(child[3].join()));
  const areLines = isCounting(numbers.map((child) => child[3].join()));
  return children.filter((child, index) => {
    if (!isAriaHiddenNode(child)) return true;
    if (areLines && numbers.includes(child)) return false;
    const [role, name, props, inner] = child;
    const url = props?.url;
    if (role === "link" && url !== undefined) return !heard.some((other) => leadsThere(other, url, name));
    if (props?.ref !== undefined && (INTERACTIVE.has(role) || inner.length === 0)) return true;
    const isText = inner.every((part) => typeof part === "string");
    return !isText || ![neighbour(children, index, -1), neighbour(children, index, 1)].some((each) => tells(each, inner.join(" ")));
  });
}

// Return the closest child in the direction that is not aria-hidden, or undefined.
/** @param {PrintedChild[]} children @param {number} index @param {number} step @returns {PrintedChild | undefined} */
function neighbour(children, index, step) {
  let at = index + step;
  while (at in children && isAriaHiddenNode(children[at])) at += step;
  return children[at];
}

// Return whether the child prints the text.
/** @param {PrintedChild | undefined} child @param {string} text */
function tells(child, text) {
  if (child === undefined) return false;
  if (typeof child === "string") return isIn(text, child);
  const [, name, props, inner] = child;
  if (props?.hidden === true) return false;
  return [name, props?.value ?? "", ...inner].some((part) => typeof part === "string" && isIn(text, part));
}

// Return whether the child is or contains a link with the address that includes the name.
/** @param {PrintedChild} child @param {string} url @param {string} name @returns {boolean} */
function leadsThere(child, url, name) {
  if (typeof child === "string") return false;
  if (child[0] === "link" && child[2]?.url === url) return name === "" || isIn(name, child[1]) || tells(child, name);
  return child[3].some((inner) => leadsThere(inner, url, name));
}

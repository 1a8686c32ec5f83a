// Hints that tell equal controls apart: the text of the card around each, and the side of it where the control is.

import { tidy } from "../aria/names.js";
import { roleOf } from "../aria/roles.js";
import {
  boxOf, contains, createTreeWalker, dataOf, flatParentOf, isElement, parentOf, queryAll, textContentOf,
} from "../dom/dom.js";
import { memo } from "../dom/memo.js";
import { isIconFont } from "../snapshot/aria_hidden.js";
import { FIELDS } from "../snapshot/control_parts.js";
import { isFolded, isWholePage } from "../snapshot/nodes.js";
import { parseColor } from "../visibility/paint.js";
import { styleOf } from "../visibility/visibility.js";

const MANY_TWINS = 300; // more are not compared
const LARGEST_CARD = 600; // characters; an element with more text is not a card
const LONGEST_CARD_TEXT = 40;
const LARGEST_SWATCH = 64; // pixels
const SIDE = 0.25; // of the box
const HEADINGS = "h1, h2, h3, h4, h5, h6, legend, [role=heading]";
const LIGATURE = /^[a-z]+(?:_[a-z\d]+)*$/;

/** @typedef {{ node: PrintedNode, target: Element }} Twin */

// Add to the hints of controls that are printed alike, because they have no name, what distinguishes them.
/** @param {PrintedChild[]} printed */
export function tellTwinsApart(printed) {
  const groups = [...groupsOfTwins().values()].filter((twins) => twins.length > 1 && twins.length <= MANY_TWINS);
  if (groups.length === 0) return;
  const { nodes, texts } = contentOfTree(printed);
  const acted = new Set(memo.controls.values());
  for (const group of groups) {
    const twins = group.filter(({ node }) => nodes.has(node));
    if (twins.length < 2) continue;
    const hints = twins.map((_, index) => hintOfTwin(twins, index, acted, texts));
    const colors = hints.every((hint) => hint === "") ? colorsOf(twins) : [];
    twins.forEach(({ node: [, , props] }, index) => {
      const hint = hints.indexOf(hints[index]) === hints.lastIndexOf(hints[index]) ? hints[index] : "";
      const parts = [props?.hint, hint, colors[index]].filter((part) => part !== undefined && part !== "");
      if (parts.length > 0) Object.assign(props ?? {}, { hint: parts.join(", ") });
    });
  }
}

// Return the controls without a telling name, grouped by the line that they print.
function groupsOfTwins() {
  /** @type {Map<string, Twin[]>} */
  const groups = new Map();
  for (const [node, target] of memo.controls) {
    const [role, name, props, children] = node;
    if (props === null || children.length > 0 || (props.value !== undefined && !FIELDS.has(role))) continue;
    if (name !== "" && !(LIGATURE.test(name) && isGlyphName(target))) continue;
    const key = `${role}\n${name}\n${props.hint ?? ""}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [{ node, target }]);
    else group.push({ node, target });
  }
  return groups;
}

// Return whether an icon font draws the name.
/** @param {Element} target */
const isGlyphName = (target) => [target, ...queryAll(target, "*")].slice(0, 4).some(isIconFont);

// Return all nodes and texts of the tree. A hint repeats only text that is printed, so no invisible text.
/** @param {PrintedChild[]} printed */
function contentOfTree(printed) {
  /** @type {{ nodes: Set<PrintedNode>, texts: Set<string> }} */
  const content = { nodes: new Set(), texts: new Set() };
  const pending = [...printed];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (typeof at === "string") {
      content.texts.add(tidy(at));
      continue;
    }
    content.nodes.add(at);
    content.texts.add(at[1]);
    for (const child of at[3]) pending.push(child);
  }
  return content;
}

// Return the text of the card around the control, and the side if the card has several of its twins. Inside a node of
// the tree, such as a list item, the position already shows the text.
/** @param {Twin[]} twins @param {number} index @param {Set<Element>} acted @param {Set<string>} texts */
function hintOfTwin(twins, index, acted, texts) {
  const { target } = twins[index];
  let [first, end] = [index, index + 1]; // the twins in the card, which are in the order of the document
  let [text, heading, side, count] = ["", "", "", 0];
  for (let at = flatParentOf(target); at !== null && !isWholePage(at); at = flatParentOf(at)) {
    while (first > 0 && contains.call(at, twins[first - 1].target)) first -= 1;
    while (end < twins.length && contains.call(at, twins[end].target)) end += 1;
    if (end - first === twins.length || (text !== "" && end - first > count)) break;
    if (acted.has(at) || !isFolded(at, roleOf(at))) return side || sideOf(target, at, twins.slice(first, end));
    if (textContentOf(at).length > LARGEST_CARD) break;
    heading ||= headingIn(at, texts);
    if (text !== "") continue;
    text = heading || textIn(at, target, texts);
    count = end - first;
    if (text !== "") side = sideOf(target, at, twins.slice(first, end));
  }
  return [heading || text, side].filter((part) => part !== "").join(", ");
}

/** @param {Element} card @param {Set<string>} texts */
const headingIn = (card, texts) =>
  cutText([...queryAll(card, HEADINGS)].map((heading) => tidy(textContentOf(heading))).find((text) => text !== "" && texts.has(text)) ?? "");

// Return the first text of the card outside of the control.
/** @param {Element} card @param {Element} target @param {Set<string>} texts */
function textIn(card, target, texts) {
  const walker = createTreeWalker.call(document, card, NodeFilter.SHOW_TEXT);
  for (let at = walker.nextNode(); at !== null; at = walker.nextNode()) {
    const text = tidy(dataOf(/** @type {Text} */ (at)));
    const parent = parentOf(at);
    const isOwn = contains.call(target, at) || (parent !== null && isElement(parent) && isIconFont(parent));
    if (!isOwn && /\p{L}|\d/u.test(text) && texts.has(text)) return cutText(text);
  }
  return "";
}

/** @param {string} text */
const cutText = (text) => (text.length > LONGEST_CARD_TEXT ? `${text.slice(0, LONGEST_CARD_TEXT - 1).trimEnd()}…` : text);

// Return the side of the card where the control is, with a number if several twins are there.
/** @param {Element} target @param {Element} card @param {Twin[]} inside */
function sideOf(target, card, inside) {
  if (inside.length < 2) return "";
  const sides = inside.map((twin) => sideInBox(boxOf(twin.target), boxOf(card)));
  const index = inside.findIndex((twin) => twin.target === target);
  const side = sides[index];
  const alike = sides.filter((each) => each === side).length;
  const number = alike > 1 ? String(sides.slice(0, index + 1).filter((each) => each === side).length) : "";
  return `${side} ${number}`.trim();
}

/** @param {DOMRect} box @param {DOMRect} around */
function sideInBox(box, around) {
  const x = (box.x + box.width / 2 - around.x) / around.width - 0.5;
  const y = (box.y + box.height / 2 - around.y) / around.height - 0.5;
  if (!(Math.max(Math.abs(x), Math.abs(y)) > SIDE)) return "";
  if (Math.abs(x) >= Math.abs(y)) return x < 0 ? "left" : "right";
  return y < 0 ? "top" : "bottom";
}

// Return the colours of small swatches as #rrggbb; nothing if they are of one colour, or show a state by it.
/** @param {Twin[]} twins */
function colorsOf(twins) {
  if (twins.some(({ node: [, , props] }) => props?.pressed !== undefined)) return [];
  const colors = twins.map(({ target }) => {
    const { width, height } = boxOf(target);
    if (width > LARGEST_SWATCH || height > LARGEST_SWATCH) return "";
    return [target, ...queryAll(target, "*")].slice(0, 3).map(colorOf).find((color) => color !== "") ?? "";
  });
  return new Set(colors.filter((color) => color !== "")).size > 1 ? colors : [];
}

/** @param {Element} target */
function colorOf(target) {
  const color = parseColor(styleOf(target).backgroundColor);
  if (color?.[3] !== 1) return "";
  return `#${color.slice(0, 3).map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

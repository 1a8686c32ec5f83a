// The visibility of content, collected from the top of the tree down. Invisible text is omitted. An invisible element
// that has a role or can be acted on is marked [hidden] once, for itself and all its content (docs/decisions/0008).

import { matchesName, tidy } from "../aria/names.js";
import { isHtml, isMatching, queryAll, querySelectorAll, shadowRootOf } from "../dom/dom.js";
import { isIconFont } from "../snapshot/aria_hidden.js";
import { NAMED_BY_PARTS, hasAuthorName } from "../snapshot/nodes.js";
import { backgroundOf, canvasBackground, isMuteText, isPainted } from "./paint.js";
import { isSuspect } from "./suspects.js";
import { ASK_CHILDREN, clipIn, veilOver } from "./unseen.js";
import { styleOf } from "./visibility.js";

/**
 * @param {Element} target
 * @param {Sight} outer
 * @param {Veil | null} veil
 * @param {Clip | null} clip
 * @param {boolean} isDoubtful
 * @returns {Sight}
 */
function newSight(target, outer, veil, clip, isDoubtful) {
  return { target, outer, veil, clip, isDoubtful, isClear: false, background: undefined, isMute: undefined };
}

// Return the sight outside all elements, where everything is visible.
/** @returns {Sight} */
export const clearSight = () => ({
  target: null, outer: null, veil: null, clip: null, isDoubtful: false, isClear: true, background: null, isMute: false,
});

// Return the sight for the element and its content. It is `outer` if the element cannot affect the visibility.
/** @param {Element} target @param {string} tag @param {Sight} outer */
export function sightOf(target, tag, outer) {
  // The style sheets of a shadow tree are not read, and the parts of an SVG drawing have style attributes.
  const isHost = shadowRootOf(target) !== null || tag === "svg";
  if (!isHost && !isSuspect(target, tag, outer)) return outer;
  // The options of a closed <select> have no box. They are as visible as their <select>.
  if ((tag === "option" || tag === "optgroup") && isHtml(target)) return outer;
  const found = veilOver(target, tag, outer);
  const veil = found === ASK_CHILDREN ? null : found;
  const clip = veil === null ? clipIn(target, outer) : outer.clip;
  const isDoubtful = outer.isDoubtful || isHost || found !== null || clip !== null;
  return newSight(target, outer, veil, clip, isDoubtful);
}

// Return whether text inside an element with this sight is invisible.
/** @param {Sight} sight */
function isUnseen(sight) {
  if (sight.isClear) return false;
  if (sight.veil !== null) return true;
  if (sight.isMute === undefined) learnPaint(sight);
  return sight.isMute;
}

// Compute the backgrounds of the sight and of those around it, and whether its text is invisible.
/** @param {Sight} sight */
function learnPaint(sight) {
  const unknown = [];
  let at = /** @type {Sight | null} */ (sight);
  for (; at !== null && at.background === undefined; at = at.outer) unknown.push(at);
  let background = at?.isClear ? canvasBackground() : (at?.background ?? null);
  for (const each of unknown.reverse()) {
    background = backgroundOf(/** @type {Element} */ (each.target), background);
    each.background = background;
  }
  sight.isMute = isMuteText(/** @type {Element} */ (sight.target), background);
}

// Invisible text that is part of a name is enclosed in \u0002 and \u0003 until its node is closed. Then it is compared
// with the name and removed.
const MUTED = /\u0002([^\u0003]*)\u0003/g;

// Return the text including its invisible parts, without their delimiters.
/** @param {string} text */
export const spelledOut = (text) => text.replace(MUTED, "$1");
// Return the text without its invisible parts.
/** @param {string} text */
export const seenPart = (text) => text.replace(MUTED, "").replace(/ {2,}/g, " ").trim();
/** @param {PrintedChild[]} children */
export const seenParts = (children) =>
  children.map((child) => (typeof child === "string" ? seenPart(child) : child)).filter((child) => child !== "");

// Add text to the current line if it is visible, or if its node is marked as hidden anyway.
/** @param {string} data @param {Frame} frame */
export function addText(data, frame) {
  const { sight, sink } = frame;
  if (frame.ariaHidden !== "" && data.trim() !== "" && isIconFont(frame.target)) {
    sink.isPainted = true;
    return;
  }
  if (sight.isClear || frame.isMarked || data.trim() === "" || !isUnseen(sight)) {
    sink.pending += data;
    return;
  }
  sink.isMuted = true;
  if (frame.isSpoken) sink.pending += `\u0002${data.replace(/[\u0002\u0003]/g, "")}\u0003`;
}

// Return the children without invisible text. Set `node.isHidden` if nothing visible remains.
/** @param {OpenNode} node @param {PrintedChild[]} children @returns {PrintedChild[]} */
export function withoutMuted(node, children) {
  const said = children.map((child) => (typeof child === "string" ? spelledOut(child) : child));
  const seen = seenParts(children);
  if (NAMED_BY_PARTS.has(node.role) && !hasAuthorName(node.target)) {
    if (node.name !== "") node.name = seen.every((child) => typeof child === "string") ? tidy(seen.join(" ")) : "";
    return seen;
  }
  if (node.isMarked) return said;
  if (seen.length === 0 && !node.isPainted && !hasLooks(node.target)) node.isHidden = true;
  return said.every((child) => typeof child === "string") && matchesName(tidy(said.join(" ")), node.name) ? [] : seen;
}

const LOOKS = "img, svg, video, canvas, input, select, textarea, iframe";

// Return whether the element shows something besides text: an image, a colour or a border.
/** @param {Element} target */
export function hasLooks(target) {
  if (isMatching(target, LOOKS) || queryAll(target, LOOKS).length > 0) return true;
  const inside = [target, ...[...querySelectorAll.call(target, "*")].slice(0, 8)];
  return inside.some((part) => {
    const style = styleOf(part);
    return isPainted(style) || parseFloat(style.borderTopWidth) > 0 || parseFloat(style.borderBottomWidth) > 0 ||
      ["::before", "::after"].some((pseudo) => !["none", "normal"].includes(getComputedStyle(part, pseudo).content));
  });
}

// Append a hidden text to the previous hidden text. Return false if either is not a hidden text. Words and letters that
// appear one by one thus become one text.
/** @param {PrintedChild[]} children @param {PrintedNode} node @param {string} gap */
export function joinHidden(children, node, gap) {
  const last = children[children.length - 1];
  if (!isHiddenText(node) || last === undefined || !isHiddenText(last)) return false;
  last[3] = [`${last[3][0]}${gap}${node[3][0]}`];
  return true;
}

// Return whether the child is a node with hidden text only.
/** @param {PrintedChild} child @returns {child is PrintedNode} */
function isHiddenText(child) {
  if (typeof child === "string") return false;
  const [role, name, props, children] = child;
  return role === "generic" && name === "" && props?.hidden === true && Object.keys(props).length === 1 &&
    children.length === 1 && typeof children[0] === "string";
}

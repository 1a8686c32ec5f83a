// Nodes: whether an element gets a node or a ref, and the properties of its node.

import { NAMED_BY_CONTENT, getControl, matchesName, nameOf, placeholderOf, tidy, withoutGlyphs } from "../aria/names.js";
import { INTERACTIVE, inputTypeOf, isFrameOwner, roleOf } from "../aria/roles.js";
import { CHECKABLE, checkedOf, computeStates, focused, isOff, specialTypeOf, valueOf } from "../aria/states.js";
import {
  attribute, boxOf, getBody, getDocumentElement, has, isHtml, isHtmlTag, isTrue, keyword, localNameOf, textContentOf,
} from "../dom/dom.js";
import { memo } from "../dom/memo.js";
import { register } from "../dom/registry.js";
import { isAriaHiddenNode, isIconFont, withoutRepeats } from "./aria_hidden.js";
import { isReacting } from "./click_listeners.js";
import { FIELDS, isPartOfControl, isToggle, isTabStop } from "./control_parts.js";
import { FOLDED_IN_EDITORS, KEPT_IN_EDITORS, isEditingHost } from "./editing.js";
import { hintOf } from "../hints/hints.js";
import { withoutSeparators } from "./separators.js";
import { withoutLabelText } from "./walker.js";
import { withoutMuted } from "../visibility/sight.js";
import { isWorkedByLabel } from "../visibility/unseen.js";
import { isHidden, isPointer } from "../visibility/visibility.js";

const LONGEST_URL = 150;
const MANY_INTERACTIVE = 100; // above that, only elements made for interaction have refs

export const CONTAINERS = new Set(["grid", "treegrid", "listbox", "tree", "menu", "menubar", "tablist", "radiogroup", "toolbar"]);
export const CONTAINED = new Set(["listitem", "row", "cell", "gridcell", "columnheader", "rowheader", "option"]);

// Roles that only format text or mark a box. Their content is printed as part of the text around them.
const FOLDED = new Set(["generic", "none", "strong", "emphasis", "code", "mark", "subscript", "superscript", "time"]);
const FOLDED_NAMELESS = new Set(["form", "group", "rowgroup", "document", "term", "suggestion"]);
export const KEPT_EMPTY = new Set(["separator", "cell", "gridcell", "columnheader", "rowheader", "row", "progressbar", "meter",
  "video", "audio", "canvas", "iframe", "img", "dialog", "alertdialog"]);
export const NAMED_BY_PARTS = new Set(["row", "cell", "gridcell", "columnheader", "rowheader", "listitem"]);

export const LEAVES = new Set(["input", "textarea", "iframe", "frame", "video", "audio", "canvas", "img", "meter", "progress",
  "embed", "fencedframe", "option"]);

// Roles whose name is their whole content. Therefore invisible text inside them is still part of it.
export const SPOKEN = new Set([...NAMED_BY_CONTENT].filter((role) => !NAMED_BY_PARTS.has(role)));
export const SPOKEN_TAGS = new Set(["label", "legend"]);

// Return the role to print. Elements without a role are printed as "generic", or as "textbox" if they can be edited.
/** @param {Element} target @param {string} role */
export function printedRole(target, role) {
  if (role !== "none" && role !== "" && role !== "generic") return role;
  return isEditingHost(target) ? "textbox" : "generic";
}

// Open the node of an element, or return null if its children are printed in its place.
/**
 * @param {Element} target
 * @param {string} role
 * @param {Around | Frame} frame
 * @param {Run} run
 * @param {Sight} sight
 * @returns {OpenNode | null}
 */
export function openNode(target, role, frame, run, sight) {
  const wantsRef = wantsOwnRef(target, role, frame) && (frame.control === null || !isPartOfControl(target, role, frame.control));
  const isInToggle = frame.control !== null && isToggle(frame.control);
  const isSecond = !wantsRef && !isInToggle && frame.isContained && (CONTAINED.has(role) || frame.hasParts);
  const isHidden = sight.veil !== null && !frame.isMarked && isHiddenHere(target, sight.veil);
  const isKeptWhole = isHidden && (sight.veil?.isLater || ANNOUNCING.has(role));
  if (isHidden && !isKeptWhole && !run.hidden && !isUsedUnseen(target)) {
    if (!frame.isLeftOut && (wantsRef || isSecond || hasContent(target, role))) run.leftOut += 1;
    return null;
  }
  if (!wantsRef && !isSecond) {
    // Otherwise, text without a node of its own is omitted.
    const isKept = isKeptWhole && !frame.isSpoken;
    if (!isKept && (isFolded(target, role) || isFoldedText(target, role, frame) || (isHidden && role === "paragraph"))) return null;
  }
  const node = newNode(target, printedRole(target, role));
  node.isHidden = isHidden;
  node.startsPointer = isPointer(target) && !frame.isPointer;
  node.isActed = wantsRef || isSecond;
  node.isSecond = isSecond && !run.allRefs;
  if (wantsRef || run.allRefs) node.ref = register(target);
  if (wantsRef) run.count += 1;
  if (node.isSecond) run.second.push(node);
  node.name = printedName(target, node.role);
  return node;
}

/** @param {Element} target @param {string} role @returns {OpenNode} */
export const newNode = (target, role) => ({
  target, role, name: "", ref: 0, hint: "", isHidden: false, isMuted: false, isMarked: false, isPainted: false, hasAriaHidden: false, isActed: false,
  isSecond: false, startsPointer: false, isAriaHidden: false, isFlow: false, isEdited: false, isInEditor: false,
  closed: null,
});

// Return whether the veil hides the element. A control that has a visible replacement to act on does not count as
// hidden.
/** @param {Element} target @param {Veil} options */
const isHiddenHere = (target, { root }) => !isWorkedByLabel(target, localNameOf(target), root) && !memo.editors?.byField.has(target);

// Roles of live regions, which report the results of actions to screen readers.
const ANNOUNCING = new Set(["alert", "status", "log"]);

// Return whether an agent needs the element although no person sees it: text is typed into the element that has the
// focus, and a button that people see opens the file field.
/** @param {Element} target */
const isUsedUnseen = (target) => target === focused() || (isHtmlTag(target, "input") && inputTypeOf(target) === "file");

// Return whether the element would be printed as something other than text.
/** @param {Element} target @param {string} role */
const hasContent = (target, role) =>
  role !== "paragraph" && !isFolded(target, role) && (nameOf(target) !== "" || textContentOf(target).trim() !== "");

// Return whether the element gets no node because its role is not printed and it has no name.
/** @param {Element} target @param {string} role */
export function isFolded(target, role) {
  if (FOLDED.has(role)) return role === "none" || !hasAuthorName(target) || nameOf(target) === "";
  return FOLDED_NAMELESS.has(role) && nameOf(target) === "";
}

// Return whether the element is a line or formatting of editable content.
/** @param {Element} target @param {string} role @param {Around | Frame} frame */
const isFoldedText = (target, role, frame) => frame.sink.line !== null && FOLDED_IN_EDITORS.has(role) && !hasAuthorName(target);

// Return whether the author named the element with aria-label or aria-labelledby.
/** @param {Element} target */
export const hasAuthorName = (target) => has(target, "aria-label") || has(target, "aria-labelledby");

// Return whether the element can be acted on, so that it gets a ref.
/** @param {Element} target @param {string} role @param {{ isPointer: boolean }} frame */
export function wantsOwnRef(target, role, frame) {
  if (INTERACTIVE.has(role) || role === "iframe") return true;
  const control = isHtmlTag(target, "label") ? getControl.call(target) : null;
  if (control !== null) return isHidden(control);
  if (isPointer(target) && !frame.isPointer && !isWholePage(target)) return true;
  if (isReacting(target)) return true;
  if (has(target, "onclick") || isTrue(target, "draggable")) return true;
  if (has(target, "tabindex")) return isTabStop(target);
  if (isHtml(target) && has(target, "contenteditable")) return keyword(target, "contenteditable") !== "false";
  if (has(target, "role") && isFrameOwner(target)) return true;
  return (role === "video" || role === "audio") && has(target, "controls");
}

// Return whether the element is the body or the root element.
/** @param {Element} target */
export const isWholePage = (target) => target === getBody.call(document) || target === getDocumentElement.call(document);

// Return the name to print. The name of a row repeats its cells, so it is omitted.
/** @param {Element} target @param {string} role */
function printedName(target, role) {
  return role === "row" && !hasAuthorName(target) ? "" : tidy(withoutGlyphs(nameOf(target)));
}

// Close the node. Remove children that repeat its name, and return null for an empty node. The printed content does not
// depend on whether all elements are numbered.
/** @param {OpenNode} node @param {PrintedChild[]} children @returns {PrintedNode | null} */
export function closeNode(node, children) {
  const { target, role } = node;
  if (node.isMuted) children = withoutMuted(node, children);
  if (node.hasAriaHidden) children = withoutRepeats(children);
  if (isHtmlTag(target, "label") && children.some((child) => typeof child !== "string")) {
    children = withoutLabelText(target, children);
  }
  if (isNamedByParts(node) && children.some((child) => typeof child !== "string" && !isAriaHiddenNode(child))) node.name = "";
  let kept = withoutName(node, node.name === "" ? children : children.filter((child) => !isEcho(child, node.name)));
  kept = withoutSeparators(target, kept);
  if (node.isActed) kept = kept.filter((child) => !memo.muteImages.has(child));
  if (kept.length === 1 && isPlainParagraph(kept[0]) && ONE_PARAGRAPH.has(role)) kept = kept[0][3];
  const editor = memo.editors?.byField.get(target);
  const value = editor === undefined ? valueOf(target, role) : "";
  const isBare = node.name === "" && kept.length === 0 && value === "";
  if (node.name === "" && (isBare ? node.isActed || isHtmlTag(target, "img") : FIELDS.has(role))) node.hint = hintOf(target);
  if (node.isInEditor && (isBare || node.isHidden) && node.name === "" && DECORATION.has(role)) return null;
  if (isBare && node.isEdited && KEPT_IN_EDITORS.has(role)) return (node.closed = [role, "", propertiesOf(node, ""), []]);
  if (isBare && !node.isActed && (!KEPT_EMPTY.has(role) || (role === "img" && node.hint === ""))) return null;
  node.closed = [role, node.name, propertiesOf(node, value), kept];
  if (node.isActed && !node.isSecond) memo.controls.set(node.closed, target);
  if (isBare && role === "img" && !node.isActed) memo.muteImages.add(node.closed);
  if (editor !== undefined) editor.node = node.closed;
  return node.closed;
}

// Close a node whose children are printed after it instead of inside it.
/** @param {OpenNode} node */
export function closeWithoutChildren(node) {
  node.closed = [node.role, node.name, propertiesOf(node, valueOf(node.target, node.role)), []];
  return node.closed;
}

// Assign refs to the nodes in interactive containers, unless the page has many elements to act on. Return the number of
// nodes that have no ref.
/** @param {Run} run */
export function numberSecond(run) {
  const numbered = run.second.filter((node) => node.closed !== null);
  if (run.count > MANY_INTERACTIVE) return numbered.length;
  for (const node of numbered) {
    const props = (/** @type {PrintedNode} */ (node.closed)[2] ??= {});
    props.ref = register(node.target);
    if (node.startsPointer) props.cursor = true;
    if (run.boxes) props.box = roundedBox(node.target);
  }
  return 0;
}

// Remove texts that together equal the name, and the letters of an icon font, which the author replaced by a name.
/** @param {OpenNode} node @param {PrintedChild[]} children */
function withoutName(node, children) {
  if (node.name === "" || children.length === 0) return children;
  if (hasAuthorName(node.target) && isIconFont(node.target)) return children.filter((child) => typeof child !== "string");
  const heard = node.hasAriaHidden ? children.filter((child) => !isAriaHiddenNode(child)) : children;
  const said = heard.map(saidBy);
  if (said.every((child) => typeof child === "string") && matchesName(tidy(said.join(" ")), node.name)) {
    return children.filter(isAriaHiddenNode);
  }
  return children;
}

// Return the text of a text, an icon or a plain paragraph; any other node is returned as it is.
/** @param {PrintedChild} child */
function saidBy(child) {
  if (typeof child === "string") return child;
  if (isPlainParagraph(child) && child[3].every((part) => typeof part === "string")) return child[3].join(" ");
  return isIcon(child) ? child[1] : child;
}

// Return whether the name of the node is only the text of its parts.
/** @param {OpenNode} node */
const isNamedByParts = (node) => NAMED_BY_PARTS.has(node.role) && !hasAuthorName(node.target);

const DECORATION = new Set(["generic", "canvas"]); // in a code editor: cursors, scroll bars, a small picture of the text
const ONE_PARAGRAPH = new Set(["listitem", "cell", "gridcell", "definition", "blockquote", "caption", "alert", "status"]);

/** @param {PrintedChild} child @returns {child is PrintedNode} */
const isPlainParagraph = (child) => typeof child !== "string" && child[0] === "paragraph" && child[1] === "" && child[2] === null;

// Return whether the child is a picture whose name is part of the name of its control.
/** @param {PrintedNode} child */
const isIcon = (child) => child[0] === "img" && child[3].length === 0 && !memo.controls.has(child);

// Return whether the child is a text or a caption that repeats the name.
/** @param {PrintedChild} child @param {string} name */
function isEcho(child, name) {
  if (typeof child === "string") return matchesName(tidy(child), name);
  const [role, own, props, inner] = child;
  const isOnlyText = inner.length === 1 && typeof inner[0] === "string";
  return role === "caption" && props === null && (own === name || (isOnlyText && matchesName(String(inner[0]), name)));
}

// Return the properties of the node, or null if it has none.
/** @param {OpenNode} node @param {string} value */
function propertiesOf(node, value) {
  const { target, role } = node;
  const props = computeStates(target, role);
  if (node.isHidden) props.hidden = true;
  if (node.ref !== 0) {
    props.ref = node.ref;
    if (node.startsPointer && !INTERACTIVE.has(role)) props.cursor = true;
  }
  if (isHtmlTag(target, "label") && node.ref !== 0) tellControl(props, getControl.call(target));
  if (node.hint !== "") props.hint = node.hint;
  if (role === "link") setIf(props, "url", urlOf(target));
  if (value !== "") props.value = value;
  setIf(props, "type", specialTypeOf(target));
  const placeholder = tidy(placeholderOf(target));
  if (placeholder !== node.name) setIf(props, "placeholder", placeholder);
  if (node.isFlow) props.flow = true;
  const editor = memo.editors?.byField.get(target);
  if (editor !== undefined) setIf(props, "lines", editor.shown);
  if (node.box !== undefined) props.box = node.box;
  if (node.ref !== 0 && role !== "iframe" && isFrameOwner(target)) props.frame = true;
  for (const _ in props) return props;
  return null;
}

// Add the state of a hidden control to the label that represents it.
/** @param {Props} props @param {Element | null} control */
function tellControl(props, control) {
  if (control === null || !isHtmlTag(control, "input") || !isHidden(control)) return;
  const role = roleOf(control);
  if (CHECKABLE.has(role) && checkedOf(control, role)) props.checked = checkedOf(control, role);
  if (isOff(control, true)) props.disabled = true;
}

/**
 * @template {keyof Props} N
 * @param {Props} props
 * @param {N} name
 * @param {Props[N]} value
 */
function setIf(props, name, value) {
  if (value !== undefined && value !== "") props[name] = value;
}

// Return the address as written. Addresses without information are omitted, and a long address loses its query first.
/** @param {Element} link */
function urlOf(link) {
  const href = (attribute(link, "href") ?? attribute(link, "xlink:href") ?? "").trim();
  if (href === "#" || /^javascript:/i.test(href)) return "";
  if (/^data:/i.test(href)) return href.length > LONGEST_URL ? `${href.split(",", 1)[0].slice(0, LONGEST_URL)},…` : href;
  if (href.length <= LONGEST_URL) return href;
  const [path] = href.split(/[?#]/, 1);
  return path.length <= LONGEST_URL && path !== "" ? `${path}?…` : `${href.slice(0, LONGEST_URL)}…`;
}

/** @param {Element} target @returns {Props["box"]} */
export function roundedBox(target) {
  const { x, y, width, height } = boxOf(target);
  return [Math.round(x), Math.round(y), Math.round(width), Math.round(height)];
}

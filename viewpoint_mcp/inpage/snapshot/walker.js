// The walker: one pass over the flattened tree that makes the nodes of a snapshot. It uses an explicit stack instead of
// recursion, because a page may nest elements thousands of levels deep.

import { told } from "../actions/causes.js";
import { areasOf } from "../aria/image_maps.js";
import { getControl, matchesName, nameOf, textOf, tidy, withoutGlyphs } from "../aria/names.js";
import { NOTHING, isOwned, readChildrenOf, withOwned } from "../aria/owns.js";
import { isSvgRead, roleOf } from "../aria/roles.js";
import { chooseCandidates, mayHideRoot, meetCandidate, meetHostOf } from "../dom/closed_shadow.js";
import {
  getBaseUri, getDocumentElement, getDocumentTitle, has, isConnected, isElement, isHtml, isSvg, localNameOf,
} from "../dom/dom.js";
import { look, memo } from "../dom/memo.js";
import { findPseudoHosts } from "../dom/pseudo_elements.js";
import { element } from "../dom/registry.js";
import { changes, startWatching } from "../settle/changes.js";
import { drawingsNow } from "../settle/drawings.js";
import { TEXT_ONLY, ariaHiddenKind, closeAriaHidden, openAriaHidden, withoutRepeats } from "./aria_hidden.js";
import { doAnyReact, isReacting, listensForParts } from "./click_listeners.js";
import { addDrawnLine, findCodeEditors, printDrawnLines } from "./code_editors.js";
import { PRESSED, repeatsName, unwrapped } from "./control_parts.js";
import {
  addEditedText, addToLine, breakLine, contentOfLines, endLine, formatIn, isEditedIn, isEditedTop,
} from "./editing.js";
import {
  CONTAINERS, LEAVES, SPOKEN, SPOKEN_TAGS, closeNode, closeWithoutChildren, numberSecond, openNode, roundedBox,
} from "./nodes.js";
import { tellTwinsApart } from "../hints/twins.js";
import { withoutSeparators } from "./separators.js";
import { isAsWalked, noteWalk } from "./unchanged.js";
import { inVisualOrder } from "../visibility/visual_order.js";
import { addPseudoText, addTextNode, meetEdge } from "./word_breaks.js";
import { clearSight, joinHidden, seenParts, sightOf, spelledOut } from "../visibility/sight.js";
import { findSuspects } from "../visibility/suspects.js";
import {
  flatPathOf, isGone, isHidden, isInline, isPointer, isUnshown, isUnstyled, isVisible, startsLine, styleOf,
} from "../visibility/visibility.js";

const MAX_TITLE = 2000; // characters; replies cut titles further, and a script can set any length
export const DEEPEST_PRINTED = 150; // levels; deeper nodes go beside their parent; parsers of the reply recurse

// Walk the document, or the registered element `root`, and return a `Walked` as JSON. Return "null" if the document is
// unchanged since the walk with the stamp `since`.
/** @param {WalkOptions} options @returns {string} */
export function walk({ root = null, allRefs = false, boxes = false, hidden = false, since = 0 }) {
  if (isAsWalked(since)) return "null";
  startWatching();
  const run = newRun({ allRefs, boxes, hidden });
  const top = root === null ? getDocumentElement.call(document) : element(root);
  let stamp = 0;
  const nodes = top === null || !isConnected(top) ? [] : look(() => {
    memo.pseudo = findPseudoHosts();
    memo.suspects = findSuspects();
    memo.editors = findCodeEditors();
    const walked = walkFrom(memo.editors?.byField.get(top)?.top ?? top, run);
    tellTwinsApart(walked);
    run.withoutRef = numberSecond(run);
    if (root === null && !allRefs && !boxes && !hidden) stamp = noteWalk();
    return walked;
  });
  const hosts = chooseCandidates();
  const { withoutRef, leftOut } = run;
  const title = getDocumentTitle.call(document).slice(0, MAX_TITLE);
  const baseUrl = getBaseUri.call(document);
  const drawings = root === null ? drawingsNow(run.canvases) : [];
  return wellFormedJson({ changes: changes(), hosts, withoutRef, leftOut, stamp, title, baseUrl, nodes, drawings });
}

// Return the value as JSON without lone surrogates, which strict parsers reject. They are rare, so they are searched
// for afterwards.
/** @param {Walked} value */
function wellFormedJson(value) {
  const json = JSON.stringify(value);
  if (!json.includes("\\ud")) return json;
  return JSON.stringify(value, (_, part) => (typeof part === "string" ? part.toWellFormed() : part));
}

// Return the options and counts of a walk at its start.
/** @param {Partial<Run>} options @returns {Run} */
export const newRun = (options) =>
  ({ allRefs: false, boxes: false, hidden: false, count: 0, second: [], withoutRef: 0, leftOut: 0, canvases: [], ...options });

// Return a description of the element with the number, with its `connected` state. Return null if the element no longer
// exists.
/** @param {number} number @returns {Named & { connected: boolean } | null} */
export function describe(number) {
  const target = element(number);
  if (target === null) return null;
  return told(target, { connected: isConnected(target) });
}

// Return the nodes of the element and its descendants.
/** @param {Element} top @param {Run} run */
export function walkFrom(top, run) {
  const isEdited = isEditedTop(top);
  const page = newSink(isEdited);
  const outside = {
    sink: page, depth: 0, isPointer: false, control: null, isContained: false, hasParts: false, isImage: false, isMarked: false,
    isLeftOut: false, isSpoken: false, isEdited, format: "", editor: null, ariaHidden: "", sight: sightAround(top),
  };
  /** @type {Frame[]} */
  const stack = [];
  enter(top, outside, run, stack);
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    if (frame.index === frame.children.length) {
      stack.pop();
      leave(frame, run);
      continue;
    }
    const child = frame.children[frame.index];
    frame.index += 1;
    if (isElement(child)) enter(child, frame, run, stack);
    else if (frame.isVisible) addTextOf(frame, child);
  }
  flush(page);
  const children = withoutSeparators(top, page.isMuted ? seenParts(page.children) : page.children);
  return page.hasAriaHidden ? withoutRepeats(children) : children;
}

/** @param {Frame} frame @param {Text} text */
function addTextOf(frame, text) {
  if (frame.sink.line === null) addTextNode(text, frame);
  else addEditedText(text, frame);
}

// Return the sight outside `top`. Ancestors of a walk's root can hide the content too.
/** @param {Element} top */
export function sightAround(top) {
  let sight = clearSight();
  for (const at of [...flatPathOf(top)].slice(1).reverse()) sight = sightOf(at, localNameOf(at), sight);
  return sight;
}

// Push the element on the stack, with a node of its own or as part of the node around it.
/** @param {Element} target @param {Around | Frame} around @param {Run} run @param {Frame[]} stack */
function enter(target, around, run, stack) {
  const tag = localNameOf(target);
  const ariaHidden = ariaHiddenIn(target, tag, around);
  if (ariaHidden === null) {
    if (isUnstyled(target)) meetHostOf(target);
    return;
  }
  if (addGap(tag, around.sink)) return;
  if (tag === "canvas" && around.editor === null) run.canvases.push(target);
  const line = memo.editors?.byLine.get(target) ?? null;
  const role = roleOf(target);
  const sight = sightOf(target, tag, isOwned(target) ? sightAround(target) : around.sight);
  const { leftOut } = run;
  let node = line === null ? openAny(target, role, ariaHidden, around, run, sight) : null;
  if (node !== null && run.boxes && node.ref !== 0) node.box = roundedBox(target);
  if (node !== null && around.depth >= DEEPEST_PRINTED) {
    flush(around.sink);
    around.sink.children.push(closeWithoutChildren(node));
    node = null;
  }
  const isEdited = line !== null || isEditedIn(target, around.isEdited);
  const format = isEdited ? formatIn(target, tag, around.format) : "";
  const editor = memo.editors?.byTop.get(target) ?? around.editor;
  /** @type {Frame} */
  const frame = {
    target, node, around, line, editor, isEdited, format, index: 0, isVisible: isVisible(target),
    sink: node === null && line === null ? around.sink : newSink(isEdited),
    children: isLeaf(target, tag, role) ? leafChildrenOf(target, tag) : inVisualOrder(readChildrenOf(target)),
    depth: around.depth + (node === null ? 0 : 1), isPointer: isPointer(target),
    control: node !== null && PRESSED.has(role) ? target : around.control,
    isContained: around.isContained || CONTAINERS.has(role) || isReacting(target),
    hasParts: doAnyReact && listensForParts(target), isImage: tag === "img",
    isMarked: around.isMarked || (node !== null && node.isHidden),
    isLeftOut: around.isLeftOut || run.leftOut > leftOut,
    isSpoken: ariaHidden === "" && !isEdited && (around.isSpoken || SPOKEN_TAGS.has(tag) || (node !== null && SPOKEN.has(role))),
    ariaHidden, sight, labelFrom: -1,
  };
  beginContent(frame, tag);
  stack.push(frame);
}

// Add a space, or in editable content the end of the line, for an element that only breaks the line. Return whether it
// is one. A <wbr> only permits a break: "Hash<wbr>Map" is one word to a reader, although Chrome names it with a space.
/** @param {string} tag @param {Sink} sink */
function addGap(tag, sink) {
  if (tag === "br" && sink.line !== null) breakLine(sink);
  else if (tag === "br") sink.pending += " ";
  return tag === "br" || tag === "wbr";
}

/** @param {Frame} frame @param {string} tag */
function beginContent(frame, tag) {
  const { target, children } = frame;
  if (children !== NOTHING && mayHideRoot(target, tag, children)) meetCandidate(target);
  if (frame.node === null) beginPart(frame, tag);
  if (frame.isVisible && children !== NOTHING) addPseudoText(target, "::before", frame);
}

// Return the kind of the aria-hidden element that the target is or is inside; "" for none. Return null if the target is
// omitted.
/** @param {Element} target @param {string} tag @param {Around | Frame} around */
function ariaHiddenIn(target, tag, around) {
  if (memo.editors?.gutters.has(target)) return null;
  if (!isGone(target) || (tag === "area" && around.isImage)) {
    return around.ariaHidden === TEXT_ONLY && isSvg(target) ? null : around.ariaHidden;
  }
  const kind = around.ariaHidden || ariaHiddenKind(target, around);
  return kind === "" || isUnshown(target) ? null : kind;
}

/**
 * @param {Element} target
 * @param {string} role
 * @param {string} ariaHidden
 * @param {Around | Frame} around
 * @param {Run} run
 * @param {Sight} sight
 */
function openAny(target, role, ariaHidden, around, run, sight) {
  if (ariaHidden !== "") return openAriaHidden(target, role, ariaHidden, around, run, sight);
  return isVisible(target) ? openNode(target, role, around, run, sight) : null;
}

// Return whether the children of the element are not read. The content of an element with role img and no name is read.
/** @param {Element} target @param {string} tag @param {string} role */
function isLeaf(target, tag, role) {
  if (role === "iframe" || (isHtml(target) && LEAVES.has(tag))) return true;
  if (role !== "img") return false;
  return isSvg(target) ? has(target, "role") || !isSvgRead(target) : nameOf(target) !== "";
}

// Return the children of a leaf: the elements that it owns through aria-owns, or the areas of an image.
/** @param {Element} target @param {string} tag */
function leafChildrenOf(target, tag) {
  if (tag === "img") return areasOf(target);
  return has(target, "aria-owns") ? withOwned(target, NOTHING) : NOTHING;
}

// Finish the element: end its text, close its node, and add the node to the sink around it.
/** @param {Frame} frame @param {Run} run */
function leave(frame, run) {
  const { target, node, sink, line, editor } = frame;
  if (frame.isVisible && frame.children !== NOTHING) addPseudoText(target, "::after", frame);
  if (editor !== null && editor.top === target) printDrawnLines(editor);
  if (line !== null) {
    flush(sink);
    if (frame.sight.veil === null) addDrawnLine(line, target, sink.children);
    return;
  }
  if (node === null) {
    endPart(frame);
    return;
  }
  flush(sink);
  const closed = closeFrame(frame, node);
  if (!node.isAriaHidden || closed !== null) addClosed(frame, node, closed, run);
  else if (!isInline(target)) frame.around.sink.pending += " ";
}

// Return the finished node of the element, or null if nothing is printed.
/** @param {Frame} frame @param {OpenNode} node */
function closeFrame(frame, node) {
  const { sink, around } = frame;
  const { isMuted, isPainted, hasAriaHidden } = sink;
  Object.assign(node, { isMuted, isPainted, hasAriaHidden, isMarked: frame.isMarked });
  if (sink.line !== null) {
    const { children, flow } = contentOfLines(sink.children, !around.isEdited);
    sink.children = children;
    Object.assign(node, { isFlow: flow, isEdited: around.isEdited });
  }
  node.isInEditor = frame.editor !== null;
  return node.isAriaHidden ? closeAriaHidden(node, frame) : closeNode(node, sink.children);
}

// Add the finished node to the sink around the element.
/** @param {Frame} frame @param {OpenNode} node @param {PrintedNode | null} closed @param {Run} run */
function addClosed({ target, around, ariaHidden, isMarked }, node, closed, run) {
  if (around.sink.line !== null && !startsLine(target)) {
    if (closed !== null) addToLine(around.sink, closed);
    return;
  }
  if (!isInline(target)) flush(around.sink);
  if (closed === null || (node.isHidden && ariaHidden !== "")) return;
  // All its text is invisible. People can click it nevertheless, so it is kept if it has a ref.
  if (node.isHidden && !isMarked && !node.isActed && !run.hidden) {
    run.leftOut += 1;
    return;
  }
  const gap = around.sink.pending === "" && isInline(target) ? "" : " ";
  flush(around.sink);
  const inside = unwrapped(node, closed);
  if (inside !== null) {
    run.count -= 1;
    for (const child of inside) addChild(around.sink.children, child);
  } else if (!node.isHidden || !joinHidden(around.sink.children, closed, gap)) {
    addChild(around.sink.children, closed);
  }
}

// Start an element without a node. A block ends the current line. An inline block ends the current word if a reader
// would see a gap (see snapshot/word_breaks.js).
/** @param {Frame} frame @param {string} tag */
function beginPart(frame, tag) {
  if (tag === "label") {
    flush(frame.sink);
    frame.labelFrom = frame.sink.children.length;
  } else if (!isInline(frame.target)) {
    separate(frame);
  }
}

/** @param {Frame} frame */
function endPart(frame) {
  if (frame.labelFrom >= 0) {
    flush(frame.sink);
    dropLabelText(frame);
  } else if (!isInline(frame.target)) {
    separate(frame);
  }
}

// End the line at a block, and the word at an inline block.
/** @param {Frame} options */
function separate({ target, sink }) {
  if (startsLine(target)) flush(sink);
  else if (sink.line === null) meetEdge(target, sink);
}

/** @param {Frame} options */
function dropLabelText({ target, sink, labelFrom }) {
  sink.children.push(...withoutLabelText(/** @type {HTMLLabelElement} */ (target), sink.children.splice(labelFrom)));
}

// Return the children without the text of the label, because it is printed as the name of its control.
/** @param {HTMLLabelElement} label @param {PrintedChild[]} children */
export function withoutLabelText(label, children) {
  const control = getControl.call(label);
  if (control === null || isHidden(control)) return children;
  const name = tidy(withoutGlyphs(nameOf(control)));
  const said = children.filter((child) => typeof child === "string").map(spelledOut);
  const isSaid = matchesName(tidy(said.join(" ")), name) ? () => true : (/** @type {string} */ text) => matchesName(tidy(spelledOut(text)), name);
  return children.filter((child) => typeof child !== "string" || !isSaid(child));
}

// Return an empty sink. See snapshot/word_breaks.js for `hasEdge` and `lastText`.
/** @param {boolean} isEdited @returns {Sink} */
const newSink = (isEdited) => ({
  children: [], pending: "", isMuted: false, isPainted: false, hasAriaHidden: false, hasEdge: false, lastText: null,
  line: isEdited ? [] : null, format: "",
});

const SINGLE_SPACED = /^[!-~]+(?: [!-~]+)*$/;

// End the current line of text and add it to the children.
/** @param {Sink} sink */
function flush(sink) {
  if (sink.line !== null) endLine(sink);
  if (sink.pending === "") return;
  const { pending } = sink;
  if (SINGLE_SPACED.test(pending)) {
    sink.pending = "";
    addChild(sink.children, pending);
    return;
  }
  const seen = withoutGlyphs(pending);
  if (seen !== pending) sink.isPainted = true;
  const text = seen.replace(/[\u200b\ufeff]/g, "").replace(/[ \t\n\r\f\u00a0]+/g, " ").replace(/^[ \v]+|[ \v\u0001]+$/g, "");
  sink.pending = "";
  if (text !== "") addChild(sink.children, text.replaceAll("\u0001", " ").replaceAll("\v", "\n"));
}

// Add a child. A text directly before or after a field that repeats the field's name is not printed.
/** @param {PrintedChild[]} children @param {PrintedChild} child */
function addChild(children, child) {
  const last = children[children.length - 1];
  if (repeatsName(child, last)) return;
  if (repeatsName(last, child)) children.pop();
  children.push(child);
}

// Return the text as it is painted. Preserved line breaks and spaces are represented as \v and \u0001 until `flush`.
/** @param {Text} text @param {Element} parent */
export function paintedText(text, parent) {
  const data = textOf(text, parent);
  if (!data.includes("\n") || !styleOf(parent).whiteSpaceCollapse.startsWith("preserve")) return data;
  return data.replace(/\r?\n/g, "\v").replaceAll(" ", "\u0001");
}

// The walk: one pass over the flattened tree that makes the nodes of a snapshot. A stack of its own instead of
// recursion, since a page may nest thousands deep.

import { told } from "../actions/causes.js";
import { areasOf } from "../aria/image_maps.js";
import { getControl, matchesName, nameOf, textOf, tidy } from "../aria/names.js";
import { NOTHING, readChildrenOf, withOwned } from "../aria/owns.js";
import { isSvgRead, roleOf } from "../aria/roles.js";
import { chooseCandidates, mayHideRoot, meetCandidate, meetHostOf } from "../dom/closed_shadow.js";
import {
  getDocumentElement, getDocumentTitle, has, isConnected, isElement, isHtml, isSvg, localNameOf,
} from "../dom/dom.js";
import { look, memo } from "../dom/memo.js";
import { findPseudoHosts } from "../dom/pseudo_elements.js";
import { element } from "../dom/registry.js";
import { changes, startWatching } from "../settle/changes.js";
import { TEXT_ONLY, ariaHiddenKind, closeAriaHidden, openAriaHidden, withoutRepeats } from "./aria_hidden.js";
import { doAnyReact, isReacting, listensForParts } from "./click_listeners.js";
import {
  CONTAINERS, LEAVES, SPOKEN, SPOKEN_TAGS, closeNode, closeWithoutChildren, numberSecond, openNode, roundedBox,
} from "./nodes.js";
import { isAsWalked, noteWalk } from "./unchanged.js";
import { addPseudoText, addTextNode, meetEdge } from "./word_breaks.js";
import { clearSight, joinHidden, seenParts, sightOf, spelledOut } from "../visibility/sight.js";
import { findSuspects } from "../visibility/suspects.js";
import {
  flatPathOf, isGone, isHidden, isInline, isPointer, isUnshown, isUnstyled, isVisible, startsLine, styleOf,
} from "../visibility/visibility.js";

export const DEEPEST_PRINTED = 150; // what is nested deeper is printed beside its parent: parsers of the reply recurse

// Walks the document, or the registered element `root`, and returns a `Walked` as JSON; "null" where the document is as
// the walk `since` left it.
/** @param {WalkOptions} options @returns {string} */
export function walk({ root = null, allRefs = false, boxes = false, since = 0 }) {
  if (isAsWalked(since)) return "null";
  startWatching();
  /** @type {Run} */
  const run = { allRefs, boxes, count: 0, second: [], withoutRef: 0 };
  const top = root === null ? getDocumentElement.call(document) : element(root);
  let stamp = 0;
  const nodes = top === null || !isConnected(top) ? [] : look(() => {
    memo.pseudo = findPseudoHosts();
    memo.suspects = findSuspects();
    const walked = walkFrom(top, run);
    run.withoutRef = numberSecond(run);
    if (root === null && !allRefs && !boxes) stamp = noteWalk();
    return walked;
  });
  const hosts = chooseCandidates();
  const { withoutRef } = run;
  const title = getDocumentTitle.call(document);
  return wellFormedJson({ changes: changes(), hosts, withoutRef, stamp, title, url: location.href, nodes });
}

// Half a surrogate pair is written as an escape that strict parsers refuse; it is rare enough to look for afterwards.
/** @param {Walked} value */
function wellFormedJson(value) {
  const json = JSON.stringify(value);
  if (!json.includes("\\ud")) return json;
  return JSON.stringify(value, (_, part) => (typeof part === "string" ? part.toWellFormed() : part));
}

// What the element of that number is now, or null where no element has it any more.
/** @param {number} number @returns {Named & { connected: boolean } | null} */
export function describe(number) {
  const target = element(number);
  if (target === null) return null;
  return told(target, { connected: isConnected(target) });
}

/** @param {Element} top @param {Run} run */
export function walkFrom(top, run) {
  const page = newSink();
  const outside = {
    sink: page, depth: 0, isPointer: false, isContained: false, hasParts: false, isImage: false, isMarked: false, isSpoken: false,
    ariaHidden: "", sight: sightAround(top),
  };
  /** @type {Frame[]} */
  const stack = [];
  enter(top, outside, run, stack);
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    if (frame.index === frame.children.length) {
      stack.pop();
      leave(frame);
      continue;
    }
    const child = frame.children[frame.index];
    frame.index += 1;
    if (isElement(child)) enter(child, frame, run, stack);
    else if (frame.isVisible) addTextNode(child, frame);
  }
  flush(page);
  const children = page.isMuted ? seenParts(page.children) : page.children;
  return page.hasAriaHidden ? withoutRepeats(children) : children;
}

// What is around a walk that does not begin at the top keeps it from being seen as well.
/** @param {Element} top */
export function sightAround(top) {
  let sight = clearSight();
  for (const at of [...flatPathOf(top)].slice(1).reverse()) sight = sightOf(at, localNameOf(at), sight);
  return sight;
}

// Puts the element on the stack, with a node of its own or as a part of the node around it.
/** @param {Element} target @param {Around | Frame} around @param {Run} run @param {Frame[]} stack */
function enter(target, around, run, stack) {
  const tag = localNameOf(target);
  const ariaHidden = ariaHiddenIn(target, tag, around);
  if (ariaHidden === null) {
    if (isUnstyled(target)) meetHostOf(target);
    return;
  }
  if (tag === "br" || tag === "wbr") {
    around.sink.pending += " ";
    return;
  }
  const role = roleOf(target);
  const sight = sightOf(target, tag, around.sight);
  let node = openAny(target, role, ariaHidden, around, run, sight);
  if (node !== null && run.boxes && node.ref !== 0) node.box = roundedBox(target);
  if (node !== null && around.depth >= DEEPEST_PRINTED) {
    flush(around.sink);
    around.sink.children.push(closeWithoutChildren(node));
    node = null;
  }
  /** @type {Frame} */
  const frame = {
    target, node, around, index: 0, isVisible: isVisible(target),
    sink: node === null ? around.sink : newSink(),
    children: isLeaf(target, tag, role) ? leafChildrenOf(target, tag) : readChildrenOf(target),
    depth: around.depth + (node === null ? 0 : 1),
    isPointer: isPointer(target),
    isContained: around.isContained || CONTAINERS.has(role) || isReacting(target),
    hasParts: doAnyReact && listensForParts(target),
    isImage: tag === "img",
    isMarked: around.isMarked || (node !== null && node.isHidden),
    isSpoken: ariaHidden === "" && (around.isSpoken || SPOKEN_TAGS.has(tag) || (node !== null && SPOKEN.has(role))),
    ariaHidden, sight, labelFrom: -1,
  };
  if (frame.children !== NOTHING && mayHideRoot(target, tag, frame.children)) meetCandidate(target);
  if (node === null) beginPart(frame, tag);
  if (frame.isVisible && frame.children !== NOTHING) addPseudoText(target, "::before", frame);
  stack.push(frame);
}

// The kind of the aria-hidden element that the target is or stands in, "" for none; null where it is left out.
/** @param {Element} target @param {string} tag @param {Around | Frame} around */
function ariaHiddenIn(target, tag, around) {
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

// A box that is called an image and has no name is read: its text is all that it says.
/** @param {Element} target @param {string} tag @param {string} role */
function isLeaf(target, tag, role) {
  if (role === "iframe" || (isHtml(target) && LEAVES.has(tag))) return true;
  if (role !== "img") return false;
  return isSvg(target) ? has(target, "role") || !isSvgRead(target) : nameOf(target) !== "";
}

// A leaf has no children of its own, but may own some; a picture has areas.
/** @param {Element} target @param {string} tag */
function leafChildrenOf(target, tag) {
  if (tag === "img") return areasOf(target);
  return has(target, "aria-owns") ? withOwned(target, NOTHING) : NOTHING;
}

/** @param {Frame} frame */
function leave(frame) {
  const { target, node, sink, around } = frame;
  if (frame.isVisible && frame.children !== NOTHING) addPseudoText(target, "::after", frame);
  if (node === null) {
    endPart(frame);
    return;
  }
  flush(sink);
  const { isMuted, isPainted, hasAriaHidden } = sink;
  Object.assign(node, { isMuted, isPainted, hasAriaHidden, isMarked: frame.isMarked });
  const closed = node.isAriaHidden ? closeAriaHidden(node, frame) : closeNode(node, sink.children);
  if (node.isAriaHidden && closed === null) {
    if (!isInline(target)) around.sink.pending += " ";
    return;
  }
  if (!isInline(target)) flush(around.sink);
  if (closed === null || (node.isHidden && frame.ariaHidden !== "")) return;
  const gap = around.sink.pending === "" && isInline(target) ? "" : " ";
  flush(around.sink);
  if (!node.isHidden || !joinHidden(around.sink.children, closed, gap)) around.sink.children.push(closed);
}

// An element without a node of its own: a block ends the line before it, an inline block the word, where a reader sees
// it end (see snapshot/word_breaks.js).
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

/** @param {Frame} options */
function separate({ target, sink }) {
  if (startsLine(target)) flush(sink);
  else meetEdge(target, sink);
}

/** @param {Frame} options */
function dropLabelText({ target, sink, labelFrom }) {
  sink.children.push(...withoutLabelText(/** @type {HTMLLabelElement} */ (target), sink.children.splice(labelFrom)));
}

// The text of a label is the name of its control, which is printed with it.
/** @param {HTMLLabelElement} label @param {PrintedChild[]} children */
export function withoutLabelText(label, children) {
  const control = getControl.call(label);
  if (control === null || isHidden(control)) return children;
  const name = nameOf(control);
  const said = children.filter((child) => typeof child === "string").map(spelledOut);
  const isSaid = matchesName(tidy(said.join(" ")), name) ? () => true : (/** @type {string} */ text) => matchesName(tidy(spelledOut(text)), name);
  return children.filter((child) => typeof child !== "string" || !isSaid(child));
}

// `hasEdge` and `lastText`: see snapshot/word_breaks.js.
/** @returns {Sink} */
const newSink = () => ({
  children: [], pending: "", isMuted: false, isPainted: false, hasAriaHidden: false, hasEdge: false, lastText: null,
});

const SINGLE_SPACED = /^[!-~]+(?: [!-~]+)*$/;

// Ends the line of text that is being gathered.
/** @param {Sink} sink */
function flush(sink) {
  if (sink.pending === "") return;
  const { pending } = sink;
  if (SINGLE_SPACED.test(pending)) {
    sink.pending = "";
    sink.children.push(pending);
    return;
  }
  const text = pending.replace(/[ \t\n\r\f\u00a0\u200b]+/g, " ").replace(/^[ \v]+|[ \v\u0001]+$/g, "");
  sink.pending = "";
  if (text !== "") sink.children.push(text.replaceAll("\u0001", " ").replaceAll("\v", "\n"));
}

// A text as it is painted. Where line breaks and spaces are kept they travel as \v and \u0001 through the gathering.
/** @param {Text} text @param {Element} parent */
export function paintedText(text, parent) {
  const data = textOf(text, parent);
  if (!data.includes("\n") || !styleOf(parent).whiteSpaceCollapse.startsWith("preserve")) return data;
  return data.replace(/\r?\n/g, "\v").replaceAll(" ", "\u0001");
}

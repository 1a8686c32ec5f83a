// Discovery of closed shadow roots. No script can reach a closed root, but the debugger can. This module collects the
// elements that may have a closed root. Python resolves the roots through CDP and passes them to `adopt`.

import {
  boxOf, dataOf, flatChildrenOf, isElement, isHtml, isMatching, isText, localNameOf, parentOf, rememberClosedRoot,
  shadowRootOf, treeWalkerOf,
} from "./dom.js";
import { observe, shadowRootsIn, watched } from "../settle/changes.js";
import { NEVER_SHOWN } from "../visibility/visibility.js";

const PLAIN_HOSTS = new Set(["article", "aside", "blockquote", "body", "div", "footer", "h1", "h2", "h3", "h4", "h5", "h6",
  "header", "main", "nav", "p", "section", "span"]);
const MOST_ASKED = 2000; // new or changed elements in one request; each costs the debugger some 60 µs
const MOST_ASKED_AGAIN = 50; // unchanged elements in one request; no observer reports a root that is attached later

// Records, for each element, its last request and its `likeness` at that time. A changed likeness is a reason to ask
// again. Most custom elements attach their root when they are defined, and most roots change the size of their host.
/** @type {WeakMap<Element, { time: number, like: string }>} */
const lastAsked = new WeakMap();
let times = 0;
/** @type {Element[]} */
let candidates = []; // collected since the last `chooseCandidates`
/** @type {Element[]} */
let chosen = []; // the elements that the next request asks about

// Return whether the element may have a closed shadow root, so that the debugger should be asked. This holds for custom
// elements, and for plain elements without visible children.
/** @param {Element} target @param {string} tag @param {(Element | Text)[]} children */
export function mayHideRoot(target, tag, children) {
  if (tag.includes("-")) return isHtml(target) && shadowRootOf(target) === null;
  if (!PLAIN_HOSTS.has(tag) || !children.every(isBlank)) return false;
  return isHtml(target) && shadowRootOf(target) === null;
}

/** @param {Element | Text} child */
const isBlank = (child) => (isText(child) ? !/\S/.test(dataOf(child)) : NEVER_SHOWN.has(localNameOf(child)));

// Add the element to the candidates that `chooseCandidates` selects from.
/** @param {Element} target */
export const meetCandidate = (target) => candidates.push(target);

// Add the parent of an unstyled child to the candidates. A child has no style if the shadow root of its parent assigns
// it to no slot.
/** @param {Element} child */
export function meetHostOf(child) {
  const parent = parentOf(child);
  if (parent !== null && isElement(parent) && shadowRootOf(parent) === null) meetCandidate(parent);
}

/** @param {Element} target */
const timeAsked = (target) => lastAsked.get(target)?.time ?? 0;

// Choose the candidates that the debugger is asked about, and return their number. New and changed elements come first.
// The unchanged elements take turns.
export function chooseCandidates() {
  const met = [...new Set(candidates)];
  const changed = met.filter((target) => lastAsked.get(target)?.like !== likeness(target));
  const isChanged = new Set(changed);
  const again = met.filter((target) => !isChanged.has(target));
  if (again.length > MOST_ASKED_AGAIN) again.sort((a, b) => timeAsked(a) - timeAsked(b));
  chosen = [...changed.slice(0, MOST_ASKED), ...again.slice(0, MOST_ASKED_AGAIN)];
  candidates = [];
  return chosen.length;
}

// Return a text that changes when the element is resized or becomes a defined custom element.
/** @param {Element} target */
function likeness(target) {
  const { width, height } = boxOf(target);
  return `${width} ${height} ${isMatching(target, ":defined")}`;
}

// Return the chosen elements and record that the debugger was asked about them.
/** @returns {Element[]} */
export function takeCandidates() {
  const taken = chosen;
  chosen = [];
  times += 1;
  for (const target of taken) lastAsked.set(target, { time: times, like: likeness(target) });
  return taken;
}

// Search the whole document for candidates and return the elements to ask about. This needs no earlier walk.
/** @returns {Element[]} */
export function seekCandidates() {
  seekIn(document);
  for (const root of shadowRootsIn(document)) seekIn(root);
  chooseCandidates();
  return takeCandidates();
}

/** @param {Scope} root */
function seekIn(root) {
  const walker = treeWalkerOf(root);
  for (let node = /** @type {Element | null} */ (walker.nextNode()); node !== null; node = /** @type {Element | null} */ (walker.nextNode())) {
    if (mayHideRoot(node, localNameOf(node), flatChildrenOf(node))) meetCandidate(node);
  }
}

// Remember closed roots that the debugger found. Return the candidates inside them, since closed roots can be nested.
/** @param {...ShadowRoot} roots @returns {Element[]} */
export function adopt(...roots) {
  for (const root of roots) {
    rememberClosedRoot(root);
    if (watched.observer !== null) observe(root);
  }
  for (const root of roots) {
    seekIn(root);
    for (const inner of shadowRootsIn(root)) seekIn(inner);
  }
  chooseCandidates();
  return takeCandidates();
}

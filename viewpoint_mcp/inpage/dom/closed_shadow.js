// Closed shadow roots. A page keeps them from every script, ours included, but not from the debugger. So what may have
// one is gathered here, the debugger is asked about it from outside, and the roots come back through `adopt`.

import {
  boxOf, dataOf, flatChildrenOf, isElement, isHtml, isMatching, isText, localNameOf, parentOf, rememberClosedRoot,
  shadowRootOf, treeWalkerOf,
} from "./dom.js";
import { observe, shadowRootsIn, watched } from "../settle/changes.js";
import { NEVER_SHOWN } from "../visibility/visibility.js";

const PLAIN_HOSTS = new Set(["article", "aside", "blockquote", "body", "div", "footer", "h1", "h2", "h3", "h4", "h5", "h6",
  "header", "main", "nav", "p", "section", "span"]);
const MOST_ASKED = 2000; // new ones in one look: each costs the debugger some 60 µs
const MOST_ASKED_AGAIN = 50; // a root may be attached later, which no observer tells

// When each was last asked about, and what it was like then: a custom element mostly attaches its root when it gets
// defined, and what a root shows mostly changes the size.
/** @type {WeakMap<Element, { time: number, like: string }>} */
const lastAsked = new WeakMap();
let times = 0;
/** @type {Element[]} */
let candidates = []; // met since the last choice
/** @type {Element[]} */
let chosen = []; // to be asked about

// Whether the debugger should be asked: custom elements, and plain ones that have nothing to show but may have a root.
/** @param {Element} target @param {string} tag @param {(Element | Text)[]} children */
export function mayHideRoot(target, tag, children) {
  if (tag.includes("-")) return isHtml(target) && shadowRootOf(target) === null;
  if (!PLAIN_HOSTS.has(tag) || !children.every(isBlank)) return false;
  return isHtml(target) && shadowRootOf(target) === null;
}

/** @param {Element | Text} child */
const isBlank = (child) => (isText(child) ? !/\S/.test(dataOf(child)) : NEVER_SHOWN.has(localNameOf(child)));

/** @param {Element} target */
export const meetCandidate = (target) => candidates.push(target);

// A child without any style is shown by nobody: its parent has a root that does not take it.
/** @param {Element} child */
export function meetHostOf(child) {
  const parent = parentOf(child);
  if (parent !== null && isElement(parent) && shadowRootOf(parent) === null) meetCandidate(parent);
}

/** @param {Element} target */
const timeAsked = (target) => lastAsked.get(target)?.time ?? 0;

// Chooses among those met whom to ask about, and returns how many: the new and the changed ones, and of the others
// some, in turns.
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

/** @param {Element} target */
function likeness(target) {
  const { width, height } = boxOf(target);
  return `${width} ${height} ${isMatching(target, ":defined")}`;
}

// The elements to ask about; from now on they count as asked.
/** @returns {Element[]} */
export function takeCandidates() {
  const taken = chosen;
  chosen = [];
  times += 1;
  for (const target of taken) lastAsked.set(target, { time: times, like: likeness(target) });
  return taken;
}

// The elements to ask about in the whole document, when no walk met them.
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

// Takes closed roots that the debugger found; returns whom to ask about inside of them.
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

// The numbers of elements. An element keeps its number while it lives; a number is never given twice. Held weakly
// both ways, so that naming an element does not keep it (or its page's memory) alive.

import { getOwnerDocument } from "./dom.js";

/** @type {WeakMap<Element, number>} */
const numberOf = new WeakMap();
/** @type {Map<number, WeakRef<Element>>} */
const elementOf = new Map();
const collected = new FinalizationRegistry((number) => elementOf.delete(number));

let highest = 0;

// Returns the element's number; an element that has none gets the next one.
/** @param {Element} target @returns {number} */
export function register(target) {
  const known = numberOf.get(target);
  if (known !== undefined) return known;
  highest += 1;
  numberOf.set(target, highest);
  elementOf.set(highest, new WeakRef(target));
  collected.register(target, highest);
  return highest;
}

// Calls the API function of that name: every call from Python that may register elements goes through here. Numbers
// below `first` belong to elements of earlier documents of this frame. Every answer carries the lowest number that is
// still free, whether or not this call registered an element: an earlier answer may have been lost.
/**
 * @this {Record<string, (...args: any) => any>}
 * @param {number} first
 * @param {string} name
 * @param {...any} args
 * @returns {Numbered<any> | Promise<Numbered<any>>}
 */
export function callNumbered(first, name, ...args) {
  highest = Math.max(highest, first - 1);
  /** @param {any} value */
  const answer = (value) => ({ value, next: highest + 1 });
  const value = this[name](...args);
  return value instanceof Promise ? value.then(answer) : answer(value);
}

// The document, as an object to ask the protocol about.
/** @returns {Document} */
export const page = () => document;

// The living element with that number, or null. It may be out of the document: ask `describe`. Taken over by another
// document it is out of reach: its place is told in the coordinates of that one.
/** @param {number} number @returns {Element | null} */
export function element(number) {
  const found = elementOf.get(number)?.deref() ?? null;
  return found !== null && getOwnerDocument.call(found) === document ? found : null;
}

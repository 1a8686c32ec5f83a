// The registry of numbered elements. An element keeps its number while it lives, and no number is used twice. Weak
// references in both directions ensure that the registry keeps neither an element nor its page's memory alive.

import { getOwnerDocument, isConnected } from "./dom.js";

/** @type {WeakMap<Element, number>} */
const numberOf = new WeakMap();
/** @type {Map<number, WeakRef<Element>>} */
const elementOf = new Map();
// A number may have gone to another element meanwhile; see `takeOverNumbers`.
const collected = new FinalizationRegistry((number) => {
  if (elementOf.get(number)?.deref() === undefined) elementOf.delete(number);
});

let highest = 0;

// Return the number of the element. Assign the next free number to an element that has none.
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

// Call the API function with the given name. Each call from Python that may register elements goes through this
// function. Numbers below `first` belong to elements of earlier documents of this frame, so they are never assigned.
// The answer includes the lowest free number even if this call registered no element, because an earlier answer may
// have been lost.
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

// Give elements the numbers of equal elements that are gone, so that refs which the agent knows name them. A number
// whose element is still in this document stays with it. Return the numbers that were replaced.
/** @param {[number, number][]} pairs the number of an element, and the number that it gets @returns {number[]} */
export function takeOverNumbers(pairs) {
  const replaced = [];
  for (const [number, former] of pairs) {
    const target = element(number), holder = element(former);
    if (target === null || (holder !== null && isConnected(holder))) continue;
    // If the page inserts the holder again, it gets a number of its own.
    if (holder !== null) numberOf.delete(holder);
    elementOf.delete(number);
    elementOf.set(former, new WeakRef(target));
    numberOf.set(target, former);
    collected.register(target, former);
    replaced.push(number);
  }
  return replaced;
}

// Return the document, so that CDP can refer to it as an object.
/** @returns {Document} */
export const page = () => document;

// Return the living element with the number, or null. The element may be detached; `describe` reports that. Return null
// for an element that was moved to another document, because its coordinates refer to that document.
/** @param {number} number @returns {Element | null} */
export function element(number) {
  const found = elementOf.get(number)?.deref() ?? null;
  return found !== null && getOwnerDocument.call(found) === document ? found : null;
}

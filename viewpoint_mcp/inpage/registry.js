// The numbers of elements. An element keeps its number while it lives; a number is never given twice. Held weakly
// both ways, so that naming an element does not keep it (or its page's memory) alive.
const numberOf = new WeakMap();
const elementOf = new Map();
const collected = new FinalizationRegistry((number) => elementOf.delete(number));

let highest = 0; // whoever asks may not have heard yet what was given meanwhile

// The element's number, and the first number that is free now: `next` is given to an element that has none yet.
function register(target, next) {
  const known = numberOf.get(target);
  if (known !== undefined) return { number: known, next };
  const number = Math.max(next, highest + 1);
  highest = number;
  numberOf.set(target, number);
  elementOf.set(number, new WeakRef(target));
  collected.register(target, number);
  return { number, next: number + 1 };
}

// The document, as an object to ask the protocol about.
const page = () => document;

// The living element with that number, or null. It may be out of the document: ask `describe`. Taken over by another
// document it is out of reach: its place is told in the coordinates of that one.
function element(number) {
  const found = elementOf.get(number)?.deref() ?? null;
  return found !== null && getOwnerDocument.call(found) === document ? found : null;
}

// What was found out during one look at the page. A look is synchronous, so nothing can change while it lasts; with
// its end all is forgotten, because then everything may.
//
// Outside of a look it is null. Its type leaves that out, for nearly all that reads it runs within one.
export let memo = /** @type {Memo} */ (/** @type {unknown} */ (null));

// Runs `work` with a memo: the one of the look that is going on, or a new one.
/**
 * @template T
 * @param {() => T} work
 * @returns {T}
 */
export function look(work) {
  if (memo !== null) return work();
  memo = {
    paints: new Map(), roles: new Map(), names: new Map(), contents: new Map(), slots: new Map(), tables: new Map(),
    tablesAround: new Map(), muteImages: new Set(), labels: null, owners: null, focusPath: null, focused: null,
    modal: undefined, someDisabled: null, pseudo: null, depth: 0, saidLabels: null, readByReference: null, isSingular: false,
    suspects: null, animated: null, area: null, painted: null, pictures: null, range: null, layers: null,
  };
  try {
    return work();
  } finally {
    memo = /** @type {Memo} */ (/** @type {unknown} */ (null));
  }
}

// Remembers in the memo's map called `kind` what `find` says about the element.
/**
 * @template {keyof Remembered} K
 * @param {K} kind
 * @param {Remembered[K][0]} target
 * @param {(target: Remembered[K][0]) => Remembered[K][1]} find
 * @returns {Remembered[K][1]}
 */
export function remembered(kind, target, find) {
  const known = /** @type {Map<Remembered[K][0], Remembered[K][1]>} */ (memo[kind]);
  const found = known.get(target);
  if (found !== undefined) return found;
  const value = find(target);
  known.set(target, value);
  return value;
}

// The cache of one synchronous pass over the page (a "look"), such as a snapshot walk. The page cannot change during a
// look, so results stay valid until it ends. Then the cache is dropped.
//
// The value is null outside a look. The declared type omits null, because nearly all code that reads it runs in a look.
export let memo = /** @type {Memo} */ (/** @type {unknown} */ (null));

// Call `work` with a memo and return its result. Reuse the memo of the running look, or create one and drop it
// afterwards.
/**
 * @template T
 * @param {() => T} work
 * @returns {T}
 */
export function look(work) {
  if (memo !== null) return work();
  memo = {
    paints: new Map(), roles: new Map(), names: new Map(), contents: new Map(), slots: new Map(), tables: new Map(),
    tablesAround: new Map(), muteImages: new Set(), controls: new Map(), headers: new Map(), cells: new Map(),
    labels: null, owners: null, focusPath: null, focused: null,
    modal: undefined, someDisabled: null, someSets: null, pseudo: null, depth: 0, saidLabels: null, readByReference: null, isSingular: false,
    suspects: null, animated: null, area: null, painted: null, pictures: null, range: null, layers: null, editors: null,
  };
  try {
    return work();
  } finally {
    memo = /** @type {Memo} */ (/** @type {unknown} */ (null));
  }
}

// Return the cached value for `target` in the memo's map `kind`. Compute it with `find` at the first call.
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

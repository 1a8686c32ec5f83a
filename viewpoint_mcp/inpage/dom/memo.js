// What was found out during one look at the page. A look is synchronous, so nothing can change while it lasts; with
// its end all is forgotten, because then everything may.
export let memo = null;

// Runs `work` with a memo: the one of the look that is going on, or a new one.
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
    memo = null;
  }
}

// Remembers in the memo's map called `kind` what `find` says about the element.
export function remembered(kind, target, find) {
  const found = memo[kind].get(target);
  if (found !== undefined) return found;
  const value = find(target);
  memo[kind].set(target, value);
  return value;
}

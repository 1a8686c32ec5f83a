// Called on the API object of the isolated world. Scrolls to the element as a person can: the page and what has scroll
// bars, but not what only clips. Returns the offsets of all of them.
function (number) {
  const parentOf = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
  const target = this.element(number);
  const offsets = [];
  for (let at = parentOf(target); at !== null; at = parentOf(at)) {
    if (at === document.body || at === document.documentElement) continue;
    const { overflowX, overflowY } = getComputedStyle(at);
    const [outer, own] = [at.getBoundingClientRect(), target.getBoundingClientRect()];
    if (/auto|scroll/.test(overflowY)) at.scrollTop += own.top - outer.top - Math.max(0, outer.height - own.height) / 2;
    if (/auto|scroll/.test(overflowX)) at.scrollLeft += own.left - outer.left - Math.max(0, outer.width - own.width) / 2;
    offsets.push(at.scrollTop, at.scrollLeft);
  }
  const { left, top, width, height } = target.getBoundingClientRect();
  const [x, y] = [left - Math.max(0, innerWidth - width) / 2, top - Math.max(0, innerHeight - height) / 2];
  scrollBy({ left: x, top: y, behavior: "instant" });
  return [scrollX, scrollY, ...offsets];
}

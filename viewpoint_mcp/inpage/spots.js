// What lies at a point, for those who aim by what they see in a picture; and what a wheel turned there scrolls.

const { scrollTop: topOf, scrollLeft: leftOf } = Object.getOwnPropertyDescriptors(Element.prototype);
const LONGEST_SCROLL = 3000; // ms; pages may scroll gently
// Frames without a move, before and after the first: a busy browser, or a tab that it hardly draws, begins late.
const STILL_BEFORE = 18;
const STILL_AFTER = 3;

// The point of what is seen of the page, which a pinch makes less than the viewport, in the coordinates of events; or
// {width, height} of what is seen, when the point is outside.
function spotInSight(x, y) {
  const { scale, width, height, offsetLeft, offsetTop } = visualViewport;
  const seen = scale === 1 ? { width: innerWidth, height: innerHeight } : { width, height }; // scroll bars are of it, too
  if (x < 0 || y < 0 || x >= seen.width || y >= seen.height) return { outside: seen };
  return spot(x + offsetLeft, y + offsetTop);
}

// What gets a click at that point of this frame's viewport: {hit, by} as numbers and names; without `by` where
// it is but the ground of the page. Of a frame's owner also the point `inner` in that frame. {} for nothing at all.
function spot(x, y) {
  const target = elementAt(x, y);
  if (target === null) return {};
  const hit = register(target);
  const inner = isFrameOwner(target) ? innerPoint(target, x, y) : null;
  const named = look(() => meaningOf(target));
  if (named === null) return { hit, inner };
  return { hit, inner, by: told(named, { number: register(named), text: shortTextOf(named) }) };
}

// What to call the element: what it is part of that can be acted on, or the block of text or the picture that it is.
// Null for what only holds other things.
function meaningOf(target) {
  const isOne = (at) => !isWholePage(at) && (isPointerRoot(at) || wantsOwnRef(at, roleOf(at), { isPointer: true }));
  const acted = closestFlat(target, isOne);
  if (acted !== null) return acted;
  if (KEPT_EMPTY.has(roleOf(target))) return target;
  const isRead = [...flatChildrenOf(target)].some((child) => typeOf(child) === TEXT && dataOf(child).trim() !== "");
  const block = isRead ? closestFlat(target, (at) => getComputedStyle(at).display !== "inline") : null;
  return block !== null && isWholePage(block) ? (isWholePage(target) ? null : target) : block;
}

function innerPoint(owner, x, y) {
  const style = getComputedStyle(owner);
  const [u, v] = localPoint(owner, x, y).map((each) => each / (getZoom.call(owner) ?? 1));
  return { x: u - parseFloat(style.paddingLeft), y: v - parseFloat(style.paddingTop) };
}

// ---- scrolling

let scrollers = null;

// Remembers how far everything is scrolled that the element is in.
function noteScroll(number) {
  const page = getScrollingElement.call(document);
  const all = page === null ? [] : [page];
  for (let at = element(number); at !== null; at = flatParentOf(at)) if (at !== page) all.push(at);
  scrollers = all.map((at) => ({ at, ...scrolledBy(at) }));
}

const scrolledBy = (at) => ({ left: leftOf.get.call(at), top: topOf.get.call(at) });

// Waits for it to come to rest: {x, y, by} of what was scrolled since `noteScroll`, by how far, without `by` for the page
// as a whole; null for nothing.
async function scrolledSince() {
  const noted = scrollers ?? [];
  scrollers = null;
  const now = () => noted.map(({ at, left, top }) => {
    const { left: x, top: y } = scrolledBy(at);
    return { at, x: x - left, y: y - top };
  });
  const start = performance.now();
  let last = now();
  const enough = () => (last.some(({ x, y }) => x !== 0 || y !== 0) ? STILL_AFTER : STILL_BEFORE);
  for (let still = 0; still < enough() && performance.now() - start < LONGEST_SCROLL;) {
    await frame();
    const next = now();
    still = next.every(({ x, y }, index) => x === last[index].x && y === last[index].y) ? still + 1 : 0;
    last = next;
  }
  const moved = last.find(({ x, y }) => x !== 0 || y !== 0);
  if (moved === undefined) return null;
  const { at, x, y } = moved;
  return at === getScrollingElement.call(document) ? { x, y } : { x, y, by: told(at, {}) };
}

// Takes points of a child frame to this frame, through its owner: an iframe, object, embed or frame.

const getOffsetWidth = getter(HTMLElement.prototype, "offsetWidth");
const getOffsetHeight = getter(HTMLElement.prototype, "offsetHeight");

// The point of a child frame's viewport in this frame's: {x, y}; with `hit`, scrolled to where it can be hit, or
// {fail} when something else would be. `first`: see `prepare`.
async function framePoint(number, x, y, hit, first) {
  const owner = element(number);
  if (!owner) return { fail: "gone" };
  const before = pointInOwner(owner, x, y);
  if (!hit) return before;
  let point = bringIntoView(owner, x, y);
  if (point.x !== before.x || point.y !== before.y) {
    // The browser sends events to frames of other processes by what it drew last.
    for (let drawn = 0; drawn < 3; drawn += 1) await frame();
    point = pointInOwner(owner, x, y);
  }
  const met = elementAt(point.x, point.y);
  if (met && reaches(owner, met)) return point;
  return failure(met ? { fail: "covered", cover: met } : { fail: "outside" }, first);
}

function bringIntoView(owner, x, y) {
  let point = pointInOwner(owner, x, y);
  if (!isInViewport(point) || !reaches(owner, elementAt(point.x, point.y))) {
    scrollIntoView.call(owner, { block: "nearest", inline: "nearest", behavior: "instant" });
    point = pointInOwner(owner, x, y);
  }
  if (isInViewport(point)) return point;
  scrollBy({ left: point.x - innerWidth / 2, top: point.y - innerHeight / 2, behavior: "instant" });
  return pointInOwner(owner, x, y);
}

// Scaled frames count; turned ones are not undone.
function pointInOwner(owner, x, y) {
  const box = getBoundingClientRect.call(owner);
  const style = getComputedStyle(owner);
  const inset = (side) => parseFloat(style[`border${side}Width`]) + parseFloat(style[`padding${side}`]);
  const scaleX = box.width / (getOffsetWidth.call(owner) || box.width || 1);
  const scaleY = box.height / (getOffsetHeight.call(owner) || box.height || 1);
  return { x: box.left + (inset("Left") + x) * scaleX, y: box.top + (inset("Top") + y) * scaleY };
}

const isInViewport = ({ x, y }) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;

function scrollOffset() {
  return { x: scrollX, y: scrollY };
}

// Image maps: <area> elements, which act as links inside an image. They are read as children of the image, regardless
// of the position of their <map>.

import { NOTHING } from "./owns.js";
import { attribute, boxOf, closest, getter, has, queryAll, querySelectorAll, rootNodeOf } from "../dom/dom.js";
import { reacting } from "../snapshot/click_listeners.js";

const getCoords = getter(HTMLAreaElement.prototype, "coords");
const getShape = getter(HTMLAreaElement.prototype, "shape");

// Return the clickable areas of the image, in document order.
/** @param {Element} image */
export function areasOf(image) {
  const name = mapNameOf(image);
  if (name === "") return NOTHING;
  const map = [...queryAll(rootNodeOf(image), "map")].find((each) => attribute(each, "name") === name || attribute(each, "id") === name);
  return map === undefined ? NOTHING : [...querySelectorAll.call(map, "area")].filter(isActive);
}

/** @param {Element} image */
const mapNameOf = (image) => (attribute(image, "usemap") ?? "").replace(/^.*?#/, "");
/** @param {Element} area */
const isActive = (area) => has(area, "href") || has(area, "onclick") || has(area, "tabindex") || reacting.has(area);

// Return the image that uses the area's map, or null.
/** @param {Element} area */
export function imageOf(area) {
  const map = closest.call(area, "map");
  if (map === null) return null;
  const names = [attribute(map, "name"), attribute(map, "id")];
  return [...queryAll(rootNodeOf(area), "img[usemap]")].find((image) => names.includes(mapNameOf(image))) ?? null;
}

// Return the boxes of the area in CSS pixels of the viewport. For a polygon, return thin slices that lie inside it.
/** @param {HTMLAreaElement} area */
export function boxesOfArea(area) {
  const image = imageOf(area);
  if (image === null) return [];
  const { left, top, right, bottom, width, height } = boxOf(image);
  if (width === 0 || height === 0) return [];
  const numbers = [...getCoords.call(area).matchAll(/-?[\d.]+/g)].map(Number);
  /** @param {number[]} sides */
  const box = ([x1, y1, x2, y2]) => new DOMRect(left + x1, top + y1, x2 - x1, y2 - y1);
  const shape = getShape.call(area).toLowerCase();
  if (shape === "default") return [new DOMRect(left, top, right - left, bottom - top)];
  if (shape.startsWith("circ")) {
    const [x, y, r] = numbers;
    return [box([x - r / 2, y - r / 2, x + r / 2, y + r / 2])];
  }
  if (!shape.startsWith("poly")) return [box(numbers)];
  return slicesOf(numbers).map((slice) => box(slice));
}

// Return the widest slice inside the polygon at each of five heights. Each slice is one pixel high.
/** @param {number[]} numbers */
function slicesOf(numbers) {
  /** @type {number[][]} */
  const points = [];
  for (let index = 0; index + 1 < numbers.length; index += 2) points.push([numbers[index], numbers[index + 1]]);
  const heights = points.map(([, y]) => y);
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  return [0.5, 0.3, 0.7, 0.15, 0.85].map((part) => widestAt(points, low + (high - low) * part)).filter((slice) => slice !== null);
}

// Return the widest slice inside the polygon at height `y`, or null.
/** @param {number[][]} points @param {number} y @returns {number[] | null} */
function widestAt(points, y) {
  const crossings = points.flatMap(([x1, y1], index) => {
    const [x2, y2] = points[(index + 1) % points.length];
    return (y1 <= y) === (y2 <= y) ? [] : [x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)];
  }).sort((a, b) => a - b);
  let widest = null;
  for (let index = 0; index + 1 < crossings.length; index += 2) {
    const [from, to] = [crossings[index], crossings[index + 1]];
    if (widest === null || to - from > widest[2] - widest[0]) widest = [from, y - 0.5, to, y + 0.5];
  }
  return widest;
}

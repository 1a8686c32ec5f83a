// Drawings: canvases, and SVG graphics that changed. A snapshot does not contain what they show, so a walk reports a
// state of each drawing, and the server compares it with the state at the previous snapshot.

import { told } from "../actions/causes.js";
import { isInSight } from "../actions/mouse.js";
import {
  boxOf, getter, isConnected, isElement, isHtml, isHtmlTag, isSvg, localNameOf, has, querySelectorAll,
} from "../dom/dom.js";

const MOST_CANVASES = 20; // canvases of a document whose pictures are compared
const MOST_PIXELS = 60_000; // of a picture; a larger canvas is scaled down
const SMALLEST_GRAPHIC = 100; // px; smaller graphics are icons
const RESTLESS_PICTURES = 2; // pictures in a row that no action caused, after which a canvas counts as animated
const MOST_TOUCHED_SHAPES = 200; // changed shapes of a graphic that are recorded between two walks
const DRAWN_SHAPES = "path, line, polyline, polygon, rect, circle, ellipse, image, use";
const DRAWN_SHAPE_NAMES = new Set(DRAWN_SHAPES.split(", "));
const GEOMETRIC_ATTRIBUTES = new Set(["d", "transform", "points", "x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "x1",
  "y1", "x2", "y2", "viewBox", "href"]);
const getWidth = getter(HTMLCanvasElement.prototype, "width");
const getHeight = getter(HTMLCanvasElement.prototype, "height");
const getOwnerSvg = getter(SVGElement.prototype, "ownerSVGElement");

/** @typedef {{ id: number, picture: number | null, restless: number }} CanvasState */
/** @typedef {{ id: number, changes: number, shapes: number, touched: WeakRef<Node>[] }} GraphicState */

const drawings = {
  highest: performance.timeOrigin * 1000, // so that no two documents of a frame use the same id
  /** @type {WeakMap<Element, CanvasState>} */
  canvases: new WeakMap(),
  /** @type {WeakRef<Element>[]} */
  walked: [], // the canvases of the last walk of the whole document
  /** @type {Map<WeakRef<Element>, GraphicState>} */
  graphics: new Map(), // the changes of each graphic since the observation began
  /** @type {WeakMap<Element, WeakRef<Element>>} */
  keys: new WeakMap(),
};

const DETACHED = new Text();
const nextId = () => (drawings.highest += 1);

// Return a hash of the pixels of a canvas; null if scripts cannot read them.
/** @param {Element} canvas @returns {number | null} */
function pictureOf(canvas) {
  const source = /** @type {HTMLCanvasElement} */ (canvas);
  const [width, height] = [getWidth.call(source), getHeight.call(source)];
  const scale = Math.min(1, Math.sqrt(MOST_PIXELS / (width * height)));
  const [columns, rows] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  if (!(columns > 0 && rows > 0)) return null;
  const context = new OffscreenCanvas(columns, rows).getContext("2d", { willReadFrequently: true });
  if (context === null) return null;
  context.imageSmoothingQuality = "high"; // so that a thin line changes the scaled picture, too
  try {
    context.drawImage(source, 0, 0, columns, rows);
    let hash = 0;
    for (const pixel of new Uint32Array(context.getImageData(0, 0, columns, rows).data.buffer)) {
      hash = (Math.imul(hash, 31) + pixel) | 0;
    }
    return hash;
  } catch {
    return null; // a picture of another origin was drawn on it
  }
}

// Note that an action begins. A canvas that changed since the last walk changed without an action.
export function noteAnimatedCanvases() {
  for (const canvas of drawings.walked) {
    const target = canvas.deref();
    const state = target && drawings.canvases.get(target);
    if (!target || !state) continue;
    const picture = pictureOf(target);
    state.restless = picture === state.picture ? 0 : state.restless + 1;
    state.picture = picture;
  }
}

// Return whether all canvases of the last walk show what they showed then.
export function areCanvasesAsWalked() {
  return drawings.walked.every((canvas) => {
    const target = canvas.deref();
    const state = target && drawings.canvases.get(target);
    return !target || !state || state.restless >= RESTLESS_PICTURES || pictureOf(target) === state.picture;
  });
}

// Record a change of an SVG graphic. Text is in the snapshot, and colours show where the mouse is, so both are ignored.
// A graphic that consists of several <svg> elements, one for each line, is recorded for the element around them.
/** @param {MutationRecord} record */
export function noteGraphicChange({ type, target, attributeName, addedNodes, removedNodes }) {
  if (!isElement(target) || type === "characterData") return;
  if (type === "attributes") {
    if (isSvg(target) && GEOMETRIC_ATTRIBUTES.has(/** @type {string} */ (attributeName))) touchGraphic(outermostSvgOf(target), target);
    return;
  }
  const [added, removed] = [countShapes(addedNodes, target), countShapes(removedNodes, target)];
  if (added + removed === 0) return;
  const graphic = isSvg(target) ? outermostSvgOf(target) : target;
  stateOfGraphic(graphic).shapes += added - removed;
  for (const node of addedNodes) touchGraphic(graphic, node);
}

/** @param {Element} graphic @param {Node} node */
function touchGraphic(graphic, node) {
  const { touched } = stateOfGraphic(graphic);
  if (touched.length < MOST_TOUCHED_SHAPES && touched.at(-1)?.deref() !== node) touched.push(new WeakRef(node));
}

/** @param {NodeList} nodes @param {Element} parent */
function countShapes(nodes, parent) {
  let count = 0;
  for (const node of nodes) {
    if (!isElement(node) || !isSvg(node)) continue;
    if (isHtml(parent) && has(node, "viewBox")) continue; // an icon
    count += querySelectorAll.call(node, DRAWN_SHAPES).length + (DRAWN_SHAPE_NAMES.has(localNameOf(node)) ? 1 : 0);
  }
  return count;
}

/** @param {SVGElement} target @returns {Element} */
function outermostSvgOf(target) {
  let top = target;
  for (let at = getOwnerSvg.call(top); at !== null; at = getOwnerSvg.call(at)) top = at;
  return top;
}

/** @param {Element} graphic @returns {GraphicState} */
function stateOfGraphic(graphic) {
  const key = drawings.keys.get(graphic) ?? new WeakRef(graphic);
  drawings.keys.set(graphic, key);
  const state = drawings.graphics.get(key) ?? { id: nextId(), changes: 0, shapes: 0, touched: [] };
  drawings.graphics.set(key, state);
  return state;
}

// Return the drawings of the document: the canvases in view that the walk met, and the graphics that have changed so
// far. Reading a canvas takes 2 to 4 ms, so those out of view are not read.
/** @param {Element[]} met @returns {Drawing[]} */
export function drawingsNow(met) {
  const canvases = met.filter((target) => isHtmlTag(target, "canvas") && isInSight(boxOf(target))).slice(0, MOST_CANVASES);
  drawings.walked = canvases.map((target) => new WeakRef(target));
  return [...canvases.flatMap(drawnCanvas), ...[...drawings.graphics].flatMap(drawnGraphic)];
}

/** @param {Element} target @returns {Drawing[]} */
function drawnCanvas(target) {
  const state = drawings.canvases.get(target) ?? { id: nextId(), picture: null, restless: 0 };
  drawings.canvases.set(target, state);
  if (state.restless >= RESTLESS_PICTURES) return [];
  state.picture = pictureOf(target);
  const { role, name } = told(target);
  return state.picture === null ? [] : [{ id: state.id, role, name, state: state.picture, shapes: null }];
}

/** @param {[WeakRef<Element>, GraphicState]} entry @returns {Drawing[]} */
function drawnGraphic([key, state]) {
  const target = key.deref();
  if (!target || !isConnected(target)) {
    drawings.graphics.delete(key);
    return [];
  }
  // A line that is drawn only during a drag is gone now.
  if (state.touched.some((each) => isConnected(each.deref() ?? DETACHED))) state.changes += 1;
  state.touched = [];
  const { width, height } = boxOf(target);
  if (width < SMALLEST_GRAPHIC || height < SMALLEST_GRAPHIC) return [];
  const { role, name } = told(target);
  return [{ id: state.id, role, name, state: state.changes, shapes: state.shapes }];
}

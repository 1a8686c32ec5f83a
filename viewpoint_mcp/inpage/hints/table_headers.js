// The headers of the column and the row of a control in a table, as its hint.

import { nameOf, tidy } from "../aria/names.js";
import { roleOf } from "../aria/roles.js";
import { flatParentOf, numberIn, queryAll, textContentOf } from "../dom/dom.js";
import { remembered } from "../dom/memo.js";
import { NAMED_BY_PARTS } from "../snapshot/nodes.js";

const CELLS = new Set(["cell", "gridcell", "rowheader", "columnheader"]);
const TABLES = new Set(["table", "grid", "treegrid"]);
const CELL_SELECTOR = "td, th, [role=cell], [role=gridcell], [role=rowheader], [role=columnheader]";
const LONGEST_HEADER = 28; // characters

// Return the headers of the control's column and row in a table; "" outside of tables and in a row of headers.
/** @param {Element} target */
export function headersOf(target) {
  const cell = NAMED_BY_PARTS.has(roleOf(target)) ? null : closestWith(target, CELLS);
  const row = cell === null ? null : closestWith(flatParentOf(cell), ROWS);
  const table = row === null ? null : closestWith(flatParentOf(row), TABLES);
  if (cell === null || row === null || table === null || roleOf(cell) === "columnheader") return "";
  const column = remembered("headers", table, findHeaders).get(columnOf(cell, row)) ?? "";
  return [column, headerOfRow(row, cell)].filter((part) => part !== "").join(", ");
}

const ROWS = new Set(["row"]);

/** @param {Element | null} target @param {Set<string>} roles */
function closestWith(target, roles) {
  for (let at = target; at !== null; at = flatParentOf(at)) {
    const role = roleOf(at);
    if (roles.has(role)) return at;
    if (TABLES.has(role) || role === "dialog" || role === "main") return null;
  }
  return null;
}

/** @param {Element} row @returns {Element[]} */
const cellsOf = (row) => remembered("cells", row, findCells);

/** @param {Element} row */
const findCells = (row) => [...queryAll(row, CELL_SELECTOR)].filter((cell) => CELLS.has(roleOf(cell)) && closestWith(flatParentOf(cell), ROWS) === row);

// Return the names of the column headers by the number of their column. The last of several headers counts, because it
// is the closest to the data.
/** @param {Element} table */
function findHeaders(table) {
  /** @type {Map<number, string>} */
  const headers = new Map();
  for (const header of queryAll(table, "th, [role=columnheader]")) {
    if (roleOf(header) !== "columnheader") continue;
    const row = closestWith(flatParentOf(header), ROWS);
    const name = textContentOf(header).trim() === "" ? "" : short(nameOf(header)); // not the name of a checkbox in it
    if (row !== null && name !== "") headers.set(columnOf(header, row), name);
  }
  return headers;
}

// Return the number of the column, from 1.
/** @param {Element} cell @param {Element} row */
function columnOf(cell, row) {
  const index = numberIn(cell, "aria-colindex");
  if (index > 0) return index;
  let column = 1;
  for (const each of cellsOf(row)) {
    if (each === cell) break;
    column += Math.max(1, numberIn(each, "colspan"), numberIn(each, "aria-colspan"));
  }
  return column;
}

// Return the text of the row's header, or else of the first cell with words.
/** @param {Element} row @param {Element} own */
function headerOfRow(row, own) {
  const cells = cellsOf(row).filter((cell) => cell !== own && /\p{L}|\d/u.test(textContentOf(cell)));
  if (cells.some((cell) => roleOf(cell) === "columnheader")) return "";
  const header = cells.find((cell) => roleOf(cell) === "rowheader") ?? cells[0];
  return header === undefined ? "" : short(nameOf(header));
}

/** @param {string} text */
function short(text) {
  const name = tidy(text);
  return name.length > LONGEST_HEADER ? `${name.slice(0, LONGEST_HEADER - 1).trimEnd()}…` : name;
}

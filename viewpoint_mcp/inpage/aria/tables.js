// Roles of tables and their parts. A <table> without a role counts as a table only if it looks like data. Chrome
// guesses in the same way, because old pages use tables for layout.

import { explicitRole, roleOf } from "./roles.js";
import {
  boxOf, firstChildOf, getIsContentEditable, getter, has, isElement, keyword, localNameOf, nextSiblingOf, parentOf,
  textContentOf, trimmed,
} from "../dom/dom.js";
import { remembered } from "../dom/memo.js";
import { paintOf, styleOf } from "../visibility/visibility.js";

// Return "table" for a <table> with data, "generic" for a layout table.
/** @param {Element} table */
export const tableRole = (table) => (remembered("tables", table, isDataTable) ? "table" : "generic");

const MANY_ROWS = 20;
const MANY_CELLS = 10;
const STRIPED_ROWS = 5;
const DATA_CHILDREN = new Set(["caption", "thead", "tfoot", "colgroup", "col"]);
const getRows = getter(HTMLTableElement.prototype, "rows");
const getCells = getter(HTMLTableRowElement.prototype, "cells");

// Return whether a <table> has the markup or the appearance of a data table.
/** @param {Element} table */
function isDataTable(table) {
  if (paintOf(table).display === "contents" || getIsContentEditable.call(/** @type {HTMLElement} */ (table))) return true;
  if (trimmed(table, "summary") !== "" || trimmed(table, "rules") !== "") return true;
  for (let node = firstChildOf(table); node !== null; node = nextSiblingOf(node)) {
    if (isElement(node) && DATA_CHILDREN.has(localNameOf(node))) return true;
  }
  const rows = [...getRows.call(/** @type {HTMLTableElement} */ (table))];
  if (rows.length === 0 || rows.length >= MANY_ROWS) return rows.length > 0;
  const cells = rows.map((row) => [...getCells.call(row)]);
  if (rows.length === 1 && cells[0].length === 1) return false;
  return cells.flat().some(isDataCell) || looksLikeData(table, rows, cells);
}

const DATA_CELL_ATTRIBUTES = ["headers", "abbr", "axis", "scope"];

/** @param {Element} cell */
const isDataCell = (cell) =>
  localNameOf(cell) === "th" || DATA_CELL_ATTRIBUTES.some((name) => trimmed(cell, name) !== "");

// Return whether borders or colours separate the cells, or stripes separate the rows.
/** @param {Element} table @param {HTMLTableRowElement[]} rows @param {HTMLTableCellElement[][]} cells */
function looksLikeData(table, rows, cells) {
  /** @param {Element} cell */
  const isShown = (cell) => {
    const { width, height } = boxOf(cell);
    return width >= 1 && height >= 1;
  };
  const shown = cells.flat().filter(isShown);
  if (shown.some((cell) => styleOf(cell).emptyCells === "hide")) return true;
  const counts = countBorders(shown);
  const coloured = countColoured(table, shown);
  if (counts.framed >= MANY_CELLS || coloured >= MANY_CELLS) return true;
  if (shown.length <= 1) return false;
  const most = Math.max(coloured, ...Object.values(counts));
  return most >= Math.floor(shown.length / 2) || isStriped(rows.filter((_, index) => cells[index].some(isShown)));
}

/** @param {Element[]} cells */
function countBorders(cells) {
  const counts = { framed: 0, top: 0, right: 0, bottom: 0, left: 0 };
  for (const cell of cells) {
    const style = styleOf(cell);
    /** @param {string} width */
    const has = (width) => Number(width !== "0px");
    const [top, right, bottom, left] = [style.borderTopWidth, style.borderRightWidth, style.borderBottomWidth, style.borderLeftWidth].map(has);
    counts.top += top;
    counts.right += right;
    counts.bottom += bottom;
    counts.left += left;
    counts.framed += Number((top && bottom) || (left && right));
  }
  return counts;
}

const NO_COLOUR = "rgba(0, 0, 0, 0)";

// Return the number of cells that have a background of their own, if the cells have space between them; otherwise 0.
/** @param {Element} table @param {Element[]} cells */
function countColoured(table, cells) {
  const { borderSpacing, backgroundColor } = styleOf(table);
  if (borderSpacing.split(" ").some((space) => parseFloat(space) === 0)) return 0;
  return cells.filter((cell) => ![NO_COLOUR, backgroundColor].includes(styleOf(cell).backgroundColor)).length;
}

/** @param {HTMLTableRowElement[]} rows */
function isStriped(rows) {
  const colours = rows.slice(0, STRIPED_ROWS).map((row) => styleOf(row).backgroundColor);
  return colours.length > 2 && colours.every((colour, index) => (colour === colours[0]) === (index % 2 === 0));
}

const TABLE_ROLES = new Set(["table", "grid", "treegrid"]);

const TABLE_PARTS = new Set(["tr", "thead", "tbody", "tfoot"]);

// Return the role of the table that the part belongs to. Return "none" for a layout table, and inside a part with role
// "none".
/** @param {Element} part */
const tableRoleAround = (part) => remembered("tablesAround", parentOf(part), findTableRole);

/** @param {Node | null} parent */
function findTableRole(parent) {
  let isRow = false; // a row with an explicit role has cells, whatever the role of its table
  for (let at = parent; at !== null && isElement(at); at = parentOf(at)) {
    const tag = localNameOf(at);
    if (TABLE_PARTS.has(tag) && has(at, "role")) {
      const asked = explicitRole(at);
      if (asked === "none") return "none";
      isRow ||= asked === "row";
    }
    if (tag !== "table") continue;
    const role = roleOf(at);
    return TABLE_ROLES.has(role) ? role : isRow ? "table" : "none";
  }
  return "none";
}

/** @param {Element} part */
export const tableSectionRole = (part) => (tableRoleAround(part) === "none" ? "generic" : "rowgroup");
/** @param {Element} row */
export const tableRowRole = (row) => (tableRoleAround(row) === "none" ? "generic" : "row");

/** @param {Element} cell */
export function tableCellRole(cell) {
  const around = tableRoleAround(cell);
  if (around === "none") return "generic";
  return around === "table" ? "cell" : "gridcell";
}

/** @param {Element} cell */
export function tableHeaderRole(cell) {
  if (tableRoleAround(cell) === "none") return "generic";
  const scope = keyword(cell, "scope");
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  if (scope === "col" || scope === "colgroup") return "columnheader";
  const beside = [getPreviousElement.call(cell), getNextElement.call(cell)].filter((each) => each !== null);
  if (beside.some((each) => localNameOf(each) === "th")) return "columnheader";
  return beside.every(isBlankCell) ? "columnheader" : "rowheader";
}

/** @param {Element} cell */
const isBlankCell = (cell) => getFirstElementChild.call(cell) === null && textContentOf(cell).trim() === "";

const getFirstElementChild = getter(Element.prototype, "firstElementChild");
const getPreviousElement = getter(Element.prototype, "previousElementSibling");
const getNextElement = getter(Element.prototype, "nextElementSibling");

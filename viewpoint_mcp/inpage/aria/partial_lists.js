// The part of a long list or table that is in the document. Virtualised lists keep only the rows around the visible ones,
// and declare the position of each and the number of all.

import { roleOf } from "./roles.js";
import { has, numberIn, parentOf, queryAll, querySelectorAll } from "../dom/dom.js";
import { memo } from "../dom/memo.js";

const COUNTED_TABLES = new Set(["grid", "treegrid", "table"]);
const COUNTED_LISTS = new Set(["list", "listbox", "feed"]);

// Return the rows or items in the document, as { rows: "1-24 of 500" }. Return {} if all are, or if their number is
// unknown.
/** @param {Element} target @param {string} role @returns {{ rows?: string, items?: string }} */
export function partOf(target, role) {
  if (COUNTED_TABLES.has(role) && has(target, "aria-rowcount")) return { rows: rowsOf(target) };
  if (!COUNTED_LISTS.has(role)) return {};
  memo.someSets ??= { found: queryAll(document, "[aria-setsize]").length > 0 };
  return memo.someSets.found ? { items: itemsOf(target) } : {};
}

/** @param {Element} table */
function rowsOf(table) {
  const rows = [...querySelectorAll.call(table, "[aria-rowindex]")].filter((each) => roleOf(each) === "row");
  if (rows.length === 0) return undefined;
  // Rows beside the container of the data are headers: column names, filters.
  const body = parentOf(rows[rows.length - 1]);
  const isHeader = (/** @type {Element} */ row) => parentOf(row) !== body || isHeaderRow(row);
  const data = new Set(rows.filter((row) => !isHeader(row)).map((row) => numberIn(row, "aria-rowindex")));
  const above = new Set(rows.filter(isHeader).map((row) => numberIn(row, "aria-rowindex")).filter((index) => index < Math.min(...data)));
  return formatPart([...data].map((index) => index - above.size), numberIn(table, "aria-rowcount") - above.size);
}

/** @param {Element} row */
const isHeaderRow = (row) => querySelectorAll.call(row, "[role=columnheader], th:not([scope=row])").length > 0 &&
  querySelectorAll.call(row, "td, [role=cell], [role=gridcell]").length === 0;

/** @param {Element} list */
function itemsOf(list) {
  const items = [...querySelectorAll.call(list, "[aria-posinset]")];
  const sizes = new Set(items.map((each) => numberIn(each, "aria-setsize")));
  const [size] = sizes;
  return sizes.size === 1 ? formatPart(items.map((each) => numberIn(each, "aria-posinset")), size) : undefined;
}

// Return the positions as "1-24 of 500", or as "25 of 500" with gaps. Return undefined if they are all or not valid.
/** @param {number[]} positions @param {number} total */
function formatPart(positions, total) {
  const [count, least, most] = [new Set(positions).size, Math.min(...positions), Math.max(...positions)];
  if (!(least >= 1 && most <= total) || count >= total) return undefined;
  return `${most - least + 1 === count ? `${least}-${most}` : count} of ${total}`;
}

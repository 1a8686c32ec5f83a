// The roles of table parts. A <table> without a role is a table when it looks like data; Chrome guesses so too,
// since old pages use tables to lay out everything.
const tableRole = (table) => (remembered("tables", table, isDataTable) ? "table" : "generic");

const MANY_ROWS = 20;
const DATA_CHILDREN = new Set(["caption", "thead", "tfoot", "colgroup", "col"]);
const getRows = getter(HTMLTableElement.prototype, "rows");
const getCells = getter(HTMLTableRowElement.prototype, "cells");

function isDataTable(table) {
  if (hasAuthorName(table) || has(table, "summary") || has(table, "rules") || getIsContentEditable.call(table)) return true;
  for (let node = firstChildOf(table); node !== null; node = nextSiblingOf(node)) {
    if (typeOf(node) === ELEMENT && DATA_CHILDREN.has(localNameOf(node))) return true;
  }
  const rows = getRows.call(table);
  if (rows.length >= MANY_ROWS) return true;
  return looksLikeData([...rows].map((row) => [...getCells.call(row)]));
}

const DATA_CELL_ATTRIBUTES = ["headers", "abbr", "axis", "scope"];

function looksLikeData(rows) {
  const cells = rows.flat();
  if (cells.length <= 1) return false;
  if (cells.some((cell) => DATA_CELL_ATTRIBUTES.some((name) => has(cell, name)))) return true;
  const isHeader = (cell) => localNameOf(cell) === "th";
  if (rows[0].length > 0 && rows[0].every(isHeader)) return true;
  if (rows.every((row) => row.length > 0 && isHeader(row[0]))) return true;
  return cells.filter(isBordered).length >= cells.length / 2;
}

// Bordered on all sides, or on one side and so in the way of a grid.
function isBordered(cell) {
  const { borderTopWidth, borderBottomWidth, borderLeftWidth, borderRightWidth } = styleOf(cell);
  const count = [borderTopWidth, borderBottomWidth, borderLeftWidth, borderRightWidth].filter((width) => width !== "0px");
  return count.length >= 2;
}

const TABLE_ROLES = new Set(["table", "grid", "treegrid"]);

// The role of the table the part belongs to; "none" where it is layout only.
function tableRoleAround(part) {
  for (let at = parentOf(part); at !== null && typeOf(at) === ELEMENT; at = parentOf(at)) {
    if (localNameOf(at) !== "table") continue;
    const role = roleOf(at);
    return TABLE_ROLES.has(role) ? role : "none";
  }
  return "none";
}

const tableSectionRole = (part) => (tableRoleAround(part) === "none" ? "generic" : "rowgroup");
const tableRowRole = (part) => (tableRoleAround(part) === "none" ? "generic" : "row");

function tableCellRole(cell) {
  const around = tableRoleAround(cell);
  if (around === "none") return "generic";
  return around === "table" ? "cell" : "gridcell";
}

function tableHeaderRole(cell) {
  if (tableRoleAround(cell) === "none") return "generic";
  const scope = keyword(cell, "scope");
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  if (scope === "col" || scope === "colgroup") return "columnheader";
  const previous = getPreviousElement.call(cell);
  const next = getNextElement.call(cell);
  if ((previous !== null && localNameOf(previous) === "th") || (next !== null && localNameOf(next) === "th")) return "columnheader";
  return previous === null && next === null ? "columnheader" : "rowheader";
}

const getPreviousElement = getter(Element.prototype, "previousElementSibling");
const getNextElement = getter(Element.prototype, "nextElementSibling");

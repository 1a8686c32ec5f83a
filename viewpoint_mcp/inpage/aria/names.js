// Accessible names: accname 1.2 with the native names of HTML-AAM. Where these leave a choice, the result is that of
// Chrome.

import { readChildrenOf, readParentOf } from "./owns.js";
import { inputTypeOf, roleOf } from "./roles.js";
import { VALUED, inputValue, specialTypeOf, spokenValue } from "./states.js";
import {
  attribute, childWithTag, dataOf, flatChildrenOf, getIsContentEditable, getter, has, isElement, isHtml, isHtmlTag,
  isSvg, localNameOf, queryAll, referenced, rootNodeOf, textContentOf, trimmed,
} from "../dom/dom.js";
import { look, memo, remembered } from "../dom/memo.js";
import { pseudoText } from "../dom/pseudo_elements.js";
import { isGone, isHidden, isInline, isVisible, styleOf } from "../visibility/visibility.js";

const LONGEST_NAME = 4000; // the reply cuts a name earlier and prints the rest below, see docs/decisions/0039
const DEEPEST = 500; // levels; an HTML parser does not nest deeper, so the plain text suffices there

export const NAMED_BY_CONTENT = new Set(["button", "cell", "checkbox", "columnheader", "gridcell", "heading", "link", "math",
  "menuitem", "menuitemcheckbox", "menuitemradio", "option", "radio", "rowheader", "switch", "tab", "term", "tooltip",
  "treeitem", "doc-backlink", "doc-biblioref", "doc-glossref", "doc-noteref", "doc-subtitle"]);
const UNTITLED = new Set(["caption", "code", "deletion", "emphasis", "generic", "insertion", "mark", "none", "paragraph",
  "strong", "subscript", "superscript", "term", "time"]);

const UNTIDY = /^\s|\s$|\s\s|[^\S ]|\u200b/;

// Collapse white space to single spaces, and remove characters without width, between which a reader sees no space.
/** @param {string} text */
export const tidy = (text) => (UNTIDY.test(text) ? text.replace(/[\u200b\ufeff]/g, "").replace(/\s+/g, " ").trim() : text);

// Return the text without the characters of the private use area, which are pictures in an icon font.
/** @param {string} text */
export const withoutGlyphs = (text) => text.replace(/\p{Co}+/gu, " ");

// Return whether a text equals a name. Spaces are ignored, because a name may have spaces where the text has none (see
// snapshot/word_breaks.js).
/** @param {string} text @param {string} name */
export const matchesName = (text, name) => text === name || withoutBlanks(text) === withoutBlanks(name);
/** @param {string} text */
const withoutBlanks = (text) => text.replaceAll(" ", "");

// How content is read outside references and labels. Only this reading is cached.
/** @type {Way} */
export const PLAIN = { skip: null, inReference: false, hiddenToo: false };

// Return the accessible name of the element; "" if it has none.
/** @param {Element} target @returns {string} */
export function nameOf(target) {
  return memo === null ? look(() => nameOf(target)) : remembered("names", target, nameWithoutEnd);
}

// Compute the name. While it is computed, the memo holds "", which ends a cycle. For example, the name of an option may
// include its list, whose value is the option.
/** @param {Element} target */
function nameWithoutEnd(target) {
  memo.names.set(target, "");
  const { saidLabels, readByReference } = memo;
  memo.saidLabels = memo.readByReference = null;
  const name = computeName(target);
  Object.assign(memo, { saidLabels, readByReference });
  return name;
}

// Return whether a label has not been read for the current name yet, and mark it as read. The text of a label is read
// once: either at its position or as the name of its control.
/** @param {Element} label */
function saysFirst(label) {
  memo.isSingular = true;
  memo.saidLabels ??= new Set();
  if (memo.saidLabels.has(label)) return false;
  memo.saidLabels.add(label);
  return true;
}

/** @param {Element} target */
function computeName(target) {
  const role = roleOf(target);
  if (role === "none") return "";
  for (const find of [labelledbyText, ariaLabel, labelText, nativeName]) {
    const name = tidy(find(target) ?? "");
    if (name !== "") return withinLongest(name);
  }
  let name = isNamedByContent(target, role) ? tidy(contentOf(target, PLAIN)) : "";
  if (name === "") name = fallbackName(target, role);
  return withinLongest(name);
}

/** @param {string} name */
const withinLongest = (name) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name);

// Return whether the name of the element comes from its content.
/** @param {Element} target @param {string} role */
function isNamedByContent(target, role) {
  if (role === "row") return ["grid", "treegrid"].includes(rowsRoleOf(target));
  if (!isHtml(target) && role === "math") return false;
  // The content of an editable element is its value, not its name.
  if (isHtml(target) && has(target, "contenteditable") && getIsContentEditable.call(target)) return false;
  return NAMED_BY_CONTENT.has(role) && !(isHtmlTag(target, "input"));
}

// Return the role of the table or grid around the row.
/** @param {Element} row */
function rowsRoleOf(row) {
  for (let at = readParentOf(row); at !== null; at = readParentOf(at)) {
    const role = roleOf(at);
    if (role !== "generic" && role !== "none" && role !== "rowgroup") return role;
  }
  return "generic";
}

/** @param {Element} target */
function labelledbyText(target) {
  if (!has(target, "aria-labelledby")) return "";
  return referenced(target, "aria-labelledby").map(referenceText).join(" ");
}

// Return the text that an element contributes to the name of another element that is labelled by it.
/** @param {Element} target */
function referenceText(target) {
  memo.isSingular = true;
  (memo.readByReference ??= new Set()).add(target);
  const way = { skip: null, inReference: true, hiddenToo: isHidden(target) };
  const own = ownPart(target, way);
  if (own !== null) return own;
  const text = tidy(contentOf(target, way));
  return text === "" ? trimmed(target, "title") : text;
}

// Return the label text of an element that a reference has already read. Its content is not read again at its own
// position, but its labels are (accname 2B and 2F). The result depends on what was read before, so the text around it
// is not cached.
/** @param {Element} target */
function unreadReferences(target) {
  memo.isSingular = true;
  return referenced(target, "aria-labelledby").filter((each) => !memo.readByReference?.has(each)).map(referenceText).join(" ");
}

// Return the aria-label; "" for a <slot>, which is not in the accessibility tree.
/** @param {Element} target */
function ariaLabel(target) {
  const label = trimmed(target, "aria-label");
  return label !== "" && isHtmlTag(target, "slot") ? "" : label;
}

const LABELABLE = new Set(["button", "input", "meter", "output", "progress", "select", "textarea"]);

// Return whether a <label> can label the element.
/** @param {Element} target */
export function isLabelable(target) {
  if (!isHtml(target)) return false;
  const tag = localNameOf(target);
  return LABELABLE.has(tag) || tag.includes("-");
}

/** @param {Element} target */
export const hasLabels = (target) => isLabelable(target) && labelsOf(target).length > 0;

// Return the text of the <label> elements of a control, in document order. `isRead` can exclude labels.
/** @param {Element} target @param {((label: Element) => boolean) | null} [isRead] */
function labelText(target, isRead = null) {
  if (!isLabelable(target)) return "";
  const labels = labelsOf(target);
  const way = { skip: target, inReference: true, hiddenToo: false };
  const read = labels.filter((label) => !isHidden(label) && (isRead === null || isRead(label)));
  return read.map((label) => labelPart(label, way)).join(" ");
}

/** @param {Element} label @param {Way} way */
function labelPart(label, way) {
  const text = ariaLabel(label) || tidy(contentOf(label, way));
  return text === "" ? trimmed(label, "title") : text;
}

export const getControl = getter(HTMLLabelElement.prototype, "control");

// Return the <label> elements of a control. They are collected once per tree scope, because `control.labels` would
// search the scope for every control.
/** @param {Element} control */
export function labelsOf(control) {
  const root = rootNodeOf(control);
  memo.labels ??= new Map();
  let index = memo.labels.get(root);
  if (index === undefined) {
    index = new Map();
    for (const label of queryAll(root, "label")) {
      const labelled = getControl.call(label);
      if (labelled !== null) index.set(labelled, [...(index.get(labelled) ?? []), label]);
    }
    memo.labels.set(root, index);
  }
  return index.get(control) ?? [];
}

// Return the name from the element's own markup, or null if there is none.
/** @param {Element} target */
function nativeName(target) {
  const tag = localNameOf(target);
  if (isSvg(target)) return svgTitle(target);
  if (!isHtml(target)) return null;
  switch (tag) {
    case "input": return inputName(/** @type {HTMLInputElement} */ (target));
    case "img": return attribute(target, "alt") || attribute(target, "title");
    case "area": return attribute(target, "alt");
    case "option": case "optgroup": return attribute(target, "label");
    case "fieldset": return childText(target, "legend");
    case "table": return childText(target, "caption") || attribute(target, "title") || attribute(target, "summary");
    default: return null;
  }
}

/** @param {Element} target @param {string} tag */
function childText(target, tag) {
  const child = childWithTag(target, tag);
  return child === null || isGone(child) ? null : contentOf(child, PLAIN);
}

/** @param {Element} target */
function svgTitle(target) {
  const title = childWithTag(target, "title");
  return title === null ? attribute(target, "xlink:title") : textContentOf(title);
}

export const getInputValue = getter(HTMLInputElement.prototype, "value");
const getMultiple = getter(HTMLInputElement.prototype, "multiple");

/** @param {HTMLInputElement} input */
function inputName(input) {
  switch (inputTypeOf(input)) {
    case "button": return attribute(input, "value");
    case "submit": return attribute(input, "value") ?? "Submit";
    case "reset": return attribute(input, "value") ?? "Reset";
    case "image": return trimmed(input, "alt") || trimmed(input, "value") || trimmed(input, "title") || "Submit";
    case "file": return trimmed(input, "title") || (getMultiple.call(input) ? "Choose Files" : "Choose File");
    default: return null;
  }
}

// Return the name from the title or the placeholder.
/** @param {Element} target @param {string} role */
function fallbackName(target, role) {
  if (UNTITLED.has(role) && !isHtmlTag(target, "abbr") && (role === "generic" || !has(target, "tabindex"))) return "";
  if (isHtmlTag(target, "input") && ["submit", "reset"].includes(inputTypeOf(target))) return "";
  const title = trimmed(target, "title");
  if (title !== "") return tidy(title);
  return tidy(placeholderOf(target));
}


const HINTED_INPUTS = new Set(["text", "search", "tel", "url", "email", "password", "number"]);

// Return the trimmed placeholder; "" if there is none.
/** @param {Element} target */
export const placeholderOf = (target) => (isHinted(target) && trimmed(target, "placeholder")) || trimmed(target, "aria-placeholder");

/** @param {Element} target */
function isHinted(target) {
  if (!isHtml(target)) return false;
  const tag = localNameOf(target);
  return tag === "textarea" || (tag === "input" && has(target, "placeholder") && HINTED_INPUTS.has(inputTypeOf(target)));
}

// Return the text of an element's content, before `tidy`. The plain reading is cached, because several names include
// the same content. For example, the name of a row includes those of its cells.
/** @param {Element} target @param {Way} way */
export function contentOf(target, way) {
  if (way === PLAIN && memo.readByReference === null) {
    const known = memo.contents.get(target);
    if (known !== undefined) return known;
  }
  const isOuterSingular = memo.isSingular;
  memo.isSingular = false;
  memo.depth += 1;
  const text = memo.depth > DEEPEST ? textContentOf(target) : readContent(target, way);
  memo.depth -= 1;
  if (way === PLAIN && !memo.isSingular) memo.contents.set(target, text);
  memo.isSingular ||= isOuterSingular;
  return text;
}

// Return the text of an element's children and generated content.
/** @param {Element} target @param {Way} way */
function readContent(target, way) {
  const isRead = way.hiddenToo || isVisible(target);
  let text = isRead ? pseudoText(target, "::before") : "";
  for (const child of way.hiddenToo ? flatChildrenOf(target) : readChildrenOf(target)) {
    if (isElement(child)) text += elementPart(child, way);
    else if (isRead) text += textOf(child, target);
  }
  return isRead ? text + pseudoText(target, "::after") : text;
}

// Return the text as it is painted, with `text-transform` applied.
/** @param {Text} text @param {Element} parent */
export function textOf(text, parent) {
  const data = dataOf(text);
  const transform = styleOf(parent).textTransform;
  if (transform === "none") return data;
  if (transform === "uppercase") return data.toUpperCase();
  if (transform === "lowercase") return data.toLowerCase();
  return transform === "capitalize" ? data.replace(/(^|\s)(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase()) : data;
}

const SILENT_IN_NAMES = new Set(["math", "script", "style", "canvas"]);

// Roles whose content does not contribute to a name around them: containers of other content, and ranges.
const SILENT_ROLES = new Set(["alert", "alertdialog", "application", "article", "banner", "blockquote", "comment",
  "complementary", "contentinfo", "dialog", "document", "feed", "figure", "form", "grid", "group", "log", "main", "marquee",
  "menu", "menubar", "meter", "navigation", "note", "progressbar", "radiogroup", "rowgroup", "scrollbar", "search",
  "separator", "listbox", "combobox", "slider", "spinbutton", "status", "suggestion", "table", "tablist", "tabpanel", "timer", "toolbar", "tree",
  "treegrid", "graphics-document", "graphics-object", "graphics-symbol"]);
const HEARD_TAGS = new Set(["address", "details", "footer"]);

// Return whether the content of the element does not contribute to a name around it.
/** @param {Element} target @param {string} tag @param {string} role */
function isSilent(target, tag, role) {
  if (role === "row") return !isNamedByContent(target, role);
  if (SILENT_ROLES.has(role)) return !(isHtml(target) && HEARD_TAGS.has(tag));
  return role.startsWith("doc-") && !NAMED_BY_CONTENT.has(role);
}

// Return the text that a child contributes to a name. Like Chrome, separate blocks and elements with a name of their
// own by spaces, and join inline text.
/** @param {Element} child @param {Way} way */
function elementPart(child, way) {
  if (child === way.skip) return " ";
  if (!way.hiddenToo && isGone(child)) return "";
  const tag = localNameOf(child);
  if (tag === "rt" || tag === "rp") return "";
  if (tag === "br") return " ";
  if (SILENT_IN_NAMES.has(tag)) return " ";
  const role = roleOf(child);
  if (tag === "label" && !saysFirst(child)) return "";
  if (!way.inReference && memo.readByReference?.has(child)) return ` ${unreadReferences(child)} `;
  const isRead = way.hiddenToo || isVisible(child);
  const own = isRead ? ownPart(child, way) : null;
  if (own !== null) return ` ${own} `;
  // An invisible element may have visible descendants, but its title is as invisible as its label.
  const titleOf = () => ` ${isRead ? fallbackName(child, role) : ""} `;
  if (isSilent(child, tag, role)) return titleOf();
  const text = contentOf(child, way);
  if (!UNTITLED.has(role) && text.trim() === "") return titleOf();
  return !way.hiddenToo && isInline(child) ? text : ` ${text} `;
}

// Return the text that a child contributes instead of its content: its value, label or native name. Return null if it
// has none.
/** @param {Element} child @param {Way} way */
function ownPart(child, way) {
  const role = roleOf(child);
  if (VALUED.has(role) && specialTypeOf(child) !== "color") {
    const value = spokenValue(child, role);
    if (value !== "") return value;
  }
  if (!way.inReference) {
    const text = tidy(labelledbyText(child));
    if (text !== "") return text;
  }
  const label = ariaLabel(child);
  if (label !== "") return withFiles(child, label);
  return role === "none" ? null : nativePart(child, way);
}

// Return the name, for a file input with the chosen files added. This applies inside other names.
/** @param {Element} target @param {string} name */
const withFiles = (target, name) =>
  specialTypeOf(target) === "file" ? `${name}: ${inputValue(target) || "No file chosen"}` : name;

/** @param {Element} child @param {Way} way */
function nativePart(child, way) {
  const isLabelled = !way.inReference && hasLabels(child);
  const native = tidy(isLabelled ? labelText(child, saysFirst) : nativeName(child) ?? "");
  if (native === "") return isLabelled ? "" : null;
  return withFiles(child, native);
}

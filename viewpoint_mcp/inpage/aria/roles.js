// Roles: the first valid token of the role attribute, or else the role that HTML-AAM gives the tag. Where HTML-AAM
// leaves a choice, the result is that of Chrome. "none" is the role of elements without a meaning of their own; their
// children may have one.

import { readParentOf } from "./owns.js";
import { tableCellRole, tableHeaderRole, tableRole, tableRowRole, tableSectionRole } from "./tables.js";
import {
  attribute, childWithTag, getIsContentEditable, getTabIndex, getter, has, isElement, isHtml, isHtmlTag, isMatching,
  isSvg, keyword, localNameOf, parentOf, querySelectorAll, referenced, trimmed,
} from "../dom/dom.js";
import { look, memo, remembered } from "../dom/memo.js";
import { doAnyReact, reacting } from "../snapshot/click_listeners.js";

const ARIA_ROLES = new Set(`alert alertdialog application article banner blockquote button caption cell checkbox code
  columnheader combobox comment complementary contentinfo definition deletion dialog document emphasis feed figure form
  generic grid gridcell group heading img insertion link list listbox listitem log main mark marquee math menu menubar
  menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph progressbar radio radiogroup region
  row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript suggestion
  superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem
  doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography doc-biblioref
  doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote doc-endnotes
  doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index
  doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part doc-preface
  doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc graphics-document graphics-object graphics-symbol`
  .split(/\s+/));

// Roles of elements that a user can act on.
export const INTERACTIVE = new Set(["button", "link", "textbox", "searchbox", "checkbox", "radio", "combobox", "listbox",
  "option", "slider", "spinbutton", "switch", "menuitem", "menuitemcheckbox", "menuitemradio", "tab", "treeitem", "scrollbar"]);

/** @type {Record<string, string>} */
const ROLE_SYNONYMS = { image: "img", presentation: "none", directory: "list", text: "generic" };

/** @type {Record<string, string>} */
const TAG_ROLES = {
  article: "article", audio: "audio", blockquote: "blockquote", button: "button", canvas: "canvas", caption: "caption",
  code: "code", dd: "definition", del: "deletion", details: "group", dfn: "term", dialog: "dialog", dir: "list",
  dt: "term", em: "emphasis", fieldset: "group", figcaption: "caption", figure: "figure", form: "form",
  frame: "iframe", h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading",
  hgroup: "group", hr: "separator", iframe: "iframe", ins: "insertion", main: "main", mark: "mark",
  math: "math", menu: "list", meter: "meter", nav: "navigation", ol: "list", optgroup: "group", option: "option",
  output: "status", p: "paragraph", progress: "progressbar", s: "deletion", search: "search", strong: "strong",
  sub: "subscript", sup: "superscript", textarea: "textbox", time: "time", ul: "list", video: "video",
  address: "group",
};

/** @type {Record<string, string>} */
const INPUT_ROLES = {
  button: "button", checkbox: "checkbox", file: "button", hidden: "none", image: "button", number: "spinbutton",
  radio: "radio", range: "slider", reset: "button", search: "searchbox", submit: "button",
};

const LIST_INPUTS = new Set(["text", "search", "tel", "url", "email", "number"]);

/** @type {Record<string, (el: Element) => string>} */
const TAG_RULES = {
  a: (el) => (has(el, "href") || has(el, "onclick") || reacting.has(el) ? "link" : "generic"),
  area: (el) => (has(el, "href") ? "link" : "none"),
  aside: (el) => (isInside(el, SECTIONING_TAGS, SECTIONING_ROLES) && !isNamedByAuthor(el) ? "generic" : "complementary"),
  footer: (el) => (isInside(el, CONTENT_TAGS, CONTENT_ROLES) ? "generic" : "contentinfo"),
  header: (el) => (isInside(el, CONTENT_TAGS, CONTENT_ROLES) ? "generic" : "banner"),
  embed: frameRole, object: frameRole,
  img: imageRole,
  input: inputRole,
  section: (el) => (isNamedByAuthor(el) ? "region" : "generic"),
  select: selectRole,
  summary: summaryRole,
  table: tableRole, thead: tableSectionRole, tbody: tableSectionRole, tfoot: tableSectionRole,
  tr: tableRowRole, td: tableCellRole, th: tableHeaderRole,
};

const SECTIONING_TAGS = new Set(["article", "aside", "nav", "section"]);
const SECTIONING_ROLES = new Set(["article", "complementary", "navigation"]);
const CONTENT_TAGS = new Set([...SECTIONING_TAGS, "main"]);
const CONTENT_ROLES = new Set([...SECTIONING_ROLES, "main"]);

const GLOBAL_ARIA = ["aria-atomic", "aria-busy", "aria-controls", "aria-current", "aria-describedby", "aria-details",
  "aria-dropeffect", "aria-flowto", "aria-grabbed", "aria-keyshortcuts", "aria-label", "aria-labelledby", "aria-live",
  "aria-owns", "aria-relevant", "aria-roledescription", "aria-braillelabel", "aria-brailleroledescription"];

const LISTS = new Set(["ul", "ol", "menu", "dir"]);

// Return the role of the element, cached during a look.
/** @param {Element} target @returns {string} */
export function roleOf(target) {
  return memo === null ? look(() => roleOf(target)) : remembered("roles", target, computeRole);
}

// Compute the role of the element. See `roleOf` for the cached role.
/** @param {Element} target @returns {string} */
export function computeRole(target) {
  const asked = has(target, "role") ? explicitRole(target) : "";
  if (asked === "") return nativeRole(target);
  if (asked === "none") return keepsNativeRole(target) ? nativeRole(target) : "none";
  return allowsRole(target, asked) ? asked : nativeRole(target);
}

// Return the first valid role in the role attribute, with synonyms resolved; "" if there is none.
/** @param {Element} target */
export function explicitRole(target) {
  for (const token of keyword(target, "role").split(/\s+/)) {
    const role = ROLE_SYNONYMS[token] ?? token;
    if (ARIA_ROLES.has(role)) return role;
  }
  return "";
}

// Return whether the element ignores role "none". Elements that are focusable or have a global ARIA attribute do, and
// so does <iframe>.
/** @param {Element} target */
function keepsNativeRole(target) {
  return isFocusable(target) || GLOBAL_ARIA.some((name) => has(target, name)) || localNameOf(target) === "iframe";
}

// Return whether the element can receive the focus.
/** @param {Element} target */
export function isFocusable(target) {
  if (has(target, "tabindex") && Number.isInteger(parseInt(attribute(target, "tabindex") ?? "", 10))) return true;
  if (!isHtml(target)) return localNameOf(target) === "a" && isSvg(target) && (has(target, "href") || has(target, "xlink:href"));
  if (isMatching(target, ":disabled")) return false;
  return getTabIndex.call(target) >= 0 || getIsContentEditable.call(target);
}

// Return whether the role is valid for the element. Some roles require a name or a certain parent.
/** @param {Element} target @param {string} role */
function allowsRole(target, role) {
  if (role === "region" || role === "form") return isNamedByAuthor(target);
  if (role === "listitem") return isHtmlTag(target, "li") || hasContext(target, LIST_CONTEXT);
  // On an element without a meaning of its own, the author's role is used anyway.
  if (role === "option") return hasContext(target, OPTION_CONTEXT) || nativeRole(target) === "generic";
  if (role === "treeitem") return hasContext(target, TREE_CONTEXT) || nativeRole(target) === "generic";
  return true;
}

const LIST_CONTEXT = new Set(["list"]);
const OPTION_CONTEXT = new Set(["listbox", "combobox"]);
const TREE_CONTEXT = new Set(["tree", "treeitem"]);
const GROUPING = new Set(["generic", "none", "group"]);

// Return whether the closest ancestor with a meaningful role has one of the roles.
/** @param {Element} target @param {Set<string>} roles */
function hasContext(target, roles) {
  for (let at = readParentOf(target); at !== null; at = readParentOf(at)) {
    const role = roleOf(at);
    if (!GROUPING.has(role)) return roles.has(role);
  }
  return false;
}

// Return whether the element has an aria-label, a title or a valid aria-labelledby.
/** @param {Element} target */
function isNamedByAuthor(target) {
  return trimmed(target, "aria-label") !== "" || trimmed(target, "title") !== "" ||
    referenced(target, "aria-labelledby").length > 0;
}

// Return whether an ancestor has one of the roles, or has one of the tags and no role attribute.
/** @param {Element} target @param {Set<string>} tags @param {Set<string>} roles */
function isInside(target, tags, roles) {
  for (let at = parentOf(target); at !== null && isElement(at); at = parentOf(at)) {
    const asked = has(at, "role") ? explicitRole(at) : "";
    if (asked === "" ? tags.has(localNameOf(at)) : roles.has(asked)) return true;
  }
  return false;
}

// Return the role that the markup of the element implies, without its role attribute.
/** @param {Element} target */
function nativeRole(target) {
  const tag = localNameOf(target);
  if (isSvg(target)) return svgRole(target, tag);
  if (!isHtml(target)) return tag === "math" ? "math" : "generic";
  const rule = Object.hasOwn(TAG_RULES, tag) ? TAG_RULES[tag] : undefined;
  if (rule !== undefined) return rule(target);
  if (tag === "li") return itemRole(target);
  return Object.hasOwn(TAG_ROLES, tag) ? TAG_ROLES[tag] : "generic";
}

// Return the role of an <li>. It depends on the role of its list: an item in a <ul role="menu"> is generic, as in
// Chrome. An item in a list with role "none" has the role "none".
/** @param {Element} target */
function itemRole(target) {
  const parent = parentOf(target);
  if (parent === null || !isElement(parent) || !LISTS.has(localNameOf(parent))) return "listitem";
  const asked = has(parent, "role") ? explicitRole(parent) : "";
  if (asked === "" || asked === "list") return "listitem";
  return asked === "none" ? "none" : "generic";
}

const getContentWindow = getter(HTMLObjectElement.prototype, "contentWindow");
const NO_DOCUMENT = /^(?:image|audio|video)\//;

// Return whether the element shows another document. Only the browser knows that for an <embed>. Therefore an <embed>
// with an image, audio or video type does not count, and any other one with a source does.
/** @param {Element} target */
export function isFrameOwner(target) {
  const tag = localNameOf(target);
  if (tag === "iframe" || tag === "frame") return isHtml(target);
  if (tag === "object") return isHtmlTag(target, "object") && getContentWindow.call(target) !== null;
  return tag === "embed" && isHtml(target) && has(target, "src") && !NO_DOCUMENT.test(keyword(target, "type"));
}

/** @param {Element} target */
function frameRole(target) {
  return isFrameOwner(target) ? "iframe" : "generic";
}

/** @param {Element} target */
function imageRole(target) {
  if (attribute(target, "alt") !== "" || isNamedByAuthor(target) || keepsNativeRole(target)) return "img";
  return "none";
}

/** @param {Element} target */
function inputRole(target) {
  const type = inputTypeOf(target);
  if (LIST_INPUTS.has(type) && has(target, "list") && getInputList.call(/** @type {HTMLInputElement} */ (target)) !== null) return "combobox";
  return Object.hasOwn(INPUT_ROLES, type) ? INPUT_ROLES[type] : "textbox";
}

// Return the role of a <select>. A list with one visible row opens like a combo box, even if several options may be
// selected.
/** @param {Element} target */
function selectRole(target) {
  const size = attribute(target, "size");
  if (has(target, "multiple")) return Number(size) === 1 ? "combobox" : "listbox";
  return Number(size) > 1 ? "listbox" : "combobox";
}

const getInputType = getter(HTMLInputElement.prototype, "type");
const getInputList = getter(HTMLInputElement.prototype, "list");
/** @param {Element} input */
export const inputTypeOf = (input) => getInputType.call(/** @type {HTMLInputElement} */ (input));

// Return the role of a <summary>: "button" for the first one in a <details>, which opens and closes it, and else
// "generic".
/** @param {Element} target */
export function summaryRole(target) {
  const parent = parentOf(target);
  if (parent === null || !isElement(parent) || !isHtmlTag(parent, "details")) return "generic";
  return childWithTag(parent, "summary") === target ? "button" : "generic";
}

const SVG_SHAPES = new Set(["path", "rect", "circle", "ellipse", "line", "polygon", "polyline"]);
/** @type {Record<string, string>} */
const SVG_ROLES = { image: "img", use: "graphics-object" };

// Return the role of an SVG element. An SVG drawing is an image. A drawing without a name is "generic" if it contains
// text, links or named parts, which are then read separately.
/** @param {Element} target @param {string} tag */
function svgRole(target, tag) {
  if (tag === "svg") return isSvgRead(target) && !isNamedDrawing(target) ? "generic" : "img";
  if (tag === "a") return has(target, "href") || has(target, "xlink:href") ? "link" : "generic";
  if (tag === "text" || tag === "tspan" || tag === "foreignObject") return "generic";
  if (!isNamedByAuthor(target) && childWithTag(target, "title") === null && !has(target, "tabindex")) return "none";
  return SVG_SHAPES.has(tag) ? "graphics-symbol" : SVG_ROLES[tag] ?? "group";
}

const SVG_CONTENT =
  "text, a, foreignObject, :not(svg) > title, [role], [tabindex], [onclick], [aria-label], [aria-labelledby]";

/** @param {Element} svg */
const isNamedDrawing = (svg) => isNamedByAuthor(svg) || childWithTag(svg, "title") !== null;

// Return whether the parts of the drawing are read separately.
/** @param {Element} svg */
export function isSvgRead(svg) {
  if (querySelectorAll.call(svg, SVG_CONTENT).length > 0) return true;
  return doAnyReact && [...querySelectorAll.call(svg, "*")].some((part) => reacting.has(part));
}

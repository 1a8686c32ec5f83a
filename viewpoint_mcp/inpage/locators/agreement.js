// Roles and names on which Playwright and this server agree. Playwright computes both in another way. A locator must
// therefore use simple ones only, and must count every element that Playwright may take for a match.

import { fullTextOf, matcher } from "../actions/locate.js";
import { hasLabels, labelsOf, nameOf, tidy } from "../aria/names.js";
import { explicitRole, inputTypeOf, isFrameOwner, roleOf } from "../aria/roles.js";
import {
  attribute, checkVisibility, closest, dataOf, flatChildrenOf, has, isElement, isHtml, isHtmlTag, isMatching, keyword, localNameOf, referenced,
  trimmed,
} from "../dom/dom.js";
import { isGone, isHidden, styleOf } from "../visibility/visibility.js";

/** @type {Record<string, string>} */
const ROLES_BY_TAG = {
  area: "link", article: "article", aside: "complementary", blockquote: "blockquote", button: "button", caption: "caption", code: "code",
  dd: "definition", del: "deletion", details: "group", dfn: "term", dialog: "dialog", dt: "term", em: "emphasis", fieldset: "group",
  figure: "figure", footer: "contentinfo", form: "form", h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading",
  h6: "heading", header: "banner", hr: "separator", img: "img", ins: "insertion", li: "listitem", main: "main", mark: "mark",
  math: "math", menu: "list", meter: "meter", nav: "navigation", ol: "list", optgroup: "group", option: "option", output: "status",
  p: "paragraph", progress: "progressbar", search: "search", section: "region", strong: "strong", sub: "subscript", sup: "superscript",
  svg: "img", table: "table", tbody: "rowgroup", textarea: "textbox", tfoot: "rowgroup", thead: "rowgroup", time: "time", tr: "row",
  ul: "list", a: "link",
};
/** @type {Record<string, string[]>} */
const POSSIBLE_ROLES_BY_TAG = { td: ["cell", "gridcell"], th: ["columnheader", "rowheader", "cell"], select: ["combobox", "listbox"] };
/** @type {Record<string, string>} */
const ROLES_BY_TYPE = {
  button: "button", checkbox: "checkbox", file: "button", image: "button", number: "spinbutton", radio: "radio", range: "slider",
  reset: "button", submit: "button",
};
const NAMELESS = new Set(["caption", "code", "definition", "deletion", "emphasis", "generic", "insertion", "mark", "none", "paragraph",
  "strong", "subscript", "superscript", "term", "time"]);
const NAMED_BY_AUTHOR = new Set(["region", "form"]);
// Roles that the two give to different elements.
const UNCLEAR_ROLES = new Set(["definition", "math", "option", "separator"]);
// Characters that Playwright and this server normalize in different ways: soft hyphens, spaces without width, pictures.
const UNCLEAR_TEXT = /[\n\r\f\u00ad\u200b-\u200f\u2028-\u202e\ufeff\p{Co}]/u;

// Return whether a text has only characters that Playwright normalizes as this server does.
/** @param {string} text */
export const isClearText = (text) => !UNCLEAR_TEXT.test(text);

// Return the role by which Playwright finds the element too; "" if there is none.
/** @param {Element} target */
export function sharedRoleOf(target) {
  const role = roleOf(target);
  if (isHidden(target) || isFrameOwner(target) || UNCLEAR_ROLES.has(role) || /^(?:doc|graphics)-/.test(role)) return "";
  if (has(target, "role")) return attribute(target, "role") === role && explicitRole(target) === role && role !== "none" ? role : "";
  if (role === "link" && !has(target, "href")) return "";
  if (NAMED_BY_AUTHOR.has(role) && trimmed(target, "aria-label") === "" && trimmed(target, "aria-labelledby") === "") return "";
  const isDoubtful = isMatching(target, "optgroup, select[multiple], select[size], th:not([scope])");
  return !isDoubtful && isHtml(target) && rolesByTagOf(target).has(role) ? role : "";
}

// Return the name by which Playwright finds the element too; "" if there is none. It comes from one place of the markup.
/** @param {Element} target @param {string} role */
export function sharedNameOf(target, role) {
  const name = nameOf(target);
  if (name === "" || NAMELESS.has(role) || !isClearText(name)) return "";
  if (isHtmlTag(target, "input") && ["submit", "reset", "file", "image"].includes(inputTypeOf(target)) && !has(target, "aria-label")) {
    return trimmed(target, "value") === name ? name : "";
  }
  if (hasLabels(target) && !has(target, "aria-label") && !has(target, "aria-labelledby")) {
    return labelsOf(target).some((label) => shownTextOf(label, target) === name) ? name : "";
  }
  const names = isMatching(target, "input, select, textarea") ? [] : [shownTextOf(target, null)];
  return [...names, ...writtenNamesOf(target)].includes(name) ? name : "";
}

// Return whether Playwright may find the element by this step. It is true for each element that this server finds.
/** @param {LocateStep} step @param {(target: Element) => boolean} fits the condition of this server */
export function possibleCondition(step, fits) {
  if (step.kind !== "role") return fits;
  const { role, text } = step;
  const hasText = text === undefined ? () => true : matcher(text);
  return (/** @type {Element} */ target) => {
    if (fits(target)) return true;
    return possibleRolesOf(target).has(role) && isPossiblyShown(target) && (text === undefined || possibleNamesOf(target).some(hasText));
  };
}

/** @param {Element} target */
function possibleRolesOf(target) {
  const roles = new Set([roleOf(target), ...keyword(target, "role").split(/\s+/), ...rolesByTagOf(target)]);
  if (roles.has("image")) roles.add("img");
  return roles;
}

// Return the roles that Playwright may give to the tag.
/** @param {Element} target */
function rolesByTagOf(target) {
  const tag = localNameOf(target);
  const roles = new Set(POSSIBLE_ROLES_BY_TAG[tag] ?? []);
  if (Object.hasOwn(ROLES_BY_TAG, tag)) roles.add(ROLES_BY_TAG[tag]);
  if (isHtmlTag(target, "input")) {
    const type = inputTypeOf(target);
    for (const role of ROLES_BY_TYPE[type] === undefined ? ["textbox", "searchbox", "combobox"] : [ROLES_BY_TYPE[type]]) roles.add(role);
  }
  return roles;
}

/** @param {Element} target */
const isPossiblyShown = (target) =>
  checkVisibility.call(target, { visibilityProperty: true }) || closest.call(target, "select") !== null || getComputedStyle(target).display === "contents";

// Return the texts from which a name may come.
/** @param {Element} target */
const possibleNamesOf = (target) => [tidy(fullTextOf(target)), ...writtenNamesOf(target)].filter((name) => name !== "");

// Return the texts from which a name may come, except those inside the element.
/** @param {Element} target */
function writtenNamesOf(target) {
  const names = ["aria-label", "alt", "title", "placeholder", "value", "label"].map((name) => tidy(attribute(target, name) ?? ""));
  names.push(...labelsAround(target).map((label) => tidy(fullTextOf(label))));
  const [caption] = flatChildrenOf(target).filter((child) => isElement(child) && isMatching(child, "caption, legend, figcaption"));
  if (caption !== undefined) names.push(tidy(fullTextOf(/** @type {Element} */ (caption))));
  const labels = referenced(target, "aria-labelledby").map((label) => tidy(fullTextOf(label)));
  return [...names, labels.join(" ")];
}

// Return the text of the element as a part of a name: without hidden parts and without a control inside.
/** @param {Element} target @param {Element | null} control */
const shownTextOf = (target, control) => tidy(shownPartsOf(target, control));

/** @param {Element} target @param {Element | null} control @returns {string} */
function shownPartsOf(target, control) {
  return flatChildrenOf(target).map((child) => {
    if (!isElement(child)) return dataOf(child);
    if (child === control) return "";
    // Playwright puts spaces around a hidden part, too.
    const text = isGone(child) ? "" : trimmed(child, "aria-label") || trimmed(child, "alt") || shownPartsOf(child, control);
    return styleOf(child).display === "inline" && !isHtmlTag(child, "br") ? text : ` ${text} `;
  }).join("");
}

// Return the elements that label the element.
/** @param {Element} target @returns {Element[]} */
function labelsAround(target) {
  return [...referenced(target, "aria-labelledby"), ...(hasLabels(target) ? labelsOf(target) : [])];
}

// The ways to find one element: steps of a Playwright locator, each on its own, in the order of Playwright's own
// generator.

import { isClearText, sharedNameOf, sharedRoleOf } from "./agreement.js";
import { isPassing, looksGenerated } from "./generated_words.js";
import { inputTypeOf, isFrameOwner } from "../aria/roles.js";
import { isLabelable, labelsOf, nameOf, tidy } from "../aria/names.js";
import { attribute, has, isHtmlTag, isMatching, localNameOf, trimmed } from "../dom/dom.js";
import { fullTextOf } from "../actions/locate.js";

const LONGEST_LOCATOR_TEXT = 80;
const LONGEST_LINK = 100;
// Return the steps that name what the element is for. They stay right when the page changes elsewhere.
/** @param {Element} target @param {string[]} testIds names of the attributes with a test id @returns {LocateStep[]} */
export function meaningfulSteps(target, testIds) {
  const role = sharedRoleOf(target);
  const steps = testIdSteps(target, testIds);
  if (isFrameOwner(target)) return steps;
  if (role !== "") {
    for (const text of textMatchers(sharedNameOf(target, role))) steps.push({ kind: "role", role, text });
  }
  if (isMatching(target, "input, textarea")) steps.push(...attributeSteps(target, "placeholder"));
  for (const label of labelTextsOf(target)) {
    for (const text of textMatchers(label)) steps.push({ kind: "label", text });
  }
  if (isMatching(target, "img, area, input")) steps.push(...attributeSteps(target, "alt"));
  if (!isMatching(target, "select, html, body")) {
    for (const text of textMatchers(tidy(fullTextOf(target)))) steps.push({ kind: "text", text });
  }
  return [...steps, ...attributeSteps(target, "title")];
}

// Return the steps that depend on the markup.
/** @param {Element} target @returns {LocateStep[]} */
export function markupSteps(target) {
  const tag = CSS.escape(localNameOf(target));
  const id = attribute(target, "id") ?? "";
  /** @type {string[]} */
  const selectors = [];
  if (id !== "" && !looksGenerated(id)) selectors.push(/^[A-Za-z][\w-]*$/.test(id) ? `#${id}` : `[id=${quotedInCss(id)}]`);
  for (const name of isFrameOwner(target) ? ["name", "title", "src"] : ["name", "href"]) {
    const value = attribute(target, name) ?? "";
    const isLong = value.length > LONGEST_LINK || !isClearText(value);
    const isUrl = name === "href" || name === "src";
    const isUsable = value !== "" && !isLong && !(isUrl ? /[?#]|^(?:blob|data):/.test(value) : looksGenerated(value));
    if (isUsable) selectors.push(`${tag}[${name}=${quotedInCss(value)}]`);
  }
  /** @type {LocateStep[]} */
  const steps = selectors.map((selector) => ({ kind: "css", selector }));
  const role = sharedRoleOf(target);
  if (role !== "") steps.push({ kind: "role", role });
  if (isHtmlTag(target, "input") && has(target, "type")) steps.push({ kind: "css", selector: `input[type=${quotedInCss(inputTypeOf(target))}]` });
  steps.push({ kind: "css", selector: tag });
  return steps;
}

// Return the text as a CSS string. It has no line breaks.
/** @param {string} text */
export const quotedInCss = (text) => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;

/** @param {Element} target @param {string[]} names @returns {LocateStep[]} */
function testIdSteps(target, names) {
  const values = names.map((name) => attribute(target, name) ?? "");
  const isUsable = (/** @type {string} */ value) => value !== "" && tidy(value) === value && !looksGenerated(value);
  return values.filter(isUsable).map((text) => ({ kind: "testId", names, text: { text, exact: true } }));
}

/** @param {Element} target @param {string} name @returns {LocateStep[]} */
const attributeSteps = (target, name) =>
  textMatchers(tidy(attribute(target, name) ?? "")).map((text) => ({ kind: "attribute", name, text }));

// Return the conditions for a text: a part of it in any case, then all of it. A long text is cut at the end of a word.
/** @param {string} text @returns {{ text: string, exact: boolean }[]} */
export function textMatchers(text) {
  if (text === "" || !isClearText(text) || isPassing(text) || !/[\p{L}\p{N}]/u.test(text)) return [];
  if (text.length > LONGEST_LOCATOR_TEXT) return [{ text: text.slice(0, LONGEST_LOCATOR_TEXT).replace(/\s\S*$/, ""), exact: false }];
  return [{ text, exact: false }, { text, exact: true }];
}

// Return the texts by which Playwright's `getByLabel` finds the element.
/** @param {Element} target */
function labelTextsOf(target) {
  if (has(target, "aria-labelledby")) return [];
  const label = trimmed(target, "aria-label");
  if (label !== "") return [label];
  return isLabelable(target) ? labelsOf(target).map((each) => tidy(fullTextOf(each))).filter((each) => each === nameOf(target)) : [];
}

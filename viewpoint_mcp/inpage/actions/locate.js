// Search by the steps of a Playwright locator. Roles and names are those of a snapshot. Open shadow roots are searched.

import { isDrawn, numbered } from "./actionability.js";
import { elementsUnder } from "./causes.js";
import { hasLabels, nameOf, tidy } from "../aria/names.js";
import { roleOf } from "../aria/roles.js";
import { computeStates, inputValue } from "../aria/states.js";
import {
  attribute, dataOf, flatChildrenOf, getDocumentElement, has, isElement, isFlatAncestor, isHtmlTag, isMatching, localNameOf,
  textContentOf,
} from "../dom/dom.js";
import { look } from "../dom/memo.js";
import { NEVER_SHOWN, isHidden, isVisible } from "../visibility/visibility.js";

// Return the elements that the steps lead to, as `find` returns those of a selector. If some of the matches of a step
// are drawn, the others do not count.
/** @param {LocateStep[]} steps @returns {Found | { invalid: true }} */
export function locate(steps) {
  const root = getDocumentElement.call(document);
  if (root === null) return { matches: 0, first: [] };
  try {
    return numbered(look(() => {
      /** @type {Element[] | null} */
      let found = null;
      for (const step of steps) found = perform(step, found, root);
      return found ?? [];
    }));
  } catch (error) {
    // Of a selector or a regular expression.
    if (error instanceof DOMException || error instanceof SyntaxError) return { invalid: true };
    throw error;
  }
}

// Perform a step on the elements of the steps before it; null for the first step.
/** @param {LocateStep} step @param {Element[] | null} found @param {Element} root @returns {Element[]} */
export function perform(step, found, root) {
  if (step.kind === "nth") return [(found ?? []).at(step.index)].filter((each) => each !== undefined);
  if (step.kind === "visible") return (found ?? []).filter((each) => isDrawn(each) && isVisible(each));
  if (step.kind === "hasText" || step.kind === "hasNotText") {
    const fits = matcher(step.text);
    return (found ?? []).filter((each) => fits(visibleTextOf(each)) === (step.kind === "hasText"));
  }
  const fits = condition(step);
  /** @param {Element} each */
  const isInside = (each) => found === null || found.some((outer) => outer !== each && isFlatAncestor(outer, each));
  const matching = elementsUnder(root).filter((each) => fits(each) && isInside(each));
  const drawn = matching.filter(isDrawn);
  return drawn.length > 0 ? drawn : matching;
}

// Return the condition of a step that finds elements.
/** @param {Exclude<LocateStep, { kind: "nth" | "hasText" | "hasNotText" | "visible" }>} step @returns {(target: Element) => boolean} */
export function condition(step) {
  switch (step.kind) {
    case "css": return (target) => isMatching(target, step.selector);
    case "role": return roleCondition(step);
    case "attribute": {
      const fits = matcher(step.text);
      return (target) => has(target, step.name) && fits(attribute(target, step.name) ?? "");
    }
    case "testId": {
      const fits = matcher(step.text);
      return (target) => step.names.some((name) => has(target, name) && fits(attribute(target, name) ?? ""));
    }
    case "label": {
      const fits = matcher(step.text);
      return (target) => isLabelled(target) && fits(nameOf(target));
    }
    default: return textCondition(matcher(/** @type {{ text: TextMatcher }} */ (step).text));
  }
}

const NATIVE_FIELDS = 'input:not([type="button"], [type="submit"], [type="reset"], [type="image"]), textarea, select';

// Return whether `getByLabel` can find the element: a field, also one that its placeholder names, or a labelled element.
/** @param {Element} target */
const isLabelled = (target) =>
  has(target, "aria-label") || has(target, "aria-labelledby") || hasLabels(target) || isMatching(target, NATIVE_FIELDS);

/** @param {Extract<LocateStep, { kind: "role" }>} step @returns {(target: Element) => boolean} */
function roleCondition({ role, text, states = {} }) {
  const fits = text === undefined ? () => true : matcher(text);
  return (target) => {
    if (roleOf(target) !== role || isHidden(target)) return false;
    const present = /** @type {Record<string, unknown>} */ (computeStates(target, role));
    return Object.entries(states).every(([name, value]) => (present[name] ?? false) === value) && fits(nameWithText(target, role));
  };
}

const NAMED_BY_TEXT = new Set(["row", "listitem", "article", "treeitem", "option"]);

// Return the name of the element, or the text of a row, item or card without a name.
/** @param {Element} target @param {string} role */
const nameWithText = (target, role) => nameOf(target) || (NAMED_BY_TEXT.has(role) ? visibleTextOf(target) : "");

// Return the condition for the innermost elements with a text.
/** @param {(text: string) => boolean} fits @returns {(target: Element) => boolean} */
function textCondition(fits) {
  /** @param {Element} target */
  const isText = (target) => !NEVER_SHOWN.has(localNameOf(target)) && fits(fullTextOf(target));
  /** @param {Element} target */
  const hasInner = (target) => flatChildrenOf(target).some((child) => isElement(child) && isText(child));
  return (target) => isText(target) && !hasInner(target) && fits(visibleTextOf(target));
}

const BUTTON_TYPES = 'input[type="button"], input[type="submit"], input[type="reset"]';

// Return the text of the element without scripts and styles, with the text in its shadow roots.
/** @param {Element} target */
export function visibleTextOf(target) {
  if (isHtmlTag(target, "input")) return fullTextOf(target);
  let text = "";
  /** @type {(Element | Text)[]} */
  const pending = [target];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (!isElement(node)) text += dataOf(node);
    else if (!NEVER_SHOWN.has(localNameOf(node))) pending.push(...flatChildrenOf(node).reverse());
  }
  return text;
}

// Return the text of the element; of a button, its value.
/** @param {Element} target */
export function fullTextOf(target) {
  if (isHtmlTag(target, "input") && isMatching(target, BUTTON_TYPES)) return attribute(target, "value") ?? inputValue(target);
  return textContentOf(target);
}

// Return the condition for a text. White space does not matter.
/** @param {TextMatcher} wanted @returns {(text: string) => boolean} */
export function matcher(wanted) {
  if ("regex" in wanted) {
    const pattern = new RegExp(wanted.regex, wanted.flags.replace(/[gy]/g, ""));
    return (text) => pattern.test(tidy(text));
  }
  if (wanted.exact) return (text) => tidy(text) === wanted.text;
  const lower = wanted.text.toLowerCase();
  return (text) => tidy(text).toLowerCase().includes(lower);
}

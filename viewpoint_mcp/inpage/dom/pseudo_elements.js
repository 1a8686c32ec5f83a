// Text that style sheets put before and after elements.

import { attribute, getAdoptedStyleSheets, getStyleSheets, localNameOf, queryAll, rootNodeOf } from "./dom.js";
import { memo } from "./memo.js";
import { INLINE } from "../visibility/visibility.js";

const PSEUDO = /::?(?:before|after)\b/;
const LONE_PSEUDO = /(^|[\s>+~,(])::?(?:before|after)\b/g; // stands for any element's
export const MANY_SELECTORS = 100; // matching more against the whole document costs more than it saves

// Finds the elements that have such text by the style sheets' selectors, so that a walk need not ask every element;
// null where that cannot be known: a sheet of another origin, nested rules, too many.
export function findPseudoHosts() {
  const selectors = new Set();
  try {
    for (const sheet of [...getStyleSheets.call(document), ...getAdoptedStyleSheets.call(document)]) {
      if (!gatherSelectors(sheet.cssRules, selectors, false)) return null;
    }
    return new Set(selectors.size === 0 ? [] : queryAll(document, [...selectors].join(",")));
  } catch {
    return null;
  }
}

/** @param {CSSRule} rule @returns {rule is CSSStyleRule} */
export const isStyleRule = (rule) => rule.type === CSSRule.STYLE_RULE;

// Whether all rules could be read.
/** @param {CSSRuleList} rules @param {Set<string>} selectors @param {boolean} isNested */
function gatherSelectors(rules, selectors, isNested) {
  for (const rule of /** @type {Iterable<AnyRule>} */ (rules)) {
    if (rule.styleSheet && !gatherSelectors(rule.styleSheet.cssRules, selectors, false)) return false;
    const isStyle = isStyleRule(rule);
    if (isStyle && PSEUDO.test(rule.selectorText) && saysText(rule.style.content)) {
      if (isNested || selectors.size === MANY_SELECTORS) return false;
      selectors.add(rule.selectorText.replace(LONE_PSEUDO, "$1*").replace(new RegExp(PSEUDO, "g"), ""));
    }
    if (rule.cssRules?.length && !gatherSelectors(rule.cssRules, selectors, isNested || isStyle)) return false;
  }
  return true;
}

/** @param {string} content */
const saysText = (content) => !["", "none", "normal", '""'].includes(content);

// A quotation gets its marks from the browser; the sheets of shadow roots are not read.
/** @param {Element} target */
function mayHavePseudo(target) {
  return memo.pseudo === null || memo.pseudo.has(target) || localNameOf(target) === "q" ||
    (memo.owners !== null && memo.owners.scopes.size > 1 && rootNodeOf(target) !== document);
}

// The text that `content` puts before or after an element, "" for none. What the author says instead of a symbol
// (the part after a slash) and what begins a line of its own is set apart.
/** @param {Element} target @param {"::before" | "::after"} pseudo */
export function pseudoText(target, pseudo) {
  if (!mayHavePseudo(target)) return "";
  const style = getComputedStyle(target, pseudo);
  const { content } = style;
  if (content === "none" || content === "normal" || content === "") return "";
  if (style.display === "none" || style.visibility !== "visible") return "";
  const { text, isInstead } = parseContent(content, target);
  if (text === "" || (!isInstead && INLINE.has(style.display))) return text;
  return ` ${text} `;
}

// Images and counters are passed over: the first say nothing, and what the second count is not told.
const CONTENT_PARTS = /(?:url|counters?|image-set)\((?:[^()"]|"(?:[^"\\]|\\.)*")*\)|"((?:[^"\\]|\\.)*)"|attr\(([^)]*)\)|(open|close)-quote|\//g;

/** @param {string} content @param {Element} target */
function parseContent(content, target) {
  let text = "";
  let isInstead = false;
  for (const [token, quoted, name, quote] of content.matchAll(CONTENT_PARTS)) {
    if (token === "/") {
      text = "";
      isInstead = true;
    } else if (quoted !== undefined) text += unescapeCss(quoted);
    else if (quote !== undefined) text += quote === "open" ? "“" : "”";
    else if (name !== undefined) text += attribute(target, name.trim()) ?? "";
  }
  return { text, isInstead };
}

/** @param {string} text */
const unescapeCss = (text) =>
  text.replace(/\\([0-9a-fA-F]{1,6})\s?|\\(.)/g, (_, code, char) => (code ? String.fromCodePoint(parseInt(code, 16)) : char));

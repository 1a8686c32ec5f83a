// Generated text: the `content` of ::before and ::after.

import { attribute, getAdoptedStyleSheets, getStyleSheets, isSvg, localNameOf, queryAll, rootNodeOf } from "./dom.js";
import { memo } from "./memo.js";
import { INLINE } from "../visibility/visibility.js";

const PSEUDO = /::?(?:before|after)\b/;
const LONE_PSEUDO = /(^|[\s>+~,(])::?(?:before|after)\b/g; // without a selector of its own; matches any element
export const MANY_SELECTORS = 100; // matching more selectors against the whole document costs more than it saves

// Return the elements that may have generated text, from the selectors of the style sheets. With this set, a walk need
// not ask every element. Return null if the rules cannot be read (a sheet of another origin, nested rules, too many
// selectors).
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

// Return whether the rule is a style rule.
/** @param {CSSRule} rule @returns {rule is CSSStyleRule} */
export const isStyleRule = (rule) => rule.type === CSSRule.STYLE_RULE;

// Add the selectors of rules that generate text, without their pseudo-elements. Return false if a rule cannot be used.
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

// Return whether a `content` value generates something.
/** @param {string} content */
const saysText = (content) => !["", "none", "normal", '""'].includes(content);

// Return whether the element may have generated text. A <q> gets quotation marks from the browser's own sheet. The
// sheets of shadow roots are not read, so their elements count as well.
/** @param {Element} target */
function mayHavePseudo(target) {
  const isCandidate = memo.pseudo === null || memo.pseudo.has(target) || localNameOf(target) === "q" ||
    (memo.owners !== null && memo.owners.scopes.size > 1 && rootNodeOf(target) !== document);
  return isCandidate && !isSvg(target); // an <svg> is replaced content
}

// Return the text that `content` generates before or after the element; "" for none. Surround it with spaces if it is
// alternative text (the part after the slash), or if its box is not inline.
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

// The parts of a `content` value. Images are skipped because they have no text, and counters because their value is
// unknown.
const CONTENT_PARTS = /(?:url|counters?|image-set)\((?:[^()"]|"(?:[^"\\]|\\.)*")*\)|"((?:[^"\\]|\\.)*)"|attr\(([^)]*)\)|(open|close)-quote|\//g;

// Return the text of a `content` value. `isInstead` is true for alternative text, which follows a slash and replaces
// the rest.
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

// Replace CSS escape sequences by the characters that they stand for.
/** @param {string} text */
const unescapeCss = (text) =>
  text.replace(/\\([0-9a-fA-F]{1,6})\s?|\\(.)/g, (_, code, char) => (code ? String.fromCodePoint(parseInt(code, 16)) : char));

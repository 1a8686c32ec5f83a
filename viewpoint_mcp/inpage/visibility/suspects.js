// Which elements a style could keep from being seen. To ask every element for all that can hide it would double the
// cost of a walk, so where a page has few rules they are read first, and only what they may hide is asked.

import { animationsNow, getAdoptedStyleSheets, getStyleSheets, getter, queryAll, readOrNull } from "../dom/dom.js";
import { memo } from "../dom/memo.js";
import { MANY_SELECTORS, isStyleRule } from "../dom/pseudo_elements.js";

const MANY_RULES = 300; // reading more costs more than asking the elements

// Declarations, as Chrome writes them, that can take part in hiding. Better one too many: a suspect is only looked at.
const HIDING = new RegExp([
  "opacity: (?:0?\\.?0|[^;]*\\()", // next to nothing, or computed
  "(?:filter|clip|clip-path|mask[a-z-]*|transform|translate|scale|rotate|zoom): (?!none|auto)",
  "text-indent: (?!0)",
  "font(?:-size)?: (?:[01]?\\.|[01][^\\d]|[^;]*\\()",
  "overflow[a-z-]*: [^;]*(?:hidden|clip|scroll|auto|\\()",
  "(?:left|right|top|bottom|inset[a-z-]*|margin[a-z-]*): [^;]*(?:-\\d\\d|-\\.|\\(|\\d{4}|\\d[%v])",
  "(?:width|height|inline-size|block-size): (?:[01](?:px|em|rem|%)?;|0\\.|[^;]*\\()",
  "color: |background|mix-blend-mode|all: ",
].join("|"));

// What is painted, placed or sized by its own attributes.
const PAINTING = "[style], [bgcolor], [background], [width]";
const PAINTING_TAGS = new Set(["body", "font", "iframe"]);

// The elements to look at: a set of them and of all in whose shadow tree they may be; null for every element.
export function findSuspects() {
  const selectors = new Set([PAINTING]);
  const budget = { rules: MANY_RULES };
  try {
    for (const sheet of [...getStyleSheets.call(document), ...getAdoptedStyleSheets.call(document)]) {
      if (!sheet.disabled && !gatherHiding(sheet.cssRules, selectors, budget)) return null;
    }
    const found = new Set(queryAll(document, [...selectors].join(",")));
    for (const target of animatedElements()) found.add(target);
    return found;
  } catch {
    return null;
  }
}

// Whether all rules could be read.
/** @param {CSSRuleList} rules @param {Set<string>} selectors @param {{ rules: number }} budget */
function gatherHiding(rules, selectors, budget) {
  budget.rules -= rules.length;
  if (budget.rules < 0) return false;
  for (const rule of /** @type {Iterable<AnyRule>} */ (rules)) {
    if (rule.styleSheet && !gatherHiding(rule.styleSheet.cssRules, selectors, budget)) return false;
    if (isStyleRule(rule)) {
      // Nested rules stand in no selector of their own.
      if (rule.cssRules.length > 0) return false;
      if (HIDING.test(rule.style.cssText)) {
        if (selectors.size > MANY_SELECTORS || rule.selectorText.includes(":scope")) return false;
        selectors.add(rule.selectorText);
      }
    } else if (rule.cssRules?.length && rule.type !== CSSRule.KEYFRAMES_RULE) {
      if (!gatherHiding(rule.cssRules, selectors, budget)) return false;
    }
  }
  return true;
}

const getEffect = getter(Animation.prototype, "effect");
const getEffectTarget = getter(KeyframeEffect.prototype, "target");

// What an animation or transition has a hand in, as long as it has.
function animatedElements() {
  const found = new Set();
  for (const animation of animationsNow()) {
    const effect = getEffect.call(animation);
    const target = effect && readOrNull(getEffectTarget, effect);
    if (target !== null) found.add(target);
  }
  return found;
}

export const animated = () => (memo.animated ??= animatedElements());

// Whether the element must be asked how it is shown: a suspect, or in a place where that is in question, such as a
// shadow tree, whose sheets are not read.
/** @param {Element} target @param {string} tag @param {Sight} outer */
export const isSuspect = (target, tag, outer) =>
  memo.suspects === null || outer.isDoubtful || memo.suspects.has(target) || PAINTING_TAGS.has(tag);

// Suspects: the elements that a style may hide. Checking each element for everything that can hide it would double the
// cost of a walk. If the page has few rules, they are read first, and only the elements that they may hide are checked.

import { animationsNow, getAdoptedStyleSheets, getStyleSheets, getter, queryAll, readOrNull } from "../dom/dom.js";
import { memo } from "../dom/memo.js";
import { MANY_SELECTORS, isStyleRule } from "../dom/pseudo_elements.js";

const MANY_RULES = 300; // reading more rules costs more than checking all elements

// Declarations that can take part in hiding, as Chrome serialises them. A false positive only costs a check.
const HIDING = new RegExp([
  "opacity: (?:0?\\.?0|[^;]*\\()", // nearly zero, or computed
  "(?:filter|clip|clip-path|mask[a-z-]*|transform|translate|scale|rotate|zoom): (?!none|auto)",
  "text-indent: (?!0)",
  "font(?:-size)?: (?:[01]?\\.|[01][^\\d]|[^;]*\\()",
  "overflow[a-z-]*: [^;]*(?:hidden|clip|scroll|auto|\\()",
  "(?:left|right|top|bottom|inset[a-z-]*|margin[a-z-]*): [^;]*(?:-\\d\\d|-\\.|\\(|\\d{4}|\\d[%v])",
  "(?:width|height|inline-size|block-size): (?:[01](?:px|em|rem|%)?;|0\\.|[^;]*\\()",
  "color: |background|mix-blend-mode|all: ",
].join("|"));

// Elements that get paint, position or size from their own attributes.
const PAINTING = "[style], [bgcolor], [background], [width]";
const PAINTING_TAGS = new Set(["body", "font", "iframe"]);

// Return the elements to check, or null if every element must be checked.
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

// Add the selectors of rules that can hide elements. Return false if the rules cannot be used.
/** @param {CSSRuleList} rules @param {Set<string>} selectors @param {{ rules: number }} budget */
function gatherHiding(rules, selectors, budget) {
  budget.rules -= rules.length;
  if (budget.rules < 0) return false;
  for (const rule of /** @type {Iterable<AnyRule>} */ (rules)) {
    if (rule.styleSheet && !gatherHiding(rule.styleSheet.cssRules, selectors, budget)) return false;
    if (isStyleRule(rule)) {
      // Nested rules have no absolute selector.
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

// Return the elements that have an animation or transition. They may be hidden only for now.
function animatedElements() {
  const found = new Set();
  for (const animation of animationsNow()) {
    const effect = getEffect.call(animation);
    const target = effect && readOrNull(getEffectTarget, effect);
    if (target !== null) found.add(target);
  }
  return found;
}

// Return the elements with an animation, cached during a look.
export const animated = () => (memo.animated ??= animatedElements());

// Return whether the visibility of the element must be checked. This holds for suspects, and inside elements with
// uncertain visibility. One example is a shadow tree, because its sheets are not read.
/** @param {Element} target @param {string} tag @param {Sight} outer */
export const isSuspect = (target, tag, outer) =>
  memo.suspects === null || outer.isDoubtful || memo.suspects.has(target) || PAINTING_TAGS.has(tag);

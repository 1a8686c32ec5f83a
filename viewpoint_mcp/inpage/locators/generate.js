// Generation of a Playwright locator for an element: steps that lead to this element only, also after a reload.

import { possibleCondition, sharedNameOf, sharedRoleOf } from "./agreement.js";
import { markupSteps, meaningfulSteps, quotedInCss, textMatchers } from "./candidates.js";
import { looksGenerated } from "./generated_words.js";
import { condition, perform, visibleTextOf } from "../actions/locate.js";
import { elementsUnder } from "../actions/causes.js";
import { tidy } from "../aria/names.js";
import { inputTypeOf, isFrameOwner, roleOf } from "../aria/roles.js";
import {
  FRAGMENT, attribute, dataOf, firstChildOf, flatChildrenOf, flatParentOf, getDocumentElement, getHost, getter, has, isConnected, isElement, isFlatAncestor,
  isHtmlTag, isMatching,
  localNameOf, nextSiblingOf, parentOf, rootNodeOf, typeOf,
} from "../dom/dom.js";
import { look } from "../dom/memo.js";
import { element } from "../dom/registry.js";

const MOST_CONTAINERS = 8;
const MOST_TEXTS = 8; // of a row that are tried
const MOST_CLIMBS = 40;
const LOCATED_GROUPS = new Set(["row", "listitem", "article", "treeitem", "option", "group", "figure"]);
const getMode = getter(ShadowRoot.prototype, "mode");

// Return the steps of a locator that only this element matches; null if the element is gone. `isClosed` reports that it
// is in a closed shadow root, which Playwright cannot reach. `control` is the kind of a form control, such as "select" or
// "input:date"; "" for other elements.
/**
 * @param {number} number
 * @param {string[]} testIds names of the attributes with a test id
 * @returns {GeneratedSteps | null}
 */
export function generateLocator(number, testIds) {
  const target = element(number);
  if (target === null || !isConnected(target)) return null;
  return look(() => ({
    steps: new LocatorSearch(testIds).find(target), isClosed: isInClosedRoot(target), role: roleOf(target), control: controlKindOf(target),
    hasList: isHtmlTag(target, "input") && has(target, "list"),
  }));
}

/** @param {Element} target */
function controlKindOf(target) {
  if (isHtmlTag(target, "input")) return `input:${inputTypeOf(target)}`;
  return isMatching(target, "select, textarea") ? localNameOf(target) : "";
}

/** @param {Element} target */
function isInClosedRoot(target) {
  let root = rootNodeOf(target);
  while (typeOf(root) === FRAGMENT) {
    const shadow = /** @type {ShadowRoot} */ (root);
    if (getMode.call(shadow) === "closed") return true;
    root = rootNodeOf(getHost.call(shadow));
  }
  return false;
}

// The search for the locator of one element. It counts as Playwright does: elements that are not drawn count too.
class LocatorSearch {
  /** @param {string[]} testIds */
  constructor(testIds) {
    this.testIds = testIds;
    this.root = /** @type {Element} */ (getDocumentElement.call(document));
    this.all = elementsUnder(this.root);
    /** @type {Map<string, Element[]>} */
    this.known = new Map();
  }

  /** @param {Element} target @returns {LocateStep[]} */
  find(target) {
    const meaningful = meaningfulSteps(target, this.testIds);
    const containers = this.containersOf(target);
    const markup = markupSteps(target);
    return this.firstUnique(meaningful, null, target)
      ?? this.firstUniqueInside(meaningful, containers, target)
      ?? this.firstUnique(markup, null, target)
      ?? this.firstUniqueInside(markup, containers, target)
      ?? this.positioned([...meaningful.slice(0, 1), ...markup], containers, target)
      ?? this.path(target);
  }

  // Return the first step that only the target matches, as a locator of one step.
  /** @param {LocateStep[]} steps @param {Element | null} container @param {Element} target @returns {LocateStep[] | null} */
  firstUnique(steps, container, target) {
    for (const step of steps) {
      const found = this.matching(step, container);
      if (found.length === 1 && found[0] === target) return [step];
    }
    return null;
  }

  /** @param {LocateStep[]} steps @param {Container[]} containers @param {Element} target @returns {LocateStep[] | null} */
  firstUniqueInside(steps, containers, target) {
    for (const container of containers) {
      const found = this.firstUnique(steps, container.element, target);
      if (found !== null) return [...container.steps, ...found];
    }
    return null;
  }

  // Return a locator with the position of the target among the elements that match the same step.
  /** @param {LocateStep[]} steps @param {Container[]} containers @param {Element} target @returns {LocateStep[] | null} */
  positioned(steps, containers, target) {
    for (const step of steps) {
      for (const container of [...containers, { element: null, steps: [] }]) {
        const found = this.matching(step, container.element);
        const index = found.indexOf(target);
        if (index < 0 || found.length !== this.certain(step, found).length) continue;
        /** @type {LocateStep[]} */
        const positioned = [...container.steps, step, { kind: "nth", index }];
        if (this.isFoundHere(positioned, target)) return positioned;
      }
    }
    return null;
  }

  // Return a CSS selector with the position of each ancestor. In a shadow tree, the steps of its host come first.
  /** @param {Element} target @returns {LocateStep[]} */
  path(target) {
    const parts = [];
    /** @type {Element} */
    let at = target;
    for (;;) {
      parts.unshift(`${CSS.escape(localNameOf(at))}:nth-child(${positionOf(at)})`);
      /** @type {LocateStep} */
      const step = { kind: "css", selector: parts.join(" > ") };
      const found = this.matching(step, null);
      if (found.length === 1 && found[0] === target) return [step];
      const parent = parentOf(at);
      if (parent === null || !isElement(parent)) {
        const host = parent !== null && typeOf(parent) === FRAGMENT ? getHost.call(/** @type {ShadowRoot} */ (parent)) : null;
        return host === null ? [step] : [...this.find(host), step];
      }
      const id = attribute(parent, "id") ?? "";
      at = parent;
      if (id !== "" && !looksGenerated(id) && this.matching({ kind: "css", selector: `[id=${quotedInCss(id)}]` }, null).length === 1) {
        return [{ kind: "css", selector: [`[id=${quotedInCss(id)}]`, ...parts].join(" > ") }];
      }
    }
  }

  // Return the elements around the target that a locator finds, the innermost first.
  /** @param {Element} target @returns {Container[]} */
  containersOf(target) {
    /** @type {Container[]} */
    const containers = [];
    let at = flatParentOf(target);
    for (let climbs = 0; at !== null && climbs < MOST_CLIMBS && containers.length < MOST_CONTAINERS; climbs += 1, at = flatParentOf(at)) {
      const steps = at === this.root ? null : this.containerSteps(at);
      if (steps !== null) containers.push({ element: at, steps });
    }
    return containers;
  }

  /** @param {Element} container @returns {LocateStep[] | null} */
  containerSteps(container) {
    const role = sharedRoleOf(container);
    const isGroup = LOCATED_GROUPS.has(role);
    const steps = meaningfulSteps(container, this.testIds).filter((step) => step.kind === "testId" || step.kind === "attribute" || (step.kind === "role" && !isGroup));
    const id = markupSteps(container).filter((step) => step.kind === "css" && /^#|^\[id=/.test(step.selector));
    const found = this.firstUnique(steps, null, container) ?? (isGroup ? this.withText(container, role) : null);
    if (found !== null) return found;
    /** @type {LocateStep[]} */
    const alone = role === "" || isGroup ? [] : [{ kind: "role", role }];
    return this.firstUnique([...id, ...alone], null, container);
  }

  // Return the step to a row, list item or card by a text that no other one contains.
  /** @param {Element} group @param {string} role @returns {LocateStep[] | null} */
  withText(group, role) {
    const alike = this.matching({ kind: "role", role }, null);
    const texts = alike.map((each) => tidy(visibleTextOf(each)).toLowerCase());
    for (const text of textsIn(group)) {
      const lower = text.toLowerCase();
      const fitting = alike.filter((_, index) => texts[index].includes(lower));
      if (fitting.length === 1 && fitting[0] === group) return [{ kind: "role", role }, { kind: "hasText", text: { text, exact: false } }];
    }
    return null;
  }

  // Return the elements that match a step, in the container or anywhere.
  /** @param {LocateStep} step @param {Element | null} container */
  matching(step, container) {
    const key = JSON.stringify(step);
    let found = this.known.get(key);
    if (found === undefined) {
      const fits = condition(/** @type {any} */ (step));
      found = this.all.filter(possibleCondition(step, fits));
      this.known.set(key, found);
    }
    return container === null ? found : found.filter((each) => each !== container && isFlatAncestor(container, each));
  }

  // Return those elements that match the step without doubt.
  /** @param {LocateStep} step @param {Element[]} found */
  certain(step, found) {
    if (step.kind !== "role") return found;
    const fits = condition(step);
    return found.filter((each) => fits(each) && sharedRoleOf(each) === step.role && (step.text === undefined || sharedNameOf(each, step.role) !== ""));
  }

  // Return whether this server finds the target too. It does not count elements that are not drawn.
  /** @param {LocateStep[]} steps @param {Element} target */
  isFoundHere(steps, target) {
    /** @type {Element[] | null} */
    let found = null;
    for (const step of steps) found = perform(step, found, this.root);
    return found?.length === 1 && found[0] === target;
  }
}

/** @param {Element} target */
function positionOf(target) {
  const parent = parentOf(target);
  if (parent === null) return 1;
  let position = 0;
  for (let node = firstChildOf(parent); node !== null; node = nextSiblingOf(node)) {
    if (isElement(node)) position += 1;
    if (node === target) break;
  }
  return position;
}

// Return the texts in a row or card that may distinguish it: words before numbers, in the order of the page.
/** @param {Element} group */
function textsIn(group) {
  /** @type {string[]} */
  const texts = [];
  /** @type {(Element | Text)[]} */
  const pending = [group];
  for (let node = pending.pop(); node !== undefined && texts.length < MOST_TEXTS; node = pending.pop()) {
    if (isElement(node)) {
      if (!isFrameOwner(node)) pending.push(...flatChildrenOf(node).reverse());
    } else {
      texts.push(...textMatchers(tidy(dataOf(node))).slice(0, 1).map((each) => each.text));
    }
  }
  return texts.sort((one, other) => Number(!/\p{L}/u.test(one)) - Number(!/\p{L}/u.test(other)));
}

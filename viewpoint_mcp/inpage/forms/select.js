// Native lists (<select>, <datalist>), and finding the control that offers a choice. Other lists are opened and
// clicked, see forms/listbox.js.

import { isDisabled, isDrawn, passing, scrollIntoView, untilAnsweredAnew } from "../actions/actionability.js";
import { told } from "../actions/causes.js";
import { getControl, tidy } from "../aria/names.js";
import { roleOf } from "../aria/roles.js";
import { getOptionSelected, getSelectedOptions, isReadonly } from "../aria/states.js";
import { getter, has, isConnected, isFlatAncestor, isHtmlTag, isMatching, isTrue, localNameOf, queryAll, setter } from "../dom/dom.js";
import { look } from "../dom/memo.js";
import { element } from "../dom/registry.js";
import { takeFocus, tellOfChoice } from "./fields.js";
import { fillable } from "./form.js";
import { shadowRootsIn } from "../settle/changes.js";
import { sightAround } from "../snapshot/walker.js";
import { sightOf } from "../visibility/sight.js";

const getOptions = getter(HTMLSelectElement.prototype, "options");
const getIsMultiple = getter(HTMLSelectElement.prototype, "multiple");
const getOptionValue = getter(HTMLOptionElement.prototype, "value");
const getOptionLabel = getter(HTMLOptionElement.prototype, "label");
const getOptionText = getter(HTMLOptionElement.prototype, "text");
const getList = getter(HTMLInputElement.prototype, "list");
const setOptionSelected = setter(HTMLOptionElement.prototype, "selected");
const MOST_OFFERED = 20;
const OPENERS = new Set(["combobox", "listbox", "tree", "menu", "radiogroup"]);

// Return the options of a native control as choices.
/**
 * @param {Iterable<HTMLOptionElement>} options
 * @returns {(Choice & { element: HTMLOptionElement, value: string })[]}
 */
export const nativeOptions = (options) => [...options].map((option) => ({
  element: option,
  value: getOptionValue.call(option),
  texts: [getOptionLabel.call(option), getOptionText.call(option)],
  isOff: isMatching(option, ":disabled"),
}));

// Return the option that is meant: by value, else by text, else by text or value regardless of case. Return null if
// none matches, or if the last comparison matches several.
/** @param {Choice[]} options @param {string} wanted @returns {Choice | null} */
export function optionMeant(options, wanted) {
  const asked = tidy(wanted);
  const folded = asked.toLowerCase();
  /** @param {Choice} option @param {(text: string) => boolean} same */
  const says = (option, same) => option.texts.some((text) => same(tidy(text)));
  /** @type {((option: Choice) => boolean)[]} */
  const tests = [
    (option) => option.value === wanted,
    (option) => says(option, (text) => text === asked),
    (option) => option.value === asked,
    (option) => says(option, (text) => text.toLowerCase() === folded) || option.value?.toLowerCase() === folded,
  ];
  for (const [index, test] of tests.entries()) {
    const found = options.filter(test);
    if (found.length > 1 && index === tests.length - 1) return null;
    if (found.length > 0) return found.find((option) => !option.isOff) ?? found[0];
  }
  return null;
}

// Return the text of the option, or else its value.
/** @param {Choice} option */
export const labelOfOption = (option) => tidy(option.texts.find((text) => tidy(text) !== "") ?? option.value ?? "");

// Return why the values cannot be chosen, or null.
/** @param {Choice[]} options @param {string[]} values @param {boolean} isMultiple @returns {ChoiceRefused | null} */
function refusal(options, values, isMultiple) {
  if (!isMultiple && values.length !== 1) return { refused: "several" };
  for (const value of values) {
    const meant = optionMeant(options, value);
    if (meant === null) return { refused: "missing", value, ...offer(options) };
    if (meant.isOff) return { refused: "off", value, ...offer(options) };
  }
  return null;
}

// Return the labels of the options that can be chosen, the first MOST_OFFERED of them.
/** @param {Choice[]} options @returns {Offer} */
export function offer(options) {
  const labels = options.filter((option) => !option.isOff).map(labelOfOption).filter((label) => label !== "");
  return { offered: labels.slice(0, MOST_OFFERED), more: Math.max(0, labels.length - MOST_OFFERED) };
}

// Return the control that offers the choice: the element itself, the control of a label, or the only one inside the
// element. Otherwise return the element if a click may open a list, or else null.
/** @param {Element} target @returns {Element | null} */
export function chooserIn(target) {
  if (isChooser(target)) return target;
  const control = isHtmlTag(target, "label") ? getControl.call(target) : null;
  if (control !== null && isChooser(control)) return control;
  const inside = [target, ...shadowRootsIn(target)]
    .flatMap((root) => [...queryAll(root, "select, input[list], [role]")]).filter(isChooser);
  const drawn = inside.length > 1 ? inside.filter(isDrawn) : inside;
  const outer = drawn.filter((each) => !drawn.some((other) => other !== each && isFlatAncestor(other, each)));
  if (outer.length === 1) return outer[0];
  return mayOpen(target) ? target : null;
}

/** @param {Element} node @returns {node is HTMLSelectElement} */
export const isSelect = (node) => isHtmlTag(node, "select");
/** @param {Element} node */
const listOf = (node) => (isHtmlTag(node, "input") ? getList.call(node) : null);
/** @param {Element} node */
const isDatalist = (node) => listOf(node) !== null;
/** @param {Element} node */
const isChooser = (node) => isSelect(node) || isDatalist(node) || OPENERS.has(roleOf(node)) || has(node, "aria-haspopup");

// Return whether a click on the element may open a list. A custom list may be any element, but an element with another
// role must have an attribute that announces something to open.
/** @param {Element} node */
const mayOpen = (node) =>
  roleOf(node) === "generic" || ["aria-expanded", "aria-controls", "popovertarget"].some((name) => has(node, name));

/** @param {Element} control */
const kindOfChooser = (control) => (isSelect(control) ? "select" : isDatalist(control) ? "datalist" : "list");

// Choose exactly these values in a native list. Wait if it fills late. With `isCheck`, choose nothing.
/**
 * @param {number} number
 * @param {ChooseOptions & Again} options
 * @returns {Promise<Named & (Choosing | Passing<Choosing>) | Gone>}
 */
export const choose = (number, options) => untilAnsweredAnew(options.again, () => chooseNow(number, options));

/**
 * @param {number} number
 * @param {ChooseOptions} options
 * @returns {Named & (Choosing | Passing<Choosing>) | Gone}
 */
function chooseNow(number, options) {
  const target = options.isKnown ? fillable(number) : element(number);
  if (!target || !isConnected(target)) return { fail: "gone" };
  const control = chooserIn(target);
  if (control === null) return told(target, { refused: "no-choice" });
  const answer = tryToChoose(control, options.values, options);
  const isDone = !answer.refused && !answer.fail;
  return told(target, { kind: kindOfChooser(control), ...(isDone ? answer : passing(answer)) });
}

// Choose the values in a <select>, or only check them with `isCheck`. For a <datalist>, return the text to type. Return
// {} for a custom list. Return the failure or refusal if the choice is impossible.
/**
 * @param {Element} control
 * @param {string[]} values
 * @param {{ isCheck?: boolean }} options
 * @returns {Choosing}
 */
export function tryToChoose(control, values, { isCheck }) {
  if (isDisabled(control)) return { fail: "disabled" };
  // In the field of a custom list, `readonly` only forbids typing. Some libraries say so by aria-readonly, too.
  const isCustomField = roleOf(control) === "combobox" && !isSelect(control) && !isDatalist(control);
  if ((isTrue(control, "aria-readonly") && !isCustomField) || (isReadonly(control) && isDatalist(control))) return { fail: "readonly" };
  if (!isDrawn(control)) return { fail: "hidden" };
  if (isSelect(control)) {
    const options = nativeOptions(getOptions.call(control));
    return refusal(options, values, getIsMultiple.call(control)) ?? (isCheck ? {} : selectOptions(control, options, values));
  }
  const list = listOf(control);
  if (list === null) return {};
  const options = nativeOptions(queryAll(list, "option"));
  return refusal(options, values, false) ?? { text: optionMeant(options, values[0])?.value ?? "" };
}

// Return whether the control is visible. This must be checked before it is focused, because a custom list that replaces
// a hidden native one opens on focus.
/** @param {Element} control */
export const canBeSeen = (control) => sightOf(control, localNameOf(control), sightAround(control)).veil === null;

/**
 * @param {HTMLSelectElement} control
 * @param {ReturnType<typeof nativeOptions>} options
 * @param {string[]} values
 * @returns {{ chosen: string[], hasChanged: boolean }}
 */
function selectOptions(control, options, values) {
  const wanted = new Set(values.map((value) => optionMeant(options, value)?.element));
  if (look(() => canBeSeen(control))) {
    scrollIntoView.call(control, { block: "nearest", inline: "nearest", behavior: "instant" });
    takeFocus(control);
  }
  const wrong = options.filter((option) => getOptionSelected.call(option.element) !== wanted.has(option.element));
  // In a list with a single choice, selecting one option deselects the other.
  const changed = getIsMultiple.call(control) ? wrong : wrong.filter((option) => wanted.has(option.element));
  for (const option of changed) setOptionSelected.call(option.element, wanted.has(option.element));
  if (changed.length > 0) tellOfChoice(control);
  const chosen = /** @type {HTMLOptionElement[]} */ ([...wanted]);
  return { chosen: chosen.map((option) => labelOfOption(nativeOptions([option])[0])), hasChanged: changed.length > 0 };
}

// Return the selected labels of a native list; null if it is gone.
/** @param {number} number @returns {string[] | null} */
export function chosenIn(number) {
  const target = element(number);
  const control = target && isConnected(target) ? chooserIn(target) : null;
  if (control === null || !isSelect(control)) return null;
  return nativeOptions(getSelectedOptions.call(control)).map(labelOfOption);
}

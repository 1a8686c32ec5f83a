// Custom lists, which a page draws itself: comboboxes, listboxes, menus of choices, and elements that only look like
// these.

import { scrollIntoView } from "../actions/actionability.js";
import { elementAt, reaches } from "../actions/hit_points.js";
import { hasFiniteAnimation } from "../actions/motion.js";
import { tidy } from "../aria/names.js";
import { INTERACTIVE, roleOf } from "../aria/roles.js";
import { isReadonly } from "../aria/states.js";
import {
  activeElement, boxOf, byId, contains, flatParentOf, getBody, has, isConnected, isElement, isFlatAncestor, isHtml, isTrue,
  localNameOf, queryAll, textContentOf, trimmed,
} from "../dom/dom.js";
import { look } from "../dom/memo.js";
import { element, register } from "../dom/registry.js";
import { editableIn, heldText } from "./fields.js";
import { fillable } from "./form.js";
import {
  CLIP_DEPTH, LIST_ROLES, OPTION_ROLES, acceptSeveral, allRoots, ancestorsOf, asOption, drawnListOf, looksActive, isCollapsed,
  isMarkedChosen, isOptionShown, isShown, listsAround, optionsUnder, withRoles,
} from "./options.js";
import { canBeSeen, chooserIn, labelOfOption, offer, optionMeant } from "./select.js";
import { changes, frame, getInnerText } from "../settle/changes.js";

const BOX_DEPTH = 4; // levels above a control
const NEAR = 3; // a control and the elements around it that show its choice
const BOX_HEIGHT = 200; // px; a higher box is more than one control
/** @type {{ options: Set<Element>, said: Set<Element>, control: Element | null, shown: string, around: Map<Element, string> }} */
let beforeChoice = { options: new Set(), said: new Set(), control: null, shown: "", around: new Map() };
/** @type {Set<Element>} */
let openedLists = new Set(); // lists that appeared for the control, which does not refer to them
/** @type {Element | null} */
let plainList = null; // the element around the option that was found by its text only
let changesBeforeClick = 0; // the document's change count when an option was last found

// Return the visible lists of the control: the control itself, or the lists that it refers to, or those that appeared when
// it was opened.
/** @param {Element} control */
function listsOf(control) {
  if (LIST_ROLES.has(roleOf(control)) && isShown(control)) return [control];
  const named = [];
  const related = [control, ...withRoles(control, new Set(["combobox", "textbox", "searchbox"])), ...queryAll(control, "input")];
  for (let at = /** @type {Element | null} */ (control), depth = 0; at !== null && depth < 3; at = flatParentOf(at), depth += 1) {
    if (isElement(at) && roleOf(at) === "combobox") related.push(at);
  }
  for (const each of new Set(related)) {
    for (const name of ["aria-controls", "aria-owns"]) {
      for (const id of trimmed(each, name).split(/\s+/)) {
        const list = id === "" ? null : drawnListOf(byId(each, id));
        if (list !== null && isShown(list)) named.push(list);
      }
    }
  }
  const opened = control === beforeChoice.control ? [...openedLists].filter(isShown) : [];
  return [...new Set([...named, ...opened])];
}

/** @param {Element} control */
const isOpen = (control) => listsOf(control).some((list) => optionsUnder(list).length > 0) || isPlainListOpen(control);

/** @param {Element} control */
const isPlainListOpen = (control) => control === beforeChoice.control && plainList !== null && isShown(plainList) &&
  look(() => canBeSeen(/** @type {Element} */ (plainList)));

// Return the available options: those of the control's lists, or else the options that appeared after `beforeOpening`.
/** @param {Element} control */
function optionsOf(control) {
  const own = listsOf(control).flatMap(optionsUnder);
  const found = own.length > 0 ? own : allRoots().flatMap((root) => withRoles(root, OPTION_ROLES))
    .filter((option) => !beforeChoice.options.has(option) && isOptionShown(option));
  return look(() => found.filter(isHtml).map(asOption));
}

// Return the innermost visible elements whose text is exactly the wanted text.
/** @param {string} wanted @returns {HTMLElement[]} */
function saying(wanted) {
  const asked = tidy(wanted);
  /** @type {HTMLElement[]} */
  const found = [];
  for (const root of allRoots()) {
    for (const node of queryAll(root, "*")) {
      if (!isHtml(node) || ["script", "style", "option"].includes(localNameOf(node))) continue;
      if (tidy(textContentOf(node)) === asked && isShown(node)) found.push(node);
    }
  }
  const innermost = found.filter((node) => !found.some((other) => other !== node && contains.call(node, other)));
  return look(() => innermost.filter(canBeSeen));
}

// Return whether to continue waiting for a list: up to `patience` ms, or up to `timeout` ms while a finite animation
// runs.
/** @param {number} waited @param {Waiting} options */
const mayFollow = (waited, { patience, timeout }) => waited < patience || (waited < timeout && hasFiniteAnimation());

// Record the state before the control is opened, and return the state of its list. If the control declares that its list
// is open or closed, wait up to `patience` ms until it is. With `isAgain`, the same choice goes on.
//   isEditable: text can be typed to filter the options; opener: the element to click
/**
 * @param {number} number
 * @param {string[]} values
 * @param {ListOptions & { isAgain?: boolean }} options
 * @returns {Promise<ListState & { isEditable: boolean, opener: number }>}
 */
export async function beforeOpening(number, values, options) {
  const start = performance.now();
  const control = controlOfList(number, options);
  const isMoving = () => has(control, "aria-expanded") && isTrue(control, "aria-expanded") !== isOpen(control);
  while (isMoving() && mayFollow(performance.now() - start, options)) await frame();
  if (!options.isAgain) recordBefore(control, values);
  const target = targetOf(number, options);
  let opener = isOpen(control) ? target : openerOf(target);
  while (opener === null && mayFollow(performance.now() - start, options)) { // the list before is closing
    await frame();
    opener = openerOf(target);
  }
  return { isEditable: canBeTypedInto(control), opener: register(opener ?? target), ...stateOf(control) };
}

/** @param {Element} control @param {string[]} values */
function recordBefore(control, values) {
  const others = allRoots().flatMap((root) => withRoles(root, OPTION_ROLES)).filter(isShown);
  const said = new Set(values.flatMap(saying));
  [openedLists, plainList] = [new Set(), null];
  beforeChoice = { options: new Set(others), said, control, shown: shownBy(control), around: textsAround(control) };
}

// Return the element to click to open the list: the target, or the box around it if another part of that box lies over
// the target, such as the placeholder or the chosen text, or if a part of that box clips the target to nothing. Return
// null if something else lies over it.
/** @param {Element} control @returns {Element | null} */
function openerOf(control) {
  const clip = [control, ...ancestorsOf(control, CLIP_DEPTH)].findLast(isCollapsed);
  const target = (clip && flatParentOf(clip)) ?? control;
  scrollIntoView.call(target, { block: "nearest", inline: "nearest", behavior: "instant" });
  const { left, top, width, height } = boxOf(target);
  const hit = elementAt(left + width / 2, top + height / 2);
  if (hit === null || reaches(target, hit)) return target;
  let box = flatParentOf(target);
  for (let depth = 1; depth < BOX_DEPTH && box !== null && !isFlatAncestor(box, hit); depth += 1) box = flatParentOf(box);
  if (box === null || !isFlatAncestor(box, hit) || boxOf(box).height > BOX_HEIGHT) return null;
  for (let at = /** @type {Element | null} */ (hit); at !== null && at !== box; at = flatParentOf(at)) {
    if (INTERACTIVE.has(roleOf(at))) return null;
  }
  return box;
}

// Return the text that the control shows as its choice.
/** @param {Element} control */
const shownBy = (control) => {
  const field = editableIn(control);
  return tidy(field === null ? getInnerText.call(/** @type {HTMLElement} */ (control)) ?? "" : heldText(field));
};

// Return the state of the open list. With `awaited`, wait up to `patience` ms until its option is chosen, or no longer,
// because a framework computes the next choice from the one that it has drawn.
/**
 * @param {number} number
 * @param {ListOptions} options
 * @param {{ label: string, isChosen: boolean }} [awaited]
 * @returns {Promise<ListState>}
 */
export async function stateOfList(number, options, awaited) {
  const start = performance.now();
  const control = controlOfList(number, options);
  const isPending = () => awaited !== undefined && listsOf(control).length > 0 &&
    stateOf(control).selected.includes(awaited.label) !== awaited.isChosen;
  while (isPending() && mayFollow(performance.now() - start, options)) await frame();
  return stateOf(control);
}

/** @param {number} number @param {{ isKnown?: boolean }} options */
const targetOf = (number, { isKnown }) => /** @type {Element} */ (isKnown ? fillable(number) : element(number));
/** @param {number} number @param {{ isKnown?: boolean }} options */
const controlOfList = (number, options) => /** @type {Element} */ (chooserIn(targetOf(number, options)));

// Take the focus away from the open list, as a click elsewhere does, and wait up to `patience` ms until the list closes.
// Return whether it did.
/** @param {number} number @param {ListOptions} options @returns {Promise<boolean>} */
export async function leaveList(number, options) {
  const start = performance.now();
  const control = controlOfList(number, options);
  const active = activeElement();
  if (active !== null) HTMLElement.prototype.blur.call(/** @type {HTMLElement} */ (active));
  while (isOpen(control) && mayFollow(performance.now() - start, options)) await frame();
  return !isOpen(control);
}

/** @param {Element} control */
function canBeTypedInto(control) {
  const field = editableIn(control);
  return field !== null && !isReadonly(field) && !isTrue(control, "aria-readonly");
}

/** @param {Element} control @returns {ListState} */
function stateOf(control) {
  // Options that are drawn now, such as removable chips, are not those of a closed list.
  const isClosed = !isOpen(control) && [...openedLists].some(isConnected);
  const options = isClosed ? [] : optionsOf(control);
  const lists = new Set([control, ...listsOf(control), ...listsAround(options)]);
  const selected = options.filter(isChosen).map(labelOfOption);
  const said = acceptSeveral([...lists]);
  // In a field that filters, several choices are often shown beside the text.
  const isMultiple = said ?? (selected.length > 1 || (canBeTypedInto(control) ? null : false));
  return { isOpen: isOpen(control), isMultiple, selected, shown: shownBy(control) };
}

// Find an option. Wait for the list to fill, and scroll through it for at most `scrolling` ms. Return a refusal if the
// option is missing or disabled.
/**
 * @param {number} number
 * @param {string} wanted
 * @param {ListOptions & { scrolling: number }} options
 * @returns {Promise<FoundOption | ChoiceRefused>}
 */
export async function findOption(number, wanted, options) {
  const control = controlOfList(number, options);
  const start = performance.now();
  for (;;) {
    const offered = optionsOf(control);
    if (listsOf(control).length === 0) openedLists = listsAround(offered);
    const meant = optionMeant(offered, wanted) ?? look(() => sayingNow(offered, wanted));
    if (meant !== null && offered.length === 0) return plainAnswer(control, meant);
    if (meant !== null) return optionAnswer(meant);
    if (offered.length > 0) {
      const scrolled = await scrollFor(control, offered, wanted, options.scrolling);
      if (scrolled !== null) return optionAnswer(scrolled);
    }
    if (!mayFollow(performance.now() - start, options)) {
      return { refused: "missing", value: wanted, ...offer(offered), isReadonly: offered.length === 0 && isTrue(control, "aria-readonly") };
    }
    await frame();
  }
}

// Return the answer for an option that was found by its text only, and record its list. Its class "selected" may mean that
// it is only active, so the control must have shown it as well.
/** @param {Element} control @param {Choice} option @returns {FoundOption | ChoiceRefused} */
function plainAnswer(control, option) {
  const around = flatParentOf(option.element);
  plainList = isFlatAncestor(around, control) ? null : around;
  const answer = optionAnswer(option);
  return "refused" in answer ? answer : { ...answer, isChosen: answer.isChosen && wasShown(answer.label) };
}

// Return whether the option is chosen. If it may only be the active one, the control must have shown it as well.
/** @param {Choice} option */
const isChosen = (option) => isMarkedChosen(option.element) && (!looksActive(option.element) || wasShown(labelOfOption(option)));

// Return whether the control or an element close around it showed the label before the list was opened.
/** @param {string} label */
const wasShown = (label) => [...beforeChoice.around.values()].slice(0, NEAR).some((text) => says(text, label));

// Return whether a text contains the label, but not as a part of a longer word or number.
/** @param {string} text @param {string} label */
function says(text, label) {
  for (let at = text.indexOf(label); at >= 0; at = text.indexOf(label, at + 1)) {
    const seams = [text.slice(at - 1, at + 1), text.slice(at + label.length - 1, at + label.length + 1)];
    if (!seams.some((seam) => /^[A-Za-z0-9]{2}$/.test(seam))) return true;
  }
  return false;
}

// Return the only new element with the wanted text, for a list without roles; null if there is none. New means that it
// was not there at `beforeOpening`.
/** @param {Choice[]} offered @param {string} wanted */
function sayingNow(offered, wanted) {
  if (offered.length > 0) return null;
  const fresh = saying(wanted).filter((node) => !beforeChoice.said.has(node) && !isFlatAncestor(beforeChoice.control, node));
  const inside = fresh.length > 0 ? fresh : saying(wanted).filter((node) => !beforeChoice.said.has(node));
  return inside.length === 1 ? asOption(inside[0]) : null;
}

/** @param {Choice} option @returns {FoundOption | ChoiceRefused} */
function optionAnswer(option) {
  if (option.isOff) return { refused: "off", value: labelOfOption(option), offered: [], more: 0 };
  changesBeforeClick = changes();
  return { number: register(option.element), label: labelOfOption(option), isChosen: isChosen(option) };
}

// Scroll through a virtual list, which draws only its visible rows, for at most `limit` ms. Return the option, or null
// if it was not found.
/** @param {Element} control @param {Choice[]} offered @param {string} wanted @param {number} limit */
async function scrollFor(control, offered, wanted, limit) {
  const scroller = scrollerOf(offered[0].element);
  if (scroller === null) return null;
  const start = performance.now();
  scroller.scrollTop = 0;
  while (performance.now() - start < limit) {
    for (let drawn = 0; drawn < 2; drawn += 1) await frame();
    const meant = optionMeant(optionsOf(control), wanted);
    if (meant !== null) return optionAtRest(control, meant, wanted);
    const { scrollTop, clientHeight } = scroller;
    scroller.scrollTop = scrollTop + clientHeight * 0.8;
    if (scroller.scrollTop === scrollTop) return null;
  }
  return null;
}

// Scroll to the option and find it again, because the list may draw it with another element.
/** @param {Element} control @param {Choice} option @param {string} wanted */
async function optionAtRest(control, option, wanted) {
  scrollIntoView.call(option.element, { block: "nearest", inline: "nearest", behavior: "instant" });
  for (let drawn = 0; drawn < 2; drawn += 1) await frame();
  return optionMeant(optionsOf(control), wanted);
}

// Return the closest scroll container around the option, or null. Some lists hide what overflows, and draw a scroll bar
// of their own.
/** @param {Element} option */
function scrollerOf(option) {
  const around = ancestorsOf(option, Infinity).filter((at) => at !== getBody.call(document) && at.scrollHeight > at.clientHeight + 1);
  /** @param {string[]} ways */
  const closest = (...ways) => around.find((at) => ways.includes(getComputedStyle(at).overflowY));
  return closest("auto", "scroll", "overlay") ?? closest("hidden") ?? null;
}

// Return the texts of the control and of up to four elements around it, without the body.
/** @param {Element} control @returns {Map<Element, string>} */
function textsAround(control) {
  const texts = new Map();
  for (let at = /** @type {Element | null} */ (control); at !== null && at !== getBody.call(document) && texts.size < 5; at = flatParentOf(at)) {
    if (!isElement(at) || !isHtml(at)) continue;
    if (at !== control && optionsUnder(at).length > 0) break; // the text of an open list contains all its options
    texts.set(at, textWithoutOptions(at));
  }
  return texts;
}

// Return the text of the element without the options of native lists, of which it shows one at most.
/** @param {HTMLElement} target */
function textWithoutOptions(target) {
  /** @param {HTMLElement} each */
  const textOf = (each) => tidy(getInnerText.call(each) ?? "");
  const lists = [...queryAll(target, "select")].filter(isHtml).map(textOf);
  return lists.reduce((text, list) => text.replace(list, ""), textOf(target));
}

// Return whether the page accepted the choice, after waiting up to `patience` ms; null if the control is gone. A choice
// is accepted if the control shows another text, if the labels are selected, or if `saysNear` finds them. In a list of
// several choices, no other option may be selected.
/** @param {number} number @param {string[]} labels @param {ListOptions} options @returns {Promise<Chosen | null>} */
export async function shownAsChosen(number, labels, options) {
  const start = performance.now();
  for (;;) {
    const target = options.isKnown ? fillable(number) : element(number);
    const control = target && isConnected(target) ? chooserIn(target) : null;
    if (control === null) return null;
    const { isMultiple, selected, shown } = stateOf(control);
    const hasOthers = isMultiple === true && selected.some((label) => !labels.includes(label));
    // One text for several choices may be that of the last one.
    const showsAnother = shown !== beforeChoice.shown && (isMultiple !== null || labels.length === 1);
    const isTaken = !hasOthers && (showsAnother || labels.every((label) => selected.includes(label)) || saysNear(control, labels));
    if (isTaken || !mayFollow(performance.now() - start, options)) {
      return { isTaken, hasReacted: changes() !== changesBeforeClick, shown, selected };
    }
    await frame();
  }
}

// Return whether the control or its surroundings show the labels. Further away, the text must have changed as well.
/** @param {Element} control @param {string[]} labels */
function saysNear(control, labels) {
  /** @param {string} text */
  const saysAll = (text) => labels.every((label) => text.includes(label));
  return [...textsAround(control)].some(([at, text], depth) =>
    saysAll(text) && (depth < NEAR || text !== beforeChoice.around.get(at)));
}

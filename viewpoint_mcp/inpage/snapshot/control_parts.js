// Parts and wrappers of a control. What a person calls one control is one node with one ref, although scripts often
// listen on its icon or on a box around it as well.

import { matchesName } from "../aria/names.js";
import { INTERACTIVE, roleOf } from "../aria/roles.js";
import { attribute, boxOf, has, isTrue, textContentOf } from "../dom/dom.js";
import { memo } from "../dom/memo.js";
import { isReacting } from "./click_listeners.js";

// Roles of controls that a click anywhere inside them operates.
export const PRESSED = new Set(["button", "link", "checkbox", "radio", "switch", "tab", "option", "menuitem", "menuitemcheckbox",
  "menuitemradio", "combobox"]);

// Roles of fields: their value does not tell what they are for, and a text beside them often repeats their name.
export const FIELDS = new Set(["textbox", "searchbox", "spinbutton", "combobox", "slider", "checkbox", "radio", "switch", "listbox"]);

// Roles of controls that have nothing to act on inside, because their content is only their picture and their label.
const TOGGLES = new Set(["checkbox", "radio", "switch"]);

const WRAPPER_PROPS = new Set(["ref", "cursor", "hint", "box", "active"]); // a host has the focus of its control

/** @param {Element} control */
export const isToggle = (control) => TOGGLES.has(roleOf(control));

// Return whether a clickable element inside a control only is the control's content, so that a click on it is a click on
// the control. A part beside other content, such as the delete icon of a chip, is a control of its own.
/** @param {Element} target @param {string} role @param {Element} control */
export function isPartOfControl(target, role, control) {
  if (INTERACTIVE.has(role) || role === "iframe" || isTrue(target, "draggable")) return false;
  if (has(target, "tabindex") || has(target, "contenteditable")) return false;
  if (isToggle(control)) return true;
  if (!isReacting(target) && !has(target, "onclick") && roleOf(control) === "combobox") return true; // the arrow of a list
  const box = boxOf(target);
  if (isWithoutSize(box)) return true;
  return covers(box, boxOf(control)) && textContentOf(target).trim() === textContentOf(control).trim();
}

/** @param {DOMRect} box */
const isWithoutSize = ({ width, height }) => width === 0 || height === 0;

// Return whether the area contains the centre of the box, where a click on the box goes.
/** @param {DOMRect} area @param {DOMRect} box */
function covers(area, box) {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return area.left <= x && x <= area.right && area.top <= y && y <= area.bottom;
}

// Return the content to print instead of a box that can be clicked or focused. This is nothing for a box without content
// and size, such as a focus guard, and the controls in a box whose click goes to one of them. Return null if the box is a
// node of its own.
/** @param {OpenNode} node @param {PrintedNode} closed @returns {PrintedChild[] | null} */
export function unwrapped(node, [role, name, props, children]) {
  if (role !== "generic" || !node.isActed || node.isSecond || node.isHidden) return null;
  if (children.length === 0) return name === "" && isWithoutSize(boxOf(node.target)) ? [] : null;
  const inside = children.map((child) => memo.controls.get(/** @type {PrintedNode} */ (child)));
  if (inside.includes(undefined) || !hasNothingMore(name, props, children)) return null;
  if (children.length > 1 && isTabStop(node.target)) return null;
  const box = boxOf(node.target);
  if (!inside.some((control) => covers(boxOf(/** @type {Element} */ (control)), box))) return null;
  if (props?.active === true) Object.assign(/** @type {PrintedNode} */ (children[0])[2] ?? {}, { active: true });
  return children;
}

// Return whether its tabindex lets the element receive the focus by the keyboard.
/** @param {Element} target */
export const isTabStop = (target) => parseInt(attribute(target, "tabindex") ?? "", 10) >= 0;

// Return whether the name and the states of a box add nothing to the controls in it.
/** @param {string} name @param {Props | null} props @param {PrintedChild[]} children */
function hasNothingMore(name, props, children) {
  const [[role, own, states, content]] = /** @type {PrintedNode[]} */ (children);
  const more = Object.entries(props ?? {}).filter(([key]) => !WRAPPER_PROPS.has(key));
  if (children.length > 1) return name === "" && more.length === 0 && props?.active !== true;
  if (role === "iframe" || states?.hidden === true || more.some(([key, value]) => states?.[/** @type {keyof Props} */ (key)] !== value)) return false;
  return name === "" || matchesName(name, own || content.filter((part) => typeof part === "string").join(" "));
}

// Return whether a text beside a field repeats its name, as a label without a <label> does.
/** @param {PrintedChild | undefined} text @param {PrintedChild | undefined} field */
export function repeatsName(text, field) {
  if (text === undefined || field === undefined || typeof field === "string") return false;
  const [role, name, props] = field;
  if (name === "" || !FIELDS.has(role) || props?.hidden === true) return false;
  const said = typeof text === "string" ? text : textOfLabel(text);
  return said !== "" && (said === name || matchesName(withoutMark(said), withoutMark(name)));
}

// Return the text of a node that is nothing but text; else "".
/** @param {PrintedNode} node */
function textOfLabel([role, name, props, children]) {
  if ((role !== "generic" && role !== "paragraph") || name !== "" || children.length !== 1) return "";
  if (Object.keys(props ?? {}).some((key) => !WRAPPER_PROPS.has(key))) return "";
  return typeof children[0] === "string" ? children[0] : "";
}

/** @param {string} text */
const withoutMark = (text) => text.replace(/[\s:*]+$/, "");

// Parts and wrappers of a control. What a person calls one control is one node with one ref, although scripts often
// listen on its icon or on a box around it as well.

import { matchesName } from "../aria/names.js";
import { INTERACTIVE } from "../aria/roles.js";
import { attribute, boxOf, has, isTrue, textContentOf } from "../dom/dom.js";
import { memo } from "../dom/memo.js";

// Roles of controls that a click anywhere inside them operates.
export const PRESSED = new Set(["button", "link", "checkbox", "radio", "switch", "tab", "option", "menuitem", "menuitemcheckbox",
  "menuitemradio"]);

const WRAPPER_PROPS = new Set(["ref", "cursor", "hint", "box"]);

// Return whether a clickable element inside a control only is the control's content, so that a click on it is a click on
// the control. A part beside other content, such as the delete icon of a chip, is a control of its own.
/** @param {Element} target @param {string} role @param {Element} control */
export function isPartOfControl(target, role, control) {
  if (INTERACTIVE.has(role) || role === "iframe" || isTrue(target, "draggable")) return false;
  if (has(target, "tabindex") || has(target, "contenteditable")) return false;
  const box = boxOf(target);
  if (box.width === 0 || box.height === 0) return true;
  return covers(box, boxOf(control)) && textContentOf(target).trim() === textContentOf(control).trim();
}

// Return whether the area contains the centre of the box, where a click on the box goes.
/** @param {DOMRect} area @param {DOMRect} box */
function covers(area, box) {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return area.left <= x && x <= area.right && area.top <= y && y <= area.bottom;
}

// Return the content to print instead of a clickable box around controls, because a click on the box goes to one of
// them. Return null if the box is a node of its own.
/** @param {OpenNode} node @param {PrintedNode} closed @returns {PrintedChild[] | null} */
export function unwrapped(node, [role, name, props, children]) {
  if (role !== "generic" || !node.isActed || node.isSecond || node.isHidden || children.length === 0) return null;
  const inside = children.map((child) => memo.controls.get(/** @type {PrintedNode} */ (child)));
  if (inside.includes(undefined) || isTabStop(node.target) || !hasNothingMore(name, props, children)) return null;
  const box = boxOf(node.target);
  return inside.some((control) => covers(boxOf(/** @type {Element} */ (control)), box)) ? children : null;
}

// Return whether its tabindex lets the element receive the focus by the keyboard.
/** @param {Element} target */
export const isTabStop = (target) => parseInt(attribute(target, "tabindex") ?? "", 10) >= 0;

// Return whether the name and the states of a box add nothing to the controls in it.
/** @param {string} name @param {Props | null} props @param {PrintedChild[]} children */
function hasNothingMore(name, props, children) {
  const [[role, own, states, content]] = /** @type {PrintedNode[]} */ (children);
  const more = Object.entries(props ?? {}).filter(([key]) => !WRAPPER_PROPS.has(key));
  if (children.length > 1) return name === "" && more.length === 0;
  if (role === "iframe" || states?.hidden === true || more.some(([key, value]) => states?.[/** @type {keyof Props} */ (key)] !== value)) return false;
  return name === "" || matchesName(name, own || content.filter((part) => typeof part === "string").join(" "));
}

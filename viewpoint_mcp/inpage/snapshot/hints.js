// Hints for controls without a name: a guess from attributes that their author set. Hints are never mixed with names.

import { tidy } from "../aria/names.js";
import { attribute, localNameOf, querySelectorAll, textContentOf, trimmed } from "../dom/dom.js";
import { styleOf } from "../visibility/visibility.js";

const LONGEST_HINT = 40;
const TEST_ATTRIBUTES = ["data-testid", "data-test-id", "data-test", "data-qa", "data-cy", "data-icon", "data-action", "name"];
const DULL_WORDS = new Set(["icon", "icons", "btn", "button", "img", "image", "svg", "fa", "fas", "far", "fab", "fal", "bi",
  "mdi", "material", "glyphicon", "ui", "link", "a", "div", "span", "i", "el", "lg", "sm", "md", "xl", "xs", "px", "flex",
  "block", "inline", "hidden", "active", "primary", "secondary", "default", "text", "bg", "wrapper", "container", "item",
  "input", "field", "control", "logo", "small", "large", "left", "right", "center", "round", "rounded", "clickable", "solid",
  "outline", "regular", "lucide", "feather", "ph", "ti", "ri"].filter((word) => word !== "logo"));

// Return a hint for the control; "" if there is none.
/** @param {Element} target */
export function hintOf(target) {
  const finders = [titleHint, testHint, iconHint, backgroundHint, idHint, classHint, describedHint];
  for (const find of finders) {
    const hint = tidy(find(target) ?? "");
    if (hint !== "") return hint.slice(0, LONGEST_HINT);
  }
  return "";
}

/** @param {Element} target */
const titleHint = (target) => trimmed(target, "title");

/** @param {Element} target */
function testHint(target) {
  for (const name of TEST_ATTRIBUTES) {
    const value = trimmed(target, name);
    if (value !== "") return words(value).join(" ") || value;
  }
  return "";
}

// Return a hint from an icon inside: its title, the symbol that it uses, its file name, or its class.
/** @param {Element} target */
function iconHint(target) {
  const icons = [target, ...querySelectorAll.call(target, "svg, svg title, use, img, i, [class*=icon]")].slice(0, 8);
  for (const icon of icons) {
    const hint = iconName(icon) || (icon === target ? "" : titleHint(icon) || words(attribute(icon, "class") ?? "").join(" "));
    if (hint !== "") return hint;
  }
  return "";
}

/** @param {Element} icon */
function iconName(icon) {
  const tag = localNameOf(icon);
  if (tag === "title") return tidy(textContentOf(icon));
  if (tag === "use") return words((attribute(icon, "href") ?? attribute(icon, "xlink:href") ?? "").split("#").pop() ?? "").join(" ");
  if (tag === "img" || tag === "input") return fileHint(attribute(icon, "src") ?? "");
  return "";
}

// Return a hint from the name of an image file.
/** @param {string} source */
function fileHint(source) {
  if (source.startsWith("data:") || source.startsWith("blob:")) return "";
  const file = source.split(/[?#]/, 1)[0].split("/").pop() ?? "";
  return words(file.replace(/\.\w+$/, "")).join(" ");
}

// Return a hint from the file name of a background image.
/** @param {Element} target */
function backgroundHint(target) {
  for (const part of [target, ...[...querySelectorAll.call(target, "*")].slice(0, 3)]) {
    const file = /url\("?([^")]+)/.exec(styleOf(part).backgroundImage);
    const hint = file === null ? "" : fileHint(file[1]);
    if (hint !== "") return hint;
  }
  return "";
}

/** @param {Element} target */
const describedHint = (target) => trimmed(target, "aria-roledescription");
/** @param {Element} target */
const idHint = (target) => words(attribute(target, "id") ?? "").join(" ");
/** @param {Element} target */
const classHint = (target) => words(attribute(target, "class") ?? "").join(" ");

// Return the meaningful words of an identifier, for example "trash" for "btn-icon fa-trash". Hashes and sizes are
// omitted.
/** @param {string} identifier */
function words(identifier) {
  const parts = identifier.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().split(/[^\p{L}\d]+/u);
  return parts.filter((part) => part.length > 1 && !DULL_WORDS.has(part) && !/\d{2,}|^\d/.test(part)).slice(0, 4);
}

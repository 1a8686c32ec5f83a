// Hints for controls without a name: a guess from attributes that their author set, and from the table around them.
// Hints are never mixed with names.

import { tidy } from "../aria/names.js";
import { roleOf } from "../aria/roles.js";
import { attribute, has, localNameOf, querySelectorAll, textContentOf, trimmed } from "../dom/dom.js";
import { isIconFont } from "../snapshot/aria_hidden.js";
import { FIELDS } from "../snapshot/control_parts.js";
import { headersOf } from "./table_headers.js";
import { wordsOf, wordsOfClass } from "./hint_words.js";
import { NAMED_BY_PARTS } from "../snapshot/nodes.js";
import { styleOf } from "../visibility/visibility.js";

const LONGEST_HINT = 60;
const TEST_ATTRIBUTES = ["data-testid", "data-test-id", "data-test", "data-qa", "data-cy", "data-icon", "data-lucide", "data-action"];
const ICONS = "svg, svg title, use, img, i, [class*=icon], [class*=symbol]";

// Return a hint for the control; "" if there is none.
/** @param {Element} target */
export function hintOf(target) {
  const finders = [titleHint, headersOf, nameHint, testHint, iconHint, backgroundHint, idHint, classHint, describedHint];
  for (const find of finders) {
    const hint = tidy(find(target) ?? "");
    if (hint !== "") return hint.slice(0, LONGEST_HINT);
  }
  return "";
}

/** @param {Element} target */
const titleHint = (target) => trimmed(target, "title");

/** @param {Element} target */
function nameHint(target) {
  const name = trimmed(target, "name");
  return wordsOf(name) || name;
}

/** @param {Element} target */
function testHint(target) {
  for (const name of TEST_ATTRIBUTES) {
    const hint = has(target, name) ? wordsOf(trimmed(target, name)) : "";
    if (hint !== "") return hint;
  }
  return "";
}

// Return a hint from an icon inside: its title, the symbol that it uses, its file name, its letters, or its class.
/** @param {Element} target */
function iconHint(target) {
  const icons = [target, ...querySelectorAll.call(target, ICONS)].slice(0, 8);
  for (const icon of icons) {
    const hint = iconName(icon) || (icon === target ? "" : titleHint(icon) || testHint(icon) || wordsOfClass(icon));
    if (hint !== "") return hint;
  }
  return "";
}

/** @param {Element} icon */
function iconName(icon) {
  const tag = localNameOf(icon);
  if (tag === "title") return tidy(textContentOf(icon));
  if (tag === "use") return wordsOf((attribute(icon, "href") ?? attribute(icon, "xlink:href") ?? "").split("#").pop() ?? "");
  if (tag === "img" || tag === "input") return fileHint(attribute(icon, "src") ?? "");
  return isIconFont(icon) ? wordsOf(textContentOf(icon)) : "";
}

// Return a hint from the name of an image file.
/** @param {string} source */
function fileHint(source) {
  if (source.startsWith("data:") || source.startsWith("blob:")) return "";
  const file = source.split(/[?#]/, 1)[0].split("/").pop() ?? "";
  return wordsOf(file.replace(/\.\w+$/, ""));
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
const idHint = (target) => wordsOf(attribute(target, "id") ?? "");

// Return words of the class. The classes of fields and of cells name their kind.
/** @param {Element} target */
function classHint(target) {
  const role = roleOf(target);
  return FIELDS.has(role) || NAMED_BY_PARTS.has(role) ? "" : wordsOfClass(target);
}

// File inputs: the file inputs of the document, and the files that each of them accepts.

import { isDisabled } from "../actions/actionability.js";
import { told } from "../actions/causes.js";
import { has, queryAll, trimmed } from "../dom/dom.js";
import { register } from "../dom/registry.js";
import { shadowRootsIn } from "../settle/changes.js";

const { showPicker } = HTMLInputElement.prototype;

// Return the properties of a file input.
/** @param {HTMLInputElement} input @returns {FileField} */
export function fileField(input) {
  return told(input, {
    multiple: has(input, "multiple"),
    directory: has(input, "webkitdirectory"),
    accept: trimmed(input, "accept"),
    disabled: isDisabled(input),
  });
}

// Return all file inputs of the document, also hidden ones, each with its `number`.
/** @returns {(FileField & { number: number })[]} */
export function fileFields() {
  const fields = [];
  for (const root of [document, ...shadowRootsIn(document)]) {
    for (const input of queryAll(root, "input[type=file i]")) fields.push({ number: register(input), ...fileField(/** @type {HTMLInputElement} */ (input)) });
  }
  return fields;
}

// Open the file chooser of the input again. Return false if that is not possible.
/** @param {HTMLInputElement} input @returns {boolean} */
export function askForFiles(input) {
  try {
    showPicker.call(input);
    return true;
  } catch {
    return false; // the input was disabled meanwhile
  }
}

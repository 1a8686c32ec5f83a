// File inputs: which there are, and what each of them takes.

import { isDisabled } from "../actions/actionability.js";
import { told } from "../actions/causes.js";
import { has, queryAll, trimmed } from "../dom/dom.js";
import { register } from "../dom/registry.js";
import { shadowRootsIn } from "../settle/changes.js";

const { showPicker } = HTMLInputElement.prototype;

// What can be told of one.
/** @param {HTMLInputElement} input @returns {FileField} */
export function fileField(input) {
  return told(input, {
    multiple: has(input, "multiple"),
    directory: has(input, "webkitdirectory"),
    accept: trimmed(input, "accept"),
    disabled: isDisabled(input),
  });
}

// All of this document, shown or not, each with its `number`.
/** @returns {(FileField & { number: number })[]} */
export function fileFields() {
  const fields = [];
  for (const root of [document, ...shadowRootsIn(document)]) {
    for (const input of queryAll(root, "input[type=file i]")) fields.push({ number: register(input), ...fileField(/** @type {HTMLInputElement} */ (input)) });
  }
  return fields;
}

// Has the input ask for files once more; returns whether it did.
/** @param {HTMLInputElement} input @returns {boolean} */
export function askForFiles(input) {
  try {
    showPicker.call(input);
    return true;
  } catch {
    return false; // it was disabled meanwhile
  }
}

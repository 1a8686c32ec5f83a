// Words that a program generated: ids of frameworks, random keys, times. They may be different after a reload.

const FRAMEWORK_IDS = /^(?:ember|ext-(?:gen|comp-|element-)?|mui-|radix-|headlessui-|react-aria|react-select-|downshift-|yui|gwt-uid-|cdk-|mat-|pn_id_|pr_id_|ui-id-|rc[-_]|chakra-|floating-ui-|tippy-|dijit|isc_|auto-?id|uid|uuid|gen(?:erated)?[-_]?)[-\w]*\d/i;
const REACT_IDS = /:r[0-9a-z]*:|«r[0-9a-z]*»|_r_[0-9a-z]*_/;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-/i;
const CLOCK = /\b\d{1,2}:\d{2}:\d{2}\b/;
const HEX = /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{10,}\b/i;
const LONG_NUMBER = /\d{4}/;
const CAMEL_PART = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

// Return whether an id, a name or a test id looks generated.
/** @param {string} value */
export function looksGenerated(value) {
  if (FRAMEWORK_IDS.test(value) || REACT_IDS.test(value) || UUID.test(value) || LONG_NUMBER.test(value)) return true;
  return value.split(/[^0-9A-Za-z]+/).some(isRandom);
}

// Return whether a word mixes letters and digits, or cases, as random keys do: "a8f3k2", "bdVaJa".
/** @param {string} word */
function isRandom(word) {
  if (word.length < 5) return false;
  const changes = (word.match(/[a-z](?=\d)|\d(?=[a-z])/gi) ?? []).length;
  const parts = word.match(CAMEL_PART) ?? [];
  return changes >= 3 || (changes >= 2 && word.length <= 12) || (parts.length >= 3 && word.length / parts.length < 3);
}

// Return whether a text contains a time of day or a key, so that it may be another one after a reload.
/** @param {string} text */
export const isPassing = (text) => CLOCK.test(text) || UUID.test(text) || HEX.test(text);

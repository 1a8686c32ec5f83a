// Words of identifiers: what an author wrote for programs, as far as a person would understand it.

import { attribute, flatParentOf } from "../dom/dom.js";

const MANY_WORDS = 4;

// Words that name a kind of element, its position, its look or a library, but not its purpose.
const DULL_WORDS = new Set(`a i el div span img image svg icon icons btn button link input field control controls component
  components element host root base main body area layer content child children inner outer item wrapper container box cell
  header guard gap tiny affix prefix suffix sm md lg xl xs px small medium large center round rounded flex block inline
  outline solid regular primary secondary default text bg css js clickable pointer active hidden visible show hover
  mouseover focus focusable disabled enabled selected notranslate draggable droppable nodrag nopan private ui fa fas far fab
  fal bi mdi material symbols glyphicon lucide feather ph ti ri anticon ant mui react vue ng mat mdc chakra radix headlessui
  bootstrap monaco`.split(/\s+/));

// Words that only repeat the kind of the element if they are alone.
const KINDS = new Set(["select", "checkbox", "radio", "textbox", "combobox", "switch", "canvas", "trigger", "toggle", "image"]);

// Short words that are not the name space of a library.
const SHORT_WORDS = new Set(`add new cut del end run log map tag key day bug pin nav tab row col sub all out off up go to no
  my pdf csv zip buy pay fit ask top`.split(/\s+/));

// Class names that tools generate, and classes that set one property each.
const GENERATED = /^(?:css|sc|jss|svelte|emotion|tss|astro|makeStyles)-|^Mui|emotion-cache|_(?=[a-z]*[A-Z\d])[\w-]{5}$/;
const UTILITY = /[:[\]/]|^-?(?:[pmwhz]|[pm][xytrbl]|gap|space|inset|flex|grid|items|justify|self|content|text|font|bg|border|rounded|shadow|ring|opacity|transition|duration|ease|cursor|overflow|whitespace|leading|tracking|min|max|size|outline|inline|align|float|pull|fs|fw|lh)-/;

// Return the words of a class attribute. The name space of a library and words that the classes of the element around it
// begin with are omitted.
/** @param {Element} target */
export function wordsOfClass(target) {
  const tokens = tokensOf(target);
  if (tokens.length === 0) return "";
  const parent = flatParentOf(target);
  const around = new Set(parent === null ? [] : tokensOf(parent).map((token) => partsOf(token)[0]));
  return joinWords(tokens.flatMap((token) => {
    const parts = withoutNamespace(partsOf(token), 3);
    const rest = around.has(parts[0]) ? parts.slice(1) : parts;
    return rest.some(isWord) ? rest : parts;
  }));
}

/** @param {Element} target */
const tokensOf = (target) =>
  (attribute(target, "class") ?? "").split(/\s+/).filter((token) => token !== "" && !GENERATED.test(token) && !UTILITY.test(token));

// Return the meaningful words of an identifier, for example "trash" for "btn-icon-trash".
/** @param {string} identifier */
export const wordsOf = (identifier) => joinWords(withoutNamespace(partsOf(identifier), 2));

/** @param {string} identifier */
const partsOf = (identifier) =>
  identifier.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().split(/[^\p{L}\d]+/u).filter((part) => part !== "");

// Return the parts without a short prefix such as "ag" or "jp", which stands for a library.
/** @param {string[]} parts @param {number} longest */
const withoutNamespace = (parts, longest) =>
  parts.length > 1 && parts[0].length <= longest && !SHORT_WORDS.has(parts[0]) ? parts.slice(1) : parts;

/** @param {string[]} parts */
function joinWords(parts) {
  const words = [...new Set(parts.filter(isWord))].slice(0, MANY_WORDS);
  return words.every((word) => KINDS.has(word)) ? "" : words.join(" ");
}

// Return whether the part is a word. Hashes, numbers and sizes are not.
/** @param {string} part */
const isWord = (part) => part.length > 1 && !/\d/.test(part) && !DULL_WORDS.has(part);

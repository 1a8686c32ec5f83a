// Separators: punctuation between links that stands alone as a text, such as "|" or "›". It only shows where one ends.

import { closest, getIsContentEditable, isHtml } from "../dom/dom.js";

const SEPARATOR = /^[|·•∙⋅›»‹«→/\\]{1,2}$/;
const PUNCTUATION = /^[,;:.()[\]–—-]{1,2}$/;
const VALUE = /^[\d\s.,:%$€£+-]+$/; // punctuation between values is information: "3 / 10"
const LINKED = new Set(["link", "button"]);
const LITERAL = "pre, code, math, [role=math]";

// Return the children without separators.
/** @param {Element} target @param {PrintedChild[]} children @returns {PrintedChild[]} */
export function withoutSeparators(target, children) {
  if (children.length < 2 || !children.some(isSeparator)) return children;
  if ((isHtml(target) && getIsContentEditable.call(target)) || closest.call(target, LITERAL) !== null) return children;
  return children.filter((child, index) => !isSeparator(child) || !separates(children[index - 1], textOfSeparator(child), children[index + 1]));
}

// Return the text of a child that may be a separator: a text, or a list item that is only a text.
/** @param {PrintedChild} child */
function textOfSeparator(child) {
  if (typeof child === "string") return child;
  const [role, name, props, inner] = child;
  if (role !== "listitem" || props !== null) return "";
  return inner.length === 0 ? name : name === "" && inner.length === 1 ? String(inner[0]) : "";
}

/** @param {PrintedChild} child */
function isSeparator(child) {
  const text = textOfSeparator(child);
  return text.length < 3 && (SEPARATOR.test(text) || (typeof child === "string" && PUNCTUATION.test(text)));
}

// Return whether a text only separates its neighbours. Nothing is a neighbour at an end.
/** @param {PrintedChild | undefined} before @param {string} text @param {PrintedChild | undefined} after */
function separates(before, text, after) {
  const beside = [before, after].filter((each) => each !== undefined);
  const areElements = beside.every((each) => typeof each !== "string");
  if (SEPARATOR.test(text)) return /[|•›»‹«]/.test(text) || (areElements && !beside.some(isValue));
  return areElements && beside.some((each) => LINKED.has(each[0])) && !beside.some(isValue);
}

/** @param {PrintedChild} child */
const isValue = (child) => typeof child === "string" ? VALUE.test(child) : VALUE.test(child[1] || String(child[3][0] ?? ""));

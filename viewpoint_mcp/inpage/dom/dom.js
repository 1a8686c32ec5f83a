// Access to the DOM that a page cannot falsify. The isolated world has prototypes of its own, but named elements still
// shadow properties. A form control called "parentNode" shadows that property of its form, and an <img name=title>
// shadows `document.title`. Therefore this module takes the getters from the prototypes once and calls them on the
// node.
// A node that was moved here from another document keeps the prototypes of that document. Therefore no code uses
// `instanceof`; `readOrNull` shows whether a getter accepts the object.
// If the browser does not support a property, its getter returns null.

import { memo } from "./memo.js";

// Return the getter of a property, or a function that returns null if the prototype does not have the property.
/**
 * @template {object} P
 * @template {keyof P & string} K
 * @param {P} prototype
 * @param {K} name
 * @returns {(this: P) => P[K]}
 */
export const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name)?.get ?? (() => /** @type {any} */ (null));

// Return the setter of a property; undefined if the prototype does not have the property.
/**
 * @template {object} P
 * @template {keyof P & string} K
 * @param {P} prototype
 * @param {K} name
 * @returns {(this: P, value: P[K]) => void}
 */
export const setter = (prototype, name) => /** @type {any} */ (Object.getOwnPropertyDescriptor(prototype, name)?.set);

const getNodeType = getter(Node.prototype, "nodeType");
const getParentNode = getter(Node.prototype, "parentNode");
const getFirstChild = getter(Node.prototype, "firstChild");
const getNextSibling = getter(Node.prototype, "nextSibling");
const getTextContent = getter(Node.prototype, "textContent");
const getIsConnected = getter(Node.prototype, "isConnected");
export const getOwnerDocument = getter(Node.prototype, "ownerDocument");
const getData = getter(CharacterData.prototype, "data");
const getLocalName = getter(Element.prototype, "localName");
const getNamespace = getter(Element.prototype, "namespaceURI");
const getShadowRoot = getter(Element.prototype, "shadowRoot");
const getAssignedSlot = getter(Element.prototype, "assignedSlot");
const getAssignedSlotOfText = getter(Text.prototype, "assignedSlot");
export const getHost = getter(ShadowRoot.prototype, "host");
export const getTabIndex = getter(HTMLElement.prototype, "tabIndex");
export const getIsContentEditable = getter(HTMLElement.prototype, "isContentEditable");
export const getDocumentTitle = getter(Document.prototype, "title");
export const getBaseUri = getter(Node.prototype, "baseURI");
export const getDocumentElement = getter(Document.prototype, "documentElement");
export const getBody = getter(Document.prototype, "body");
export const getActiveElement = getter(Document.prototype, "activeElement");
// Whether the page runs no scripts, so that it shows its <noscript> elements.
export const isJavaScriptOff = matchMedia("(scripting: none)").matches;
export const getIsHidden = getter(Document.prototype, "hidden");
export const getStyleSheets = getter(Document.prototype, "styleSheets");
export const getAdoptedStyleSheets = getter(Document.prototype, "adoptedStyleSheets");
export const getActiveElementOfRoot = getter(ShadowRoot.prototype, "activeElement");

export const { getAttribute, hasAttribute, matches, closest, querySelectorAll, getBoundingClientRect, checkVisibility } =
  Element.prototype;
export const { getRootNode, contains } = Node.prototype;
export const { addEventListener: listenTo, removeEventListener: stopListening } = EventTarget.prototype;
export const { assignedNodes } = HTMLSlotElement.prototype;
export const { createTreeWalker, getAnimations } = Document.prototype;
export const { scrollBy: scrollContentBy, scrollTo: scrollContentTo } = /** @type {Scrolling} */ (Element.prototype);

// Return the result of the getter for the object, or null if the getter does not accept an object of this kind.
/**
 * @template T
 * @param {(this: any) => T} get
 * @param {object | null} object
 */
export function readOrNull(get, object) {
  try {
    return get.call(object);
  } catch {
    return null;
  }
}

const HTML_NAMESPACE = "http://www.w3.org/1999/xhtml";
const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
export const ELEMENT = 1;
export const TEXT = 3;
export const DOCUMENT = 9;
export const FRAGMENT = 11;

/** @param {Node} node */
export const typeOf = (node) => getNodeType.call(node);
/** @param {Node} node @returns {node is Element} */
export const isElement = (node) => getNodeType.call(node) === ELEMENT;
/** @param {Node} node @returns {node is Text} */
export const isText = (node) => getNodeType.call(node) === TEXT;
/** @param {Node} node @returns {Node | null} */
export const parentOf = (node) => getParentNode.call(node);
/** @param {Node} node @returns {Node | null} */
export const firstChildOf = (node) => getFirstChild.call(node);
/** @param {Node} node @returns {Node | null} */
export const nextSiblingOf = (node) => getNextSibling.call(node);
/** @param {Node} node */
export const textContentOf = (node) => /** @type {string} */ (getTextContent.call(node)); // null only for a document
/** @param {Node} node */
export const isConnected = (node) => getIsConnected.call(node);
/** @param {Node} text */
export const dataOf = (text) => getData.call(/** @type {Text} */ (text));
/** @param {Element} element */
export const localNameOf = (element) => getLocalName.call(element);
/** @param {Element} element @returns {element is HTMLElement} */
export const isHtml = (element) => getNamespace.call(element) === HTML_NAMESPACE;
/** @param {Element} element @returns {element is SVGElement} */
export const isSvg = (element) => getNamespace.call(element) === SVG_NAMESPACE;
/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {Element} element
 * @param {T} tag
 * @returns {element is HTMLElementTagNameMap[T]}
 */
export const isHtmlTag = (element, tag) => getLocalName.call(element) === tag && isHtml(element);
/** @param {Element} element @param {string} name */
export const attribute = (element, name) => getAttribute.call(element, name);
/** @param {Element} element @param {string} name */
export const has = (element, name) => hasAttribute.call(element, name);
/** @param {Element} element @param {string} selector */
export const isMatching = (element, selector) => matches.call(element, selector);
/** @param {Node} node */
export const rootNodeOf = (node) => /** @type {Scope} */ (getRootNode.call(node));
/** @param {Element} element */
export const boxOf = (element) => getBoundingClientRect.call(element);

// Return a TreeWalker over the elements below the root, in document order.
/** @param {Node} root */
export const treeWalkerOf = (root) => createTreeWalker.call(document, root, NodeFilter.SHOW_ELEMENT);
// Return the animations and transitions of the document, also those that are paused.
export const animationsNow = () => /** @type {RunningAnimation[]} */ (getAnimations.call(document));

// Return the trimmed attribute; "" if it is missing.
/** @param {Element} element @param {string} name */
export const trimmed = (element, name) => (getAttribute.call(element, name) ?? "").trim();

// Return the trimmed attribute in lower case; "" if it is missing.
/** @param {Element} element @param {string} name */
export const keyword = (element, name) => (getAttribute.call(element, name) ?? "").trim().toLowerCase();

// Return the attribute as an integer; 0 if it is missing or not a number.
/** @param {Element} element @param {string} name */
export const numberIn = (element, name) => parseInt(getAttribute.call(element, name) ?? "", 10) || 0;

// Return whether the attribute has the value "true", in any case.
/** @param {Element} element @param {string} name */
export const isTrue = (element, name) => keyword(element, name) === "true";

// Closed shadow roots that were passed to `adopt` (see dom/closed_shadow.js). `shadowRootOf` returns them like open
// roots.
/** @type {WeakMap<Element, ShadowRoot>} */
const closedRootOf = new WeakMap();
let isSomeClosed = false;
// Return the shadow root of the element, open or adopted; null if it has none or only an unknown closed root.
/** @param {Element} element @returns {ShadowRoot | null} */
export const shadowRootOf = (element) => getShadowRoot.call(element) ?? (isSomeClosed ? (closedRootOf.get(element) ?? null) : null);

// Record a closed root, so that `shadowRootOf` returns it.
/** @param {ShadowRoot} root */
export function rememberClosedRoot(root) {
  closedRootOf.set(getHost.call(root), root);
  isSomeClosed = true;
}

// Return the first element with the id in the tree scope (document or shadow root) of the node, or null.
/** @param {Node} node @param {string} id @returns {Element | null} */
export function byId(node, id) {
  const root = rootNodeOf(node);
  const type = typeOf(root);
  if (type === DOCUMENT) return Document.prototype.getElementById.call(root, id);
  return type === FRAGMENT ? DocumentFragment.prototype.getElementById.call(root, id) : null;
}

const getReferenced = {
  "aria-labelledby": getter(Element.prototype, "ariaLabelledByElements"),
  "aria-owns": getter(Element.prototype, "ariaOwnsElements"),
};

// Return the elements that an attribute such as aria-labelledby refers to, in order. This includes elements that a
// script set through the ARIA reflection property, which leaves the attribute empty.
/** @param {Element} element @param {keyof typeof getReferenced} name @returns {Element[]} */
export function referenced(element, name) {
  const value = attribute(element, name);
  if (value === null) return [];
  const ids = value.trim();
  if (ids === "") return [...(getReferenced[name].call(element) ?? [])];
  const found = [];
  for (const id of ids.split(/\s+/)) {
    const target = byId(element, id);
    if (target !== null) found.push(target);
  }
  return found;
}

// Return the descendants of a document, a fragment or an element that match the selector.
/**
 * @template {string} S
 * @param {Scope} root
 * @param {S} selector
 * @returns {NodeListOf<Matched<S>>}
 */
export function queryAll(root, selector) {
  const type = typeOf(root);
  if (type === DOCUMENT) return /** @type {any} */ (Document.prototype.querySelectorAll.call(root, selector));
  if (type === FRAGMENT) return /** @type {any} */ (DocumentFragment.prototype.querySelectorAll.call(root, selector));
  return /** @type {any} */ (querySelectorAll.call(root, selector));
}

// Return the parent in the flattened tree: the slot that the node is assigned to, or the host of a shadow root. Return
// null for a child of a host that is assigned to no slot. Such a child is not rendered.
/** @param {Node} node @returns {Element | null} */
export function flatParentOf(node) {
  const parent = parentOf(node);
  if (parent === null) return null;
  if (!isElement(parent)) return typeOf(parent) === FRAGMENT ? readOrNull(getHost, parent) : null;
  const shadow = shadowRootOf(parent);
  if (shadow === null) return parent;
  if (getShadowRoot.call(parent) === null) return slotInClosed(shadow, node);
  const kind = typeOf(node);
  if (kind === ELEMENT) return getAssignedSlot.call(/** @type {Element} */ (node));
  return kind === TEXT ? getAssignedSlotOfText.call(/** @type {Text} */ (node)) : null;
}

// Return the slot of a node in a closed shadow root, or null. `assignedSlot` is null for closed roots, so the slots are
// searched for the node instead.
/** @param {ShadowRoot} root @param {Node} node */
function slotInClosed(root, node) {
  const slotOf = memo?.slots.get(root) ?? slotsByNode(root);
  memo?.slots.set(root, slotOf);
  return slotOf.get(node) ?? null;
}

/** @param {ShadowRoot} root @returns {Map<Node, HTMLSlotElement>} */
function slotsByNode(root) {
  const slotOf = new Map();
  for (const slot of queryAll(root, "slot")) for (const node of assignedNodes.call(slot)) slotOf.set(node, slot);
  return slotOf;
}

// Return the child elements and text nodes of the element in the flattened tree.
/** @param {Element} element @returns {(Element | Text)[]} */
export function flatChildrenOf(element) {
  const shadow = shadowRootOf(element);
  if (shadow === null && isHtmlTag(element, "slot")) {
    const assigned = /** @type {(Element | Text)[]} */ (assignedNodes.call(element));
    if (assigned.length > 0) return assigned;
  }
  const children = [];
  for (let node = firstChildOf(shadow ?? element); node !== null; node = nextSiblingOf(node)) {
    const type = typeOf(node);
    if (type === ELEMENT || type === TEXT) children.push(/** @type {Element | Text} */ (node));
  }
  return children;
}

// Return whether `ancestor` is `node` or contains it in the flattened tree.
/** @param {Node | null} ancestor @param {Node | null} node */
export function isFlatAncestor(ancestor, node) {
  for (let at = node; at !== null; at = flatParentOf(at)) if (at === ancestor) return true;
  return false;
}

// Return the first child element with the tag, such as the legend of a fieldset, or null.
/** @param {Element} element @param {string} tag @returns {Element | null} */
export function childWithTag(element, tag) {
  for (let node = firstChildOf(element); node !== null; node = nextSiblingOf(node)) {
    if (isElement(node) && localNameOf(node) === tag) return node;
  }
  return null;
}

// Return the focused element of this document, also inside shadow roots. Return null if no element, the body or the
// root element has the focus. In a frame `document.activeElement` survives the loss of focus, so a frame without focus
// returns null.
/** @returns {Element | null} */
export function activeElement() {
  if (window !== window.top && !Document.prototype.hasFocus.call(document)) return null;
  let active = getActiveElement.call(document);
  if (active === null || active === getBody.call(document) || active === getDocumentElement.call(document)) return null;
  for (let root = shadowRootOf(active); root !== null; root = shadowRootOf(active)) {
    const inner = getActiveElementOfRoot.call(root);
    if (inner === null) break;
    active = inner;
  }
  return active;
}

// Runs in an isolated world, and reports changes of matching elements through the binding.
const SHOWN = 80;

const shorten = (text) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

const show = (node) =>
  node.nodeType === Node.ELEMENT_NODE
    ? shorten(node.cloneNode(false).outerHTML.replace(/<\/[^>]*>$/, ""))
    : JSON.stringify(shorten(node.data ?? node.nodeName));

const element = (node) => (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement);

/** Return one mutation as lines, without nodes that do not match. */
const describe = (record, selector) => {
  const { target, type } = record;
  const isInside = Boolean(element(target)?.closest(selector));
  const isMeant = (node) => isInside || (node.matches?.(selector) ?? false);
  if (type === "childList") {
    return [
      ...[...record.removedNodes].filter(isMeant).map((node) => `- ${show(node)}`),
      ...[...record.addedNodes].filter(isMeant).map((node) => `+ ${show(node)}`),
    ].map((line) => `${show(target)} ${line}`);
  }
  if (!isInside) return [];
  const now = type === "attributes" ? target.getAttribute(record.attributeName) : target.data;
  const what = type === "attributes" ? record.attributeName : "text";
  const [before, after] = [record.oldValue, now].map((value) => JSON.stringify(value && shorten(value)));
  return [`${show(element(target))} ${what}: ${before} -> ${after}`];
};

const watch = (selector, tell) => {
  document.querySelector(selector); // throws what is wrong with it
  new MutationObserver((records) => {
    records.flatMap((record) => describe(record, selector)).forEach((line) => tell(line));
  }).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeOldValue: true,
    characterData: true,
    characterDataOldValue: true,
  });
};

// Whether a document shows anything yet. Asked after a load, so it must be cheap: the first thing found ends it, and
// a document that has much to show has it early.
const SHOWING = "a[href], button, input, select, textarea, summary, img, svg, canvas, video, audio, iframe, frame, object, " +
  "embed, [role], [tabindex], [contenteditable], [onclick]";

// True when no text and no control or picture is drawn, in the document or in a shadow root that is known.
function showsNothing() {
  const top = getBody.call(document) ?? getDocumentElement.call(document);
  if (top === null || showsSomething(top)) return top === null;
  for (const root of shadowRootsIn(top)) if (showsSomething(root)) return false;
  return true;
}

function showsSomething(top) {
  const texts = createTreeWalker.call(document, top, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (dataOf(text).trim() !== "" && isSeen(parentOf(text))) return true;
  }
  for (const found of queryAll(top, SHOWING)) if (isSeen(found)) return true;
  return false;
}

// A script's text has a box of none. A text right in a shadow root has the root's host.
function isSeen(node) {
  const target = typeOf(node) === FRAGMENT ? getHost.call(node) : node;
  return target !== null && checkVisibility.call(target, { visibilityProperty: true });
}

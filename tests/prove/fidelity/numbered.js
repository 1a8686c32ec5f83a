// Called on the API object of the isolated world. Returns for each number of the walk the
// index of its element over all elements in tree order: those of the document, then those of each open shadow root, in the
// order of their hosts. Rows and cells leave their name to what is printed in them, so they are printed here without
// one: where there is no name, it is computed from the element. Each row is [number, index, name].
function (printed) {
  const shadowOf = Object.getOwnPropertyDescriptor(Element.prototype, "shadowRoot").get;
  const indexOf = new Map();
  const scopes = [document];
  for (const scope of scopes) {
    const walker = document.createTreeWalker(scope, NodeFilter.SHOW_ELEMENT);
    for (let at = walker.nextNode(); at !== null; at = walker.nextNode()) {
      indexOf.set(at, indexOf.size);
      const shadow = shadowOf.call(at);
      if (shadow !== null) scopes.push(shadow);
    }
  }
  return printed.map(([number, name]) =>
    [number, indexOf.get(this.element(number)) ?? -1, name || this.describe(number).name]);
}

// Called on the API object of the isolated world, which for this test also offers `roleOf` and `nameOf`. Returns role and
// name of each element that has an expectation, printed or not: those of the document, then those of each open shadow
// root, in the order of their hosts.
function () {
  const shadowOf = Object.getOwnPropertyDescriptor(Element.prototype, "shadowRoot").get;
  const found = [];
  const scopes = [document];
  for (const scope of scopes) {
    const walker = document.createTreeWalker(scope, NodeFilter.SHOW_ELEMENT);
    for (let at = walker.nextNode(); at !== null; at = walker.nextNode()) {
      if (at.hasAttribute("data-expectedlabel") || at.hasAttribute("data-expectedrole")) {
        found.push([this.roleOf(at), this.nameOf(at)]);
      }
      const shadow = shadowOf.call(at);
      if (shadow !== null) scopes.push(shadow);
    }
  }
  return found;
}

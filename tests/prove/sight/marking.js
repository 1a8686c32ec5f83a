// Called on the API object of the isolated world, with the name of one of the functions below and its arguments.
// Elements are given by the numbers of the walk.
function (name, ...args) {
  const SHEET = `
    [data-sight=hide], [data-sight=hide] * { visibility: hidden !important; transition: none !important }
    [data-sight=paint] { box-shadow: inset 0 0 0 9999px magenta !important; transition: none !important }`;
  const functions = {
    // Lets `hide` and `paint` take effect in the trees of these elements.
    start: (numbers) => {
      for (const root of new Set(numbers.map((number) => this.element(number).getRootNode()))) {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(SHEET);
        root.adoptedStyleSheets.push(sheet);
      }
    },

    // "hide" or "paint" the elements, or "" for neither.
    set: (numbers, how) => {
      for (const number of numbers) this.element(number).setAttribute("data-sight", how);
    },

    // The same for the labels of a control, which people see and click in its stead. Returns how many it has.
    setLabels: (number, how) => {
      const labels = [...(this.element(number).labels ?? [])];
      for (const label of labels) label.setAttribute("data-sight", how);
      return labels.length;
    },
  };
  return functions[name](...args);
}

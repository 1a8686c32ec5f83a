// Called on the API object of the isolated world, with the name of one of the functions below and its arguments.
// Elements are given by the numbers of the walk.
function (name, ...args) {
  const elementOf = (number) => this.element(number);
  const functions = {
    // The part of each element's box that is inside the viewport: [left, top, right, bottom].
    boxes: (numbers) => numbers.map((number) => {
      const { left, top, right, bottom } = elementOf(number).getBoundingClientRect();
      return [Math.max(0, left), Math.max(0, top), Math.min(innerWidth, right), Math.min(innerHeight, bottom)];
    }),

    // Whether a click in the middle of the element's box would meet it.
    isHit: (number) => {
      const target = elementOf(number);
      const { left, top, right, bottom } = target.getBoundingClientRect();
      const hit = target.getRootNode().elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return hit !== null && target.contains(hit);
    },

    // Whether something moves that will come to its end.
    isMoving: () => document.getAnimations().some((each) =>
      each.playState === "running" && each.effect.getComputedTiming().endTime !== Infinity),

    // Which of the elements have a box of their own to be seen by; the options of a closed <select> have none.
    judgeable: (numbers) => numbers.filter((number) =>
      elementOf(number).localName === "select" || elementOf(number).closest("select:not([size], [multiple])") === null),

    tags: (numbers) => numbers.map((number) => elementOf(number).cloneNode(false).outerHTML.slice(0, 160)),
  };
  return functions[name](...args);
}

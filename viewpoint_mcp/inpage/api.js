// The API object: what Python may call, and nothing else. Every function takes plain arguments.
return {
  walk, describe, element, hasText, showsNothing, takeCandidates, seekCandidates, adopt, react, page,
  prepare, pressed, framePoint, scrollOffset, focusFor, find, boxFor,
  centre, bringTogether, labelFor, followDrag, dragSeen,
  fileField, fileFields, askForFiles,
  heldAfter,
  whereSeen, showNearest, scrollPageTo,
  choose, chosenIn, beforeOpening, stateOfList, findOption, shownAsChosen,
  checkFields, toCheck, toSlide, holdingOf,
  watch, effects, nextFrame, untilChange, untilStill,
};

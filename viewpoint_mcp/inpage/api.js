// The API object: what Python may call, and nothing else. Every function takes plain arguments.
return {
  callNumbered,
  walk, describe, groupAround, element, hasText, showsNothing, loadingNow, takeCandidates, seekCandidates, adopt, react, page,
  prepare, pressed, framePoint, focusFor, find,
  viewNow, reveal, revealInside, putBack, toOrigin, holdStill, letGo,
  centre, bringTogether, labelFor, followDrag, dragSeen,
  spotInSight, spot, noteScroll, scrolledSince, scrollInside,
  fileField, fileFields, askForFiles,
  heldAfter, focusNow,
  whereSeen, showNearest, scrollPageTo,
  choose, chosenIn, beforeOpening, stateOfList, findOption, shownAsChosen,
  checkFields, toCheck, toSlide, holdingOf,
  watch, effects, nextFrame, untilChange, untilStill,
};

// The API object of the isolated world, with every function that Python calls. All functions take plain arguments.

import "./dom/downloads.js";
import { find, hitFacts } from "./actions/actionability.js";
import { pressed } from "./actions/hit_guard.js";
import { spot, spotInSight } from "./actions/hit_test.js";
import { locate } from "./actions/locate.js";
import { bringTogether, centre, draggedBy, dragSeen, followDrag, labelFor } from "./actions/mouse.js";
import { noteScroll, scrollInside, scrolledSince } from "./actions/scroll.js";
import { scrollPageTo, showNearest, whereSeen } from "./capture/marks.js";
import { holdStill, letGo, putBack, reveal, revealInside, toOrigin, viewNow } from "./capture/viewport.js";
import { adopt, seekCandidates, takeCandidates } from "./dom/closed_shadow.js";
import { hitFactsOfOwner } from "./dom/frame_owner.js";
import { callNumbered, element, page, takeOverNumbers } from "./dom/registry.js";
import { focusNow } from "./forms/caret.js";
import { copiedText, expectCopy } from "./forms/copied_text.js";
import { focusFor, heldAfter } from "./forms/fields.js";
import { askForFiles, fileField, fileFields } from "./forms/file_inputs.js";
import { checkFields, holdingOf, toCheck, toSlide } from "./forms/form.js";
import { beforeOpening, findOption, leaveList, shownAsChosen, stateOfList } from "./forms/listbox.js";
import { choose, chosenIn } from "./forms/select.js";
import { ensureTextSelected, selectText } from "./forms/text_selection.js";
import { effects, hasText, nextFrame, untilChange, untilStill, watch } from "./settle/changes.js";
import { loadingNow, showsNothing } from "./snapshot/blank_page.js";
import { react } from "./snapshot/click_listeners.js";
import { groupAround } from "./snapshot/group.js";
import { describe, walk } from "./snapshot/walker.js";

export const api = {
  callNumbered,
  walk, describe, groupAround, element, takeOverNumbers, hasText, showsNothing, loadingNow, takeCandidates, seekCandidates, adopt, react, page,
  hitFacts, pressed, hitFactsOfOwner, focusFor, find, locate,
  viewNow, reveal, revealInside, putBack, toOrigin, holdStill, letGo,
  centre, bringTogether, labelFor, followDrag, dragSeen, draggedBy,
  spotInSight, spot, noteScroll, scrolledSince, scrollInside,
  fileField, fileFields, askForFiles,
  heldAfter, focusNow, expectCopy, copiedText, selectText, ensureTextSelected,
  whereSeen, showNearest, scrollPageTo,
  choose, chosenIn, beforeOpening, stateOfList, findOption, leaveList, shownAsChosen,
  checkFields, toCheck, toSlide, holdingOf,
  watch, effects, nextFrame, untilChange, untilStill,
};

"""Accepted differences between the walker and Chrome: synonyms, and intended differences.

docs/fidelity.md explains the second table to readers.
"""

from __future__ import annotations

import re
from typing import Final

from tests.prove.fidelity.element_report import ElementReport

SAME_ROLE: Final = {
    "image": "img",
    "Iframe": "iframe",
    "IframePresentational": "iframe",
    "Canvas": "canvas",
    "MathMLMath": "math",
    "Figcaption": "caption",
    "Audio": "audio",
    "Video": "video",
    # A disclosure triangle is pressed; dates and colours are a kind of text, printed as [type=...].
    "DisclosureTriangle": "button",
    "DisclosureTriangleGrouped": "button",
    "Date": "textbox",
    "DateTime": "textbox",
    "InputTime": "textbox",
    "ColorWell": "textbox",
    # Roles that Chrome distinguishes, but an agent need not.
    "sectionheader": "generic",
    "sectionfooter": "generic",
    "DescriptionList": "generic",
    "LayoutTable": "generic",
    "LayoutTableRow": "generic",
    "LayoutTableCell": "generic",
    "SvgRoot": "generic",
    "Abbr": "generic",
    "LabelText": "generic",
    "Legend": "generic",
    "none": "",
}
"""Chrome's names for roles -> the walker's."""

EXCUSED: Final = {
    ("none", ""): "an element without a role of its own can be clicked all the same",
    ("generic", ""): "what says nothing is printed where it can be clicked",
    ("canvas", ""): "a canvas shows something, whatever it says",
    ("link", "StaticText"): "Chrome tells the areas of an image map as texts",
    ("caption", ""): "Chrome reads the blocks in a caption without the caption",
    ("generic", "group"): "Chrome calls whatever can be dragged a group",
    ("paragraph", ""): "Chrome folds a paragraph that is all of a list item",
    ("option", "generic"): "a custom option in no list is an option to whoever wants to choose it",
    ("treeitem", "generic"): "the same for trees",
    ("textbox", "generic"): "an editable element is a field, also without a role",
}
"""Pairs of roles, ours and Chrome's, that may differ, and why."""

FOLDED: Final = {
    "form": "a form without a name is no landmark: its controls are printed",
    "rowgroup": "a group of rows without a name is folded: its rows are printed",
}
"""Nameless roles of Chrome's that are not printed, and why."""

MUTE: Final = "what has no name, no text and no control in it says nothing"
UNPLAYABLE: Final = "Chrome calls media that cannot be loaded by that fact, not by their name"
HINTED: Final = "the title of a mere box is told as its hint"
TITLED: Final = "an image with an empty alt is called by its title, as web-platform-tests ask"
EMPTY_ALT: Final = re.compile(r"<img\b.* alt(?=[ >])")
PICTURED: Final = "a picture that only repeats the name of the element around it is a part of it"
HIDDEN_OPTION: Final = "an option that is not shown cannot be chosen"
HIDDEN: Final = re.compile(r" hidden|display: ?none")


def excuse_for(ours: ElementReport, chrome: ElementReport, element: str) -> str:
    """Return the reason why the two may differ on an element, "" for none.

    Args:
        element: Its start tag.
    """
    if ours.role and ours.role != chrome.role:
        return EXCUSED.get((ours.role, chrome.role), "")
    if ours.role and not ours.name and ours.states.get("hint") == chrome.name:
        return HINTED
    if ours.role == "img" and not chrome.name and EMPTY_ALT.match(element):
        return TITLED
    if ours.role:
        return UNPLAYABLE if chrome.name == "Unable to play media." else ""
    if element.startswith("<option") and HIDDEN.search(element):
        return HIDDEN_OPTION
    if chrome.role == "img" and chrome.name and chrome.name in chrome.around:
        return PICTURED
    if chrome.name:
        return ""
    return FOLDED.get(chrome.role, MUTE if chrome.is_mute else "")

"""Chrome's own accessibility tree judges roles and names, element by element."""

from __future__ import annotations

import pytest

from tests.browser.walker.representative import PAGES
from tests.browser.walker.walked import Walked, numbered

SAME_ROLE = {
    "image": "img",
    "Iframe": "iframe",
    "Canvas": "canvas",
    "MathMLMath": "math",
    "Figcaption": "caption",
    # A disclosure triangle is pressed; dates and colours are text of a kind, told as [type=...].
    "DisclosureTriangle": "button",
    "Date": "textbox",
    "DateTime": "textbox",
    "InputTime": "textbox",
    "ColorWell": "textbox",
    # What Chrome tells apart but an agent need not.
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
}

EXCUSED = {
    ("none", ""): "an element without a role of its own can be clicked all the same",
    (
        "generic",
        "",
    ): "Chrome leaves out an element that says nothing; it is printed because it can be clicked",
    ("generic", "group"): "Chrome calls whatever can be dragged a group",
    ("paragraph", ""): "Chrome folds a paragraph that is all of a list item",
    (
        "option",
        "generic",
    ): "a custom option that is in no list is an option to whoever wants to choose it",
    ("treeitem", "generic"): "the same for trees",
}
"""Pairs of roles, ours and Chrome's, that may differ."""


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("all_refs", [False, True], ids=["refs", "all refs"])
async def test_roles_and_names_are_those_of_chrome(
    walked: Walked, page: str, all_refs: bool
) -> None:
    numbers = numbered(await walked.walk(PAGES[page], allRefs=all_refs))
    chrome = await walked.chromes_tree()
    ours, theirs = {}, {}
    for number in numbers:
        node = await walked.backend_node(number)
        told = await walked.call("describe", number)
        role, name = chrome.get(node["backendNodeId"], ("", ""))
        ours[number, node["localName"]] = told["role"], told["name"]
        theirs[number, node["localName"]] = SAME_ROLE.get(role, role), name
        if (told["role"], theirs[number, node["localName"]][0]) in EXCUSED:
            del ours[number, node["localName"]], theirs[number, node["localName"]]
    assert numbers
    assert ours == theirs


INTERACTIVE = {
    "button",
    "link",
    "textbox",
    "searchbox",
    "checkbox",
    "radio",
    "combobox",
    "listbox",
    "option",
    "slider",
    "spinbutton",
    "switch",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "tab",
    "treeitem",
}


@pytest.mark.parametrize("page", PAGES)
async def test_no_control_that_chrome_tells_is_missing(walked: Walked, page: str) -> None:
    numbers = numbered(await walked.walk(PAGES[page]))
    printed = {(await walked.backend_node(number))["backendNodeId"] for number in numbers}
    inner = await walked.browser_made()
    chrome = {
        node: told for node, told in (await walked.chromes_tree()).items() if node not in inner
    }
    assert {
        told for node, told in chrome.items() if told[0] in INTERACTIVE and node not in printed
    } == set()

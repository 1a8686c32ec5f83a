"""The calls of docs/tools.md for the capability `testing`."""

from __future__ import annotations

from scripts.tool_docs.example import SITE, Example, button

TESTS = (
    Example(
        "browser_export_script",
        {"filename": "../shop.spec.ts"},
        "The error for a file outside of the allowed directories.",
    ),
    Example("browser_navigate", {"url": f"{SITE}/index.html"}),
    Example("browser_click", {"ref": 'button "Accept"'}),
    Example(
        "browser_generate_locator",
        {"ref": button("Add Assam")},
        "Get a locator for a test. The argument `ref` of all tools accepts it.",
    ),
    Example(
        "browser_generate_locator",
        {"ref": 'button "Add Matcha"'},
        "The error for an element that does not exist.",
    ),
    Example(
        "browser_verify_element_visible",
        {"role": "button", "accessibleName": "Check stock"},
        "Verify that a button is visible.",
    ),
    Example(
        "browser_verify_element_visible",
        {"role": "button", "accessibleName": "Check the stock"},
        "The error lists similar elements.",
    ),
    Example(
        "browser_verify_text_visible", {"text": "0 in the cart"}, "Verify that a text is visible."
    ),
    Example(
        "browser_verify_text_visible", {"text": "2 in the cart"}, "The error lists similar texts."
    ),
    Example(
        "browser_verify_list_visible",
        {"ref": "#teas", "items": ["Sencha", "Assam"]},
        "Verify some items of a list.",
    ),
    Example(
        "browser_verify_list_visible",
        {"ref": "#teas", "items": ["Matcha"]},
        "The error lists the items that are there.",
    ),
    Example(
        "browser_verify_value",
        {"type": "textbox", "ref": 'searchbox "Search teas"', "value": ""},
        "Verify that a field is empty.",
    ),
    Example(
        "browser_verify_value",
        {"type": "textbox", "ref": 'searchbox "Search teas"', "value": "oolong"},
        "The error states the value.",
    ),
    Example(
        "browser_export_script",
        {"filename": "shop.spec.ts"},
        "Save the session as a test.",
    ),
)

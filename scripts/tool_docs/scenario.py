"""The calls whose replies docs/tools.md shows, in the order in which they are played."""

from __future__ import annotations

from scripts.tool_docs.devtools_scenario import DEVTOOLS
from scripts.tool_docs.example import PHOTO, SITE, Example, Named, button, link, step
from scripts.tool_docs.handover_scenario import HANDOFF
from scripts.tool_docs.network_scenario import NETWORK
from scripts.tool_docs.storage_scenario import STORAGE
from scripts.tool_docs.testing_scenario import TESTS
from scripts.tool_docs.webmcp_scenario import WEBMCP

OPEN_AND_READ = (
    Example("browser_navigate_back", {}, "The error in a new tab."),
    Example("browser_navigate", {"url": f"{SITE}/index.html"}, "Open a page and read it."),
    Example(
        "browser_navigate",
        {"url": f"{SITE}/missing.html"},
        "The reply to an HTTP error has the status, and shows the page of the error.",
    ),
    Example(
        "browser_navigate", {"url": "file:///etc/hosts"}, "Local files are refused by default."
    ),
    Example("browser_navigate", {"url": f"{SITE}/index.html"}),
    Example(
        "browser_click",
        {"ref": button("Add Sencha")},
        "Another element would receive the click. The error names it, with a ref.",
    ),
    Example("browser_click", {"ref": button("Accept")}, "Close the covering element."),
    Example("browser_click", {"ref": button("Add Sencha")}, "Click again."),
    Example("browser_snapshot", {}, "Read the whole page."),
    Example("browser_snapshot", {"ref": "#teas"}, "Read one part, selected by CSS."),
    Example("browser_snapshot", {"depth": 0}, "Read the top level only."),
    Example("browser_find", {"text": "sencha"}, "Find a text in any case."),
    Example("browser_find", {"regex": "/add (a|o)/i"}, "Find a regular expression."),
    Example("browser_find", {"text": "matcha"}, "A text that is not on the page is no error."),
)

TYPE_AND_WAIT = (
    Example(
        "browser_type",
        {"ref": Named("searchbox", "Search teas"), "text": "as", "element": "search box"},
        "Type into a field. The page filters its list at each input.",
    ),
    Example(
        "browser_click",
        {"ref": button("Add Sencha")},
        "The page has removed the element of the ref. The error names the former element.",
    ),
    Example("browser_press_key", {"key": "Control+a"}, "Press a key with a modifier."),
    Example("browser_press_key", {"key": "Backspce"}, "The error for a misspelled key."),
    Example("browser_press_key", {"key": "Backspace"}),
    Example("browser_click", {"ref": button("Check stock")}),
    Example("browser_wait_for", {"text": "All teas in stock"}, "Wait for a text."),
    Example(
        "browser_wait_for",
        {"text": "Sold out", "time": 0.5},
        "Limit the wait. The text does not appear in time.",
    ),
    Example("browser_wait_for", {"time": 0.2}, "Wait for a time."),
    Example("browser_click", {"ref": link("Price list")}, "A click that downloads a file."),
)

INSPECT = (
    Example(
        "browser_console_messages", {}, "List the messages since the page load.", has_data=True
    ),
    Example(
        "browser_console_messages", {"level": "error", "all": True}, "List all errors of the tab."
    ),
    Example("browser_console_messages", {"level": "trace"}, "The error for an unknown level."),
    Example(
        "browser_network_requests",
        {},
        "List the requests, without images, scripts and styles.",
        has_data=True,
    ),
    Example(
        "browser_network_requests",
        {"static": True, "filter": "/SHOP/i"},
        "List all requests whose URL matches a regular expression.",
    ),
    Example("browser_network_requests", {"filter": "prices"}, "No request is no error."),
    Example("browser_network_request", {"index": 4}, "Show the details of a request."),
    Example(
        "browser_network_request",
        {"index": 4, "part": "response-body"},
        "Show the body of the response.",
    ),
    Example("browser_network_request", {"index": 40}, "The error for an unknown index."),
    Example("browser_evaluate", {"function": "() => document.title"}, "Read a value."),
    Example(
        "browser_evaluate",
        {
            "ref": Named("searchbox", "Search teas"),
            "function": "(element) => ({ type: element.type, value: element.value })",
        },
        "Read an object from an element.",
    ),
    Example(
        "browser_evaluate",
        {"function": "() => document.querySelector('.price').textContent"},
        "The error of a script that throws.",
    ),
)

SCREENSHOTS = (
    Example("browser_take_screenshot", {}, "Save the viewport in a new file."),
    Example(
        "browser_take_screenshot",
        {"filename": ".viewpoint-mcp-screenshots/marked.png", "annotate": True},
        "Mark the elements with their refs. Elements in your last snapshot are not listed again.",
    ),
    Example(
        "browser_take_screenshot",
        {"type": "png", "filename": "shop.jpg"},
        "The error for a type that contradicts the file name.",
    ),
    Example("list_screenshots", {"limit": 1}, "List the newest screenshot.", has_data=True),
    Example("list_screenshots", {"cursor": "2"}, "The error for a cursor of no reply."),
    Example("get_screenshot", {"name": "marked.png"}, "Look at a saved screenshot again."),
    Example("get_screenshot", {"name": "shop.png"}, "The error for an unknown name."),
    Example(
        "crop_screenshot",
        {"name": "marked.png", "x": 0, "y": 0, "width": 400, "height": 60},
        "Read a region in full resolution.",
    ),
    Example(
        "crop_screenshot",
        {"name": "marked.png", "x": 0.5, "y": 2, "width": 0.5, "height": 1, "unit": "fractions"},
        "The error for a region outside the image.",
    ),
)

NAVIGATE = (
    Example("browser_click", {"ref": link("Workshop")}, "A click that opens another page."),
    Example("browser_navigate_back", {}, "Go to the page before."),
    Example("browser_navigate_forward", {}, "Go to the next page again."),
    Example("browser_navigate_forward", {}, "The error at the end of the history."),
    Example("browser_reload", {"ignoreCache": True}, "Load everything again."),
)

POINT = (
    Example(
        "browser_snapshot",
        {"ref": "#log", "allRefs": True, "boxes": True},
        "Read one part with a ref and a box for each element.",
    ),
    Example("browser_hover", {"ref": "#tip"}, "The error for an element that is not shown."),
    Example("browser_hover", {"ref": button("Help")}, "Show a tooltip."),
    Example(
        "browser_drag",
        {"startRef": Named("listitem", "Print labels"), "endRef": "#done"},
        "Drag a task to another list.",
    ),
    Example(
        "browser_drag",
        {"startRef": Named("listitem", "Weigh the tea"), "endRef": button("Help")},
        "The error for a drop that the page does not accept.",
    ),
    Example("browser_drop", {"ref": "#zone", "paths": [PHOTO]}, "Drop a file."),
    Example("browser_drop", {"ref": "#zone", "data": {"text/plain": "hello"}}, "Drop a text."),
    Example("browser_drop", {"ref": "#zone"}, "The error for a drop of nothing."),
    Example("browser_scroll_into_view", {"ref": "#zone"}, "Scroll an element into view."),
    Example("browser_scroll_into_view", {"ref": "#log", "to": "down"}, "Scroll inside an element."),
    Example(
        "browser_scroll_into_view",
        {"ref": button("Help"), "to": "left"},
        "The error for an element that does not scroll.",
    ),
)

COORDINATES = (
    Example("browser_mouse_click_xy", {"x": 100, "y": 120}, "Click a point."),
    Example("browser_mouse_click_xy", {"x": 5000, "y": 120}, "The error for a point outside."),
    Example("browser_mouse_move_xy", {"x": 60, "y": 160}, "Move the mouse."),
    Example("browser_mouse_move_xy", {"x": -1, "y": 160}, "The error for a point outside."),
    Example("browser_mouse_down", {}, "Press the left button there."),
    Example("browser_mouse_down", {}, "The error for a button that is down already."),
    Example("browser_mouse_move_xy", {"x": 90, "y": 190}, "Move on with the pressed button."),
    Example("browser_mouse_up", {}, "Release the button."),
    Example("browser_mouse_up", {"button": "right"}, "The error for a button that is not down."),
    Example(
        "browser_mouse_drag_xy",
        {"startX": 60, "startY": 160, "endX": 200, "endY": 220},
        "Draw a line.",
    ),
    Example(
        "browser_mouse_drag_xy",
        {"startX": 60, "startY": 160, "endX": 60, "endY": 160},
        "The error for a drag that goes nowhere.",
    ),
    Example("browser_mouse_move_xy", {"x": 400, "y": 120}),
    Example("browser_mouse_wheel", {"deltaY": -80}, "Scroll up below the mouse."),
    Example("browser_mouse_wheel", {}, "The error for a wheel that is not turned."),
)

FORM = (
    Example("browser_navigate", {"url": f"{SITE}/order.html"}),
    Example(
        "browser_select_option",
        {"ref": Named("combobox", "Tea"), "values": ["Assam"]},
        "Select an option by its text.",
    ),
    Example(
        "browser_select_option",
        {"ref": Named("combobox", "Tea"), "values": ["Matcha"]},
        "The error for an option that does not exist.",
    ),
    Example(
        "browser_fill_form",
        {
            "fields": [
                {
                    "name": "name",
                    "type": "textbox",
                    "ref": Named("textbox", "Name"),
                    "value": "Ada",
                },
                {"name": "day", "type": "textbox", "ref": "[name=delivery]", "value": "2026-03-31"},
                {
                    "name": "tea",
                    "type": "combobox",
                    "ref": Named("combobox", "Tea"),
                    "value": "Oolong",
                },
                {"name": "packs", "type": "slider", "ref": Named("slider", "Packs"), "value": "3"},
                {
                    "name": "gift wrap",
                    "type": "checkbox",
                    "ref": Named("checkbox", "Gift wrap"),
                    "value": "true",
                },
            ]
        },
        "Fill in a form with fields of several types.",
    ),
    Example(
        "browser_fill_form",
        {
            "fields": [
                {
                    "name": "name",
                    "type": "textbox",
                    "ref": Named("textbox", "Name"),
                    "value": "Ada",
                },
                {"name": "day", "type": "textbox", "ref": "[name=delivery]", "value": "31 March"},
                {"name": "packs", "type": "slider", "ref": Named("slider", "Packs"), "value": "12"},
            ]
        },
        "Two values are invalid, so nothing is filled.",
    ),
    Example(
        "browser_type",
        {"ref": Named("textbox", "Phone"), "text": "020 123 456"},
        "The page removes the spaces. The reply reports the content of the field.",
    ),
    Example(
        "browser_select_text",
        {"ref": Named("textbox", "Phone"), "text": "456"},
        "Select the last digits, to type others in their place.",
    ),
    Example(
        "browser_select_text",
        {"ref": Named("textbox", "Phone"), "text": "2"},
        "The error for a text that occurs several times.",
    ),
    Example("browser_file_upload", {"paths": [PHOTO]}, "Fill the only file input of the page."),
    Example("browser_file_upload", {"paths": ["missing.png"]}, "The error for a missing file."),
    Example(
        "browser_click",
        {"ref": button("Photo for the label")},
        "A click that opens a file chooser.",
    ),
    Example("browser_file_upload", {"paths": []}, "Cancel the open file chooser."),
    Example("browser_click", {"ref": button("Enter voucher")}, "A click that opens a dialog."),
    Example("browser_snapshot", {}, "A dialog blocks the other tools."),
    Example("browser_handle_dialog", {"accept": True, "promptText": "SPRING"}, "Answer a prompt."),
    Example("browser_handle_dialog", {"accept": True}, "Prepare the answer to the next dialog."),
    Example(
        "browser_click",
        {"ref": button("Place order")},
        "The page asks for confirmation, and the prepared answer is used.",
    ),
)

BATCHES = (
    Example(
        "browser_batch",
        {
            "calls": [
                step("browser_navigate", url=f"{SITE}/order.html"),
                step("browser_type", ref='textbox "Name"', text="Ada"),
                step("browser_select_option", ref='combobox "Tea"', values=["Assam"]),
                step("browser_evaluate", function="document.forms.length"),
            ]
        },
        "Open a page, fill in two fields and read a value.",
    ),
    Example(
        "browser_batch",
        {
            "calls": [
                step("browser_type", ref='textbox "Name"', text="Grace"),
                step("browser_click", ref='button "Enter voucher"'),
                step("browser_click", ref='button "Place order"'),
            ]
        },
        "A dialog ends the batch, because its next call does not answer it.",
    ),
    Example(
        "browser_batch",
        {"calls": [step("handle_dialog", accept=False), step("click")]},
        "All arguments are checked first.",
    ),
    Example("browser_handle_dialog", {"accept": False}),
)

VIEW = (
    Example(
        "browser_pdf_save",
        {"filename": "order.pdf", "format": "A4", "margin": "10mm 20mm"},
        "Save the page in a file.",
    ),
    Example("browser_pdf_save", {"pageRanges": "5-"}, "The error for a range beyond the end."),
    Example("browser_navigate", {"url": f"{SITE}/index.html"}),
    Example("browser_emulate_media", {"colorScheme": "dark"}, "Show the dark version of a page."),
    Example(
        "browser_emulate_media", {"colorScheme": None}, "Go back to the scheme of the context."
    ),
    Example("browser_emulate_media", {"media": "braille"}, "The error for an unknown value."),
    Example("browser_resize", {"width": 390, "height": 844}, "Use the size of a phone."),
    Example("browser_resize", {"width": 0, "height": 844}, "The error for a value out of range."),
)

TABS_AND_CONTEXTS = (
    Example("browser_click", {"ref": link("About us")}, "A click that opens a tab."),
    Example("browser_tabs", {"action": "list"}, "List the tabs.", has_data=True),
    Example("browser_tabs", {"action": "select", "index": 1}, "Make a tab active."),
    Example("browser_tabs", {"action": "close"}, "Close the active tab."),
    Example("browser_tabs", {"action": "select", "index": 7}, "The error for an unknown tab."),
    Example(
        "browser_tabs",
        {"action": "new", "url": f"{SITE}/about.html"},
        "Open a page in a new tab.",
    ),
    Example("browser_close", {}, "Close the active tab."),
    Example(
        "browser_context_create",
        {"name": "guest", "emulate": {"device": "Pixel 7", "locale": "de-DE"}},
        "Create a context that emulates a phone in Germany.",
    ),
    Example("browser_context_create", {"name": "guest"}, "The error for a name in use."),
    Example(
        "browser_context_create",
        {"name": "other", "emulate": {"device": "Pixel 77"}},
        "The error for an unknown device.",
    ),
    Example(
        "browser_navigate",
        {"url": f"{SITE}/about.html", "context": "guest"},
        "Open a page in another context.",
    ),
    Example("browser_context_list", {}, "List the contexts.", has_data=True),
    Example("browser_context_switch", {"name": "default"}, "Make another context active."),
    Example("browser_context_switch", {"name": "host"}, "The error for an unknown context."),
    Example(
        "browser_context_save_storage",
        {"path": "logins.json", "name": "default"},
        "Save the cookies and the storage of a context.",
    ),
    Example(
        "browser_context_save_storage",
        {"path": "../logins.json"},
        "The error for a file outside of the allowed directories.",
    ),
    Example("browser_context_close", {"name": "guest"}, "Close a context."),
    Example("browser_context_close", {"name": "default"}, "The last context cannot be closed."),
    Example("browser_close", {}),
    Example("browser_close", {}, "No tab is open any more."),
    Example("browser_install", {}, "A browser exists already."),
)

EXAMPLES = (
    *OPEN_AND_READ,
    *TYPE_AND_WAIT,
    *INSPECT,
    *SCREENSHOTS,
    *NAVIGATE,
    *POINT,
    *COORDINATES,
    *FORM,
    *BATCHES,
    *VIEW,
    *TABS_AND_CONTEXTS,
    *STORAGE,
    *NETWORK,
    *DEVTOOLS,
    *HANDOFF,
    *WEBMCP,
    *TESTS,
)

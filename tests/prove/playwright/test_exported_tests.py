"""Exported tests pass with real Playwright, and fail if the page shows something else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import OpenHere
from tests.e2e.support.client import ServerClient
from tests.prove.playwright.runners import run_python, run_typescript
from tests.site import Site

POPUP = """<title>Popup</title><h1>Popup</h1>
<button onclick="document.body.append('Popped')">Inside</button>"""
SHOP = """<!doctype html><title>Shop</title><h1>Shop</h1>
<button onclick="document.body.append('Clicked')">Go</button>
<button onclick="if (confirm('Sure?')) document.body.append(prompt('Name?'))">Ask</button>
<button onclick="setTimeout(() => alert('Late'), 200)">Later</button>
<a href="POPUP" target=_blank>Pop</a>
<button data-qa=buy onclick="this.textContent = 'Bought'">Buy</button>
<label>Email <input></label> <label>Password <input type=password></label>
<label>Size <select><option value=s>Small<option value=m>Medium</select></label>
<label><input type=checkbox> News</label> <label><input type=radio name=r> Red</label>
<label>Day <input type=date></label> <input type=range aria-label=Volume value=10>
<div role=slider aria-label=Heat aria-valuenow=5 tabindex=0></div>
<textarea aria-label=Note>One two</textarea>
<input type=file hidden onchange="document.body.append(this.files[0].name)">
<button onclick="document.querySelector('input[type=file]').click()">Upload</button>
<ul aria-label=Teas><li>Oolong <button onclick="this.parentNode.remove()">Delete</button>
<li>Assam <button onclick="this.parentNode.remove()">Delete</button></ul>
<iframe title=Pay srcdoc="<label>Card <input></label>
<button onclick='document.body.append(1 + 1)'>Pay</button>"></iframe>
<div role=combobox aria-label=Tea aria-expanded=false tabindex=0
  onclick="teas.hidden = false">-</div>
<div id=teas role=listbox hidden><div role=option onclick="teas.hidden = true;
  document.querySelector('[role=combobox]').textContent = 'Green'">Green</div></div>
<div id=pad style="width: 200px; height: 60px; background: silver"
  onclick="document.body.append('Pad')"></div>"""

FIELDS: list[dict[str, str]] = [
    {"name": "Size", "type": "combobox", "ref": "select", "value": "Medium"},
    {"name": "News", "type": "checkbox", "ref": 'checkbox "News"', "value": "true"},
    {"name": "Red", "type": "radio", "ref": 'radio "Red"', "value": "true"},
    {"name": "Day", "type": "textbox", "ref": 'textbox "Day"', "value": "2026-01-31"},
    {"name": "Volume", "type": "slider", "ref": 'slider "Volume"', "value": "70"},
    {"name": "Card", "type": "textbox", "ref": 'textbox "Card"', "value": "42"},
]

SESSION: list[tuple[str, dict[str, Any]]] = [
    ("browser_click", {"ref": 'button "Go"'}),
    ("browser_verify_text_visible", {"text": "clicked"}),
    ("browser_click", {"ref": 'button "Ask"'}),
    ("browser_handle_dialog", {"accept": True}),
    ("browser_handle_dialog", {"accept": True, "promptText": "Anna"}),
    ("browser_verify_text_visible", {"text": "Anna"}),
    ("browser_click", {"ref": 'button "Later"'}),
    ("browser_handle_dialog", {"accept": False}),
    ("browser_type", {"ref": 'textbox "Email"', "text": "a@b.c", "submit": True}),
    ("browser_verify_value", {"type": "textbox", "ref": 'textbox "Email"', "value": "a@b.c"}),
    ("browser_type", {"ref": 'textbox "Password"', "text": "PASSWORD"}),
    ("browser_verify_value", {"type": "textbox", "ref": 'textbox "Password"', "value": "PASSWORD"}),
    ("browser_fill_form", {"fields": FIELDS}),
    ("browser_verify_value", {"type": "combobox", "ref": "select", "value": "Medium"}),
    ("browser_verify_value", {"type": "checkbox", "ref": 'checkbox "News"', "value": "true"}),
    ("browser_verify_value", {"type": "slider", "ref": 'slider "Volume"', "value": "70"}),
    ("browser_verify_value", {"type": "slider", "ref": 'slider "Heat"', "value": "5"}),
    ("browser_verify_value", {"type": "textbox", "ref": 'textbox "Card"', "value": "42"}),
    ("browser_select_option", {"ref": 'combobox "Tea"', "values": ["Green"]}),
    ("browser_select_text", {"ref": 'textbox "Note"', "text": "two"}),
    ("browser_type", {"text": "three"}),
    ("browser_verify_value", {"type": "textbox", "ref": 'textbox "Note"', "value": "One three"}),
    ("browser_click", {"ref": 'button "Pay"'}),
    ("browser_click", {"ref": 'button "Upload"'}),
    ("browser_file_upload", {"paths": ["note.txt"]}),
    ("browser_verify_text_visible", {"text": "note.txt"}),
    ("browser_click", {"ref": 'button "Delete" in listitem "Oolong"'}),
    ("browser_verify_list_visible", {"ref": 'list "Teas"', "items": ["Assam"]}),
    ("browser_click", {"ref": "getByTestId('buy')"}),
    ("browser_verify_element_visible", {"role": "button", "accessibleName": "Bought"}),
    ("browser_click", {"ref": 'button "Missing"'}),
    ("browser_resize", {"width": 900, "height": 700}),
    ("browser_press_key", {"key": "ctrl+Home"}),
    ("browser_evaluate", {"function": "const a = 'Ran'; document.body.append(a)"}),
    ("browser_verify_text_visible", {"text": "Ran"}),
    ("browser_wait_for", {"text": "Shop"}),
    ("browser_click", {"ref": 'link "Pop"'}),
    ("browser_tabs", {"action": "select", "index": 1}),
    (
        "browser_batch",
        {
            "calls": [
                {"tool": "browser_click", "arguments": {"ref": 'button "Inside"'}},
                {"tool": "browser_verify_text_visible", "arguments": {"text": "Popped"}},
            ]
        },
    ),
    ("browser_verify_element_visible", {"role": "heading", "accessibleName": "Popup"}),
    ("browser_tabs", {"action": "close"}),
    ("browser_verify_element_visible", {"role": "heading", "accessibleName": "Shop"}),
]

pytestmark = [pytest.mark.prove, pytest.mark.time_limit(300)]


@pytest.fixture
async def recorded(open_here: OpenHere, tmp_path: Path, site: Site) -> Any:
    """Return a server that has performed the session."""
    (tmp_path / "secrets.env").write_text("PASSWORD=correct horse\n")
    (tmp_path / "note.txt").write_text("x")
    flags = ("--caps=testing", "--test-id-attribute=data-qa", "--secrets=secrets.env")
    popup = site.page(POPUP)
    url = site.page(SHOP.replace("POPUP", popup))
    async with open_here(*flags, cwd=tmp_path) as server:
        await server.initialize()
        await server.call("browser_navigate", url=url)
        for tool, arguments in SESSION:
            reply = await server.call(tool, **arguments)
            assert reply.is_error == ("Missing" in str(arguments)), reply.text
        await server.call(
            "browser_context_create", name="guest", emulate={"locale": "de-DE", "device": "Pixel 7"}
        )
        await server.call("browser_navigate", url=popup)
        await server.call("browser_verify_element_visible", role="button", accessibleName="Inside")
        await server.call("browser_context_close", name="guest")
        await server.call("browser_tabs", action="new", url=popup)
        await server.call("browser_click", ref='button "Inside"')
        await server.call("browser_verify_text_visible", text="Popped")
        yield server


async def test_an_exported_session_passes_in_both_languages(
    recorded: ServerClient, chromium: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASSWORD", "correct horse")
    saved = await recorded.call("browser_export_script", filename="shop.spec.ts")
    assert "Left out: 1 failed call" in saved.text
    assert "As a comment" not in saved.text
    output = await run_typescript(recorded.cwd / "shop.spec.ts", chromium)
    assert "1 passed" in output, output
    await recorded.call("browser_export_script", filename="test_shop.py", language="python")
    output = await run_python(recorded.cwd / "test_shop.py", chromium)
    assert "1 passed" in output, output


async def test_an_exported_session_fails_if_a_verification_does_not_hold(
    recorded: ServerClient, chromium: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASSWORD", "correct horse")
    script = recorded.cwd / "shop.spec.ts"
    await recorded.call("browser_export_script", filename=script.name)
    script.write_text(script.read_text().replace("toHaveValue('42')", "toHaveValue('43')"))
    output = await run_typescript(script, chromium)
    assert "toHaveValue" in output
    assert "1 failed" in output

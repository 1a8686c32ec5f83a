"""`--writable-origins`: the agent reads all pages, and acts on those of the list."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.e2e.conftest import StartServer
from tests.site import Site

FORM = """<title>Shop</title><button onclick="document.title = 'bought'">Buy</button>
  <label>Name <input></label><label>File <input type=file></label>
  <select aria-label=Size><option>S<option>L</select>"""
ACTIONS: dict[str, dict[str, Any]] = {
    "browser_click": {"ref": "button"},
    "browser_type": {"ref": "input", "text": "x"},
    "browser_fill_form": {
        "fields": [{"name": "Name", "type": "textbox", "ref": "input", "value": "x"}]
    },
    "browser_select_option": {"ref": "select", "values": ["L"]},
    "browser_press_key": {"key": "Enter"},
    "browser_file_upload": {"paths": ["a.txt"]},
    "browser_handle_dialog": {"accept": True},
    "browser_evaluate": {"function": "document.title = 'bought'"},
    "browser_mouse_click_xy": {"x": 5, "y": 5},
    "browser_localstorage_set": {"key": "a", "value": "b"},
}
READS: dict[str, dict[str, Any]] = {
    "browser_snapshot": {},
    "browser_find": {"text": "Buy"},
    "browser_hover": {"ref": "button"},
    "browser_mouse_wheel": {"deltaX": 0, "deltaY": 50},
    "browser_take_screenshot": {},
    "browser_handle_dialog": {"accept": False},
}


async def test_pages_of_other_origins_can_only_be_read(
    open_server: StartServer, site: Site, tmp_path: Path
) -> None:
    flags = ("--writable-origins=shop.test", "--caps=vision,storage")
    (tmp_path / "a.txt").write_text("a")
    async with open_server(*flags, cwd=tmp_path) as server:
        await server.initialize()
        url = site.page(FORM)
        await server.call("browser_navigate", url=url)
        for name, arguments in ACTIONS.items():
            reply = await server.call(name, **arguments)
            expected = f"{name} was not run: the agent may only read {url}."
            assert expected in reply.sections["Error"], name
            assert reply.raw["structuredContent"]["error"]["code"] == "blocked", name
        for name, arguments in READS.items():
            assert not (await server.call(name, **arguments)).is_error, name
        batch = [{"tool": "browser_click", "arguments": {"ref": "button"}}]
        steps = await server.call("browser_batch", calls=batch)
        assert "--writable-origins permits actions on shop.test" in steps.text
        page = await server.call("browser_snapshot")
    assert "Page Title: Shop" in page.text


async def test_pages_of_the_list_can_be_acted_on(
    open_server: StartServer, site: Site, tmp_path: Path
) -> None:
    async with open_server("--writable-origins=127.0.0.1;localhost", cwd=tmp_path) as server:
        await server.initialize()
        await server.call("browser_navigate", url=site.page(FORM))
        reply = await server.call("browser_click", ref="button")
    assert "Clicked" in reply.sections["Result"]

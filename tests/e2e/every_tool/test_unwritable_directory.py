"""A server in a directory that it cannot write to, as clients start it in `/`."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import OpenHere, StartServer
from tests.e2e.support import ordinary_user
from tests.e2e.support.client import StdioClient
from tests.site import Site
from viewpoint_mcp.tools.catalog import OPTIONAL_CAPABILITIES

pytestmark = pytest.mark.time_limit(90)

PAGE = """<title>Shop</title><h1>Shop</h1>
<label>Name <input id=name></label> <input type=file id=file aria-label=File>
<select aria-label=Size><option>S<option>M</select>
<button onclick="console.log('bought'); fetch('/sold')">Buy</button>
<button id=ask onclick="setTimeout(() => confirm('Sure?'))">Ask</button>
<p id=from draggable=true>Drag</p>
<p id=to ondragover="event.preventDefault()" ondrop="event.preventDefault()">Drop</p>
<a href=/list.csv download>List</a><ul><li>Tea</ul>"""
ROWS = "".join(f"<tr><td>{n}<td>Row number {n} of a long table" for n in range(3000))
NEEDS_SHOT = ("get_screenshot", "crop_screenshot")
FIELD = {"ref": "#name", "name": "Name", "type": "textbox", "value": "Eva"}
OFFER = """document.modelContext.registerTool(
  { name: "long", description: "Long", execute: () => "x".repeat(100000) })"""
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("browser_install", {}),
    ("browser_start_tracing", {}),
    ("browser_navigate", {"to": "page"}),
    ("browser_take_screenshot", {}),
    ("list_screenshots", {}),
    ("get_screenshot", {}),
    ("crop_screenshot", {"x": 0, "y": 0, "width": 50, "height": 50}),
    ("browser_take_screenshot", {"filename": "named.png"}),
    ("browser_snapshot", {"filename": "page.yml"}),
    ("browser_find", {"text": "Buy", "filename": "found.txt"}),
    ("browser_pdf_save", {}),
    ("browser_hover", {"ref": "text=Buy"}),
    ("browser_click", {"ref": "text=Buy"}),
    ("browser_click", {"ref": "text=List"}),
    ("browser_drag", {"startRef": "#from", "endRef": "#to"}),
    ("browser_drop", {"ref": "#to", "data": {"text/plain": "x"}}),
    ("browser_scroll_into_view", {"ref": "#to"}),
    ("browser_type", {"ref": "#name", "text": "Ada"}),
    ("browser_select_text", {"ref": "#name", "text": "Ada"}),
    ("browser_press_key", {"key": "Control+C"}),
    ("browser_fill_form", {"fields": [FIELD]}),
    ("browser_select_option", {"ref": "select", "values": ["M"]}),
    ("browser_network_requests", {"filename": "requests.txt"}),
    ("browser_network_request", {"index": 1, "filename": "request.txt"}),
    ("browser_console_messages", {"filename": "console.txt"}),
    ("browser_evaluate", {"function": "() => 'x'", "filename": "value.txt"}),
    ("browser_evaluate", {"function": "() => 'x'.repeat(100000)"}),
    ("browser_wait_for", {"text": "Shop"}),
    ("browser_batch", {"calls": [{"name": "browser_take_screenshot", "arguments": {}}]}),
    ("browser_click", {"ref": "#ask"}),
    ("browser_handle_dialog", {"accept": True}),
    ("browser_click", {"ref": "#file"}),
    ("browser_file_upload", {"paths": ["page.yml"]}),
    ("browser_mouse_move_xy", {"x": 5, "y": 5}),
    ("browser_mouse_click_xy", {"x": 5, "y": 5}),
    ("browser_mouse_drag_xy", {"startX": 5, "startY": 5, "endX": 9, "endY": 9}),
    ("browser_mouse_down", {}),
    ("browser_mouse_up", {}),
    ("browser_mouse_wheel", {"deltaY": 10}),
    ("browser_resize", {"width": 900, "height": 700}),
    ("browser_emulate_media", {"colorScheme": "dark"}),
    ("browser_reload", {}),
    ("browser_navigate", {"to": "long"}),
    ("browser_snapshot", {}),
    ("browser_navigate_back", {}),
    ("browser_navigate_forward", {}),
    ("browser_tabs", {"action": "list"}),
    ("browser_context_save_storage", {"path": "state.json"}),
    ("browser_context_create", {"name": "other", "storageState": "state.json"}),
    ("browser_context_switch", {"name": "default"}),
    ("browser_context_list", {}),
    ("browser_context_close", {"name": "other"}),
    ("browser_navigate", {"to": "page"}),
    ("browser_cookie_set", {"name": "tea", "value": "green"}),
    ("browser_cookie_get", {"name": "tea"}),
    ("browser_cookie_list", {}),
    ("browser_localstorage_set", {"key": "tea", "value": "green"}),
    ("browser_localstorage_get", {"key": "tea"}),
    ("browser_localstorage_list", {}),
    ("browser_sessionstorage_set", {"key": "tea", "value": "green"}),
    ("browser_sessionstorage_get", {"key": "tea"}),
    ("browser_sessionstorage_list", {}),
    ("browser_storage_state", {"filename": "storage.json"}),
    ("browser_set_storage_state", {"filename": "storage.json"}),
    ("browser_cookie_delete", {"name": "tea"}),
    ("browser_cookie_clear", {}),
    ("browser_localstorage_delete", {"key": "tea"}),
    ("browser_localstorage_clear", {}),
    ("browser_sessionstorage_delete", {"key": "tea"}),
    ("browser_sessionstorage_clear", {}),
    ("browser_route", {"pattern": "**/sold", "path": "storage.json"}),
    ("browser_route_list", {}),
    ("browser_unroute", {}),
    ("browser_network_state_set", {"state": "offline"}),
    ("browser_network_state_set", {"state": "online"}),
    ("browser_network_export_har", {"filename": "traffic.har"}),
    ("browser_verify_element_visible", {"role": "button", "accessibleName": "Buy"}),
    ("browser_verify_text_visible", {"text": "Shop"}),
    ("browser_verify_list_visible", {"ref": "ul", "items": ["Tea"]}),
    ("browser_verify_value", {"type": "textbox", "ref": "#name", "value": ""}),
    ("browser_generate_locator", {"ref": "#name"}),
    ("browser_export_script", {"filename": "shop.spec.ts"}),
    ("browser_emulate", {"viewport": "390x844"}),
    ("browser_highlight", {"ref": "#name"}),
    ("browser_hide_highlight", {}),
    ("browser_start_video", {"filename": "film.webm"}),
    ("browser_video_show_actions", {}),
    ("browser_video_chapter", {"title": "The end"}),
    ("browser_video_hide_actions", {}),
    ("browser_stop_video", {}),
    ("browser_stop_tracing", {}),
    ("browser_get_config", {}),
    ("browser_live_view", {}),
    ("browser_ask_user", {"message": "Log in", "timeout": 0}),
    ("browser_evaluate", {"function": OFFER}),
    ("browser_webmcp_list", {}),
    ("browser_webmcp_call", {"name": "long"}),
    ("browser_close", {}),
]


@asynccontextmanager
async def in_root(
    executable: str, home: Path, temporary: Path, log_dir: Path, *flags: str
) -> AsyncIterator[StdioClient]:
    """Open a server in `/`, as a user who cannot write there."""
    ordinary_user.make_reachable(Path(executable))
    home_variables = {"HOME": str(home), "XDG_CACHE_HOME": "", "VIEWPOINT_MCP_CACHE_DIR": ""}
    async with StdioClient.open(
        *("--headless", "--executable-path", executable, *flags),
        cwd=Path("/"),
        log_dir=log_dir,
        env=home_variables | {"TMPDIR": str(temporary), "PYTHONDONTWRITEBYTECODE": "1"},
        prefix=ordinary_user.make_prefix(),
    ) as client:
        await client.initialize()
        yield client


async def test_in_the_root_directory_an_ordinary_user_can_use_every_tool(
    executable: str, tmp_path: Path, site: Site
) -> None:
    home, temporary = ordinary_user.make_directory(), ordinary_user.make_directory()
    site.respond("/list.csv", "a,b", content_type="text/csv")
    addresses = {
        "page": site.page(PAGE),
        "long": site.page(f"<table>{ROWS}</table>"),
    }
    flags = (f"--caps={','.join(OPTIONAL_CAPABILITIES)}", "--save-session")
    async with in_root(executable, home, temporary, tmp_path, *flags) as server:
        shot = ""
        for tool, arguments in CALLS:
            given: dict[str, Any] = {"name": shot} if tool in NEEDS_SHOT else {}
            if tool == "browser_navigate":
                given["url"] = addresses[arguments["to"]]
                arguments = {}
            reply = await server.call(tool, **arguments, **given)
            assert not reply.is_error, f"{tool}: {reply.text}"
            if found := re.search(r"saved to \S+/(page-\S+\.png)", reply.text):
                shot = found[1]
        uncalled = (await server.tools()).keys() - {tool for tool, _ in CALLS}
        assert not uncalled, f"Add a call of each of these tools to CALLS: {sorted(uncalled)}"
        [directory] = home.glob(".cache/viewpoint-mcp/*/files")
        assert f"Files are saved in {directory}" in server.stderr
        saved = {path.name for path in directory.iterdir()}
    named = {arguments["filename"] for _, arguments in CALLS if "filename" in arguments}
    assert saved >= named | {"state.json", "list.csv"}
    assert any(name.startswith("session-") for name in saved)


async def test_the_first_reply_that_names_a_file_explains_its_directory_once(
    executable: str, tmp_path: Path, site: Site
) -> None:
    """The home directory of this user does not exist, as that of many system users."""
    temporary = ordinary_user.make_directory()
    async with in_root(executable, tmp_path / "none", temporary, tmp_path) as server:
        first = await server.call("browser_navigate", url=site.page(PAGE))
        shots = [await server.call("browser_take_screenshot") for _ in range(2)]
    assert "Files are saved" not in first.text
    [directory] = temporary.glob("viewpoint-mcp-*/*/files")
    assert f"Screenshot saved to {directory}/page-" in shots[0].text
    assert f"- Files are saved in {directory}, because" in shots[0].sections["Events"]
    assert "--output-dir" in shots[0].sections["Events"]
    assert "Events" not in shots[1].sections
    assert directory.parent.parent.stat().st_mode & 0o077 == 0


async def test_a_reply_is_complete_although_its_file_could_not_be_saved(
    open_here: OpenHere, tmp_path: Path, site: Site
) -> None:
    (tmp_path / "file").touch()
    rows = site.page(f"<h1>Long</h1><table>{ROWS}</table>")
    async with open_here("--output-dir=file/out", cwd=tmp_path) as server:
        page = await server.call("browser_navigate", url=rows)
        text = await server.call("browser_evaluate", function="() => 'x'.repeat(100000)")
        shot = await server.call("browser_take_screenshot")
        asked = await server.call("browser_snapshot")
        pdf = await server.call("browser_snapshot", filename="file/out/page.yml")
    reason = "cannot be written: Not a directory. Start the server with a writable directory"
    for reply in (text, shot, asked):
        assert not reply.is_error
        assert f"{tmp_path}/file/out/page-" in reply.text
        assert reason in reply.text
        assert "--output-dir" in reply.text
    assert "To read more, return less." in text.text
    assert "Row number 1 of a long table" in asked.text
    assert "Long" in page.sections["Snapshot"]
    assert len(shot.images) == 1
    assert "but not saved: " in shot.text
    assert pdf.is_error


async def test_snapshots_are_in_the_reply_if_they_cannot_be_saved(
    open_here: OpenHere, tmp_path: Path, site: Site
) -> None:
    (tmp_path / "file").touch()
    flags = ("--output-dir=file", "--snapshot-mode=file")
    async with open_here(*flags, cwd=tmp_path) as server:
        reply = await server.call("browser_navigate", url=site.page(PAGE))
    assert 'heading "Shop"' in reply.sections["Snapshot"]
    assert "is not a directory" in reply.sections["Snapshot"]


async def test_without_a_flag_a_writable_directory_keeps_the_files(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    async with open_server("--image-responses=inline", cwd=tmp_path) as server:
        await server.call("browser_navigate", url=site.page(PAGE))
        reply = await server.call("browser_take_screenshot")
        assert "Files are saved" not in server.stderr + reply.text
    assert "saved to .viewpoint-mcp-screenshots/page-" in reply.text

"""The code of a failed call, as programs read it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import OpenHere, Show
from tests.e2e.protocol.answer_shapes import check, matches
from tests.e2e.support.client import Reply, ServerClient
from tests.site import Site

PAGE = """<button id=plain>Plain</button> <button id=off disabled>Off</button>
<button id=none style="visibility: hidden">Hidden</button>
<input id=word> <input id=day type=date> <p id=text>Words</p>
<button id=ask onclick="alert('Hello')">Ask</button>
<div style="position: relative"><button id=under>Under</button>
<div style="position: absolute; inset: 0; background: white"><button>Over</button></div></div>"""


def error_of(reply: Reply) -> dict[str, Any]:
    """Return the error of a failed call. Its message is that of the text."""
    assert reply.is_error
    error: dict[str, Any] = reply.raw["structuredContent"]["error"]
    assert error["message"] == reply.sections["Error"]
    assert reply.raw["_meta"]["error"] == {"code": error["code"]}
    return error


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("browser_click", {}, "invalid_argument"),
        ("browser_click", {"ref": "button"}, "invalid_argument"),
        ("browser_tabs", {"action": "select", "index": 7}, "invalid_argument"),
        ("browser_network_requests", {"filter": "("}, "invalid_argument"),
        ("browser_navigate", {"url": "file:///etc/hostname"}, "blocked"),
        ("browser_navigate", {"url": "chrome://settings"}, "blocked"),
        ("browser_snapshot", {"filename": "../../page.yml"}, "blocked"),
        ("browser_click", {"ref": "e99999"}, "stale_ref"),
        ("browser_click", {"ref": "p7e1"}, "stale_ref"),
        ("browser_click", {"ref": 'button "None"'}, "not_found"),
        ("browser_click", {"ref": "#none"}, "not_visible"),
        ("browser_click", {"ref": "#under"}, "covered"),
        ("browser_click", {"ref": "#off"}, "disabled"),
        ("browser_type", {"ref": "#text", "text": "a"}, "disabled"),
        ("browser_type", {"ref": "#day", "text": "a"}, "action_failed"),
        ("browser_evaluate", {"function": "() => { throw Error('No') }"}, "script_failed"),
        ("browser_wait_for", {"text": "never", "time": 0.1}, "timeout"),
        ("browser_navigate", {"url": "http://127.0.0.1:1/"}, "navigation_failed"),
    ],
)
async def test_a_failed_call_has_a_code(
    shared_server: ServerClient, show: Show, tool: str, arguments: dict[str, Any], code: str
) -> None:
    await show(PAGE)
    reply = await shared_server.call(tool, **arguments)
    assert error_of(reply)["code"] == code
    schema = (await shared_server.tools())[tool].get("outputSchema")
    if schema is not None:
        matches(schema, reply.raw["structuredContent"])


async def test_the_end_of_the_history_and_an_open_dialog_have_codes(
    server: ServerClient, site: Site
) -> None:
    await server.call("browser_navigate", url=site.page(PAGE))
    assert error_of(await server.call("browser_navigate_forward"))["code"] == "navigation_failed"
    await server.call("browser_click", ref="#ask")
    assert error_of(await server.call("browser_snapshot"))["code"] == "modal_open"


async def test_the_rest_of_the_reply_is_in_the_notes(
    shared_server: ServerClient, show: Show
) -> None:
    await show(PAGE)
    reply = await shared_server.call("browser_click", ref="e99999")
    notes = reply.raw["structuredContent"]["notes"]
    assert f"### Snapshot\n{reply.sections['Snapshot']}" in notes
    assert reply.sections["Page"] in notes


async def test_a_batch_has_the_code_of_the_failed_step(
    shared_server: ServerClient, show: Show
) -> None:
    await show(PAGE)
    steps = [
        {"tool": "browser_type", "arguments": {"ref": "#word", "text": "a"}},
        {"tool": "browser_click", "arguments": {"ref": "#off"}},
    ]
    reply = await shared_server.call("browser_batch", calls=steps)
    error = error_of(reply)
    assert error["code"] == "disabled"
    assert error["message"].startswith("Step 2 (browser_click) failed: ")
    invalid = await shared_server.call("browser_batch", calls=[{"tool": "click"}])
    assert error_of(invalid)["code"] == "invalid_argument"


async def test_a_successful_call_has_no_code(shared_server: ServerClient, show: Show) -> None:
    reply = await show("<h1>Fine</h1>")
    assert "structuredContent" not in reply.raw
    assert "_meta" not in reply.raw


async def test_a_client_of_an_old_version_gets_the_code_too(
    open_here: OpenHere, tmp_path: Path
) -> None:
    async with open_here(cwd=tmp_path) as server:
        await server.initialize("2024-11-05")
        reply = await server.call("browser_navigate", url="file:///etc/hostname")
        assert reply.raw["_meta"] == {"error": {"code": "blocked"}}
        check("CallToolResult", reply.raw, "2024-11-05")

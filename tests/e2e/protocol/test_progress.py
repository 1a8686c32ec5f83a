"""Progress of long calls, and their end when the client cancels them, in both protocol eras."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from tests.e2e.conftest import Hold
from tests.e2e.protocol.answer_shapes import SESSION_VERSION, SESSIONLESS_VERSION
from tests.e2e.protocol.revision_client import RevisionClient
from tests.e2e.support.client import Message, ServerClient
from tests.site import Site

ERAS = [SESSION_VERSION[-1], SESSIONLESS_VERSION]


@pytest.mark.parametrize(
    ("era", "token"),
    [(ERAS[0], "mine"), pytest.param(ERAS[0], 0, marks=pytest.mark.prove), (ERAS[1], 7)],
)
async def test_progress_increases_until_the_answer_and_then_stops(
    shared_server: ServerClient, era: str, token: str | int
) -> None:
    speaker = RevisionClient(shared_server, era)
    answer = await speaker.call("browser_wait_for", {"time": 2.2}, progressToken=token)
    assert "Waited for 2.2 s" in answer["result"]["content"][0]["text"]
    messages = [each["params"] for each in speaker.notifications]
    assert {each["method"] for each in speaker.notifications} == {"notifications/progress"}
    assert [each["progressToken"] for each in messages] == [token] * len(messages)
    assert all(before["progress"] < after["progress"] for before, after in pairwise(messages))
    assert len(messages) >= 2


@pytest.mark.parametrize("token", [None, True])
async def test_an_invalid_token_gets_no_progress(
    shared_server: ServerClient, token: object
) -> None:
    speaker = RevisionClient(shared_server, SESSION_VERSION[-1])
    meta = {} if token is None else {"progressToken": token}
    await speaker.call("browser_wait_for", {"time": 1.1}, **meta)
    assert speaker.notifications == []


# Each ends in a browser operation that lasts until it is cancelled.
LONG: dict[str, dict[str, Any]] = {
    "browser_wait_for": {"text": "never"},
    "browser_evaluate": {"function": "() => new Promise(() => {})"},
    "browser_navigate": {"url": "HELD"},
    "browser_file_upload": {"paths": ["up.txt"]},
}


@pytest.mark.parametrize(
    ("tool", "era"), [(tool, ERAS[number % 2]) for number, tool in enumerate(LONG)]
)
async def test_a_cancelled_call_ends_and_the_next_is_served(
    shared_server: ServerClient, site: Site, hold: Hold, tool: str, era: str
) -> None:
    held = hold(f"/held-{tool}")
    slow = f"onchange=\"fetch('{held}').then(() => 0)\""
    await shared_server.call(
        "browser_navigate", url=site.page(f"<h1>Here</h1><input type=file {slow}>")
    )
    (shared_server.cwd / "up.txt").write_text("up")
    arguments = {key: held if value == "HELD" else value for key, value in LONG[tool].items()}
    speaker = RevisionClient(shared_server, era)
    params = {"name": tool, "arguments": arguments}
    request_id = await speaker.send("tools/call", params, progressToken="given up")
    first: Message = await speaker.receive()
    assert first["method"] == "notifications/progress", first
    await shared_server.notify("notifications/cancelled", {"requestId": request_id})
    answer = await speaker.call("browser_evaluate", {"function": "1 + 1"})
    assert "### Result\n2" in answer["result"]["content"][0]["text"]
    # A notification from before the cancellation may still have been on its way.
    speaker.notifications.clear()
    await speaker.call("browser_wait_for", {"time": 1.2})
    assert speaker.notifications == []


async def test_a_context_whose_creation_is_cancelled_is_not_listed(
    shared_server: ServerClient,
) -> None:
    saved = [{"name": "key", "value": "v"}]
    origins = [{"origin": f"https://site{n}.test", "localStorage": saved} for n in range(100)]
    (shared_server.cwd / "state.json").write_text(json.dumps({"cookies": [], "origins": origins}))
    speaker = RevisionClient(shared_server, SESSIONLESS_VERSION)
    params = {
        "name": "browser_context_create",
        "arguments": {"name": "slow", "storageState": "state.json"},
    }
    request_id = await speaker.send("tools/call", params, progressToken="given up")
    assert (await speaker.receive())["method"] == "notifications/progress"
    await shared_server.notify("notifications/cancelled", {"requestId": request_id})
    listed = await speaker.call("browser_context_list")
    contexts = listed["result"]["structuredContent"]["contexts"]
    assert [each["name"] for each in contexts] == ["default"]

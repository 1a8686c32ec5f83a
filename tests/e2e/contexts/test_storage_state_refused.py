"""Storage states that are not taken, or may not be saved: nothing is left of the attempt."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.e2e.contexts.storage_states import context_names, ok
from tests.e2e.support.client import ServerClient

COOKIE = {"name": "c", "value": "hush", "domain": "a.test"}


async def refusal(server: ServerClient, file: str, content: object = None) -> str:
    """Have a context refused that is to begin with that file; return the error."""
    if content is not None:
        (server.cwd / file).write_text(json.dumps(content))
    before = await context_names(server)
    reply = await server.call("browser_context_create", name="bad", storageState=file)
    assert reply.is_error
    assert "hush" not in reply.text
    assert await context_names(server) == before
    return reply.sections["Error"]


async def test_refused_cookies_are_named(shared_server: ServerClient) -> None:
    bad = [COOKIE | {"name": "__Host-bad"}, COOKIE | {"name": "bad", "path": "x"}]
    error = await refusal(shared_server, "bad.json", {"cookies": [COOKIE, *bad]})
    assert 'of the storage state: "__Host-bad" of a.test; "bad" of a.test.' in error


async def test_a_cookie_that_the_browser_drops_silently_is_refused_too(
    shared_server: ServerClient,
) -> None:
    cookies = [COOKIE | {"sameSite": "None"}]
    error = await refusal(shared_server, "dropped.json", {"cookies": cookies})
    assert 'refuses cookies of the storage state: "c" of a.test.' in error


async def test_data_that_an_origin_refuses_is_reported_without_its_value(
    shared_server: ServerClient,
) -> None:
    items = [{"name": "k", "value": "hush" * 2_000_000}]
    state = {"origins": [{"origin": "https://a.test", "localStorage": items}]}
    error = await refusal(shared_server, "large.json", state)
    assert "of https://a.test was not restored: localStorage: QuotaExceededError." in error


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("none.json", "does not exist"),
        ("/etc/hostname", "is outside the directories that the server may read from"),
        (".", "cannot be read"),
        ("", "cannot be read"),
    ],
)
async def test_a_file_that_cannot_be_read_is_refused(
    shared_server: ServerClient, file: str, expected: str
) -> None:
    assert expected in await refusal(shared_server, file)


async def test_a_malformed_file_is_refused(shared_server: ServerClient) -> None:
    error = await refusal(shared_server, "broken.json", {"cookies": [COOKIE | {"secure": "hush"}]})
    assert "is malformed: Expected bool, got str at cookies[0].secure." in error


async def test_an_existing_context_name_is_refused(shared_server: ServerClient) -> None:
    (shared_server.cwd / "empty.json").write_text("{}")
    await ok(shared_server, "browser_context_create", name="taken")
    reply = await shared_server.call(
        "browser_context_create", name="taken", storageState="empty.json"
    )
    assert 'Context "taken" already exists.' in reply.sections["Error"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"path": "../out.json"}, "is outside the directories that the server may write to"),
        ({"path": "a.json", "name": "nobody"}, 'Context "nobody" does not exist.'),
        ({}, "needs the argument 'path'"),
    ],
)
async def test_a_storage_that_cannot_be_saved_is_refused(
    shared_server: ServerClient, arguments: dict[str, Any], expected: str
) -> None:
    reply = await shared_server.call("browser_context_save_storage", **arguments)
    assert reply.is_error
    assert expected in reply.sections["Error"]

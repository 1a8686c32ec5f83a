"""Saves and loads storage states through a server, for the tests of these."""

from __future__ import annotations

import json
from secrets import token_hex
from typing import Any

from tests.e2e.support.client import Reply, ServerClient

State = dict[str, Any]


async def ok(server: ServerClient, tool: str, **arguments: Any) -> Reply:
    reply = await server.call(tool, **arguments)
    assert not reply.is_error, reply.text
    return reply


async def context_names(server: ServerClient) -> list[str]:
    text = json.loads((await ok(server, "browser_context_list")).sections["Result"])
    return [each["name"] for each in text]


async def save(server: ServerClient, **arguments: Any) -> State:
    """Save the storage of the active context and return the contents of the file."""
    path = f"{token_hex(4)}.json"
    await ok(server, "browser_context_save_storage", path=path, **arguments)
    state: State = json.loads((server.cwd / path).read_text())
    return state


async def load(server: ServerClient, state: object) -> str:
    """Make a context with that storage state, and return its name."""
    name = token_hex(4)
    (server.cwd / f"{name}.json").write_text(json.dumps(state))
    await ok(server, "browser_context_create", name=name, storageState=f"{name}.json")
    return name


def items_by_origin(state: State) -> dict[str, dict[str, str]]:
    """Return localStorage by origin and name."""
    return {
        each["origin"]: {item["name"]: item["value"] for item in each["localStorage"]}
        for each in state["origins"]
    }

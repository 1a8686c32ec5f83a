"""Calls in the list of a live view, with their arguments masked."""

from __future__ import annotations

import json
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from viewpoint_mcp.config.secrets import Secrets
from viewpoint_mcp.tools.core.result import Reply
from viewpoint_mcp.tools.tracing.text_masking import TextMask

if TYPE_CHECKING:
    from viewpoint_mcp.live_view.live_view import LiveView


async def list_call(
    live_view: LiveView,
    name: str,
    arguments: object,
    running: Coroutine[Any, Any, Reply],
    secrets: Secrets,
) -> Reply:
    """Run a call, and show it in the list of a live view from its beginning to its end."""
    mask = TextMask(secrets, ())
    end = live_view.calls.begin(name, _flatten(mask.render_arguments(arguments)))
    error = "cancelled"
    try:
        reply = await running
        error = _find_error(reply)
        return reply
    finally:
        end(error)


def _find_error(reply: Reply) -> str:
    """Return the first line of an error; "" for a reply without one."""
    if not reply.is_error:
        return ""
    lines = (line.strip() for line in reply.text.splitlines())
    return next((line for line in lines if line and not line.startswith("###")), "failed")


def _flatten(rendered: str) -> str:
    """Return the JSON text of arguments as `name: value, name: value`, with texts as they are."""
    try:
        arguments = json.loads(rendered)
    except json.JSONDecodeError:  # a secret was masked in a number
        return rendered
    if not isinstance(arguments, dict):
        return rendered
    values = (
        (name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
        for name, value in arguments.items()
    )
    return ", ".join(f"{name}: {value}" for name, value in values)

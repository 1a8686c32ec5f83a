"""Runs the tools that need no browser, which only embedders have."""

from __future__ import annotations

import asyncio
from typing import Any

from viewpoint_mcp.caller import Unanswered, caller
from viewpoint_mcp.tools.core.result import Reply
from viewpoint_mcp.tools.core.tool import Tool
from viewpoint_mcp.tools.reply.composer import failed


async def run_plainly(tool: Tool[Any], args: Any) -> Reply:
    """Run a tool for its caller; the reply is what it says. Failures are replies too."""
    try:
        async with asyncio.timeout(tool.limit):
            result = await tool(caller(), args)
    except Unanswered:
        raise
    except Exception as error:  # noqa: BLE001 - `failed` logs it
        return failed(tool.name, error, tool.limit)
    return Reply(
        result.text,
        result.images,
        result.links,
        result.is_error,
        result.output.told("") if result.output is not None and not result.is_error else None,
        result.attached,
    )

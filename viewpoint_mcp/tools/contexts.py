"""Tools for browser contexts: each has cookies, storage and tabs of its own."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Annotated, Any

from msgspec import Meta

from viewpoint_mcp.browser.contexts import DEFAULT, Context
from viewpoint_mcp.browser.host import BrowserHost
from viewpoint_mcp.tools.args import Args, NoArgs
from viewpoint_mcp.tools.emulation import emulation_asked
from viewpoint_mcp.tools.registry import browser_tool
from viewpoint_mcp.tools.result import ToolResult

Name = Annotated[str, Meta(min_length=1, max_length=64)]


class NameArgs(Args):
    name: Name


class CreateArgs(Args):
    name: Name
    emulate: Annotated[
        dict[str, Any] | None,
        Meta(
            description="device, viewport, userAgent, locale, timezone, geolocation LAT,LON, "
            "permissions, colorScheme, offline"
        ),
    ] = None


@browser_tool("browser_context_create", title="New context", kind="setup")
async def create(browser: BrowserHost, args: CreateArgs) -> ToolResult:
    """Make an isolated browser context and switch to it."""
    asked = emulation_asked(args.emulate or {}, "'emulate' of browser_context_create")
    running = await browser.browser()
    defaults = running.defaults
    options = replace(defaults, emulation=replace(defaults.emulation, **asked))
    context = await running.create_context(args.name, options)
    return ToolResult(f'Created context "{context.name}"; it is active now.', lists_tabs=True)


@browser_tool("browser_context_switch", title="Switch context", kind="setup")
async def switch(browser: BrowserHost, args: NameArgs) -> ToolResult:
    """Make a context the active one."""
    context = await browser.context(args.name)
    (await browser.browser()).contexts.active = context
    return ToolResult(f'Context "{context.name}" is active now.')


@browser_tool("browser_context_list", title="Contexts", kind="record")
async def list_contexts(browser: BrowserHost, args: NoArgs) -> ToolResult:
    """List the browser contexts."""
    running = browser.running
    if running is None:
        told = [{"name": DEFAULT, "isActive": True, "pageCount": 0, "currentUrl": None}]
    else:
        told = [_told(context, running.contexts.active) for context in running.contexts]
    lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in told)
    return ToolResult(f"[{lines}]", lists_tabs=True)


@browser_tool("browser_context_close", title="Close context", kind="state")
async def close(browser: BrowserHost, args: NameArgs) -> ToolResult:
    """Close a context and all its pages."""
    running = await browser.browser()
    context = await running.close_context(args.name)
    return ToolResult(
        f'Closed context "{context.name}"; "{running.contexts.active.name}" is active.'
    )


def _told(context: Context, active: Context) -> dict[str, Any]:
    return {
        "name": context.name,
        "isActive": context is active,
        "pageCount": len(context.tabs),
        "currentUrl": context.active.url if context.active else None,
    }

"""Tools for browser contexts, which have separate cookies, storage and tabs."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta, structs

from viewpoint_mcp.config.proxy import parse_proxy
from viewpoint_mcp.config.settings import Proxy
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.browser.emulation import emulation_asked
from viewpoint_mcp.tools.core.args import Args, NoArgs
from viewpoint_mcp.tools.core.output import Output, Row
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.sessionless_policy import (
    ActsInContext,
    ClosesContext,
    NeedsNoContext,
    NeedsSession,
    OpensContext,
)
from viewpoint_mcp.tools.core.tool import browser_tool

if TYPE_CHECKING:
    from viewpoint_mcp.browser.workspace import Workspace

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
Name = Annotated[str, Meta(min_length=1, max_length=64)]


class NameArgs(Args):
    name: str


class ProxyArgs(Args):
    server: str
    username: str | None = None
    password: str | None = None
    bypass: str | None = None

    def read(self) -> Proxy:
        """Return the proxy.

        Raises:
            CallError: The proxy is malformed.
        """
        return parse_proxy(self.server, self.username, self.password, self.bypass)


class CreateArgs(Args):
    name: Name
    proxy: ProxyArgs | None = None
    storage_state: str | None = None
    emulate: Annotated[
        dict[str, Any] | None,
        Meta(
            description="Keys: device, viewport, userAgent, locale, timezone, geolocation LAT,LON, "
            "permissions, colorScheme, offline"
        ),
    ] = None


class SaveArgs(Args):
    path: str
    name: str | None = None
    indexed_db: bool | None = msgspec.field(default=None, name="indexedDB")


@browser_tool(
    "browser_context_create", title="Create context", kind="setup", sessionless=OpensContext("name")
)
async def create(browser: Workspace, args: CreateArgs) -> ToolResult:
    """Create an isolated context and switch to it."""
    if _CONTROLS.search(args.name):
        raise CallError("A context's name has no line breaks or other control characters.")
    proxy = args.proxy.read() if args.proxy is not None else None
    asked = emulation_asked(args.emulate or {}, "'emulate' of browser_context_create")
    defaults, files = browser.defaults, browser.files
    path = files.to_read(args.storage_state) if args.storage_state is not None else None
    options = replace(
        defaults,
        proxy=proxy or defaults.proxy,
        storage_state=path,
        emulation=structs.replace(defaults.emulation, **asked),
    )
    context = await browser.create(args.name, options)
    active = "; it is active now" if browser.default_name is not None else ""
    text = f'Created context "{context.name}"{active}.'
    if context.unrestored:
        text += f"\nNot restored, for only Playwright can: {'; '.join(context.unrestored)}"
    return ToolResult(text, lists_tabs=True)


@browser_tool(
    "browser_context_switch",
    title="Switch context",
    kind="setup",
    sessionless=NeedsSession(
        "No context is active for calls that belong to no session.",
        "Pass the handle as context with each call.",
    ),
)
async def switch(browser: Workspace, args: NameArgs) -> ToolResult:
    """Switch to a context."""
    context = await browser.switch(args.name)
    return ToolResult(f'Context "{context.name}" is active now.')


class ContextRow(Row):
    name: str
    is_active: bool
    page_count: int
    current_url: str | None = None
    proxy: str | None = None


class ContextsOutput(Output):
    contexts: list[ContextRow]


@browser_tool(
    "browser_context_list",
    title="List contexts",
    kind="record",
    output=ContextsOutput,
    sessionless=NeedsNoContext(),
)
async def list_contexts(browser: Workspace, args: NoArgs) -> ToolResult:
    """List contexts."""
    told = [
        _told(
            context.name,
            context is browser.active,
            len(context.tabs),
            context.active.url if context.active else None,
            context.route.proxy,
        )
        for context in browser.contexts
    ]
    if browser.default_name is not None and not told:
        told = [_told(browser.default_name, True, 0, None, browser.proxy)]
    lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in told)
    output = msgspec.convert({"contexts": told}, ContextsOutput)
    return ToolResult(f"[{lines}]", lists_tabs=True, output=output)


@browser_tool(
    "browser_context_close", title="Close context", kind="state", sessionless=ClosesContext("name")
)
async def close(browser: Workspace, args: NameArgs) -> ToolResult:
    """Close a context and its tabs."""
    context, active = await browser.close_context(args.name)
    return ToolResult(f'Closed context "{context.name}"; "{active.name}" is active.')


@browser_tool(
    "browser_context_save_storage",
    title="Save storage",
    kind="record",
    sessionless=ActsInContext("name"),
)
async def save_storage(browser: Workspace, args: SaveArgs) -> ToolResult:
    """Save cookies and localStorage to a file."""
    files = browser.files
    files.inside(args.path)  # refuse a wrong path before the storage is collected
    context = await browser.context(args.name)
    found = await context.collect_storage(with_databases=bool(args.indexed_db))
    content = found.encode()
    path = await asyncio.to_thread(files.save_as, content, args.path, private=True)
    text = f'Saved {found} of context "{context.name}" to "{files.shown(path)}"'
    missing = f"\nNot saved: {found.missing}" if found.gaps else ""
    return ToolResult(f"{text}{missing}", context=context)


def _told(
    name: str, is_active: bool, pages: int, url: str | None, proxy: Proxy | None
) -> dict[str, Any]:
    told = {"name": name, "isActive": is_active, "pageCount": pages, "currentUrl": url}
    return told if proxy is None else {**told, "proxy": proxy.server}

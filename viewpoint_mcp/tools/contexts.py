"""Tools for browser contexts: each has cookies, storage and tabs of its own."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from viewpoint_mcp.browser import storage_state
from viewpoint_mcp.browser.contexts import DEFAULT
from viewpoint_mcp.browser.host import BrowserHost
from viewpoint_mcp.browser.proxy.parse import parse_proxy
from viewpoint_mcp.settings import Proxy
from viewpoint_mcp.tools.args import Args, NoArgs
from viewpoint_mcp.tools.emulation import emulation_asked
from viewpoint_mcp.tools.registry import browser_tool
from viewpoint_mcp.tools.result import ToolResult

Name = Annotated[str, Meta(min_length=1, max_length=64)]


class NameArgs(Args):
    name: Name


class ProxyArgs(Args):
    server: Annotated[str, Meta(description="http, https or socks5 URL")]
    username: str | None = None
    password: str | None = None
    bypass: str | None = None

    def read(self) -> Proxy:
        return parse_proxy(self.server, self.username, self.password, self.bypass)


class CreateArgs(Args):
    name: Name
    proxy: ProxyArgs | None = None
    storage_state: str | None = None
    emulate: Annotated[
        dict[str, Any] | None,
        Meta(
            description="device, viewport, userAgent, locale, timezone, geolocation LAT,LON, "
            "permissions, colorScheme, offline"
        ),
    ] = None


class SaveArgs(Args):
    path: str
    name: str | None = None
    indexed_db: bool | None = msgspec.field(default=None, name="indexedDB")


@browser_tool("browser_context_create", title="New context", kind="setup")
async def create(browser: BrowserHost, args: CreateArgs) -> ToolResult:
    """Make an isolated browser context and switch to it."""
    proxy = args.proxy.read() if args.proxy is not None else None
    asked = emulation_asked(args.emulate or {}, "'emulate' of browser_context_create")
    running = await browser.browser()
    defaults = running.defaults
    path = running.files.to_read(args.storage_state) if args.storage_state is not None else None
    options = replace(
        defaults,
        proxy=proxy or defaults.proxy,
        storage_state=path,
        emulation=replace(defaults.emulation, **asked),
    )
    context = await running.create_context(args.name, options)
    text = f'Created context "{context.name}"; it is active now.'
    if context.unrestored:
        text += f"\nNot restored, for only Playwright can: {'; '.join(context.unrestored)}"
    return ToolResult(text, lists_tabs=True)


@browser_tool("browser_context_switch", title="Switch context", kind="setup")
async def switch(browser: BrowserHost, args: NameArgs) -> ToolResult:
    """Make a context the active one."""
    context = await browser.switch(args.name)
    return ToolResult(f'Context "{context.name}" is active now.')


@browser_tool("browser_context_list", title="Contexts", kind="record")
async def list_contexts(browser: BrowserHost, args: NoArgs) -> ToolResult:
    """List the browser contexts."""
    running = browser.running
    if running is None:
        told = [_told(DEFAULT, True, 0, None, browser.proxy)]
    else:
        told = [
            _told(
                context.name,
                context is running.contexts.active,
                len(context.tabs),
                context.active.url if context.active else None,
                context.route.proxy,
            )
            for context in running.contexts
        ]
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


@browser_tool("browser_context_save_storage", title="Storage", kind="record")
async def save_storage(browser: BrowserHost, args: SaveArgs) -> ToolResult:
    """Save cookies and localStorage."""
    running = await browser.browser()
    files = running.files
    files.inside(args.path)  # before anything is read
    context = await running.context(args.name)
    found = await running.collect_storage(context, with_databases=bool(args.indexed_db))
    content = storage_state.encode(found.state)
    path = await asyncio.to_thread(files.save_as, content, args.path, private=True)
    text = f'Saved {found} of context "{context.name}" to "{files.shown(path)}"'
    missing = f"\nNot saved: {found.missing}" if found.gaps else ""
    return ToolResult(f"{text}{missing}", context=context)


def _told(
    name: str, is_active: bool, pages: int, url: str | None, proxy: Proxy | None
) -> dict[str, Any]:
    told = {"name": name, "isActive": is_active, "pageCount": pages, "currentUrl": url}
    return told if proxy is None else {**told, "proxy": proxy.server}

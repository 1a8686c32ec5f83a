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
from viewpoint_mcp.page.shorten import shorten_url
from viewpoint_mcp.tools.browser.emulation import EmulateArgs, parse_context_emulation
from viewpoint_mcp.tools.core.args import Args, NoArgs
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.sessionless_call_policy import (
    ActsInContext,
    ClosesContext,
    NeedsNoContext,
    NeedsSession,
    OpensContext,
)
from viewpoint_mcp.tools.core.structured_output import Output, Row
from viewpoint_mcp.tools.core.tool import browser_tool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from viewpoint_mcp.browser.client_workspace import Workspace

_CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
NewContextName = Annotated[str, Meta(min_length=1, max_length=64)]


class ContextNameArgs(Args):
    name: str
    """Name of the context, as in `browser_context_list`."""


class ProxyArgs(Args):
    server: str
    """Address: `http://host:port`, `https://`, `socks4://` or `socks5://`. Without a scheme, an
    HTTP proxy. It may contain `user:password@`."""
    username: str | None = None
    """User name, if `server` contains none. SOCKS4 has none."""
    password: str | None = None
    """Password of that user."""
    bypass: str | None = None
    """Hosts to reach without the proxy, separated by commas: `.example.com, localhost:3000,
    10.0.0.0/8`."""

    def to_proxy(self) -> Proxy:
        """Return the proxy.

        Raises:
            CallError: The proxy is malformed.
        """
        return parse_proxy(self.server, self.username, self.password, self.bypass)


class CreateContextArgs(Args):
    name: NewContextName
    """Name of the new context, on one line, with 1 to 64 characters."""
    proxy: ProxyArgs | None = None
    """Proxy of the context. That of `--proxy-server` if omitted."""
    storage_state: Annotated[str | None, Meta(description="File with logins")] = None
    """File with the initial cookies and storage, as written by `browser_context_save_storage` and
    Playwright. An empty storage if omitted."""
    emulate: Annotated[
        dict[str, Any] | None,
        Meta(
            description="Keys: device, viewport, userAgent, locale, timezone, geolocation LAT,LON, "
            "permissions, colorScheme, offline",
            extra={"documented_by": EmulateArgs},
        ),
    ] = None
    """Device and user to emulate. Keys override the flags of the server, such as `--locale`."""


class SaveStorageArgs(Args):
    path: str
    """File to write, relative to the working directory or absolute. An existing file is replaced.
    Only its owner can read it, because it contains logins."""
    name: str | None = None
    """Name of the context. The active context if omitted."""
    indexed_db: bool | None = msgspec.field(default=None, name="indexedDB")
    """Whether to save IndexedDB databases too."""


@browser_tool(
    "browser_context_create", title="Create context", kind="setup", sessionless=OpensContext("name")
)
async def create_context(browser: Workspace, args: CreateContextArgs) -> ToolResult:
    """Create an isolated context and switch to it.

    A context has separate cookies, storage, cache and tabs, and optionally a separate proxy and
    emulated device. Use contexts for several users, or to start without logins. Calls in different
    contexts run in parallel. A call without a session does not switch: its reply contains a handle,
    to pass as `context`.

    Reply: the name of the context; its proxy, without credentials; the file that its storage was
    restored from, and the parts that could not be restored.

    Errors: the name exists already; the proxy, the storage state or the emulation is malformed. No
    context is created then.
    """
    if _CONTROL_CHARACTERS.search(args.name):
        raise CallError("A context name cannot contain line breaks or other control characters.")
    proxy = args.proxy.to_proxy() if args.proxy is not None else None
    emulation_fields = parse_context_emulation(
        args.emulate or {}, "'emulate' of browser_context_create"
    )
    defaults, files = browser.new_context_options, browser.files
    path = files.resolve_to_read(args.storage_state) if args.storage_state is not None else None
    options = replace(
        defaults,
        proxy=proxy or defaults.proxy,
        storage_state=path,
        emulation=structs.replace(defaults.emulation, **emulation_fields),
    )
    context = await browser.create_context(args.name, options)
    active = "; it is active now" if browser.default_name is not None else ""
    lines = [f'Created context "{context.name}"{active}.']
    if options.proxy is not None:
        lines.append(f"Proxy: {_describe_proxy(options.proxy)}")
    if path is not None:
        lines.append(f"Storage state: restored from {files.format_path_for_reply(path)}")
    if context.unrestored_parts:
        lines.append(describe_unsupported_parts(context.unrestored_parts))
    return ToolResult("\n".join(lines), omits_open_tabs=True)


@browser_tool(
    "browser_context_switch",
    title="Switch context",
    kind="setup",
    sessionless=NeedsSession(
        "Calls without a session have no active context.",
        "Pass the handle as context in each call.",
    ),
)
async def switch_context(browser: Workspace, args: ContextNameArgs) -> ToolResult:
    """Switch to a context.

    Calls without `context` act in the active context.

    Reply: the name of the context.

    Errors: no context has this name (the message lists them).
    """
    context = await browser.switch_context(args.name)
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
    """List contexts.

    No browser is started.

    Reply: for each context a JSON object with its name, whether it is active, the number of its
    tabs, the URL of its active tab, and its proxy. `structuredContent` has the same as data.
    """
    rows = [
        _make_row(
            context.name,
            context is browser.active_context,
            len(context.tabs),
            context.active_tab.url if context.active_tab else None,
            context.proxy_route.proxy,
        )
        for context in browser.contexts
    ]
    if browser.default_name is not None and not rows:
        rows = [_make_row(browser.default_name, True, 0, None, browser.default_context_proxy)]
    lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in rows)
    output = msgspec.convert({"contexts": rows}, ContextsOutput)
    return ToolResult(f"[{lines}]", omits_open_tabs=True, output=output)


@browser_tool(
    "browser_context_close", title="Close context", kind="state", sessionless=ClosesContext("name")
)
async def close_context(browser: Workspace, args: ContextNameArgs) -> ToolResult:
    """Close a context and its tabs.

    Its cookies and storage are lost. Save them first with `browser_context_save_storage` to keep
    them.

    Reply: the context that is active now.

    Errors: no context has this name; it is the only one, or the user's browser.
    """
    closed, active = await browser.close_context(args.name)
    return ToolResult(f'Closed context "{closed.name}"; "{active.name}" is active.')


@browser_tool(
    "browser_context_save_storage",
    title="Save storage",
    kind="record",
    sessionless=ActsInContext("name"),
)
async def save_storage(browser: Workspace, args: SaveStorageArgs) -> ToolResult:
    """Save cookies and localStorage to a file.

    The file has Playwright's format. Pass it as `storageState` to `browser_context_create`, or as
    `--storage-state` at the next start. It has all cookies, and the storage of the sites that tabs
    of the context have shown. sessionStorage is not saved.

    Reply: the numbers of cookies and origins, and the data that could not be saved.

    Errors: the file cannot be written; no context has this name.
    """
    return await save_context_storage(
        browser, args.name, args.path, with_databases=bool(args.indexed_db)
    )


async def save_context_storage(
    browser: Workspace,
    context_name: str | None,
    filename: str | None,
    *,
    with_databases: bool = False,
) -> ToolResult:
    """Save the cookies and the storage of a context to a file that only its owner can read.

    Args:
        context_name: None for the active context.
        filename: The name that the client requests; None for a new file in the output directory.
        with_databases: Save IndexedDB as well.

    Raises:
        CallError: The file cannot be written; no context has this name.
    """
    files = browser.files
    if filename is not None:
        files.resolve_to_write(filename)  # refuse a wrong path before the storage is collected
    context = await browser.get_context(context_name)
    found = await context.storage.collect(with_databases=with_databases)
    content = found.encode()
    if filename is None:
        path = await asyncio.to_thread(files.save_private, content, "storage-state", "json")
    else:
        path = await asyncio.to_thread(files.save_as, content, filename, is_private=True)
    text = f'Saved {found} of context "{context.name}" to "{files.format_path_for_reply(path)}"'
    missing = f"\nNot saved: {found.missing_text}" if found.missing_parts else ""
    return ToolResult(f"{text}{missing}", context=context)


def describe_unsupported_parts(parts: Sequence[str]) -> str:
    """Return a sentence about the parts of a storage state that are not restored."""
    return f"Not restored, because only Playwright supports it: {'; '.join(parts)}"


def _describe_proxy(proxy: Proxy) -> str:
    """Return the address of a proxy, and which credentials it has, without their values."""
    credentials = "user name and password" if proxy.password else "user name"
    return proxy.url_without_credentials + (f", with {credentials}" if proxy.username else "")


def _make_row(
    name: str, is_active: bool, pages: int, url: str | None, proxy: Proxy | None
) -> dict[str, Any]:
    shown = None if url is None else shorten_url(url)
    row = {"name": name, "isActive": is_active, "pageCount": pages, "currentUrl": shown}
    return row if proxy is None else {**row, "proxy": proxy.url_without_credentials}

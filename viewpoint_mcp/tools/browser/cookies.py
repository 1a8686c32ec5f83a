"""Tools for cookies (`--caps storage`)."""

from __future__ import annotations

import re
import time
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import format_count
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.page.shorten import shorten_url
from viewpoint_mcp.tools.core.args import Args, ContextName
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.sessionless_call_policy import ActsInContext
from viewpoint_mcp.tools.core.tool import browser_tool
from viewpoint_mcp.tools.reply.line_fitting import fit_first_lines

if TYPE_CHECKING:
    from viewpoint_mcp.browser.client_workspace import Workspace
    from viewpoint_mcp.browser.context import Context
    from viewpoint_mcp.browser.storage.state_file import Cookie

_DOMAIN = re.compile(r"\.?[^\s/:@]+|\[[\da-fA-F:.]+\]")
_HINT = "Use domain or path to list fewer."
_LATEST = 253_402_300_799  # the end of the year 9999; larger numbers are milliseconds


class CookieListArgs(Args):
    domain: str | None = None
    """Part of the domain of the cookies to list. All domains if omitted."""
    url_path: str | None = msgspec.field(default=None, name="path")  # `path` would name a file
    """Beginning of the path of the cookies to list. All paths if omitted."""
    context: ContextName = None


class CookieNameArgs(Args):
    name: str
    """Name of the cookie, in the same case."""
    context: ContextName = None


class CookieSetArgs(Args):
    name: str
    """Name of the new cookie, or of the one to replace."""
    value: str
    """Value of the cookie, as it is sent in requests."""
    domain: str | None = None
    """Host name. With a dot first, `.example.com`, the cookie is also for its subdomains. The host
    of the active tab if omitted."""
    url_path: str | None = msgspec.field(default=None, name="path")
    """Path of the URLs that get the cookie. `/` if omitted."""
    expires: Annotated[float | None, Meta(description="Unix time in seconds")] = None
    """Time of expiry, in seconds since 1970. The browser keeps a cookie for at most 400 days. If
    omitted or -1, the cookie ends with the context."""
    http_only: bool | None = None
    """Whether scripts cannot read the cookie."""
    secure: bool | None = None
    """Whether the cookie is sent over HTTPS and to localhost only."""
    same_site: Literal["Strict", "Lax", "None"] | None = None
    """Requests from other sites that get the cookie. `Lax` if omitted; `None` needs `secure`."""
    context: ContextName = None


class CookieClearArgs(Args):
    context: ContextName = None


@browser_tool(
    "browser_cookie_list",
    title="List cookies",
    kind="record",
    capability="storage",
    sessionless=ActsInContext(),
)
async def list_cookies(browser: Workspace, args: CookieListArgs) -> ToolResult:
    """List cookies.

    Includes the cookies that scripts cannot read, of all sites in the context.

    Reply: one line for each cookie, with name, value, domain and path. If they exceed
    `--snapshot-budget`, the reply counts the others.
    """
    context = await browser.get_context(args.context)
    cookies = [
        each
        for each in await context.storage.cookies.read()
        if (args.domain or "") in each.domain and each.path.startswith(args.url_path or "")
    ]
    if not cookies:
        return ToolResult("No cookies found", context=context)
    lines = [f"{each.name}={each.value} ({_describe_place(each)})" for each in cookies]
    return ToolResult(fit_text=partial(fit_first_lines, lines, _HINT), context=context)


@browser_tool(
    "browser_cookie_get",
    title="Get cookie",
    kind="record",
    capability="storage",
    sessionless=ActsInContext(),
)
async def get_cookie(browser: Workspace, args: CookieNameArgs) -> ToolResult:
    """Get a cookie by name.

    Reply: one line for each cookie of that name, with its value, domain, path and flags; or that
    there is none.
    """
    context = await browser.get_context(args.context)
    cookies = [each for each in await context.storage.cookies.read() if each.name == args.name]
    if not cookies:
        return ToolResult(_describe_missing(args.name), context=context)
    lines = [f"{each.name}={each.value} ({_describe_fully(each)})" for each in cookies]
    return ToolResult(fit_text=partial(fit_first_lines, lines, ""), context=context)


@browser_tool(
    "browser_cookie_set",
    title="Set cookie",
    kind="state",
    capability="storage",
    sinks=("value",),
    sessionless=ActsInContext(),
)
async def set_cookie(browser: Workspace, args: CookieSetArgs) -> ToolResult:
    """Set a cookie.

    Replaces the cookie of the same name, domain and path. The next request sends it; a page that
    shows it needs `browser_reload`.

    Reply: the domain, path and flags of the cookie.

    Errors: `domain` is omitted and the active tab has no host; `expires` has passed; the browser
    refuses the cookie.
    """
    _check_expiry(args.expires)
    if args.domain is not None and not _DOMAIN.fullmatch(args.domain):
        raise CallError(
            f'"{args.domain}" is not a domain.', "Use a host name, such as example.com or .a.org."
        )
    context = await browser.get_context(args.context)
    cookie = await context.storage.cookies.set(
        name=args.name,
        value=args.value,
        domain=args.domain or await _find_host(context),
        path=args.url_path or "/",
        expires=-1 if args.expires is None else args.expires,
        http_only=bool(args.http_only),
        secure=bool(args.secure),
        same_site=args.same_site or "Lax",
    )
    return ToolResult(f'Set cookie "{cookie.name}" ({_describe_fully(cookie)})', context=context)


@browser_tool(
    "browser_cookie_delete",
    title="Delete cookie",
    kind="state",
    capability="storage",
    sessionless=ActsInContext(),
)
async def delete_cookie(browser: Workspace, args: CookieNameArgs) -> ToolResult:
    """Delete a cookie by name.

    Deletes the cookies of that name of all domains and paths in the context.

    Reply: the domain and path of each deleted cookie; or that there is none.
    """
    context = await browser.get_context(args.context)
    deleted = await context.storage.cookies.delete(args.name)
    if not deleted:
        return ToolResult(_describe_missing(args.name), context=context)
    lines = [f'Deleted cookie "{each.name}" ({_describe_place(each)})' for each in deleted]
    return ToolResult(fit_text=partial(fit_first_lines, lines, ""), context=context)


@browser_tool(
    "browser_cookie_clear",
    title="Clear cookies",
    kind="state",
    capability="storage",
    sessionless=ActsInContext(),
)
async def clear_cookies(browser: Workspace, args: CookieClearArgs) -> ToolResult:
    """Clear all cookies.

    This ends the logins of all sites in the context, also those of the user's own browser.

    Reply: the number of cookies.
    """
    context = await browser.get_context(args.context)
    count = await context.storage.cookies.clear()
    return ToolResult(f"Cleared {format_count(count, 'cookie')}", context=context)


def _check_expiry(expires: float | None) -> None:
    """Raise a `CallError` if a time of expiry is not in the future."""
    if expires is None or expires == -1:
        return
    if expires > _LATEST:
        raise CallError(
            f"Argument 'expires' of browser_cookie_set is in seconds; {expires:.0f} is too late.",
            "Divide milliseconds by 1000.",
        )
    if expires <= time.time():
        raise CallError(
            f"Argument 'expires' of browser_cookie_set has passed: {expires:.0f}. It is now "
            f"{time.time():.0f}.",
            "Use browser_cookie_delete to delete a cookie, or omit it for a session cookie.",
        )


async def _find_host(context: Context) -> str:
    """Return the host of the active tab.

    Raises:
        CallError: No tab is open, or the active one shows no page of a host.
    """
    await context.refresh_tabs()
    url = context.active_tab.url if context.active_tab is not None else "about:blank"
    host = urlsplit(url).hostname
    if not host:
        raise CallError(
            f"The cookie needs a domain, because the active tab shows {shorten_url(url)}.",
            "Pass domain, or use browser_navigate to open a page of the site first.",
        )
    return f"[{host}]" if ":" in host else host


def _describe_missing(name: str) -> str:
    return f"Cookie '{name}' not found"


def _describe_place(cookie: Cookie) -> str:
    partition = f", partition: {cookie.partition_key}" if cookie.partition_key else ""
    return f"domain: {cookie.domain}, path: {cookie.path}{partition}"


def _describe_fully(cookie: Cookie) -> str:
    http_only, secure = str(cookie.http_only).lower(), str(cookie.secure).lower()
    flags = f"httpOnly: {http_only}, secure: {secure}, sameSite: {cookie.same_site}"
    return f"{_describe_place(cookie)}, {flags}"

"""The tools that control the network of a context (`--caps network`): routes, and offline."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from msgspec import Meta

from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import format_count
from viewpoint_mcp.accessibility.printing.sentence_quotes import to_one_line
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.core.args import Args, ContextName
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.sessionless_call_policy import ActsInContext
from viewpoint_mcp.tools.core.tool import browser_tool
from viewpoint_mcp.tools.reply.details.headers import mask_value

if TYPE_CHECKING:
    from viewpoint_mcp.browser.client_workspace import Workspace
    from viewpoint_mcp.files.file_access import FileAccess
    from viewpoint_mcp.page.routing.route import Route

_MAX_FILE_SIZE = 20_000_000  # bytes
_MAX_LISTED_BODY = 50  # characters, as in playwright-mcp
_DEFAULT_STATUS = 200

AbortReason = Literal[
    "failed",
    "aborted",
    "accessdenied",
    "addressunreachable",
    "blockedbyclient",
    "blockedbyresponse",
    "connectionaborted",
    "connectionclosed",
    "connectionfailed",
    "connectionrefused",
    "connectionreset",
    "internetdisconnected",
    "namenotresolved",
    "timedout",
]


class RouteArgs(Args):
    pattern: Annotated[str, Meta(description="URL glob, e.g. **/api/users or **/*.{png,jpg}")]
    """Pattern that the whole URL must match: `*` matches any characters except `/`, `**` any
    characters, `{a,b}` alternatives. With `regex`, a regular expression."""
    status: Annotated[int, Meta(ge=200, le=599)] | None = None
    """HTTP status of the response. 200 if only `body` or `path` is given."""
    body: str | None = None
    """Body of the response."""
    content_type: str | None = None
    """Content-Type of the response. With `path`, that of the file's suffix if omitted."""
    headers: Annotated[list[str] | None, Meta(description="Name: Value")] = None
    """Headers as `Name: Value`: of the response with `status`, `body` or `path`, else to set in the
    request."""
    remove_headers: Annotated[str | None, Meta(description="Request headers: a,b")] = None
    """Names of headers to remove from the request, separated by commas."""
    path: Annotated[str | None, Meta(description="File with the body")] = None
    """File with the body of the response, relative to the working directory or absolute. It is read
    once."""
    abort: AbortReason | None = None
    """Network error with which the request fails, in the words of Playwright."""
    regex: Annotated[bool, Meta(description="pattern is a regex")] = False
    """Whether `pattern` is a regular expression (Python's syntax; `/pattern/i` ignores case) that
    some part of the URL must match."""
    context: ContextName = None


class RouteListArgs(Args):
    context: ContextName = None


class UnrouteArgs(Args):
    pattern: Annotated[str | None, Meta(description="All if omitted")] = None
    """Pattern of the routes to remove, exactly as it was given. All routes if omitted."""
    context: ContextName = None


class NetworkStateArgs(Args):
    state: Literal["online", "offline"]
    """`offline` disconnects all tabs and workers of the context, `online` connects them again."""
    context: ContextName = None


@browser_tool(
    "browser_route",
    title="Add route",
    kind="setup",
    capability="network",
    sinks=("body", "headers"),
    sessionless=ActsInContext(),
)
async def add_route(browser: Workspace, args: RouteArgs) -> ToolResult:
    """Answer, abort or change requests that match a URL pattern, in all tabs of the context.

    With `status`, `body` or `path` the request gets this response and does not reach the server.
    With `abort` it fails. Otherwise it continues, with changed headers if `headers` or
    `removeHeaders` are given. The newest route that matches decides. It holds for frames, workers
    and popups, from their first request on, and for each hop of a redirect; not for WebSockets.
    Requests that have begun before the call are not affected.

    Reply: the pattern, and a note if it cannot match or if an argument has no effect.

    Errors: the pattern or a header is malformed; the file does not exist or may not be read;
    arguments exclude each other. No route is added then.
    """
    _check_exclusive(args)
    body = await _read_body(browser.files, args)
    is_fulfilled = body is not None or args.status is not None
    context = await browser.get_context(args.context)
    route = await context.network.add_route(
        args.pattern,
        is_regex=args.regex,
        abort_reason=args.abort,
        status=(args.status or _DEFAULT_STATUS) if is_fulfilled else None,
        body=b"" if body is None else body.data,
        body_path=None if body is None else body.path,
        content_type=args.content_type or (None if body is None else body.content_type),
        headers=args.headers or (),
        removed_headers=_split_names(args.remove_headers),
    )
    lines = [f"Route added for pattern: {to_one_line(args.pattern)}", *_make_notes(args, route)]
    return ToolResult("\n".join(lines), context=context, omits_open_tabs=True)


@browser_tool(
    "browser_route_list",
    title="List routes",
    kind="record",
    capability="network",
    sessionless=ActsInContext(),
)
async def list_routes(browser: Workspace, args: RouteListArgs) -> ToolResult:
    """List the routes of the context.

    Reply: a line for each route, the oldest first, with what it does and how many requests it has
    handled.
    """
    context = await browser.get_context(args.context)
    lines = [
        f"{number}. {to_one_line(route.pattern)}{_describe_details(route)}"
        for number, route in enumerate(context.network.routes, 1)
    ]
    text = "\n".join(lines) or "No active routes"
    return ToolResult(text, context=context, omits_open_tabs=True)


@browser_tool(
    "browser_unroute",
    title="Remove routes",
    kind="setup",
    capability="network",
    sessionless=ActsInContext(),
)
async def remove_routes(browser: Workspace, args: UnrouteArgs) -> ToolResult:
    """Remove routes.

    Reply: the number of routes that were removed; if none has the pattern, the existing patterns.
    """
    context = await browser.get_context(args.context)
    count = await context.network.remove_routes(args.pattern)
    if args.pattern is None:
        text = f"Removed all {count} route(s)"
    else:
        text = f"Removed {count} route(s) for pattern: {to_one_line(args.pattern)}"
        if not count:
            patterns = [to_one_line(route.pattern) for route in context.network.routes]
            text += f"\nNote: the routes are: {', '.join(patterns) or 'none'}"
    return ToolResult(text, context=context, omits_open_tabs=True)


@browser_tool(
    "browser_network_state_set",
    title="Set network state",
    kind="setup",
    capability="network",
    sessionless=ActsInContext(),
)
async def set_network_state(browser: Workspace, args: NetworkStateArgs) -> ToolResult:
    """Disconnect all tabs of the context from the network, or connect them again.

    It holds for frames, workers and later tabs too. Routes answer requests also offline.

    Reply: the state.
    """
    context = await browser.get_context(args.context)
    await context.network.set_offline(is_offline=args.state == "offline")
    return ToolResult(f"Network is now {args.state}", context=context, omits_open_tabs=True)


class _Body(NamedTuple):
    data: bytes
    path: str | None = None
    content_type: str | None = None


def _check_exclusive(args: RouteArgs) -> None:
    if args.body is not None and args.path is not None:
        raise CallError("'body' and 'path' exclude each other.", "Give one of them.")
    answer = [name for name in ("status", "body", "path") if getattr(args, name) is not None]
    if args.abort is not None and answer:
        raise CallError(
            f"'abort' and '{answer[0]}' exclude each other.",
            "A request either fails or gets a response.",
        )


async def _read_body(files: FileAccess, args: RouteArgs) -> _Body | None:
    if args.body is not None:
        return _Body(args.body.encode())
    if args.path is None:
        return None
    path = files.resolve_to_read(args.path)
    if not path.is_file():
        raise CallError(f"{path} is not a file.", "Give the path of a file.")
    if path.stat().st_size > _MAX_FILE_SIZE:
        raise CallError(f"{path} has more than {_MAX_FILE_SIZE // 1_000_000} MB.")
    try:
        data = await asyncio.to_thread(path.read_bytes)
    except OSError as error:
        raise CallError(f"{path} cannot be read: {error.strerror or error}.") from error
    from mimetypes import guess_type  # reads files of the system

    kind, encoding = guess_type(path.name)
    content_type = "application/octet-stream" if kind is None or encoding else kind
    return _Body(data, files.format_path_for_reply(path), content_type)


def _split_names(names: str | None) -> list[str]:
    return [] if names is None else [each.strip() for each in names.split(",") if each.strip()]


def _make_notes(args: RouteArgs, route: Route) -> list[str]:
    action, notes = route.action, list[str]()
    if not route.can_match:
        notes.append(
            "Note: no URL can match this pattern, because it must match the whole URL. Begin it "
            "with ** or with a scheme: **/api/users, **/*.png."
        )
    is_answered = action.abort_reason is not None or action.status is not None
    unused = {
        "contentType": action.status is None and args.content_type is not None,
        "headers": action.abort_reason is not None and args.headers is not None,
        "removeHeaders": is_answered and args.remove_headers is not None,
    }
    notes += [f"Note: '{name}' has no effect here." for name in unused if unused[name]]
    if not is_answered and not action.changes_headers:
        notes.append("Note: the requests continue unchanged, whatever older routes do.")
    return notes


def _describe_details(route: Route) -> str:
    """Return what a route does, in the words of playwright-mcp, in parentheses."""
    action = route.action
    details = ["regex"] if route.is_regex else []
    if action.abort_reason is not None:
        details.append(f"abort={action.abort_reason}")
    elif action.status is not None:
        details.append(f"status={action.status}")
        if action.body_path is not None:
            details.append(f"path={to_one_line(action.body_path)}")
        elif action.body:
            details.append(f"body={_shorten_body(action.body)}")
        if action.content_type is not None:
            details.append(f"contentType={to_one_line(action.content_type)}")
    if action.headers and action.abort_reason is None:
        name = "addHeaders" if action.status is None else "headers"
        shown = {name: mask_value(name, value) for name, value in action.headers}
        headers = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
        details.append(f"{name}={to_one_line(headers)}")
    if action.changes_headers and action.removed_headers:
        details.append(f"removeHeaders={to_one_line(','.join(action.removed_headers))}")
    details.append(route.failure or format_count(route.request_count, "request"))
    return f" ({', '.join(details)})"


def _shorten_body(body: bytes) -> str:
    text = to_one_line(body[: 4 * _MAX_LISTED_BODY + 4].decode(errors="replace"))
    return text if len(text) <= _MAX_LISTED_BODY else f"{text[:_MAX_LISTED_BODY]}..."

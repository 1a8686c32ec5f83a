"""Tools that save and restore the storage state of a context (`--caps storage`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import format_count
from viewpoint_mcp.tools.browser.contexts import describe_unsupported_parts, save_context_storage
from viewpoint_mcp.tools.core.args import Args, ContextName
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.sessionless_call_policy import ActsInContext
from viewpoint_mcp.tools.core.tool import browser_tool

if TYPE_CHECKING:
    from viewpoint_mcp.browser.client_workspace import Workspace


class StorageStateArgs(Args):
    filename: str | None = None
    """File to write, relative to the working directory or absolute. An existing file is replaced.
    A new file `storage-state-{time}.json` in `--output-dir` if omitted. Only its owner can read it,
    because it contains logins."""
    context: ContextName = None


class SetStorageStateArgs(Args):
    filename: str
    """File with the state, relative to the working directory or absolute. `browser_storage_state`,
    `browser_context_save_storage` and Playwright write such files."""
    context: ContextName = None


@browser_tool(
    "browser_storage_state",
    title="Save storage state",
    kind="record",
    capability="storage",
    sessionless=ActsInContext(),
)
async def save_storage_state(browser: Workspace, args: StorageStateArgs) -> ToolResult:
    """Save cookies and localStorage to a file.

    Does the same as `browser_context_save_storage`, which can also save IndexedDB.

    Reply: the numbers of cookies and origins, the file, and the data that could not be saved.

    Errors: the file cannot be written; no context has this name.
    """
    return await save_context_storage(browser, args.context, args.filename)


@browser_tool(
    "browser_set_storage_state",
    title="Restore storage state",
    kind="state",
    capability="storage",
    sessionless=ActsInContext(),
)
async def set_storage_state(browser: Workspace, args: SetStorageStateArgs) -> ToolResult:
    """Restore cookies and localStorage from a file, instead of the present ones.

    Deletes all cookies of the context, and the localStorage and IndexedDB of the sites that its
    tabs have shown. Then it loads the file, also with IndexedDB if it has any. Open pages share the
    new storage, but show it after a reload only. sessionStorage stays.

    Reply: the numbers of cookies and origins, and the data that could not be restored.

    Errors: the file cannot be read or is malformed, or the browser refuses one of its cookies;
    nothing changes then. The browser refuses the data of an origin: all other data is restored.
    """
    files = browser.files
    path = files.resolve_to_read(args.filename)
    context = await browser.get_context(args.context)
    restored = await context.storage.replace_from_file(path)
    name = files.format_path_for_reply(path)
    lines = [f'Restored {restored} in context "{context.name}" from "{name}"']
    if restored.expired_count:
        lines.append(f"Skipped {format_count(restored.expired_count, 'expired cookie')}.")
    if restored.missing_parts:
        lines.append(f"Not restored: {restored.missing_text}. Close the pages, and restore again.")
    if restored.unsupported_parts:
        lines.append(describe_unsupported_parts(restored.unsupported_parts))
    if any(tab.url.startswith("http") for tab in context.tabs):
        lines.append("Use browser_reload to show it in open pages.")
    return ToolResult("\n".join(lines), context=context)

"""The tools that record the calls of a client as an HTML report (`--caps devtools`)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import format_count
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.core.args import Args, ContextName
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.sessionless_call_policy import ActsInContext
from viewpoint_mcp.tools.core.tool import client_tool

if TYPE_CHECKING:
    from viewpoint_mcp.tools.core.executor import ClientState


class TracingArgs(Args):
    context: ContextName = None
    """Handle of the context, in a call without a session. A trace has all contexts of a session."""


@client_tool(
    "browser_start_tracing",
    title="Start tracing",
    kind="record",
    capability="devtools",
    sessionless=ActsInContext(),
)
async def start_tracing(client: ClientState, args: TracingArgs) -> ToolResult:
    """Record all tool calls from now on, for a report.

    For each call, the report shows the arguments, the reply, the duration, the page before and
    after an action, and the console messages and network requests since the last call. Secrets, and
    texts that are typed into password fields, are masked.

    Reply: one sentence.

    Errors: a trace is already being recorded.
    """
    from viewpoint_mcp.tools.tracing.trace import Trace

    if client.trace is not None:
        raise CallError(
            "Tracing has already started.", "Use browser_stop_tracing to save the report."
        )
    client.trace = Trace(client.workspace, client.settings, handle=client.handle)
    return ToolResult(
        "Tracing started. browser_stop_tracing saves the report.", omits_open_tabs=True
    )


@client_tool(
    "browser_stop_tracing",
    title="Stop tracing",
    kind="record",
    capability="devtools",
    sessionless=ActsInContext(),
)
async def stop_tracing(client: ClientState, args: TracingArgs) -> ToolResult:
    """Stop tracing, and save the report as an HTML file that opens offline.

    Reply: the path; the number of calls, the size, and what is left out.

    Errors: tracing is not started; the file cannot be written, and tracing continues.
    """
    from viewpoint_mcp.files.saved_file_lookup import SavedFiles
    from viewpoint_mcp.tools.reply.file_saving import make_link

    trace = client.trace
    if trace is None:
        raise CallError("Tracing is not started.", "Use browser_start_tracing first.")
    saved = await trace.save()
    client.trace = None
    trace.close()
    files = client.workspace.files
    size = f"{format_count(saved.call_count, 'call')}, {saved.size / 1000:,.0f} kB"
    lines = [f"Trace saved to {files.format_path_for_reply(saved.path)} ({size})"]
    if saved.left_out_count:
        left_out = format_count(saved.left_out_count, "call")
        lines.append(f"Left out: the oldest {left_out}, because the trace was too long")
    entry = await asyncio.to_thread(SavedFiles(files).find_by_path, saved.path)
    links = () if entry is None else (make_link(entry),)
    return ToolResult("\n".join(lines), links=links, omits_open_tabs=True)

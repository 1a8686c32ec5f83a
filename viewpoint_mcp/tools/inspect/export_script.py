"""The tool that saves the session as a Playwright test (`--caps testing`)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import format_count
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.records import FileDescription
from viewpoint_mcp.tools.core.args import Args, ContextName, Filename
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.sessionless_call_policy import ActsInContext
from viewpoint_mcp.tools.core.tool import client_tool

if TYPE_CHECKING:
    from viewpoint_mcp.tools.core.executor import ClientState


class ExportScriptArgs(Args):
    filename: Filename = None
    """File to save the test in, relative to the working directory or absolute; the suffix is added
    if it has none. A new file in `--output-dir` if omitted."""
    language: Annotated[
        Literal["typescript", "python"] | None,
        Meta(description="typescript (@playwright/test) or python (pytest-playwright)"),
    ] = None
    """Language of the test: `typescript` for Playwright Test, `python` for pytest-playwright. That
    of `--codegen` if omitted, else `typescript`."""
    context: ContextName = None
    """Handle of the context, in a call without a session. The test has all contexts of a session.
    """


@client_tool(
    "browser_export_script",
    title="Export test",
    kind="record",
    capability="testing",
    sessionless=ActsInContext(),
)
async def export_script(client: ClientState, args: ExportScriptArgs) -> ToolResult:
    """Save the session so far as a runnable Playwright test with the verifications made.

    The test has the successful calls of the session in all contexts and tabs, with locators that
    still match after a reload, and with popups, dialogs and uploads. Secrets are read from
    environment variables of their names. A call that Playwright cannot express becomes a comment.

    Reply: the path, and the numbers of actions and verifications; the comments; the number of
    failed calls, which are left out.

    Errors: no call was recorded yet; the file cannot be written.
    """
    from viewpoint_mcp.tools.codegen.test_script import write_test_script

    recording = client.recorder
    if recording is None or not recording.passages:
        raise CallError(
            "The session has no actions yet.",
            "Act on a page and verify it, then export the test.",
        )
    default = recording.settings.codegen
    language = args.language or ("typescript" if default == "none" else default)
    script = write_test_script(recording, language)
    files = recording.files
    about = FileDescription(kind="result", what="Playwright test")
    if args.filename:
        name = args.filename if Path(args.filename).suffix else f"{args.filename}{script.suffix}"
        path = await asyncio.to_thread(files.save_as, script.text, name, about)
    else:
        path = await asyncio.to_thread(files.save, script.text, script.suffix[1:], about)
    actions = format_count(script.action_count, "action")
    verifications = format_count(script.verification_count, "verification")
    saved = f"Test saved to {files.format_path_for_reply(path)}"
    lines = [f"{saved} ({actions}, {verifications})"]
    lines += [f"As a comment: {each}" for each in dict.fromkeys(script.comments)]
    if recording.failed_count:
        lines.append(f"Left out: {format_count(recording.failed_count, 'failed call')}")
    return ToolResult("\n".join(lines), omits_open_tabs=True)

"""What a command prints: the reply of a tool in the form that the command line asks for."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from viewpoint_mcp.shell.commands.command_line import OutputForm, ToolCall
from viewpoint_mcp.shell.response import Response
from viewpoint_mcp.tools.core.result import Reply

OK, FAILED, USAGE = 0, 1, 2
"""Exit statuses."""

_RESULT = re.compile(r"^### Result\n(?P<text>.*?)(?=^### |\Z)", re.MULTILINE | re.DOTALL)
# Replies escape what could end their section or contain the next one.
_ESCAPED = re.compile(r"^([^\S\n]*)\\(?=###|```|~~~)", re.MULTILINE)


def print_reply(reply: Reply, form: OutputForm, files: Sequence[Path], call: ToolCall) -> Response:
    """Return what a command prints.

    The text of a failure goes to stderr. JSON always goes to stdout.

    Args:
        files: The files that the call saved.
        call: The call of the tool.
    """
    status = FAILED if reply.is_error else OK
    if form == "json":
        data = reply.structured_content or {"text": reply.text}
        return Response(f"{json.dumps(data, ensure_ascii=False)}\n", "", status)
    if reply.is_error:
        return Response("", _end_line(reply.text), status)
    if form == "raw" and _is_value_in_file(call, files):
        return Response(_end_line(files[-1].read_text(encoding="utf-8")))
    if form == "raw":
        return Response(_end_line(_find_result(reply.text)))
    if form == "file" and not files:
        return Response("", "The command saved no file. Without --file it prints the reply.\n", 1)
    if form == "file":
        return Response("".join(f"{path}\n" for path in files))
    return Response(_end_line(reply.text))


def _is_value_in_file(call: ToolCall, files: Sequence[Path]) -> bool:
    """Return whether the reply has only the beginning of a long value, and a file all of it."""
    is_named = "filename" in call.arguments
    return call.tool == "browser_evaluate" and bool(files) and not is_named


def _find_result(text: str) -> str:
    """Return the section of the result as its tool returned it; the whole text if it has none."""
    found = _RESULT.search(text)
    return _ESCAPED.sub(r"\1", found["text"]) if found else text


def _end_line(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


def format_age(seconds: float) -> str:
    """Return a time that has passed, in minutes if it is that long."""
    return f"{seconds / 60:.0f} min" if seconds >= 60 else f"{seconds:.0f} s"

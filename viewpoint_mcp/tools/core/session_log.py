"""Log of a client's calls and replies in a Markdown file (`--save-session`)."""

from __future__ import annotations

import asyncio
import json
import logging
import os
from datetime import UTC, datetime
from pathlib import Path

from viewpoint_mcp.config.secrets import Secrets
from viewpoint_mcp.tools.core.result import Reply
from viewpoint_mcp.tools.tracing.text_masking import mask_live_view_keys

log = logging.getLogger(__name__)


class SessionLog:
    """The log file of one client. The first call creates the file.

    Args:
        directory: The directory of the file.
        secrets: The secrets to mask in the arguments. Replies are masked already.
    """

    def __init__(self, directory: Path, secrets: Secrets) -> None:
        stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S-%fZ")
        self._path = directory / f"session-{stamp}.md"
        self._secrets = secrets
        self._lock = asyncio.Lock()
        self._has_failed = False

    async def append_call(self, tool_name: str, arguments: object, reply: Reply) -> None:
        """Append a call and its reply to the file.

        If the file cannot be written, log a warning, but only once.
        """
        # Imported late, because servers without a session log need it only at the first call.
        from viewpoint_mcp.accessibility.printing.invisible_characters import escape_invisible

        json_text = json.dumps(arguments or {}, indent=2, ensure_ascii=False, default=str)
        shown = escape_invisible(self._secrets.mask(json_text))
        text = (
            f"### Tool call: {tool_name}\n- Args\n```json\n{shown}\n```\n"
            f"- Result{' (error)' if reply.is_error else ''}\n"
            f"{mask_live_view_keys(_quote_reply(reply))}\n\n"
        )
        async with self._lock:
            try:
                await asyncio.to_thread(self._append_text, text)
            except OSError as error:
                if not self._has_failed:
                    log.warning("The session log cannot be written to %s: %s", self._path, error)
                self._has_failed = True

    def _append_text(self, text: str) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with open(
            self._path, "a", encoding="utf-8", errors="replace", opener=_open_private
        ) as file:
            file.write(text)


def _open_private(path: str, flags: int) -> int:
    """Open a file with access for its owner only: it contains handles and page content."""
    return os.open(path, flags, 0o600)


def _quote_reply(reply: Reply) -> str:
    """Return the reply as a Markdown quotation, so that its headings do not structure the file."""
    lines = reply.text.splitlines() + [f"[{image.mime_type}]" for image in reply.images]
    return "\n".join(f"> {line}".rstrip() for line in lines)

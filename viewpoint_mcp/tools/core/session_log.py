"""Writes what was called and answered to a file, for people to read afterwards."""

from __future__ import annotations

import asyncio
import json
import logging
import os
from datetime import UTC, datetime
from pathlib import Path

from viewpoint_mcp.config.secrets import Secrets
from viewpoint_mcp.tools.core.result import Reply

log = logging.getLogger(__name__)


class SessionLog:
    """One file for all calls of a client, made with the first.

    Args:
        directory: Where it goes.
        secrets: What arguments are masked of; replies are already.
    """

    def __init__(self, directory: Path, secrets: Secrets) -> None:
        stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S-%fZ")
        self._path = directory / f"session-{stamp}.md"
        self._secrets = secrets
        self._lock = asyncio.Lock()
        self._failed = False

    async def note(self, name: str, arguments: object, reply: Reply) -> None:
        """Add a call and its reply. Where that fails the log of the server says so, once."""
        given = json.dumps(arguments or {}, indent=2, ensure_ascii=False, default=str)
        text = (
            f"### Tool call: {name}\n- Args\n```json\n{self._secrets.mask(given)}\n```\n"
            f"- Result{' (error)' if reply.is_error else ''}\n{_quoted(reply)}\n\n"
        )
        async with self._lock:
            try:
                await asyncio.to_thread(self._append, text)
            except OSError as error:
                if not self._failed:
                    log.warning("The session cannot be written to %s: %s", self._path, error)
                self._failed = True

    def _append(self, text: str) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with open(
            self._path, "a", encoding="utf-8", errors="replace", opener=_open_private
        ) as file:
            file.write(text)


def _open_private(path: str, flags: int) -> int:
    """For its owner's eyes alone: replies have handles and whatever pages show."""
    return os.open(path, flags, 0o600)


def _quoted(reply: Reply) -> str:
    """The reply as a quotation: its headings are not those of the file."""
    lines = reply.text.splitlines() + [f"[{image.mime_type}]" for image in reply.images]
    return "\n".join(f"> {line}".rstrip() for line in lines)

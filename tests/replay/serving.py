"""A server in this process, attached to a real or a replayed browser."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.e2e.support.client import Reply, split_sections
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.embedding.server import Server
from viewpoint_mcp.tools.core.runner import Runner

RECORDINGS = Path(__file__).parent / "recordings"


class Session:
    """The only client of a server."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    async def call(self, tool: str, /, **arguments: Any) -> Reply:
        """Return the reply to a call, whether it succeeded or not."""
        reply = await self._runner.call(tool, arguments)
        return Reply(reply.text, reply.is_error, split_sections(reply.text), [], {})


@asynccontextmanager
async def open_session(
    endpoint: str, directory: Path, trace: Path | None = None
) -> AsyncIterator[Session]:
    """Open a session with a server.

    Args:
        endpoint: Address of a real or a replayed browser.
        directory: Directory for its files.
        trace: File for a recording.
    """
    settings = Settings(
        cdp_endpoint=endpoint,
        trace_cdp=trace,
        working_dir=directory,
        screenshot_dir=directory / "shots",
        output_dir=directory / "files",
    )
    async with Server(settings) as server, server.session() as runner:
        yield Session(runner)

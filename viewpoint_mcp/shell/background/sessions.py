"""The sessions of a background server, which commands open and close."""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from viewpoint_mcp import __version__
from viewpoint_mcp.shell.commands.output import FAILED, format_age
from viewpoint_mcp.shell.response import Response
from viewpoint_mcp.tools.core.runner import Runner, RunnerFactory


class _Session:
    """One session: the runner of its commands, and the time of the last one."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self.used_at = time.monotonic()


class BackgroundSessions:
    """Opens a session with its first command. Implements `SessionHost`.

    Args:
        workspace: The directory that the server belongs to.
        factory: Opens the runner of each session.
        end_server: Stops the server before the last session is closed, and calls `close`.
    """

    def __init__(
        self, workspace: str, factory: RunnerFactory, end_server: Callable[[], Awaitable[object]]
    ) -> None:
        self._workspace = workspace
        self._factory = factory
        self._end_server = end_server
        self._sessions: dict[str, _Session] = {}

    @contextmanager
    def use_session(self, name: str) -> Iterator[Runner]:
        """Return the runner of a session, which is opened if it does not exist."""
        session = self._sessions.get(name)
        if session is None:
            session = self._sessions[name] = _Session(self._factory.open_session_runner())
        try:
            yield session.runner
        finally:
            session.used_at = time.monotonic()

    async def close_session(self, name: str, *, ends_all: bool) -> Response:
        """Close one or all sessions, and end the server with the last one."""
        if not ends_all and name not in self._sessions:
            names = ", ".join(self._sessions) or "none"
            return Response(f'Session "{name}" is not open here. Open sessions: {names}.\n')
        names = ", ".join(self._sessions) if ends_all else name
        if ends_all or len(self._sessions) == 1:
            await self._end_server()
        else:
            await self._sessions.pop(name).runner.close()
        return Response(f"Closed {names or 'the server'} of {self._workspace}.\n")

    async def close(self) -> None:
        """Close all sessions and the browser. Idempotent."""
        sessions, self._sessions = self._sessions, {}
        for each in sessions.values():
            await each.runner.close()
        await self._factory.close()

    def list_sessions(self) -> Response:
        """List the open sessions, with the age of the last command."""
        now = time.monotonic()
        head = f"{self._workspace} (pid {os.getpid()}, version {__version__})\n"
        lines = [
            f"  {name}: last command {format_age(now - each.used_at)} ago\n"
            for name, each in self._sessions.items()
        ]
        return Response(head + ("".join(lines) or "  no session\n"))

    def describe_running(self, flags: list[str]) -> Response:
        """Refuse flags, which count at the start only."""
        if not flags:
            return Response(f"The server of {self._workspace} runs already.\n")
        names = " and ".join(f"`viewpoint close -s {each}`" for each in self._sessions)
        return Response(
            "",
            "The server of this workspace runs already, with other flags. Close it before: "
            f"{names or '`viewpoint close --all`'}.\n",
            FAILED,
        )

    def refuse_version(self, version: str) -> Response:
        """Name both versions, and the command that helps."""
        return Response(
            "",
            f"This is viewpoint {version}, and the server of {self._workspace} is version "
            f"{__version__}. Run `viewpoint close --all`, which closes all sessions. The next "
            "command then starts a server of your version.\n",
            FAILED,
        )

"""The sessions of the MCP clients of one server, in which commands of a shell run."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from viewpoint_mcp import logs
from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import format_count
from viewpoint_mcp.caller import Caller, set_caller
from viewpoint_mcp.rpc.errors import SESSION_ENDED, RpcError
from viewpoint_mcp.server.open_sessions import OpenSessions
from viewpoint_mcp.shell.commands.command_runner import SessionError, ToolRunner
from viewpoint_mcp.shell.commands.output import FAILED, format_age
from viewpoint_mcp.shell.response import Response
from viewpoint_mcp.tools.core.result import Reply
from viewpoint_mcp.tools.core.runner import RunnerFactory
from viewpoint_mcp.tools.core.sessionless_call_policy import ActsInContext

_SHARED = "shared"  # the session of all clients with --shared-browser-context


class ShellCaller(Caller):
    """A shell that calls a tool in the session of an MCP client."""

    reader = "shell"


class _Session(NamedTuple):
    """A session as a list shows it."""

    name: str
    client: str
    tab_count: int
    used_at: float | None
    runner: ToolRunner

    def describe(self, suffix: str) -> str:
        parts = [self.client, format_count(self.tab_count, "tab")]
        if self.used_at is not None:
            parts.append(f"last call {format_age(time.monotonic() - self.used_at)} ago")
        return f"  {self.name}{suffix}: {', '.join(parts)}\n"


class McpSessions:
    """Finds the sessions of MCP clients. It opens and closes none. Implements `SessionHost`.

    Args:
        server: What a person calls the server.
        version: The version of the server.
        suffix: The end of the names by which clients of several servers find a session.
    """

    def __init__(
        self,
        sessions: OpenSessions,
        factory: RunnerFactory,
        *,
        server: str,
        version: str,
        suffix: str = "",
    ) -> None:
        self._sessions = sessions
        self._factory = factory
        self._server = server
        self._version = version
        self._suffix = suffix

    @contextmanager
    def use_session(self, name: str) -> Iterator[ToolRunner]:
        """Return the runner of a session. Without a name it is the only session.

        Raises:
            SessionError: No session has this name, or several are open; or the session ended.
        """
        session = self._find(name.removesuffix(self._suffix))
        logs.call_id.set("shell")
        set_caller(ShellCaller())
        try:
            yield session.runner
        except RpcError as error:
            if error.code != SESSION_ENDED:
                raise
            raise SessionError(
                f"The session {session.name}{self._suffix} ended while the command ran. The "
                "command may have taken effect."
            ) from None

    def list_sessions(self) -> Response:
        """List the open sessions, with their clients and tabs."""
        return Response(
            f"{self._server} (pid {os.getpid()}, version {self._version})\n{self._lines}"
        )

    async def close_session(self, name: str, *, ends_all: bool) -> Response:
        """Refuse: a session belongs to its client. `close --all` skips it."""
        if ends_all and self._suffix:
            return Response("")
        return Response(
            "",
            "A session of an MCP client ends with its client. `viewpoint close-page` closes its "
            "tab.\n",
            FAILED,
        )

    def describe_running(self, flags: list[str]) -> Response:
        """Refuse: the flags of the server are those of `viewpoint-mcp`."""
        return Response("", "An MCP server is started with `viewpoint-mcp --shell`.\n", FAILED)

    def refuse_version(self, version: str) -> Response:
        """Name both versions."""
        return Response(
            "",
            f"This is viewpoint {version}, and the MCP server is version {self._version}. Use the "
            "same version: update one of them, and restart the MCP server.\n",
            FAILED,
        )

    def _find(self, name: str) -> _Session:
        sessions = self._list()
        found = [each for each in sessions if name in ("", each.name)]
        if len(found) == 1:
            return found[0]
        if not sessions:
            raise SessionError("No MCP client has a session here.")
        reason = f'No session is called "{name}".' if name else "Several sessions are open."
        raise SessionError(f"{reason} Choose one with -s:\n{self._lines}".rstrip())

    @property
    def _lines(self) -> str:
        lines = [each.describe(self._suffix) for each in self._list()]
        return "".join(lines) or "  no session\n"

    def _list(self) -> list[_Session]:
        sessions = [
            _Session(each.name, each.client, each.tab_count, each.used_at, each)
            for each in self._sessions.list()
        ]
        if self._factory.settings.shared_context:
            return self._combine(sessions)
        return sessions + [
            _Session(
                context.name,
                "a client without a session",
                context.tab_count,
                context.used_at,
                _HandleRunner(self._factory, context.handle),
            )
            for context in self._factory.list_handle_contexts()
        ]

    def _combine(self, sessions: list[_Session]) -> list[_Session]:
        """Return one session for all clients, which have the same tabs."""
        tab_count = self._factory.shared_tab_count
        if not sessions and not tab_count:
            return []
        clients = ", ".join(each.client for each in sessions) or "clients without a session"
        used_at = max((each.used_at for each in sessions if each.used_at), default=None)
        runner = self._factory.open_sessionless_runner()
        return [_Session(_SHARED, clients, tab_count, used_at, runner)]


class _HandleRunner:
    """Runs tools in the context of a client without a session."""

    def __init__(self, factory: RunnerFactory, handle: str) -> None:
        self._factory = factory
        self._handle = handle

    async def call(self, name: str, arguments: object) -> Reply:
        policy = self._factory.tools[name].sessionless
        if isinstance(policy, ActsInContext) and isinstance(arguments, Mapping):
            arguments = {policy.argument: self._handle, **arguments}
        return await self._factory.open_sessionless_runner().call(name, arguments)

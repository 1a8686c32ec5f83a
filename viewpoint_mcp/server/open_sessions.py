"""The sessions of MCP clients that are open, for callers other than their clients.

A shell can run tools in the session of a client. Such a call ends with the session, and keeps it
from expiring.
"""

from __future__ import annotations

import re
import time
from itertools import chain, count
from typing import Final

from viewpoint_mcp.rpc.dispatcher import Conversation
from viewpoint_mcp.rpc.messages import JsonObject
from viewpoint_mcp.server.tool_methods import ToolRunner
from viewpoint_mcp.tools.core.result import Reply

_NAME: Final = re.compile(r"[^a-z0-9._]+")
_UNPRINTABLE: Final = re.compile(r"[^ -~]")
_MAX_LENGTH: Final = 40  # characters of a client's name or version


class OpenSession:
    """The session of one client since `initialize`, or since its first call.

    Args:
        name: A short name that no other session of this server has or had.
        client: The client's own name and version, for people.
        runner: Runs the tools of the session.
        conversation: The conversation with the client.

    Attributes:
        used_at: When the last call began, in seconds of `time.monotonic`.
    """

    def __init__(
        self, name: str, client: str, runner: ToolRunner, conversation: Conversation
    ) -> None:
        self.name = name
        self.client = client
        self.used_at = time.monotonic()
        self._runner = runner
        self._conversation = conversation

    @property
    def tab_count(self) -> int:
        """Number of open tabs that the session sees."""
        return self._runner.tab_count

    def note_call(self) -> None:
        """Note that a call begins now."""
        self.used_at = time.monotonic()

    async def call(self, name: str, arguments: object) -> Reply:
        """Run a tool in the session, for another caller than its client.

        Raises:
            RpcError: The session ended before the call was done.
            UnknownTool: The server offers no tool of this name.
        """
        self.note_call()
        return await self._conversation.run(self._runner.call(name, arguments))


class OpenSessions:
    """The open sessions of one server, oldest first."""

    def __init__(self) -> None:
        self._sessions: list[OpenSession] = []
        self._used_names: set[str] = set()

    def list(self) -> tuple[OpenSession, ...]:
        """Return the open sessions."""
        return tuple(self._sessions)

    def add(
        self, client_info: object, runner: ToolRunner, conversation: Conversation
    ) -> OpenSession:
        """Add the session of a client, with a name made of the client's.

        Args:
            client_info: What the client sent as `clientInfo`.
        """
        info: JsonObject = client_info if isinstance(client_info, dict) else {}
        name = _clean(info.get("name")) or "client"
        short = _NAME.sub("-", name.lower()).strip("-.") or "client"
        names = chain([short], (f"{short}-{number}" for number in count(2)))
        free_name = next(each for each in names if each not in self._used_names)
        self._used_names.add(free_name)
        session = OpenSession(
            free_name,
            f"{name} {_clean(info.get('version'))}".strip(),
            runner,
            conversation,
        )
        self._sessions.append(session)
        return session

    def remove(self, session: OpenSession) -> None:
        """Remove a session that has ended. Its name is not used again."""
        self._sessions.remove(session)


def _clean(text: object) -> str:
    """Return a text of a client in a form that is safe on a terminal."""
    return _UNPRINTABLE.sub("", text)[:_MAX_LENGTH].strip() if isinstance(text, str) else ""

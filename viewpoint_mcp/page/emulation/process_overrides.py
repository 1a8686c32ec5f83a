"""The overrides that Chromium keeps per renderer process: locale, time zone, CPU throttling.

The locale and the time zone are in force as long as the CDP session that set them first stays in
the process. A command from another session of the process fails (locale) or is ignored (time zone).
The CPU throttling accepts a command from each session. All of them end when one of these sessions
ends, or its page moves to another process, and the remaining tabs and frames lose them. Therefore
they are set again in all other sessions whenever this may have happened. A worker has the locale
and time zone of its process; Chromium cannot throttle it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from cdp_protocol import Session, SessionClosed
from viewpoint_mcp.background_tasks import BackgroundTasks

if TYPE_CHECKING:
    from cdp_protocol.types.page import FrameNavigatedEvent


class ProcessOverrides:
    """Sets the overrides of the pages and frames of a browser context again when they are lost.

    Args:
        list_commands: Returns the commands that set them in a session.
    """

    def __init__(self, list_commands: Callable[[Session], list[Awaitable[object]]]) -> None:
        self._list_commands = list_commands
        self._sessions: dict[Session, BackgroundTasks] = {}

    def add_session(self, session: Session, tasks: BackgroundTasks) -> None:
        """Renew the overrides of a session until `forget_sessions_added_with`.

        Args:
            session: The CDP session of a page or frame.
            tasks: The background tasks that send the commands again.
        """
        self._sessions[session] = tasks
        session.on(
            session.Page.frameNavigated, lambda event: self._on_frame_navigated(session, event)
        )
        session.on_closed(lambda reason: self._on_session_closed(session, reason))

    def forget_sessions_added_with(self, tasks: BackgroundTasks) -> None:
        """Forget the CDP sessions that were added with these tasks."""
        self._sessions = {each: of for each, of in self._sessions.items() if of is not tasks}

    def _on_frame_navigated(self, session: Session, event: FrameNavigatedEvent) -> None:
        if event["frame"]["id"] == session.target_info["targetId"]:
            self._send_again_in_other_sessions(session)

    def _on_session_closed(self, session: Session, _reason: SessionClosed) -> None:
        self._sessions.pop(session, None)
        if session.connection.lost is None:
            self._send_again_in_other_sessions(session)

    def _send_again_in_other_sessions(self, session: Session) -> None:
        for each, tasks in self._sessions.items():
            if each is not session and (commands := self._list_commands(each)):
                tasks.start(_send(commands))


async def _send(commands: list[Awaitable[object]]) -> None:
    await asyncio.gather(*commands)

"""Locale and time zone. Chromium keeps both per renderer process.

They are in force as long as the CDP session that set them first stays in the process. A command
from another session of the process fails (locale) or is ignored (time zone). When the first session
ends, or its page moves to another process, the remaining tabs and frames lose them. Therefore they
are set again in all other sessions whenever this may have happened. A worker has those of its
process.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import TYPE_CHECKING

from cdp_protocol import CdpError, ProtocolError, Session, SessionClosed
from viewpoint_mcp.background_tasks import BackgroundTasks

if TYPE_CHECKING:
    from cdp_protocol.types.page import FrameNavigatedEvent

log = logging.getLogger(__name__)

_INVALID_CODE = -32602  # code of a CDP error: the time zone does not exist


class LocaleAndTimeZoneOverrides:
    """The locale and time zone of all pages of a browser context.

    Args:
        locale: BCP 47 tag; None for the browser's.
        time_zone: IANA name; None for the machine's.
    """

    def __init__(self, locale: str | None, time_zone: str | None) -> None:
        self._locale = locale
        self._time_zone = time_zone
        self._sessions: dict[Session, BackgroundTasks] = {}

    def add_session(self, session: Session, tasks: BackgroundTasks) -> list[Awaitable[object]]:
        """Return the commands for a new CDP session; renew them until `forget_sessions_added_with`.

        Args:
            session: The CDP session.
            tasks: The background tasks that send the commands again.
        """
        if self._locale is None and self._time_zone is None:
            return []
        self._sessions[session] = tasks
        session.on(
            session.Page.frameNavigated, lambda event: self._on_frame_navigated(session, event)
        )
        session.on_closed(lambda reason: self._on_session_closed(session, reason))
        return self._list_commands(session)

    def forget_sessions_added_with(self, tasks: BackgroundTasks) -> None:
        """Forget the CDP sessions that were added with these tasks."""
        self._sessions = {each: of for each, of in self._sessions.items() if of is not tasks}

    def _list_commands(self, session: Session) -> list[Awaitable[object]]:
        """Return the commands that set the locale and time zone of a session.

        Source: CDP `Emulation.setLocaleOverride`, `Emulation.setTimezoneOverride`.
        """
        commands: list[Awaitable[object]] = []
        if self._locale is not None:
            commands.append(
                _send_ignoring_conflict(session.Emulation.setLocaleOverride(locale=self._locale))
            )
        if self._time_zone is not None:
            setting = session.Emulation.setTimezoneOverride(timezoneId=self._time_zone)
            commands.append(_send_ignoring_conflict(setting))
        return commands

    async def _send_commands_again(self, session: Session) -> None:
        await asyncio.gather(*self._list_commands(session))

    def _on_frame_navigated(self, session: Session, event: FrameNavigatedEvent) -> None:
        if event["frame"]["id"] == session.target_info["targetId"]:
            self._send_again_in_other_sessions(session)

    def _on_session_closed(self, session: Session, _reason: SessionClosed) -> None:
        self._sessions.pop(session, None)
        if session.connection.lost is None:
            self._send_again_in_other_sessions(session)

    def _send_again_in_other_sessions(self, session: Session) -> None:
        for each, tasks in self._sessions.items():
            if each is not session:
                tasks.start(self._send_commands_again(each))


async def _send_ignoring_conflict(command: Awaitable[object]) -> None:
    try:
        await command
    except CdpError as error:
        if isinstance(error, ProtocolError) and error.code == _INVALID_CODE:
            raise
        log.debug("Another session of the process has set it, or this session is closed: %s", error)

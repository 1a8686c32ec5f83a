"""Locale and time zone, which Chromium keeps for a whole renderer process.

They are in force in a process as long as the session that set them first lives there. Another tab
or frame of the process is refused (locale) or ignored (time zone) while they are, and loses them
when that session ends or its page goes to another process. So they are set again in all sessions
whenever that may have happened. A worker has those of its process.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import TYPE_CHECKING

from cdp_protocol import CdpError, ProtocolError, Session, SessionClosed
from viewpoint_mcp.tasks import Tasks

if TYPE_CHECKING:
    from cdp_protocol.types.page import FrameNavigatedEvent

log = logging.getLogger(__name__)

_INVALID = -32602  # of JSON-RPC: there is no such time zone


class Region:
    """The locale and time zone of all pages of a context.

    Args:
        locale: BCP 47 tag; None for the browser's.
        time_zone: IANA name; None for the machine's.
    """

    def __init__(self, locale: str | None, time_zone: str | None) -> None:
        self._locale = locale
        self._time_zone = time_zone
        self._sessions: dict[Session, Tasks] = {}

    def follow(self, session: Session, tasks: Tasks) -> list[Awaitable[object]]:
        """Return the commands for a session's start, and keep them in force.

        Args:
            tasks: Of whoever follows the session.
        """
        if self._locale is None and self._time_zone is None:
            return []
        self._sessions[session] = tasks
        session.on(session.Page.frameNavigated, lambda event: self._navigated(session, event))
        session.on_closed(lambda reason: self._ended(session, reason))
        return self._set(session)

    def leave(self, tasks: Tasks) -> None:
        """Let go of the sessions that were followed with these tasks."""
        self._sessions = {each: of for each, of in self._sessions.items() if of is not tasks}

    def _set(self, session: Session) -> list[Awaitable[object]]:
        """Source: CDP `Emulation.setLocaleOverride`, `Emulation.setTimezoneOverride`."""
        sending: list[Awaitable[object]] = []
        if self._locale is not None:
            sending.append(_try(session.Emulation.setLocaleOverride(locale=self._locale)))
        if self._time_zone is not None:
            setting = session.Emulation.setTimezoneOverride(timezoneId=self._time_zone)
            sending.append(_try(setting))
        return sending

    async def _renew(self, session: Session) -> None:
        await asyncio.gather(*self._set(session))

    def _navigated(self, session: Session, event: FrameNavigatedEvent) -> None:
        if event["frame"]["id"] == session.target_info["targetId"]:
            self._renew_beside(session)

    def _ended(self, session: Session, _reason: SessionClosed) -> None:
        self._sessions.pop(session, None)
        if session.connection.lost is None:
            self._renew_beside(session)

    def _renew_beside(self, session: Session) -> None:
        for each, tasks in self._sessions.items():
            if each is not session:
                tasks.start(self._renew(each))


async def _try(setting: Awaitable[object]) -> None:
    try:
        await setting
    except CdpError as error:
        if isinstance(error, ProtocolError) and error.code == _INVALID:
            raise
        log.debug("Another session of the process has it set, or this one is gone: %s", error)

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
from viewpoint_mcp.tasks import BackgroundTasks

if TYPE_CHECKING:
    from cdp_protocol.types.page import FrameNavigatedEvent

log = logging.getLogger(__name__)

_INVALID = -32602  # code of a CDP error: the time zone does not exist


class Region:
    """The locale and time zone of all pages of a browser context.

    Args:
        locale: BCP 47 tag; None for the browser's.
        time_zone: IANA name; None for the machine's.
    """

    def __init__(self, locale: str | None, time_zone: str | None) -> None:
        self._locale = locale
        self._time_zone = time_zone
        self._sessions: dict[Session, BackgroundTasks] = {}

    def follow(self, session: Session, tasks: BackgroundTasks) -> list[Awaitable[object]]:
        """Return the commands for a new CDP session, and renew their effect until `leave`.

        Args:
            session: The CDP session.
            tasks: The background tasks that send the commands again.
        """
        if self._locale is None and self._time_zone is None:
            return []
        self._sessions[session] = tasks
        session.on(session.Page.frameNavigated, lambda event: self._navigated(session, event))
        session.on_closed(lambda reason: self._ended(session, reason))
        return self._set(session)

    def leave(self, tasks: BackgroundTasks) -> None:
        """Forget the CDP sessions that were added with these tasks."""
        self._sessions = {each: of for each, of in self._sessions.items() if of is not tasks}

    def _set(self, session: Session) -> list[Awaitable[object]]:
        """Return the commands that set the locale and time zone of a session.

        Source: CDP `Emulation.setLocaleOverride`, `Emulation.setTimezoneOverride`.
        """
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

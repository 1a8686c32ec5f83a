"""Receives the events of one session or of all sessions, in the order of their arrival."""

from __future__ import annotations

import asyncio
import os
import stat
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from cdp_protocol.cli.event_domains import enable
from cdp_protocol.cli.event_lines import Heard
from cdp_protocol.cli.options.json_paths import Condition
from cdp_protocol.cli.options.target_choice import METHOD_NOT_FOUND, UNINTERESTING
from cdp_protocol.cli.run_command import note
from cdp_protocol.errors import CdpError, ProtocolError

if TYPE_CHECKING:
    from cdp_protocol.description import Description
    from cdp_protocol.events import Subscription
    from cdp_protocol.session import Session

EVERY_KIND = [*({"type": kind, "exclude": True} for kind in sorted(UNINTERESTING)), {}]


class Hearing:
    """A queue of the selected events of one or more sessions.

    Args:
        events: The names of the events.
        conditions: Conditions on the parameters of the events. All must hold.
        description: The protocol description, which lists the commands that enable domains.
    """

    def __init__(
        self, events: Sequence[str], conditions: Sequence[Condition], description: Description
    ) -> None:
        self._events = events
        self._conditions = conditions
        self._description = description
        self._heard: asyncio.Queue[Heard | CdpError | None] = asyncio.Queue()

    async def next(self) -> Heard | None:
        """Wait for the next event.

        Returns:
            The event, or None if the process that read stdout has gone.

        Raises:
            CdpError: The session or the connection has ended.
        """
        heard = await self._heard.get()
        if isinstance(heard, CdpError):
            raise heard
        return heard

    async def begin(self, session: Session) -> list[str]:
        """Subscribe to the events of a session and enable their domains.

        Returns:
            The domains without a command to enable them.

        Raises:
            ProtocolError: The session does not have one of the domains.
        """
        subscriptions = [self._subscribe(session, event) for event in self._events]
        try:
            return await enable(session, self._events, self._description)
        except BaseException:
            for subscription in subscriptions:
                subscription.close()
            raise

    def end_with(self, session: Session) -> None:
        """Make `next` raise an error when a session ends."""
        session.on_closed(lambda closed: self._heard.put_nowait(session.connection.lost or closed))

    @asynccontextmanager
    async def following(self, browser: Session) -> AsyncIterator[None]:
        """Listen to the browser and to all its existing and new targets during the block."""
        await self._begin_where_possible(browser)
        tasks: set[asyncio.Task[None]] = set()
        async with browser.auto_attach(filter=EVERY_KIND, wait_for_debugger=True) as sessions:

            async def follow() -> None:
                async for session in sessions:
                    beginning = asyncio.create_task(self._let_begin(session))
                    tasks.add(beginning)
                    beginning.add_done_callback(tasks.discard)

            tasks.add(asyncio.create_task(follow()))
            try:
                yield
            finally:
                for task in tasks:
                    task.cancel()
                # `follow` fails if the browser ends. `end_with` reports this error already.
                await asyncio.gather(*tasks, return_exceptions=True)

    @asynccontextmanager
    async def noticing_the_reader(self) -> AsyncIterator[None]:
        """Make `next` return None if the reader of stdout exits, even if no event is printed.

        This works if stdout is a pipe. On Windows only the next printed line detects the exit.
        """
        file = sys.stdout.fileno()
        if sys.platform == "win32" or not stat.S_ISFIFO(os.fstat(file).st_mode):
            yield
            return
        loop = asyncio.get_running_loop()

        def gone() -> None:
            loop.remove_reader(file)
            self._heard.put_nowait(None)

        loop.add_reader(file, gone)
        try:
            yield
        finally:
            loop.remove_reader(file)

    def _subscribe(self, session: Session, event: str) -> Subscription:
        return session.on(event, lambda params: self._hear(Heard.now(session, event, params)))

    def _hear(self, heard: Heard) -> None:
        if all(condition.holds(heard.params) for condition in self._conditions):
            self._heard.put_nowait(heard)

    async def _let_begin(self, session: Session) -> None:
        try:
            await self._begin_where_possible(session)
            await session.send("Runtime.runIfWaitingForDebugger")
        except ProtocolError:
            pass  # This type of target never waits for the debugger.
        except CdpError as error:
            if session.closed is None:
                note(str(error))

    async def _begin_where_possible(self, session: Session) -> None:
        """Listen to the domains that a session has. A worker, for example, has no Page domain."""
        for domain in dict.fromkeys(event.partition(".")[0] for event in self._events):
            events = [event for event in self._events if event.startswith(f"{domain}.")]
            subscriptions = [self._subscribe(session, event) for event in events]
            try:
                await enable(session, events, self._description)
            except ProtocolError as error:
                for subscription in subscriptions:
                    subscription.close()
                if error.code != METHOD_NOT_FOUND:
                    note(f"{session}: {error}")

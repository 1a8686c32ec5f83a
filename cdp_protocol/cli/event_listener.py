"""Receives the events of one session or of all sessions, in the order of their arrival."""

from __future__ import annotations

import asyncio
import os
import stat
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from cdp_protocol.cli.event_enabling import DomainsNotEnabled, enable_events
from cdp_protocol.cli.event_lines import ReceivedEvent
from cdp_protocol.cli.options.json_paths import Condition
from cdp_protocol.cli.options.target_selection import HIDDEN_TYPES, METHOD_NOT_FOUND
from cdp_protocol.cli.run_command import print_note
from cdp_protocol.errors import CdpError, ProtocolError

if TYPE_CHECKING:
    from cdp_protocol.description import Description
    from cdp_protocol.events import Subscription
    from cdp_protocol.session import Session

TARGET_FILTER = [*({"type": kind, "exclude": True} for kind in sorted(HIDDEN_TYPES)), {}]


class EventListener:
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
        self._queue: asyncio.Queue[ReceivedEvent | CdpError | None] = asyncio.Queue()

    async def next_event(self) -> ReceivedEvent | None:
        """Wait for the next event.

        Returns:
            The event, or None if the process that read stdout has gone.

        Raises:
            CdpError: The session or the connection has ended.
        """
        event = await self._queue.get()
        if isinstance(event, CdpError):
            raise event
        return event

    async def listen_to_session(self, session: Session) -> DomainsNotEnabled:
        """Subscribe to the events of a session and enable their domains.

        Returns:
            The domains without a command to enable them.

        Raises:
            ProtocolError: The session does not have one of the domains.
        """
        subscriptions = [self._subscribe(session, event) for event in self._events]
        try:
            return await enable_events(session, self._events, self._description)
        except BaseException:
            for subscription in subscriptions:
                subscription.close()
            raise

    def fail_when_session_closes(self, session: Session) -> None:
        """Make `next_event` raise an error when a session ends."""
        session.on_closed(lambda closed: self._queue.put_nowait(session.connection.lost or closed))

    @asynccontextmanager
    async def listening_to_all_targets(self, browser: Session) -> AsyncIterator[None]:
        """Listen to the browser and to all its existing and new targets during the block."""
        await self._listen_to_supported_domains(browser)
        tasks: set[asyncio.Task[None]] = set()
        async with browser.auto_attach(filter=TARGET_FILTER, wait_for_debugger=True) as sessions:

            async def listen_to_new_targets() -> None:
                async for session in sessions:
                    task = asyncio.create_task(self._listen_and_resume(session))
                    tasks.add(task)
                    task.add_done_callback(tasks.discard)

            tasks.add(asyncio.create_task(listen_to_new_targets()))
            try:
                yield
            finally:
                for task in tasks:
                    task.cancel()
                # `listen_to_new_targets` fails if the browser ends. `fail_when_session_closes`
                # reports that.
                await asyncio.gather(*tasks, return_exceptions=True)

    @asynccontextmanager
    async def ending_with_stdout_reader(self) -> AsyncIterator[None]:
        """Make `next_event` return None if the reader of stdout exits, even if no event is printed.

        This works if stdout is a pipe. On Windows only the next printed line detects the exit.
        """
        file = sys.stdout.fileno()
        if sys.platform == "win32" or not stat.S_ISFIFO(os.fstat(file).st_mode):
            yield
            return
        loop = asyncio.get_running_loop()

        def on_stdout_reader_exit() -> None:
            loop.remove_reader(file)
            self._queue.put_nowait(None)

        loop.add_reader(file, on_stdout_reader_exit)
        try:
            yield
        finally:
            loop.remove_reader(file)

    def _subscribe(self, session: Session, event: str) -> Subscription:
        return session.on(
            event,
            lambda params: self._queue_if_selected(
                ReceivedEvent.received_now(session, event, params)
            ),
        )

    def _queue_if_selected(self, event: ReceivedEvent) -> None:
        if all(condition.holds(event.params) for condition in self._conditions):
            self._queue.put_nowait(event)

    async def _listen_and_resume(self, session: Session) -> None:
        try:
            await self._listen_to_supported_domains(session)
            await session.send("Runtime.runIfWaitingForDebugger")
        except ProtocolError:
            pass  # This type of target never waits for the debugger.
        except CdpError as error:
            if session.closed is None:
                print_note(str(error))

    async def _listen_to_supported_domains(self, session: Session) -> None:
        """Listen to the domains that a session has. A worker, for example, has no Page domain."""
        for domain in dict.fromkeys(event.partition(".")[0] for event in self._events):
            events = [event for event in self._events if event.startswith(f"{domain}.")]
            subscriptions = [self._subscribe(session, event) for event in events]
            try:
                await enable_events(session, events, self._description)
            except ProtocolError as error:
                for subscription in subscriptions:
                    subscription.close()
                if error.code != METHOD_NOT_FOUND:
                    print_note(f"{session}: {error}")

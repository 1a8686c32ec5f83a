"""`show(page.Network.requestWillBeSent)`: prints events while the prompt stays usable."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from cdp_protocol.cli import output
from cdp_protocol.cli.event_enabling import enable_events
from cdp_protocol.cli.event_lines import ReceivedEvent
from cdp_protocol.cli.options.json_paths import Condition
from cdp_protocol.cli.run_command import print_note
from cdp_protocol.errors import CdpError
from cdp_protocol.session import Session

if TYPE_CHECKING:
    from cdp_protocol.description import Description
    from cdp_protocol.events import Subscription


class EventPrinter:
    """Prints the selected events of a session as they arrive, until `close()`."""

    def __init__(
        self,
        session: Session,
        events: list[str],
        conditions: list[Condition],
        description: Description,
    ) -> None:
        self._session = session
        self._events = events
        self._conditions = conditions
        self._subscriptions = [self._subscribe(event) for event in events]
        self._enable_task = asyncio.create_task(self._enable_domains(description))

    def __repr__(self) -> str:
        events = f"{len(self._events)} events" if len(self._events) > 1 else self._events[0]
        return f"<printing {events}; close() stops it>"

    def close(self) -> None:
        """Stop printing the events. Idempotent."""
        self._enable_task.cancel()
        for subscription in self._subscriptions:
            subscription.close()

    def _subscribe(self, event: str) -> Subscription:
        return self._session.on(event, lambda params: self._print_event(event, params))

    def _print_event(self, event: str, params: dict[str, Any]) -> None:
        if all(condition.holds(params) for condition in self._conditions):
            received = ReceivedEvent.received_now(self._session, event, params)
            output.write_line(
                received.as_line(width=output.terminal_width(), colour=output.should_colour())
            )

    async def _enable_domains(self, description: Description) -> None:
        try:
            await enable_events(self._session, self._events, description)
        except CdpError as error:
            print_note(str(error))

"""`show(page.Network.requestWillBeSent)`: prints events while the prompt stays usable."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from cdp_protocol.cli import output
from cdp_protocol.cli.event_domains import enable
from cdp_protocol.cli.event_lines import Heard
from cdp_protocol.cli.options.json_paths import Condition
from cdp_protocol.cli.run_command import note
from cdp_protocol.errors import CdpError
from cdp_protocol.session import Session

if TYPE_CHECKING:
    from cdp_protocol.description import Description


class Shown:
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
        self._enabling = asyncio.create_task(self._enable(description))

    def __repr__(self) -> str:
        many = f"{len(self._events)} events" if len(self._events) > 1 else self._events[0]
        return f"<showing {many}; close() ends it>"

    def close(self) -> None:
        """Stop printing the events. Idempotent."""
        self._enabling.cancel()
        for subscription in self._subscriptions:
            subscription.close()

    def _subscribe(self, event: str) -> Any:
        return self._session.on(event, lambda params: self._print(event, params))

    def _print(self, event: str, params: dict[str, Any]) -> None:
        if all(condition.holds(params) for condition in self._conditions):
            heard = Heard.now(self._session, event, params)
            output.write(heard.as_line(width=output.width(), colour=output.has_colour()))

    async def _enable(self, description: Description) -> None:
        try:
            await enable(self._session, self._events, description)
        except CdpError as error:
            note(str(error))

"""A tab of a scripted browser. It sends events and waits until they have been handled."""

from __future__ import annotations

from typing import Any

from cdp_protocol import Session
from tests.unit.cdp.fake_transport import FakeTransport


class ScriptedTab:
    """Sends the events of one session.

    Args:
        session: Its listeners have been called when `tell` returns.
    """

    def __init__(self, session: Session, transport: FakeTransport) -> None:
        self.session = session
        self.transport = transport

    async def emit(self, name: str, /, **params: Any) -> None:
        """Send an event and wait until it has been handled, because answers keep their order behind
        it.
        """
        self.transport.send_event(name, params, self.session.session_id)
        await self.session.send("Browser.getVersion")

"""A session of a scripted browser. A test sends its events."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from cdp_protocol import Connection, Session
from tests.unit.cdp.fake_transport import FakeTransport
from tests.unit.page.tab import ScriptedTab


@pytest.fixture
def transport() -> FakeTransport:
    return FakeTransport()


@pytest.fixture
async def connection(transport: FakeTransport) -> AsyncIterator[Connection]:
    async with Connection(transport, timeout=5.0) as connection:
        yield connection


@pytest.fixture
async def session(connection: Connection, transport: FakeTransport) -> Session:
    transport.announce_attached("P1")
    await connection.root.send("Browser.getVersion")
    return connection.session("P1")


@pytest.fixture
def tab(session: Session, transport: FakeTransport) -> ScriptedTab:
    return ScriptedTab(session, transport)

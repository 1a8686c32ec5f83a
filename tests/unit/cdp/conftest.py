"""A connection to a scripted browser, with one session attached."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from cdp_protocol import Connection, Session
from tests.unit.cdp.fake_transport import FakeTransport


@pytest.fixture
def transport() -> FakeTransport:
    return FakeTransport()


@pytest.fixture
async def connection(transport: FakeTransport) -> AsyncIterator[Connection]:
    async with Connection(transport, timeout=5.0) as connection:
        yield connection


@pytest.fixture
async def page(connection: Connection, transport: FakeTransport) -> Session:
    transport.announce_attached("P1")
    await connection.root.send("Browser.getVersion")
    return connection.session("P1")

"""A tab whose document is walked by the scripts alone, without the page layer."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from cdp_protocol import Connection
from tests.browser.tab_pool import BlankTab
from tests.browser.walker.walked import Walked


@pytest.fixture
async def walked(connection: Connection, blank: BlankTab) -> AsyncIterator[Walked]:
    """Return a blank tab to put documents into."""
    session = await connection.root.attach(blank.target_id)
    yield await Walked.start(session)
    await session.close()

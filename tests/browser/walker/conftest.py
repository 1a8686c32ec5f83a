"""A tab whose document is walked by the scripts alone, with no page layer between."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from cdp_protocol import Connection
from tests.browser.walker.walked import Walked


@pytest.fixture
async def walked(connection: Connection) -> AsyncIterator[Walked]:
    """Return a blank tab to put documents into."""
    target = connection.root.Target
    context_id = (await target.createBrowserContext())["browserContextId"]
    made = await target.createTarget(url="about:blank", browserContextId=context_id)
    yield await Walked.start(await connection.root.attach(made))
    await target.disposeBrowserContext(browserContextId=context_id)

"""Interception of file choosers, in a scripted browser."""

from __future__ import annotations

import asyncio

import pytest

from cdp_protocol import Session
from tests.unit.cdp.fake_transport import FakeTransport
from viewpoint_mcp.page.blocking_conditions import BlockingConditions
from viewpoint_mcp.page.file_choosers import FileChoosers

INTERCEPT = "Page.setInterceptFileChooserDialog"


@pytest.mark.time_limit(4)
async def test_an_action_that_waits_for_the_page_ends_when_choosers_are_closed(
    session: Session, transport: FakeTransport
) -> None:
    choosers = FileChoosers(BlockingConditions(), pytest.fail, is_permanent=False)
    await choosers.subscribe(session)
    transport.withhold(INTERCEPT)

    async def act() -> None:
        async with choosers.intercept_temporarily():
            pass

    acting = asyncio.create_task(act())
    await transport.wait_until_sent(INTERCEPT)
    await choosers.cancel_background_tasks()
    off = await transport.wait_until_sent(INTERCEPT, times=2)
    transport.respond(off)
    await acting

    assert [
        call["params"]["enabled"] for call in transport.sent if call["method"] == INTERCEPT
    ] == [
        True,
        False,
    ]

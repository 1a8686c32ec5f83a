"""What emulation costs a page that wants none, and what it brings to one that does."""

from __future__ import annotations

from typing import Any

from viewpoint_mcp.config.settings import Emulation
from viewpoint_mcp.page.emulation.emulation import ContextEmulation, PageEmulation
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.tasks import Tasks


def of(page: Page, **wanted: Any) -> PageEmulation:
    return PageEmulation(page.session, ContextEmulation(Emulation(**wanted)), Tasks())


async def test_nothing_is_sent_when_nothing_is_wanted(page: Page) -> None:
    assert of(page).start(page.session) == []

"""What emulation costs a page that wants none, and what it brings to one that does."""

from __future__ import annotations

from typing import Any

import pytest

from viewpoint_mcp.page.emulation import ContextEmulation, PageEmulation
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.settings import Emulation
from viewpoint_mcp.tasks import Tasks


def of(page: Page, **wanted: Any) -> PageEmulation:
    return PageEmulation(page.session, ContextEmulation(Emulation(**wanted)), Tasks())


async def test_nothing_is_sent_and_nobody_waits_when_nothing_is_wanted(page: Page) -> None:
    emulation = of(page)
    assert emulation.start(page.session) == []
    assert not emulation.auto_attach["waitForDebuggerOnStart"]


@pytest.mark.parametrize(
    "wanted",
    [{"viewport": (1, 1)}, {"geolocation": (1.0, 2.0, 3.0)}, {"permissions": ("camera",)}],
)
async def test_no_frame_waits_for_what_the_browser_brings_it_itself(
    page: Page, wanted: dict[str, Any]
) -> None:
    assert not of(page, **wanted).auto_attach["waitForDebuggerOnStart"]

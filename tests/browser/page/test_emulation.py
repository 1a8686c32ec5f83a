"""Emulation costs nothing when it is off, and works when it is on."""

from __future__ import annotations

from typing import Any

from tests.browser.inside import services_of
from viewpoint_mcp.background_tasks import BackgroundTasks
from viewpoint_mcp.config.settings import Emulation
from viewpoint_mcp.page.emulation.context_emulation import ContextEmulation
from viewpoint_mcp.page.emulation.page_emulation import PageEmulation
from viewpoint_mcp.page.page import Page


def of(page: Page, **wanted: Any) -> PageEmulation:
    return PageEmulation(
        services_of(page).session, ContextEmulation(Emulation(**wanted)), BackgroundTasks()
    )


async def test_no_command_is_sent_without_emulation(page: Page) -> None:
    assert of(page).list_start_commands(services_of(page).session, page.request_log) == []

"""Changes of the emulation as actions, whose consequences settling waits for."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from contextlib import suppress

from viewpoint_mcp.config.emulation.changes import EmulationChanges
from viewpoint_mcp.config.emulation.network_conditions import NetworkConditions
from viewpoint_mcp.page.emulation.page_emulation import PageEmulation
from viewpoint_mcp.page.services import DocumentReplacedError, PageServices


class EmulationActions:
    """Changes the emulation of a page, or of its whole browser context.

    Each method raises a PageError if the page is blocked, or does not answer.
    """

    def __init__(self, page: PageServices, emulation: PageEmulation) -> None:
        self._page = page
        self._emulation = emulation

    @property
    def changes(self) -> EmulationChanges:
        """The changes of the context's emulation since its start."""
        return self._emulation.context.changes

    @property
    def network_conditions(self) -> NetworkConditions:
        """The connection that the context perceives."""
        return self._emulation.context.network.conditions

    @property
    def network_conditions_at_start(self) -> NetworkConditions:
        """The connection that the context perceived at its start."""
        return self._emulation.context.network.conditions_at_start

    async def resize_viewport(self, width: int, height: int) -> None:
        """Set the size of the viewport in CSS pixels. The rest of an emulated device stays."""
        await self._perform_and_wait_for_frame(self._emulation.resize_viewport(width, height))

    async def emulate_media(
        self, media_type: str | None, features: Mapping[str, str | None]
    ) -> None:
        """Change the CSS media type and features; see `PageEmulation.emulate_media`."""
        await self._page.run_unless_blocked(self._emulation.emulate_media(media_type, features))

    async def change_context(
        self,
        changes: EmulationChanges,
        conditions: NetworkConditions,
        *,
        replaces_sizes: bool = False,
    ) -> None:
        """Change the emulation of the browser context; see `ContextEmulation.change`."""
        await self._perform_and_wait_for_frame(
            self._emulation.context.change(changes, conditions, replaces_sizes=replaces_sizes)
        )

    async def _perform_and_wait_for_frame(self, change: Awaitable[None]) -> None:
        page = self._page
        await page.current_action.record_state_before_events()
        await page.run_unless_blocked(change)
        # Chromium sends a resize event with the next frame.
        with suppress(DocumentReplacedError):
            await page.current_action.perform_until_dialog(
                page.call_inpage(page.frames.main, "nextFrame")
            )

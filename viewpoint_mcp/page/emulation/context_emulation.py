"""The emulation of a browser context, which changes while the context is open."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cdp_protocol import CdpError, Session
from viewpoint_mcp.config.emulation.changes import EmulationChanges
from viewpoint_mcp.config.emulation.network_conditions import NetworkConditions
from viewpoint_mcp.config.settings import Emulation
from viewpoint_mcp.page.emulation import overrides
from viewpoint_mcp.page.emulation.overrides import (
    Commands,
    EmulationState,
)
from viewpoint_mcp.page.emulation.process_overrides import ProcessOverrides
from viewpoint_mcp.page.network.context_network import ContextNetwork

if TYPE_CHECKING:
    from viewpoint_mcp.page.emulation.page_emulation import PageEmulation
    from viewpoint_mcp.page.network.request_log import RequestLog


class ContextEmulation:
    """The emulation that all pages and workers of a browser context share.

    Args:
        settings: The emulation that the context starts with.
        chrome_version: Version of the running Chrome, such as 156.0.8078.79. Only needed if the
            settings have a user agent.

    Attributes:
        settings: The present emulation.
        changes: How it differs from that at the start.
        network: The routes of the context and the state of its connection, which change at run
            time.
        process_overrides: Sets the overrides that a renderer process lost again.
        grant_permissions: Makes the permissions those of an emulation; None if they are fixed.
    """

    def __init__(self, settings: Emulation, chrome_version: str = "") -> None:
        self.settings = self._settings_at_start = settings
        self.changes = EmulationChanges()
        self.network = ContextNetwork(
            is_offline=settings.offline, http_credentials=settings.http_credentials
        )
        self.process_overrides = ProcessOverrides(
            lambda session: overrides.list_process_commands(session, self.state)
        )
        self.grant_permissions: Callable[[Emulation], Awaitable[None]] | None = None
        self._chrome_version = chrome_version
        self._pages: list[PageEmulation] = []
        self._workers: list[Session] = []
        self._change_lock = asyncio.Lock()

    @property
    def state(self) -> EmulationState:
        """What workers emulate, and pages without settings of their own."""
        return EmulationState(self.settings, self._chrome_version)

    @property
    def has_worker_overrides(self) -> bool:
        """Whether workers need overrides that they do not inherit from their page."""
        return overrides.has_worker_overrides(self.state) or self.network.is_changed

    @property
    def was_changed_by_client(self) -> bool:
        """Whether the emulation, the connection or the routes differ from those at the start."""
        return self.changes != EmulationChanges() or self.network.was_changed_by_client

    def add_page(self, page: PageEmulation) -> None:
        """Apply later changes to a page, until `remove_page`."""
        self._pages.append(page)

    def remove_page(self, page: PageEmulation) -> None:
        """Do not apply later changes to a page. Idempotent."""
        if page in self._pages:
            self._pages.remove(page)

    async def start_worker(self, session: Session, request_log: RequestLog | None = None) -> None:
        """Send a worker the overrides that it does not inherit, and let it run.

        Args:
            request_log: The log of its page; None for a worker that belongs to no page.

        Source: CDP `Runtime.runIfWaitingForDebugger`.
        """
        self._workers = [*(each for each in self._workers if each.closed is None), session]
        commands = overrides.list_commands(session, "worker", overrides.NO_EMULATION, self.state)
        commands += self.network.list_start_commands(session, request_log)
        await asyncio.gather(*commands, session.Runtime.runIfWaitingForDebugger())

    async def change(
        self,
        changes: EmulationChanges,
        conditions: NetworkConditions,
        *,
        replaces_sizes: bool = False,
    ) -> None:
        """Change the emulation of all pages, frames and workers, now and later.

        A target that is busy or shows a dialog applies the change when it continues.

        Args:
            changes: The differences from the emulation at the start of the context.
            conditions: The state of the connection.
            replaces_sizes: Whether pages that were resized get the viewport of the context.

        Raises:
            CallError: The device does not exist.
            CdpError: Chromium does not know a value. Nothing has changed then.

        Source: CDP `Browser.getVersion`.
        """
        settings = changes.apply_to(self._settings_at_start)
        async with self._change_lock:
            if settings.user_agent is not None and not self._chrome_version and self._pages:
                self._chrome_version = await self._pages[0].fetch_chrome_version()
            own_settings = {page: page.own_settings for page in self._pages}
            old = _Present(self.settings, self.changes, self.network.conditions, own_settings)
            if replaces_sizes:
                own_settings = {
                    page: _without_viewport(fields) for page, fields in own_settings.items()
                }
            try:
                await self._make_present(_Present(settings, changes, conditions, own_settings))
            except CdpError:
                await self._make_present(old)
                raise

    async def _make_present(self, new: _Present) -> None:
        """Emulate something else, and send each running target the difference.

        A dialog, for instance of a resize handler, can cancel the wait for the responses of pages.
        So everything else comes first.
        """
        if self.grant_permissions is not None and new.settings.geolocation != (
            self.settings.geolocation
        ):
            await self.grant_permissions(new.settings)
        old_state, old_conditions = self.state, self.network.conditions
        old_page_states = {page: page.state for page in self._pages}
        running_workers = [each for each in self._workers if each.closed is None]
        self.settings, self.changes = new.settings, new.changes
        self.network.conditions = new.conditions
        for page, own_settings in new.own_settings.items():
            page.own_settings = own_settings
        if self.has_worker_overrides and self.network.attach_to_workers is not None:
            await self.network.attach_to_workers()
        commands: Commands = []
        for page, old in old_page_states.items():
            commands += page.list_change_commands(old)
        for worker in running_workers:
            commands += overrides.list_commands(worker, "worker", old_state, self.state)
        if new.conditions != old_conditions:
            commands += self.network.list_condition_commands()
        await overrides.send_and_wait_briefly(commands)


@dataclass(frozen=True, slots=True)
class _Present:
    """What a context emulates at one time: attributes of `ContextEmulation` and of its pages."""

    settings: Emulation
    changes: EmulationChanges
    conditions: NetworkConditions
    own_settings: Mapping[PageEmulation, Mapping[str, Any]]


def _without_viewport(own_settings: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in own_settings.items() if name != "viewport"}

"""The emulation of a browser context, and of each of its pages in all processes.

A target that starts gets the difference between no emulation and the state of its page, before its
first script runs. A later change sends the difference to all targets. Without emulation no commands
are sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from cdp_protocol import CdpError, ProtocolError, Session
from viewpoint_mcp.background_tasks import BackgroundTasks
from viewpoint_mcp.config.emulation.changes import EmulationChanges
from viewpoint_mcp.config.emulation.network_conditions import NetworkConditions
from viewpoint_mcp.config.settings import Emulation
from viewpoint_mcp.page.emulation import overrides
from viewpoint_mcp.page.emulation.overrides import (
    INVALID_CODE,
    Commands,
    EmulationState,
    TargetKind,
)
from viewpoint_mcp.page.emulation.process_overrides import ProcessOverrides
from viewpoint_mcp.page.network.context_network import ContextNetwork

if TYPE_CHECKING:
    from viewpoint_mcp.page.network.request_log import RequestLog

_RESPONSE_LIMIT: Final = 1.0  # seconds; a busy target, or one with a dialog, responds later


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
            old, own = self.settings, {page: page.own_settings for page in self._pages}
            new_own = own
            if replaces_sizes:
                new_own = {page: _without_viewport(fields) for page, fields in own.items()}
            try:
                await self._apply(settings, new_own)
            except CdpError:
                await self._apply(old, own)
                raise
            self.changes = changes
            if self.grant_permissions is not None and settings.geolocation != old.geolocation:
                await self.grant_permissions(settings)
            if self.has_worker_overrides and self.network.attach_to_workers is not None:
                await self.network.attach_to_workers()
            await self.network.set_conditions(conditions)

    async def _apply(
        self, settings: Emulation, own_settings: Mapping[PageEmulation, Mapping[str, Any]]
    ) -> None:
        """Make settings the present ones, and send each running target the difference.

        Args:
            own_settings: The settings that each page has of its own.
        """
        old_states = {page: page.state for page in own_settings}
        old_state = self.state
        self.settings = settings
        commands: Commands = []
        for page, old in old_states.items():
            page.own_settings = own_settings[page]
            commands += page.list_change_commands(old)
        for worker in self._workers:
            if worker.closed is None:
                commands += overrides.list_commands(worker, "worker", old_state, self.state)
        await _send(commands)


class PageEmulation:
    """The emulation of one page, in all its processes.

    Args:
        session: CDP session of the page's target.
        context: The emulation of the page's browser context.
        tasks: The background tasks of the page's child targets.

    Attributes:
        own_settings: The fields of `Emulation` that differ from those of the context.
    """

    def __init__(self, session: Session, context: ContextEmulation, tasks: BackgroundTasks) -> None:
        self._page_session = session
        self._tasks = tasks
        self._frame_sessions: list[Session] = []
        self.context = context
        self._media_type = ""
        self.own_settings: Mapping[str, Any] = {}
        self._state_at_crash: EmulationState | None = None
        context.add_page(self)

    @property
    def state(self) -> EmulationState:
        """What the page emulates: its own settings, and else those of its context."""
        shared = self.context.state
        settings = replace(shared.settings, **self.own_settings)
        return EmulationState(settings, shared.chrome_version, self._media_type)

    def list_start_commands(self, session: Session, request_log: RequestLog) -> Commands:
        """Return the commands for a new CDP session of the page, in the order to send them.

        Args:
            request_log: The log of the page.

        Source: CDP `Inspector.targetCrashed`, `Inspector.targetReloadedAfterCrash`.
        """
        self.context.process_overrides.add_session(session, self._tasks)
        if session is self._page_session:
            session.on(session.Inspector.targetCrashed, self._on_crashed)
            session.on(session.Inspector.targetReloadedAfterCrash, self._on_reloaded_after_crash)
        else:
            open_sessions = [each for each in self._frame_sessions if each.closed is None]
            self._frame_sessions = [*open_sessions, session]
        return [
            *self._list_commands(session, overrides.NO_EMULATION),
            *self.context.network.list_start_commands(session, request_log),
        ]

    def list_change_commands(self, old: EmulationState) -> Commands:
        """Return the commands that change all CDP sessions of the page to the present state.

        Args:
            old: The state before the change.

        Returns:
            The commands; none for a crashed page, which gets the change when it is loaded again.
        """
        if self._state_at_crash is not None:
            return []
        sessions = (self._page_session, *self._frame_sessions)
        return [
            command
            for session in sessions
            if session.closed is None
            for command in self._list_commands(session, old)
        ]

    async def resize_viewport(self, width: int, height: int) -> None:
        """Set the size of the viewport in CSS pixels. The rest stays."""
        await self._change({"viewport": (width, height)}, self._media_type)

    async def emulate_media(
        self, media_type: str | None, features: Mapping[str, str | None]
    ) -> None:
        """Change the CSS media type and media features. Other features stay.

        Args:
            media_type: The media type; "" for the real one, None for no change.
            features: Values by fields of `Emulation`; None for the value of the context.
        """
        await self._change(features, self._media_type if media_type is None else media_type)

    async def fetch_chrome_version(self) -> str:
        """Return the version of the running Chrome, such as 156.0.8078.79.

        Source: CDP `Browser.getVersion`.
        """
        root = self._page_session.connection.root
        return (await root.Browser.getVersion())["product"].partition("/")[2]

    def close(self) -> None:
        """Do not change or renew the overrides of the page any more. Idempotent."""
        self.context.remove_page(self)
        self.context.process_overrides.forget_sessions_added_with(self._tasks)

    async def _change(self, own_settings: Mapping[str, Any], media_type: str) -> None:
        old = self.state
        fields = {**self.own_settings, **own_settings}
        self.own_settings = {name: value for name, value in fields.items() if value is not None}
        self._media_type = media_type
        await _send(self.list_change_commands(old))

    def _on_crashed(self, _event: object) -> None:
        self._state_at_crash = self.state

    def _on_reloaded_after_crash(self, _event: object) -> None:
        old, self._state_at_crash = self._state_at_crash, None
        if old is not None and (commands := self._list_commands(self._page_session, old)):
            self._tasks.start(_send(commands))

    def _list_commands(self, session: Session, old: EmulationState) -> Commands:
        kind: TargetKind = "page" if session is self._page_session else "frame"
        return overrides.list_commands(session, kind, old, self.state)


def _without_viewport(own_settings: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in own_settings.items() if name != "viewport"}


async def _send(commands: Commands) -> None:
    """Send commands to running targets, and wait for their responses, but not for long.

    A target may have ended meanwhile, so only invalid values are errors.
    """
    for result in await asyncio.gather(*map(_wait_briefly, commands), return_exceptions=True):
        is_ended_target = isinstance(result, CdpError) and not (
            isinstance(result, ProtocolError) and result.code == INVALID_CODE
        )
        if isinstance(result, BaseException) and not is_ended_target:
            raise result


async def _wait_briefly(command: Awaitable[object]) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(_RESPONSE_LIMIT):
            await command

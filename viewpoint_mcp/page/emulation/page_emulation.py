"""The emulation of one page in all its processes.

A target that starts gets the difference between no emulation and the state of its page, before its
first script runs. A later change sends the difference to all targets. Without emulation no commands
are sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from cdp_protocol import Session
from viewpoint_mcp.background_tasks import BackgroundTasks
from viewpoint_mcp.page.emulation import overrides
from viewpoint_mcp.page.emulation.overrides import Commands, EmulationState, TargetKind

if TYPE_CHECKING:
    from viewpoint_mcp.page.emulation.context_emulation import ContextEmulation
    from viewpoint_mcp.page.network.request_log import RequestLog


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
        await overrides.send_and_wait_briefly(self.list_change_commands(old))

    def _on_crashed(self, _event: object) -> None:
        self._state_at_crash = self.state

    def _on_reloaded_after_crash(self, _event: object) -> None:
        old, self._state_at_crash = self._state_at_crash, None
        if old is not None and (commands := self._list_commands(self._page_session, old)):
            self._tasks.start(overrides.send_and_wait_briefly(commands))

    def _list_commands(self, session: Session, old: EmulationState) -> Commands:
        kind: TargetKind = "page" if session is self._page_session else "frame"
        return overrides.list_commands(session, kind, old, self.state)

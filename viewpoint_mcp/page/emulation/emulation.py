"""Emulation of a device in every process of a page, before its first script runs.

Chromium applies most overrides of the page's CDP session only in that process. The overrides that
reach other processes too are sent once (decision 0014). All others are sent to each process. If
nothing is emulated, no commands are sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from cdp_protocol import Session
from viewpoint_mcp.background_tasks import BackgroundTasks
from viewpoint_mcp.config.settings import Emulation
from viewpoint_mcp.page.emulation import user_agent
from viewpoint_mcp.page.emulation.locale_and_time_zone import LocaleAndTimeZoneOverrides
from viewpoint_mcp.page.network.context_network import ContextNetwork

if TYPE_CHECKING:
    from cdp_protocol.types.emulation import MediaFeature, ScreenOrientation
    from viewpoint_mcp.page.network.request_log import RequestLog


class ContextEmulation:
    """The emulation that all pages of a browser context share.

    Args:
        settings: The emulation settings of the context.
        chrome_version: Version of the running Chrome, such as 156.0.8078.79. Only needed to emulate
            a user agent.

    Attributes:
        locale_and_time_zone: The locale and the time zone.
        user_agent_override: The user agent override; None for the browser's user agent.
        scripts: The scripts that run in each new document, before the page's scripts.
        network: The routes and the offline state of the context, which change at run time.
    """

    def __init__(self, settings: Emulation, chrome_version: str = "") -> None:
        self.settings = settings
        self.locale_and_time_zone = LocaleAndTimeZoneOverrides(settings.locale, settings.time_zone)
        self.user_agent_override = user_agent.build_override(settings, chrome_version)
        self.network = ContextNetwork(
            is_offline=settings.offline, http_credentials=settings.http_credentials
        )
        self.scripts = settings.init_scripts
        if settings.block_service_workers:
            self.scripts = (_load_service_worker_blocker(), *settings.init_scripts)

    @property
    def has_worker_overrides(self) -> bool:
        """Whether workers need overrides that they do not inherit from their page."""
        return (
            self.user_agent_override is not None
            or bool(self.settings.extra_headers)
            or self.network.is_changed
        )

    async def start_worker(self, session: Session, request_log: RequestLog | None = None) -> None:
        """Send a worker the overrides that it does not inherit, and let it run.

        Args:
            request_log: The log of its page; None for a worker that belongs to no page.

        Source: CDP `Network.setExtraHTTPHeaders`, `Runtime.runIfWaitingForDebugger`.
        """
        commands: list[Awaitable[object]] = []
        if self.user_agent_override is not None:
            commands.append(session.Emulation.setUserAgentOverride(**self.user_agent_override))
        if self.settings.extra_headers:
            # The renderer adds the headers to a worker's requests only while Network is enabled.
            commands += [session.Network.enable(), self.send_extra_headers(session)]
        commands += self.network.list_start_commands(session, request_log)
        await asyncio.gather(*commands, session.Runtime.runIfWaitingForDebugger())

    async def send_extra_headers(self, session: Session) -> None:
        """Make all requests of a page, frame or worker carry the extra headers.

        Source: CDP `Network.setExtraHTTPHeaders`.
        """
        await session.Network.setExtraHTTPHeaders(headers=dict(self.settings.extra_headers))


class PageEmulation:
    """The emulation of one page, in all its processes.

    Args:
        session: CDP session of the page's target.
        context: The emulation of the page's browser context.
        tasks: The background tasks of the page's child targets.
    """

    def __init__(self, session: Session, context: ContextEmulation, tasks: BackgroundTasks) -> None:
        self._page_session = session
        self._tasks = tasks
        self._frame_sessions: list[Session] = []
        self.context = context
        self._media = ""
        self._media_features = {"prefers-color-scheme": "", **context.settings.media_features}

    def list_start_commands(
        self, session: Session, request_log: RequestLog
    ) -> list[Awaitable[object]]:
        """Return the commands for a new CDP session of the page, in the order to send them.

        Args:
            request_log: The log of the page.

        Source: CDP `Emulation.setUserAgentOverride`, `Emulation.setTouchEmulationEnabled`,
        `Network.setExtraHTTPHeaders`, `Page.addScriptToEvaluateOnNewDocument`,
        `Page.setBypassCSP`, `Emulation.setScriptExecutionDisabled`,
        `Network.setBypassServiceWorker`.
        """
        settings = self.context.settings
        commands = self.context.locale_and_time_zone.add_session(session, self._tasks)
        if session is self._page_session:
            commands += self._list_page_commands()
        else:
            self._frame_sessions = [
                *(each for each in self._frame_sessions if each.closed is None),
                session,
            ]
            if self._media or any(self._media_features.values()):
                commands.append(self._send_media(session))
        if (user_agent := self.context.user_agent_override) is not None:
            commands.append(session.Emulation.setUserAgentOverride(**user_agent))
        if settings.touch:
            commands.append(
                session.Emulation.setTouchEmulationEnabled(enabled=True, maxTouchPoints=5)
            )
        if settings.extra_headers:
            commands.append(self.context.send_extra_headers(session))
        for source in self.context.scripts:
            commands.append(
                session.Page.addScriptToEvaluateOnNewDocument(source=source, runImmediately=True)
            )
        if settings.bypass_csp:
            commands.append(session.Page.setBypassCSP(enabled=True))
        if not settings.javascript_enabled:
            commands.append(session.Emulation.setScriptExecutionDisabled(value=True))
        if settings.block_service_workers:
            commands.append(session.Network.setBypassServiceWorker(bypass=True))
        commands += self.context.network.list_start_commands(session, request_log)
        return commands

    async def resize_viewport(self, width: int, height: int) -> None:
        """Set the size of the viewport in CSS pixels; 0 for the real size. The rest stays.

        Source: CDP `Emulation.setDeviceMetricsOverride`.
        """
        settings = self.context.settings
        orientation: ScreenOrientation | None = None
        if settings.mobile and width and height:
            # The viewport of a mobile device is its screen, so the shape gives the orientation.
            is_wide = width > height
            orientation = (
                {"angle": 90, "type": "landscapePrimary"}
                if is_wide
                else {"angle": 0, "type": "portraitPrimary"}
            )
        screen = settings.screen or ((width, height) if orientation else (None, None))
        await self._page_session.Emulation.setDeviceMetricsOverride(
            width=width,
            height=height,
            deviceScaleFactor=settings.scale or 0,
            mobile=settings.mobile,
            screenWidth=screen[0],
            screenHeight=screen[1],
            screenOrientation=orientation,
        )

    async def emulate_media(self, media: str | None, features: Mapping[str, str]) -> None:
        """Change the CSS media type and media features. Other features stay.

        Args:
            media: The media type; "" for the real one, None for no change.
            features: Values by feature name; "" for the value of the context, or else the real one.

        Source: CDP `Emulation.setEmulatedMedia`.
        """
        self._media = self._media if media is None else media
        defaults = self.context.settings.media_features
        for name, value in features.items():
            self._media_features[name] = value or defaults.get(name, "")
        await self._send_media(self._page_session)
        # Chromium applies only the color scheme to out-of-process frames. A frame may be removed
        # meanwhile, so errors are ignored.
        setting = (self._send_media(each) for each in self._frame_sessions if each.closed is None)
        await asyncio.gather(*setting, return_exceptions=True)

    def close(self) -> None:
        """Stop renewing the locale and time zone of the page. Idempotent."""
        self.context.locale_and_time_zone.forget_sessions_added_with(self._tasks)

    def _list_page_commands(self) -> list[Awaitable[object]]:
        """Return the commands that only the page's CDP session gets.

        Chromium applies these overrides to the page as a whole.

        Source: CDP `Emulation.setGeolocationOverride`, `Security.setIgnoreCertificateErrors`.
        """
        settings = self.context.settings
        commands: list[Awaitable[object]] = []
        if settings.viewport or settings.screen or settings.scale or settings.mobile:
            commands.append(self.resize_viewport(*(settings.viewport or (0, 0))))
        if settings.media_features:
            commands.append(self._send_media(self._page_session))
        if settings.geolocation is not None:
            latitude, longitude, accuracy = settings.geolocation
            commands.append(
                self._page_session.Emulation.setGeolocationOverride(
                    latitude=latitude, longitude=longitude, accuracy=accuracy
                )
            )
        if settings.ignore_https_errors:
            commands.append(self._page_session.Security.setIgnoreCertificateErrors(ignore=True))
        return commands

    async def _send_media(self, session: Session) -> None:
        features: list[MediaFeature] = [
            {"name": name, "value": value} for name, value in self._media_features.items()
        ]
        await session.Emulation.setEmulatedMedia(media=self._media, features=features)


@cache
def _load_service_worker_blocker() -> str:
    return files(__package__).joinpath("block_service_workers.js").read_text(encoding="utf-8")

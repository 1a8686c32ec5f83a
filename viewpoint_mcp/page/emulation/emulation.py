"""What is emulated, brought to every process of a page before its first script runs.

Most of what Chromium overrides it overrides in one renderer: the page's. What reaches others by
itself is left to it (decision 0014); the rest is sent to each. Nothing is sent, and nobody waits,
when nothing is emulated.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from cdp_protocol import ProtocolError, Session
from viewpoint_mcp.config.settings import Emulation
from viewpoint_mcp.page.emulation import user_agent
from viewpoint_mcp.page.emulation.locale import Region
from viewpoint_mcp.tasks import Tasks

if TYPE_CHECKING:
    from cdp_protocol.types.emulation import MediaFeature, ScreenOrientation

_SCHEME = "prefers-color-scheme"


class ContextEmulation:
    """What all pages of a context are told.

    Args:
        settings: What is asked for.
        version: Of the Chrome that runs, as 156.0.8078.79; only wanted for a user agent.
    """

    def __init__(self, settings: Emulation, version: str = "") -> None:
        self.settings = settings
        self.region = Region(settings.locale, settings.time_zone)
        self.user_agent = user_agent.override(settings, version)
        self.scripts = settings.init_scripts
        if settings.block_service_workers:
            self.scripts = (_blocking_script(), *settings.init_scripts)

    @property
    def concerns_workers(self) -> bool:
        """Whether workers must be told anything that they do not have of their page."""
        return self.user_agent is not None or self.settings.offline

    async def start_worker(self, session: Session) -> None:
        """Tell a worker what it must know, and let it run.

        Source: CDP `Runtime.runIfWaitingForDebugger`.
        """
        sending: list[Awaitable[object]] = []
        if self.user_agent is not None:
            sending.append(session.Emulation.setUserAgentOverride(**self.user_agent))
        if self.settings.offline:
            sending += [session.Network.enable(), _go_offline(session)]
        await asyncio.gather(*sending, session.Runtime.runIfWaitingForDebugger())


class PageEmulation:
    """What one page is told, in all its processes.

    Args:
        session: Of the page's target.
        context: What is common to the pages of its context.
        tasks: Of whoever follows the page's processes.
    """

    def __init__(self, session: Session, context: ContextEmulation, tasks: Tasks) -> None:
        self._page = session
        self._tasks = tasks
        self._frames: list[Session] = []
        self.context = context
        self._media = ""
        self._features: dict[str, str] = {_SCHEME: context.settings.color_scheme or ""}

    def start(self, session: Session) -> list[Awaitable[object]]:
        """Return the commands for the start of a process, to be sent in the order given.

        Source: CDP `Emulation.setUserAgentOverride`, `Emulation.setTouchEmulationEnabled`,
        `Page.addScriptToEvaluateOnNewDocument`, `Network.setBypassServiceWorker`.
        """
        told = self.context.settings
        sending = self.context.region.follow(session, self._tasks)
        if session is self._page:
            sending += self._start_page()
        else:
            self._frames = [*(each for each in self._frames if each.closed is None), session]
            if self._media or any(self._features.values()):
                sending.append(self._set_media(session))
        if (user_agent := self.context.user_agent) is not None:
            sending.append(session.Emulation.setUserAgentOverride(**user_agent))
        if told.touch:
            sending.append(
                session.Emulation.setTouchEmulationEnabled(enabled=True, maxTouchPoints=5)
            )
        for source in self.context.scripts:
            sending.append(
                session.Page.addScriptToEvaluateOnNewDocument(source=source, runImmediately=True)
            )
        if told.block_service_workers:
            sending.append(session.Network.setBypassServiceWorker(bypass=True))
        if told.offline:
            sending.append(_go_offline(session))
        return sending

    async def resize(self, width: int, height: int) -> None:
        """Give the viewport a size in CSS pixels; all else of the device stays.

        Source: CDP `Emulation.setDeviceMetricsOverride`.
        """
        told = self.context.settings
        orientation: ScreenOrientation | None = None
        if told.mobile and width and height:
            # The page is the screen, and how it is held shows.
            is_wide = width > height
            orientation = (
                {"angle": 90, "type": "landscapePrimary"}
                if is_wide
                else {"angle": 0, "type": "portraitPrimary"}
            )
        await self._page.Emulation.setDeviceMetricsOverride(
            width=width,
            height=height,
            deviceScaleFactor=told.scale or 0,
            mobile=told.mobile,
            screenWidth=width if orientation else None,
            screenHeight=height if orientation else None,
            screenOrientation=orientation,
        )

    async def emulate_media(self, media: str | None, features: Mapping[str, str]) -> None:
        """Change the CSS media type and media features; what is not named stays.

        Args:
            media: "" for the real one, None to leave it as it is.
            features: Values by the features' names; "" for what the context says, or else the
                real one.

        Source: CDP `Emulation.setEmulatedMedia`.
        """
        self._media = self._media if media is None else media
        self._features |= features
        self._features[_SCHEME] = (
            self._features[_SCHEME] or self.context.settings.color_scheme or ""
        )
        await self._set_media(self._page)
        # Of media, Chromium brings the color scheme alone to frames in other processes. They may go
        # meanwhile.
        setting = (self._set_media(each) for each in self._frames if each.closed is None)
        await asyncio.gather(*setting, return_exceptions=True)

    def close(self) -> None:
        """Keep nothing in force any more. Idempotent."""
        self.context.region.leave(self._tasks)

    def _start_page(self) -> list[Awaitable[object]]:
        """What Chromium takes for a page as a whole, and brings to its other processes itself.

        Source: CDP `Emulation.setGeolocationOverride`, `Security.setIgnoreCertificateErrors`.
        """
        told = self.context.settings
        sending: list[Awaitable[object]] = []
        if told.viewport or told.scale or told.mobile:
            sending.append(self.resize(*(told.viewport or (0, 0))))
        if told.color_scheme is not None:
            sending.append(self._set_media(self._page))
        if told.geolocation is not None:
            latitude, longitude, accuracy = told.geolocation
            sending.append(
                self._page.Emulation.setGeolocationOverride(
                    latitude=latitude, longitude=longitude, accuracy=accuracy
                )
            )
        if told.ignore_https_errors:
            sending.append(self._page.Security.setIgnoreCertificateErrors(ignore=True))
        return sending

    async def _set_media(self, session: Session) -> None:
        features: list[MediaFeature] = [
            {"name": name, "value": value} for name, value in self._features.items()
        ]
        await session.Emulation.setEmulatedMedia(media=self._media, features=features)


async def _go_offline(session: Session) -> None:
    """Source: CDP `Network.emulateNetworkConditions`."""
    try:
        await session.Network.emulateNetworkConditions(
            offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1
        )
    except ProtocolError:
        # A worker's renderer refuses what the network has done by then; a page's never does.
        if session.target_info.get("type") in ("page", "iframe"):
            raise


@cache
def _blocking_script() -> str:
    return files(__package__).joinpath("block_service_workers.js").read_text(encoding="utf-8")

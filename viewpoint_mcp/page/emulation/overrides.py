"""The overrides that emulate a device and its user, each with the CDP targets that need it.

Chromium applies most overrides of the page's CDP session only in that process. So each override
lists the kinds of targets that do not get it from their page (decision 0014). An override is sent
if what it depends on differs between the former and the new state of a target. So the start of a
target and a later change are the same.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from cdp_protocol import CdpError, ProtocolError, Session
from viewpoint_mcp.config.emulation.emulation import Emulation
from viewpoint_mcp.page.emulation.user_agent import UserAgentOverride, build_override

if TYPE_CHECKING:
    from cdp_protocol.types.emulation import MediaFeature, ScreenOrientation

TargetKind = Literal["page", "frame", "worker"]
"""The kind of a CDP target: a page, an out-of-process frame, or a worker of any type."""

log = logging.getLogger(__name__)

Commands: TypeAlias = list[Awaitable[object]]
"""Commands that are sent together. Each must be written before it waits for anything."""

_MEDIA_FEATURES: Final = (
    "prefers-color-scheme",
    "prefers-reduced-motion",
    "forced-colors",
    "prefers-contrast",
)
_RESPONSE_LIMIT: Final = 1.0  # seconds; a busy target, or one with a dialog, responds later
_TOUCH_POINTS: Final = 5
INVALID_CODE: Final = -32602
"""Code of the CDP error for a value that Chromium does not know, such as a time zone."""


@dataclass(frozen=True, slots=True)
class EmulationState:
    """What one target emulates.

    Args:
        settings: The settings of its page.
        chrome_version: Version of the running Chrome, such as 156.0.8078.79. Only needed for a user
            agent.
        media_type: CSS media type; "" for the real one.
    """

    settings: Emulation
    chrome_version: str = ""
    media_type: str = ""


NO_EMULATION: Final = EmulationState(Emulation())
"""The state of a target before the first command."""


@dataclass(frozen=True, slots=True)
class _Override:
    """One override.

    Args:
        read: Returns what the override depends on.
        list_commands: Returns the commands for a value of `read`.
        kinds: The kinds of targets that need the override.
        is_per_process: Whether it is lost in a renderer process when a session ends there; see
            `ProcessOverrides`.
    """

    read: Callable[[EmulationState], Any]
    list_commands: Callable[[Session, Any], Commands]
    kinds: tuple[TargetKind, ...] = ("page", "frame")
    is_per_process: bool = False


def list_commands(
    session: Session, kind: TargetKind, old: EmulationState, new: EmulationState
) -> Commands:
    """Return the commands that change the state of a target, in the order to send them.

    Args:
        old: The present state; `NO_EMULATION` for a target that has just started.
    """
    return [
        command
        for override in _OVERRIDES
        if kind in override.kinds and (value := override.read(new)) != override.read(old)
        for command in override.list_commands(session, value)
    ]


def list_process_commands(session: Session, state: EmulationState) -> Commands:
    """Return the commands for the overrides that a renderer process may have lost."""
    return [
        command
        for override in _OVERRIDES
        if override.is_per_process
        and (value := override.read(state)) != override.read(NO_EMULATION)
        for command in override.list_commands(session, value)
    ]


def has_worker_overrides(state: EmulationState) -> bool:
    """Return whether workers need overrides that they do not inherit from their page."""
    return any(
        override.read(state) != override.read(NO_EMULATION)
        for override in _OVERRIDES
        if "worker" in override.kinds
    )


async def send_and_wait_briefly(commands: Commands) -> None:
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


def _set_user_agent(session: Session, override: UserAgentOverride | None) -> Commands:
    """Source: CDP `Emulation.setUserAgentOverride`. Empty texts restore those of the browser."""
    nothing: UserAgentOverride = {"userAgent": "", "acceptLanguage": "", "platform": ""}
    return [session.Emulation.setUserAgentOverride(**(override or nothing))]


def _set_locale(session: Session, locale: str | None) -> Commands:
    """Source: CDP `Emulation.setLocaleOverride`."""
    return [_send_ignoring_conflict(session.Emulation.setLocaleOverride(locale=locale))]


def _set_time_zone(session: Session, name: str | None) -> Commands:
    """Source: CDP `Emulation.setTimezoneOverride`."""
    setting = session.Emulation.setTimezoneOverride(timezoneId=name or "")
    return [_send_ignoring_conflict(setting)]


def _set_cpu_throttling(session: Session, rate: float) -> Commands:
    """Source: CDP `Emulation.setCPUThrottlingRate`."""
    return [_send_ignoring_conflict(session.Emulation.setCPUThrottlingRate(rate=rate))]


def _read_screen(state: EmulationState) -> Emulation:
    """Return the fields of the viewport and the screen alone."""
    its = state.settings
    return Emulation(viewport=its.viewport, screen=its.screen, scale=its.scale, mobile=its.mobile)


def _set_screen(session: Session, fields: Emulation) -> Commands:
    """Source: CDP `Emulation.setDeviceMetricsOverride`, `Emulation.clearDeviceMetricsOverride`."""
    if fields == NO_EMULATION.settings:
        return [session.Emulation.clearDeviceMetricsOverride()]
    width, height = fields.viewport or (0, 0)
    orientation: ScreenOrientation | None = None
    if fields.mobile and width and height:
        # The viewport of a mobile device is its screen, so the shape gives the orientation.
        is_wide = width > height
        orientation = (
            {"angle": 90, "type": "landscapePrimary"}
            if is_wide
            else {"angle": 0, "type": "portraitPrimary"}
        )
    screen = fields.screen or ((width, height) if orientation else (None, None))
    return [
        session.Emulation.setDeviceMetricsOverride(
            width=width,
            height=height,
            deviceScaleFactor=fields.scale or 0,
            mobile=fields.mobile,
            screenWidth=screen[0],
            screenHeight=screen[1],
            screenOrientation=orientation,
        )
    ]


def _set_touch(session: Session, has_touch: bool) -> Commands:
    """Source: CDP `Emulation.setTouchEmulationEnabled`."""
    points = _TOUCH_POINTS if has_touch else None
    return [session.Emulation.setTouchEmulationEnabled(enabled=has_touch, maxTouchPoints=points)]


def _read_media(state: EmulationState) -> tuple[str, Mapping[str, str]]:
    return state.media_type, state.settings.media_features


def _set_media(session: Session, media: tuple[str, Mapping[str, str]]) -> Commands:
    """Source: CDP `Emulation.setEmulatedMedia`."""
    media_type, values = media
    features: list[MediaFeature] = [
        {"name": name, "value": values.get(name, "")} for name in _MEDIA_FEATURES
    ]
    return [session.Emulation.setEmulatedMedia(media=media_type, features=features)]


def _set_geolocation(session: Session, position: tuple[float, float, float] | None) -> Commands:
    """Source: CDP `Emulation.setGeolocationOverride`, `Emulation.clearGeolocationOverride`."""
    if position is None:
        return [session.Emulation.clearGeolocationOverride()]
    latitude, longitude, accuracy = position
    return [
        session.Emulation.setGeolocationOverride(
            latitude=latitude, longitude=longitude, accuracy=accuracy
        )
    ]


def _set_extra_headers(session: Session, headers: Mapping[str, str]) -> Commands:
    """Source: CDP `Network.setExtraHTTPHeaders`."""
    return [session.Network.setExtraHTTPHeaders(headers=dict(headers))]


def _set_extra_headers_of_worker(session: Session, headers: Mapping[str, str]) -> Commands:
    # The renderer adds the headers to a worker's requests only while Network is enabled.
    return [session.Network.enable(), *_set_extra_headers(session, headers)]


def _read_scripts(state: EmulationState) -> tuple[str, ...]:
    scripts = state.settings.init_scripts
    if state.settings.block_service_workers:
        return (_load_service_worker_blocker(), *scripts)
    return scripts


def _add_scripts(session: Session, sources: tuple[str, ...]) -> Commands:
    """Source: CDP `Page.addScriptToEvaluateOnNewDocument`."""
    add = session.Page.addScriptToEvaluateOnNewDocument
    return [add(source=source, runImmediately=True) for source in sources]


@cache
def _load_service_worker_blocker() -> str:
    return files(__package__).joinpath("block_service_workers.js").read_text(encoding="utf-8")


async def _send_ignoring_conflict(command: Awaitable[object]) -> None:
    try:
        await command
    except CdpError as error:
        if isinstance(error, ProtocolError) and error.code == INVALID_CODE:
            raise
        log.debug("Another session of the process has set it, or this session is closed: %s", error)


# Chromium applies an override that only pages get to the page as a whole. The viewport of an
# out-of-process frame cannot be set.
_OVERRIDES: Final = (
    _Override(lambda state: state.settings.locale, _set_locale, is_per_process=True),
    _Override(lambda state: state.settings.time_zone, _set_time_zone, is_per_process=True),
    _Override(
        lambda state: state.settings.cpu_throttling, _set_cpu_throttling, is_per_process=True
    ),
    _Override(_read_screen, _set_screen, ("page",)),
    _Override(_read_media, _set_media),
    _Override(lambda state: state.settings.geolocation, _set_geolocation, ("page",)),
    _Override(
        lambda state: state.settings.ignore_https_errors,
        lambda session, ignore: [session.Security.setIgnoreCertificateErrors(ignore=ignore)],
        ("page",),
    ),
    _Override(
        lambda state: build_override(state.settings, state.chrome_version),
        _set_user_agent,
        ("page", "frame", "worker"),
    ),
    _Override(lambda state: state.settings.touch, _set_touch),
    _Override(lambda state: state.settings.extra_headers, _set_extra_headers),
    _Override(
        lambda state: state.settings.extra_headers, _set_extra_headers_of_worker, ("worker",)
    ),
    _Override(_read_scripts, _add_scripts),
    _Override(
        lambda state: state.settings.bypass_csp,
        lambda session, bypass: [session.Page.setBypassCSP(enabled=bypass)],
    ),
    _Override(
        lambda state: not state.settings.javascript_enabled,
        lambda session, disable: [session.Emulation.setScriptExecutionDisabled(value=disable)],
    ),
    _Override(
        lambda state: state.settings.block_service_workers,
        lambda session, bypass: [session.Network.setBypassServiceWorker(bypass=bypass)],
    ),
)

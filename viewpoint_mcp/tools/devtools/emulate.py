"""The tool that changes what a context emulates, while it is open (`--caps devtools`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from viewpoint_mcp.accessibility.printing.sentence_quotes import to_one_line
from viewpoint_mcp.config.emulation import parsers
from viewpoint_mcp.config.emulation.changes import EmulationChanges
from viewpoint_mcp.config.emulation.devices import get_device_name
from viewpoint_mcp.config.emulation.network_conditions import (
    PRESETS,
    NetworkConditions,
    Throttling,
)
from viewpoint_mcp.tools.core.args import Args
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import page_tool

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page

_OFFLINE: Final = "Offline"


class NetworkSpeed(Args):
    latency_ms: Annotated[float, Meta(ge=0, le=60_000)] = 0
    """Least time from a request to its response, in milliseconds."""
    download_kbps: Annotated[float, Meta(gt=0)] | None = None
    """Download speed in kilobits per second. No limit if omitted."""
    upload_kbps: Annotated[float, Meta(gt=0)] | None = None
    """Upload speed in kilobits per second. No limit if omitted."""


class EmulateArgs(Args):
    device: Annotated[
        str | UnsetType | None, Meta(description="Such as iPhone 15, Pixel 7 landscape")
    ] = UNSET
    """Device to emulate, with its viewport, scale, touch and user agent, such as `iPhone 15` or
    `Pixel 7 landscape`. It replaces an earlier `viewport` and `userAgent`."""
    viewport: Annotated[str | UnsetType | None, Meta(description="WIDTHxHEIGHT")] = UNSET
    """Size of the viewport in CSS pixels, such as `1280x720`. It replaces those of
    `browser_resize`, in all tabs."""
    user_agent: str | UnsetType | None = UNSET
    """User agent. Its client hints are set to match."""
    geolocation: Annotated[
        str | UnsetType | None, Meta(description="LATITUDE,LONGITUDE[,ACCURACY in m]")
    ] = UNSET
    """Position in degrees, `LATITUDE,LONGITUDE`, or with an accuracy in metres, `52.52,13.4,100`.
    Pages get the permission to read it."""
    locale: str | UnsetType | None = UNSET
    """Locale and language as a BCP 47 tag, such as `de-DE`."""
    timezone: str | UnsetType | None = UNSET
    """Time zone by its IANA name, such as `Europe/Berlin`."""
    network: (
        Literal["Offline", "Slow 3G", "Fast 3G", "Slow 4G", "Fast 4G"]
        | NetworkSpeed
        | UnsetType
        | None
    ) = UNSET
    """Connection: a preset of DevTools, or an object with `latencyMs`, `downloadKbps` and
    `uploadKbps`, each without a limit if omitted. `Offline` is the state of
    `browser_network_state_set`."""
    cpu_throttling: Annotated[
        Annotated[float, Meta(ge=1, le=20)] | UnsetType | None,
        Meta(description="Slowdown factor, 1 to 20"),
    ] = UNSET
    """How many times slower the main thread of pages runs, 1 to 20. Workers keep their speed."""
    reset: Annotated[bool, Meta(description="Reset all, before the other arguments")] = False
    """Whether to reset everything to the settings of the context, and the sizes of
    `browser_resize` too. The other arguments apply afterwards."""


@page_tool("browser_emulate", title="Emulate", kind="view", capability="devtools")
async def emulate(page: Page, args: EmulateArgs) -> ToolResult:
    """Emulate a device, place or connection in all tabs of the context; null resets an argument.

    It holds for frames, workers, popups and later tabs too, until the context is closed. Arguments
    that a call does not name stay as they are. A reset argument returns to the setting of the
    context, `viewport` and `userAgent` to those of an emulated device. Without arguments, the reply
    lists what is emulated. Use `browser_emulate_media` for CSS media features.

    Reply: everything that differs from the settings of the context; then the changes of the page.

    Errors: a value is malformed; the device does not exist (the message names similar ones).
    """
    given = {
        name
        for name in EmulateArgs.__struct_fields__
        if (value := getattr(args, name)) is not UNSET and value is not False
    }
    if not given:
        return ToolResult(_describe(page))
    old, new = page.emulation.changes, merge_changes(page.emulation.changes, args)
    conditions = merge_conditions(
        page.emulation.network_conditions_at_start, page.emulation.network_conditions, args
    )
    changes_size = args.reset or bool(_SIZE_ARGUMENTS & given)
    # Pages often wait a little after a resize event, before they change their layout.
    async with page.settle_afterwards(is_patient=changes_size):
        await page.emulation.change_context(new, conditions, replaces_sizes=changes_size)
    return ToolResult(_describe(page) + _make_note(page, old, new), snapshot=True)


_SIZE_ARGUMENTS: Final = frozenset({"device", "viewport"})
_READ_AT_LOAD: Final = ("device", "user_agent", "locale")
# The arguments that are fields of `EmulationChanges`, with their names there and their parsers.
_FIELDS: Final[Mapping[str, tuple[str, Callable[[Any], Any]]]] = MappingProxyType(
    {
        "device": ("device", get_device_name),
        "viewport": ("viewport", parsers.parse_size),
        "user_agent": ("user_agent", parsers.parse_user_agent),
        "geolocation": ("geolocation", parsers.parse_geolocation),
        "locale": ("locale", parsers.parse_locale),
        "timezone": ("time_zone", parsers.parse_time_zone),
        "cpu_throttling": ("cpu_throttling", lambda rate: None if rate == 1 else rate),
    }
)


def merge_changes(old: EmulationChanges, args: EmulateArgs) -> EmulationChanges:
    """Return the earlier changes with those of a call.

    Raises:
        CallError: A value is malformed, or the device does not exist.
    """
    changed: dict[str, Any] = {}
    if args.device is not UNSET and args.device is not None:
        changed = {"viewport": None, "user_agent": None}
    for argument, (field, parse) in _FIELDS.items():
        if (value := getattr(args, argument)) is not UNSET:
            changed[field] = None if value is None else parse(value)
    return replace(EmulationChanges() if args.reset else old, **changed)


def merge_conditions(
    at_start: NetworkConditions, present: NetworkConditions, args: EmulateArgs
) -> NetworkConditions:
    """Return the connection that a call requests.

    Args:
        at_start: The connection at the start of the context.
        present: The present connection.
    """
    old = at_start if args.reset else present
    match args.network:
        case UnsetType():
            return old
        case None:
            return at_start
        case NetworkSpeed():
            speed = Throttling(
                latency=args.network.latency_ms,
                download=args.network.download_kbps,
                upload=args.network.upload_kbps,
            )
            return NetworkConditions(throttling=None if speed == Throttling() else speed)
    if args.network == _OFFLINE:
        return replace(old, is_offline=True)
    return NetworkConditions(throttling=PRESETS[args.network])


def _describe(page: Page) -> str:
    parts = [*_list_changes(page.emulation.changes)]
    conditions = page.emulation.network_conditions
    if conditions != page.emulation.network_conditions_at_start:
        parts.append(f"network {_describe_connection(conditions)}")
    if not parts:
        return "Nothing is emulated beyond the settings of the context."
    return f"Emulating: {'; '.join(parts)}"


def _list_changes(changes: EmulationChanges) -> Iterator[str]:
    if changes.device is not None:
        yield f"device {changes.device}"
    if changes.viewport is not None:
        yield f"viewport {changes.viewport[0]}x{changes.viewport[1]}"
    if changes.user_agent is not None:
        yield f"user agent {to_one_line(changes.user_agent)}"
    if changes.geolocation is not None:
        latitude, longitude, accuracy = changes.geolocation
        yield f"geolocation {latitude:g},{longitude:g} within {accuracy:g} m"
    if changes.locale is not None:
        yield f"locale {changes.locale}"
    if changes.time_zone is not None:
        yield f"time zone {changes.time_zone}"
    if changes.cpu_throttling is not None:
        yield f"CPU {changes.cpu_throttling:g} times slower"


def _describe_connection(conditions: NetworkConditions) -> str:
    if conditions.is_offline:
        return _OFFLINE.lower()
    speed = conditions.throttling
    if speed is None:
        return "online without limits"
    limits = [f"latency {speed.latency:g} ms"] if speed.latency else []
    for direction, rate in (("download", speed.download), ("upload", speed.upload)):
        limits += [] if rate is None else [f"{direction} {rate:g} kbit/s"]
    return f"{speed.name} ({', '.join(limits)})" if speed.name else ", ".join(limits)


def _make_note(page: Page, old: EmulationChanges, new: EmulationChanges) -> str:
    """Return a note if the page may depend on a value that it or its server read at its load."""
    is_loaded = page.url.startswith(("http:", "https:", "file:"))
    if not is_loaded or all(getattr(old, each) == getattr(new, each) for each in _READ_AT_LOAD):
        return ""
    return "\nNote: the page was loaded before this change. browser_reload loads it again."

"""What pages are told of the device and its user, the flags of that, and how values are written.

Each function reads what a user writes in a flag or in a tool's argument, and raises a CallError
that says what is wrong with the text and how to write it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Struct

from viewpoint_mcp.config.flag import Flag, Heading, Key
from viewpoint_mcp.errors import CallError

ColorScheme = Literal["light", "dark", "no-preference"]

GENERIC_PHONE = "Pixel 10"
"""The device of --mobile."""

PERMISSIONS = (
    "accelerometer",
    "ambient-light-sensor",
    "background-sync",
    "camera",
    "clipboard-read",
    "clipboard-write",
    "geolocation",
    "gyroscope",
    "local-fonts",
    "local-network-access",
    "magnetometer",
    "microphone",
    "midi",
    "midi-sysex",
    "notifications",
    "payment-handler",
    "screen-wake-lock",
    "storage-access",
)
"""The names that Playwright has; all but `midi-sysex` are the Permissions API's own."""

_LOCALE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*")
_ACCURACY = 10.0  # metres, when nobody says


def parse_size(text: str) -> tuple[int, int]:
    """Read a viewport, WIDTHxHEIGHT in CSS pixels."""
    match = re.fullmatch(r"(\d{1,5})\s*[x,]\s*(\d{1,5})", text.lower())
    if match is None or 0 in (read := (int(match[1]), int(match[2]))):
        raise CallError(f'"{text}" is not a size; write it as 1280x720.')
    return read


def parse_locale(text: str) -> str:
    """Read a BCP 47 tag; POSIX writes it with an underscore."""
    if not _LOCALE.fullmatch(text):
        raise CallError(f'"{text}" is not a locale; write it as de-DE.')
    return text.replace("_", "-")


def parse_time_zone(text: str) -> str:
    """Read an IANA name, in any case."""
    from difflib import get_close_matches
    from zoneinfo import available_timezones

    known = {name.casefold(): name for name in available_timezones()}
    # Windows has no list of them; then the browser has the last word.
    if not known and re.fullmatch(r"[A-Za-z0-9_+/-]+", text):
        return text
    if text.casefold() not in known:
        near = [known[name] for name in get_close_matches(text.casefold(), known)]
        meant = f"Near it are: {', '.join(near)}." if near else "Write it as Europe/Berlin."
        raise CallError(f'"{text}" is not a time zone.', meant)
    return known[text.casefold()]


def parse_geolocation(text: str) -> tuple[float, float, float]:
    """Read LATITUDE,LONGITUDE[,ACCURACY] in degrees and metres."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) == 2:
        numbers.append(_ACCURACY)
    if len(numbers) != 3:
        raise CallError(f'"{text}" is not a place; write it as LATITUDE,LONGITUDE: 52.52,13.4.')
    latitude, longitude, accuracy = numbers
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180 and 0 <= accuracy < 1e9):
        raise CallError(
            f'"{text}" is not a place: a latitude is within 90 degrees, a longitude within 180, '
            "an accuracy not negative."
        )
    return latitude, longitude, accuracy


def parse_permissions(texts: Iterable[str]) -> tuple[str, ...]:
    """Read names of permissions; a text may hold several, separated by commas."""
    given = tuple(filter(None, (name.strip() for text in texts for name in text.split(","))))
    for name in given:
        if name not in PERMISSIONS:
            raise CallError(f'"{name}" is no permission; there are: {", ".join(PERMISSIONS)}.')
    return given


def read_scripts(paths: Sequence[Path]) -> tuple[str, ...]:
    """Return the sources of init scripts."""
    try:
        return tuple(path.read_text(encoding="utf-8") for path in paths)
    except (OSError, UnicodeDecodeError) as error:
        raise CallError(f"It could not be read: {error}") from error


def over_device(device: Mapping[str, Any], **said: Any) -> dict[str, Any]:
    """Return fields of `Emulation`: those of a device, and over them what is said itself.

    Args:
        said: None for what is not.
    """
    given = {name: value for name, value in said.items() if value is not None}
    if "user_agent" in given:
        given["hints"] = None  # the device's would contradict it
    return {**device, **given}


def _format_size(viewport: Mapping[str, int]) -> str:
    return f"{viewport['width']}x{viewport['height']}"


def _format_place(place: Mapping[str, float]) -> str:
    numbers = place["latitude"], place["longitude"], place.get("accuracy", _ACCURACY)
    return ",".join(map(str, numbers))


def _is_blocking(service_workers: str) -> bool:
    return service_workers == "block"


class Emulation(Struct, frozen=True, kw_only=True):
    """What pages are told of the device they are on, and of who sits before it.

    Args:
        viewport: Width and height in CSS pixels; None leaves them to the window.
        mobile: Whether pages are laid out as on a phone: `meta viewport`, overlay scroll bars. The
            flag chooses a whole device.
        scale: Device pixels in a CSS pixel; None for the screen's own.
        touch: Whether there is a touch screen.
        user_agent: `%s` in it stands for the version of the Chrome that runs.
        hints: Client hints that go with it (CDP `Emulation.UserAgentMetadata`); None for what the
            user agent itself tells.
        locale: BCP 47 tag.
        time_zone: IANA name.
        geolocation: Latitude and longitude in degrees, accuracy in metres. Pages may ask for it.
        permissions: Names of the Permissions API that every page has.
        init_scripts: Sources that run in each document before its own scripts, in the page's world.
    """

    viewport: Annotated[
        tuple[int, int] | None,
        Flag(
            "--viewport-size",
            Heading.PAGES,
            "Viewport in CSS pixels, such as 1280x720.",
            metavar="WxH",
            parse=parse_size,
            keys=(Key("browser.contextOptions.viewport", _format_size),),
        ),
    ] = None
    mobile: Annotated[
        bool,
        Flag("--mobile", Heading.PAGES, f"The same as --device '{GENERIC_PHONE}'."),
    ] = False
    scale: float | None = None
    touch: bool = False
    user_agent: Annotated[
        str | None,
        Flag(
            "--user-agent",
            Heading.PAGES,
            "User agent. Its client hints are set to match.",
            keys=("browser.contextOptions.userAgent",),
        ),
    ] = None
    hints: Mapping[str, str | bool] | None = None
    locale: Annotated[
        str | None,
        Flag(
            "--locale",
            Heading.PAGES,
            "Locale and language of pages, such as de-DE.",
            metavar="TAG",
            parse=parse_locale,
            keys=("browser.contextOptions.locale",),
        ),
    ] = None
    time_zone: Annotated[
        str | None,
        Flag(
            "--timezone",
            Heading.PAGES,
            "Time zone of pages, such as Europe/Berlin.",
            metavar="NAME",
            parse=parse_time_zone,
            keys=("browser.contextOptions.timezoneId",),
        ),
    ] = None
    geolocation: Annotated[
        tuple[float, float, float] | None,
        Flag(
            "--geolocation",
            Heading.PAGES,
            "Location that pages get, in degrees and metres. Pages get the geolocation permission.",
            metavar="LAT,LON[,ACCURACY]",
            parse=parse_geolocation,
            keys=(Key("browser.contextOptions.geolocation", _format_place),),
        ),
    ] = None
    permissions: Annotated[
        tuple[str, ...],
        Flag(
            "--grant-permissions",
            Heading.PAGES,
            'Permissions granted to pages, such as "clipboard-read,notifications".',
            metavar="NAME,...",
            parse=parse_permissions,
            is_repeatable=True,
            keys=("browser.contextOptions.permissions",),
        ),
    ] = ()
    color_scheme: Annotated[
        ColorScheme | None,
        Flag(
            "--color-scheme",
            Heading.PAGES,
            "Preferred color scheme that pages get.",
            keys=("browser.contextOptions.colorScheme",),
        ),
    ] = None
    offline: Annotated[
        bool,
        Flag(
            "--offline",
            Heading.PAGES,
            "Emulate a missing network connection for pages.",
            keys=("browser.contextOptions.offline",),
        ),
    ] = False
    ignore_https_errors: Annotated[
        bool,
        Flag(
            "--ignore-https-errors",
            Heading.PAGES,
            "Accept invalid certificates.",
            keys=("browser.contextOptions.ignoreHTTPSErrors",),
        ),
    ] = False
    block_service_workers: Annotated[
        bool,
        Flag(
            "--block-service-workers",
            Heading.PAGES,
            "Prevent pages from registering service workers.",
            keys=(Key("browser.contextOptions.serviceWorkers", _is_blocking),),
        ),
    ] = False
    init_scripts: Annotated[
        tuple[str, ...],
        Flag(
            "--init-script",
            Heading.PAGES,
            "JavaScript file to run in every page and frame before its own scripts. Repeatable.",
            metavar="PATH",
            parse=read_scripts,
            path="file",
            is_repeatable=True,
            keys=("browser.initScript",),
        ),
    ] = ()

    def __repr__(self) -> str:
        return "Emulation(...)"

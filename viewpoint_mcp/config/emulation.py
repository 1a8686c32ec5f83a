"""Emulation of a device and its user, with the flags and their parsers.

Each `parse_` function parses the text of a flag or of a tool's argument. It raises a CallError if
the text is malformed, with an example of the right form.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Struct, field

from viewpoint_mcp.config.flag_annotations import ConfigKey, Flag, Heading, split_list
from viewpoint_mcp.errors import CallError

ColorScheme = Literal["light", "dark", "no-preference"]

DEFAULT_PHONE = "Pixel 10"
"""The device that --mobile emulates."""

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
"""Permission names of Playwright. All but `midi-sysex` are names of the Permissions API."""

_CONTROL_CHARACTER = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~\w-]+")
# With one of these, Chromium fails every request with net::ERR_INVALID_ARGUMENT.
_HEADERS_OF_CHROMIUM = frozenset(
    {
        "connection",
        "content-length",
        "cookie2",
        "host",
        "keep-alive",
        "proxy-authorization",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
_LOCALE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*")
_DEFAULT_ACCURACY = 10.0  # metres; the default accuracy of a position


def parse_size(text: str) -> tuple[int, int]:
    """Parse the size of a viewport, WIDTHxHEIGHT in CSS pixels."""
    match = re.fullmatch(r"(\d{1,5})\s*[x,]\s*(\d{1,5})", text.lower())
    if match is None or 0 in (size := (int(match[1]), int(match[2]))):
        raise CallError(f'"{text}" is not a size. Write it like 1280x720.')
    return size


def parse_locale(text: str) -> str:
    """Parse a BCP 47 language tag. An underscore, as in POSIX locales, becomes a hyphen."""
    if not _LOCALE.fullmatch(text):
        raise CallError(f'"{text}" is not a locale. Write it like de-DE.')
    return text.replace("_", "-")


def parse_time_zone(text: str) -> str:
    """Parse the IANA name of a time zone, in any case."""
    from difflib import get_close_matches
    from zoneinfo import available_timezones

    zones = {name.casefold(): name for name in available_timezones()}
    # Windows has no list of time zones. The browser then checks the name.
    if not zones and re.fullmatch(r"[A-Za-z0-9_+/-]+", text):
        return text
    if text.casefold() not in zones:
        similar = [zones[name] for name in get_close_matches(text.casefold(), zones)]
        hint = (
            f"Similar names: {', '.join(similar)}." if similar else "Write it like Europe/Berlin."
        )
        raise CallError(f'"{text}" is not a time zone.', hint)
    return zones[text.casefold()]


def parse_geolocation(text: str) -> tuple[float, float, float]:
    """Parse a position, LATITUDE,LONGITUDE[,ACCURACY] in degrees and metres."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) == 2:
        numbers.append(_DEFAULT_ACCURACY)
    if len(numbers) != 3:
        raise CallError(f'"{text}" is not a position. Write LATITUDE,LONGITUDE, like 52.52,13.4.')
    latitude, longitude, accuracy = numbers
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180 and 0 <= accuracy < 1e9):
        raise CallError(
            f'"{text}" is not a position. The latitude must be within 90 degrees, the longitude '
            "within 180, and the accuracy not negative."
        )
    return latitude, longitude, accuracy


def parse_permissions(texts: Iterable[str]) -> tuple[str, ...]:
    """Parse names of permissions. Each text may contain several; see `split_list`."""
    names = split_list(texts)
    for name in names:
        if name not in PERMISSIONS:
            raise CallError(f'Unknown permission "{name}". Use {", ".join(PERMISSIONS)}.')
    return names


def parse_headers(texts: Sequence[str]) -> dict[str, str]:
    """Parse HTTP headers, each written as `NAME: VALUE`.

    Raises:
        CallError: A header is malformed. The message does not repeat it, because it may contain a
            secret.
    """
    headers = {}
    for text in texts:
        name, colon, content = text.partition(":")
        if (
            not colon
            or _CONTROL_CHARACTER.search(content)
            or not _HEADER_NAME.fullmatch(name.strip())
        ):
            raise CallError('A header is malformed. Write "Name: value".')
        headers[name.strip()] = content.strip()
    return headers


def parse_extra_headers(texts: Sequence[str]) -> dict[str, str]:
    """Parse HTTP headers for the requests of pages, each written as `NAME: VALUE`."""
    headers = parse_headers(texts)
    for name in headers:
        if name.lower() in _HEADERS_OF_CHROMIUM:
            raise CallError(
                f"The header {name} cannot be set: Chromium sets it itself, and would fail every "
                "request. Remove it."
            )
    return headers


def format_headers(headers: Mapping[str, str]) -> list[str]:
    """Return the headers of a configuration file in the form of the command line."""
    return [f"{name}: {content}" for name, content in headers.items()]


def read_init_scripts(paths: Sequence[Path]) -> tuple[str, ...]:
    """Return the sources of init scripts.

    Raises:
        CallError: A file cannot be read as UTF-8.
    """
    try:
        return tuple(path.read_text(encoding="utf-8") for path in paths)
    except (OSError, UnicodeDecodeError) as error:
        raise CallError(f"Cannot read the script: {error}") from error


def override_device(device: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    """Return the fields of `Emulation` of a device, overridden by explicit fields.

    A user agent also removes the client hints of the device, which would contradict it.

    Args:
        device: Fields of `Emulation`; empty for no device.
        fields: Explicit fields by name. None means that a field is not set.
    """
    overrides = {name: value for name, value in fields.items() if value is not None}
    if "user_agent" in overrides:
        overrides["hints"] = None
    return {**device, **overrides}


def _format_size(viewport: Mapping[str, int]) -> str:
    return f"{viewport['width']}x{viewport['height']}"


def _format_geolocation(position: Mapping[str, float]) -> str:
    numbers = (
        position["latitude"],
        position["longitude"],
        position.get("accuracy", _DEFAULT_ACCURACY),
    )
    return ",".join(map(str, numbers))


def _should_block_service_workers(service_workers: str) -> bool:
    return service_workers == "block"


class Emulation(Struct, frozen=True, kw_only=True):
    """The device and the user that pages perceive.

    Args:
        viewport: Width and height in CSS pixels; None for the size of the window.
        mobile: Whether pages are laid out as on a phone, with `meta viewport` and overlay scroll
            bars. The flag --mobile chooses a whole device.
        scale: Device pixels per CSS pixel; None for the value of the screen.
        touch: Whether the device has a touch screen.
        user_agent: User agent; None for that of the browser. `%s` in it is replaced by the version
            of the running Chrome.
        hints: Client hints of the user agent (CDP `Emulation.UserAgentMetadata`). They override
            those derived from the user agent; None to use only these.
        locale: BCP 47 tag; None for that of the browser.
        time_zone: IANA name; None for that of the system.
        geolocation: Latitude and longitude in degrees, accuracy in metres. Pages then have the
            permission to read it.
        permissions: Names of permissions that are granted to every page.
        color_scheme: Preferred color scheme; None for that of the browser.
        offline: Whether pages have no network.
        ignore_https_errors: Whether certificates that are not valid are accepted.
        block_service_workers: Whether pages cannot register service workers.
        extra_headers: HTTP headers by name, which all requests of pages and workers carry.
        init_scripts: Sources that run in the main world of each document, before its own scripts.
    """

    viewport: Annotated[
        tuple[int, int] | None,
        Flag(
            "--viewport-size",
            Heading.PAGES,
            "Viewport in CSS pixels, such as 1280x720.",
            metavar="WxH",
            parse=parse_size,
            config_keys=(ConfigKey("browser.contextOptions.viewport", _format_size),),
        ),
    ] = None
    mobile: Annotated[
        bool,
        Flag("--mobile", Heading.PAGES, f"The same as --device '{DEFAULT_PHONE}'."),
    ] = False
    scale: float | None = None
    touch: bool = False
    user_agent: Annotated[
        str | None,
        Flag(
            "--user-agent",
            Heading.PAGES,
            "User agent. Its client hints are set to match.",
            config_keys=("browser.contextOptions.userAgent",),
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
            config_keys=("browser.contextOptions.locale",),
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
            config_keys=("browser.contextOptions.timezoneId",),
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
            config_keys=(ConfigKey("browser.contextOptions.geolocation", _format_geolocation),),
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
            config_keys=("browser.contextOptions.permissions",),
        ),
    ] = ()
    color_scheme: Annotated[
        ColorScheme | None,
        Flag(
            "--color-scheme",
            Heading.PAGES,
            "Preferred color scheme that pages get.",
            config_keys=("browser.contextOptions.colorScheme",),
        ),
    ] = None
    offline: Annotated[
        bool,
        Flag(
            "--offline",
            Heading.PAGES,
            "Emulate a missing network connection for pages.",
            config_keys=("browser.contextOptions.offline",),
        ),
    ] = False
    ignore_https_errors: Annotated[
        bool,
        Flag(
            "--ignore-https-errors",
            Heading.PAGES,
            "Accept invalid certificates.",
            config_keys=("browser.contextOptions.ignoreHTTPSErrors",),
        ),
    ] = False
    block_service_workers: Annotated[
        bool,
        Flag(
            "--block-service-workers",
            Heading.PAGES,
            "Prevent pages from registering service workers.",
            config_keys=(
                ConfigKey("browser.contextOptions.serviceWorkers", _should_block_service_workers),
            ),
        ),
    ] = False
    extra_headers: Annotated[
        Mapping[str, str],
        Flag(
            "--extra-headers",
            Heading.PAGES,
            "HTTP header to send with all requests of pages, to every site. Repeatable.",
            metavar="NAME:VALUE",
            parse=parse_extra_headers,
            is_repeatable=True,
            can_contain_spaces=True,
            config_keys=(ConfigKey("browser.contextOptions.extraHTTPHeaders", format_headers),),
        ),
    ] = field(default_factory=dict)
    init_scripts: Annotated[
        tuple[str, ...],
        Flag(
            "--init-script",
            Heading.PAGES,
            "JavaScript file to run in every page and frame before its own scripts. Repeatable.",
            metavar="PATH",
            parse=read_init_scripts,
            path_kind="file",
            is_repeatable=True,
            config_keys=("browser.initScript",),
        ),
    ] = ()

    def __repr__(self) -> str:
        return "Emulation(...)"

"""Parsers of the texts that describe a device and its user, in flags and in arguments of tools.

Each `parse_` function raises a CallError if the text is malformed, with an example of the right
form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from viewpoint_mcp.config.flag_annotations import split_list
from viewpoint_mcp.errors import CallError

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
_MAX_SCALE = 16.0  # device pixels per CSS pixel; more would exhaust the memory with one screenshot
_LOCALE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*")
DEFAULT_ACCURACY = 10.0  # metres; the default accuracy of a position


def parse_size(text: str) -> tuple[int, int]:
    """Parse the size of a viewport, WIDTHxHEIGHT in CSS pixels."""
    match = re.fullmatch(r"(\d{1,5})\s*[x,]\s*(\d{1,5})", text.lower())
    if match is None or 0 in (size := (int(match[1]), int(match[2]))):
        raise CallError(f'"{text}" is not a size. Write it like 1280x720.')
    return size


def parse_scale(scale: float) -> float:
    """Check a number of device pixels per CSS pixel."""
    if not 0 < scale <= _MAX_SCALE:
        raise CallError(f"{scale:g} is not a device scale factor. Write a number such as 2.")
    return scale


def parse_user_agent(text: str) -> str:
    """Parse a user agent, which is one line of text."""
    if not text.strip() or _CONTROL_CHARACTER.search(text):
        raise CallError("A user agent is one line of text, such as that of another browser.")
    return text.strip()


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
        numbers.append(DEFAULT_ACCURACY)
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

"""Reads what a user writes of emulation, in a flag or in a tool's argument.

Each function raises a CallError that says what is wrong with the text and how to write it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

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
"""The names that Playwright has; all but `midi-sysex` are the Permissions API's own."""

_LOCALE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*")
_ACCURACY = 10.0  # metres, when nobody says


def size(text: str) -> tuple[int, int]:
    """Read a viewport, WIDTHxHEIGHT in CSS pixels."""
    match = re.fullmatch(r"(\d{1,5})\s*[x,]\s*(\d{1,5})", text.lower())
    if match is None or 0 in (read := (int(match[1]), int(match[2]))):
        raise CallError(f'"{text}" is not a size; write it as 1280x720.')
    return read


def locale(text: str) -> str:
    """Read a BCP 47 tag; POSIX writes it with an underscore."""
    if not _LOCALE.fullmatch(text):
        raise CallError(f'"{text}" is not a locale; write it as de-DE.')
    return text.replace("_", "-")


def time_zone(text: str) -> str:
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


def geolocation(text: str) -> tuple[float, float, float]:
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


def permissions(texts: Iterable[str]) -> tuple[str, ...]:
    """Read names of permissions; a text may hold several, separated by commas."""
    given = tuple(filter(None, (name.strip() for text in texts for name in text.split(","))))
    for name in given:
        if name not in PERMISSIONS:
            raise CallError(f'"{name}" is no permission; there are: {", ".join(PERMISSIONS)}.')
    return given


def over_device(device: Mapping[str, Any], **said: Any) -> dict[str, Any]:
    """Return fields of `Emulation`: those of a device, and over them what is said itself.

    Args:
        said: None for what is not.
    """
    given = {name: value for name, value in said.items() if value is not None}
    if "user_agent" in given:
        given["hints"] = None  # the device's would contradict it
    return {**device, **given}

"""The readings of an outgoing text: as it is, and decoded from the encodings that hide a text."""

from __future__ import annotations

import html
import re
from binascii import Error, a2b_base64
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, NamedTuple
from urllib.parse import unquote

from viewpoint_mcp.tools.guards.outflow.canonical_text import canonicalize

MAX_LENGTH: Final = 65_536
"""Characters of a text that are read, from its start."""

_MAX_DEPTH = 2  # encodings within encodings
_MAX_UNESCAPES = 3
_MIN_CODED = 8  # characters of a coded text that are worth decoding
_MAX_SEGMENTS = 64  # coded texts in one outgoing text that are decoded
_ESCAPES = re.compile(r"\\u\{?([0-9a-fA-F]{4,6})\}?|\\x([0-9a-fA-F]{2})")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,}")
_HEX = re.compile(r"[0-9a-fA-F]{10,}")
_HEX_SEPARATORS = re.compile(r"(?:\\x|0x|[\s:;,._%+-]){1,4}(?=[0-9a-fA-F]{2}(?![0-9a-fA-F]))")
_SEGMENT_SEPARATORS = re.compile(r"[/_-]")
_WHITE_SPACE = re.compile(r"\s+")
_PRINTABLE = 0.9  # the share of a decoded text that must be printable


class Reading(NamedTuple):
    """One reading of a text.

    Attributes:
        canonical: Its canonical form; see `canonicalize`.
        encoding: The encoding that was removed, such as "base64"; "" for a text that is readable,
            or only escaped as URLs, HTML and JSON need it.
    """

    canonical: str
    encoding: str


def read_in_all_ways(text: str) -> Iterator[Reading]:
    """Yield the readings of a text, first the text itself."""
    text = text[:MAX_LENGTH]
    seen: set[Reading] = set()
    for reading in _read(text, "", 0):
        if len(reading.canonical) >= _MIN_CODED - 2 and reading not in seen:
            seen.add(reading)
            yield reading


def _read(text: str, encoding: str, depth: int) -> Iterator[Reading]:
    plain = unescape(text)
    canonical = canonicalize(plain)
    yield Reading(canonical, encoding)
    yield Reading(canonical[::-1], _join(encoding, "reversed"))
    if depth < _MAX_DEPTH:
        for way, decoded in (*_decode_hex(plain), *_decode_base64(plain)):
            yield from _read(decoded, _join(encoding, way), depth + 1)
    if depth == 0:
        backwards = plain[::-1]
        for way, decoded in (*_decode_hex(backwards), *_decode_base64(backwards)):
            yield from _read(decoded, f"reversed {way}", depth + 1)


def _join(first: str, second: str) -> str:
    return f"{first}, {second}" if first else second


def unescape(text: str) -> str:
    """Return a text without the escapes of URLs, HTML, JSON and JavaScript."""
    for _ in range(_MAX_UNESCAPES):
        before = text
        if "%" in text:
            text = unquote(text)
        if "&" in text:
            text = html.unescape(text)
        if "\\" in text:
            text = _ESCAPES.sub(_replace_escape, text)
        if text == before:
            break
    return text


def _replace_escape(match: re.Match[str]) -> str:
    code = int(match[1] or match[2], 16)
    return chr(code) if code <= 0x10FFFF else match[0]


def _decode_hex(text: str) -> Iterator[tuple[str, str]]:
    compact = _HEX_SEPARATORS.sub("", text)
    segments = [*_HEX.findall(text), *(_HEX.findall(compact) if compact != text else ())]
    for segment in segments[:_MAX_SEGMENTS]:
        for start in (0, 1):  # a hex digit before the text shifts it by one
            digits = segment[start:]
            yield from _keep_readable("hex", bytes.fromhex(digits[: len(digits) // 2 * 2]))


def _decode_base64(text: str) -> Iterator[tuple[str, str]]:
    segments = {each for each in _BASE64.findall(text) if _has_both_cases(each)}
    if segments and _WHITE_SPACE.search(text):
        segments.update(_BASE64.findall(_WHITE_SPACE.sub("", text)))
    # A path or a name with hyphens looks like one coded text.
    segments |= {part for each in segments for part in _SEGMENT_SEPARATORS.split(each)}
    candidates = [each for each in segments if len(each) >= _MIN_CODED and _has_both_cases(each)]
    for segment in sorted(candidates, key=len, reverse=True)[:_MAX_SEGMENTS]:
        standard = segment.replace("-", "+").replace("_", "/")
        for start in range(4 if len(standard) > 2 * _MIN_CODED else 1):
            piece = standard[start:]
            piece = piece[: len(piece) - (len(piece) % 4 == 1)]
            yield from _keep_readable("base64", a2b_base64(piece + "=" * (-len(piece) % 4)))


def _has_both_cases(segment: str) -> bool:
    """Return whether a text may be base64. A word is not: it has one case, or one capital."""
    return not (segment.islower() or segment.isupper() or segment.istitle() or segment.isdigit())


def _keep_readable(way: str, data: bytes) -> Iterator[tuple[str, str]]:
    """Yield the decoded text, unless the data is no text."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        if error.start < len(data) - 3:  # else it was cut within a character
            return
        text = data[: error.start].decode()
    printable = sum(map(str.isprintable, text)) + text.count("\n")
    if text and printable >= _PRINTABLE * len(text):
        yield way, text


def decode_piece(piece: str) -> Iterator[tuple[str, str]]:
    """Yield the readings of one piece of a text that was split before it was encoded."""
    yield "reversed", piece[::-1]
    compact = piece.rstrip("=")
    if len(compact) < 2:
        return
    if len(compact) % 2 == 0 and re.fullmatch("[0-9a-fA-F]+", compact):
        yield from _keep_readable("hex", bytes.fromhex(compact))
    if len(compact) % 4 != 1 and re.fullmatch("[A-Za-z0-9+/_-]+", compact):
        padded = compact.replace("-", "+").replace("_", "/") + "=" * (-len(compact) % 4)
        with suppress(Error):
            yield from _keep_readable("base64", a2b_base64(padded))

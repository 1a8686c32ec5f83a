"""Bodies of requests and responses: text or binary, and the suffix of their file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from viewpoint_mcp.accessibility.printing.invisible_characters import remove_invisible

_SUFFIXES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "application/json": "json",
        "application/javascript": "js",
        "text/javascript": "js",
        "text/plain": "txt",
        "text/html": "html",
        "text/css": "css",
        "text/csv": "csv",
        "text/xml": "xml",
        "application/xml": "xml",
        "image/svg+xml": "svg",
        "image/jpeg": "jpg",
        "image/x-icon": "ico",
        "image/vnd.microsoft.icon": "ico",
        "audio/mpeg": "mp3",
        "application/x-www-form-urlencoded": "txt",
        "application/gzip": "gz",
        "application/x-protobuf": "pb",
    }
)
_TYPE_THAT_IS_A_SUFFIX: Final = re.compile(
    r"(?:image|audio|video|font|application)/([a-z0-9]{2,5})"
)
_TEXT: Final = re.compile(r"text/|.*[/+](json|xml|javascript|x-www-form-urlencoded)$")
_CHARSET: Final = re.compile(r'charset="?([\w-]+)', re.IGNORECASE)
_CONTROLS: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def decode_text(data: bytes, content_type: str) -> str | None:
    """Decode a body to well-formed text; return None if it is binary."""
    charset = _CHARSET.search(content_type)
    is_text = _TEXT.match(_media_type(content_type)) is not None
    if not is_text and _CONTROLS.search(data):
        return None
    try:
        return remove_invisible(data.decode(charset[1] if charset else "utf-8"))
    except (UnicodeError, LookupError):
        return remove_invisible(data.decode(errors="replace")) if is_text else None


def choose_suffix(content_type: str, *, is_text: bool) -> str:
    """Return the suffix for the file of a body."""
    kind = _media_type(content_type)
    if kind in _SUFFIXES:
        return _SUFFIXES[kind]
    if kind.endswith("+json"):
        return "json"
    named = _TYPE_THAT_IS_A_SUFFIX.fullmatch(kind)
    return named[1] if named else ("txt" if is_text else "bin")


def _media_type(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()

"""What replies may show, and how the values of these flags are written."""

from __future__ import annotations

import re
from enum import StrEnum

from viewpoint_mcp.errors import CallError


class SnapshotMode(StrEnum):
    """What the reply to an action shows of the page."""

    DIFF = "diff"
    FULL = "full"
    FILE = "file"
    NONE = "none"


class ImageResponses(StrEnum):
    """What the reply to a screenshot brings of it, beside its file on disk."""

    FILE = "file"
    INLINE = "inline"
    ONLY = "only"
    OMIT = "omit"


def parse_image_responses(word: str) -> ImageResponses:
    """Read the word, of which playwright-mcp has another for inline."""
    return ImageResponses.INLINE if word == "allow" else ImageResponses(word)


def parse_file_paths(word: str) -> bool:
    """Return whether replies name files by absolute paths."""
    return word == "absolute"


def parse_bytes(text: str) -> int:
    """Read a number of bytes, which may end in k, M or G.

    Raises:
        CallError: It is none, or 0.
    """
    found = re.fullmatch(r"\s*(\d{1,15})\s*([kmg]?)b?\s*", text, re.IGNORECASE | re.ASCII)
    size = int(found[1]) * 1024 ** " kmg".index(found[2].lower() or " ") if found else 0
    if not size:
        raise CallError(f'"{text}" is no size.', "Give bytes, or such as 500k, 20M or 1G.")
    return size

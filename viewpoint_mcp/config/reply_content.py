"""Settings of the content of replies, and the parsers of their flags."""

from __future__ import annotations

import re
from enum import StrEnum

from viewpoint_mcp.errors import CallError


class SnapshotMode(StrEnum):
    """The form in which the reply to an action shows the page."""

    DIFF = "diff"
    FULL = "full"
    FILE = "file"
    NONE = "none"


class ImageResponses(StrEnum):
    """The content of the reply to a screenshot. The screenshot file is saved in each case."""

    FILE = "file"
    INLINE = "inline"
    ONLY = "only"
    OMIT = "omit"


def parse_snapshot_mode(word: str) -> SnapshotMode:
    """Parse a snapshot mode. "incremental", a word of older playwright-mcp, means diff."""
    return SnapshotMode.DIFF if word == "incremental" else SnapshotMode(word)


def parse_image_responses(word: str) -> ImageResponses:
    """Parse an image mode. "allow", a word of playwright-mcp, means inline."""
    return ImageResponses.INLINE if word == "allow" else ImageResponses(word)


def should_use_absolute_paths(word: str) -> bool:
    """Return whether replies name files by absolute paths."""
    return word == "absolute"


def parse_test_id_attributes(text: str) -> tuple[str, ...]:
    """Parse names of attributes, separated by commas.

    Raises:
        CallError: A name is not valid for an attribute, or there is none.
    """
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    for name in names:
        if not re.fullmatch(r"[A-Za-z_][\w:.-]*", name):
            raise CallError(f'"{name}" is not the name of an attribute.', "Write data-testid.")
    if not names:
        raise CallError("The attribute of the test ids has no name.", "Write data-testid.")
    return names


def parse_byte_size(text: str) -> int:
    """Parse a number of bytes, with an optional suffix k, M or G in any case (powers of 1024).

    Raises:
        CallError: The text is malformed, or the number is 0.
    """
    found = re.fullmatch(r"\s*(\d{1,15})\s*([kmg]?)b?\s*", text, re.IGNORECASE | re.ASCII)
    size = int(found[1]) * 1024 ** " kmg".index(found[2].lower() or " ") if found else 0
    if not size:
        raise CallError(f'"{text}" is not a size.', "Write bytes, or like 500k, 20M or 1G.")
    return size

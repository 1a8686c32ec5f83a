"""The stub of the guide: what a file with it has, and whether viewpoint wrote a file."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Final, Literal

SKILL: Final = "viewpoint"
"""The name of the skill and of its directory."""

FILE: Final = "SKILL.md"

_MARK = "<!-- Written by `viewpoint install --skills`. sha256: {} -->\n"
_WRITTEN = re.compile(_MARK.replace(".", r"\.").format(r"(?P<digest>[0-9a-f]{64})"))

Origin = Literal["current", "outdated", "edited", "foreign"]


def render_stub() -> str:
    """Return the contents of the file: the stub, and a mark with its hash."""
    text = Path(__file__).with_name("stub.md").read_text(encoding="utf-8")
    return f"{text}\n{_MARK.format(_hash(text))}"


def identify(text: str) -> Origin:
    """Return where the contents of a file come from.

    "current" and "outdated" were written by viewpoint and are unchanged. "edited" was written by
    viewpoint and changed afterwards, and "foreign" has no mark.
    """
    text = text.replace("\r\n", "\n")
    if text == render_stub():
        return "current"
    found = _WRITTEN.search(text)
    if found is None:
        return "foreign"
    is_unchanged = not text[found.end() :] and _hash(text[: found.start() - 1]) == found["digest"]
    return "outdated" if is_unchanged else "edited"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()

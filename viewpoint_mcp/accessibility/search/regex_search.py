"""Search with an untrusted regular expression, within a time limit.

Python's `re` can need exponential time, holds the GIL meanwhile, and cannot be interrupted. So the
search runs in a separate process, which is killed when the time limit expires.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson

from viewpoint_mcp.errors import CallError

TIME_LIMIT: Final = 5.0
"""Time limit of a search in seconds, including the start of its process."""

REGEX_SCRIPT: Final = Path(__file__).with_name("regex_process.py")
"""The script that runs in the separate process."""

NO_WINDOW: Final = getattr(subprocess, "CREATE_NO_WINDOW", 0)
"""Flag of `subprocess` that opens no console window. It exists only on Windows."""

_SLASHED_PATTERN: Final = re.compile(r"/(?P<pattern>.+)/(?P<flags>[a-z]*)", re.DOTALL)
_NAMED_GROUP: Final = re.compile(r"\(\?<(?![=!])")
_IGNORED_FLAGS: Final = frozenset("dguvy")  # JavaScript flags that have no effect here
_MAX_PATTERN_LENGTH: Final = 1000


@dataclass(frozen=True, slots=True)
class Match:
    """The first match in a text.

    Attributes:
        index: The index of the text.
        start: The position of the first matching character.
        end: The position after the last matching character.
    """

    index: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression and its flags. `search` checks the syntax."""

    source: str
    flags: str = ""

    @classmethod
    def parse(cls, text: str) -> Pattern:
        """Parse `x`, which is case-sensitive, or `/x/i` with flags.

        Raises:
            CallError: The expression is empty or too long, or a flag is unknown.
        """
        match = _SLASHED_PATTERN.fullmatch(text)
        source, flags = (match["pattern"], match["flags"]) if match else (text, "")
        if not source:
            raise CallError("regex is empty.", "Give a pattern such as Save|Submit or /save/i.")
        if len(source) > _MAX_PATTERN_LENGTH:
            raise CallError(
                f"regex has more than {_MAX_PATTERN_LENGTH} characters.", "Use a shorter pattern."
            )
        flags = "".join(flag for flag in flags if flag not in _IGNORED_FLAGS)
        if unknown := set(flags) - set("imsx"):
            raise CallError(
                f"regex {text} has an unknown flag: {min(unknown)}.", "Use only i, m and s."
            )
        return cls(_NAMED_GROUP.sub("(?P<", source), flags)


async def search_texts(
    pattern: Pattern, texts: Sequence[str], *, time_limit: float = TIME_LIMIT
) -> list[Match]:
    """Return the first match in each text that has a match.

    Args:
        pattern: The regular expression.
        texts: The texts to search.
        time_limit: The time limit in seconds.

    Raises:
        CallError: The pattern is malformed, or the search exceeds the time limit.
    """
    request = orjson.dumps({"pattern": pattern.source, "flags": pattern.flags, "texts": texts})
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", str(REGEX_SCRIPT)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        creationflags=NO_WINDOW,
    )
    try:
        async with asyncio.timeout(time_limit):
            output, _ = await process.communicate(request)
    except TimeoutError:
        raise CallError(
            f"regex {pattern.source} was stopped after {time_limit:g} s.",
            "Use a simpler pattern without nested repetitions, or use text.",
        ) from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    result = orjson.loads(output)
    if "error" in result:
        raise malformed_regex_error(pattern, result["error"])
    return [Match(*found) for found in result["found"]]


def malformed_regex_error(pattern: Pattern, reason: str) -> CallError:
    """Return the error about a malformed regular expression."""
    return CallError(
        f"regex {pattern.source} is malformed: {reason}.",
        "Use Python's syntax: escape ( ) [ ] { } . * + ? | with a backslash.",
    )

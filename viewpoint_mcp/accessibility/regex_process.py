"""Searches texts with a regular expression, in a process of its own (see `regex.py`).

Run as a script: JSON on stdin, `{"pattern", "flags", "texts"}`; JSON on stdout, `{"found": [[index,
start, end], ...]}` with the first match of each text that has one, or `{"error": "..."}`.
"""

from __future__ import annotations

import json
import re
import sys
import warnings
from collections.abc import Iterable


def search(pattern: str, flags: str, texts: Iterable[str]) -> dict[str, object]:
    """Return the first match of each text that has one, or why the pattern is none.

    Args:
        flags: Any of "i", "m", "s", "x".
    """
    warnings.simplefilter("ignore")
    try:
        matcher = re.compile(pattern, sum(re.RegexFlag[flag.upper()] for flag in set(flags)))
    except (re.error, RecursionError, OverflowError) as error:
        return {"error": str(error)}
    found = ((index, matcher.search(text)) for index, text in enumerate(texts))
    return {"found": [(index, *match.span()) for index, match in found if match is not None]}


if __name__ == "__main__":
    json.dump(search(**json.load(sys.stdin.buffer)), sys.stdout)

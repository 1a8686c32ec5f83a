"""Reads and writes messages, also what a page put into them that no JSON should have."""

from __future__ import annotations

import json
from typing import Any

import orjson


def decode(data: bytes | str) -> Any:
    """Return what a message says.

    Raises:
        ValueError: It is no JSON, or nested more deeply than can be read.
    """
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        # A page may hold half of a surrogate pair, which Chromium passes on and orjson refuses.
        try:
            text = json.dumps(json.loads(data), ensure_ascii=False)
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return orjson.loads(whole)


def encode(value: Any, options: int = 0) -> bytes:
    """Return a message as JSON, also where it is nested more deeply than orjson writes it.

    Args:
        value: What `decode` returned, or like it.
        options: Of orjson; but for OPT_SORT_KEYS they only count where it writes.

    Raises:
        ValueError: It is nested more deeply than can be written.
    """
    try:
        return orjson.dumps(value, option=options)
    except TypeError:
        is_sorted = bool(options & orjson.OPT_SORT_KEYS)
        try:
            text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=is_sorted)
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        return text.encode()

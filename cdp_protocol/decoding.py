"""Reads one message of the protocol, also what a page put into it that no JSON should have."""

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

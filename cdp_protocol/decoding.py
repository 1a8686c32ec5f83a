"""Reads one message of the protocol, also what a page put into it that no JSON should have."""

from __future__ import annotations

import json
from typing import Any

import orjson


def decode(data: bytes | str) -> Any:
    """Return what a message says.

    Raises:
        ValueError: It is no JSON.
    """
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        # A page may hold half of a surrogate pair, which Chromium passes on and orjson refuses.
        text = json.dumps(json.loads(data), ensure_ascii=False)
        whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return orjson.loads(whole)

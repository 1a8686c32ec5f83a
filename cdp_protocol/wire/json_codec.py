"""JSON codec for CDP messages, including those that orjson alone cannot read or write."""

from __future__ import annotations

import json
from typing import Any

import orjson


def decode(data: bytes | str) -> Any:
    """Parse a JSON message. Lone surrogates in it become replacement characters.

    Raises:
        ValueError: The message is not JSON, or is nested too deeply.
    """
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        # A page may contain a lone surrogate. Chromium passes it on, and orjson refuses it.
        try:
            text = json.dumps(json.loads(data), ensure_ascii=False)
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return orjson.loads(whole)


def encode(value: Any, options: int = 0) -> bytes:
    """Serialise a value as JSON, even if it is nested too deeply for orjson.

    Args:
        value: A value that `decode` returned, or one of the same types.
        options: Options of orjson. If orjson fails and the standard library writes the JSON, only
            OPT_SORT_KEYS has an effect.

    Raises:
        ValueError: The value is nested too deeply for the standard library too.
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

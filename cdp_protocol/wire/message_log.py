"""Log of all messages, shortened and masked, on the logger `cdp_protocol.wire` at DEBUG."""

from __future__ import annotations

import logging
import re

log = logging.getLogger("cdp_protocol.wire")

SHOWN = 500  # bytes of a message, or characters of a text message

# `re` compiles and caches these patterns when the first message is logged. Compiling them at import
# would take as long as importing two modules.
_NAMED = r'"([\w.-]+)"\s*:\s*'
_STRING = r'"(?:[^"\\]|\\.)*(?:"|\\?$)'
_NESTED = rf"{_STRING}|[\[\]{{}}]"
_VALUE = rf"{_STRING}|[^\s,\]}}]+"
# Masked in addition to the headers that recordings mask.
_SECRET = frozenset(
    {"password", "cookie", "cookies", "set-cookie", "cookieline", "headerstext", "value"}
)
# Masked only in messages of the Input domain.
_TYPED = frozenset({"text", "unmodifiedtext", "key", "code"})
_TYPING = '"Input.'


def sent(data: bytes | str) -> None:
    """Log a message to the browser."""
    if log.isEnabledFor(logging.DEBUG):
        log.debug("> %s", shorten(data))


def received(data: bytes | str) -> None:
    """Log a message from the browser."""
    if log.isEnabledFor(logging.DEBUG):
        log.debug("< %s", shorten(data))


def shorten(data: bytes | str) -> str:
    """Return the beginning of a message, masked, with the length of the omitted rest.

    Passwords, cookies, tokens, typed text and properties named "value" are masked.
    """
    from cdp_protocol.recording.masking import Masking

    head = data[:SHOWN]
    text = head.decode(errors="replace") if isinstance(head, bytes) else head
    text = Masking().text(_without_values(text))
    left = len(data) - len(head)
    return f"{text}… ({left} more)" if left else text


def _without_values(text: str) -> str:
    """Mask the values of secret names, of any JSON type. The text may end inside such a value."""
    from cdp_protocol.recording.masking import header
    from cdp_protocol.recording.secret_patterns import MASK

    is_typing = _TYPING in text
    shown, start = [], 0
    for found in re.finditer(_NAMED, text):
        name = found[1].lower()
        is_secret = name in _SECRET or (is_typing and name in _TYPED) or header(name, "x") == MASK
        if is_secret and found.start() >= start:
            shown += [text[start : found.end()], f'"{MASK}"']
            start = _end_of_value(text, found.end())
    return "".join([*shown, text[start:]])


def _end_of_value(text: str, start: int) -> int:
    if text[start : start + 1] not in ("[", "{"):
        value = re.compile(_VALUE).match(text, start)
        return value.end() if value else start
    depth = 0
    for found in re.compile(_NESTED).finditer(text, start):
        depth += (found[0] in ("[", "{")) - (found[0] in ("]", "}"))
        if not depth:
            return found.end()
    return len(text)

"""The log of every message, on the logger `cdp_protocol.wire` at DEBUG: shortened, masked."""

from __future__ import annotations

import logging
import re

log = logging.getLogger(__name__)

SHOWN = 500

# Compiled, and kept by `re`, when the first message is logged: that takes as long as two modules.
_SECRET = (
    r'("(?:password|authorization|proxy-authorization|cookie|set-cookie|cookieLine|headersText|value)"'
    r'\s*:\s*)"(?:[^"\\]|\\.)*"?'
)


def sent(data: bytes | str) -> None:
    """Log a message to the browser."""
    if log.isEnabledFor(logging.DEBUG):
        log.debug("> %s", shorten(data))


def received(data: bytes | str) -> None:
    """Log a message from the browser."""
    if log.isEnabledFor(logging.DEBUG):
        log.debug("< %s", shorten(data))


def shorten(data: bytes | str) -> str:
    """The beginning of a message, without passwords, cookies and values, and how much was left
    out.
    """
    head = data[:SHOWN]
    text = head.decode(errors="replace") if isinstance(head, bytes) else head
    text = re.sub(_SECRET, r'\1"***"', text, flags=re.IGNORECASE)
    left = len(data) - len(head)
    return f"{text}… ({left} more)" if left else text

"""Log of all messages, shortened and masked, on the logger `cdp_protocol.wire` at DEBUG."""

from __future__ import annotations

import logging
import re

log = logging.getLogger("cdp_protocol.wire")

MAX_LOGGED_LENGTH = 500  # bytes of a message, or characters of a text message

# `re` compiles and caches these patterns when the first message is logged. Compiling them at import
# would take as long as importing two modules.
_KEY_PATTERN = r'"([\w.-]+)"\s*:\s*'
_STRING_PATTERN = r'"(?:[^"\\]|\\.)*(?:"|\\?$)'
_NESTED_TOKEN_PATTERN = rf"{_STRING_PATTERN}|[\[\]{{}}]"
_SCALAR_PATTERN = rf"{_STRING_PATTERN}|[^\s,\]}}]+"
# Masked in addition to the headers that recordings mask.
_SECRET_KEYS = frozenset(
    {"password", "cookie", "cookies", "set-cookie", "cookieline", "headerstext", "value"}
)
# Masked only in messages of the Input domain.
_TYPED_TEXT_KEYS = frozenset({"text", "unmodifiedtext", "key", "code"})
_INPUT_MARKER = '"Input.'


def log_sent(data: bytes | str) -> None:
    """Log a message to the browser."""
    if log.isEnabledFor(logging.DEBUG):
        log.debug("> %s", shorten_and_mask(data))


def log_received(data: bytes | str) -> None:
    """Log a message from the browser."""
    if log.isEnabledFor(logging.DEBUG):
        log.debug("< %s", shorten_and_mask(data))


def shorten_and_mask(data: bytes | str) -> str:
    """Return the beginning of a message, masked, with the length of the omitted rest.

    Passwords, cookies, tokens, typed text and properties named "value" are masked.
    """
    from cdp_protocol.recording.masking import MessageMasker

    head = data[:MAX_LOGGED_LENGTH]
    text = head.decode(errors="replace") if isinstance(head, bytes) else head
    text = MessageMasker().mask_text(_mask_secret_values(text))
    omitted = len(data) - len(head)
    return f"{text}… ({omitted} more)" if omitted else text


def _mask_secret_values(text: str) -> str:
    """Mask the values of secret names, of any JSON type. The text may end inside such a value."""
    from cdp_protocol.recording.masking import mask_header
    from cdp_protocol.recording.secret_patterns import MASK

    is_input_message = _INPUT_MARKER in text
    parts, start = [], 0
    for match in re.finditer(_KEY_PATTERN, text):
        name = match[1].lower()
        is_secret = (
            name in _SECRET_KEYS
            or (is_input_message and name in _TYPED_TEXT_KEYS)
            or mask_header(name, "x") == MASK
        )
        if is_secret and match.start() >= start:
            parts += [text[start : match.end()], f'"{MASK}"']
            start = _find_value_end(text, match.end())
    return "".join([*parts, text[start:]])


def _find_value_end(text: str, start: int) -> int:
    if text[start : start + 1] not in ("[", "{"):
        value = re.compile(_SCALAR_PATTERN).match(text, start)
        return value.end() if value else start
    depth = 0
    for token in re.compile(_NESTED_TOKEN_PATTERN).finditer(text, start):
        depth += (token[0] in ("[", "{")) - (token[0] in ("]", "}"))
        if not depth:
            return token.end()
    return len(text)

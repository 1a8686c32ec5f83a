"""Masking of credentials in recordings.

Three sources identify a secret:

- The structure of the protocol: cookies, headers, answers to a proxy that asks for a password, and
  typed text. Objects of the page are not searched by structure, because the page chooses their
  names.
- Patterns in any text: JSON Web Tokens, bearer tokens, and fields of forms and URLs with a name
  such as "password".
- The texts that the caller names.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from typing import Any

from cdp_protocol.recording import secret_patterns
from cdp_protocol.recording.secret_patterns import MASK
from cdp_protocol.recording.typed_text import mask_typed
from cdp_protocol.sanitize.secrets import longest_plain_part, pattern_for_any
from cdp_protocol.wire.codec import decode, encode

_HEADER = re.compile(
    r"(proxy-)?authorization|(set-)?cookie2?|.*(session|auth)-?id|x-auth.*"
    r"|.*(token|(api|subscription|functions)-?key|secret|password|passwd|credential|[cx]srf).*",
    re.IGNORECASE | re.DOTALL,
)
_HEADER_LINE = re.compile(r"^([^\s:]+):([ \t]*)(.*?)(\r?)$", re.MULTILINE)
_SCHEME = re.compile(r"(basic|bearer|digest|negotiate|ntlm) ", re.IGNORECASE)
_SECRET_KEYS = frozenset({"password", "cookieLine", "rawCookieLine", "privateKey"})
_COOKIE_MARKS = frozenset({"domain", "url", "httpOnly", "sameSite", "sourceScheme"})
# Keys of values that come from the page. The page chooses the names inside these values.
_PAGES_OWN = frozenset({"arguments", "args", "deepSerializedValue", "preview", "value"})
_ENCODED = frozenset({"bytes", "body", "postData", "data", "payloadData"})
_POSTED = frozenset({"postData", "payloadData"})
_HEADERS_TEXT = frozenset({"headersText", "requestHeadersText"})
_STORED = ("value", "oldValue", "newValue")
# Methods with a CDP message as text in the parameter `message`.
_WRAPPED = ("Target.sendMessageToTarget", "Target.receivedMessageFromTarget")
_PICTURES = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"RIFF")


class Masking:
    """Masks secrets in messages.

    Args:
        secrets: Texts to mask everywhere, in any encoding (URL, HTML, JSON). A mapping gives the
            replacement for each text.
        keep_typed: Whether to keep typed text: `Input.insertText` and letter keys.
        typed: The name of the argument that holds typed text when the client calls functions in
            pages (`Runtime.callFunctionOn`); "" if the client passes no typed text this way.
    """

    def __init__(
        self,
        secrets: Mapping[str, str] | Iterable[str] = (),
        *,
        keep_typed: bool = False,
        typed: str = "",
    ) -> None:
        shown = secrets if isinstance(secrets, Mapping) else dict.fromkeys(secrets, MASK)
        by_length = sorted(filter(None, shown), key=len, reverse=True)
        self._shown = [shown[text] for text in by_length]
        self._pattern = re.compile(pattern_for_any(by_length))
        self._cores = [longest_plain_part(text) for text in by_length]
        self._signs = [each.encode() for each in self._cores]
        self._keep_typed = keep_typed
        self._typed = typed
        if typed:
            self._signs.append(f'"{typed}"'.lower().encode())

    def text(self, text: str) -> str:
        """Return a text with the caller's secrets and recognizable tokens masked."""
        return secret_patterns.without_tokens(self._without_secrets(text))

    def posted(self, text: str) -> str:
        """Return a request body or WebSocket payload with secrets masked.

        Masks what `text` masks, and also the values of form and JSON fields with secret names.
        """
        return secret_patterns.without_fields(self.text(text))

    def data(self, data: bytes) -> bytes:
        """Return an encoded message with secrets masked, or the same bytes if it has none.

        Raises:
            ValueError: The message may contain secrets and is not valid JSON.
        """
        return encode(self.message(decode(data))) if self.concerns(data) else data

    def concerns(self, data: bytes) -> bool:
        """Return whether a message may contain secrets.

        The check is fast, because most messages contain none.
        """
        lowered = data.lower()
        return secret_patterns.may_be_in(data, lowered) or any(
            sign in lowered for sign in self._signs
        )

    def message(self, message: Any) -> Any:
        """Mask the secrets in a decoded message in place, and return it."""
        if isinstance(message, dict):
            if not self._keep_typed:
                mask_typed(message, self._typed)
            self._mask_wrapped(message)
        return self._walk(message, "")

    def _without_secrets(self, text: str) -> str:
        lowered = text.lower()
        if not any(core in lowered for core in self._cores):
            return text
        return self._pattern.sub(lambda found: self._shown[(found.lastindex or 1) - 1], text)

    def _mask_wrapped(self, message: dict[str, Any]) -> None:
        params = message.get("params")
        if message.get("method") not in _WRAPPED or not isinstance(params, dict):
            return
        inner = params.get("message")
        if isinstance(inner, str):
            try:
                params["message"] = self.data(inner.encode()).decode()
            except ValueError:
                params["message"] = MASK

    def _walk(self, value: Any, parent: str) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            for number, each in enumerate(value):
                value[number] = self._walk(each, parent)
        elif isinstance(value, dict):
            if parent not in _PAGES_OWN:
                _mask_structure(value, parent)
            elif value.keys() & _PAGES_OWN:
                parent = "value"
            for key, each in value.items():
                inner = "value" if parent in _PAGES_OWN else key
                found = self._walk(each, inner)
                if key in _ENCODED and isinstance(each, str):
                    found = self._encoded(found)
                value[key] = found
        return value

    def _encoded(self, text: str) -> str:
        """Mask secrets in base64 data that holds UTF-8 or Latin-1 text. Pictures do not change."""
        try:
            data = b64decode(text, validate=True)
        except ValueError:
            return text
        if data.startswith(_PICTURES):
            return text
        masked = self.posted(data.decode(errors="surrogateescape"))
        found = masked.encode(errors="surrogateescape")
        if not found.isascii() and self._cores:
            found = self._without_secrets(found.decode("latin-1")).encode("latin-1", "replace")
        return text if found == data else b64encode(found).decode()


def header(name: str, value: str) -> str:
    """Return the value of a header with credentials masked.

    The authentication scheme and the names and attributes of cookies stay.
    """
    lowered = name.lower()
    if lowered == "set-cookie":
        return "\n".join(_set_cookie(each) for each in value.split("\n"))
    if lowered == "cookie":
        return "; ".join(_cookie(each.strip()) for each in value.split(";"))
    if not value or not _HEADER.fullmatch(name):
        return value
    scheme = _SCHEME.match(value) if lowered.endswith("authorization") else None
    return f"{scheme[0] if scheme else ''}{MASK}"


def _set_cookie(line: str) -> str:
    cookie, semicolon, attributes = line.partition(";")
    return _cookie(cookie) + semicolon + attributes


def _cookie(pair: str) -> str:
    name, equals, _ = pair.partition("=")
    return f"{name}={MASK}" if equals else MASK


def _mask_structure(value: dict[str, Any], parent: str) -> None:
    named = value.get("name")
    if isinstance(named, str) and isinstance(value.get("value"), str):
        if value.keys() & _COOKIE_MARKS or parent in ("cookie", "cookies"):
            value["value"] = MASK
        elif parent.lower().endswith("headers"):
            value["value"] = header(named, value["value"])
    _mask_stored(value)
    for key, each in value.items():
        if not isinstance(each, str):
            continue
        if key in _SECRET_KEYS or (key == "username" and "password" in value):
            value[key] = MASK if each else each
        elif parent.lower().endswith("headers"):
            value[key] = header(key, each)
        elif key in _HEADERS_TEXT:
            value[key] = _HEADER_LINE.sub(
                lambda found: f"{found[1]}:{found[2]}{header(found[1], found[3])}{found[4]}", each
            )
        elif key in _POSTED:
            value[key] = secret_patterns.without_fields(each)


def _mask_stored(value: dict[str, Any]) -> None:
    """Mask values of web storage (DOMStorage) that are stored under the name of a secret."""
    key, entries = value.get("key"), value.get("entries")
    if isinstance(key, str) and secret_patterns.is_secret_name(key):
        for name in _STORED:
            if isinstance(value.get(name), str):
                value[name] = MASK
    for entry in entries if isinstance(entries, list) else ():
        match entry:
            case [str(name), str()] if secret_patterns.is_secret_name(name):
                entry[1] = MASK

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
from cdp_protocol.recording.typed_text_masking import mask_typed_text
from cdp_protocol.sanitize.secret_value_patterns import (
    longest_alphanumeric_part,
    pattern_for_any_value,
)
from cdp_protocol.wire.json_codec import decode, encode

_SECRET_HEADER = re.compile(
    r"(proxy-)?authorization|(set-)?cookie2?|.*(session|auth)-?id|x-auth.*"
    r"|.*(token|(api|subscription|functions)-?key|secret|password|passwd|credential|[cx]srf).*",
    re.IGNORECASE | re.DOTALL,
)
_HEADER_LINE = re.compile(r"^([^\s:]+):([ \t]*)(.*?)(\r?)$", re.MULTILINE)
_AUTHENTICATION_SCHEME = re.compile(r"(basic|bearer|digest|negotiate|ntlm) ", re.IGNORECASE)
_SECRET_KEYS = frozenset({"password", "cookieLine", "rawCookieLine", "privateKey"})
_COOKIE_KEYS = frozenset({"domain", "url", "httpOnly", "sameSite", "sourceScheme"})
# Keys of values that come from the page. The page chooses the names inside these values.
_PAGE_VALUE_KEYS = frozenset({"arguments", "args", "deepSerializedValue", "preview", "value"})
_BASE64_KEYS = frozenset({"bytes", "body", "postData", "data", "payloadData"})
_BODY_KEYS = frozenset({"postData", "payloadData"})
_HEADERS_TEXT_KEYS = frozenset({"headersText", "requestHeadersText"})
_STORAGE_VALUE_KEYS = ("value", "oldValue", "newValue")
# Methods with a CDP message as text in the parameter `message`.
_NESTED_MESSAGE_METHODS = ("Target.sendMessageToTarget", "Target.receivedMessageFromTarget")
_IMAGE_SIGNATURES = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"RIFF")


class MessageMasker:
    """Masks secrets in messages.

    Args:
        secrets: Texts to mask everywhere, in any encoding (URL, HTML, JSON). A mapping gives the
            replacement for each text.
        keep_typed: Whether to keep typed text: `Input.insertText` and letter keys.
        typed_argument: The name of the argument that holds typed text when the client calls
            functions in pages (`Runtime.callFunctionOn`); "" if the client passes none this way.
    """

    def __init__(
        self,
        secrets: Mapping[str, str] | Iterable[str] = (),
        *,
        keep_typed: bool = False,
        typed_argument: str = "",
    ) -> None:
        replacements = secrets if isinstance(secrets, Mapping) else dict.fromkeys(secrets, MASK)
        by_length = sorted(filter(None, replacements), key=len, reverse=True)
        self._replacements = [replacements[text] for text in by_length]
        self._pattern = re.compile(pattern_for_any_value(by_length))
        self._plain_parts = [longest_alphanumeric_part(text) for text in by_length]
        self._markers = [each.encode() for each in self._plain_parts]
        self._keep_typed = keep_typed
        self._typed_argument = typed_argument
        if typed_argument:
            self._markers.append(f'"{typed_argument}"'.lower().encode())

    def mask_text(self, text: str) -> str:
        """Return a text with the caller's secrets and recognizable tokens masked."""
        return secret_patterns.mask_tokens(self._mask_named_secrets(text))

    def mask_body(self, text: str) -> str:
        """Return a request body or WebSocket payload with secrets masked.

        Masks what `mask_text` masks, and also the values of form and JSON fields with secret names.
        """
        return secret_patterns.mask_secret_fields(self.mask_text(text))

    def mask_encoded_message(self, data: bytes) -> bytes:
        """Return an encoded message with secrets masked, or the same bytes if it has none.

        Raises:
            ValueError: The message may contain secrets and is not valid JSON.
        """
        return encode(self.mask_message(decode(data))) if self.may_contain_secrets(data) else data

    def may_contain_secrets(self, data: bytes) -> bool:
        """Return whether a message may contain secrets.

        The check is fast, because most messages contain none.
        """
        lowered = data.lower()
        return secret_patterns.may_contain_secret(data, lowered) or any(
            marker in lowered for marker in self._markers
        )

    def mask_message(self, message: Any) -> Any:
        """Mask the secrets in a decoded message in place, and return it."""
        if isinstance(message, dict):
            if not self._keep_typed:
                mask_typed_text(message, self._typed_argument)
            self._mask_nested_message(message)
        return self._mask_value(message, "")

    def _mask_named_secrets(self, text: str) -> str:
        lowered = text.lower()
        if not any(part in lowered for part in self._plain_parts):
            return text
        return self._pattern.sub(lambda found: self._replacements[(found.lastindex or 1) - 1], text)

    def _mask_nested_message(self, message: dict[str, Any]) -> None:
        params = message.get("params")
        if message.get("method") not in _NESTED_MESSAGE_METHODS or not isinstance(params, dict):
            return
        nested = params.get("message")
        if isinstance(nested, str):
            try:
                params["message"] = self.mask_encoded_message(nested.encode()).decode()
            except ValueError:
                params["message"] = MASK

    def _mask_value(self, value: Any, parent_key: str) -> Any:
        if isinstance(value, str):
            return self.mask_text(value)
        if isinstance(value, list):
            for number, each in enumerate(value):
                value[number] = self._mask_value(each, parent_key)
        elif isinstance(value, dict):
            if parent_key not in _PAGE_VALUE_KEYS:
                _mask_known_fields(value, parent_key)
            elif value.keys() & _PAGE_VALUE_KEYS:
                parent_key = "value"
            for key, each in value.items():
                inner_parent = "value" if parent_key in _PAGE_VALUE_KEYS else key
                masked = self._mask_value(each, inner_parent)
                if key in _BASE64_KEYS and isinstance(each, str):
                    masked = self._mask_base64(masked)
                value[key] = masked
        return value

    def _mask_base64(self, text: str) -> str:
        """Mask secrets in base64 data that holds UTF-8 or Latin-1 text. Pictures do not change."""
        try:
            data = b64decode(text, validate=True)
        except ValueError:
            return text
        if data.startswith(_IMAGE_SIGNATURES):
            return text
        masked = self.mask_body(data.decode(errors="surrogateescape"))
        masked_data = masked.encode(errors="surrogateescape")
        if not masked_data.isascii() and self._plain_parts:
            masked_data = self._mask_named_secrets(masked_data.decode("latin-1")).encode(
                "latin-1", "replace"
            )
        return text if masked_data == data else b64encode(masked_data).decode()


def mask_header(name: str, value: str) -> str:
    """Return the value of a header with credentials masked.

    The authentication scheme and the names and attributes of cookies stay.
    """
    lowered = name.lower()
    if lowered == "set-cookie":
        return "\n".join(_mask_set_cookie(each) for each in value.split("\n"))
    if lowered == "cookie":
        return "; ".join(_mask_cookie(each.strip()) for each in value.split(";"))
    if not value or not _SECRET_HEADER.fullmatch(name):
        return value
    scheme = _AUTHENTICATION_SCHEME.match(value) if lowered.endswith("authorization") else None
    return f"{scheme[0] if scheme else ''}{MASK}"


def _mask_set_cookie(line: str) -> str:
    cookie, semicolon, attributes = line.partition(";")
    return _mask_cookie(cookie) + semicolon + attributes


def _mask_cookie(pair: str) -> str:
    name, equals, _ = pair.partition("=")
    return f"{name}={MASK}" if equals else MASK


def _mask_known_fields(value: dict[str, Any], parent_key: str) -> None:
    name = value.get("name")
    if isinstance(name, str) and isinstance(value.get("value"), str):
        if value.keys() & _COOKIE_KEYS or parent_key in ("cookie", "cookies"):
            value["value"] = MASK
        elif parent_key.lower().endswith("headers"):
            value["value"] = mask_header(name, value["value"])
    _mask_web_storage(value)
    for key, each in value.items():
        if not isinstance(each, str):
            continue
        if key in _SECRET_KEYS or (key == "username" and "password" in value):
            value[key] = MASK if each else each
        elif parent_key.lower().endswith("headers"):
            value[key] = mask_header(key, each)
        elif key in _HEADERS_TEXT_KEYS:
            value[key] = _HEADER_LINE.sub(
                lambda found: f"{found[1]}:{found[2]}{mask_header(found[1], found[3])}{found[4]}",
                each,
            )
        elif key in _BODY_KEYS:
            value[key] = secret_patterns.mask_secret_fields(each)


def _mask_web_storage(value: dict[str, Any]) -> None:
    """Mask values of web storage (DOMStorage) that are stored under the name of a secret."""
    key, entries = value.get("key"), value.get("entries")
    if isinstance(key, str) and secret_patterns.is_secret_name(key):
        for name in _STORAGE_VALUE_KEYS:
            if isinstance(value.get(name), str):
                value[name] = MASK
    for entry in entries if isinstance(entries, list) else ():
        match entry:
            case [str(name), str()] if secret_patterns.is_secret_name(name):
                entry[1] = MASK

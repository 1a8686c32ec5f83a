"""Regular expressions that recognize secrets in any text.

Pages choose the texts, and a search blocks the whole process, so each pattern takes linear time.
A pattern that can start at many positions limits each attempt. The attempt ends before the next
possible start, by possessive quantifiers such as `++` and lookaheads, or after a fixed number of
characters.
"""

from __future__ import annotations

import re
from typing import Final

MASK: Final = "***"

_NAME_CHARACTER = r"[\w.%\[\]-]"
_SECRET_WORDS = "passw|passphrase|pwd|secret|token|credential|signature|api_?-?key"
_PASS_WORD = r"(?:(?<![a-z])|(?<=%5b))(?:user|login|db|auth)?[_-]?pass(?![a-z])"
# A lookahead: the name that begins here is the name of a secret. It consumes no characters.
_SECRET_LOOKAHEAD = (
    rf"(?={_NAME_CHARACTER}*?(?:{_SECRET_WORDS}|{_PASS_WORD})|(?:sig|sid)(?!{_NAME_CHARACTER}))"
)
_SECRET_NAME_PATTERN = rf"{_SECRET_LOOKAHEAD}{_NAME_CHARACTER}++"
# Each pattern begins with text that the regex engine finds quickly, and runs only on texts that
# contain its marker.
_URL_PARAMETER = re.compile(rf"([?&#](?i:{_SECRET_NAME_PATTERN})=)[^&#\s\"'<>\\]++")
_USER_CHARACTER = r"[^/?#@\s\"'\x00-\x1f\ud800-\udfff"
_URL_PASSWORD = re.compile(rf"(//{_USER_CHARACTER}:]++:){_USER_CHARACTER}]++(?=@)")
_BEARER = re.compile(r"\b(bearer )[\w.~+/-]{16,}+=*+", re.IGNORECASE)
_JWT = re.compile(r"()(?<![\w-])(?=[\w-]*?eyJ)[\w-]{11,}+\.eyJ[\w-]{8,}+\.[\w-]*+")
_FORM_FIELD = re.compile(rf"\A((?i:{_SECRET_NAME_PATTERN})=)[^&\s]++")
_JSON_FIELD = re.compile(
    rf"(\"(?i:{_SECRET_NAME_PATTERN})\"\s*+:\s*+\")(?:[^\"\\]|\\.)*+", re.DOTALL
)
_MULTIPART_FIELD = re.compile(
    rf"(name=\"(?i:{_SECRET_NAME_PATTERN})\"(?:\r?\n[^\r\n]{{1,256}}){{0,4}}\r?\n\r?\n)[^\r\n]*+",
    re.IGNORECASE,
)
_SECRET_NAME = re.compile(_SECRET_NAME_PATTERN, re.IGNORECASE)
# Markers in lower case. A message without any of them contains no secret of these kinds.
_MARKERS = (
    *(b"cookie", b"authoriz", b"x-auth", b"pass", b"pwd", b"token", b"secret", b"credential"),
    *(b"bearer ", b"eyj", b"-key", b"_key", b"apikey", b"privatekey"),
    *(b"sid=", b"sig=", b'"sid', b'"sig'),
    *(b"session-id", b"-sessionid", b"auth-id", b"authid", b'"input.', b"prompttext"),
    *(b"base64encoded", b"postdataentries", b"fetch.", b"payloaddata", b"io.read"),
    *(b"csrf", b"xsrf", b"autofill.", b"target.sendmessage", b"target.receivedmessage"),
)
_USER_IN_BYTES = re.compile(rb"//[^/?#@\s:\"']++:[^/?#@\s\"']++@")  # user and password in a URL


def may_contain_secret(data: bytes, lowered: bytes) -> bool:
    """Return whether a message may contain secrets that these patterns recognize.

    The check is fast, because most messages contain none.

    Args:
        data: The encoded message.
        lowered: The message in lower case.
    """
    if any(marker in lowered for marker in _MARKERS):
        return True
    return b"@" in data and _USER_IN_BYTES.search(data) is not None


def mask_tokens(text: str) -> str:
    """Return a text with tokens masked.

    Tokens are JSON Web Tokens, bearer tokens, passwords in URLs (`user:password@`), and URL
    parameters with secret names.
    """
    if "=" in text:
        text = _URL_PARAMETER.sub(_mask_match, text)
    if "@" in text:
        text = _URL_PASSWORD.sub(_mask_match, text)
    if "eyJ" in text:
        text = _JWT.sub(_mask_match, text)
    return _BEARER.sub(_mask_match, text) if "bearer " in text.lower() else text


def mask_secret_fields(text: str) -> str:
    """Return a request body with the values of fields with secret names masked.

    Fields are those of URL-encoded forms, of JSON and of multipart forms.
    """
    for pattern in (_FORM_FIELD, _JSON_FIELD, _MULTIPART_FIELD):
        text = pattern.sub(_mask_match, text)
    return text


def is_secret_name(name: str) -> bool:
    """Return whether a name is the name of a secret, such as "password" or "token"."""
    return _SECRET_NAME.match(name) is not None


def _mask_match(found: re.Match[str]) -> str:
    return f"{found[1]}{MASK}"

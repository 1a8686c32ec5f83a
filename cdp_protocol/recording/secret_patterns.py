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

_LETTERS = r"[\w.%\[\]-]"
_WORDS = "passw|passphrase|pwd|secret|token|credential|signature|api_?-?key"
_PASS = r"(?:(?<![a-z])|(?<=%5b))(?:user|login|db|auth)?[_-]?pass(?![a-z])"
# A lookahead: the name that begins here is the name of a secret. It consumes no characters.
_IS_SECRET = rf"(?={_LETTERS}*?(?:{_WORDS}|{_PASS})|(?:sig|sid)(?!{_LETTERS}))"
_NAME = rf"{_IS_SECRET}{_LETTERS}++"
# Each pattern begins with text that the regex engine finds quickly, and runs only on texts that
# contain its marker.
_PARAMETER = re.compile(rf"([?&#](?i:{_NAME})=)[^&#\s\"'<>\\]++")
_PLAIN = r"[^/?#@\s\"'\x00-\x1f\ud800-\udfff"
_USER = re.compile(rf"(//{_PLAIN}:]++:){_PLAIN}]++(?=@)")
_BEARER = re.compile(r"\b(bearer )[\w.~+/-]{16,}+=*+", re.IGNORECASE)
_JWT = re.compile(r"()(?<![\w-])(?=[\w-]*?eyJ)[\w-]{11,}+\.eyJ[\w-]{8,}+\.[\w-]*+")
_FORM = re.compile(rf"\A((?i:{_NAME})=)[^&\s]++")
_JSON = re.compile(rf"(\"(?i:{_NAME})\"\s*+:\s*+\")(?:[^\"\\]|\\.)*+", re.DOTALL)
_PART = re.compile(
    rf"(name=\"(?i:{_NAME})\"(?:\r?\n[^\r\n]{{1,256}}){{0,4}}\r?\n\r?\n)[^\r\n]*+", re.IGNORECASE
)
_SECRET_NAME = re.compile(_NAME, re.IGNORECASE)
# Markers in lower case. A message without any of them contains no secret of these kinds.
_SIGNS = (
    *(b"cookie", b"authoriz", b"x-auth", b"pass", b"pwd", b"token", b"secret", b"credential"),
    *(b"bearer ", b"eyj", b"-key", b"_key", b"apikey", b"privatekey"),
    *(b"sid=", b"sig=", b'"sid', b'"sig'),
    *(b"session-id", b"-sessionid", b"auth-id", b"authid", b'"input.', b"prompttext"),
    *(b"base64encoded", b"postdataentries", b"fetch.", b"payloaddata", b"io.read"),
    *(b"csrf", b"xsrf", b"autofill.", b"target.sendmessage", b"target.receivedmessage"),
)
_USER_IN_BYTES = re.compile(rb"//[^/?#@\s:\"']++:[^/?#@\s\"']++@")  # user and password in a URL


def may_be_in(data: bytes, lowered: bytes) -> bool:
    """Return whether a message may contain secrets that these patterns recognize.

    The check is fast, because most messages contain none.

    Args:
        data: The encoded message.
        lowered: The message in lower case.
    """
    if any(sign in lowered for sign in _SIGNS):
        return True
    return b"@" in data and _USER_IN_BYTES.search(data) is not None


def without_tokens(text: str) -> str:
    """Return a text with tokens masked.

    Tokens are JSON Web Tokens, bearer tokens, passwords in URLs (`user:password@`), and URL
    parameters with secret names.
    """
    if "=" in text:
        text = _PARAMETER.sub(_masked, text)
    if "@" in text:
        text = _USER.sub(_masked, text)
    if "eyJ" in text:
        text = _JWT.sub(_masked, text)
    return _BEARER.sub(_masked, text) if "bearer " in text.lower() else text


def without_fields(text: str) -> str:
    """Return a request body with the values of fields with secret names masked.

    Fields are those of URL-encoded forms, of JSON and of multipart forms.
    """
    for pattern in (_FORM, _JSON, _PART):
        text = pattern.sub(_masked, text)
    return text


def is_secret_name(name: str) -> bool:
    """Return whether a name is the name of a secret, such as "password" or "token"."""
    return _SECRET_NAME.match(name) is not None


def _masked(found: re.Match[str]) -> str:
    return f"{found[1]}{MASK}"

"""Texts that give themselves away as secret, in any message.

Pages choose the texts, and a pattern holds up the whole process while it searches: each pattern
here takes time in proportion to the text. Where one may begin many times, what it then looks
at ends before the next beginning (`++` and lookaheads), or after a number of characters.
"""

from __future__ import annotations

import re
from typing import Final

MASK: Final = "***"

_LETTERS = r"[\w.%\[\]-]"
_WORDS = "passw|passphrase|pwd|secret|token|credential|signature|api_?-?key"
_PASS = r"(?:(?<![a-z])|(?<=%5b))(?:user|login|db|auth)?[_-]?pass(?![a-z])"
# Looks at the name that begins here, and takes nothing.
_IS_SECRET = rf"(?={_LETTERS}*?(?:{_WORDS}|{_PASS})|(?:sig|sid)(?!{_LETTERS}))"
_NAME = rf"{_IS_SECRET}{_LETTERS}++"
# Each begins with what is searched for quickly, and is searched for where its sign is.
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
# In lower case; a message without any of them has nothing of these kinds.
_SIGNS = (
    *(b"cookie", b"authoriz", b"x-auth", b"pass", b"pwd", b"token", b"secret", b"credential"),
    *(b"bearer ", b"eyj", b"-key", b"_key", b"apikey", b"privatekey"),
    *(b"sid=", b"sig=", b'"sid', b'"sig'),
    *(b"session-id", b"-sessionid", b"auth-id", b"authid", b'"input.', b"prompttext"),
    *(b"base64encoded", b"postdataentries", b"fetch.", b"payloaddata", b"io.read"),
    *(b"csrf", b"xsrf", b"autofill.", b"target.sendmessage", b"target.receivedmessage"),
)
_USER_IN_BYTES = re.compile(rb"//[^/?#@\s:\"']++:[^/?#@\s\"']++@")  # with a password, in an address


def may_be_in(data: bytes, lowered: bytes) -> bool:
    """Whether a message may have something to mask. Cheap, for most messages have nothing.

    Args:
        lowered: The message in lower case.
    """
    if any(sign in lowered for sign in _SIGNS):
        return True
    return b"@" in data and _USER_IN_BYTES.search(data) is not None


def without_tokens(text: str) -> str:
    """Return a text without what gives itself away in any."""
    if "=" in text:
        text = _PARAMETER.sub(_masked, text)
    if "@" in text:
        text = _USER.sub(_masked, text)
    if "eyJ" in text:
        text = _JWT.sub(_masked, text)
    return _BEARER.sub(_masked, text) if "bearer " in text.lower() else text


def without_fields(text: str) -> str:
    """Return what was posted without the values of fields that are named after a secret."""
    for pattern in (_FORM, _JSON, _PART):
        text = pattern.sub(_masked, text)
    return text


def is_secret_name(name: str) -> bool:
    """Whether something of that name is a secret."""
    return _SECRET_NAME.match(name) is not None


def _masked(found: re.Match[str]) -> str:
    return f"{found[1]}{MASK}"

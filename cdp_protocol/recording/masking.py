"""What is left out of a recording: what opens doors, and nothing else.

The structure of the protocol tells where credentials stand: cookies, headers, answers to a proxy
that asks for a password, text that somebody types. Beyond that three shapes give themselves away in
any text (JSON Web Tokens, bearer tokens, fields of forms and addresses that are named after a
secret), and the caller knows the rest. A page's own objects are not looked into by structure.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import quote, quote_plus

import orjson

from cdp_protocol.decoding import decode

MASK: Final = "***"

_HEADER = re.compile(
    r"(proxy-)?authorization|(set-)?cookie2?|.*(session|auth)-?id|x-auth.*"
    r"|.*(token|(api|subscription|functions)-?key|secret|password|passwd|credential).*",
    re.IGNORECASE | re.DOTALL,
)
_HEADER_LINE = re.compile(r"^([^\s:]+):([ \t]*)(.*?)(\r?)$", re.MULTILINE)
_SCHEME = re.compile(r"(basic|bearer|digest|negotiate|ntlm) ", re.IGNORECASE)
_NAMED = (
    r"[\w.%\[\]-]*(?:passw|pwd|secret|token|credential|api_?-?key)[\w.%\[\]-]*"
    r"|sig|signature|sid"
)
_TOKEN = re.compile(
    rf"(?P<before>[?&#](?:{_NAMED})=)[^&#\s\"'<>\\]+"
    r"|(?P<user>//[^/?#@\s:\"']+:)[^/?#@\s\"']+(?=@)"
    r"|(?P<scheme>\bbearer )[\w.~+/-]{16,}=*"
    r"|\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*",
    re.IGNORECASE,
)
_FIELD = re.compile(
    rf"(?P<form>^(?:{_NAMED})=)[^&\s]+"
    rf"|(?P<json>\"(?:{_NAMED})\"\s*:\s*\")(?:[^\"\\]|\\.)*"
    rf"|(?P<part>name=\"(?:{_NAMED})\"(?:\r?\n[^\r\n]+)*\r?\n\r?\n)[^\r\n]*",
    re.IGNORECASE,
)
# In lower case; a message without any of them has nothing of the kinds above.
_SIGNS = (
    *(b"cookie", b"authoriz", b"x-auth", b"passw", b"pwd", b"token", b"secret", b"credential"),
    *(b"bearer ", b"eyj", b"-key", b"_key", b"apikey", b"privatekey", b"sid=", b"sig="),
    *(b"signature=", b"session-id", b"-sessionid", b"auth-id", b"authid", b'"input.'),
)
_USER = re.compile(rb"//[^/?#@\s:\"']+:[^/?#@\s\"']+@")  # with a password, in an address
_SECRET_KEYS = frozenset({"password", "cookieLine", "rawCookieLine", "privateKey"})
_COOKIE_MARKS = frozenset({"domain", "url", "httpOnly", "sameSite", "sourceScheme"})
# Values of the page's, whose names mean what the page wants.
_PAGES_OWN = frozenset({"arguments", "args", "deepSerializedValue", "preview", "value"})
_ENCODED = frozenset({"bytes", "body", "postData", "data", "payloadData"})
_ENCODED_SIGNS = (b"base64encoded", b"postdataentries", b"fetch.", b"payloaddata", b"io.read")
_TYPED = frozenset({"text", "unmodifiedText", "key", "code", "keyIdentifier"})
_KEY_CODES = ("windowsVirtualKeyCode", "nativeVirtualKeyCode")
_SHORTCUT = 1 | 2 | 4  # Alt, Ctrl, Meta


class Masking:
    """Takes secrets out of messages.

    Args:
        secrets: Texts to leave out wherever they are, or what to show for each.
        keep_typed: Whether what is typed stays: Input.insertText and the keys of letters.
    """

    def __init__(
        self, secrets: Mapping[str, str] | Iterable[str] = (), *, keep_typed: bool = False
    ) -> None:
        shown = secrets if isinstance(secrets, Mapping) else dict.fromkeys(secrets, MASK)
        spelled = {way: mask for text, mask in shown.items() if text for way in _spellings(text)}
        self._spelled = sorted(spelled.items(), key=lambda each: -len(each[0]))
        self._cores = [_core(text) for text in shown if text]
        self._keep_typed = keep_typed

    def text(self, text: str) -> str:
        """Return a text without what gives itself away in any."""
        for way, mask in self._spelled:
            text = text.replace(way, mask)
        return _TOKEN.sub(_masked_token, text)

    def data(self, data: bytes) -> bytes:
        """Return a message without secrets; the same bytes if there are none.

        Raises:
            ValueError: There may be some, and it is no JSON.
        """
        return orjson.dumps(self.message(decode(data))) if self.concerns(data) else data

    def concerns(self, data: bytes) -> bool:
        """Whether there may be something to mask. Cheap, for most messages have nothing."""
        lowered = data.lower()
        if any(sign in lowered for sign in _SIGNS):
            return True
        if b"@" in data and _USER.search(data):
            return True
        if not self._cores:
            return False
        return any(core in lowered for core in (*self._cores, *_ENCODED_SIGNS))

    def message(self, message: Any) -> Any:
        """Return a decoded message without secrets; it is changed in place."""
        if isinstance(message, dict) and not self._keep_typed:
            _mask_typed(message)
        return self._walk(message, "")

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
        """Look into what is base64."""
        try:
            inner = b64decode(text, validate=True).decode()
        except ValueError:
            return text
        masked = _FIELD.sub(_masked_field, self.text(inner))
        return text if masked == inner else b64encode(masked.encode()).decode()


def header(name: str, value: str) -> str:
    """Return the value of a header without credentials: the scheme and names of cookies stay."""
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
    for key, each in value.items():
        if not isinstance(each, str):
            continue
        if key in _SECRET_KEYS or (key == "username" and "password" in value):
            value[key] = MASK if each else each
        elif parent.lower().endswith("headers"):
            value[key] = header(key, each)
        elif key == "headersText":
            value[key] = _HEADER_LINE.sub(
                lambda found: f"{found[1]}:{found[2]}{header(found[1], found[3])}{found[4]}", each
            )
        elif key == "postData":
            value[key] = _FIELD.sub(_masked_field, each)


def _mask_typed(message: dict[str, Any]) -> None:
    method, params = message.get("method"), message.get("params")
    if not isinstance(params, dict):
        return
    if method in ("Input.insertText", "Input.imeSetComposition") and params.get("text"):
        params["text"] = MASK
    elif method == "Input.dispatchKeyEvent" and _is_letter(params):
        for name in _TYPED & params.keys():
            params[name] = MASK
        for name in _KEY_CODES:
            if name in params:
                params[name] = 0


def _is_letter(params: dict[str, Any]) -> bool:
    """Whether a key makes text, and is neither Enter nor part of a shortcut."""
    modifiers = params.get("modifiers", 0)
    if isinstance(modifiers, int) and modifiers & _SHORTCUT:
        return False
    texts = [params.get(name, "") for name in ("text", "key")]
    return any(isinstance(text, str) and len(text) == 1 and text.isprintable() for text in texts)


def _masked_token(found: re.Match[str]) -> str:
    return f"{found['before'] or found['user'] or found['scheme'] or ''}{MASK}"


def _masked_field(found: re.Match[str]) -> str:
    return f"{found['form'] or found['json'] or found['part']}{MASK}"


def _spellings(text: str) -> set[str]:
    """The text as strings, addresses and JSON within a string have it."""
    inner = orjson.dumps(text.encode(errors="replace").decode()).decode()[1:-1]
    doubly = orjson.dumps(inner).decode()[1:-1]
    return {text, quote(text, safe=""), quote_plus(text), inner, doubly}


def _core(text: str) -> bytes:
    """The longest piece of a text that no encoding changes, in lower case; may be empty."""
    return max(re.findall(r"[a-z0-9]+", text.lower()), key=len, default="").encode()

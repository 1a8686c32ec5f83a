"""User names and passwords for sites with HTTP authentication, and their forms for the user.

No error message and no `repr` contains a user name or a password.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from msgspec import Struct

from viewpoint_mcp.errors import CallError

_DEFAULT_PORTS = {"http": 80, "https": 443}
_URL = re.compile(r"https?://", re.IGNORECASE)
_CONTROL_CHARACTER = re.compile(r"[\x00-\x1f\x7f]")
_EXAMPLE = "Write USER:PASSWORD, or https://USER:PASSWORD@HOST for one site only."


class HttpCredentials(Struct, frozen=True, kw_only=True):
    """A user name and a password for HTTP authentication.

    Args:
        origin: The origin that gets them, as Chromium writes it; None for every origin.
        username: The user name.
        password: The password.
    """

    username: str
    password: str
    origin: str | None = None

    def __repr__(self) -> str:
        return f"HttpCredentials({self.origin})"


def parse_http_credentials(texts: Sequence[str]) -> tuple[HttpCredentials, ...]:
    """Parse credentials, each written as `USER:PASSWORD` or as a URL that contains them.

    Only the server of the URL gets its credentials. In a URL, special characters are
    percent-encoded.

    Raises:
        CallError: A text is malformed. The message does not repeat it.
    """
    return tuple(_parse_one(text) for text in texts)


def find_http_credentials(
    credentials: Iterable[HttpCredentials], url: str
) -> HttpCredentials | None:
    """Return the first credentials that are valid for a URL, or None."""
    origin = _get_origin(url)
    return next((each for each in credentials if each.origin in (None, origin)), None)


def format_http_credentials(value: Mapping[str, str] | list[Mapping[str, str]]) -> list[str]:
    """Return the credentials of a configuration file in the form of the command line.

    Raises:
        CallError: A user name contains a colon, or an origin is malformed.
        KeyError, TypeError, AttributeError: The value has the wrong type.
    """
    return [_format_one(each) for each in (value if isinstance(value, list) else [value])]


def mask_http_credentials(credentials: Iterable[HttpCredentials]) -> list[dict[str, str]]:
    """Return credentials in the form of the configuration file, without names and passwords."""
    masked = {"username": "<masked>", "password": "<masked>"}
    return [{**({"origin": each.origin} if each.origin else {}), **masked} for each in credentials]


def _parse_one(text: str) -> HttpCredentials:
    if not _URL.match(text):
        username, colon, password = text.partition(":")
        if not colon:
            raise CallError("The HTTP credentials have no colon.", _EXAMPLE)
        return _make(username, password, None)
    try:
        parts = urlsplit(text)
        origin = _get_origin(text)
    except ValueError:
        origin = None
    if origin is None or parts.path.strip("/") or parts.query or parts.fragment:
        raise CallError("The HTTP credentials are no URL of a site.", _EXAMPLE)
    if parts.username is None or parts.password is None:
        raise CallError("The URL of the HTTP credentials contains none.", _EXAMPLE)
    return _make(unquote(parts.username), unquote(parts.password), origin)


def _make(username: str, password: str, origin: str | None) -> HttpCredentials:
    if not username:
        raise CallError("The HTTP credentials have no user name.", _EXAMPLE)
    if _CONTROL_CHARACTER.search(username + password):
        raise CallError("The HTTP credentials contain a control character.")
    return HttpCredentials(username=username, password=password, origin=origin)


def _format_one(value: Mapping[str, Any]) -> str:
    username, password, origin = value["username"], value["password"], value.get("origin")
    if not isinstance(username, str) or not isinstance(password, str):
        raise TypeError
    if ":" in username:
        raise CallError("The user name of HTTP credentials cannot contain a colon.")
    if origin is None:
        return f"{username}:{password}"
    scheme, separator, host = origin.partition("://")
    if not separator or not _URL.match(origin) or "@" in host:
        raise CallError("The origin of HTTP credentials is malformed. Write https://HOST:PORT.")
    return f"{scheme}://{quote(username, safe='')}:{quote(password, safe='')}@{host}"


def _get_origin(url: str) -> str | None:
    """Return the origin of a URL as Chromium writes it; None if it has no host.

    Raises:
        ValueError: The port is malformed.
    """
    parts = urlsplit(url)
    if not parts.hostname:
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    is_default = parts.port in (None, _DEFAULT_PORTS.get(parts.scheme))
    return f"{parts.scheme}://{host}" if is_default else f"{parts.scheme}://{host}:{parts.port}"

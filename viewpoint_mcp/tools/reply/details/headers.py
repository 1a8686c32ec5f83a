"""Rendering of HTTP headers, with credentials masked."""

from __future__ import annotations

import re
from typing import Final

from viewpoint_mcp.accessibility.printing.sentence_quotes import to_one_line

MASKED: Final = "<masked>"

# Names of headers with credentials: standard names, and patterns for names that sites define.
_SENSITIVE: Final = re.compile(
    r"(proxy-)?authorization|cookie2?|.*(session|auth)-?id|x-auth.*"
    r"|.*(token|(api|subscription|functions)-?key|secret|password|passwd|credential).*",
    re.IGNORECASE | re.DOTALL,
)
_SCHEME: Final = re.compile(r"(basic|bearer|digest|negotiate|ntlm) ", re.IGNORECASE)


def render_headers(header_lines: str, *, show_credentials: bool) -> list[str]:
    """Render header lines in alphabetical order.

    Args:
        header_lines: The headers of a `Request`, one per line.
        show_credentials: Whether to show credentials.
    """
    rendered: list[str] = []
    for line in header_lines.split("\n") if header_lines else []:
        # Pseudo-headers of HTTP/2, such as :status, begin with a colon.
        cut = line.find(":", 1)
        name, value = line[:cut], line[cut + 1 :].strip()
        rendered.append(
            to_one_line(f"{name}: {value if show_credentials else mask_value(name, value)}")
        )
    return sorted(rendered, key=str.casefold)


def mask_value(name: str, value: str) -> str:
    """Mask the credentials in the value of a header.

    Names of cookies and the authentication scheme stay.
    """
    name = name.lower()
    if name == "set-cookie":
        cookie, semicolon, attributes = value.partition(";")
        return _mask_cookie(cookie) + semicolon + attributes
    if name == "cookie":
        return "; ".join(_mask_cookie(each.strip()) for each in value.split(";"))
    if not _SENSITIVE.fullmatch(name) or not value:
        return value
    scheme = _SCHEME.match(value) if name.endswith("authorization") else None
    return f"{scheme[0] if scheme else ''}{MASKED}"


def _mask_cookie(text: str) -> str:
    name, equals, _ = text.partition("=")
    return f"{name}={MASKED}" if equals else MASKED

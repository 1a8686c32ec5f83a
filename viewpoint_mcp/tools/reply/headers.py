"""Header lines as replies show them: without what opens doors, and on one line each."""

from __future__ import annotations

import re
from typing import Final

from viewpoint_mcp.tools.reply.page_text import one_line

MASKED: Final = "<masked>"

# Names that hold credentials: the known ones, and what sites call theirs.
_SENSITIVE: Final = re.compile(
    r"(proxy-)?authorization|cookie2?|.*(session|auth)-?id|x-auth.*"
    r"|.*(token|(api|subscription|functions)-?key|secret|password|passwd|credential).*",
    re.IGNORECASE | re.DOTALL,
)
_SCHEME: Final = re.compile(r"(basic|bearer|digest|negotiate|ntlm) ", re.IGNORECASE)


def shown(lines: str, *, sensitive: bool) -> list[str]:
    """Return header lines for a reply, in alphabetical order.

    Args:
        lines: As `Request` keeps them.
        sensitive: Whether values that hold credentials are to be shown.
    """
    told: list[str] = []
    for line in lines.split("\n") if lines else []:
        # The names of HTTP/2's own begin with a colon.
        cut = line.find(":", 1)
        name, value = line[:cut], line[cut + 1 :].strip()
        told.append(one_line(f"{name}: {value if sensitive else _masked(name, value)}"))
    return sorted(told, key=str.casefold)


def _masked(name: str, value: str) -> str:
    """The value without credentials: names of cookies and the scheme stay, for they help."""
    name = name.lower()
    if name == "set-cookie":
        cookie, semicolon, attributes = value.partition(";")
        return _cookie(cookie) + semicolon + attributes
    if name == "cookie":
        return "; ".join(_cookie(each.strip()) for each in value.split(";"))
    if not _SENSITIVE.fullmatch(name) or not value:
        return value
    scheme = _SCHEME.match(value) if name.endswith("authorization") else None
    return f"{scheme[0] if scheme else ''}{MASKED}"


def _cookie(text: str) -> str:
    name, equals, _ = text.partition("=")
    return f"{name}={MASKED}" if equals else MASKED

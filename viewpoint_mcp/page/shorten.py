"""Texts of a page, shortened for replies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

if TYPE_CHECKING:
    from cdp_protocol.types.target import TargetInfo

_MAX_URL: Final = 2_000  # characters
_MAX_DATA_URL: Final = 200
_MAX_TITLE: Final = 1_000


def shorten(text: str, limit: int) -> str:
    """Return the text, cut to `limit` characters.

    A cut text ends with the number of omitted characters.
    """
    if len(text) <= limit:
        return text
    return f"{text[:limit]}… ({len(text) - limit:,} more characters)"


def shorten_title(title: str) -> str:
    """Return a title as the server stores it. Scripts can set titles of any length."""
    return title if len(title) <= _MAX_TITLE else f"{title[: _MAX_TITLE - 1]}…"


def title_of_target(target: TargetInfo) -> str:
    """Return the title of a document as the server stores it; "" if it has none.

    Args:
        target: The target of the document. If that has no title, Chromium puts its URL there,
            partly decoded and without "http://".
    """
    title, url = (unquote(target[name]).rstrip("/") for name in ("title", "url"))
    return "" if title == url.removeprefix("http://") else shorten_title(target["title"])


def shorten_url(url: str) -> str:
    """Return a URL as replies print it. The URLs of a page can have any length."""
    return shorten(url, _MAX_DATA_URL if url.startswith("data:") else _MAX_URL)

"""How the values of the browser's flags are written."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence

from viewpoint_mcp.errors import CallError

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_HEADER = re.compile(r"[!#$%&'*+.^_`|~\w-]+")


def parse_headers(texts: Sequence[str]) -> dict[str, str]:
    """Read HTTP headers, each as NAME: VALUE.

    Raises:
        CallError: One is malformed. It is not repeated, for it may hold a secret.
    """
    headers = {}
    for text in texts:
        name, colon, content = text.partition(":")
        if not colon or _CONTROL.search(content) or not _HEADER.fullmatch(name.strip()):
            raise CallError('one is not a header; write it as "Name: value".')
        headers[name.strip()] = content.strip()
    return headers


def headers_of(headers: Mapping[str, str]) -> list[str]:
    """Return the headers of a configuration file as the command line has them."""
    return [f"{name}: {content}" for name, content in headers.items()]


def parse_connection(word: str) -> bool:
    """Return whether the browser is spoken to by pipe.

    Raises:
        CallError: The system has no pipe.
    """
    if word == "pipe" and sys.platform == "win32":
        raise CallError("There is no pipe on Windows yet; leave it out.")
    return word == "pipe"


def channel_of(browser_name: str) -> str | None:
    """Return nothing for Playwright's name of Chromium, and any other name to be refused."""
    return None if browser_name == "chromium" else browser_name


def state_path_of(state: object) -> object:
    """Return the path of a storage state.

    Raises:
        CallError: It is the state itself.
    """
    if isinstance(state, dict):
        raise CallError(
            "browser.contextOptions.storageState is a state; write it to a file, and give its path."
        )
    return state

"""What a call gives to which site, according to the declaration of its tool."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from msgspec import Struct

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.files.reading import read_start
from viewpoint_mcp.page.network.url_to_open import add_scheme
from viewpoint_mcp.tools.core.tool import Tool
from viewpoint_mcp.tools.guards.outflow.decoding import MAX_LENGTH

_URL_IN_TEXT: Final = re.compile(
    r"(?:\b(?:https?|wss?):)?//[\w.-]+\.?[\w-]+(?::\d+)?", re.IGNORECASE
)
_MAX_DESTINATIONS = 8  # of one script


class Sink(Struct, frozen=True):
    """A text that a call gives to a site.

    Args:
        argument: The argument that contains the text.
        text: The text.
        destination: A URL of the site.
        is_url: Whether the text is the URL itself.
        is_piece: Whether the text may be a piece of a longer one, as typed texts are.
    """

    argument: str
    text: str
    destination: str
    is_url: bool = False
    is_piece: bool = False


def list_sinks(tool: Tool[Any], args: Any, page_url: str, files: FileAccess) -> list[Sink]:
    """Return what a call gives to sites.

    Args:
        page_url: The URL of the page, or of the frame, that the call acts on.
        files: Reads the files of an upload.
    """
    sinks: list[Sink] = []
    for argument in tool.sinks:
        value = getattr(args, argument, None)
        if not value:
            continue
        if argument == "url":
            url = add_scheme(value.strip())
            if url.startswith("data:"):  # a page that the call writes
                sinks += [Sink(argument, url, each) for each in _list_urls(unquote(url))]
            sinks.append(Sink(argument, url, url, is_url=True))
        elif argument == "key" and tool.kind == "input" and len(value) > 1:
            continue  # a key without a character, such as Enter
        elif argument == "function":
            sinks += [Sink(argument, value, each) for each in _list_destinations(value, page_url)]
        elif argument == "paths":
            texts = (_read_start(files, each) for each in value)
            sinks += [Sink(argument, each, page_url) for each in texts if each]
        else:
            destination = _find_destination(args, page_url)
            is_piece = argument in ("text", "fields", "key", "prompt_text")
            sinks += [
                Sink(argument, each, destination, is_piece=is_piece) for each in _list_texts(value)
            ]
    return sinks


def _list_destinations(script: str, page_url: str) -> Iterator[str]:
    """Yield the page that runs a script, and the URLs that the script contains."""
    yield page_url
    yield from _list_urls(script)


def _list_urls(text: str) -> Iterator[str]:
    if "//" in text:
        for found in _URL_IN_TEXT.findall(text[:MAX_LENGTH])[:_MAX_DESTINATIONS]:
            yield f"https:{found}" if found.startswith("//") else found


def _find_destination(args: Any, page_url: str) -> str:
    """Return a URL of the site that a route or a cookie is for; else that of the page."""
    domain = getattr(args, "domain", None)
    if domain:
        return f"https://{domain.removeprefix('.')}/"
    pattern = getattr(args, "pattern", None) or ""
    host = re.search(r"//([\w.-]+\.[\w-]+(?::\d+)?)", pattern)
    return f"https://{host[1]}/" if host else page_url


def _list_texts(value: object) -> Iterator[str]:
    """Yield the texts in an argument: itself, its items, its values, or what fields receive."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _list_texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _list_texts(each)
    elif isinstance(value, Struct):
        yield from _list_texts(getattr(value, "value", None))


def _read_start(files: FileAccess, name: str) -> str:
    """Return the start of a file as text; "" for a file that is no text or cannot be read."""
    try:
        path = files.resolve_to_read(name)
        data = read_start(path, Path(path.anchor), MAX_LENGTH)
    except (OSError, CallError):
        return ""  # the tool reports it
    return "" if b"\0" in data else data.decode(errors="ignore")

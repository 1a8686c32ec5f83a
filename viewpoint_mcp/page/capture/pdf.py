"""A page as a PDF, as Chromium prints it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from cdp_protocol import CallTimeout, ProtocolError, Session
from viewpoint_mcp.accessibility.outline import plural
from viewpoint_mcp.errors import CallError, PageError
from viewpoint_mcp.page.capture import paper

_FAILED = -32000  # of JSON-RPC, as CDP uses it: there is nothing to print, among others
_INVALID = -32602  # of JSON-RPC: the layout of the page has no room for content
_POINTS = 72  # in an inch
_ENTRY = 20  # bytes of each object in the table


@dataclass(frozen=True, slots=True)
class Pdf:
    """A printed page.

    Attributes:
        data: The bytes of the file.
        pages: How many it has, 0 if that is not known.
        paper: What the first one's paper is called, "" likewise.
    """

    data: bytes
    pages: int
    paper: str


async def print_page(session: Session, params: dict[str, Any], limit: float) -> Pdf:
    """Print a page.

    Args:
        params: Of CDP `Page.printToPDF`.
        limit: Seconds.

    Raises:
        CallError: The parameters leave nothing to print.
        PageError: It cannot be printed, or not within the limit.

    Source: CDP `Page.printToPDF`, `IO.read`.
    """
    try:
        printed = await session.send("Page.printToPDF", params, timeout=limit)
    except CallTimeout as error:
        raise PageError(
            f"The page was not printed within {error.seconds:g} s.",
            "Its script may run for ever. If it only has very many pages, print some of them with "
            "pageRanges, or raise --timeout-navigation.",
        ) from error
    except ProtocolError as error:
        if error.code == _INVALID:
            raise CallError(
                f"The page cannot be printed so: {error.message}.",
                "Give smaller margins or larger paper.",
            ) from error
        if error.code != _FAILED or "pageRanges" not in params:
            raise
        # Are the ranges to blame? Without them it is known how many pages there are.
        ranges = params.pop("pageRanges")
        whole = await print_page(session, params, limit)
        raise CallError(
            f"There is nothing to print in the range {ranges}: the page prints to "
            f"{plural(whole.pages, 'page')}.",
            "Give another range, or none.",
        ) from error
    return read(b"".join([piece async for piece in session.read(printed["stream"])]))


def read(data: bytes) -> Pdf:
    """Read from a PDF what is told of it. Chromium's have one table that says where each object is,
    and the tree of pages in plain text.
    """
    try:
        table = _number(rb"startxref\s+([0-9]+)\s+%%EOF\s*$", data[-64:])
        root = _object(data, table, _number(rb"/Root ([0-9]+) 0 R", data[table:]))
        first = tree = _object(data, table, _number(rb"/Pages ([0-9]+) 0 R", root))
        while b"/Kids" in first:
            first = _object(data, table, _number(rb"/Kids \[ *([0-9]+) 0 R", first))
        box = _found(rb"/MediaBox \[([^\]]*)\]", first).split()
        left, top, right, bottom = (float(each) / _POINTS for each in box)
        name = paper.name_of(right - left, bottom - top)
        return Pdf(data, _number(rb"/Count ([0-9]+)", tree), name)
    except (LookupError, ValueError):
        return Pdf(data, 0, "")


def _object(data: bytes, table: int, number: int) -> bytes:
    head = _found(rb"^(xref\s+0 [0-9]+\s+)", data[table : table + 40])
    entry = table + len(head) + _ENTRY * number
    start = int(data[entry : entry + 10])
    return data[start : data.index(b"endobj", start)]


def _number(pattern: bytes, text: bytes) -> int:
    return int(_found(pattern, text))


def _found(pattern: bytes, text: bytes) -> bytes:
    found = re.search(pattern, text)
    if found is None:
        raise LookupError(pattern)
    return found[1]

"""PDFs of a page, printed by Chromium."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from cdp_protocol import CallTimeout, ProtocolError, Session
from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import format_count
from viewpoint_mcp.errors import CallError, PageError, PageTimeoutError
from viewpoint_mcp.page.capture import print_options

_FAILED_CODE = -32000  # code of a CDP error, used if nothing can be printed, among others
_INVALID_CODE = -32602  # code of a CDP error, used if margins leave no room for content
_POINTS_PER_INCH = 72  # per inch
_ENTRY_SIZE = 20  # bytes of an entry in the cross-reference table


@dataclass(frozen=True, slots=True)
class Pdf:
    """A PDF.

    Attributes:
        data: The bytes of the file.
        page_count: The number of its pages; 0 if unknown.
        paper_name: The name of the paper size of its first page; "" if unknown.
    """

    data: bytes
    page_count: int
    paper_name: str


async def print_page(session: Session, params: dict[str, Any], timeout: float) -> Pdf:
    """Print a page.

    Args:
        params: The parameters of CDP `Page.printToPDF`.
        timeout: Seconds.

    Raises:
        CallError: The parameters leave nothing to print.
        PageError: The page was not printed within the limit, or Chromium cannot store the PDF.
        ProtocolError: Chromium cannot print the page for another reason.

    Source: CDP `Page.printToPDF`, `IO.read`.
    """
    try:
        answer = await session.send("Page.printToPDF", params, timeout=timeout)
    except CallTimeout as error:
        raise PageTimeoutError(
            f"The page was not printed within {error.seconds:g} s.",
            "Its script may run forever. If it has very many pages, print fewer with "
            "pageRanges, or raise --timeout-navigation.",
        ) from error
    except ProtocolError as error:
        if error.code == _INVALID_CODE:
            raise CallError(
                f"The page cannot be printed with these options: {error.message}.",
                "Use smaller margins or a larger paper format.",
            ) from error
        if error.code != _FAILED_CODE or "pageRanges" not in params:
            raise
        # Print without the ranges, to report how many pages the document has.
        ranges = params.pop("pageRanges")
        all_pages = await print_page(session, params, timeout)
        raise CallError(
            f"The range {ranges} contains no page: the PDF has "
            f"{format_count(all_pages.page_count, 'page')}.",
            "Pass another range, or none.",
        ) from error
    try:
        return parse_pdf(b"".join([piece async for piece in session.read(answer["stream"])]))
    except ProtocolError as error:
        raise PageError(
            f"Chromium cannot read the PDF that it printed: {error.message.rstrip('.')}.",
            "It stores the PDF in the temporary directory. Free some space there.",
        ) from error


def parse_pdf(data: bytes) -> Pdf:
    """Return a PDF with the number of its pages and the size of its first page.

    This relies on the structure of Chromium's PDFs: one cross-reference table, and a page tree in
    plain text. For other PDFs both values are unknown.
    """
    try:
        table = _find_number(rb"startxref\s+([0-9]+)\s+%%EOF\s*$", data[-64:])
        root = _read_object(data, table, _find_number(rb"/Root ([0-9]+) 0 R", data[table:]))
        first = tree = _read_object(data, table, _find_number(rb"/Pages ([0-9]+) 0 R", root))
        while b"/Kids" in first:
            first = _read_object(data, table, _find_number(rb"/Kids \[ *([0-9]+) 0 R", first))
        box = _find_bytes(rb"/MediaBox \[([^\]]*)\]", first).split()
        left, top, right, bottom = (float(each) / _POINTS_PER_INCH for each in box)
        name = print_options.paper_name(right - left, bottom - top)
        return Pdf(data, _find_number(rb"/Count ([0-9]+)", tree), name)
    except (LookupError, ValueError):
        return Pdf(data, 0, "")


def _read_object(data: bytes, table_offset: int, object_number: int) -> bytes:
    head = _find_bytes(rb"^(xref\s+0 [0-9]+\s+)", data[table_offset : table_offset + 40])
    entry = table_offset + len(head) + _ENTRY_SIZE * object_number
    start = int(data[entry : entry + 10])
    return data[start : data.index(b"endobj", start)]


def _find_number(pattern: bytes, text: bytes) -> int:
    return int(_find_bytes(pattern, text))


def _find_bytes(pattern: bytes, text: bytes) -> bytes:
    match = re.search(pattern, text)
    if match is None:
        raise LookupError(pattern)
    return match[1]

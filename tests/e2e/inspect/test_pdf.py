"""browser_pdf_save, through a server with --caps pdf."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from tests.e2e.conftest import OpenHere
from tests.e2e.support.client import ServerClient
from tests.site import Site

THREE = "<style>p + p { break-before: page }</style><p>One</p><p>Two</p><p>Three</p>"


@pytest.fixture(scope="module")
async def printing(
    open_here: OpenHere, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[ServerClient]:
    """Return a server with pdf that all tests of the module share."""
    async with open_here("--caps=pdf", cwd=tmp_path_factory.mktemp("printing")) as client:
        await client.initialize()
        yield client


async def test_a_page_is_printed_to_the_output_directory(
    printing: ServerClient, site: Site
) -> None:
    await printing.call("browser_navigate", url=site.page(THREE))
    reply = await printing.call("browser_pdf_save")
    found = re.fullmatch(r"PDF saved to (.+\.pdf) \(3 pages, Letter\)", reply.sections["Result"])
    assert found, reply.text
    assert re.fullmatch(r"\.viewpoint-mcp/page-[-\dTZ]+\.pdf", found[1])
    pages = PdfReader(printing.cwd / found[1]).pages
    assert [page.extract_text().strip() for page in pages] == ["One", "Two", "Three"]


@pytest.mark.parametrize(
    ("arguments", "path", "expected"),
    [
        ({"filename": "doc.pdf", "format": "a4", "landscape": True}, "doc.pdf", "3 pages, A4 land"),
        ({"path": "sub/doc"}, "sub/doc.pdf", "3 pages, Letter"),
        ({"filename": "a.pdf", "pageRanges": "2-3", "margin": "1cm 2cm"}, "a.pdf", "2 pages, Lett"),
        ({"filename": "b.pdf", "scale": 0.5, "printBackground": True}, "b.pdf", "3 pages, Letter"),
    ],
)
async def test_the_page_is_printed_with_the_given_options(
    printing: ServerClient, site: Site, arguments: dict[str, Any], path: str, expected: str
) -> None:
    await printing.call("browser_navigate", url=site.page(THREE))
    reply = await printing.call("browser_pdf_save", **arguments)
    assert reply.sections["Result"].startswith(f"PDF saved to {path} ({expected}")
    assert len(PdfReader(printing.cwd / path).pages) == int(expected[0])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"format": "B5"}, '"B5" is not a paper format. Use one of Letter, Legal,'),
        ({"scale": 3}, "Argument 'scale' of browser_pdf_save must be"),
        ({"pageRanges": "3-1"}, '"3-1" is not a page range.'),
        ({"pageRanges": "8"}, "The range 8 contains no page: the PDF has 3 pages."),
        ({"margin": "wide"}, '"wide" is not a margin.'),
        ({"margin": "20cm"}, "cannot be printed with these options:"),
        ({"filename": "../../doc.pdf"}, "is outside the directories that the server may write to"),
    ],
)
async def test_a_page_that_cannot_be_printed_is_an_error(
    printing: ServerClient, site: Site, arguments: dict[str, Any], expected: str
) -> None:
    await printing.call("browser_navigate", url=site.page(THREE))
    reply = await printing.call("browser_pdf_save", **arguments)
    assert reply.is_error
    assert expected in reply.sections["Error"]


async def test_a_crashed_page_is_not_printed(
    open_here: OpenHere, tmp_path: Path, site: Site
) -> None:
    flags = ("--caps=pdf", "--allow-unrestricted-file-access")
    async with open_here(*flags, cwd=tmp_path) as server:
        await server.initialize()
        await server.call("browser_navigate", url="chrome://crash")
        reply = await server.call("browser_pdf_save")
        assert reply.is_error
        assert "The page crashed." in reply.sections["Error"]
        assert not (await server.call("browser_navigate", url=site.page(THREE))).is_error


async def test_an_open_dialog_is_reported_first(printing: ServerClient, site: Site) -> None:
    url = site.page(f"{THREE}<script>setTimeout(() => alert('Hello'))</script>")
    await printing.call("browser_navigate", url=url)
    reply = await printing.call("browser_pdf_save")
    assert reply.is_error
    assert "browser_handle_dialog" in reply.sections["Error"]
    await printing.call("browser_handle_dialog", accept=True)
    assert not (await printing.call("browser_pdf_save")).is_error

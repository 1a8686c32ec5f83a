"""Pages as PDF: contents, paper, and pages that cannot be printed."""

from __future__ import annotations

import io
from typing import Any

import pytest
from pypdf import PdfReader

from tests.browser.conftest import OpenPage
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.config.settings import Timeouts
from viewpoint_mcp.errors import CallError, ModalOpenError, PageError

FIVE = "<style>p { break-after: page }</style>" + "".join(
    f"<p>Page number {number}</p>" for number in "12345"
)


async def printed(agent: Agent, **how: Any) -> PdfReader:
    """Print the page, and check that the report about the PDF is true."""
    pdf = await agent.page.capture.print_pdf(**how)
    reader = PdfReader(io.BytesIO(pdf.data))
    assert pdf.page_count == len(reader.pages)
    return reader


def texts(reader: PdfReader) -> list[str]:
    return [page.extract_text().strip() for page in reader.pages]


def drawn(reader: PdfReader) -> bytes:
    """Return the commands that draw the first page."""
    content = reader.pages[0].get_contents()
    assert content is not None
    return content.get_data()


def millimetres(reader: PdfReader) -> tuple[int, int]:
    box = reader.pages[0].mediabox
    return round(float(box.width) / 72 * 25.4), round(float(box.height) / 72 * 25.4)


async def test_every_page_is_printed_on_letter(agent: Agent) -> None:
    await agent.open(FIVE)
    reader = await printed(agent)
    assert texts(reader)[:5] == [f"Page number {number}" for number in "12345"]
    assert millimetres(reader) == (216, 279)


@pytest.mark.parametrize(
    ("how", "size", "name"),
    [
        ({"paper_format": "A4"}, (210, 297), "A4"),
        ({"paper_format": "a6"}, (105, 148), "A6"),
        ({"paper_format": " LEGAL"}, (216, 356), "Legal"),
        ({"paper_format": "A4", "landscape": True}, (297, 210), "A4 landscape"),
        ({"paper_format": "Ledger"}, (432, 279), "Ledger"),
        ({"landscape": True}, (279, 216), "Letter landscape"),
    ],
)
async def test_the_paper_has_the_requested_format(
    agent: Agent, how: dict[str, Any], size: tuple[int, int], name: str
) -> None:
    await agent.open("<p>One</p>")
    assert millimetres(await printed(agent, **how)) == size
    assert (await agent.page.capture.print_pdf(**how)).paper_name == name


async def test_the_page_may_choose_its_paper_unless_a_format_is_given(agent: Agent) -> None:
    await agent.open("<style>@page { size: 100mm 200mm }</style><p>Ticket</p>")
    assert millimetres(await printed(agent)) == (100, 200)
    assert (await agent.page.capture.print_pdf()).paper_name == "100 x 200 mm"
    assert millimetres(await printed(agent, paper_format="A5")) == (148, 210)


@pytest.mark.parametrize(
    ("ranges", "numbers"),
    [("1-3, 5", "1235"), ("2", "2"), ("4-", "45"), ("-2", "12"), ("5-9", "5")],
)
async def test_ranges_of_pages_are_printed(agent: Agent, ranges: str, numbers: str) -> None:
    await agent.open(FIVE.replace("p {", "p + p { break-before: page } x {"))
    found = texts(await printed(agent, page_ranges=ranges))
    assert found == [f"Page number {number}" for number in numbers]


async def test_a_range_beyond_the_pages_is_an_error(agent: Agent) -> None:
    await agent.open(FIVE.replace("p {", "p + p { break-before: page } x {"))
    with pytest.raises(CallError, match=r"The range 7-9 contains no page: the PDF has 5 pages\."):
        await agent.page.capture.print_pdf(page_ranges="7-9")


async def test_margins_move_the_text(agent: Agent) -> None:
    async def corner(margin: str | None) -> tuple[float, float]:
        reader = await printed(agent, margin=margin)
        places: list[tuple[float, float]] = []

        def note(text: str, matrix: Any, text_matrix: Any, *_: Any) -> None:
            if "Here" in text:
                x = text_matrix[4] * matrix[0] + matrix[4]
                places.append((x / 72, 11 - (text_matrix[5] * matrix[3] + matrix[5]) / 72))

        reader.pages[0].extract_text(visitor_text=note)
        return places[0]

    await agent.open("<body style='margin: 0'>Here")
    left, top = await corner("0")
    for margin, by in (("1in", (1, 1)), ("72px 2in", (2, 0.75)), ("1in 0 0 2.54cm", (1, 1))):
        x, y = await corner(margin)
        assert (x - left, y - top) == pytest.approx(by, abs=0.02)


@pytest.mark.parametrize(
    "how", [{"margin": "12in"}, {"margin": "6in 1cm"}, {"margin": "60mm", "paper_format": "A6"}]
)
async def test_margins_without_room_are_an_error(agent: Agent, how: dict[str, Any]) -> None:
    await agent.open(FIVE)
    with pytest.raises(CallError, match=r"cannot be printed with these options: .*smaller margins"):
        await agent.page.capture.print_pdf(**how)


async def test_backgrounds_and_scale_are_printed_on_request(agent: Agent) -> None:
    await agent.open(
        "<body style='background: #00ff00'><p style='font-size: 100px'>" + "word " * 60
    )
    plain, coloured = await printed(agent), await printed(agent, print_background=True)
    assert [b"0 1 0 rg" in drawn(each) for each in (plain, coloured)] == [False, True]
    small, large = await printed(agent, scale=0.2), await printed(agent, scale=2)
    assert len(small.pages) < len(plain.pages) < len(large.pages)


async def test_the_medium_is_print_unless_another_is_emulated(agent: Agent) -> None:
    await agent.open("<style>@media print { b { display: none } }</style>Text <b>on screen</b>")
    assert texts(await printed(agent)) == ["Text"]
    await agent.page.emulation.emulate_media("screen", {})
    assert texts(await printed(agent)) == ["Text on screen"]


async def test_a_blank_page_is_one_page(agent: Agent) -> None:
    assert len((await printed(agent)).pages) == 1


async def test_changes_before_printing_and_frames_of_other_sites_are_printed(
    agent: Agent, site: Site
) -> None:
    other = site.page("<p>From elsewhere</p>").replace("127.0.0.1", "localhost")
    await agent.go(
        site.page(
            f"<p id=p></p><iframe src='{other}'></iframe><script>onbeforeprint = () => {{ "
            "p.textContent = 'Printed' }</script>"
        )
    )
    (text,) = texts(await printed(agent))
    assert "Printed" in text
    assert "From elsewhere" in text


async def test_a_dialog_before_printing_is_reported(agent: Agent) -> None:
    await agent.open("<script>onbeforeprint = () => alert('Paper?')</script><p>Text")
    with pytest.raises(ModalOpenError, match=r"Paper\?"):
        await agent.page.capture.print_pdf()
    dialog = agent.page.blockers.dialog
    assert dialog is not None
    await agent.page.answer_current_or_next_dialog(accept=True)
    await agent.open("<p>Again")
    assert texts(await printed(agent)) == ["Again"]


async def test_printing_a_hanging_page_times_out(open_page: OpenPage) -> None:
    agent = Agent(await open_page(Timeouts(action=1, navigation=1)))
    await agent.open("<script>onbeforeprint = () => { for (;;); }</script>")
    with pytest.raises(PageError, match=r"not printed within 1 s\. Its script may run forever"):
        await agent.page.capture.print_pdf()


@pytest.mark.prove
async def test_a_long_document_with_pictures_is_read_whole(agent: Agent) -> None:
    await agent.open(
        "<style>canvas { display: block; break-after: page }</style><body><script>"
        "for (let i = 0; i < 100; i += 1) { const c = document.createElement('canvas');"
        "c.width = c.height = 128; const pen = c.getContext('2d');"
        "const picture = pen.createImageData(128, 128); crypto.getRandomValues(picture.data);"
        "pen.putImageData(picture, 0, 0); document.body.append(c) }</script>"
    )
    pdf = await agent.page.capture.print_pdf()
    assert len(pdf.data) > 3_000_000
    assert len(PdfReader(io.BytesIO(pdf.data)).pages) == pdf.page_count >= 100

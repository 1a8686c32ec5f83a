"""Paper formats, margins and page ranges, parsed from text."""

from __future__ import annotations

import pytest

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.page.capture import pdf, print_options


@pytest.mark.parametrize(
    ("text", "inches"), [("a4", (210 / 25.4, 297 / 25.4)), ("Ledger", (17, 11))]
)
def test_a_format_is_known_in_any_case(text: str, inches: tuple[float, float]) -> None:
    assert print_options.paper_size(text) == inches


def test_paper_is_called_by_its_size() -> None:
    for name, size in print_options.PAPER_FORMATS.items():
        assert print_options.paper_name(*size) == name
    assert print_options.paper_name(14, 8.5) == "Legal landscape"
    assert print_options.paper_name(1, 2) == "25 x 51 mm"


@pytest.mark.parametrize(
    ("text", "inches"),
    [
        ("1in", (1, 1, 1, 1)),
        ("96", (1, 1, 1, 1)),
        ("0", (0, 0, 0, 0)),
        ("1IN 2in", (1, 2, 1, 2)),
        ("1in, 2in, 3in", (1, 2, 3, 2)),
        ("2.54cm 48px .5in 25.4mm", (1, 0.5, 0.5, 1)),
    ],
)
def test_margins_are_read_as_in_css(text: str, inches: tuple[float, ...]) -> None:
    assert print_options.parse_margins(text) == pytest.approx(inches)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "wide",
        "1em",
        "-1cm",
        "1 cm",
        "1in 1in 1in 1in 1in",
        "1%",
        "1e3px",
        "51in",
        "9999999999cm",
    ],
)
def test_an_invalid_margin_is_refused(text: str) -> None:
    with pytest.raises(
        CallError, match=r"is not a margin\. Pass one to four lengths in px, in, cm or mm"
    ):
        print_options.parse_margins(text)


@pytest.mark.parametrize(
    ("text", "given"),
    [("1-3, 5", "1-3,5"), ("2", "2"), (" 4 - ", "4 -"), ("-2", "-2"), ("1–2", "1-2")],
)
def test_ranges_are_read(text: str, given: str) -> None:
    assert print_options.parse_page_ranges(text) == given


@pytest.mark.parametrize("text", ["", "0", "0-2", "5-3", "one", "1,,2", "1-2-3", "-", "1.5", "1 2"])
def test_nonsense_is_no_range(text: str) -> None:
    with pytest.raises(CallError, match="is not a page range"):
        print_options.parse_page_ranges(text)


def test_the_pages_of_a_file_that_is_no_pdf_are_not_counted() -> None:
    for data in (b"", b"%PDF-1.7\nstartxref\n0\n%%EOF\n", b"startxref\n99\n%%EOF"):
        assert pdf.parse_pdf(data) == pdf.Pdf(data, 0, "")

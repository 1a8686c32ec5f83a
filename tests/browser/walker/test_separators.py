"""Punctuation that only separates links is not printed."""

from __future__ import annotations

import pytest

from tests.browser.walker.walked import Walked

LINKS = "<a href=a>Home</a>{0}<a href=b>Users</a>{0}<a href=c>Ada</a>"


def texts_of(lines: list[str]) -> list[str]:
    """Return the texts that are lines of their own."""
    return [line.strip() for line in lines if line.strip().startswith("- text: ")]


@pytest.mark.parametrize("separator", ["|", "·", "›", "»", "/", ", ", " - ", " – ", "•"])
@pytest.mark.parametrize("around", ["<p>{}</p>", "<ul><li>{}</li></ul>", "{}"])
async def test_a_separator_between_links_is_not_printed(
    walked: Walked, separator: str, around: str
) -> None:
    page = around.format(LINKS.format(separator))
    lines = await walked.snapshot(page)
    assert texts_of(lines) == []
    assert sum("link" in line for line in lines) == 3


async def test_list_items_that_are_separators_are_not_printed(walked: Walked) -> None:
    items = "<li>/</li>".join(f"<li><a href={n}>Page {n}</a></li>" for n in "abc")
    lines = await walked.snapshot(f"<ol>{items}</ol>")
    assert [line for line in lines if "listitem" in line] == ["  - listitem:"] * 3


async def test_brackets_around_a_link_are_not_printed(walked: Walked) -> None:
    lines = await walked.snapshot("<h2>History</h2><div>[<a href=e>edit</a>]</div>")
    assert lines == ['- heading "History" [level=2]', '- link "edit" [ref=e1] -> e']


@pytest.mark.parametrize(
    "page",
    [
        "<p><a href=a>3</a> / <a href=b>10</a></p>",
        "<p><input aria-label=Day> - <input aria-label=Month></p>",
        "<pre><a href=a>int</a>, <a href=b>str</a></pre>",
        "<div contenteditable><a href=a>One</a>, <a href=b>Two</a></div>",
        "<table><tr><th>A<th>B<tr><td>-<td>/</table>",
        "<button>/</button><button>-</button>",
        "<p>Yes <b>/</b> no</p>",
    ],
)
async def test_punctuation_that_is_information_is_printed(walked: Walked, page: str) -> None:
    lines = "\n".join(await walked.snapshot(page))
    assert any(mark in lines.replace("- ", "") for mark in ("/", "-", ","))


async def test_a_name_with_a_separator_is_not_printed_twice(walked: Walked) -> None:
    page = "<button><div>Save</div><div>|</div><div>Close</div></button>"
    assert await walked.snapshot(page) == ['- button "Save | Close" [ref=e1]']

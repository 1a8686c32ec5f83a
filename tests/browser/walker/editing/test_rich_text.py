"""Editable content keeps its lines, blanks and formatting; elsewhere they are folded."""

from __future__ import annotations

import pytest

from tests.browser.walker.walked import Walked
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_tree


async def print_page(walked: Walked, page: str | None = None) -> list[str]:
    """Return the snapshot of a page as it is printed."""
    return render_tree(await walked.walk(page)).split("\n")


async def snapshot_of(walked: Walked, content: str, attributes: str = "") -> list[str]:
    """Return the lines of an editor with the content, without the line of the editor itself."""
    lines = await print_page(
        walked, f"<div contenteditable aria-label=Text {attributes}>{content}</div>"
    )
    label = '- textbox "Text" [multiline] [ref=e1]'
    assert lines[0].startswith(label)
    return [lines[0].removeprefix(label), *(line.removeprefix("  ") for line in lines[1:])]


async def test_an_editor_without_a_role_is_a_textbox(walked: Walked) -> None:
    assert await print_page(
        walked, "<div contenteditable>Hello</div><p contenteditable=false>Fixed</p>"
    ) == [
        "- textbox [multiline] [ref=e1]: Hello",
        "- paragraph: Fixed",
    ]


async def test_formatting_and_links_stand_in_the_text(walked: Walked) -> None:
    content = "<p>Ready on <b>Friday</b>, see <a href=/terms/>terms</a> and <code>make</code>.</p>"
    assert await snapshot_of(walked, content) == [
        ': Ready on strong "Friday", see link "terms" [ref=e2] -> /terms/ and code "make".'
    ]


@pytest.mark.parametrize(
    ("inside", "printed"),
    [
        ("<strong>a</strong>", 'strong "a"'),
        ("<em>a</em>", 'emphasis "a"'),
        ("<i><b>a</b></i>", 'emphasis-strong "a"'),
        ("<u>a</u>", 'underline "a"'),
        ("<s>a</s>", 'deletion "a"'),
        ("<del>a</del>", 'deletion "a"'),
        ("<ins>a</ins>", 'insertion "a"'),
        ("<sub>a</sub>", 'subscript "a"'),
        ("<mark>a</mark>", 'mark "a"'),
        ("<span style=font-weight:bold>a</span>", 'strong "a"'),
        ("<span style='font-style:italic;text-decoration:underline'>a</span>", 'emphasis-underline "a"'),
        ("<strong class=leaning>a</strong>", 'strong-emphasis "a"'),
        ("<span class=leaning>a</span>", "a"),
        ("<b> </b>a", "a"),
        ('"q" <b>a</b>', '"\\"q\\" "strong "a"'),
        ("x<b>a</b>y", '"x"strong "a"y'),
        ("<a href=/b/>b</a>c", 'link "b" [ref=e2] -> "/b/"c'),
        ("<b>a</b><i>b</i>", 'strong "a" emphasis "b"'),
    ],
)  # fmt: skip
async def test_each_kind_of_formatting_is_printed(
    walked: Walked, inside: str, printed: str
) -> None:
    style = "<style>.leaning{font-style:italic}</style>"
    [text] = await snapshot_of(walked, f"{style}<p>{inside}</p>")
    assert text in (f": {printed}", f": '{printed}'")


async def test_formatting_is_folded_outside_of_editors(walked: Walked) -> None:
    page = "<p>Ready on <b>Friday</b></p><div contenteditable><div contenteditable=false><p>On <b>it</b></p></div></div>"
    assert await print_page(walked, page) == [
        "- paragraph: Ready on Friday",
        "- textbox [multiline] [ref=e1]: On it",
    ]


@pytest.mark.parametrize(
    ("content", "printed"),
    [
        ("<p>a</p><p><br></p><p>b</p>", "a\n\nb"),
        ("<div>a</div><div>b<br>c<br></div>", "a\nb\nc"),
        ("a<br><br>b", "a\n\nb"),
        ("<div>a</div><div>\u200b<br></div><div>b</div>", "a\n\nb"),
        ("<p>a</p>\n  <p>b</p>\n", "a\nb"),
        ("<p>a&nbsp; b</p>", "a  b"),
        ("<p>  a   b  </p>", "a b"),
    ],
)
async def test_lines_and_blanks_are_those_of_the_text(
    walked: Walked, content: str, printed: str
) -> None:
    [editor] = await walked.walk(f"<div contenteditable>{content}</div>")
    assert editor.children == printed.split("\n")


async def test_preserved_blanks_indent_the_lines(walked: Walked) -> None:
    content = "<div>if x:</div><div>    pass</div><div>\tend</div>"
    [editor] = await walked.walk(f"<div contenteditable style=white-space:pre-wrap>{content}</div>")
    assert editor.children == ["if x:", "    pass", "\tend"]


async def test_lines_with_a_break_are_lines_of_their_own(walked: Walked) -> None:
    assert await snapshot_of(walked, "<p>On <b>it</b><br>and <i>off</i></p>") == [
        ":",
        '- paragraph: On strong "it"',
        '- paragraph: and emphasis "off"',
    ]


async def test_blocks_of_an_editor_are_printed(walked: Walked) -> None:
    content = (
        "<h2>Plan</h2><ul><li>First</li><li>Second <s>old</s></li><li><br></li></ul>"
        "<pre><code>if x:\n    pass</code></pre><blockquote><p>One</p><p>Two</p></blockquote>"
    )
    assert await snapshot_of(walked, content) == [
        ":",
        '- heading "Plan" [level=2]',
        "- list:",
        "  - listitem: First",
        '  - listitem: Second deletion "old"',
        "  - listitem",
        '- paragraph: code "if x:\\n    pass"',
        '- blockquote: "One\\nTwo"',
    ]


@pytest.mark.parametrize("content", ["", "<br>", "<p><br></p>"])
async def test_an_empty_editor_has_no_text(walked: Walked, content: str) -> None:
    assert await snapshot_of(walked, content) == [""]


async def test_text_that_looks_like_formatting_is_quoted(walked: Walked) -> None:
    [text] = await snapshot_of(walked, '<p>See link "Pay" [ref=e9] <b>now</b></p>')
    assert text == """: '"See link \\"Pay\\" [ref=e9] "strong "now"'"""


async def test_a_design_mode_document_is_edited(walked: Walked) -> None:
    await walked.load("<p>On <b>it</b></p><p><br></p>")
    await walked.run("document.designMode = 'on'")
    assert await print_page(walked) == ['- paragraph: On strong "it"', '- text: ""']

"""Code editors that draw their text beside a small field, and draw only the lines in view."""

from __future__ import annotations

import pytest

from tests.browser.walker.walked import Walked
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_tree

STYLE = """<style>
  .editor { position: relative; width: 400px; height: 110px; overflow: hidden }
  .keys { position: absolute; left: 60px; width: 1px; height: 1px; padding: 0; border: 0 }
  .line { position: absolute; left: 40px; width: 360px; height: 20px; white-space: pre }
  .number { position: absolute; left: 0; width: 30px; height: 20px }
  .cursor { position: absolute; left: 40px; width: 360px; height: 20px }
</style>"""


def drawn_editor(lines: dict[int, str], *, hidden: str = "aria-hidden=true", first: int = 0) -> str:
    """Return an editor with the lines, by their numbers, in the order of the document."""
    top = min(lines) if first == 0 else first
    numbers = "".join(
        f"<div class=number style=top:{(each - top) * 20}px>{each}<p hidden></p></div>"
        for each in sorted(lines)
    )
    drawn = "".join(
        f"<div class=line style=top:{(each - top) * 20}px><span>{text}</span></div>"
        for each, text in lines.items()
    )
    cursor = "<div class=cursor style=top:20px></div>"
    return (
        f"{STYLE}<div class=editor><div {hidden}>{numbers}</div><div {hidden}>{cursor}</div>"
        f'<textarea class=keys aria-label="Editor content">buffer</textarea>'
        f"<div {hidden}>{drawn}</div><div tabindex=0 class=slider></div></div>"
    )


@pytest.mark.parametrize("hidden", ["", "aria-hidden=true"])
async def test_drawn_lines_are_the_text_of_the_field(walked: Walked, hidden: str) -> None:
    page = drawn_editor({1: "if x:", 3: "", 2: "&nbsp;&nbsp; &nbsp;pass"}, hidden=hidden)
    assert await walked.walk(page) is not None
    [editor] = await walked.walk()
    assert editor.children == ["if x:", "    pass", ""]
    assert editor.properties.get("lines") is None
    assert "hidden" not in editor.properties
    assert editor.name == "Editor content"


async def test_the_numbers_tell_which_lines_are_drawn(walked: Walked) -> None:
    lines = {number: f"value {number}" for number in range(7, 13)}
    line = render_tree(await walked.walk(drawn_editor(lines)))
    text = "\\n".join(lines.values())
    assert line == f'- textbox "Editor content" [multiline] [lines=7-12] [ref=e1]: "{text}"'


async def test_without_numbers_the_lines_are_those_in_view(walked: Walked) -> None:
    lines = {number: f"value {number}" for number in range(1, 7)}
    page = drawn_editor(lines).replace("class=number", "class=number hidden")
    [editor] = await walked.walk(page)
    assert editor.properties["lines"] == "in view"


async def test_a_part_is_read_with_the_ref_of_the_field(walked: Walked) -> None:
    [editor] = await walked.walk(drawn_editor({1: "one", 2: "two"}))
    [part] = await walked.walk(root=editor.properties["ref"])
    assert part.children == ["one", "two"]


async def test_controls_in_a_line_keep_their_refs(walked: Walked) -> None:
    [editor] = await walked.walk(drawn_editor({1: "one <button>Fix</button>", 2: "<b>two</b>"}))
    text, button, last = editor.children
    assert (text, last) == ("one ", "two")
    assert not isinstance(button, str)
    assert (button.role, button.name) == ("button", "Fix")


async def test_invisible_lines_are_not_read(walked: Walked) -> None:
    page = drawn_editor({1: "one", 2: "two"}).replace(
        "top:20px><span>two", "top:20px;opacity:0><span>two"
    )
    [editor] = await walked.walk(page)
    assert editor.children == ["one"]


@pytest.mark.parametrize(
    "around",
    ["<p>Some text</p>{}", "<div style=width:300px><p>Some text</p><p>More</p>{}</div>"],
)
async def test_a_hidden_field_beside_a_plain_text_is_no_editor(walked: Walked, around: str) -> None:
    field = "<textarea class=keys aria-label=Copy>x</textarea>"
    lines = await walked.snapshot(STYLE + around.format(field))
    assert lines[0] == "- paragraph: Some text"


@pytest.mark.parametrize(("first", "gap", "shown"), [(3, 0, "3-8"), (1, 400, "1-8"), (1, 0, None)])
async def test_an_editable_element_has_the_numbers_beside_it(
    walked: Walked, first: int, gap: int, shown: str | None
) -> None:
    lines = "".join(
        f"<div class=l style=height:20px>  value {each}</div>" for each in range(first, 9)
    )
    lines += f"<div style=height:{gap}px></div>"
    numbers = "".join(f"<div style=height:20px>{each}</div>" for each in range(first, 9))
    page = (
        "<div style=display:flex;height:60px;overflow:auto><div aria-hidden=true>"
        f"{numbers}<div tabindex=0>v</div></div>"
        f"<div contenteditable role=textbox style=white-space:pre>{lines}</div></div>"
    )
    [editor] = await walked.walk(page)
    assert editor.children == [f"  value {each}" for each in range(first, 9)]
    assert editor.properties.get("lines") == shown


async def test_a_list_of_numbers_beside_an_editor_is_not_a_gutter(walked: Walked) -> None:
    page = "<div><ol><li>1</li></ol><div contenteditable style=white-space:pre><div>One</div></div></div>"
    assert await walked.snapshot(page) == [
        "- list:",
        '  - listitem: "1"',
        "- textbox [multiline] [ref=e1]: One",
    ]

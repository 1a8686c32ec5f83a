"""What is drawn over the page in a video."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from viewpoint_mcp.browser.video.overlays import (
    ActionPosition,
    ActionStyle,
    Stage,
    choose_box,
    draw_action,
    draw_chapter,
    move_cursor,
)
from viewpoint_mcp.page.devtools.page_devtools import Point, Rect

STAGE = Stage(800, 450, 1600, 900)
HOSTILE = "</div><script>&\"'\x00\ud800\x1b"


def texts(document: str) -> list[str]:
    """Return the texts of a document, which must be well-formed XML."""
    return [text for text in ET.fromstring(document).itertext() if text]


def styles(document: str) -> list[str]:
    root = ET.fromstring(document)
    return [each.get("style", "") for each in root.iter() if each.get("style")][1:]


def test_a_card_has_the_title_and_the_description() -> None:
    assert texts(draw_chapter(STAGE, "Part 1", "The start")) == ["Part 1", "The start"]
    assert texts(draw_chapter(STAGE, "Part 1")) == ["Part 1"]


def test_texts_and_styles_cannot_leave_their_place() -> None:
    assert texts(draw_chapter(STAGE, HOSTILE, HOSTILE)) == ["</div><script>&\"'"] * 2
    style = ActionStyle(title=HOSTILE, point=HOSTILE, highlight=HOSTILE)
    document = draw_action(STAGE, style, HOSTILE, Point(1, 2), Rect(0, 0, 9, 9))
    assert texts(document) == ["</div><script>&\"'"]


def test_an_action_has_a_title_and_only_the_marks_that_have_a_style() -> None:
    document = draw_action(STAGE, ActionStyle(), "Click", Point(10, 20), Rect(1, 2, 3, 4))
    assert texts(document) == ["Click"]
    assert len(styles(document)) == 1
    marked = ActionStyle(point="width: 9px", highlight="color: red", has_title=False)
    box, point = styles(draw_action(STAGE, marked, "Click", Point(10, 20), Rect(1, 2, 3, 4)))
    assert "left: 1px; top: 2px; width: 3px; height: 4px;" in box
    assert box.endswith("color: red")
    assert "left: 10px; top: 20px;" in point
    assert point.endswith("width: 9px")


def test_an_action_without_a_point_has_no_mark_of_it() -> None:
    style = ActionStyle(point="width: 9px", highlight="color: red")
    assert len(styles(draw_action(STAGE, style, "Press key", None, None))) == 1


@pytest.mark.parametrize("position", ["top-left", "top", "bottom-right"])
def test_the_title_is_at_its_position(position: ActionPosition) -> None:
    (style,) = styles(draw_action(STAGE, ActionStyle(position=position), "Click", None, None))
    side = position.partition("-")[0]
    assert f"{side}: 16px" in style


def test_a_page_is_in_the_middle_of_the_video() -> None:
    assert STAGE.place(Point(1600, 900)) == (800, 450)
    tall = Stage(800, 450, 450, 900)
    assert tall.place(Point(0, 0)) == (400 - 450 / 4, 0)


def test_the_box_of_an_element_that_was_scrolled_to_surrounds_the_point() -> None:
    box = Rect(100, 100, 80, 40)
    assert choose_box(box, Point(110, 120)) == box
    assert choose_box(box, Point(300, 20)) == Rect(260, 0, 80, 40)
    assert choose_box(box, None) == box
    assert choose_box(None, Point(1, 1)) is None


def test_the_cursor_moves_from_point_to_point_within_the_time() -> None:
    moves = list(move_cursor(Point(0, 0), Point(100, 50), 400, 25))
    assert [round(delay) for delay, _ in moves] == list(range(0, 400, 40))
    xs = [point.x for _, point in moves]
    assert xs[0] == 0
    assert xs == sorted(xs)
    assert xs[-1] < 100
    assert all(point.y == point.x / 2 for _, point in moves)

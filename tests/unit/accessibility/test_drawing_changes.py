"""Changes of drawings between two snapshots."""

from __future__ import annotations

import pytest

from viewpoint_mcp.accessibility.diff.drawing_changes import Drawing, describe_drawing_changes


def drawing(state: int, *, shapes: int | None = None, name: str = "", number: int = 1) -> Drawing:
    role = "canvas" if shapes is None else "img"
    return {"id": number, "role": role, "name": name, "state": state, "shapes": shapes}


@pytest.mark.parametrize(
    ("before", "after", "sentences"),
    [
        ([], [drawing(7)], []),
        ([drawing(7)], [drawing(7)], []),
        ([drawing(7, name="Map")], [drawing(8, name="Map")], ['canvas "Map" was painted']),
        (
            [drawing(7), drawing(7, number=2)],
            [drawing(8), drawing(8, number=2)],
            ["canvas was painted"],
        ),
        ([], [drawing(3, shapes=2)], ["in a drawing, 2 shapes were added"]),
        (
            [drawing(3, shapes=2, name="Flow")],
            [drawing(4, shapes=1, name="Flow")],
            ['in img "Flow", 1 shape was removed'],
        ),
        (
            [drawing(3, shapes=2)],
            [drawing(9, shapes=2)],
            ["in a drawing, shapes were moved or redrawn"],
        ),
        (
            [drawing(3, shapes=2)],
            [drawing(9, shapes=2), drawing(1, shapes=1, number=2)],
            ["in a drawing, 1 shape was added"],
        ),
    ],
)
def test_a_drawing_that_differs_is_described(
    before: list[Drawing], after: list[Drawing], sentences: list[str]
) -> None:
    assert sentences == describe_drawing_changes(
        {each["id"]: each for each in before}, {each["id"]: each for each in after}
    )

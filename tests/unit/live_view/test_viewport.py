"""The points of a page that points of its picture show."""

from __future__ import annotations

import pytest

from viewpoint_mcp.page.devtools.viewer_session import Viewport


@pytest.mark.parametrize(
    ("viewport", "share", "point"),
    [
        (Viewport(1280, 720), (0.25, 0.5), (320, 360)),
        (Viewport(412, 915), (0.5, 0.5), (206, 457.5)),  # the ratio of a phone does not matter
        (Viewport(1280, 720), (0, 0), (0, 0)),
        (Viewport(1280, 720), (1, 1), (1279, 719)),  # the last pixel, not the one after it
        (Viewport(1280, 720), (-0.2, 1.7), (0, 719)),  # a drag that leaves the picture
        (Viewport(400, 856, 56), (0.5, 0.5), (200, 372)),  # below the bar of a mobile browser
        (Viewport(400, 856, 56), (0.5, 0.01), (200, 0)),
        (Viewport(0, 0), (0.5, 0.5), (0, 0)),
    ],
)
def test_a_share_of_the_picture_is_a_point_in_css_pixels(
    viewport: Viewport, share: tuple[float, float], point: tuple[float, float]
) -> None:
    assert viewport.to_point(*share) == point

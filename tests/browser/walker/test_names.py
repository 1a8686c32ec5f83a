"""The names that the walker gives: accname, HTML-AAM, and Chrome where they leave a choice."""

from __future__ import annotations

import pytest

from tests.browser.walker.walked import Walked

PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=="


@pytest.mark.parametrize(
    "child",
    [
        "<a href=# title=Permalink></a>",
        "<a href=# aria-label=Permalink></a>",
        "<div role=group title=Permalink></div>",
    ],
)
async def test_a_child_that_is_not_visible_adds_no_title_to_a_name(
    walked: Walked, child: str
) -> None:
    page = f"<style>h3 > * {{ visibility: hidden }}</style><h3>Intro {child}</h3>"
    assert await walked.snapshot(page) == ['- heading "Intro" [level=3]']


async def test_a_visible_part_of_an_invisible_child_belongs_to_the_name(walked: Walked) -> None:
    page = (
        "<h3>Intro <a href=# title=Permalink style=visibility:hidden>"
        "<span style=visibility:visible>here</span></a></h3>"
    )
    assert await walked.snapshot(page) == ['- heading "Intro here" [level=3]']

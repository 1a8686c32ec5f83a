"""Visible elements are not marked as hidden, although a rule about hiding seems to apply."""

from __future__ import annotations

import pytest

from tests.browser.walker.walked import Walked

FLAT_BODY = "<!doctype html><style>body{margin:0;height:0;overflow:hidden}</style>"


@pytest.mark.parametrize("overflow", ["hidden", "clip", "auto"])
async def test_a_flat_body_clips_nothing_since_its_overflow_is_the_viewports(
    walked: Walked, overflow: str
) -> None:
    style = f"<style>body{{height:0;overflow:{overflow}}}</style>"
    page = f"<!doctype html>{style}<button>Go</button><p>Seen</p>"
    assert await walked.snapshot(page) == ['- button "Go" [ref=e1]', "- paragraph: Seen"]


async def test_a_flat_root_clips_nothing(walked: Walked) -> None:
    page = "<!doctype html><style>html{height:0;overflow:hidden}</style><button>Go</button>"
    assert await walked.snapshot(page) == ['- button "Go" [ref=e1]']


@pytest.mark.parametrize("root", ["html{overflow-y:scroll}", "html{contain:layout}"])
async def test_a_flat_body_that_keeps_its_overflow_clips_its_contents(
    walked: Walked, root: str
) -> None:
    page = f"{FLAT_BODY}<style>{root}</style><button>No</button>"
    assert await walked.snapshot(page, hidden=True) == ['- button "No" [hidden] [ref=e1]']


@pytest.mark.parametrize(
    "clip",
    [
        "<body style='margin:0;height:0;overflow:hidden'>{}",
        "<table style='display:block;height:0;overflow:hidden'><td>{}</table>",
    ],
)
async def test_a_static_box_does_not_clip_a_descendant_positioned_on_the_page(
    walked: Walked, clip: str
) -> None:
    placed = "<main style='position:absolute;inset:0'><button>Go</button></main>"
    style = "<style>html{overflow:auto}</style>"
    page = f"<!doctype html>{style}{clip.format(placed)}"
    assert '- button "Go" [ref=e1]' in "\n".join(await walked.snapshot(page))
    assert "hidden" not in "\n".join(await walked.snapshot())


async def test_the_options_of_a_closed_select_are_not_out_of_the_box_around_it(
    walked: Walked,
) -> None:
    select = "<select aria-label=Type><option>Code<optgroup label=More><option>Raw</select>"
    page = f"<div style='margin:90px;overflow:hidden'>{select}</div>"
    assert "hidden" not in "\n".join(await walked.snapshot(page))


async def test_a_rule_is_drawn_by_its_border(walked: Walked) -> None:
    page = "<style>hr{border:0;border-top:1px solid;height:0}</style><p>One</p><hr><p>Two</p>"
    assert await walked.snapshot(page) == ["- paragraph: One", "- separator", "- paragraph: Two"]

"""Pixels judge which elements are marked [hidden], on the pages of an application."""

from __future__ import annotations

import pytest

from cdp_protocol import Connection
from scripts.fetch_corpus import PACKAGES
from tests.browser.walker.walked import Walked
from tests.prove.fidelity.pages.packages import serve
from tests.prove.fidelity.run import open_tab
from tests.prove.sight.pixels import Printed, Referee, Verdict, judge_marks

PACKAGE = next(package for package in PACKAGES if package.name == "gentelella")
APPLICATION = PACKAGE.directory / "dist"
"""An admin application. Its pages must be at the root of a site. Half of its menu is folded."""

EVERY = 5
"""One page of so many is judged."""

MOST = 18
AGREEMENT = 99.5


@pytest.mark.time_limit(110)
async def test_the_mark_hidden_agrees_with_the_pixels(connection: Connection) -> None:
    verdicts: list[Verdict] = []
    paths = sorted(APPLICATION.glob("production/*.html"))[::EVERY]
    assert paths, "The corpus is missing. Run: make corpus"
    async with open_tab(connection) as walked:
        with serve(APPLICATION, {}) as base:
            for path in paths:
                await walked.open(f"{base}/production/{path.name}")
                verdicts += await judge_marks(walked, path.name, most=MOST, seed=1)
    differ = [verdict for verdict in verdicts if not verdict.agrees]
    report = "\n".join(f"{each.page}, marked {each.is_marked}: {each.line}" for each in differ)
    assert len(verdicts) >= 300
    assert sum(verdict.is_marked for verdict in verdicts) >= 100
    assert 100 * (len(verdicts) - len(differ)) >= AGREEMENT * len(verdicts), report


FLAT_BODY = "<!doctype html><style>body{height:0;overflow:hidden}</style>"
KEPT_FLAT = "<style>html{overflow:auto}</style>"
SR_ONLY = "<style>span{position:absolute;width:1px;height:1px;clip-path:inset(50%)}</style>"
PLACED = "<div style='position:absolute;inset:9px'>"

SHAPES = {
    "a flat body": f"{FLAT_BODY}{PLACED}<h1>Flow</h1><button>Deploy</button></div>",
    "a flat body that clips": f"{FLAT_BODY}{KEPT_FLAT}{PLACED}<button>Deploy</button><hr></div>",
    "a painted sign": f"{SR_ONLY}<a href=x><span>Close</span><i aria-hidden=true>×</i></a>",
    "a painted number": f"{SR_ONLY}<a href=x><span>Page 12</span><i aria-hidden=true>12</i></a>",
    "a painted price": f"{SR_ONLY}<p>Shoe <span>$19.99</span><i aria-hidden=true>$19.99</i></p>",
}


@pytest.mark.parametrize("shape", SHAPES)
async def test_the_mark_agrees_on_shapes_of_applications(walked: Walked, shape: str) -> None:
    await walked.load(SHAPES[shape])
    verdicts = await judge_marks(walked, shape, most=9, seed=1)
    assert verdicts
    assert [verdict for verdict in verdicts if not verdict.agrees] == []


async def test_pixels_disagree_where_an_element_without_a_mark_is_not_seen(walked: Walked) -> None:
    cover = "<div style='position:fixed;inset:0;background:white'></div>"
    await walked.load(f"<h1>Behind</h1>{cover}")
    (verdict,) = await judge_marks(walked, "covered", most=9, seed=1)
    assert not verdict.is_seen
    assert not verdict.agrees


async def test_pixels_disagree_where_a_marked_element_is_seen(walked: Walked) -> None:
    await walked.walk(
        "<h1>Shown</h1><h2 style='position:absolute;left:-999px'>Not</h2>",
        allRefs=True,
        hidden=True,
    )
    referee = Referee(walked)
    await referee.take_still()
    await referee.mark("start", [1, 2])
    marked = [Printed(number, "", marked_root=number, is_place=False) for number in (1, 2)]
    assert await referee.seen_marked(marked) == {1}

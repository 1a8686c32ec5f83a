"""Every effect of an action is reported, endless work is not waited for, and a click that missed is
not reported as done.
"""

from __future__ import annotations

import pytest

from tests.e2e.support.client import ServerClient
from tests.prove.matrix.case import Case
from tests.prove.matrix.conftest import Play
from tests.prove.matrix.effects import EFFECTS
from tests.prove.matrix.endless import ENDLESS
from tests.prove.matrix.refused import CLICKED, REFUSED

_COST = 1.0  # seconds
_TRIES = 3  # The machine may be busy; a wait that follows a rule is this long each time.
_HITS = "() => window.hits ?? 0"


def name(case: Case) -> str:
    return case.name.replace(" ", "-")


@pytest.mark.parametrize("case", EFFECTS, ids=name)
async def test_an_effect_is_in_the_reply_or_the_next_snapshot(
    case: Case, play: Play, shared_server: ServerClient
) -> None:
    outcome = await play(case)
    if case.shows not in outcome.reply.text:
        look = await shared_server.call("browser_snapshot")
        assert case.shows in look.text, f"{outcome.reply.text}\n{look.text}"


@pytest.mark.parametrize("case", ENDLESS, ids=name)
async def test_endless_work_is_not_waited_for(
    case: Case, play: Play, shared_server: ServerClient
) -> None:
    costs = []
    for _ in range(_TRIES):
        outcome = await play(case)
        assert case.shows in outcome.reply.text
        costs.append(outcome.seconds)
        if costs[-1] < _COST:
            return
        # A request that timed out is remembered, but not in another tab.
        await shared_server.call("browser_tabs", action="new")
    pytest.fail(f"It cost {costs} seconds each time.")


@pytest.mark.parametrize("case", REFUSED, ids=name)
async def test_a_click_that_does_not_hit_is_not_claimed(
    case: Case, play: Play, shared_server: ServerClient
) -> None:
    outcome = await play(case)
    assert case.shows in outcome.reply.text, outcome.reply.text
    assert "Clicked" not in outcome.reply.text
    hits = await shared_server.call("browser_evaluate", function=_HITS)
    assert hits.sections["Result"] == "0"


@pytest.mark.parametrize("case", CLICKED, ids=name)
async def test_a_target_that_can_be_clicked_is_clicked(
    case: Case, play: Play, shared_server: ServerClient
) -> None:
    outcome = await play(case)
    assert case.shows in outcome.reply.text, outcome.reply.text
    hits = await shared_server.call("browser_evaluate", function=_HITS)
    assert hits.sections["Result"] == "1"

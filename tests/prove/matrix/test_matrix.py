"""Every effect of an act is told, nothing endless is waited for, and no click is claimed that did
not hit.
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
_TRIES = 3  # the machine may be busy; what is waited for by a rule is so each time
_HITS = "() => window.hits ?? 0"


def name(case: Case) -> str:
    return case.name.replace(" ", "-")


@pytest.mark.parametrize("case", EFFECTS, ids=name)
async def test_an_effect_is_told(case: Case, play: Play, shared_server: ServerClient) -> None:
    outcome = await play(case)
    if case.shows not in outcome.reply.text:
        look = await shared_server.call("browser_snapshot")
        assert case.shows in look.text, f"{outcome.reply.text}\n{look.text}"


@pytest.mark.parametrize("case", ENDLESS, ids=name)
async def test_nothing_endless_is_waited_for(
    case: Case, play: Play, shared_server: ServerClient
) -> None:
    costs = []
    for _ in range(_TRIES):
        outcome = await play(case)
        assert case.shows in outcome.reply.text
        costs.append(outcome.seconds)
        if costs[-1] < _COST:
            return
        # What was waited for in vain is known, but not in another tab.
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
async def test_what_can_be_clicked_is(case: Case, play: Play, shared_server: ServerClient) -> None:
    outcome = await play(case)
    assert case.shows in outcome.reply.text, outcome.reply.text
    hits = await shared_server.call("browser_evaluate", function=_HITS)
    assert hits.sections["Result"] == "1"

"""Every effect of an act is told, and nothing endless is waited for."""

from __future__ import annotations

import pytest

from tests.e2e.client import StdioClient
from tests.e2e.matrix.case import Case
from tests.e2e.matrix.conftest import Play
from tests.e2e.matrix.effects import EFFECTS
from tests.e2e.matrix.endless import ENDLESS

_COST = 1.0  # seconds
_TRIES = 3  # the machine may be busy; what is waited for by a rule is so each time


def name(case: Case) -> str:
    return case.name.replace(" ", "-")


@pytest.mark.parametrize("case", EFFECTS, ids=name)
async def test_an_effect_is_told(case: Case, play: Play, shared_server: StdioClient) -> None:
    outcome = await play(case)
    if case.shows not in outcome.reply.text:
        look = await shared_server.call("browser_snapshot")
        assert case.shows in look.text, f"{outcome.reply.text}\n{look.text}"


@pytest.mark.parametrize("case", ENDLESS, ids=name)
async def test_nothing_endless_is_waited_for(case: Case, play: Play) -> None:
    costs = []
    for _ in range(_TRIES):
        outcome = await play(case)
        assert case.shows in outcome.reply.text
        costs.append(outcome.seconds)
        if costs[-1] < _COST:
            return
    pytest.fail(f"It cost {costs} seconds each time.")

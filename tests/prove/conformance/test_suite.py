"""The conformance suite of the protocol's makers: all that counts on a server with the suite's
fixtures on our core, and on the product what needs no fixtures.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.prove.conformance.suite import (
    FIXTURE,
    GENERAL,
    PRODUCT,
    REVISIONS,
    WIRE,
    Outcome,
    run,
    scored,
    serving,
)


async def both(server: Sequence[str], directory: Path) -> dict[str, dict[str, Outcome]]:
    """What became of all scenarios, by their revision; those of both run side by side."""
    for revision in REVISIONS:
        (directory / revision).mkdir()
    async with serving(server, directory) as url:
        runs = (run(url, revision, directory / revision) for revision in REVISIONS)
        return dict(zip(REVISIONS, await asyncio.gather(*runs), strict=True))


@pytest.mark.time_limit(300)
async def test_every_scored_scenario_passes_on_our_core(tmp_path: Path) -> None:
    outcomes = await both(FIXTURE, tmp_path)

    required = {revision: scored(revision) for revision in REVISIONS}
    assert {revision: len(names) for revision, names in required.items()} == {
        "2025-11-25": 30,
        "2026-07-28": 37,
    }
    assert [
        (revision, name, outcomes[revision][name].faults)
        for revision, names in required.items()
        for name in names
        if not outcomes[revision][name].is_good
    ] == []


@pytest.mark.time_limit(300)
async def test_the_general_scenarios_pass_on_the_product(tmp_path: Path) -> None:
    outcomes = await both(PRODUCT, tmp_path)

    assert [
        (revision, name, outcomes[revision][name].faults)
        for revision, names in GENERAL.items()
        for name in names
        if not outcomes[revision][name].is_good
    ] == []
    # Whatever a scenario found missing, each message was as the schema has it.
    faults = [fault for by in outcomes.values() for each in by.values() for fault in each.faults]
    assert [fault for fault in faults if fault.startswith(WIRE)] == []

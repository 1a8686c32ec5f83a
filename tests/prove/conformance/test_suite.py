"""The official conformance suite of MCP: all scored scenarios with a server that has the suite's
fixtures, and the scenarios without fixtures with viewpoint-mcp.
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


async def run_both_revisions(
    server: Sequence[str], directory: Path
) -> dict[str, dict[str, Outcome]]:
    """Return the outcomes of all scenarios by revision. Those of both revisions run in parallel."""
    for revision in REVISIONS:
        (directory / revision).mkdir()
    async with serving(server, directory) as url:
        runs = (run(url, revision, directory / revision) for revision in REVISIONS)
        return dict(zip(REVISIONS, await asyncio.gather(*runs), strict=True))


@pytest.mark.time_limit(300)
async def test_every_scored_scenario_passes_on_the_fixture_server(tmp_path: Path) -> None:
    outcomes = await run_both_revisions(FIXTURE, tmp_path)

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
async def test_the_general_scenarios_pass_on_the_command_line_server(tmp_path: Path) -> None:
    outcomes = await run_both_revisions(PRODUCT, tmp_path)

    assert [
        (revision, name, outcomes[revision][name].faults)
        for revision, names in GENERAL.items()
        for name in names
        if not outcomes[revision][name].is_good
    ] == []
    # Even in a failed scenario, each message matched the schema.
    faults = [fault for by in outcomes.values() for each in by.values() for fault in each.faults]
    assert [fault for fault in faults if fault.startswith(WIRE)] == []

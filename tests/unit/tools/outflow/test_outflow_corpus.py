"""The outflow guard on its corpus: every attack is noted, and almost no harmless flow."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from statistics import median

import pytest

from tests.unit.tools.outflow.attacks import list_attacks
from tests.unit.tools.outflow.corpus import TOOLS, Flow, Show, play
from tests.unit.tools.outflow.harmless import NOTED, list_harmless_flows
from viewpoint_mcp.config.secrets import NO_SECRETS
from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.tools.guards.outflow.outflow_guard import OutflowGuard

ATTACKS, HARMLESS = list_attacks(), list_harmless_flows()


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda flow: flow.name)
async def test_each_attack_is_noted(attack: Flow, tmp_path: Path) -> None:
    notes = await play(attack, tmp_path)
    assert notes
    assert "which https://mail.example.com showed, to https://" in notes[0]


async def test_almost_no_harmless_flow_is_noted(tmp_path: Path) -> None:
    noted = {flow.name for flow in HARMLESS if await play(flow, tmp_path)}
    assert noted == NOTED
    assert len(HARMLESS) == 200
    assert len(noted) <= 0.02 * len(HARMLESS)


async def test_attacks_are_not_noted_on_the_site_that_showed_the_text(tmp_path: Path) -> None:
    for attack in ATTACKS:
        first = attack.steps[0]
        assert isinstance(first, Show)
        at_home = Show("https://collect.evil.test/", first.text)
        flow = Flow(attack.name, (first, at_home, *attack.steps[1:]))
        assert await play(flow, tmp_path) == [], attack.name


async def test_a_comparison_takes_less_than_a_millisecond(tmp_path: Path) -> None:
    guard = OutflowGuard("note", NO_SECRETS, FileAccess(tmp_path, tmp_path, tmp_path))
    times = []
    for flow in HARMLESS:
        for step in flow.steps:
            if isinstance(step, Show):
                guard.remember_reply(step.url, step.text)
            else:
                tool = TOOLS[step.tool]
                args = tool.parse(dict(step.arguments))
                start = time.process_time()
                await guard.check(tool, args, step.page)
                times.append(time.process_time() - start)
    assert median(times) < 0.001


async def test_shown_texts_are_indexed_between_the_calls(tmp_path: Path) -> None:
    guard = OutflowGuard("note", NO_SECRETS, FileAccess(tmp_path, tmp_path, tmp_path))
    tool = TOOLS["navigate"]
    args = tool.parse({"url": "https://collect.evil.test/?q=hello"})
    times = []
    for number in range(9):
        text = "\n".join(f"- row: Order {number * 1000 + each} | paid" for each in range(1200))
        guard.remember_reply(f"https://shop{number}.test/", text)
        while guard.is_indexing_pending:  # noqa: ASYNC110 - no event
            await asyncio.sleep(0)
        start = time.process_time()
        await guard.check(tool, args, "about:blank")
        times.append(time.process_time() - start)
    assert median(times) < 0.001

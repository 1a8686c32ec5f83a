"""A hundredth of the run of `make soak`: neither the server nor its browser grows."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from scripts.soak.__main__ import find_growth, run_phases
from scripts.soak.observer import Reading, Readings

pytestmark = pytest.mark.time_limit(240)


def test_nothing_grows_while_operations_repeat(tmp_path: Path) -> None:
    phases = asyncio.run(run_phases(0.01, tmp_path))
    assert [sentence for each in phases for sentence in find_growth(each)] == []
    assert all(each.readings[-1].tasks < 20 for each in phases)


def test_a_task_that_each_operation_leaves_is_reported() -> None:
    readings = [Reading(n, 30.0, 200.0, 14, 6 + n, 8) for n in range(1, 41)]
    assert find_growth(Readings("tabs", 1.0, readings)) == ["tabs: tasks grew by 20.0"]

"""The order of measurements: each contestant performs an action once before any repeats it.

So the load of the machine affects all contestants alike.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TypeVar, cast

from scripts.benchmark.contestants import OURS, Contestant
from scripts.benchmark.floor import NAME as FLOOR
from scripts.benchmark.processes import ContestantFailed
from scripts.benchmark.results import START_MEASURES, Results
from scripts.benchmark.scenarios import SCENARIOS, Act, Scenario
from scripts.benchmark.site import Site

# Gives browsers time to finish their work before the next measurement.
PAUSE = 0.1
IDLE_AFTER = 0.5
TROUBLE = (ContestantFailed, TimeoutError, OSError)

T = TypeVar("T")

log = logging.getLogger("bench")


@dataclass(frozen=True, slots=True)
class Bench:
    """The contestants on their marks, and where their figures go."""

    field: Sequence[Contestant]
    site: Site
    results: Results

    async def measure_starts(self, runs: int) -> None:
        """Start every contestant afresh `runs` times: spawn, memory, first navigate."""
        for turn in range(runs):
            log.info("start %d of %d", turn + 1, runs)
            for one in rotated(self.field, turn):
                await self._measure_start(one)

    async def measure_session(self, scenarios: Sequence[Scenario], runs: int) -> None:
        """Play the scenarios in one session of each contestant.

        Memory is read at the end, of those that played all scenarios without a restart.
        """
        running: list[Contestant] = []
        restarted: set[str] = set()
        try:
            for one in self.field:
                if await self._revived(one, scenarios):
                    running.append(one)
            for scenario in [each for each in scenarios if not each.ours_only]:
                restarted |= await self._play_all(scenario, scenarios, runs, running)
            if len(scenarios) == len(SCENARIOS):
                self._measure_memory(running, restarted)
            # Scenarios that the others do not have must not count when memory is compared.
            for scenario in [each for each in scenarios if each.ours_only]:
                await self._play_all(scenario, scenarios, runs, running)
        finally:
            for one in self.field:
                await one.stop()

    async def _play_all(
        self,
        scenario: Scenario,
        scenarios: Sequence[Scenario],
        runs: int,
        running: list[Contestant],
    ) -> set[str]:
        """Play one scenario and restart the contestants that failed; return their names."""
        log.info("%s, %d times", scenario.title, runs)
        failed = await self._play(scenario, runs, running)
        for one in failed:
            if not await self._revived(one, scenarios):
                running.remove(one)
        return {one.name for one in failed}

    async def _measure_start(self, one: Contestant) -> None:
        try:
            began = perf_counter()
            await one.start()
            self._add("spawn", one, perf_counter() - began)
            if one.tools_characters is not None:
                self.results.add("characters-tools", one.name, one.tools_characters)
            await asyncio.sleep(IDLE_AFTER)
            self.results.add("memory-idle", one.name, one.resident_mib())
            began = perf_counter()
            await one.navigate(self.site.url("small"))
            self._add("first-navigate", one, perf_counter() - began)
        except TROUBLE as reason:
            log.info("%s: %s", one.name, reason)
            for measure in START_MEASURES:
                if not self.results.series(measure.name, one.name).values:
                    self.results.fail(measure.name, one.name, reason)
        finally:
            await one.stop()

    async def _play(
        self, scenario: Scenario, runs: int, running: Sequence[Contestant]
    ) -> list[Contestant]:
        """Play one scenario; returns the contestants that failed it."""
        able = [one for one in running if plays(one, scenario)]
        lanes = {one.name: scenario.play(one, self.site) for one in able}
        failed: list[Contestant] = []
        try:
            for turn in range(runs):
                for one in rotated([one for one in able if one not in failed], turn):
                    try:
                        await self._time(scenario, one, await anext(lanes[one.name]))
                    except TROUBLE as reason:
                        log.info("%s: %s", one.name, reason)
                        self.results.fail(scenario.name, one.name, reason)
                        failed.append(one)
        finally:
            for lane in lanes.values():
                await cast(AsyncGenerator[Act], lane).aclose()
        return failed

    async def _time(self, scenario: Scenario, one: Contestant, act: Act) -> None:
        await asyncio.sleep(PAUSE)
        began = perf_counter()
        answer = await act()
        self._add(scenario.name, one, perf_counter() - began)
        if scenario.name.startswith("snapshot") and one.name != FLOOR:
            self.results.add(f"characters-{scenario.name}", one.name, len(str(answer)))

    async def _revived(self, one: Contestant, scenarios: Iterable[Scenario]) -> bool:
        """Start a contestant and its browser afresh; if that fails, so does all that is left."""
        try:
            await one.stop()
            await one.start()
            await one.navigate(self.site.url("small"))
        except TROUBLE as reason:
            for scenario in scenarios:
                has_figure = bool(self.results.series(scenario.name, one.name).values)
                if plays(one, scenario) and not has_figure:
                    self.results.fail(scenario.name, one.name, reason)
            return False
        return True

    def _measure_memory(self, running: Iterable[Contestant], restarted: set[str]) -> None:
        for one in running:
            if one.name in restarted:
                reason = "restarted during the session"
                self.results.fail("memory-after", one.name, reason)
            elif one.name != FLOOR:
                self.results.add("memory-after", one.name, one.resident_mib())

    def _add(self, measure: str, one: Contestant, seconds: float) -> None:
        self.results.add(measure, one.name, seconds * 1000)


def plays(one: Contestant, scenario: Scenario) -> bool:
    """Whether the scenario is for that contestant."""
    if scenario.floor_only or scenario.ours_only:
        return one.name == (FLOOR if scenario.floor_only else OURS)
    return True


def rotated(field: Sequence[T], turn: int) -> list[T]:
    """The contestants, beginning with another one each turn."""
    start = turn % len(field) if field else 0
    return [*field[start:], *field[:start]]

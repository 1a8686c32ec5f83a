"""Measurements: a series of values for each measure and contestant, and the targets."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from typing import Literal

from scripts.benchmark.scenarios import SCENARIOS

Unit = Literal["ms", "MiB", "characters", "calls"]


@dataclass(frozen=True, slots=True)
class Measure:
    """A row of the table."""

    name: str
    title: str
    unit: Unit


START_MEASURES = (
    Measure("spawn", "spawn to tools/list answered", "ms"),
    Measure("first-navigate", "first navigate, browser launch included", "ms"),
    Measure("memory-idle", "server memory, idle", "MiB"),
    Measure("characters-tools", "tools/list", "characters"),
)
TASK_MEASURES = (
    Measure("task-calls", "task on an administration page", "calls"),
    Measure("task-characters", "task on an administration page", "characters"),
)
CONTEXT_MEASURES = (
    Measure("context-create", "make a browser context", "ms"),
    Measure("attach-50", "attach to 50 tabs, first snapshot", "ms"),
    Measure("memory-contexts", "server memory, 30 contexts more", "MiB"),
)
PICTURE_MEASURES = (
    Measure("inline-tall", "whole page of 20,000 pixels, shown to the model", "ms"),
    Measure("memory-pictures", "server memory, ten of them more", "MiB"),
)
HTTP_MEASURES = (
    Measure("call-stdio", "list contexts, over stdio", "ms"),
    Measure("call-http", "list contexts, over HTTP", "ms"),
    Measure("http-adds", "what HTTP adds to a call", "ms"),
    Measure("sessions", "50 sessions at once, each a page and a snapshot", "ms"),
    Measure("memory-sessions", "server memory, these 50 sessions open", "MiB"),
)
MEASURES = (
    *START_MEASURES[:2],
    *(Measure(scenario.name, scenario.title, "ms") for scenario in SCENARIOS),
    *CONTEXT_MEASURES[:2],
    PICTURE_MEASURES[0],
    *HTTP_MEASURES[:4],
    START_MEASURES[2],
    CONTEXT_MEASURES[2],
    PICTURE_MEASURES[1],
    HTTP_MEASURES[4],
    Measure("memory-after", "server memory, after the session", "MiB"),
    START_MEASURES[3],
    *(
        Measure(f"characters-{scenario.name}", scenario.title, "characters")
        for scenario in SCENARIOS
        if scenario.name.startswith("snapshot")
    ),
    *TASK_MEASURES,
)


@dataclass(slots=True)
class Series:
    """The values of one measure for one contestant, or the reason why it has none."""

    values: list[float] = field(default_factory=list)
    failure: str | None = None

    @property
    def median(self) -> float | None:
        """The median; None if the contestant failed or was not measured."""
        if self.failure is not None or not self.values:
            return None
        return statistics.median(self.values)


class Results:
    """All series, by measure and contestant."""

    def __init__(self) -> None:
        self._series: dict[tuple[str, str], Series] = {}

    def series(self, measure: str, contestant: str) -> Series:
        """The series, empty when nothing was measured."""
        return self._series.get((measure, contestant), Series())

    def add(self, measure: str, contestant: str, value: float) -> None:
        """Add one value."""
        self._series.setdefault((measure, contestant), Series()).values.append(value)

    def fail(self, measure: str, contestant: str, reason: object) -> None:
        """Record why a contestant has no figure; the first reason is kept."""
        series = self._series.setdefault((measure, contestant), Series())
        if series.failure is None:
            series.failure = " ".join(str(reason).split())[:200] or type(reason).__name__


@dataclass(frozen=True, slots=True)
class Target:
    """An upper bound for one measure: `factor` times another contestant's median, plus `plus`."""

    measure: str
    plus: float = 0.0
    factor: float = 0.0
    beside: str | None = None

    def limit(self, results: Results) -> float | None:
        """Return the bound in the measure's unit; None if the other contestant has no figure."""
        if self.beside is None:
            return self.plus
        other = results.series(self.measure, self.beside).median
        return None if other is None else self.factor * other + self.plus

    def __str__(self) -> str:
        terms = [f"{self.factor:g} x {self.beside}"] if self.beside else []
        terms += [f"{self.plus:g}"] if self.plus else []
        return f"{self.measure} <= {' + '.join(terms)}"

"""The figures as a table for people, as Markdown for the documentation, as JSON for machines."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scripts.benchmark.contestants import OURS
from scripts.benchmark.floor import NAME as FLOOR
from scripts.benchmark.results import MEASURES, Measure, Results, Series, Target

PLAYWRIGHT = "playwright-mcp"
DEVTOOLS = "chrome-devtools-mcp"
TARGETS = (
    Target("spawn", factor=0.33, beside=PLAYWRIGHT),
    Target("spawn", plus=150),
    Target("first-navigate", factor=1.1, beside=FLOOR),
    Target("navigate", factor=1.3, beside=FLOOR),
    Target("click-idle", plus=30, factor=1, beside=FLOOR),
    Target("click-dom", plus=60, factor=1, beside=FLOOR),
    Target("click-navigate", factor=1.3, beside=FLOOR),
    Target("type", plus=15, factor=1, beside=FLOOR),
    Target("fill", plus=150),
    *(
        target
        for rows in (50, 500, 2000)
        for target in (
            Target(f"snapshot-{rows}", factor=0.33, beside=PLAYWRIGHT),
            Target(f"snapshot-{rows}", factor=1.5, beside=FLOOR),
        )
    ),
    Target("again-500", plus=5),
    Target("large", plus=3000),
    Target("characters-snapshot-500", factor=0.6, beside=DEVTOOLS),
    Target("context-create", factor=1.5, beside=FLOOR),
    Target("attach-50", plus=500),
    Target("memory-contexts", plus=10),
    Target("screenshot", factor=1.3, beside=FLOOR),
    Target("inline-tall", plus=1500),
    Target("memory-pictures", plus=10),
    Target("http-adds", plus=3),
    Target("memory-sessions", plus=150),
    Target("memory-idle", plus=60),
    Target("memory-after", plus=80),
)
UNITS = {measure.name: measure.unit for measure in MEASURES}


@dataclass(frozen=True, slots=True)
class Report:
    """The results of one run, as text."""

    machine: dict[str, str]
    contestants: Sequence[str]
    results: Results

    def table(self) -> str:
        """The table with its columns aligned, for a terminal."""
        rows = self._rows()
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        lines.insert(1, "  ".join("-" * width for width in widths))
        facts = [f"{fact}: {value}" for fact, value in self.machine.items()]
        notes = ["", *self._notes()] if self._notes() else []
        return "\n".join([*facts, "", *lines, *notes, "", *self.verdicts(), ""])

    def markdown(self) -> str:
        """The same for a Markdown page."""
        rows = [f"| {' | '.join(row)} |" for row in self._rows()]
        rows.insert(1, "|---" * (len(self.contestants) + 2) + "|")
        facts = [f"- {fact}: {value}" for fact, value in self.machine.items()]
        notes = ["", *(f"- {note}" for note in self._notes())] if self._notes() else []
        verdicts = [f"- {verdict}" for verdict in self.verdicts()]
        return "\n".join([*facts, "", *rows, *notes, "", *verdicts, ""])

    def json(self) -> dict[str, Any]:
        """Every single value, with the summary of each series."""
        return {
            "machine": self.machine,
            "measures": [
                {
                    "name": measure.name,
                    "title": measure.title,
                    "unit": measure.unit,
                    "contestants": {
                        one: summarise(self.results.series(measure.name, one))
                        for one in self.contestants
                    },
                }
                for measure in self._measured()
            ],
            "targets": self.verdicts(),
        }

    def verdicts(self) -> list[str]:
        """Return one line for each target: met or not, by how much, or not measured."""
        return [self._verdict(target) for target in TARGETS]

    def _verdict(self, target: Target) -> str:
        median = self.results.series(target.measure, OURS).median
        limit = target.limit(self.results)
        if median is None or limit is None:
            return f"n/a   {target}"
        word = "pass" if median <= limit else "FAIL"
        unit = UNITS[target.measure]
        ratio = f"{median / limit:.2f} of the limit"
        return f"{word}  {target}: {median:.1f} {unit}, limit {limit:.1f} {unit}, {ratio}"

    def _rows(self) -> list[list[str]]:
        header = ["median (min-max)", "n", *self.contestants]
        return [header, *(self._row(measure) for measure in self._measured())]

    def _row(self, measure: Measure) -> list[str]:
        series = [self.results.series(measure.name, one) for one in self.contestants]
        count = max(len(one.values) for one in series)
        cells = [cell(one, measure.unit) for one in series]
        return [f"{measure.title}, {measure.unit}", str(count), *cells]

    def _measured(self) -> list[Measure]:
        return [
            measure for measure in MEASURES if any(self._has(measure, o) for o in self.contestants)
        ]

    def _has(self, measure: Measure, contestant: str) -> bool:
        series = self.results.series(measure.name, contestant)
        return bool(series.values) or series.failure is not None

    def _notes(self) -> list[str]:
        """Return the reasons for missing figures, each once."""
        reasons: dict[tuple[str, str], list[str]] = {}
        for measure in MEASURES:
            for one in self.contestants:
                failure = self.results.series(measure.name, one).failure
                if failure is not None:
                    reasons.setdefault((one, failure), []).append(measure.name)
        return [f"n/a {one}, {', '.join(names)}: {why}" for (one, why), names in reasons.items()]


def cell(series: Series, unit: str) -> str:
    """A series in one cell: its median, and the range when there is one."""
    if series.failure is not None:
        return "n/a"
    if series.median is None:
        return "-"
    if unit in ("characters", "calls"):
        return f"{series.median:,.0f}"
    low, high = min(series.values), max(series.values)
    return f"{series.median:.1f} ({low:.1f}-{high:.1f})"


def summarise(series: Series) -> dict[str, Any]:
    """A series as JSON."""
    values = series.values
    return {
        "n": len(values),
        "min": min(values, default=None),
        "median": series.median,
        "max": max(values, default=None),
        "values": values,
        "failure": series.failure,
    }


def machine_facts(executable: str, versions: dict[str, str]) -> dict[str, str]:
    """Return the facts on which the figures depend."""
    facts = {
        "machine": f"{os.cpu_count()} CPUs, {platform.platform()}",
        "Python": platform.python_version(),
        "Chromium": _version_of(executable),
        **versions,
    }
    if hasattr(os, "getloadavg"):
        facts["load average at the start"] = f"{os.getloadavg()[0]:.1f}"
    return facts


def _version_of(executable: str) -> str:
    try:
        told = subprocess.run(
            [executable, "--version"], capture_output=True, text=True, check=True, timeout=20
        )
    except (OSError, subprocess.SubprocessError) as error:
        return f"unknown: {error}"
    return told.stdout.strip()

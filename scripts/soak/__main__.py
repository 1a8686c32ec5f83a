"""Repeat operations on one server for minutes, and report whether anything grows.

    python -m scripts.soak                 the full run
    python -m scripts.soak --share 0.1     a tenth of each phase
    python -m scripts.soak --plot FILE     also draw the readings as SVG

The exit status is 1 if descriptors, tasks or processes grew, or memory by more than the limit.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path
from statistics import median

from scripts.bench import find_browser
from scripts.benchmark.client import McpClient
from scripts.benchmark.report import machine_facts
from scripts.benchmark.site import Site, serve
from scripts.soak.observer import Observer, Readings
from scripts.soak.phases import PHASES, Phase
from scripts.soak.plot import QUANTITIES, draw

READINGS = 40  # in each phase
MEMORY_LIMIT = 10.0  # MiB from the second quarter of a phase to its last one
_COUNT_LIMIT = 2  # descriptors, tasks or processes may be caught in the middle of something


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--share", type=float, default=1.0, help="share of each phase (1)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="write an SVG file")
    return parser.parse_args()


async def run_phases(share: float, directory: Path) -> list[Readings]:
    """Run all phases on one server, and return their readings.

    Args:
        share: The share of the repetitions of each phase.
        directory: The working directory of the server.

    Raises:
        ContestantFailed: A call failed.
    """
    task_file = directory / "tasks"
    command = (sys.executable, "-m", "scripts.soak.server", str(task_file))
    flags = ("--headless", "--isolated")
    root = str(Path(__file__).parents[2])
    client = await McpClient.spawn(
        [*command, *flags], directory=directory, environment={**os.environ, "PYTHONPATH": root}
    )
    try:
        await client.initialize()
        observer = Observer(client.pid, task_file)
        with serve() as site:
            return [await _run_phase(each, share, client, site, observer) for each in PHASES]
    finally:
        await client.close()


async def _run_phase(
    phase: Phase, share: float, client: McpClient, site: Site, observer: Observer
) -> Readings:
    count = max(round(phase.count * share), 8)
    interval = max(count // READINGS, 1)
    found = Readings(phase.name)
    began = time.monotonic()
    for number in range(1, count + 1):
        await phase.operation(client, site, number)
        if number % interval == 0 or number == count:
            found.readings.append(await observer.read(number))
    found.seconds = time.monotonic() - began
    return found


def find_growth(found: Readings) -> list[str]:
    """Return a sentence for each quantity that grew during a phase, and should not."""
    readings = found.readings
    quarter = len(readings) // 4
    early, late = readings[quarter : 2 * quarter], readings[-quarter:]

    def grew(quantity: str) -> float:
        before, after = (
            median(float(getattr(each, quantity)) for each in part) for part in (early, late)
        )
        return after - before

    limits = {
        "server_memory": MEMORY_LIMIT,
        "descriptors": _COUNT_LIMIT,
        "tasks": _COUNT_LIMIT,
        "processes": _COUNT_LIMIT,
    }
    return [
        f"{found.name}: {quantity} grew by {grew(quantity):.1f}"
        for quantity, limit in limits.items()
        if grew(quantity) > limit
    ]


def render_table(phases: list[Readings]) -> str:
    """Return the table of the first and the last reading of each phase."""

    def pair(first: float, last: float) -> str:
        return f"{first:.0f} to {last:.0f}"

    def row(found: Readings) -> str:
        first, last = found.readings[0], found.readings[-1]
        pairs = [pair(value(first), value(last)) for _, value in QUANTITIES]
        return f"| {last.done} {found.name} | {found.seconds:.0f} | {' | '.join(pairs)} |"

    head = f"| operations | seconds | {' | '.join(name for name, _ in QUANTITIES)} |"
    return "\n".join([head, "|---" * 7 + "|", *map(row, phases)])


def main() -> int:
    """Run the command."""
    arguments = parse_arguments()
    facts = machine_facts(
        find_browser() or "", {"viewpoint-mcp": metadata.version("viewpoint-mcp")}
    )
    with tempfile.TemporaryDirectory() as directory:
        phases = asyncio.run(run_phases(arguments.share, Path(directory)))
    print(*(f"- {name}: {fact}" for name, fact in facts.items()), "", sep="\n")
    print(render_table(phases))
    if arguments.plot:
        arguments.plot.write_text(draw(phases), encoding="utf-8")
    growth = [sentence for each in phases for sentence in find_growth(each)]
    print(*growth, sep="\n")
    return 1 if growth else 0


if __name__ == "__main__":
    sys.exit(main())

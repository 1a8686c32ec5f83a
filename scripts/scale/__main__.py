"""Measure 1, 4, 16 and 64 agents at once on one server, and on several servers.

    python -m scripts.scale                    the table
    python -m scripts.scale --agents 1 8       other numbers of agents
    python -m scripts.scale --servers 2        the agents shared out among servers

Each agent has a session, and so a browser context of its own, and does mixed work: it navigates,
reads, types and clicks. The same work by bare protocol calls, in as many contexts of one browser,
is the limit of the browser.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import sys
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from pathlib import Path
from statistics import median
from time import perf_counter

from scripts.bench import find_browser
from scripts.benchmark.contestants import Workshop
from scripts.benchmark.floor import launch
from scripts.benchmark.http import serving
from scripts.benchmark.processes import end_process, run_in_scratch
from scripts.benchmark.report import machine_facts
from scripts.benchmark.site import Site, serve
from scripts.scale.agents import Agent, BareAgent, ServedAgent, play_together
from scripts.scale.processes import read_seconds, read_seconds_of_children

HEAD = (
    "| agents | by | calls a second | median, ms | p95, ms | navigate p95 | click p95 "
    "| processor: server | browser |"
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run showed.

    Args:
        by: What did the work.
        agents: How many agents worked at the same time.
        seconds: The duration of the run.
        durations: Seconds of each step, by its name.
        server_time: Processor time of the servers, in seconds.
        browser_time: Processor time of the browsers, in seconds.
    """

    by: str
    agents: int
    seconds: float
    durations: dict[str, list[float]]
    server_time: float
    browser_time: float

    def render(self) -> str:
        """Return the row of the table."""
        every = [each for part in self.durations.values() for each in part]
        cells = (
            str(self.agents),
            self.by,
            f"{len(every) / self.seconds:.0f}",
            f"{median(every) * 1000:.0f}",
            *(
                f"{_find_p95(part) * 1000:.0f}"
                for part in (every, self.durations["navigate"], self.durations["click"])
            ),
            f"{self.server_time / self.seconds * 100:.0f} %",
            f"{self.browser_time / self.seconds * 100:.0f} %",
        )
        return f"| {' | '.join(cells)} |"


def _find_p95(values: Sequence[float]) -> float:
    return sorted(values)[math.ceil(len(values) * 0.95) - 1]


async def measure_servers(
    workshop: Workshop, site: Site, count: int, rounds: int, servers: int
) -> Outcome:
    """Share the agents out among servers, each with its own browser."""
    async with AsyncExitStack() as stack:
        running = [
            await stack.enter_async_context(serving(workshop, f"scale-{count}-{servers}-{number}"))
            for number in range(servers)
        ]
        agents: list[Agent] = [
            ServedAgent(running[number % servers][0], site.url("acts")) for number in range(count)
        ]
        pids = [pid for _, pid in running]
        by = "one server" if servers == 1 else f"{servers} servers"
        return await _measure(by, agents, site, rounds, pids, pids)


async def measure_browser(workshop: Workshop, site: Site, count: int, rounds: int) -> Outcome:
    """Do the same work by bare protocol calls in one browser."""
    chromium, address = await launch(workshop)
    try:
        agents: list[Agent] = [BareAgent(address, site.url("acts")) for _ in range(count)]
        return await _measure("bare CDP", agents, site, rounds, [], [os.getpid()])
    finally:
        await end_process(chromium)


async def _measure(
    by: str, agents: list[Agent], site: Site, rounds: int, servers: list[int], parents: list[int]
) -> Outcome:
    durations: dict[str, list[float]] = defaultdict(list)
    try:
        await asyncio.gather(*(each.open() for each in agents))
        began = perf_counter()
        before = _read_times(servers, parents)
        await play_together(agents, site, rounds, lambda name, took: durations[name].append(took))
        seconds = perf_counter() - began
        after = _read_times(servers, parents)
    finally:
        await asyncio.gather(*(each.close() for each in agents))
    return Outcome(by, len(agents), seconds, durations, after[0] - before[0], after[1] - before[1])


def _read_times(servers: list[int], parents: list[int]) -> tuple[float, float]:
    return read_seconds(*servers), sum(map(read_seconds_of_children, parents))


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--agents", type=int, nargs="+", default=[1, 4, 16, 64], metavar="N")
    add("--rounds", type=int, default=5, metavar="N", help="rounds of six calls (5)")
    add("--servers", type=int, nargs="+", default=[1], metavar="N", help="numbers of servers (1)")
    return parser.parse_args()


async def run(arguments: argparse.Namespace, scratch: Path) -> None:
    """Measure, and print a row after each run."""
    workshop = Workshop(executable=find_browser() or "", scratch=scratch)
    facts = machine_facts(workshop.executable, {"viewpoint-mcp": metadata.version("viewpoint-mcp")})
    print(*(f"- {name}: {fact}" for name, fact in facts.items()), "", sep="\n")
    print(HEAD, "|---" * HEAD.count(" | ") + "|---|", sep="\n", flush=True)
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(max(arguments.agents)))
    with serve() as site:
        for count in arguments.agents:
            for servers in arguments.servers:
                found = await measure_servers(workshop, site, count, arguments.rounds, servers)
                print(found.render(), flush=True)
            found = await measure_browser(workshop, site, count, arguments.rounds)
            print(found.render(), flush=True)


def main() -> int:
    """Run the command."""
    run_in_scratch("scale", partial(run, parse_arguments()))
    return 0


if __name__ == "__main__":
    sys.exit(main())

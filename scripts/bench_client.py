"""Measure the CDP client beside a bare `websockets` loop and, with `--peers`, beside others.

    python scripts/bench_client.py                  cdp_protocol and the bare loop
    python scripts/bench_client.py --peers          the others too, installed with pip for this
    run
    python scripts/bench_client.py --peers DIR      the others of the virtual environment DIR
    python scripts/bench_client.py --only memory    only the memory left by 100,000 calls

Every client runs in a separate process and takes turns with the others. It sends the same cheap
command to a page of the same Chromium, and to a fake browser that costs nothing. The targets are
printed, not enforced, because a busy machine must not fail the build.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import cdp_protocol
from scripts.benchmark.contestants import OFFLINE
from scripts.benchmark.measuring import rotated
from scripts.benchmark.processes import ContestantFailed
from scripts.benchmark.report import machine_facts
from scripts.benchmark.throughput import environment
from scripts.benchmark.throughput.clients import BARE, OURS, OWN, PEERS, REAL_ONLY, TYPED
from scripts.benchmark.throughput.crew import Endpoint, costless, crew
from scripts.benchmark.throughput.table import LEVELS, Figures, latency

PARTS = ("calls", "big", "memory")
CALLS = {1: 1_000, 10: 3_000, 100: 6_000}
MANY = 100_000
BIG, EVENTS = 10_000_000, 20
MIB = 2**20

log = logging.getLogger("bench")


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--peers", nargs="?", const="pip", metavar="DIR", help="a virtual environment with them")
    add("--rounds", type=int, default=9, metavar="N", help="repetitions of each part (9)")
    add("--only", choices=PARTS, nargs="+", default=PARTS, help="the parts to measure")
    add("--executable-path", metavar="FILE", help="the Chromium to use")
    return parser.parse_args()


@asynccontextmanager
async def chromium(executable: str | None) -> AsyncIterator[Endpoint]:
    """Run a Chromium with two pages."""
    async with cdp_protocol.launch(executable, args=[OFFLINE]) as browser:
        pages = [await browser.Target.createTarget(url="about:blank") for _ in range(2)]
        yield Endpoint(browser.endpoint, pages[0]["targetId"], pages[1]["targetId"])


async def race(clients: Mapping[str, Path], endpoint: Endpoint, title: str, rounds: int) -> Figures:
    """Let each client make its calls, in turns, and once more from the beginning."""
    figures = Figures(title)
    async with crew(clients, endpoint) as (workers, failures):
        figures.failures = failures
        for turn in range(rounds):
            log.info("%s: round %d of %d", title, turn + 1, rounds)
            for level in LEVELS:
                for worker in rotated(workers, turn):
                    told = await worker.ask(act="calls", count=CALLS[level], at_once=level)
                    calls = told["calls"]
                    cost = told["processor"] / calls * 1e6
                    figures.add(worker.name, level, calls / told["seconds"], cost)
    return figures


async def bursts(clients: Mapping[str, Path], endpoint: Endpoint, rounds: int) -> list[str]:
    """Have a page send bursts of large events, while each client calls another page."""
    told: dict[str, list[tuple[float, list[float]]]] = {}
    async with crew(clients, endpoint) as (workers, _):
        for turn in range(rounds):
            log.info("large events: round %d of %d", turn + 1, rounds)
            for worker in rotated(workers, turn):
                burst = await worker.ask(act="big", events=EVENTS, size=BIG)
                one = (burst["seconds"], burst["latencies"])
                told.setdefault(worker.name, []).append(one)
    return [latency(name, told[name]) for name in clients]


async def weigh(clients: Mapping[str, Path], endpoint: Endpoint) -> list[str]:
    """Measure the memory that calls leave behind."""
    lines = []
    async with crew(clients, endpoint) as (workers, _):
        for worker in workers:
            log.info("memory of %s", worker.name)
            told = await worker.ask(act="memory", count=MANY)
            resident, traced = told["resident"] / MIB, told["traced"] / 1024
            lines.append(
                f"{worker.name}: {resident:+.2f} MiB of resident memory after {MANY:,} calls,"
                f" {traced:+.1f} KiB by tracemalloc after {MANY:,} more"
            )
    return lines


async def measure(arguments: argparse.Namespace, python: Path | None) -> list[str]:
    """Run the chosen measurements; return the paragraphs of the report."""
    own = dict.fromkeys(OWN, Path(sys.executable))
    everyone = own | (dict.fromkeys(PEERS, python) if python else {})
    paragraphs: list[str] = []
    async with chromium(arguments.executable_path) as real, costless() as free:
        if "calls" in arguments.only:
            peerless = {name: one for name, one in everyone.items() if name not in REAL_ONLY}
            races = [
                await race(peerless, free, "a peer that costs nothing", arguments.rounds),
                await race(everyone, real, "Chromium", arguments.rounds),
            ]
            paragraphs += [figures.markdown() for figures in races]
            paragraphs.append("\n".join(f"- {line}" for one in races for line in one.verdicts()))
        both = {name: own[name] for name in (BARE, OURS)}
        if "big" in arguments.only:
            lines = await bursts(both, real, max(3, arguments.rounds // 3))
            paragraphs.append("\n".join(f"- {line}" for line in lines))
        if "memory" in arguments.only:
            lines = await weigh({**both, TYPED: own[TYPED]}, free)
            paragraphs.append("\n".join(f"- {line}" for line in lines))
    return paragraphs


def main() -> int:
    """Run the benchmark; returns the exit status."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    arguments = parse_arguments()
    versions = {
        "environment of cdp_protocol": environment.versions(
            Path(sys.executable), "websockets", "orjson"
        )
    }
    python: Path | None = None
    with tempfile.TemporaryDirectory(prefix="bench-client-") as scratch:
        try:
            if arguments.peers is not None:
                named = Path(arguments.peers)
                made = arguments.peers == "pip"
                python = (
                    environment.install(Path(scratch) / "peers")
                    if made
                    else environment.interpreter(named)
                )
                versions["the others'"] = environment.versions(
                    python,
                    "cdp-use",
                    "zendriver",
                    "pydoll-python",
                    "pychrome",
                    "playwright",
                    "websockets",
                )
            facts = machine_facts(arguments.executable_path or "chromium", versions)
            paragraphs = asyncio.run(measure(arguments, python))
        except (ContestantFailed, cdp_protocol.CdpError) as error:
            log.error("%s", error)
            return 1
        except KeyboardInterrupt:
            log.error("interrupted")
            return 130
    lines = [f"- {fact}: {value}" for fact, value in facts.items()]
    print("\n\n".join(["\n".join(lines), *paragraphs]))
    return 0


if __name__ == "__main__":
    sys.exit(main())

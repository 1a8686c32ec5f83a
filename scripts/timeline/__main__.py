"""Print when the server sends each command of an action, and when the browser answers it.

    python -m scripts.timeline                     a table for each action
    python -m scripts.timeline --only click        the actions with names that begin so

The actions are those of the benchmark, with the protocol recorded. Each table has the medians of
the calls with the most frequent sequence of commands.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from importlib import metadata
from pathlib import Path
from statistics import median
from typing import Any

from cdp_protocol.recording.file_format import RecordedMessage, Recording, read_recording
from scripts.bench import find_browser
from scripts.benchmark.contestants import Workshop, viewpoint
from scripts.benchmark.processes import run_in_scratch
from scripts.benchmark.report import machine_facts
from scripts.benchmark.scenarios import SCENARIOS, Scenario
from scripts.benchmark.site import Site, serve

PAUSE = 0.1  # seconds before and after a call, by which its commands are found in the recording
ACTIONS = (
    *("navigate", "snapshot-50", "snapshot-500", "click-idle", "click-dom", "click-navigate"),
    *("type", "evaluate", "screenshot"),
)
LOAD = "Page.loadEventFired"


@dataclass(frozen=True, slots=True)
class Span:
    """A call, as the client sees it.

    Attributes:
        began: Seconds since the epoch.
        took: Seconds.
    """

    began: float
    took: float


@dataclass(frozen=True, slots=True)
class Step:
    """A command, or the load event, which is sent and answered at the same time.

    Attributes:
        name: The method, or the in-page function that it calls.
        sent: Seconds since the first command of the call.
        answered: The same, of the answer.
    """

    name: str
    sent: float
    answered: float


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", metavar="WORD", help="actions that begin with it")
    parser.add_argument("--runs", type=int, default=15, metavar="N", help="of each action (15)")
    return parser.parse_args()


async def record(scenario: Scenario, workshop: Workshop, site: Site, runs: int) -> list[str]:
    """Play a scenario on a new server, and return the lines of its table."""
    file = workshop.scratch / f"{scenario.name}.jsonl"
    server = viewpoint(workshop, scenario.name, "--trace-cdp", str(file))
    spans = []
    await server.start()
    try:
        async for act in scenario.play(server, site):
            await asyncio.sleep(PAUSE)
            began, start = time.time(), time.perf_counter()
            await act()
            spans.append(Span(began, time.perf_counter() - start))
            await asyncio.sleep(PAUSE)
            if len(spans) == runs:
                break
    finally:
        await server.stop()
    recording = read_recording(file)
    return [f"### {scenario.title}", "", *render(spans, [list_steps(recording, s) for s in spans])]


def list_steps(recording: Recording, span: Span) -> list[Step]:
    """Return the commands of a call, in the order in which they were sent."""
    start = span.began - datetime.fromisoformat(recording.header.started).timestamp() - PAUSE / 2
    messages = [
        each
        for each in recording.entries
        if isinstance(each, RecordedMessage) and start < each.time < start + span.took + PAUSE
    ]
    answered = {each.message.get("id"): each.time for each in messages if each.side == "browser"}
    first = next((each.time for each in messages if each.side == "client"), 0.0)
    return [
        Step(name_of(each.message), each.time - first, at - first)
        for each in messages
        if (at := _find_answer(each, answered)) is not None
    ]


def _find_answer(message: RecordedMessage, answered: dict[Any, float]) -> float | None:
    if message.side == "client":
        return answered.get(message.message["id"])
    return message.time if message.message.get("method") == LOAD else None


def name_of(command: dict[str, Any]) -> str:
    """Return the method of a command, or the in-page function that it calls."""
    arguments = [each.get("value") for each in command.get("params", {}).get("arguments", [])]
    if command["method"] != "Runtime.callFunctionOn" or not arguments:
        return f"`{command['method']}`"
    return f"in-page `{arguments[2] if arguments[0] == 'callNumbered' else arguments[0]}`"


def render(spans: Sequence[Span], calls: Sequence[Sequence[Step]]) -> Iterator[str]:
    """Yield the lines of the table of one action."""
    sequences = Counter(tuple(step.name for step in steps) for steps in calls)
    sequence, count = sequences.most_common(1)[0]
    typical = [
        (span, steps)
        for span, steps in zip(spans, calls, strict=True)
        if tuple(step.name for step in steps) == sequence
    ]
    yield "| sent, ms | answered, ms | command |"
    yield "|---|---|---|"
    for number, name in enumerate(sequence):
        sent = median(steps[number].sent for _, steps in typical)
        answered = median(steps[number].answered for _, steps in typical)
        yield f"| {sent * 1000:.1f} | {answered * 1000:.1f} | {name} |"
    took = median(span.took for span, _ in typical)
    ends = [max((step.answered for step in steps), default=0.0) for _, steps in typical]
    outside = took - median(ends)
    yield ""
    yield (
        f"{took * 1000:.1f} ms, {outside * 1000:.1f} of them before the first command and after "
        f"the last answer ({count} of {len(spans)} calls)."
    )


async def run(arguments: argparse.Namespace, scratch: Path) -> None:
    """Record and print each action."""
    workshop = Workshop(executable=find_browser() or "", scratch=scratch)
    facts = machine_facts(workshop.executable, {"viewpoint-mcp": metadata.version("viewpoint-mcp")})
    print(*(f"- {name}: {fact}" for name, fact in facts.items()), sep="\n")
    with serve() as site:
        for scenario in SCENARIOS:
            if scenario.name in ACTIONS and scenario.name.startswith(arguments.only):
                lines = await record(scenario, workshop, site, arguments.runs)
                print("", *lines, sep="\n", flush=True)


def main() -> int:
    """Run the command."""
    run_in_scratch("timeline", partial(run, parse_arguments()))
    return 0


if __name__ == "__main__":
    sys.exit(main())

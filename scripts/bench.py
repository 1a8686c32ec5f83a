"""Measure the server beside the bare protocol and, with `--peers`, beside well-known servers.

    python scripts/bench.py                       viewpoint-mcp and the floor
    python scripts/bench.py --peers               the peers too, installed with npm for this run
    python scripts/bench.py --peers DIR --quick   the peers of DIR/node_modules, few repetitions
    python scripts/bench.py --only click type     the scenarios whose names begin with these
    words

Every contestant is called over stdio as by an MCP client, with pages from this machine and without
network access. The targets are printed, not enforced, because a busy machine must not fail the
build.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

import orjson

from scripts.benchmark import contestants, peers
from scripts.benchmark.contestants import Contestant, McpServer, Workshop
from scripts.benchmark.contexts import measure_contexts
from scripts.benchmark.floor import Floor
from scripts.benchmark.http import measure_http
from scripts.benchmark.measuring import Bench
from scripts.benchmark.pictures import measure_pictures
from scripts.benchmark.processes import ContestantFailed, end_leftovers
from scripts.benchmark.report import Report, machine_facts
from scripts.benchmark.results import Results
from scripts.benchmark.scenarios import SCENARIOS, Scenario
from scripts.benchmark.site import serve
from scripts.benchmark.task import measure_task

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
START = "start"
CONTEXTS = "contexts"
PICTURES = "pictures"
HTTP = "http"
TASK = "task"
INSTALL = "npm"

log = logging.getLogger("bench")


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    names = ", ".join(
        [START, TASK, CONTEXTS, PICTURES, HTTP, *(scenario.name for scenario in SCENARIOS)]
    )
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--peers", nargs="?", const=INSTALL, metavar="DIR", help="a directory with node_modules")
    add("--runs", type=int, default=10, metavar="N", help="repetitions of each act (10)")
    add("--quick", action="store_true", help="3 repetitions")
    add("--only", nargs="+", default=[""], metavar="NAME", help=f"beginnings of: {names}")
    add("--without-ours", action="store_true", help="leave this product out")
    add("--executable-path", default=find_browser(), metavar="FILE", help="the Chromium to use")
    add("--markdown", type=Path, metavar="FILE", help="write the table as Markdown too")
    add("--json", type=Path, metavar="FILE", help="write every value as JSON too")
    arguments = parser.parse_args()
    if arguments.executable_path is None:
        parser.error("no Chromium found: name one with --executable-path")
    if arguments.runs < 1:
        parser.error("--runs must be at least 1")
    if arguments.quick:
        arguments.runs = 3
    return arguments


def find_browser() -> str | None:
    """The Chromium named in the environment, or the first one on the PATH."""
    named = os.environ.get("VIEWPOINT_MCP_EXECUTABLE") or os.environ.get("CHROMIUM_PATH")
    return named or next(filter(None, map(shutil.which, BROWSERS)), None)


def gather_field(
    arguments: argparse.Namespace, workshop: Workshop
) -> tuple[list[Contestant], dict[str, str]]:
    """Return the contestants in the order of the columns, and the versions of their parts."""
    field: list[Contestant] = [Floor(workshop)]
    versions: dict[str, str] = {}
    if not arguments.without_ours:
        field.insert(0, contestants.viewpoint(workshop))
        versions[contestants.OURS] = own_version()
    if arguments.peers is not None:
        installed = Path(arguments.peers).resolve()
        if arguments.peers == INSTALL:
            installed = peers.install(workshop.scratch / INSTALL)
        field += [peers.playwright(workshop, installed), peers.devtools(workshop, installed)]
        versions["playwright-mcp"] = peers.version(installed, "@playwright/mcp")
        versions["chrome-devtools-mcp"] = peers.version(installed, "chrome-devtools-mcp")
    return field, versions


def own_version() -> str:
    """The installed version of this product."""
    try:
        return metadata.version(contestants.OURS)
    except metadata.PackageNotFoundError:
        return "not installed, run from the source tree"


def choose_scenarios(beginnings: Sequence[str]) -> list[Scenario]:
    """Return the scenarios whose names begin with one of the words."""
    return [one for one in SCENARIOS if one.name.startswith(tuple(beginnings))]


async def measure(arguments: argparse.Namespace, workshop: Workshop, bench: Bench) -> None:
    """Run the chosen scenarios. SIGTERM ends the run with a clean-up, as Ctrl+C does."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    if START.startswith(tuple(arguments.only)):
        await bench.measure_starts(max(3, arguments.runs // 2))
    scenarios = choose_scenarios(arguments.only)
    if scenarios:
        await bench.measure_session(scenarios, arguments.runs)
    if TASK.startswith(tuple(arguments.only)):
        await measure_task(
            [one for one in bench.field if isinstance(one, McpServer)], bench.results
        )
    if CONTEXTS.startswith(tuple(arguments.only)) and not arguments.without_ours:
        await measure_contexts(workshop, bench.site, bench.results, max(3, arguments.runs // 2))
    if PICTURES.startswith(tuple(arguments.only)) and not arguments.without_ours:
        await measure_pictures(workshop, bench.site, bench.results)
    if HTTP.startswith(tuple(arguments.only)) and not arguments.without_ours:
        await measure_http(workshop, bench.site, bench.results, 10 * arguments.runs)


def run(arguments: argparse.Namespace, scratch: Path) -> Report:
    """Measure everything and return the report."""
    workshop = Workshop(executable=arguments.executable_path, scratch=scratch)
    field, versions = gather_field(arguments, workshop)
    facts = machine_facts(workshop.executable, versions)
    results = Results()
    with serve() as site:
        asyncio.run(measure(arguments, workshop, Bench(field, site, results)))
    return Report(facts, [one.name for one in field], results)


def main() -> int:
    """Run the benchmark; returns the exit status."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as directory:
        scratch = Path(directory).resolve()
        try:
            report = run(arguments, scratch)
        except ContestantFailed as error:
            log.error("%s", error)
            return 1
        except (KeyboardInterrupt, asyncio.CancelledError):
            log.error("interrupted")
            return 130
        finally:
            for pid in end_leftovers(scratch):
                log.warning("process %d had been left behind and was killed", pid)
    sys.stdout.write(report.table())
    if arguments.markdown:
        arguments.markdown.write_text(report.markdown())
    if arguments.json:
        arguments.json.write_bytes(orjson.dumps(report.json(), option=orjson.OPT_INDENT_2))
    return 0


if __name__ == "__main__":
    sys.exit(main())

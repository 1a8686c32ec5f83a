"""Replay recorded tasks on real applications, and print what an agent had to read.

python -m scripts.reading                            this product, all applications
python -m scripts.reading --only trac --trace        one application, with all replies on stderr
python -m scripts.reading --peers DIR                also the peers of DIR/node_modules
python -m scripts.reading --save-baseline            keep the figures for later comparisons
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from scripts.bench import find_browser
from scripts.benchmark import contestants, peers
from scripts.benchmark.contestants import Workshop
from scripts.benchmark.processes import ContestantFailed, end_leftovers
from scripts.reading import applications, report, todomvc
from scripts.reading.applications import ApplicationFailed
from scripts.reading.player import Contestant, Cost, Player, SessionFailed, Trace
from scripts.reading.servers import (
    ADAPTERS,
    OURS,
    agent_browser,
    playwright_cli,
    viewpoint_shell,
)
from scripts.reading.sessions import SESSIONS
from scripts.reading.steps import Session

log = logging.getLogger("reading")


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = ", ".join(session.name for session in SESSIONS)
    add = parser.add_argument
    add("--only", nargs="+", default=[""], metavar="APP", help=f"beginnings of: {names}")
    add("--contestants", metavar="NAMES", help=f"servers to measure, of: {', '.join(ADAPTERS)}")
    add("--peers", type=Path, metavar="DIR", help="a directory with node_modules")
    add("--executable-path", default=find_browser(), metavar="FILE", help="the Chromium to use")
    add("--todomvc", action="store_true", help="one task on each application of TodoMVC instead")
    add("--save-baseline", action="store_true", help="keep the figures in baseline.json")
    add("--trace", action="store_true", help="print all calls and replies to stderr")
    arguments = parser.parse_args()
    if arguments.executable_path is None:
        parser.error("no Chromium found: name one with --executable-path")
    servers = list(ADAPTERS) if arguments.peers else list(OURS)
    arguments.contestants = arguments.contestants.split(",") if arguments.contestants else servers
    if unknown := [name for name in arguments.contestants if name not in servers]:
        parser.error(f"unknown or not installed: {', '.join(unknown)}")
    return arguments


def build_server(name: str, workshop: Workshop, installed: Path | None) -> Contestant:
    """Return a server, with its default snapshot budget."""
    if installed is not None and name == "playwright-mcp":
        return peers.playwright(workshop, installed.resolve())
    if installed is not None and name == "chrome-devtools-mcp":
        return peers.devtools(workshop, installed.resolve())
    if installed is not None and name in agent_browser.AGENT_BROWSER:
        return agent_browser.build_server(name, workshop, installed.resolve())
    if installed is not None and name in playwright_cli.PLAYWRIGHT_CLI:
        return playwright_cli.build_server(name, workshop, installed.resolve())
    if name == viewpoint_shell.NAME:
        return viewpoint_shell.build_server(workshop)
    command = contestants.viewpoint_command(workshop, "--isolated")
    return workshop.build(name, contestants.VIEWPOINT, command)


def replay(session: Session, name: str, arguments: argparse.Namespace) -> Cost:
    """Replay a session with a new server and a new application; a failure is part of the cost."""
    with tempfile.TemporaryDirectory(prefix="reading-", ignore_cleanup_errors=True) as directory:
        workshop = Workshop(executable=arguments.executable_path, scratch=Path(directory).resolve())
        server = build_server(name, workshop, arguments.peers)
        files = workshop.scratch / name
        for file, text in session.files.items():
            (files / file).write_text(text)
        try:
            with applications.run_application(session.application, session.path) as origin:
                player = Player(server, origin, files, trace(arguments.trace))
                asyncio.run(play(player, server, session))
                return player.cost
        except ApplicationFailed as error:
            return Cost(failure=str(error))
        finally:
            end_leftovers(workshop.scratch)


async def play(player: Player, server: Contestant, session: Session) -> None:
    """Run the server for a session, and note a failure."""
    try:
        began = time.monotonic()
        await server.start()
        player.cost.seconds += time.monotonic() - began
        player.cost.guide = await server.measure_guide()
        await player.play(session)
    except (SessionFailed, ContestantFailed, TimeoutError) as error:
        player.cost.failure = str(error) or type(error).__name__
    finally:
        await server.stop()


def trace(is_wanted: bool) -> Trace:
    """Return the function that gets all calls and replies."""
    return (lambda text: print(text, file=sys.stderr)) if is_wanted else (lambda _text: None)


def measure(arguments: argparse.Namespace) -> Mapping[str, Mapping[str, Cost]]:
    """Replay the chosen sessions with each server."""
    costs: dict[str, dict[str, Cost]] = {}
    for session in todomvc.build_sessions() if arguments.todomvc else SESSIONS:
        if session.name.startswith(tuple(arguments.only)):
            for name in arguments.contestants:
                log.info("%s: %s", session.name, name)
                cost = replay(session, name, arguments)
                costs.setdefault(session.name, {})[name] = cost
    return costs


def main() -> int:
    """Replay the sessions; the exit status is 1 if one did not succeed with this product."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    arguments = parse_arguments()
    try:
        applications.install()
        costs = measure(arguments)
    except ApplicationFailed as error:
        log.error("%s", error)
        return 1
    except KeyboardInterrupt:
        log.error("interrupted")
        return 130
    sys.stdout.write(report.build_report(costs))
    if arguments.save_baseline:
        report.save_baseline(costs)
    ours = [each[name] for each in costs.values() for name in OURS if name in each]
    return 1 if any(cost.failure for cost in ours) else 0


if __name__ == "__main__":
    sys.exit(main())

"""Prints how far the walker agrees with Chrome's accessibility tree: `make fidelity`."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from pathlib import Path

from cdp_protocol import Connection
from cdp_protocol.launching.arguments import LaunchOptions
from tests.prove.fidelity import floors
from tests.prove.fidelity.pages.corpus import corpus
from tests.prove.fidelity.pages.page import CorpusPage
from tests.prove.fidelity.pages.wpt import judge_wpt
from tests.prove.fidelity.report import report
from tests.prove.fidelity.run import Outcome, judge_pages
from viewpoint_mcp.browser.connect.arguments import make_launch_options
from viewpoint_mcp.browser.connect.executable import find_executable
from viewpoint_mcp.browser.connect.launch import launch_browser


async def main() -> int:
    parser = argparse.ArgumentParser(prog="fidelity", description=__doc__)
    parser.add_argument("--every", action="store_true", help="each disagreement with its page")
    parser.add_argument("--only", default="", metavar="TEXT", help="pages whose names contain it")
    parser.add_argument("--wpt", type=Path, metavar="DIR", help="a checkout of web-platform-tests")
    parser.add_argument("--write-floors", action="store_true", help="make the figures the floors")
    parser.add_argument("--executable-path", type=Path, metavar="FILE", help="the Chromium to use")
    arguments = parser.parse_args()
    executable = find_executable(arguments.executable_path, None, os.environ)
    options = make_launch_options(executable, sandbox=not _is_root(), extra_args=(NO_NETWORK,))
    if arguments.wpt:
        return await report_wpt(options, arguments.wpt)
    with corpus() as pages:
        expected = [page for page in pages if arguments.only in f"{page.part}/{page.name}"]
        outcome = await judge_with(options, expected)
    if arguments.write_floors:
        floors.write(outcome)
    for line in report(outcome, every=arguments.every):
        sys.stdout.write(f"{line}\n")
    return 0


async def report_wpt(options: LaunchOptions, checkout: Path) -> int:
    async with (
        await launch_browser(options) as process,
        Connection.open(process.websocket_url, timeout=30.0) as connection,
    ):
        for line in await judge_wpt(connection, checkout):
            sys.stdout.write(f"{line}\n")
    return 0


async def judge_with(options: LaunchOptions, pages: list[CorpusPage]) -> Outcome:
    async with (
        await launch_browser(options) as process,
        Connection.open(process.websocket_url, timeout=30.0) as connection,
    ):
        return await judge_pages(connection, pages)


NO_NETWORK = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


sys.exit(asyncio.run(main()))

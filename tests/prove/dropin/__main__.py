"""`make dropin`: plays a session on playwright-mcp and viewpoint-mcp with each configuration, and
prints what differs. Names of configurations as arguments select some.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.prove.dropin.comparing import Comparison, compare
from tests.prove.dropin.configurations import NAMES
from tests.prove.dropin.expected import list_expected
from viewpoint_mcp.browser.connect.executable import find_executable

AT_ONCE = 2  # configurations


async def main(names: list[str]) -> int:
    chromium = str(find_executable(None, None, os.environ))
    slots = asyncio.Semaphore(AT_ONCE)

    async def run(name: str) -> tuple[Comparison, float]:
        async with slots:
            start = time.monotonic()
            with tempfile.TemporaryDirectory(prefix="dropin-") as directory:
                return await compare(name, Path(directory), chromium), time.monotonic() - start

    results = await asyncio.gather(*map(run, names))
    print(f"{'configuration':18} {'same':>5} {'expected':>9} {'unexpected':>11} {'seconds':>8}")
    for comparison, seconds in results:
        different, unexpected = len(comparison.different), len(comparison.unexpected)
        same = len(comparison.peer) - different
        expected = different - unexpected
        print(f"{comparison.configuration:18} {same:5} {expected:9} {unexpected:11} {seconds:8.0f}")
    for comparison, _ in results:
        print_differences(comparison)
    return int(any(each.unexpected or each.outdated for each, _ in results))


def print_differences(comparison: Comparison) -> None:
    """Print the outcomes that differ, and the text in the documentation that explains each."""
    print(f"\n{comparison.configuration}")
    expected = list_expected(comparison.configuration)
    for name, (peer, ours) in comparison.different.items():
        print(f"  {name}: {expected.get(name, 'UNEXPECTED')}")
        if isinstance(peer, set) and isinstance(ours, set):
            peer, ours = peer - ours, ours - peer
        print(f"    playwright-mcp: {peer}\n    viewpoint-mcp:  {ours}")
    for name in sorted(comparison.outdated):
        print(f"  {name}: OUTDATED, both servers do the same")


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:] or list(NAMES))))

"""`make conformance`: runs the suite and prints the outcome of each scenario."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from tests.prove.conformance.suite import FIXTURE, GENERAL, PRODUCT, REVISIONS, run, scored, serving


async def main() -> int:
    is_good = True
    for title, server in (("on our core", FIXTURE), ("on the product", PRODUCT)):
        for revision in REVISIONS:
            counted = scored(revision) if server is FIXTURE else GENERAL[revision]
            with tempfile.TemporaryDirectory() as directory:
                async with serving(server, Path(directory)) as url:
                    outcomes = await run(url, revision, Path(directory, "out"))
            good = [name for name in counted if outcomes[name].is_good]
            print(f"{revision} {title}: {len(good)} of {len(counted)} scenarios that count pass")
            for name, outcome in outcomes.items():
                mark = "pass" if outcome.is_good else "fail" if name in counted else "-"
                print(f"  {mark:4} {name}: {outcome.passed} checks passed")
                for fault in outcome.faults if mark == "fail" else ():
                    print(f"       {fault}")
            is_good = is_good and len(good) == len(counted)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))

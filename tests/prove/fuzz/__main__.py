"""Sends mutated messages, tool arguments and hostile pages to running servers.

`python -m tests.prove.fuzz [COUNT] [--only PART] [--seed SEED] [--round ROUND]`
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from random import randrange

from tests.prove.fuzz.forgeries.rounds import fuzz_forgeries
from tests.prove.fuzz.fuzzing import fuzz_http, fuzz_stdio, fuzz_tools

_TEXTS_PERCENT = 10  # percentage of COUNT that are texts on hostile pages, which take longer


def main() -> int:
    options = _parse_options()
    seed = randrange(10**6) if options.seed is None else options.seed
    forgeries = partial(fuzz_forgeries, seed=seed, only=options.round)
    texts = max(options.count * _TEXTS_PERCENT // 100, 1)
    parts: Mapping[str, tuple[str, int, Callable[[int, Path], object]]] = {
        "stdio": ("inputs", options.count, fuzz_stdio),
        "HTTP": ("inputs", options.count, fuzz_http),
        "tools": ("calls", options.count, fuzz_tools),
        "forgeries": (f"texts of seed {seed}", texts, forgeries),
    }
    for name, (what, count, fuzz) in parts.items():
        if options.only not in (None, name):
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as directory:
            fuzz(count, Path(directory))
        took = time.monotonic() - began
        print(f"{name}: {count} {what} in {took:.0f} s, each answered as it should be", flush=True)
    return 0


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.prove.fuzz")
    parser.add_argument("count", nargs="?", type=int, default=100_000)
    parser.add_argument("--only", choices=["stdio", "HTTP", "tools", "forgeries"])
    parser.add_argument("--seed", type=int, help="Seed of the texts of hostile pages")
    parser.add_argument("--round", type=int, help="The only round of hostile pages to play")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

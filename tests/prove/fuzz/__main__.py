"""Sends mutated messages and tool arguments to running servers.

`python -m tests.prove.fuzz [COUNT]`
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from tests.prove.fuzz.fuzzing import fuzz_http, fuzz_stdio, fuzz_tools


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    for name, fuzz in (("stdio", fuzz_stdio), ("HTTP", fuzz_http), ("tools", fuzz_tools)):
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as directory:
            fuzz(count, Path(directory))
        took = time.monotonic() - began
        print(f"{name}: {count} inputs in {took:.0f} s, each answered as it should be", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Checks the ES modules of `viewpoint_mcp/inpage` and of the live view with the TypeScript
compiler: names, imports, exports, unused code, and types (strict).

Usage: python -m scripts.check_inpage

The first run fetches the compiler (`scripts/npm.py`). It is a native program and needs no Node.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from scripts.npm import FetchFailed, install, modules

ROOT = Path(__file__).resolve().parent.parent
PINNED = ROOT / "scripts" / "typescript"
PROJECTS = (
    ROOT / "viewpoint_mcp" / "inpage",
    ROOT / "viewpoint_mcp" / "transports" / "http" / "live_view",
)


def main() -> int:
    """Return the exit status of the compiler; 2 if there is none for this platform."""
    try:
        install(PINNED)
    except FetchFailed as error:
        print(f"check_inpage: {error}", file=sys.stderr)
        return 2
    folders = modules(PINNED).glob("@typescript/typescript-*/lib")
    found = [folder / name for folder in folders for name in ("tsc", "tsc.exe")]
    compilers = [path for path in found if path.exists()]
    if not compilers:
        print(f"check_inpage: no TypeScript compiler for {sys.platform}", file=sys.stderr)
        return 2
    statuses = [
        subprocess.run([compilers[0], "-p", each], check=False).returncode for each in PROJECTS
    ]
    return max(statuses)


if __name__ == "__main__":
    sys.exit(main())

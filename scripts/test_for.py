"""Runs the tests that a change of some files needs first: those named as the files, those that
import them, and for a script of `inpage` those of the walker.

Usage: python scripts/test_for.py FILE...
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
WALKER = TESTS / "browser" / "walker"
AT_MOST = 25  # files; `make test` runs the tests of modules that more files import


def main(files: list[str]) -> None:
    """Run the tests; exit with pytest's status, or with 2 if there are none."""
    chosen: dict[Path, None] = {}
    for file in files:
        path = Path(file).resolve()
        if not path.is_relative_to(ROOT) or not path.exists():
            sys.exit(f"{file} is no file of this project.")
        chosen.update(dict.fromkeys(tests_for(path)))
    if not chosen:
        print("No test names or imports these files. Run `make test`.")
        sys.exit(2)
    names = [str(each.relative_to(ROOT)) for each in chosen]
    print("Tests:", *names, sep="\n  ", flush=True)
    command = [sys.executable, "-m", "pytest", "-q", "-m", "not prove", *names]
    sys.exit(subprocess.run(command, cwd=ROOT, check=False).returncode)


def tests_for(path: Path) -> Iterator[Path]:
    """Yield the files of tests that concern a file, the nearest first."""
    if path.is_relative_to(TESTS):
        yield from (
            [path] if path.name.startswith("test_") else sorted(path.parent.glob("test_*.py"))
        )
        return
    every = sorted(TESTS.rglob("test_*.py"))
    stem = path.stem.removesuffix("s")
    yield from (each for each in every if each.stem.removesuffix("s") == f"test_{stem}")
    if path.suffix == ".js":
        yield from sorted(WALKER.glob("test_*.py"))
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    pattern = re.compile(rf"^(from|import) {re.escape(module)}\b", re.MULTILINE)
    importing = [each for each in every if pattern.search(each.read_text())]
    yield from importing[:AT_MOST]


if __name__ == "__main__":
    main(sys.argv[1:])

"""Runs mypy and pyright on the files here as if no mistake in them were marked."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from scripts.npm import modules, node

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
CALL_SITES = tuple(sorted(path for path in HERE.glob("cdp_*.py")))
PYRIGHT = modules(HERE) / "pyright" / "index.js"

_MARK = re.compile(r"  # type: ignore\[[a-z-]+\].*$", re.MULTILINE)

# Only type errors. Unused values in these files are intended.
_PYRIGHT_RULES = {
    "typeCheckingMode": "strict",
    "pythonVersion": "3.11",
    "extraPaths": [str(ROOT)],
    "reportUnusedCoroutine": "none",
    "reportUnusedExpression": "none",
}


class Place(NamedTuple):
    """A line of a file."""

    file: str
    line: int


def marked(files: Iterable[Path] = CALL_SITES) -> set[Place]:
    """Return the lines that are marked as mistakes."""
    return {
        Place(file.name, number)
        for file in files
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        if _MARK.search(line)
    }


def unmarked(directory: Path, files: Iterable[Path] = CALL_SITES) -> Path:
    """Copy the files without their marks, so that checkers have to find the mistakes."""
    for file in files:
        (directory / file.name).write_text(_MARK.sub("", file.read_text("utf-8")), "utf-8")
    return directory


def mypy(directory: Path) -> dict[Place, str]:
    """Return mypy's errors in the files of a directory by line, with this repository's settings."""
    command = [sys.executable, "-m", "mypy", "--output", "json", "--cache-dir", str(directory)]
    text = _run([*command, *(str(path) for path in sorted(directory.glob("*.py")))])
    return {
        Place(Path(each["file"]).name, each["line"]): f"{each['message']} [{each['code']}]"
        for each in map(json.loads, text.splitlines())
        if each["severity"] == "error"
    }


def pyright(directory: Path) -> dict[Place, str]:
    """Return pyright's errors in its strict mode, as `mypy` does."""
    if not PYRIGHT.is_file():
        raise FileNotFoundError(f"{PYRIGHT} is missing; `make suite` fetches it.")
    (directory / "pyrightconfig.json").write_text(json.dumps(_PYRIGHT_RULES), "utf-8")
    interpreter = node(HERE.parent / "conformance")
    options = ["--project", str(directory), "--outputjson", "--pythonpath", sys.executable]
    report: dict[str, Any] = json.loads(_run([str(interpreter), str(PYRIGHT), *options]))
    return {
        Place(Path(each["file"]).name, each["range"]["start"]["line"] + 1): each["message"]
        for each in report["generalDiagnostics"]
        if each["severity"] == "error"
    }


def _run(command: list[str]) -> str:
    run = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode not in {0, 1}:  # neither a clean bill nor findings
        raise RuntimeError(f"{command[0]} failed:\n{run.stdout}{run.stderr}")
    return run.stdout

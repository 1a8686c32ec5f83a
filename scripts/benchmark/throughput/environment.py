"""The virtual environment of the other clients: made for the run, or named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from scripts.benchmark.processes import ContestantFailed

PACKAGES = {
    "cdp-use": "cdp-use==1.4.5",
    "zendriver": "zendriver==0.17.1",
    "pydoll": "pydoll-python==3.0.0",
    "pychrome": "pychrome==0.2.4",
    "playwright": "playwright==1.65.2",
}
VERSIONS = (
    "import importlib.metadata as m, sys; print(*(f'{d.name}=={d.version}' for n in sys.argv[1:]"
    " for d in [m.distribution(n)]), sep='\\n')"
)


def install(directory: Path) -> Path:
    """Make an environment with all of them; returns its interpreter.

    Raises:
        ContestantFailed: pip could not install them.
    """
    python = interpreter(directory)
    for command in (
        [sys.executable, "-m", "venv", str(directory)],
        [str(python), "-m", "pip", "install", "--quiet", *PACKAGES.values()],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ContestantFailed(f"{command[2]} failed: {done.stderr.strip()[-300:]}")
    return python


def interpreter(directory: Path) -> Path:
    """The interpreter of an environment."""
    return directory / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def versions(python: Path, *packages: str) -> str:
    """Return the versions that an interpreter would import: "websockets==17.4, orjson==3.13.0"."""
    done = subprocess.run(
        [str(python), "-c", VERSIONS, *packages], capture_output=True, text=True, check=False
    )
    return ", ".join(done.stdout.split()) or f"unknown: {done.stderr.strip()[-200:]}"

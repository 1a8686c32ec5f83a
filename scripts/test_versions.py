"""Runs the tests that need no browser on each other Python from 3.11 on that is installed.

Usage: python scripts/test_versions.py
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
TESTS = ("tests/unit", "tests/replay")


def main() -> None:
    """Exit with 1 if the tests fail on one of them."""
    own = "{}.{}".format(*sys.version_info)
    found = {version: find(version) for version in VERSIONS if version != own}
    failed = [each for each, python in found.items() if python and not passes(python, each)]
    missing = [version for version, python in found.items() if python is None]
    if missing:
        print(f"Not installed here, and so not tried: Python {', '.join(missing)}")
    if failed:
        sys.exit(f"The tests fail on Python {', '.join(failed)}.")


def find(version: str) -> str | None:
    """Return the interpreter of a version, from PATH or from pyenv; None if there is none."""
    of_pyenv = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    for python in filter(None, [shutil.which(f"python{version}"), *map(str, of_pyenv)]):
        # The command on the PATH may be a stand-in that only names the package to install.
        if subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0:
            return python
    return None


def passes(python: str, version: str) -> bool:
    """Return whether the tests pass on a Python version, in a separate virtual environment."""
    print(f"Python {version}", flush=True)
    environment = ROOT / ".venv" / "versions" / version
    interpreter = environment / "bin" / "python"
    if not interpreter.exists():
        run(python, "-m", "venv", str(environment))
        install = (interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        run(*install, "--no-deps", "-r", str(ROOT / "requirements-dev.txt"))
        run(*install, "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    tried = subprocess.run([interpreter, "-m", "pytest", "-q", *TESTS], cwd=ROOT, check=False)
    return tried.returncode == 0


def run(*command: str | Path) -> None:
    """Run a command that has to succeed."""
    subprocess.run(command, check=True)


if __name__ == "__main__":
    main()

"""The wheel: built from this tree and installed with only its dependencies."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
PACKAGES = ("viewpoint_mcp", "cdp_protocol")
CLIENT = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "tests", "version": "0"},
}
REQUESTS: tuple[tuple[str, Any], ...] = (("initialize", CLIENT), ("tools/list", {}))


def run(command: Sequence[str | Path], *, cwd: Path, input: str = "") -> str:
    """Run a command that knows of no packages but its own, and return its output."""
    told = ("PYTHONPATH", "COVERAGE_PROCESS_CONFIG")  # of the run that this test belongs to
    env = {name: value for name, value in os.environ.items() if name not in told}
    done = subprocess.run(
        command,
        check=False,
        cwd=cwd,
        input=input,
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def introduction(command: Sequence[str | Path], cwd: Path) -> list[Any]:
    """Return a server's answers to initialize and tools/list."""
    messages = [
        {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        for number, (method, params) in enumerate(REQUESTS)
    ]
    completed = run(command, cwd=cwd, input="".join(f"{json.dumps(each)}\n" for each in messages))
    return sorted(map(json.loads, completed.splitlines()), key=lambda answer: int(answer["id"]))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel of this tree."""
    directory = tmp_path_factory.mktemp("wheel")
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", directory], cwd=ROOT)
    (built,) = directory.glob("*.whl")
    return built


def test_the_wheel_has_every_file_of_the_packages(wheel: Path) -> None:
    there = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert packed == there


@pytest.mark.prove
def test_the_installed_server_answers_like_the_one_in_the_tree(wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False, symlinks=True)
    python = environment / "bin" / "python"
    install = ("install", "--quiet", "--no-deps", "--no-index", wheel)
    run([sys.executable, "-m", "pip", "--python", python, *install], cwd=tmp_path)
    # Its dependencies come from this environment, so that no index is needed. Its packages do not,
    # because a .pth file beside them is not read.
    (own,) = (environment / "lib").glob("python*/site-packages")
    (own / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    where = "import viewpoint_mcp; print(viewpoint_mcp.__file__)"
    assert Path(run([python, "-c", where], cwd=tmp_path).strip()).is_relative_to(own)

    installed = introduction([environment / "bin" / "viewpoint-mcp"], tmp_path)
    assert installed[1]["result"]["tools"]
    assert installed == introduction([sys.executable, "-m", "viewpoint_mcp"], ROOT)
    helped = run([environment / "bin" / "cdp", "help", "Page.bringToFront"], cwd=tmp_path)
    assert helped.startswith("Page.bringToFront, a command\n")

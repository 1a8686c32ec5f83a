"""The packages of `make dist`: built from this tree, and installed with only their dependencies."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from collections.abc import Sequence
from email.parser import Parser
from pathlib import Path
from typing import Any

import pytest

from tests.deployments import read_dockerfile
from tests.e2e.support.client import StdioClient
from tests.site import Site
from viewpoint_mcp import __version__

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
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return what `make dist` makes, by suffix: .whl, .gz and .mcpb. It checks the metadata."""
    directory = tmp_path_factory.mktemp("dist")
    output = run([sys.executable, "-m", "scripts.packages", directory], cwd=ROOT)
    assert output.count("PASSED") == 2  # twine's verdict on wheel and sdist
    return {path.suffix: path for path in directory.iterdir()}


def test_the_wheel_has_every_file_of_the_packages(packages: dict[str, Path]) -> None:
    there = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(packages[".whl"]) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert packed == there


def test_make_dist_makes_three_packages_with_license_and_metadata(
    packages: dict[str, Path],
) -> None:
    assert set(packages) == {".whl", ".gz", ".mcpb"}
    with zipfile.ZipFile(packages[".whl"]) as archive:
        (metadata,) = (each for each in archive.namelist() if each.endswith("/METADATA"))
        (terms,) = (each for each in archive.namelist() if each.endswith("/licenses/LICENSE"))
        head = Parser().parsestr(archive.read(metadata).decode())
        assert archive.read(terms) == (ROOT / "LICENSE").read_bytes()
    assert (head["Name"], head["Version"]) == ("viewpoint-mcp", __version__)
    assert (head["License-Expression"], head["License-File"]) == ("MIT", "LICENSE")


@pytest.mark.prove
def test_the_sdist_has_all_files_that_its_tests_and_its_makefile_read(
    packages: dict[str, Path],
) -> None:
    with tarfile.open(packages[".gz"]) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    tracked = run(["git", "ls-files"], cwd=ROOT).splitlines()
    missing = {name for name in tracked if name not in packed}
    assert missing == {".ci/run", ".editorconfig"}


@pytest.mark.prove
@pytest.mark.parametrize("suffix", [".whl", ".gz"])
async def test_a_package_installed_in_an_empty_environment_opens_a_page(
    packages: dict[str, Path], suffix: str, tmp_path: Path, executable: str, site: Site
) -> None:
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False, symlinks=True)
    python = environment / "bin" / "python"
    # Its dependencies and the build backend come from this environment, so that no index is needed.
    # Its packages do not, because a .pth file beside them is not read.
    (own,) = (environment / "lib").glob("python*/site-packages")
    (own / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    install = ("install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation")
    run([sys.executable, "-m", "pip", "--python", python, *install, packages[suffix]], cwd=tmp_path)
    where = "import viewpoint_mcp; print(viewpoint_mcp.__file__)"
    assert Path(run([python, "-c", where], cwd=tmp_path).strip()).is_relative_to(own)

    command = environment / "bin" / "viewpoint-mcp"
    installed = introduction([command], tmp_path)
    assert installed[1]["result"]["tools"]
    assert installed == introduction([sys.executable, "-m", "viewpoint_mcp"], ROOT)
    helped = run([environment / "bin" / "cdp", "help", "Page.bringToFront"], cwd=tmp_path)
    assert helped.startswith("Page.bringToFront, a command\n")

    flags = ("--headless", "--executable-path", executable)
    how: Any = {"program": [str(command)], "env": {"PYTHONPATH": ""}}
    async with StdioClient.open(*flags, cwd=tmp_path, **how) as client:
        await client.initialize()
        shown = await client.call("browser_navigate", url=site.page("<h1>First page</h1>"))
    assert "First page" in shown.sections["Snapshot"]


@pytest.mark.prove
def test_the_image_builds_the_same_wheel_from_the_files_that_it_copies(
    packages: dict[str, Path], tmp_path: Path
) -> None:
    """Do what the build stage of the Dockerfile does, without its container."""
    source = tmp_path / "src"
    for copy in (each for each in read_dockerfile() if each.name == "COPY"):
        if "--from" not in copy.text:
            *names, target = copy.words
            for name in names:
                place = tmp_path / target.lstrip("/")
                if (ROOT / name).is_dir():
                    shutil.copytree(ROOT / name, place)
                else:
                    place.mkdir(exist_ok=True)
                    shutil.copy(ROOT / name, place)
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path], cwd=source)
    wheel = packages[".whl"]
    with zipfile.ZipFile(tmp_path / wheel.name) as built, zipfile.ZipFile(wheel) as expected:
        assert {each.filename: each.CRC for each in built.infolist()} == {
            each.filename: each.CRC for each in expected.infolist()
        }

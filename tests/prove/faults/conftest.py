"""Servers for the fault matrix, and a check that nothing is left after each test."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import StartServer, executable, open_http, open_server
from tests.e2e.support.client import StdioClient
from tests.leftovers import describe_leftovers
from tests.prove.faults.calls import Calls
from tests.site import Site

__all__ = ["executable", "open_http", "open_server"]

FLAGS = ("--caps=pdf", "--timeout-action=8000", "--timeout-navigation=12000")


@pytest.fixture(autouse=True)
def nothing_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test that leaves processes, profiles or other directories behind.

    Its servers have a temporary directory of their own, because other tests of this worker may
    share a browser that still runs.
    """
    with tempfile.TemporaryDirectory(prefix="f-") as name:
        monkeypatch.setenv("TMPDIR", name)
        monkeypatch.setattr(tempfile, "tempdir", name)
        directory = Path(name)
        yield
        assert describe_leftovers(directory) == []
        # Chromium uses the temporary directory if it has no home directory.
        assert {each.name for each in directory.iterdir()} <= {"compiled", ".config"}


@pytest.fixture
async def faulty(open_server: StartServer, tmp_path: Path) -> AsyncIterator[StdioClient]:
    """Return a server with short time limits, whose processes the test kills or stops."""
    (tmp_path / "file.txt").write_text("x")
    async with open_server(*FLAGS, cwd=tmp_path) as server:
        await server.initialize()
        yield server


@pytest.fixture
def calls(faulty: StdioClient, site: Site) -> Iterator[Calls]:
    """Return a call of each kind on the server, not yet started."""
    calls = Calls(faulty, site)
    yield calls
    calls.gate.open()

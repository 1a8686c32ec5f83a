"""Runs `viewpoint` in a process, as shells do, with servers that end with the test."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple

import pytest
from werkzeug import Request, Response

from tests.e2e.support.processes import find_descendants, wait_for_all_to_end
from tests.site import Site

SOCKET, LOOPBACK = "socket", "loopback"


class Printed(NamedTuple):
    """What a command printed, and its exit status."""

    status: int | None
    stdout: str
    stderr: str

    @property
    def text(self) -> str:
        """The output of a command that succeeded without a complaint."""
        assert (self.status, self.stderr) == (0, ""), self
        return self.stdout


class SlowPage(NamedTuple):
    """A page that is not answered within the test."""

    url: str
    is_requested: threading.Event


class Shell:
    """A shell in a workspace.

    Attributes:
        workspace: The working directory of the commands.
        runtime: The directory of the addresses.
        prefix: The words before each command.
        root: The root directory of the commands, as the test sees it.
    """

    def __init__(self, workspace: Path, runtime: Path, executable: str, transport: str) -> None:
        self.workspace = workspace
        self.runtime = runtime
        self.prefix: tuple[str, ...] = ()
        self.root = ""
        self.env = {
            **os.environ,
            "XDG_RUNTIME_DIR": str(runtime),
            "TMPDIR": str(runtime / "t"),
            "VIEWPOINT_MCP_EXECUTABLE_PATH": executable,
            "VIEWPOINT_MCP_NO_SANDBOX": "1",
            "VIEWPOINT_LOOPBACK": "1" if transport == LOOPBACK else "",
        }

    async def start(
        self,
        *argv: str,
        cwd: Path | None = None,
        env: dict[str, str] | None = None,
        stdout: int | IO[bytes] = PIPE,
    ) -> Process:
        """Start a command."""
        command = ("-m", "viewpoint_mcp.shell", *argv)
        return await self.start_python(*command, cwd=cwd, env=env, stdout=stdout)

    async def start_python(
        self,
        *argv: str,
        cwd: Path | None = None,
        env: dict[str, str] | None = None,
        stdout: int | IO[bytes] = PIPE,
    ) -> Process:
        """Start Python in the environment of the shell."""
        return await asyncio.create_subprocess_exec(
            *(*self.prefix, sys.executable, *argv),
            stdin=PIPE,
            stdout=stdout,
            stderr=PIPE,
            cwd=cwd or self.workspace,
            env=self.env | (env or {}),
        )

    async def run(
        self,
        *argv: str,
        stdin: str = "",
        cwd: Path | None = None,
        env: dict[str, str] | None = None,
    ) -> Printed:
        """Run a command."""
        return await finish(await self.start(*argv, cwd=cwd, env=env), stdin)

    @property
    def addresses(self) -> list[Path]:
        """The sockets and port files of the servers that run, or that were killed."""
        files = self.see(self.runtime).glob("viewpoint-mcp/*")
        return sorted(each for each in files if each.suffix in (".sock", ".port"))

    @property
    def profiles(self) -> list[Path]:
        """The profiles of the browsers that run, or whose servers were killed, and other files."""
        return sorted(self.see(self.runtime / "t").iterdir())

    def see(self, path: Path) -> Path:
        """Return the path of a file of the commands for the test."""
        return Path(f"{self.root}{path}")

    def find_servers(self) -> dict[int, str]:
        """Return the servers that run: their command lines by pid."""
        return {
            pid: command
            for pid, command in find_descendants(1).items()
            if "viewpoint_mcp.shell.background.server" in command and str(self.runtime) in command
        }

    def find_processes(self) -> dict[int, str]:
        """Return the servers and all processes below them."""
        servers = self.find_servers()
        below = {pid: each for server in servers for pid, each in find_descendants(server).items()}
        return servers | below

    def has_processes(self) -> bool:
        """Return whether any process of this test runs, also one that lost its parent."""
        return any(map(self._is_of_this_test, Path("/proc").glob("[0-9]*")))

    def _is_of_this_test(self, process: Path) -> bool:
        with suppress(OSError):  # It has ended.
            facts = (process / "environ").read_bytes() + (process / "cmdline").read_bytes()
            return os.fsencode(self.runtime) in facts
        return False


async def finish(process: Process, stdin: str = "") -> Printed:
    """Wait until a command ends."""
    stdout, stderr = await process.communicate(stdin.encode())
    return Printed(process.returncode, stdout.decode(), stderr.decode())


@asynccontextmanager
async def open_shell(
    factory: pytest.TempPathFactory, executable: str, workspace: Path, transport: str = SOCKET
) -> AsyncIterator[Shell]:
    """Return a shell; end its servers after the block, and make sure that nothing is left."""
    shell = Shell(workspace, factory.mktemp("r"), executable, transport)
    async with end_servers(shell):
        yield shell


@asynccontextmanager
async def end_servers(shell: Shell) -> AsyncIterator[None]:
    """End the servers of a shell after the block, and make sure that nothing is left."""
    shell.see(shell.runtime / "t").mkdir()
    try:
        yield
    finally:
        processes = shell.find_processes()
        await shell.run("close", "--all")
    assert await wait_for_all_to_end(processes, 5)
    assert (shell.addresses, shell.profiles) == ([], [])


@pytest.fixture
def transport(request: pytest.FixtureRequest) -> str:
    """Return how servers listen: on a Unix socket, unless a test chooses otherwise."""
    return getattr(request, "param", SOCKET)


@pytest.fixture
async def shell(
    tmp_path_factory: pytest.TempPathFactory, executable: str, tmp_path: Path, transport: str
) -> AsyncIterator[Shell]:
    """Return a shell without a server."""
    async with open_shell(tmp_path_factory, executable, tmp_path, transport) as shell:
        yield shell


@pytest.fixture(scope="module")
async def shared_shell(
    tmp_path_factory: pytest.TempPathFactory, executable: str
) -> AsyncIterator[Shell]:
    """Return a shell. All tests of the module use its server."""
    workspace = tmp_path_factory.mktemp("workspace")
    async with open_shell(tmp_path_factory, executable, workspace) as shell:
        yield shell


@pytest.fixture
def slow(site: Site) -> Iterator[SlowPage]:
    """Return a page that is answered after the test."""
    is_requested, is_over = threading.Event(), threading.Event()

    def respond(_request: Request) -> Response:
        is_requested.set()
        is_over.wait(60)
        return Response("late")

    yield SlowPage(site.handle("/slow", respond), is_requested)
    is_over.set()

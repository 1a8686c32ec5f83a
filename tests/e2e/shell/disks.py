"""Disks that a test can fill: they hold the workspace, the directory of the server, and TMPDIR.

- `LimitedDisk` limits the size of files for the processes of the shell (RLIMIT_FSIZE). It works on
  each machine; the kernel reports another error than for a full disk.
- `SmallDisk` is a file system in memory with few blocks and few inodes, in a mount namespace. It
  needs the right to mount, as root or in a user namespace.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import resource
import subprocess
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.e2e.shell.conftest import Shell, finish

_SIZE = "96m"  # Chromium's profile takes 20 MB.
_INODES = 4000
_BLOCK = bytes(1 << 16)


class Disk(ABC):
    """A disk.

    Attributes:
        reason: What the kernel reports when it is full.
    """

    reason: str

    @abstractmethod
    def fill(self, shell: Shell) -> None:
        """Use all space."""

    @abstractmethod
    def free(self, shell: Shell) -> None:
        """Make space again."""


class LimitedDisk(Disk):
    """A disk that is full for the processes of the shell: no file may grow."""

    reason = "File too large"

    def fill(self, shell: Shell) -> None:
        shell.prefix = ("prlimit", "--fsize=0:unlimited")
        # A signal would end Python before it can ignore the signal.
        shell.env["PYTHONDONTWRITEBYTECODE"] = "1"
        self._limit(shell, 0)

    def free(self, shell: Shell) -> None:
        shell.prefix = ()
        self._limit(shell, resource.RLIM_INFINITY)

    def _limit(self, shell: Shell, size: int) -> None:
        for each in shell.find_servers():
            resource.prlimit(each, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


class SmallDisk(Disk):
    """A file system in memory."""

    reason = "No space left on device"

    def __init__(self, directory: Path) -> None:
        self._filler = directory / "filler"

    def fill(self, shell: Shell) -> None:
        self._filler.mkdir()
        with pytest.raises(OSError, match=self.reason):
            self._use_all_blocks()
        with pytest.raises(OSError, match=self.reason):
            self._use_all_inodes()

    def _use_all_blocks(self) -> None:
        with (self._filler / "blocks").open("wb", buffering=0) as file:
            while True:
                file.write(_BLOCK)

    def _use_all_inodes(self) -> None:
        for number in itertools.count():
            (self._filler / str(number)).touch()

    def free(self, shell: Shell) -> None:
        for each in self._filler.iterdir():
            each.unlink()
        self._filler.rmdir()


@asynccontextmanager
async def mount_small_disk(
    directory: Path,
) -> AsyncIterator[tuple[SmallDisk, str, tuple[str, ...]]]:
    """Mount a small disk at a directory, in a namespace that ends with the block.

    Yields:
        The disk, the root directory of the namespace for other processes, and the words before a
        command that runs in the namespace.
    """
    mount = f"mount -t tmpfs -o size={_SIZE},nr_inodes={_INODES} tmpfs {directory} && echo && cat"
    user = () if os.geteuid() == 0 else ("--user", "--map-root-user")
    holder = await asyncio.create_subprocess_exec(
        *("unshare", "--mount", *user, "sh", "-c", mount),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert holder.stdout is not None
    if await holder.stdout.readline() != b"\n":
        _, stderr = await holder.communicate()
        pytest.fail(f"This test needs the right to mount a file system: {stderr.decode()}")
    root = f"/proc/{holder.pid}/root"
    joins = () if os.geteuid() == 0 else ("--user", "--preserve-credentials")
    try:
        yield (
            SmallDisk(Path(f"{root}{directory}")),
            root,
            ("nsenter", f"--target={holder.pid}", "--mount", *joins),
        )
    finally:
        await finish(holder)

"""A full disk: the command fails with a reason, nothing is left behind, and the next one works."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from tests.e2e.shell.conftest import Shell


@pytest.fixture
def full_file() -> Iterator[IO[bytes]]:
    """Return a file on which each write fails as on a full disk: a device of the kernel."""
    with Path("/dev/full").open("wb") as file:
        yield file


async def test_output_that_cannot_be_written_is_an_error(
    shell: Shell, full_file: IO[bytes]
) -> None:
    command = await shell.start("get-config", "--raw", stdout=full_file)
    _, stderr = await command.communicate()
    assert command.returncode == 1
    assert stderr == (
        b"The command has run, but its output cannot be written: No space left on device.\n"
    )
    assert (await shell.run("get-config", "--raw")).status == 0

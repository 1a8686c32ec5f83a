"""What a command adds to the call of its tool."""

from __future__ import annotations

import time

import pytest

from tests.e2e.shell.conftest import Shell, finish

ROUNDS = 10
LIMIT = 0.06  # seconds


@pytest.mark.timing
async def test_a_command_takes_little_more_than_the_start_of_python(shell: Shell) -> None:
    python, command = [], []
    assert (await shell.run("get-config")).status == 0  # the server compiles its modules
    for _ in range(ROUNDS):
        start = time.perf_counter()
        await finish(await shell.start_python("-c", "pass"))
        python.append(time.perf_counter() - start)
        start = time.perf_counter()
        await shell.run("get-config", "--raw")  # it needs no browser
        command.append(time.perf_counter() - start)
    assert min(command) - min(python) < LIMIT

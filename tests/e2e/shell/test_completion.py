"""Tab completes commands in a real bash. tests/prove/shells tests zsh and fish."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.shell.conftest import Shell
from tests.e2e.shell.terminal import COMPLETIONS, PROMPT, Terminal, make_executables, open_terminal

ROUNDS = 10
LIMIT = 0.1  # seconds


@pytest.fixture
def terminal(shell: Shell, tmp_path: Path) -> Iterator[Terminal]:
    directory = make_executables(tmp_path)
    env = {**shell.env, "PATH": f"{directory}:{shell.env['PATH']}", "HOME": str(tmp_path)}
    with open_terminal("bash", shell.workspace, env) as terminal:
        terminal.read_until(PROMPT)
        terminal.run("source <(viewpoint completion bash)")
        yield terminal


def test_tab_completes_commands_flags_values_and_files(terminal: Terminal, shell: Shell) -> None:
    (shell.workspace / "photo of tea.png").touch()
    for line, completed in {
        **COMPLETIONS,
        "viewpoint start --user-data-d": "--user-data-dir ",
        "viewpoint completion z": "completion zsh ",
    }.items():
        assert terminal.complete(line, completed).endswith(completed)


async def test_tab_completes_the_names_of_open_sessions(terminal: Terminal, shell: Shell) -> None:
    for name in ("anna", "ben and co"):
        assert (await shell.run("-s", name, "get-config")).status == 0
    assert terminal.complete("viewpoint -s an", "anna ")
    assert terminal.complete("viewpoint snapshot --session=be", r"--session=ben\ and\ co ")


async def test_tab_does_not_wait_for_a_server_that_hangs(shell: Shell) -> None:
    assert (await shell.run("get-config")).status == 0
    words = ("completion", "candidates", "--", "-s", "")
    assert (await shell.run(*words)).text == "default\n"
    (server,) = shell.find_servers()
    os.kill(server, signal.SIGSTOP)
    try:
        assert (await asyncio.wait_for(shell.run(*words), 10)).text == ""
    finally:
        os.kill(server, signal.SIGCONT)


def test_a_ref_is_not_completed_with_the_names_of_files(terminal: Terminal, shell: Shell) -> None:
    (shell.workspace / "e1").touch()
    terminal.type("viewpoint click \t\t\t# end\n")
    assert "e1" not in terminal.read_until(PROMPT).replace("\a", "").split("click", 1)[1]


@pytest.mark.timing
async def test_tab_takes_a_tenth_of_a_second_at_most(shell: Shell) -> None:
    words = ("completion", "candidates", "--", "click", "e1", "--d")
    assert "--double-click" in (await shell.run(*words)).text
    elapsed = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        await shell.run(*words)
        elapsed.append(time.perf_counter() - start)
    assert min(elapsed) < LIMIT
    assert shell.addresses == []

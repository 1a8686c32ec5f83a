"""A shell in a terminal, in which a test types and presses Tab."""

from __future__ import annotations

import os
import pty
import select
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

TAB = "\t"
PROMPT = "ready> "
COMPLETIONS = {
    "viewpoint take-scr": "take-screenshot ",
    "viewpoint click e1 --dou": "--double-click ",
    "viewpoint --json tabs sel": "tabs select ",
    "viewpoint console --level err": "--level error ",
    "viewpoint console --level=err": "--level=error ",
    "viewpoint upload pho": r"photo\ of\ tea.png ",
    "viewpoint pdf --filename=pho": r"--filename=photo\ of\ tea.png ",
}
"""Command lines before and after Tab, in a directory with the file `photo of tea.png`."""

_ARGV: dict[str, list[str]] = {
    "bash": ["bash", "--noprofile", "--norc", "-i"],
    "zsh": ["zsh", "--no-rcs", "-i"],
}
_LIMIT = 20.0  # seconds


class Terminal:
    """A running shell.

    Args:
        descriptor: The terminal's end that belongs to the test.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._descriptor, text.encode())

    def read_until(self, expected: str) -> str:
        """Return what the terminal prints until it has printed a text."""
        printed = b""
        deadline = time.monotonic() + _LIMIT
        while expected not in printed.decode(errors="replace"):
            limit = deadline - time.monotonic()
            if limit <= 0 or not select.select([self._descriptor], [], [], limit)[0]:
                raise AssertionError(f"The terminal printed {printed!r} without {expected!r}.")
            printed += os.read(self._descriptor, 65536)
        return printed.decode(errors="replace")

    def run(self, command: str) -> str:
        """Run a command, and return the output."""
        self.type(f"{command}\n")
        return self.read_until(PROMPT)

    def complete(self, line: str, expected: str) -> str:
        """Press Tab after a line, wait for a text, and erase the line. Return the output."""
        self.type(line + TAB)
        printed = self.read_until(expected)
        self.type("\x01\x0b\n")  # Ctrl+A, Ctrl+K
        self.read_until(PROMPT)
        return printed


def make_executables(directory: Path) -> Path:
    """Write the commands of this checkout to a directory. Return the directory."""
    modules = {"viewpoint": "viewpoint_mcp.shell", "viewpoint-mcp": "viewpoint_mcp"}
    for name, module in modules.items():
        script = directory / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {module} "$@"\n')
        script.chmod(0o755)
    return directory


@contextmanager
def open_terminal(shell: str, cwd: Path, env: dict[str, str]) -> Iterator[Terminal]:
    """Run a shell in a terminal until the end of the block."""
    argv: list[str] = _ARGV[shell]
    if shutil.which(argv[0]) is None:
        pytest.fail(f"{shell} is not installed. Run scripts/setup.sh shells.")
    pid, descriptor = pty.fork()
    if pid == 0:
        os.chdir(cwd)
        os.execvpe(argv[0], argv, {**env, "TERM": "dumb", "PS1": PROMPT, "INPUTRC": os.devnull})
    try:
        yield Terminal(descriptor)
    finally:
        os.close(descriptor)  # The shell receives SIGHUP.
        os.waitpid(pid, 0)

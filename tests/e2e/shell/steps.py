"""Stops a client or a server at a step of its work, so that a test can kill a process there.

The processes get a `sitecustomize` module with an audit hook. At an event of the interpreter, such
as the start of a process, it sends its own process SIGSTOP.
"""

from __future__ import annotations

import os
from asyncio.subprocess import Process
from pathlib import Path
from typing import NamedTuple

from tests.e2e.shell.conftest import Shell
from tests.e2e.support.processes import wait_until

CLIENT = "viewpoint_mcp.shell"
SERVER = "viewpoint_mcp.shell.background.server"

_HOOK = """
import os, signal, sys

module, event, count, text = os.environ["STOP_AT"].split(" ", 3)
remaining = int(count) if module in sys.orig_argv else 0

def stop(name, arguments):
    global remaining
    if remaining and name == event and text in str(arguments):
        remaining -= 1
        if not remaining:
            os.kill(os.getpid(), signal.SIGSTOP)

sys.addaudithook(stop)
"""


class Step(NamedTuple):
    """A step of the work of a client or a server.

    Attributes:
        module: The module that the process runs: CLIENT or SERVER.
        event: The audit event with which the step begins.
        occurrence: Which of these events it is.
        text: What the arguments of the event contain.
    """

    module: str
    event: str
    occurrence: int = 1
    text: str = ""


async def start_with_stop(shell: Shell, step: Step, *argv: str) -> Process:
    """Start a command that stops at a step, or whose server does so, then or later."""
    hooks = shell.runtime / "hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / "sitecustomize.py").write_text(_HOOK)
    path = os.pathsep.join(filter(None, (str(hooks), os.environ.get("PYTHONPATH"))))
    stop_at = f"{step.module} {step.event} {step.occurrence} {step.text}"
    return await shell.start(*argv, env={"PYTHONPATH": path, "STOP_AT": stop_at})


async def wait_for_stopped_server(shell: Shell) -> int:
    """Wait until a server has stopped at its step, and return its pid."""
    await wait_until(lambda: any(map(_is_stopped, shell.find_servers())))
    (server,) = shell.find_servers()
    return server


async def wait_for_stop(process: Process) -> None:
    """Wait until a client has stopped at its step."""
    await wait_until(lambda: _is_stopped(process.pid))


def _is_stopped(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] == "T"

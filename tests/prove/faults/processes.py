"""The processes of a server's Chromium, by their role."""

from __future__ import annotations

import os
import signal
from collections.abc import Collection
from pathlib import Path

from tests.e2e.support.client import McpClient, Reply
from tests.e2e.support.processes import find_browser, find_descendants, find_renderers, wait_until

BROWSER, RENDERER, GPU, NETWORK = "browser", "renderer", "gpu", "network"
END = 20.0  # seconds until a process has ended, on a busy machine; 5 s otherwise
_MARKS = {GPU: "--type=gpu-process", NETWORK: "--utility-sub-type=network"}
_WORK = "() => { const end = performance.now() + 400; while (performance.now() < end); }"


def find_processes(server: int, role: str, *, except_for: Collection[int] = ()) -> list[int]:
    """Return the pids of the processes with a role.

    Args:
        server: The pid of the server.
        except_for: Renderers that do not count.
    """
    if role == BROWSER:
        return [find_browser(server)]
    if role == RENDERER:
        return [pid for pid in find_renderers(server) if pid not in except_for]
    return [pid for pid, each in find_descendants(server).items() if _MARKS[role] in each]


async def find_renderer(client: McpClient, server: int) -> int:
    """Return the renderer of the current page: the one that works while the page runs a script.

    Chromium keeps another renderer ready, which looks the same.
    """
    before = {pid: _processor_time(pid) for pid in find_renderers(server)}
    await client.call("browser_evaluate", function=_WORK)
    return max(before, key=lambda pid: _processor_time(pid) - before[pid])


def send_signal(pids: Collection[int], number: signal.Signals) -> None:
    """Send a signal to processes, some of which may have ended."""
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


async def stop(pids: Collection[int]) -> None:
    """Stop processes (SIGSTOP), and return when none of their threads runs any more.

    On a busy machine, threads go on until the one that takes the signal gets a processor.
    """
    send_signal(pids, signal.SIGSTOP)
    await wait_until(lambda: all(map(_is_stopped, pids)))


def error_code(reply: Reply) -> str | None:
    """Return the code of a failed call; None if it succeeded."""
    content = reply.raw.get("structuredContent") or {}
    assert reply.is_error == ("error" in content), reply.text
    return content["error"]["code"] if reply.is_error else None


def _processor_time(pid: int) -> int:
    user, system = _read_stat(Path(f"/proc/{pid}"))[11:13]
    return int(user) + int(system)


def _is_stopped(pid: int) -> bool:
    """Return whether each thread of a process is stopped or has ended."""
    try:
        return all(_read_stat(each)[0] in "TZX" for each in Path(f"/proc/{pid}/task").iterdir())
    except (FileNotFoundError, ProcessLookupError):  # A thread or the process ends.
        return not Path(f"/proc/{pid}").exists()


def _read_stat(thread: Path) -> list[str]:
    return (thread / "stat").read_text().rpartition(")")[2].split()

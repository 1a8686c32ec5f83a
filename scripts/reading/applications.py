"""Installs the applications on first use, and runs one with prepared data on a free port."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from scripts import npm

HERE = Path(__file__).resolve().parent
CACHE = HERE.parents[1] / "build" / "reading"
PYTHON = CACHE / "venv" / "bin" / "python"
REQUIREMENTS = HERE / "requirements.txt"
START_TIMEOUT = 300.0
STOP_TIMEOUT = 10.0


class ApplicationFailed(Exception):
    """An application cannot be installed or started; the message has the reason."""


def install() -> None:
    """Install the pinned packages of pip and npm; do nothing if they are installed.

    Raises:
        ApplicationFailed: A package could not be installed.
    """
    stamp = CACHE / "installed.txt"
    wanted = REQUIREMENTS.read_text()
    try:
        npm.install(HERE)
        if stamp.is_file() and stamp.read_text() == wanted:
            return
        print(f"Installing the Python applications into {CACHE}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", CACHE / "venv"], check=True)
        pip: list[str | Path] = [
            PYTHON,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ]
        subprocess.run([*pip, "--no-deps", "-r", REQUIREMENTS], check=True)
    except (npm.FetchFailed, subprocess.CalledProcessError) as error:
        raise ApplicationFailed(f"the applications cannot be installed: {error}") from error
    stamp.write_text(wanted)


def find_free_port() -> int:
    """Return a port of the loopback that no process uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def run_application(name: str, path: str) -> Iterator[str]:
    """Run an application in a new directory until the block ends, and yield its origin.

    Args:
        name: Of its script in `apps`.
        path: A path that answers when the application is ready.

    Raises:
        ApplicationFailed: It ended, or did not answer in time.
    """
    port = find_free_port()
    origin = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory(prefix="reading-", ignore_cleanup_errors=True) as directory:
        log = Path(directory, "application.log")
        with log.open("wb") as output:
            process = subprocess.Popen(
                [PYTHON, HERE / "apps" / f"{name}.py", str(port), str(npm.modules(HERE))],
                cwd=directory,
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            wait_until_ready(process, origin + path, log)
            yield origin
        finally:
            stop(process)


def environment() -> dict[str, str]:
    """Return this process's environment without the import path of the project."""
    own = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    return {name: value for name, value in os.environ.items() if name not in own}


def wait_until_ready(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    """Wait until the application answers a request.

    Raises:
        ApplicationFailed: It ended, or did not answer in time.
    """
    end = time.monotonic() + START_TIMEOUT
    while not answers(url):
        if process.poll() is not None or time.monotonic() > end:
            raise ApplicationFailed(f"{url} does not answer: {log.read_text()[-1000:]}")
        time.sleep(0.2)


def answers(url: str) -> bool:
    """Return whether a server answers below status 500."""
    try:
        with urllib.request.urlopen(url, timeout=10):
            return True
    except urllib.error.HTTPError as error:
        return error.code < 500
    except OSError:
        return False


def stop(process: subprocess.Popen[bytes]) -> None:
    """End the application and the processes that it started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(STOP_TIMEOUT)

"""`viewpoint-mcp doctor`, run as a user runs it."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import viewpoint_mcp
from tests.e2e.support.command import run
from tests.e2e.support.processes import find_descendants, wait_for_all_to_end, wait_until
from tests.e2e.support.proxies import running_proxy
from tests.e2e.support.users_browser import UserBrowser

NOWHERE = "127.0.0.1:1"
NO_DISPLAY = {"DISPLAY": "", "WAYLAND_DISPLAY": ""}
NAMES = [
    *("python", "browser", "sandbox", "display", "shared-memory", "fonts", "profile"),
    *("output-directory", "screenshot-directory", "temporary-directory", "disk-space"),
    *("proxy", "proxy-environment", "endpoint", "start"),
]
Check = Mapping[str, Any]


@dataclass
class Report:
    """The output of the command with --json."""

    status: int | None
    document: dict[str, object]
    text: str
    stderr: str

    @property
    def checks(self) -> list[Check]:
        checks = self.document["checks"]
        assert isinstance(checks, list)
        return checks

    def __getitem__(self, name: str) -> Check:
        return next(check for check in self.checks if check["name"] == name)

    def outcome(self, name: str) -> str:
        return str(self[name]["status"])


async def diagnose(*flags: str, cwd: Path, **env: str) -> Report:
    """Run `doctor --json` with the flags before it."""
    status, stdout, stderr = await run(*flags, "doctor", "--json", cwd=cwd, **env)
    report = Report(status, json.loads(stdout), stdout, stderr)
    failures = [check for check in report.checks if check["status"] == "failed"]
    assert all(check["fix"] for check in failures)
    assert (status, report.document["ok"]) == ((1, False) if failures else (0, True))
    return report


def names_in(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def script(path: Path, *lines: str) -> Path:
    """Write a fake browser that prints its version and otherwise runs the lines."""
    version = 'case "$*" in *--version*) echo "Chromium 1.2.3"; exit;; esac'
    path.write_text("\n".join(["#!/bin/sh", version, *lines, ""]))
    path.chmod(0o755)
    return path


async def test_on_a_good_machine_nothing_fails_and_no_files_or_processes_remain(
    executable: str, tmp_path: Path
) -> None:
    flags = ("--executable-path", executable, "--user-data-dir=profile")
    with TemporaryDirectory() as temporary:  # of a short path
        report = await diagnose(*flags, cwd=tmp_path, TMPDIR=temporary, **NO_DISPLAY)
        assert names_in(Path(temporary)) == []
        # Its profile existed, and the environment of each of its processes names the directory.
        assert not any(temporary in command for command in find_descendants(1).values())
    assert report.status == 0
    assert report.document["version"] == viewpoint_mcp.__version__
    assert [check["name"] for check in report.checks] == NAMES
    assert {*report.checks[0]} == {"name", "status", "summary", "details", "fix"}
    assert "the browser started in" in report["start"]["summary"]
    assert report.outcome("start") == "ok"
    assert executable in report["browser"]["details"]
    assert report.outcome("display") == "note"
    assert "run headless" in report["display"]["summary"]
    assert report.stderr == ""
    assert names_in(tmp_path) == []


async def test_a_temporary_directory_with_too_long_a_path_for_chromium_is_reported(
    executable: str, tmp_path: Path
) -> None:
    temporary = tmp_path / ("x" * 80)
    temporary.mkdir()
    flags = ("--headless", "--executable-path", executable)
    report = await diagnose(*flags, cwd=tmp_path, TMPDIR=str(temporary))
    assert report.outcome("temporary-directory") == "failed"
    assert report["temporary-directory"]["fix"] == "Set TMPDIR to a shorter path."
    assert report.outcome("start") == "skipped"


async def test_a_package_that_cannot_be_imported_is_reported_with_the_install_command(
    tmp_path: Path,
) -> None:
    broken = tmp_path / "PIL"
    broken.mkdir()
    (broken / "__init__.py").write_text('raise ImportError("libjpeg.so is missing")')
    path = f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    report = await diagnose("--browser=msedge", cwd=tmp_path, PYTHONPATH=path)
    assert report.outcome("python") == "failed"
    assert report["python"]["details"] == ["cannot import pillow: libjpeg.so is missing"]
    assert "-m pip install" in report["python"]["fix"]


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (("--browser=msedge",), "No browser of the channel msedge was found."),
        (("--executable-path=/nowhere/chromium",), "does not exist"),
    ],
)
async def test_a_missing_browser_fails_with_advice(
    tmp_path: Path, flags: tuple[str, ...], expected: str
) -> None:
    report = await diagnose(*flags, cwd=tmp_path, CHROMIUM_PATH="", VIEWPOINT_MCP_EXECUTABLE="")
    assert report.outcome("browser") == "failed"
    assert expected in report["browser"]["summary"]
    assert "--executable-path" in report["browser"]["fix"]
    assert report.outcome("start") == "skipped"


async def test_the_last_output_of_a_crashed_browser_is_shown(tmp_path: Path) -> None:
    words = "chrome: error while loading shared libraries: libnss3.so: cannot open shared object"
    browser = script(tmp_path / "browser", f'echo "{words}" >&2; exit 127')
    report = await diagnose("--headless", "--executable-path", str(browser), cwd=tmp_path)
    assert report["browser"]["summary"] == "Chromium 1.2.3"
    assert "exited at once with status 127" in report["start"]["summary"]
    assert report["start"]["details"] == [words]
    assert "The library libnss3.so is missing" in report["start"]["fix"]


@pytest.mark.prove
async def test_a_terminated_doctor_leaves_neither_browser_nor_profile(tmp_path: Path) -> None:
    browser = script(tmp_path / "browser", "exec sleep 1000")
    with TemporaryDirectory() as temporary:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "viewpoint_mcp", "--headless"),
            *("--executable-path", str(browser), "doctor"),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=tmp_path,
            env=os.environ | {"TMPDIR": temporary},
        )
        await wait_until(
            lambda: any("sleep" in command for command in find_descendants(process.pid).values())
        )
        started = find_descendants(process.pid)
        process.terminate()
        stdout, stderr = await process.communicate()
        assert await wait_for_all_to_end(started, 5)
        assert names_in(Path(temporary)) == []
    assert (process.returncode, stdout, stderr) == (1, b"", b"Aborted!\n")


async def test_a_file_that_is_no_program_is_reported(tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_bytes(b"\x7fnothing")
    browser.chmod(0o755)
    report = await diagnose("--headless", "--executable-path", str(browser), cwd=tmp_path)
    assert report.outcome("browser") == "failed"
    assert ": Exec format error" in report["browser"]["summary"]


async def test_directories_that_cannot_be_written_to_are_found_by_writing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    flags = ("--browser=msedge", "--output-dir=file/below", "--screenshot-dir=/proc/pictures")
    report = await diagnose(*flags, "--user-data-dir=made/for/now", cwd=tmp_path)
    assert report.outcome("output-directory") == "failed"
    assert "Not a directory" in report["output-directory"]["summary"]
    assert "--output-dir" in report["output-directory"]["fix"]
    assert report.outcome("screenshot-directory") == "failed"
    assert "--screenshot-dir" in report["screenshot-directory"]["fix"]
    assert report.outcome("profile") == "ok"
    assert "/proc" not in str(report["disk-space"])  # it has no space, and needs none
    assert names_in(tmp_path) == ["file"]


async def test_a_full_disk_is_reported_and_no_file_remains(tmp_path: Path) -> None:
    limited = 'ulimit -f 1; exec "$0" -m viewpoint_mcp --browser=msedge doctor --json'
    process = await asyncio.create_subprocess_exec(
        *("/bin/sh", "-c", limited, sys.executable),
        stdout=asyncio.subprocess.PIPE,
        cwd=tmp_path,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "COVERAGE_PROCESS_CONFIG": ""},
    )
    stdout, _ = await process.communicate()
    report = Report(process.returncode, json.loads(stdout), "", "")
    assert report.outcome("output-directory") == "failed"
    assert "File too large" in report["output-directory"]["summary"]
    assert names_in(tmp_path) == []


async def test_a_profile_in_use_is_reported_with_the_process(
    user_browser: UserBrowser, tmp_path: Path
) -> None:
    flags = ("--browser=msedge", "--user-data-dir", str(user_browser.profile))
    report = await diagnose(*flags, cwd=tmp_path)
    assert report.outcome("profile") == "failed"
    assert f"in use by process {user_browser.process.pid}" in report["profile"]["summary"]
    assert "Close that browser" in report["profile"]["fix"]


async def test_the_browser_to_attach_to_is_checked_and_not_changed(
    user_browser: UserBrowser, tmp_path: Path
) -> None:
    before = await user_browser.pages()
    report = await diagnose(f"--cdp-endpoint={user_browser.websocket_url}", cwd=tmp_path)
    assert report.status == 0
    assert report["endpoint"]["summary"].startswith("Chrome/")
    assert report["endpoint"]["summary"].endswith(f":{user_browser.port}, 1 tab")
    assert report.outcome("start") == report.outcome("browser") == "skipped"
    assert await user_browser.pages() == before


async def test_a_browser_to_attach_to_that_does_not_answer_fails_without_its_token(
    tmp_path: Path,
) -> None:
    endpoint = f"--cdp-endpoint=ws://user:hush@{NOWHERE}/devtools?token=hush"
    report = await diagnose(endpoint, cwd=tmp_path)
    assert report.outcome("endpoint") == "failed"
    assert f"Cannot attach to a browser at ws://{NOWHERE}" in report["endpoint"]["summary"]
    assert "--remote-debugging-port" in report["endpoint"]["fix"]
    assert "hush" not in report.text + report.stderr


@pytest.mark.parametrize("scheme", ["http", "socks5"])
@pytest.mark.parametrize(
    ("login", "outcome", "expected"),
    [
        ("me:hush@", "ok", "answers, and accepts the user name and password"),
        ("me:hushhush@", "failed", "refused the user name and password"),
        ("", "failed", " require"),
    ],
)
async def test_the_doctor_checks_whether_the_proxy_accepts_the_credentials(
    tmp_path: Path, scheme: str, login: str, outcome: str, expected: str
) -> None:
    async with running_proxy(tmp_path, scheme, "me:hush") as proxy:
        server = f"--proxy-server={scheme}://{login}{proxy.address}"
        report = await diagnose("--browser=msedge", server, cwd=tmp_path)
    assert report.outcome("proxy") == outcome
    assert proxy.address in report["proxy"]["summary"]
    assert expected in report["proxy"]["summary"]
    assert "hush" not in report.text + report.stderr


@pytest.mark.parametrize(("login", "reason"), [("me:hush@", ""), ("", " (Connection refused)")])
async def test_a_proxy_that_is_not_there_fails(tmp_path: Path, login: str, reason: str) -> None:
    server = f"--proxy-server=http://{login}{NOWHERE}"
    environment = {"https_proxy": "http://you:hush@proxy.test:8080"}
    report = await diagnose("--browser=msedge", server, cwd=tmp_path, **environment)
    assert report.outcome("proxy") == "failed"
    assert report["proxy"]["summary"] == f"the proxy {NOWHERE} cannot be reached{reason}"
    assert "Correct --proxy-server" in report["proxy"]["fix"]
    assert "https_proxy=http://***@proxy.test:8080" in report["proxy-environment"]["details"]
    assert "hush" not in report.text + report.stderr


async def test_a_display_that_does_not_answer_fails(tmp_path: Path) -> None:
    report = await diagnose("--browser=msedge", cwd=tmp_path, **NO_DISPLAY | {"DISPLAY": ":54321"})
    assert report.outcome("display") == "failed"
    assert "DISPLAY=:54321" in report["display"]["summary"]
    assert "--headless" in report["display"]["fix"]


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (("doctor", "--headless"), "(flags of the server go before the word)"),
        (("--viewport-size=big", "doctor"), "--viewport-size"),
    ],
)
async def test_wrong_flags_end_it_with_2(
    tmp_path: Path, flags: tuple[str, ...], expected: str
) -> None:
    status, stdout, stderr = await run(*flags, cwd=tmp_path)
    assert (status, stdout) == (2, "")
    assert expected in stderr
    assert "Traceback" not in stderr


async def test_a_table_shows_advice_below_each_failed_check(tmp_path: Path) -> None:
    status, stdout, _ = await run("--browser=msedge", "--headless", "doctor", cwd=tmp_path)
    lines = stdout.splitlines()
    (failure,) = (line for line in lines if line.startswith("failed"))
    assert failure.startswith("failed   browser               No browser of the channel msedge")
    assert any(line.strip().startswith("-> Install one") for line in lines)
    assert lines[-1].startswith("1 failed, ")
    assert "\x1b" not in stdout
    assert status == 1


@pytest.mark.parametrize(("no_color", "is_colored"), [("", True), ("1", False)])
async def test_a_terminal_gets_colors_unless_no_color_is_set(
    tmp_path: Path, no_color: str, is_colored: bool
) -> None:
    ours, theirs = pty.openpty()
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "viewpoint_mcp", "--browser=msedge", "doctor"),
            stdout=theirs,
            cwd=tmp_path,
            env=os.environ | {"NO_COLOR": no_color},
        )
        os.close(theirs)
        shown = await asyncio.to_thread(read_all, ours)
        await process.wait()
    finally:
        os.close(ours)
    assert b"No browser of the channel msedge" in shown
    assert (b"\x1b[" in shown) is is_colored


def read_all(descriptor: int) -> bytes:
    """Read from a terminal until its other end is closed."""
    shown = b""
    try:
        while data := os.read(descriptor, 4096):
            shown += data
    except OSError:  # Linux raises this at the end
        pass
    return shown

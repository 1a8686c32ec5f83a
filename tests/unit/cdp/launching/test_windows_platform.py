"""Calls of Windows functions, checked with a fake of its kernel."""

from __future__ import annotations

import ctypes
import logging
from pathlib import Path
from typing import Any

import pytest

from cdp_protocol.launching.executable import find_executable
from cdp_protocol.launching.windows_platform import (
    ExtendedLimits,
    Job,
    is_open_in_other_process,
    is_process_alive,
)

JOB, PROCESS = 40, 44
POINTERS_OF_64_BITS = 8


class Kernel:
    """A fake kernel that records the calls and returns scripted results, by default success."""

    def __init__(self, **answers: int) -> None:
        self.calls: list[str] = []
        self.closed: list[int] = []
        self.flags = 0
        self._answers = {"CreateJobObjectW": JOB, "OpenProcess": PROCESS} | answers

    def __getattr__(self, name: str) -> Any:
        def call(*args: Any) -> int:
            self.calls.append(name)
            if name == "CloseHandle":
                self.closed.append(args[0])
            if name == "SetInformationJobObject":
                limits = ctypes.cast(args[2], ctypes.POINTER(ExtendedLimits)).contents
                self.flags = limits.BasicLimitInformation.LimitFlags
            return self._answers.get(name, 1)

        return call


def test_the_limits_have_the_size_that_windows_knows() -> None:
    size = 144 if ctypes.sizeof(ctypes.c_void_p) == POINTERS_OF_64_BITS else 112
    assert ctypes.sizeof(ExtendedLimits) == size


def test_a_job_ends_with_the_last_that_has_a_handle_of_it() -> None:
    kernel = Kernel()
    job = Job.create_for_process(4711, kernel)
    assert job is not None
    assert kernel.flags == 0x2000  # JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
    assert kernel.calls[-2:] == ["AssignProcessToJobObject", "CloseHandle"]
    assert kernel.closed == [PROCESS]
    job.close()
    job.close()
    assert kernel.closed == [PROCESS, JOB]


@pytest.mark.parametrize(
    ("refused", "closed"),
    [
        ("CreateJobObjectW", []),
        ("SetInformationJobObject", [JOB]),
        ("OpenProcess", [JOB]),
        ("AssignProcessToJobObject", [PROCESS, JOB]),
    ],
)
def test_without_permission_there_is_no_job_and_no_open_handle(
    refused: str, closed: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    kernel = Kernel(**{refused: 0})
    with caplog.at_level(logging.WARNING):
        assert Job.create_for_process(4711, kernel) is None
    assert kernel.closed == closed
    assert "Chromium may keep running" in caplog.text


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"WaitForSingleObject": 0x102}, True),  # WAIT_TIMEOUT: it has not ended
        ({"WaitForSingleObject": 0}, False),
        ({"OpenProcess": 0, "GetLastError": 5}, True),  # ERROR_ACCESS_DENIED: another user's
        ({"OpenProcess": 0, "GetLastError": 87}, False),  # ERROR_INVALID_PARAMETER: no such pid
    ],
)
def test_a_process_runs_until_its_exit_is_signalled(
    answers: dict[str, int], expected: bool
) -> None:
    kernel = Kernel(**answers)
    assert is_process_alive(4711, kernel) is expected
    assert kernel.closed == ([PROCESS] if answers.get("OpenProcess") != 0 else [])


def test_a_lock_file_that_is_not_there_or_can_be_opened_is_nobodys(tmp_path: Path) -> None:
    assert not is_open_in_other_process(tmp_path / "lockfile")
    (tmp_path / "lockfile").touch()
    assert not is_open_in_other_process(tmp_path / "lockfile")


def test_a_file_that_cannot_be_opened_exclusively_is_in_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "open", refuse)
    assert is_open_in_other_process(tmp_path / "lockfile")


@pytest.mark.parametrize("given", ["brave", "brave.exe"])
def test_a_command_is_found_on_the_path_of_windows_with_or_without_its_suffix(given: str) -> None:
    environ = {"PATH": r"C:\Windows;D:\Brave"}
    found = find_executable(
        {"the caller": given},
        environ,
        platform="win32",
        can_run=lambda path: path.replace("/", "\\") == r"D:\Brave\brave.exe",
    )
    assert found.name.endswith("brave.exe")

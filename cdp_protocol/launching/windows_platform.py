"""Replacements on Windows for process groups, the lifeline pipe and file locks of POSIX.

A job object contains the browser and all processes that it starts. When the last handle of the job
closes, Windows ends them all. The kernel closes the handle of this process when the process ends
for any reason. This code follows Microsoft's documentation and never ran on Windows; see
docs/decisions/0025.
"""

from __future__ import annotations

import ctypes
import logging
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)

_KILL_ON_JOB_CLOSE = 0x2000
_EXTENDED_LIMIT_INFORMATION = 9
_SET_QUOTA_AND_TERMINATE = 0x0101
_SYNCHRONIZE = 0x00100000
_ACCESS_DENIED = 5
_WAIT_TIMEOUT = 0x102


class _BasicLimits(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION."""

    _fields_ = (
        ("PerProcessUserTimeLimit", ctypes.c_int64),
        ("PerJobUserTimeLimit", ctypes.c_int64),
        ("LimitFlags", ctypes.c_uint32),
        ("MinimumWorkingSetSize", ctypes.c_size_t),
        ("MaximumWorkingSetSize", ctypes.c_size_t),
        ("ActiveProcessLimit", ctypes.c_uint32),
        ("Affinity", ctypes.c_size_t),
        ("PriorityClass", ctypes.c_uint32),
        ("SchedulingClass", ctypes.c_uint32),
    )


class ExtendedLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("BasicLimitInformation", _BasicLimits),
        ("IoInfo", ctypes.c_uint64 * 6),
        ("ProcessMemoryLimit", ctypes.c_size_t),
        ("JobMemoryLimit", ctypes.c_size_t),
        ("PeakProcessMemoryUsed", ctypes.c_size_t),
        ("PeakJobMemoryUsed", ctypes.c_size_t),
    )


class Job:
    """A job object with a process and all processes that it starts later.

    Args:
        kernel: The functions of kernel32.
        handle: The handle of the job.
    """

    def __init__(self, kernel: Any, handle: int) -> None:
        self._kernel = kernel
        self._handle: int | None = handle

    @classmethod
    def create_for_process(cls, pid: int, kernel: Any = None) -> Job | None:
        """Put a process into a new job. If Windows refuses, log a warning and return None.

        Args:
            pid: The process.
            kernel: The functions of kernel32; None to load them.

        Source: Win32 `CreateJobObjectW`, `SetInformationJobObject`, `AssignProcessToJobObject`.
        """
        kernel = load_kernel32() if kernel is None else kernel
        handle = kernel.CreateJobObjectW(None, None)
        if handle and _assign_process_to_job(kernel, handle, pid):
            return cls(kernel, handle)
        log.warning(
            "Windows created no job object. If this process is killed, Chromium may keep running."
        )
        if handle:
            kernel.CloseHandle(handle)
        return None

    def close(self) -> None:
        """Close the handle of the job, which ends all its processes at once. Idempotent."""
        handle, self._handle = self._handle, None
        if handle is not None:
            self._kernel.CloseHandle(handle)


def _assign_process_to_job(kernel: Any, job: int, pid: int) -> bool:
    limits = ExtendedLimits()
    limits.BasicLimitInformation.LimitFlags = _KILL_ON_JOB_CLOSE
    size = ctypes.sizeof(limits)
    if not kernel.SetInformationJobObject(
        job, _EXTENDED_LIMIT_INFORMATION, ctypes.byref(limits), size
    ):
        return False
    process = kernel.OpenProcess(_SET_QUOTA_AND_TERMINATE, 0, pid)
    if not process:
        return False
    try:
        return bool(kernel.AssignProcessToJobObject(job, process))
    finally:
        kernel.CloseHandle(process)


def is_process_alive(pid: int, kernel: Any = None) -> bool:
    """Return whether a process with this pid exists, even one of another user.

    Args:
        pid: The process.
        kernel: The functions of kernel32; None to load them.

    Source: Win32 `OpenProcess`, `WaitForSingleObject`.
    """
    kernel = load_kernel32() if kernel is None else kernel
    process = kernel.OpenProcess(_SYNCHRONIZE, 0, pid)
    if not process:
        return bool(kernel.GetLastError() == _ACCESS_DENIED)
    try:
        return bool(kernel.WaitForSingleObject(process, 0) == _WAIT_TIMEOUT)
    finally:
        kernel.CloseHandle(process)


def is_open_in_other_process(file: Path) -> bool:
    """Return whether another process has a file open without sharing it.

    On Windows, Chromium keeps `lockfile` in its profile open like this from its start to its end.
    """
    try:
        file.open("r+b").close()
    except PermissionError:
        return True
    except OSError:
        return False
    return False


def load_kernel32() -> Any:
    """Return the functions of kernel32 with their argument and result types declared.

    Without the declarations, ctypes would cut handles to the size of a C int.
    """
    # Other systems have neither `WinDLL` nor `get_last_error`.
    kernel: Any = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]
    handle, number = ctypes.c_void_p, ctypes.c_uint32
    kernel.CreateJobObjectW.argtypes = (ctypes.c_void_p, ctypes.c_wchar_p)
    kernel.CreateJobObjectW.restype = handle
    kernel.SetInformationJobObject.argtypes = (handle, ctypes.c_int, ctypes.c_void_p, number)
    kernel.OpenProcess.argtypes = (number, ctypes.c_int, number)
    kernel.OpenProcess.restype = handle
    kernel.AssignProcessToJobObject.argtypes = (handle, handle)
    kernel.WaitForSingleObject.argtypes = (handle, number)
    kernel.WaitForSingleObject.restype = number
    # ctypes keeps a copy of the error code. Calls of Python itself overwrite the original.
    kernel.GetLastError = ctypes.get_last_error  # type: ignore[attr-defined,unused-ignore]
    kernel.CloseHandle.argtypes = (handle,)
    return kernel

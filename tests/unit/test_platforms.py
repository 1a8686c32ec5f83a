"""No module imports what other systems lack."""

from __future__ import annotations

import subprocess
import sys

import pytest

# The standard library and others' packages are loaded first: they are those of this system.
_IMPORT_ALL = """
import asyncio, ctypes, importlib, json, os, pkgutil, signal, socket, ssl, subprocess, sys, tempfile
import click, msgspec, orjson, PIL.Image, PIL.ImageDraw, PIL.ImageFont, websockets.asyncio.client
import h11, uvicorn.protocols.http.h11_impl
import http.client, importlib.metadata, multiprocessing, shutil, urllib.request, zoneinfo

platform, *lacks = sys.argv[1:]
sys.platform = platform
for name in lacks:
    module, _, attribute = name.partition(".")
    if not attribute:
        sys.modules[name] = None
    elif hasattr(sys.modules[module], attribute):
        delattr(sys.modules[module], attribute)

count = 0
for package in ("viewpoint_mcp", "cdp_protocol"):
    found = pkgutil.walk_packages(importlib.import_module(package).__path__, package + ".")
    for each in found:
        if not each.name.endswith("__main__"):
            importlib.import_module(each.name)
            count += 1
print(count)
"""
_LACKING_ON_WINDOWS = (
    *("fcntl", "pwd", "grp", "resource", "termios", "tty", "pty", "syslog", "readline"),
    *("os.getuid", "os.geteuid", "os.killpg", "os.getpgid", "os.setsid", "os.fork", "os.uname"),
    *("os.O_NOFOLLOW", "os.O_NONBLOCK", "os.O_DIRECTORY", "os.statvfs", "os.mkfifo"),
    *("signal.SIGKILL", "signal.SIGHUP", "signal.SIGUSR1", "signal.SIGCHLD"),
    *("socket.AF_UNIX", "socket.AF_NETLINK", "socket.SO_PEERCRED"),
)
_LACKING_ON_MACOS = ("socket.AF_NETLINK", "socket.SO_PEERCRED")


@pytest.mark.parametrize(
    ("platform", "lacking"), [("win32", _LACKING_ON_WINDOWS), ("darwin", _LACKING_ON_MACOS)]
)
def test_every_module_can_be_imported_without_the_modules_that_a_system_lacks(
    platform: str, lacking: tuple[str, ...]
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _IMPORT_ALL, platform, *lacking],
        capture_output=True,
        text=True,
        check=False,
        timeout=25,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 200

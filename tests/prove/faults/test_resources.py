"""Servers that lack a resource: they start the browser and work, or name the cause and the remedy.

| resource | result |
|---|---|
| 64 file descriptors | `browser_unavailable`, with the limit to raise |
| /dev/shm missing, read-only or 64 KiB | works, with --disable-dev-shm-usage |
| no font | works |
| HOME unset, or a file | works |
| temporary directory read-only | `browser_unavailable`, with TMPDIR; works if a browser runs |
| disk full before the launch | `browser_unavailable`; works once it has space |
| disk full in each kind of call | only calls that save a file fail; the next ones work |

`tests/e2e/every_tool/test_unwritable_directory.py` has the working and output directory that
cannot be written to, for each tool; tests/e2e/shell/test_full_disk.py a disk that is really full.
No test run can write to the cache directory.
"""

from __future__ import annotations

import os
import resource
import shutil
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.support.client import Reply, StdioClient
from tests.e2e.support.processes import find_descendants
from tests.prove.faults.calls import KINDS, Calls
from tests.prove.faults.conftest import FLAGS
from tests.prove.faults.processes import error_code
from tests.site import Site

pytestmark = pytest.mark.time_limit(100)

NO_FONTS = '<!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig></fontconfig>'
SAVES_FILE = {"screenshot", "pdf"}


def in_namespace(mount: str) -> tuple[str, ...]:
    """Return the words before a command that runs with its own mounts."""
    assert shutil.which("unshare"), "This test needs unshare of util-linux."
    user = () if os.geteuid() == 0 else ("--map-root-user",)
    return ("unshare", "--mount", *user, "sh", "-c", f'{mount} && exec "$0" "$@"')


class Place(NamedTuple):
    """How a server is started.

    Attributes:
        prefix: The words before its command.
        env: Changes of the environment; `{}` is the directory of the test.
    """

    prefix: Sequence[str] = ()
    env: Mapping[str, str] = {}


WORKS = {
    "read-only-shm": Place(in_namespace("mount -t tmpfs -o ro tmpfs /dev/shm")),
    "tiny-shm": Place(in_namespace("mount -t tmpfs -o size=64k tmpfs /dev/shm")),
    "no-fonts": Place(env={"FONTCONFIG_FILE": "{}/fonts.conf"}),
    "no-home": Place(("env", "-u", "HOME")),
    "home-is-a-file": Place(env={"HOME": "/dev/null"}),
}
if os.geteuid() == 0:  # Others cannot remove a mount of the machine.
    WORKS["no-shm"] = Place(in_namespace("umount -l /dev/shm"))
FAILS = {
    "64-descriptors": (Place(("prlimit", "--nofile=64:64")), "Raise the limit of open files"),
    "read-only-tmp": (
        Place(in_namespace('mount -t tmpfs -o ro tmpfs "$TMPDIR"'), {"TMPDIR": "{}/t"}),
        "set TMPDIR to another one",
    ),
}


def start(
    place: Place, executable: str, tmp_path: Path
) -> AbstractAsyncContextManager[StdioClient]:
    """Start a server in a place."""
    (tmp_path / "t").mkdir()
    (tmp_path / "fonts.conf").write_text(NO_FONTS)
    env = {name: value.format(tmp_path) for name, value in place.env.items()}
    flags = ("--headless", "--executable-path", executable, *FLAGS)
    return StdioClient.open(*flags, cwd=tmp_path, prefix=place.prefix, env=env)


@pytest.mark.parametrize("place", WORKS.values(), ids=WORKS)
async def test_it_works_all_the_same(
    place: Place, executable: str, tmp_path: Path, site: Site
) -> None:
    async with start(place, executable, tmp_path) as server:
        await server.initialize()
        url = site.page("<h1>Tea</h1><button onclick='document.body.append(1)'>Go</button>")
        for tool, arguments in (
            ("navigate", {"url": url}),
            ("click", {"ref": "button"}),
            ("take_screenshot", {}),
            ("pdf_save", {}),
            ("tabs", {"action": "new", "url": url}),
        ):
            params = {"name": f"browser_{tool}", "arguments": arguments}
            reply = Reply.of(await server.request("tools/call", params))
            assert error_code(reply) is None, reply.text


@pytest.mark.parametrize(("place", "remedy"), FAILS.values(), ids=FAILS)
async def test_the_cause_and_the_remedy_are_named(
    place: Place, remedy: str, executable: str, tmp_path: Path, site: Site
) -> None:
    async with start(place, executable, tmp_path) as server:
        await server.initialize()
        for _ in range(3):
            reply = await server.call("browser_navigate", url=site.url())
            assert error_code(reply) == "browser_unavailable"
            assert remedy in reply.text
        assert find_descendants(server.process.pid) == {}
        assert await server.request("ping") == {}


# ---- a disk that is full: no file of these processes may grow


def limit_files(server: StdioClient, size: int, *, with_browser: bool = True) -> None:
    """Limit the size of files that a server and its browser write."""
    for pid in (
        server.process.pid,
        *(find_descendants(server.process.pid) if with_browser else ()),
    ):
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


async def test_the_disk_is_full_before_the_launch(faulty: StdioClient, site: Site) -> None:
    limit_files(faulty, 0)
    reply = await faulty.call("browser_navigate", url=site.url())
    assert error_code(reply) == "browser_unavailable"
    assert "Free some space" in reply.text or "File too large" in reply.text, reply.text
    assert find_descendants(faulty.process.pid) == {}
    limit_files(faulty, resource.RLIM_INFINITY)
    reply = await faulty.call("browser_navigate", url=site.page("<h1>Tea</h1>"))
    assert "Tea" in reply.sections["Snapshot"]


async def test_the_disk_becomes_full_in_each_kind_of_call(
    faulty: StdioClient, calls: Calls
) -> None:
    await calls.start()
    limit_files(faulty, 0, with_browser=False)
    calls.gate.open()
    for name, (reply, _) in (await calls.finish()).items():
        if name in SAVES_FILE:
            assert "File too large" in reply.text, f"{name}: {reply.text}"
        else:
            assert error_code(reply) is None, f"{name}: {reply.text}"
    limit_files(faulty, resource.RLIM_INFINITY)
    for kind in KINDS:
        reply = await faulty.call("browser_take_screenshot", context=kind.name)
        assert error_code(reply) is None, f"{kind.name}: {reply.text}"
        assert "saved to" in reply.text

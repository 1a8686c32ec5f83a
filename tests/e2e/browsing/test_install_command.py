"""`viewpoint-mcp install-browser` against a site that serves the browser well or badly."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.support.download_site import (
    EXECUTABLE,
    LIST,
    ROOT,
    VERSION,
    Mirror,
    archive,
    list_files,
    script,
)
from tests.e2e.support.processes import wait_until
from tests.site import Site

PART = "chrome-linux64.zip.part"
LOADER = "error while loading shared libraries: libnss3.so: cannot open shared object file"


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str


Install = Callable[..., Coroutine[None, None, Ran]]


@pytest.fixture
def mirror(site: Site, executable: str) -> Iterator[Mirror]:
    mirror = Mirror(site, archive(script(executable)))
    yield mirror
    mirror.go_on.set()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "browsers"


@pytest.fixture
def install(site: Site, place: Path) -> Install:
    async def install(*flags: str, shell: str = "", **environ: str) -> Ran:
        given = ("--force", *flags)
        env = environment(place, site.url("/cft")) | environ
        process = await spawn(*given, shell=shell, env=env)
        out, err = await process.communicate()
        assert process.returncode is not None
        return Ran(process.returncode, out.decode(), err.decode())

    return install


def environment(place: Path, host: str) -> dict[str, str]:
    ours = {"VIEWPOINT_MCP_BROWSER_DIR": str(place), "VIEWPOINT_MCP_DOWNLOAD_HOST": host}
    return {**os.environ, **ours}


async def spawn(*flags: str, env: dict[str, str], shell: str = "") -> asyncio.subprocess.Process:
    command = [sys.executable, "-m", "viewpoint_mcp", "install-browser", *flags]
    return await asyncio.create_subprocess_exec(
        *("/bin/sh", "-c", f'{shell}\nexec "$@"', "sh", *command),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=env,
    )


async def test_the_browser_is_unpacked_with_its_modes_and_links_and_has_started(
    mirror: Mirror, install: Install, place: Path
) -> None:
    ran = await install()
    assert ran.status == 0, ran.err
    assert "Installed Chrome for Testing 1" in ran.out
    assert str(place / EXECUTABLE) in ran.out
    assert f"Downloading Chrome for Testing {VERSION}" in ran.err
    assert list_files(place) == {VERSION}
    root = place / VERSION / ROOT
    assert (root / "chrome").stat().st_mode & 0o777 == 0o755
    assert (root / "icudtl.dat").stat().st_mode & 0o777 == 0o640
    assert (root / "current").readlink() == Path("icudtl.dat")


async def test_an_installed_browser_is_named_and_nothing_downloaded(
    mirror: Mirror, executable: str, place: Path
) -> None:
    env = environment(place, mirror.host) | {"VIEWPOINT_MCP_EXECUTABLE": executable}
    process = await spawn(env=env)
    out, _ = await process.communicate()
    assert process.returncode == 0
    assert f"ready: {executable}, version " in out.decode()
    assert "named by" in out.decode()
    assert mirror.requested_ranges == []
    assert not list_files(place.parent)


async def test_a_download_that_breaks_off_is_continued(
    mirror: Mirror, install: Install, place: Path
) -> None:
    mirror.breaks_at = [200_000]
    mirror.failures = [500]
    ran = await install()
    assert ran.status == 0, ran.err
    assert mirror.requested_ranges == [None, None, "bytes=200000-"]
    assert list_files(place) == {VERSION}


@pytest.mark.prove
async def test_a_partial_download_is_continued_by_the_next_command(
    mirror: Mirror, install: Install, place: Path
) -> None:
    mirror.breaks_at = [100_000]
    mirror.after_break = lambda: mirror.failures.extend([503] * 3)
    ran = await install()
    assert ran.status == 1
    assert "answered 503" in ran.err
    assert "The next attempt resumes the download" in ran.err
    assert (await install()).status == 0
    assert mirror.requested_ranges[-1] == "bytes=100000-"


@pytest.mark.prove
async def test_from_a_server_without_ranges_the_whole_file_is_downloaded_again(
    mirror: Mirror, install: Install
) -> None:
    mirror.ranges = False
    mirror.breaks_at = [200_000]
    ran = await install()
    assert ran.status == 0, ran.err
    assert mirror.requested_ranges == [None, "bytes=200000-"]


@pytest.mark.prove
async def test_a_file_that_is_another_one_by_now_is_not_pieced_together(
    mirror: Mirror, install: Install, place: Path, executable: str
) -> None:
    mirror.breaks_at = [200_000]
    mirror.after_break = lambda: setattr(mirror, "data", archive(script(executable)))
    ran = await install()
    assert ran.status == 0, ran.err
    assert mirror.requested_ranges == [None, "bytes=200000-"]


@pytest.mark.prove
async def test_pieces_that_do_not_fit_together_are_downloaded_again(
    mirror: Mirror, install: Install, place: Path
) -> None:
    mirror.breaks_at = [200_000]
    mirror.after_break = lambda: mirror.failures.extend([503] * 3)
    assert (await install()).status == 1
    part = place / PART
    part.write_bytes(bytes(len(part.read_bytes())))  # a disk that lost the data
    ran = await install()
    assert ran.status == 0, ran.err
    assert mirror.requested_ranges[-2:] == ["bytes=200000-", None]


async def test_a_browser_that_cannot_use_its_sandbox_is_installed_with_a_note(
    mirror: Mirror, install: Install, executable: str
) -> None:
    picky = f"""#!/bin/sh
case "$*" in
    *--version* | *--no-sandbox*) exec {executable} "$@" ;;
    *) echo "No usable sandbox!" >&2; exit 1 ;;
esac
"""
    mirror.data = archive(picky)
    ran = await install(VIEWPOINT_MCP_SANDBOX="1")
    assert ran.status == 0, ran.err
    assert "Installed Chrome for Testing" in ran.out
    assert "give --no-sandbox" in ran.out


async def test_a_browser_that_does_not_start_is_an_error_with_its_last_output(
    mirror: Mirror, install: Install, place: Path, executable: str
) -> None:
    broken = f"""#!/bin/sh
[ "$1" = --version ] && exec {executable} "$@"
echo "Out of luck" >&2
exit 3
"""
    mirror.data = archive(broken)
    ran = await install()
    assert ran.status == 1
    assert "does not start here" in ran.err
    assert "Out of luck" in ran.err
    assert not (place / VERSION).exists()


async def test_a_terminal_shows_a_bar(mirror: Mirror, place: Path) -> None:
    ours, terminal = os.openpty()
    env = environment(place, mirror.host) | {"TERM": "xterm"}
    command = [sys.executable, "-m", "viewpoint_mcp", "install-browser", "--force"]
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=terminal, env=env
    )
    os.close(terminal)
    try:
        out, _ = await process.communicate()
        shown = os.read(ours, 65536).decode()
    finally:
        os.close(ours)
    assert b"Installed" in out
    assert "100%" in shown


@pytest.mark.prove
async def test_an_archive_shorter_than_announced_is_an_error(
    mirror: Mirror, install: Install, place: Path
) -> None:
    mirror.length = len(mirror.data) + 1000
    ran = await install()
    assert ran.status == 1
    assert f"ended early: {len(mirror.data)} of {mirror.length} bytes received" in ran.err
    assert not (place / VERSION).exists()


async def test_an_archive_that_is_cut_off_in_truth_is_an_error(
    mirror: Mirror, install: Install, place: Path
) -> None:
    mirror.data = mirror.data[:300_000]
    ran = await install()
    assert ran.status == 1
    assert "is not a complete archive" in ran.err
    assert list_files(place) == set()


async def test_a_damaged_byte_is_noticed(mirror: Mirror, install: Install, place: Path) -> None:
    data = bytearray(mirror.data)
    data[400_000] ^= 0xFF
    mirror.data = bytes(data)
    ran = await install()
    assert ran.status == 1
    assert "is not a complete archive" in ran.err
    assert list_files(place) == set()


@pytest.mark.parametrize("name", ["../evil", "/tmp/vmt-evil", "a\\..\\evil"])
async def test_an_archive_with_entries_outside_its_directory_is_refused(
    mirror: Mirror, install: Install, place: Path, executable: str, name: str
) -> None:
    mirror.data = archive(script(executable), padding=10, **{name: "evil"})
    ran = await install()
    assert ran.status == 1
    assert "points outside the archive" in ran.err
    assert list_files(place) == set()


async def test_a_missing_archive_is_not_requested_twice(mirror: Mirror, install: Install) -> None:
    mirror.failures = [404] * 9
    ran = await install()
    assert ran.status == 1
    assert "answered 404" in ran.err
    assert "--executable-path" in ran.err
    assert mirror.requested_ranges == [None]


@pytest.mark.parametrize("body", ["<html>Please log in</html>", "{}", '{"channels": []}', "["])
async def test_an_invalid_list_of_versions_is_shown(
    site: Site, install: Install, body: str
) -> None:
    site.respond(LIST, body)
    ran = await install()
    assert ran.status == 1
    assert "is not the list of Chrome versions" in ran.err
    assert body[:10] in ran.err


@pytest.mark.prove
async def test_a_missing_network_is_an_error_with_manual_advice(install: Install) -> None:
    ran = await install(VIEWPOINT_MCP_DOWNLOAD_HOST="http://127.0.0.1:1")
    assert ran.status == 1
    assert "http://127.0.0.1:1/" in ran.err
    assert "cannot be reached" in ran.err
    assert "--executable-path" in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.prove
async def test_the_proxy_of_the_environment_is_used(
    site: Site, mirror: Mirror, install: Install
) -> None:
    """A proxy receives whole addresses, and the test server reads only their paths."""
    proxy = {"HTTP_PROXY": site.url(""), "http_proxy": site.url(""), "NO_PROXY": "", "no_proxy": ""}
    ran = await install(VIEWPOINT_MCP_DOWNLOAD_HOST="http://mirror.invalid/cft", **proxy)
    assert ran.status == 0, ran.err


async def test_a_full_disk_is_reported_and_no_file_left(
    mirror: Mirror, install: Install, place: Path
) -> None:
    ran = await install(shell="ulimit -f 400")  # blocks of 512 bytes
    assert ran.status == 1
    assert "The disk is full" in ran.err
    assert "VIEWPOINT_MCP_BROWSER_DIR" in ran.err
    assert list_files(place) == set()


async def test_a_directory_that_cannot_be_written_to_is_named(
    mirror: Mirror, install: Install, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file" / "browsers", Path("/proc/viewpoint-mcp")):
        ran = await install(VIEWPOINT_MCP_BROWSER_DIR=str(place))
        assert ran.status == 1
        assert f"No browser can be installed in {place}" in ran.err
        assert "Traceback" not in ran.err
    assert mirror.requested_ranges == []


async def test_missing_libraries_are_named_with_their_packages_and_the_download_is_kept(
    mirror: Mirror, install: Install, place: Path, executable: str
) -> None:
    mirror.data = archive(f'#!/bin/sh\necho "$0: {LOADER}" >&2\nexit 127\n')
    ran = await install()
    assert ran.status == 1
    assert "libnss3.so is missing" in ran.err
    assert "install -y" in ran.err
    assert not (place / VERSION).exists()
    assert (await install()).status == 1
    assert mirror.requested_ranges == [None]


async def test_an_older_version_is_removed_and_a_running_one_stays(
    site: Site, mirror: Mirror, install: Install, place: Path, executable: str
) -> None:
    old, used = place / "120.0.1.1", place / "121.0.1.1"
    for each in (old, used):
        (each / ROOT).mkdir(parents=True)
        (each / ROOT / "chrome").write_text("#!/bin/sh\nread line\n")
    holder = await asyncio.create_subprocess_exec(
        "/bin/sh", str(used / ROOT / "chrome"), stdin=asyncio.subprocess.PIPE
    )
    try:
        assert (await install()).status == 0
        assert list_files(place) == {VERSION, used.name}
    finally:
        await holder.communicate(b"\n")
    assert (await install()).status == 0
    assert list_files(place) == {VERSION}


async def test_two_commands_at_once_download_once(mirror: Mirror, place: Path) -> None:
    mirror.pauses_at = 100_000
    env = environment(place, mirror.host)
    first = await spawn("--force", env=env)
    await wait_until(lambda: len(mirror.requested_ranges) == 1)
    second = await spawn("--force", env=env)
    assert second.stderr is not None
    output = (await second.stderr.readline()).decode()
    assert f"Waiting for process {first.pid}" in output
    mirror.go_on.set()
    (out, err), (later, _) = await asyncio.gather(first.communicate(), second.communicate())
    assert b"Installed" in out, err
    assert b"The browser is ready" in later
    assert (first.returncode, second.returncode) == (0, 0)
    assert mirror.requested_ranges == [None]


@pytest.mark.prove
async def test_the_files_of_a_killed_command_do_not_block_the_next(
    mirror: Mirror, install: Install, place: Path
) -> None:
    mirror.pauses_at = 100_000
    first = await spawn("--force", env=environment(place, mirror.host))
    await wait_until(lambda: (place / PART).exists() and (place / PART).stat().st_size > 0)
    first.kill()
    await first.communicate()
    (place / "unpacked-left").mkdir()
    mirror.pauses_at = None
    assert (await install()).status == 0
    assert list_files(place) == {VERSION}

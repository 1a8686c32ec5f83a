"""A full disk: the command fails with a reason, nothing is left behind, and the next one works."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import IO, NamedTuple

import pytest

from tests.e2e.shell.conftest import Printed, Shell, end_servers
from tests.e2e.shell.disks import Disk, LimitedDisk, mount_small_disk
from tests.site import Site

pytestmark = pytest.mark.time_limit(60)

NEEDS_NO_BROWSER = ("get-config", "--raw")


class Place(NamedTuple):
    """A shell, and the disk of its workspace, of the directory of its server, and of TMPDIR."""

    shell: Shell
    disk: Disk

    def fill(self) -> None:
        """Use all space."""
        self.disk.fill(self.shell)

    def free(self) -> None:
        """Make space again."""
        self.disk.free(self.shell)

    def assert_failed(self, printed: Printed) -> None:
        """Assert that a command failed and reported why it cannot write."""
        assert printed.status == 1
        # Chromium gives no reason.
        assert self.disk.reason in printed.stderr or "Free some space" in printed.stderr
        assert "Traceback" not in printed.stderr

    def list_files(self) -> set[Path]:
        """Return the files of the workspace."""
        found = self.shell.see(self.shell.workspace).rglob("*")
        return {each for each in found if each.is_file()}


@pytest.fixture(params=["limited", pytest.param("mounted", marks=pytest.mark.prove)])
async def place(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, executable: str
) -> AsyncIterator[Place]:
    directory = tmp_path_factory.mktemp("d")
    shell = Shell(directory / "w", directory / "r", executable, "socket")
    shell.workspace.mkdir()
    shell.runtime.mkdir()
    if request.param == "limited":
        async with end_servers(shell):
            yield Place(shell, LimitedDisk())
        return
    async with mount_small_disk(directory) as (disk, root, prefix):
        shell.root = root
        shell.prefix = (*prefix, "sh", "-c", 'cd "$0" && exec "$@"', str(shell.workspace))
        for each in (shell.workspace, shell.runtime):
            shell.see(each).mkdir()
        async with end_servers(shell):
            yield Place(shell, disk)


@pytest.fixture
def full_file() -> Iterator[IO[bytes]]:
    """Return a file on which each write fails as on a full disk: a device of the kernel."""
    with Path("/dev/full").open("wb") as file:
        yield file


async def test_the_server_does_not_start(place: Place) -> None:
    shell = place.shell
    place.fill()
    place.assert_failed(await shell.run(*NEEDS_NO_BROWSER))
    assert (shell.addresses, shell.find_servers()) == ([], {})
    place.free()
    assert (await shell.run(*NEEDS_NO_BROWSER)).status == 0


async def test_the_browser_does_not_start(place: Place, site: Site) -> None:
    shell = place.shell
    await shell.run(*NEEDS_NO_BROWSER)
    place.fill()
    place.assert_failed(await shell.run("open", site.page("")))
    assert shell.profiles == []
    place.free()
    assert "Tea" in (await shell.run("open", site.page("<h1>Tea</h1>"))).text


async def test_files_are_not_saved(place: Place, site: Site) -> None:
    shell = place.shell
    # The log grows with each command.
    await shell.run("start", "--log-level", "debug")
    await shell.run("open", site.page("<h1>Tea</h1>"))
    saved = (await shell.run("screenshot", "--file")).text
    before = place.list_files()
    place.fill()
    for command in (
        ("screenshot",),
        ("snapshot", "--filename", "tea.md"),
        ("pdf", "--filename", "tea.pdf"),
    ):
        place.assert_failed(await shell.run(*command))
    assert place.list_files() == before
    assert (await shell.run("eval", "() => document.body.innerText", "--raw")).text == "Tea\n"
    place.free()
    assert (await shell.run("screenshot", "--file")).text != saved


async def test_output_that_cannot_be_written_is_an_error(
    shell: Shell, full_file: IO[bytes]
) -> None:
    command = await shell.start(*NEEDS_NO_BROWSER, stdout=full_file)
    _, stderr = await command.communicate()
    assert command.returncode == 1
    assert stderr == (
        b"The command has run, but its output cannot be written: No space left on device.\n"
    )
    assert (await shell.run(*NEEDS_NO_BROWSER)).status == 0

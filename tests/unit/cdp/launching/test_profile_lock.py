"""The process that uses a profile: running browsers do, links of dead ones do not."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from pathlib import Path

import pytest

from cdp_protocol import LaunchError
from cdp_protocol.launching import profile_lock
from cdp_protocol.launching.profile_lock import (
    find_profile_holder,
    has_owner_lock_file,
    reserve_profile,
)
from tests.unit.cdp.launching.locks import ignore_connections, listen_on_socket, lock_database

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="locks and links of POSIX")

HERE = socket.gethostname()
STALE = (f"{HERE}-{os.getpid()}", f"{HERE}-4194305", "elsewhere-1", "nonsense", "a-b")
STALE_IDS = ("a process with no socket", "no process", "elsewhere", "nonsense", "no number")


def write_singleton_lock(profile: Path, text: str) -> None:
    (profile / "SingletonLock").symlink_to(text)
    (profile / "SingletonCookie").symlink_to("123")


@pytest.fixture
def without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile_lock, "_WAIT_FOR_EXIT", 0.0)


def release_lock(owned: int | None) -> None:
    if owned is not None:
        os.close(owned)


def test_a_new_profile_has_no_holder(tmp_path: Path) -> None:
    assert find_profile_holder(tmp_path) is None
    assert find_profile_holder(tmp_path / "none") is None


@pytest.mark.parametrize("text", STALE, ids=STALE_IDS)
def test_a_lock_alone_is_no_holder(tmp_path: Path, text: str) -> None:
    write_singleton_lock(tmp_path, text)
    assert find_profile_holder(tmp_path) is None


@pytest.mark.parametrize("text", STALE, ids=STALE_IDS)
async def test_a_stale_lock_is_removed(tmp_path: Path, text: str) -> None:
    write_singleton_lock(tmp_path, text)
    (tmp_path / "gone").mkdir()
    (tmp_path / "SingletonSocket").symlink_to(tmp_path / "gone" / "SingletonSocket")
    release_lock(await reserve_profile(tmp_path))
    assert await asyncio.to_thread(os.listdir, tmp_path) == ["cdp-protocol-owner"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel tells no pid there")
def test_the_process_that_listens_at_the_socket_is_named_with_its_command(tmp_path: Path) -> None:
    write_singleton_lock(tmp_path, "the-name-it-had-before-1")
    with listen_on_socket(tmp_path):
        found = find_profile_holder(tmp_path)
    assert found is not None
    assert found.pid == os.getpid()
    assert str(found).startswith(f"process {os.getpid()} (")


def test_the_process_that_locks_the_databases_uses_the_profile(tmp_path: Path) -> None:
    write_singleton_lock(tmp_path, f"{HERE}-{os.getpid()}")
    with lock_database(tmp_path):
        found = find_profile_holder(tmp_path)
    assert found is not None
    assert found.pid == os.getpid()
    assert find_profile_holder(tmp_path) is None


def test_a_holder_in_another_container_is_named_by_its_host(tmp_path: Path) -> None:
    write_singleton_lock(tmp_path, "the-other-container-17")
    with lock_database(tmp_path):
        assert str(find_profile_holder(tmp_path)) == 'a browser on the host "the-other-container"'


def test_a_process_whose_lock_file_was_deleted_still_uses_the_profile(tmp_path: Path) -> None:
    with lock_database(tmp_path):
        assert str(find_profile_holder(tmp_path)) == "another browser"


@pytest.mark.usefixtures("without_waiting")
async def test_a_profile_in_use_is_refused_with_alternatives(tmp_path: Path) -> None:
    write_singleton_lock(tmp_path, f"{HERE}-{os.getpid()}")
    with lock_database(tmp_path), pytest.raises(LaunchError) as refused:
        await reserve_profile(tmp_path)
    assert f"{tmp_path} is in use by process {os.getpid()}" in str(refused.value)
    for way_out in ("Close that browser", "connect to it", "pass another directory"):
        assert way_out in str(refused.value)
    assert refused.value.cause == "profile in use"
    assert (tmp_path / "SingletonLock").is_symlink()


@pytest.mark.usefixtures("without_waiting")
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such lock")
async def test_a_profile_that_another_process_is_about_to_use_is_refused(tmp_path: Path) -> None:
    owned = await reserve_profile(tmp_path)
    with pytest.raises(LaunchError, match=f"is in use by process {os.getpid()}"):
        await reserve_profile(tmp_path)
    release_lock(owned)
    release_lock(await reserve_profile(tmp_path))


async def test_a_cancelled_claim_locks_nothing(tmp_path: Path) -> None:
    write_singleton_lock(tmp_path, STALE[0])
    with ignore_connections(tmp_path):
        claiming = asyncio.create_task(reserve_profile(tmp_path))
        while not has_owner_lock_file(tmp_path):  # noqa: ASYNC110 - no event
            await asyncio.sleep(0)
        claiming.cancel()
        with pytest.raises(asyncio.CancelledError):
            await claiming
    release_lock(await reserve_profile(tmp_path))


async def test_a_profile_is_made_for_this_user_only(tmp_path: Path) -> None:
    profile = tmp_path / "new" / "profile"
    release_lock(await reserve_profile(profile))
    assert profile.stat().st_mode & 0o077 == 0


async def test_a_file_is_no_profile(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for path in (file, file / "below"):
        with pytest.raises(LaunchError, match=r"cannot be used: (File exists|Not a directory)"):
            await reserve_profile(path)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/sys is of Linux")
async def test_a_profile_that_cannot_be_written_is_refused() -> None:
    with pytest.raises(LaunchError, match=r"cannot be used: .*writable directory"):
        await reserve_profile(Path("/sys/cdp-protocol-test"))

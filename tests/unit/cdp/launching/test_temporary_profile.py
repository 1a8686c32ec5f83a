"""Temporary profiles, their owners, and leftovers of dead owners."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from types import MappingProxyType

import pytest

from cdp_protocol import LaunchError
from cdp_protocol.launching.temporary_profile import (
    TemporaryProfile,
    remove_leftover_profiles,
    remove_profile,
)
from tests.unit.cdp.launching.locks import listen_on_socket

PREFIX = "cdp-test-profile-"

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="locks and links of POSIX")


@pytest.fixture
def dead_pid() -> int:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def make_leftover(parent: Path, pid: int) -> Path:
    path = parent / f"{PREFIX}{pid}-abcd"
    (path / "Default").mkdir(parents=True)
    return path


async def test_a_temporary_profile_names_its_process_and_is_deleted_completely() -> None:
    profile = TemporaryProfile.create(PREFIX)
    assert profile.path.name.startswith(f"{PREFIX}{os.getpid()}-")
    (profile.path / "Default").mkdir()
    await profile.remove()
    await profile.remove()
    assert not profile.path.exists()


async def test_a_temporary_profile_has_the_given_preferences() -> None:
    profile = TemporaryProfile.create(PREFIX)
    preferences = MappingProxyType({"download": {"default_directory": "/tmp/ä"}})
    profile.write_preferences(preferences)
    assert json.loads((profile.path / "Default" / "Preferences").read_bytes()) == preferences
    await profile.remove()


async def test_the_profile_of_a_running_owner_is_kept() -> None:
    profile = TemporaryProfile.create(PREFIX)
    assert profile.path not in remove_leftover_profiles(PREFIX, profile.path.parent)
    assert profile.path.exists()
    await profile.remove()


def test_the_profile_of_a_dead_owner_is_swept(tmp_path: Path, dead_pid: int) -> None:
    path = make_leftover(tmp_path, dead_pid)
    assert remove_leftover_profiles(PREFIX, tmp_path) == [path]
    assert not path.exists()


@posix_only
@posix_only
def test_the_profile_of_a_killed_owner_is_swept_before_its_parent_notices(tmp_path: Path) -> None:
    create = (
        "import sys; from pathlib import Path\n"
        "from cdp_protocol.launching.temporary_profile import TemporaryProfile\n"
        "profile = TemporaryProfile.create(sys.argv[1], Path(sys.argv[2]))\n"
        "print(profile.path, flush=True); input()"
    )
    command = (sys.executable, "-c", create, PREFIX, tmp_path)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        path = Path(os.fsdecode(owner.stdout.readline()).strip())
        assert remove_leftover_profiles(PREFIX, tmp_path) == []
        os.kill(owner.pid, signal.SIGKILL)
        os.waitid(os.P_PID, owner.pid, os.WEXITED | os.WNOWAIT)  # It stays a zombie.
        assert remove_leftover_profiles(PREFIX, tmp_path) == [path]


def test_an_old_profile_whose_owners_pid_is_reused_is_deleted(tmp_path: Path) -> None:
    path = make_leftover(tmp_path, os.getpid())
    (path / "cdp-protocol-owner").touch()
    os.utime(path, (1, 1))
    assert remove_leftover_profiles(PREFIX, tmp_path) == [path]


@posix_only
def test_a_profile_with_a_running_chromium_is_kept(tmp_path: Path, dead_pid: int) -> None:
    path = make_leftover(tmp_path, dead_pid)
    with listen_on_socket(path):
        assert remove_leftover_profiles(PREFIX, tmp_path) == []
    assert path.exists()


@posix_only
@pytest.mark.parametrize("others", [(), ("precious",)])
def test_only_the_socket_of_a_killed_chromium_is_removed_elsewhere(
    tmp_path: Path, dead_pid: int, others: tuple[str, ...]
) -> None:
    elsewhere = tmp_path / "org.chromium.Chromium.abcdef"
    elsewhere.mkdir()
    for name in ("SingletonSocket", "SingletonCookie", *others):
        (elsewhere / name).touch()
    path = make_leftover(tmp_path, dead_pid)
    (path / "SingletonSocket").symlink_to(elsewhere / "SingletonSocket")
    assert remove_leftover_profiles(PREFIX, tmp_path) == [path]
    assert elsewhere.exists() is bool(others)
    assert [each.name for each in elsewhere.glob("*")] == list(others)


@posix_only
def test_a_link_with_a_profiles_name_is_left_alone(tmp_path: Path, dead_pid: int) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / f"{PREFIX}{dead_pid}-abcd").symlink_to(tmp_path / "precious")
    assert remove_leftover_profiles(PREFIX, tmp_path) == []
    assert (tmp_path / "precious").exists()


def test_other_directories_are_left_alone(tmp_path: Path, dead_pid: int) -> None:
    (tmp_path / f"{PREFIX}of-mine").mkdir()
    (tmp_path / f"another-programs-profile-{dead_pid}-abcd").mkdir()
    assert remove_leftover_profiles(PREFIX, tmp_path) == []


def test_a_directory_that_does_not_exist_has_no_left_overs(tmp_path: Path) -> None:
    assert remove_leftover_profiles(PREFIX, tmp_path / "none") == []


def test_without_a_temporary_directory_nothing_is_swept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: ["/does/not/exist"])
    assert remove_leftover_profiles(PREFIX) == []


async def test_a_full_temporary_directory_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    with pytest.raises(
        LaunchError, match=r"The temporary directory of the browser cannot be created.* set TMPDIR"
    ):
        TemporaryProfile.create(PREFIX)


def test_a_file_that_cannot_be_deleted_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cdp_protocol.launching.temporary_profile._RETRY_DELAYS", (0.001,))
    file = tmp_path / "a file where a directory is expected"
    file.touch()
    with caplog.at_level(logging.WARNING):
        assert not remove_profile(file)
    assert "Cannot delete the temporary profile" in caplog.text

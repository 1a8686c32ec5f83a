"""The oldest saved files are deleted above the size limit; other files never are."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace

from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.files.records import FileDescription
from viewpoint_mcp.files.saved_file_lookup import SavedFiles

SHOT = FileDescription(kind="screenshot")
SNAPSHOT = FileDescription(kind="snapshot")
KILOBYTE = b"x" * 1000


@pytest.fixture
def limited(files: FileAccess) -> FileAccess:
    return replace(files, max_total_size=3000)


def left(*paths: Path) -> list[bool]:
    return [path.exists() for path in paths]


def records(directory: Path) -> set[str]:
    return {path.name.removesuffix(".json") for path in (directory / ".about").iterdir()}


def test_the_oldest_files_of_both_directories_are_deleted_with_their_records(
    limited: FileAccess,
) -> None:
    shots = [limited.save(KILOBYTE, "png", SHOT) for _ in range(2)]
    snapshots = [limited.save(KILOBYTE, "yml", SNAPSHOT) for _ in range(2)]
    assert left(*shots, *snapshots) == [False, True, True, True]
    assert records(limited.screenshot_dir) == {shots[1].name}
    limited.save(b"x" * 1500, "png", SHOT)
    assert left(*shots, *snapshots) == [False, False, False, True]


def test_nothing_is_deleted_below_the_limit(limited: FileAccess) -> None:
    paths = [limited.save(KILOBYTE, "png", SHOT) for _ in range(3)]
    assert left(*paths) == [True] * 3


def test_nothing_is_deleted_without_a_limit(files: FileAccess) -> None:
    paths = [files.save(KILOBYTE, "png", SHOT) for _ in range(9)]
    assert all(left(*paths))


def test_the_file_just_written_stays_even_if_it_exceeds_the_limit(limited: FileAccess) -> None:
    old = limited.save(KILOBYTE, "png", SHOT)
    huge = limited.save(b"x" * 9000, "png", SHOT)
    assert left(old, huge) == [False, True]
    assert left(limited.save(b"x", "png", SHOT), huge) == [True, False]


def test_downloads_and_named_files_count_and_are_deleted(
    limited: FileAccess, tmp_path: Path
) -> None:
    (tmp_path / "part").write_bytes(KILOBYTE)
    download = limited.move_to_output(
        tmp_path / "part", "data.bin", FileDescription(kind="download")
    )
    named = limited.save_as(KILOBYTE, "shots/a/mine.png", SHOT)
    last = limited.save(b"x" * 2500, "png", SHOT)
    assert left(download, named, last) == [False, False, True]


def test_files_of_other_programs_neither_count_nor_are_deleted(limited: FileAccess) -> None:
    limited.screenshot_dir.mkdir()
    theirs = limited.screenshot_dir / "theirs.png"
    theirs.write_bytes(KILOBYTE * 9)
    os.utime(theirs, (0, 0))
    ours = [limited.save(KILOBYTE, "png", SHOT) for _ in range(3)]
    elsewhere = limited.save_as(KILOBYTE, "mine.png", SHOT)
    state = limited.save_as(KILOBYTE, str(limited.output_dir / "state.json"), is_private=True)
    matches = limited.save_as(KILOBYTE, str(limited.output_dir / "matches.yml"))
    assert all(left(theirs, *ours, elsewhere, state, matches))
    limited.save(KILOBYTE * 3, "png", SHOT)
    assert left(theirs, *ours, elsewhere, state, matches) == [
        True, False, False, False, True, True, True,
    ]  # fmt: skip


def test_a_file_that_another_program_changed_is_not_deleted(limited: FileAccess) -> None:
    edited, touched, replaced = (limited.save(KILOBYTE, "png", SHOT) for _ in range(3))
    edited.write_bytes(b"y" * 2000)
    os.utime(touched, (0, 0))
    replaced.unlink()
    replaced.symlink_to(edited)
    limited.save(KILOBYTE * 9, "png", SHOT)
    assert left(edited, touched, replaced) == [True] * 3


def test_a_state_in_the_place_of_a_screenshot_stays(limited: FileAccess) -> None:
    limited.save_as(KILOBYTE, "shots/a", SHOT)
    state = limited.save_as(KILOBYTE, "shots/a", is_private=True)
    limited.save(KILOBYTE * 9, "png", SHOT)
    assert state.exists()


def test_no_file_elsewhere_is_deleted_through_a_link(limited: FileAccess, tmp_path: Path) -> None:
    shot = limited.save_as(KILOBYTE, "shots/in/mine.png", SHOT)
    shot.parent.rename(tmp_path / "in")
    shot.parent.symlink_to(tmp_path / "in")
    limited.save(KILOBYTE * 9, "png", SHOT)
    assert (tmp_path / "in" / "mine.png").exists()


def test_a_file_that_cannot_be_deleted_stays_and_the_others_obey_the_limit(
    limited: FileAccess, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck = limited.save(b"x" * 2500, "png", SHOT)
    unlink = Path.unlink

    def refuse(path: Path, missing_ok: bool = False) -> None:
        if path == stuck:
            raise PermissionError(1, "Operation not permitted")
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)
    newer = [limited.save(KILOBYTE, "png", SHOT) for _ in range(4)]
    assert left(stuck, *newer) == [True, False, True, True, True]


def test_several_servers_may_keep_house_while_others_look(limited: FileAccess) -> None:
    def work(files: FileAccess) -> None:
        for _ in range(20):
            assert files.save(KILOBYTE, "png", SHOT)
            for entry in SavedFiles(files).list_files_except_downloads():
                assert entry.name.startswith("page-")

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, [limited] * 4))
    # Those that evict at the same moment may remove more than they have to.
    last = [limited.save(KILOBYTE, "png", SHOT) for _ in range(3)]
    assert all(left(*last))
    assert len(SavedFiles(limited).list_files_except_downloads()) == 3
    assert records(limited.screenshot_dir) == {
        each.name for each in SavedFiles(limited).list_files_except_downloads()
    }

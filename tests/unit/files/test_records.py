"""Records of saved files: their content, and their protection."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.unit.files.samples import PNG, SHOT
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.files.saved_file_lookup import SavedFiles


def test_records_are_readable_only_by_their_owner_and_contain_no_password(
    files: FileAccess, saved_files: SavedFiles
) -> None:
    url = "https://me:secret@shop.example/?next=http://you:word@x/"
    path = files.save(PNG, "png", replace(SHOT, url=url))
    (entry,) = saved_files.list_screenshots()
    assert entry.description
    assert entry.description.url == "https://shop.example/?next=http://x/"
    record = files.screenshot_dir / ".about" / f"{path.name}.json"
    assert record.stat().st_mode & 0o777 == 0o600
    assert b"secret" not in record.read_bytes()
    assert b"shop.example" not in path.read_bytes()


def test_records_are_not_longer_than_needed(files: FileAccess, saved_files: SavedFiles) -> None:
    files.save(PNG, "png", replace(SHOT, url="data:," + "a" * 1_000_000, title="half \ud83d"))
    (entry,) = saved_files.list_screenshots()
    assert entry.description
    assert len(entry.description.url) < 5_000
    assert entry.description.title == "half ?"


def test_an_overwritten_file_has_its_latest_record(
    files: FileAccess, saved_files: SavedFiles
) -> None:
    files.save_as(PNG, "shots/a.png", SHOT)
    files.save_as(PNG + b"more", "shots/a.png", replace(SHOT, title="Cart"))
    assert [entry.title for entry in saved_files.list_screenshots()] == ["Cart (viewport)"]
    files.save_as(b"- text", "shots/a.png")
    assert [entry.description for entry in saved_files.list_screenshots()] == [None]
    assert list((files.screenshot_dir / ".about").iterdir()) == []


def test_the_records_are_not_to_be_written_to(files: FileAccess) -> None:
    for name in ("shots/.about/a.png.json", "shots/.ABOUT/a.png.json", "shots/a/.about/b"):
        with pytest.raises(CallError, match="is reserved for records"):
            files.save_as(b"{}", name)


def test_a_link_in_place_of_the_records_is_not_followed(
    files: FileAccess, saved_files: SavedFiles, tmp_path: Path
) -> None:
    (tmp_path / "precious").mkdir()
    first = files.save(PNG, "png", SHOT)
    record = files.screenshot_dir / ".about" / f"{first.name}.json"
    record.rename(tmp_path / "precious" / "gone.png.json")
    record.parent.rmdir()
    record.parent.symlink_to(tmp_path / "precious")
    files.save(PNG, "png", SHOT)
    assert [entry.description for entry in saved_files.list_files_except_downloads()] == [
        None,
        None,
    ]
    assert [path.name for path in (tmp_path / "precious").iterdir()] == ["gone.png.json"]


def test_a_record_that_is_a_pipe_does_not_block(
    files: FileAccess, saved_files: SavedFiles, alarm: None
) -> None:
    path = files.save(PNG, "png", SHOT)
    record = files.screenshot_dir / ".about" / f"{path.name}.json"
    record.unlink()
    os.mkfifo(record)
    assert [entry.description for entry in saved_files.list_screenshots()] == [None]

"""The list of saved files, and reading them by name."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.unit.files.samples import PNG, SHOT
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files import saved_file_lookup
from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.files.records import FileDescription
from viewpoint_mcp.files.saved_file_lookup import SavedFiles

SNAPSHOT = FileDescription(kind="snapshot", title="Shop")
PDF = FileDescription(kind="pdf")


def names(saved_files: SavedFiles) -> list[str]:
    return [entry.name for entry in saved_files.list_files_except_downloads()]


def test_a_screenshot_is_listed_with_all_that_is_known_of_it(
    files: FileAccess, saved_files: SavedFiles
) -> None:
    before = datetime.now(UTC)
    path = files.save(PNG, "png", SHOT)
    (entry,) = saved_files.list_screenshots()
    assert (entry.name, entry.path, entry.description) == (path.name, path, SHOT)
    assert entry.uri == f"viewpoint://screenshots/{path.name}"
    assert (entry.mime_type, entry.size) == ("image/png", len(PNG))
    assert before <= entry.saved_at <= datetime.now(UTC)
    assert saved_files.read(entry) == PNG


def test_the_newest_come_first(files: FileAccess, saved_files: SavedFiles) -> None:
    paths = [files.save(PNG, "png", SHOT) for _ in range(5)]
    assert names(saved_files) == [path.name for path in reversed(paths)]


def test_all_files_except_downloads_are_resources(
    files: FileAccess, saved_files: SavedFiles, tmp_path: Path
) -> None:
    (tmp_path / "part").write_bytes(PNG)
    files.move_to_output(tmp_path / "part", "photo.png", FileDescription(kind="download"))
    pdf = files.save(b"%PDF-1.7", "pdf", PDF)
    snapshot = files.save(b"- document", "yml", SNAPSHOT)
    assert {entry.uri: entry.mime_type for entry in saved_files.list_files_except_downloads()} == {
        f"viewpoint://output/{pdf.name}": "application/pdf",
        f"viewpoint://output/{snapshot.name}": "text/yaml",
    }
    assert saved_files.list_screenshots() == []
    assert saved_files.find_by_uri("viewpoint://output/photo.png") is None


def test_a_named_screenshot_is_listed_if_it_is_in_one_of_the_directories(
    files: FileAccess, saved_files: SavedFiles
) -> None:
    files.save_as(PNG, "elsewhere.png", SHOT)
    files.save_as(PNG, "shots/a/b.png", SHOT)
    files.save_as(PNG, str(files.output_dir / "c.png"), SHOT)
    assert [entry.uri for entry in saved_files.list_screenshots()] == [
        "viewpoint://output/c.png",
        "viewpoint://screenshots/a/b.png",
    ]
    assert (files.screenshot_dir / ".about" / "a" / "b.png.json").exists()


def test_the_type_is_that_of_the_bytes(files: FileAccess, saved_files: SavedFiles) -> None:
    files.save_as(b"\xff\xd8\xff\xe0", "shots/wrong.png", SHOT)
    files.save_as(b"RIFF\0\0\0\0WEBPVP8 ", "shots/none", SHOT)
    types = {entry.name: entry.mime_type for entry in saved_files.list_screenshots()}
    assert types == {"wrong.png": "image/jpeg", "none": "image/webp"}


def test_screenshots_of_other_programs_are_listed_without_metadata(
    files: FileAccess, saved_files: SavedFiles
) -> None:
    files.save(PNG, "png", SHOT)
    for name in ("theirs.PNG", "a.jpg", "b.jpeg", "c.webp", "d.gif", "notes.txt", ".e.png"):
        (files.screenshot_dir / name).write_bytes(b"x")
    (files.screenshot_dir / "empty.png").touch()
    (files.screenshot_dir / "f.png").mkdir()
    (files.screenshot_dir / "f.png" / "below.png").write_bytes(b"x")
    os.mkfifo(files.screenshot_dir / "g.png")
    files.output_dir.mkdir()
    (files.output_dir / "theirs.png").write_bytes(b"x")
    theirs = [entry for entry in saved_files.list_screenshots() if entry.description is None]
    assert sorted(entry.name for entry in theirs) == ["a.jpg", "b.jpeg", "c.webp", "theirs.PNG"]
    assert {entry.size for entry in theirs} == {1}
    assert len(saved_files.list_screenshots()) == 5


@pytest.mark.parametrize("time", [10**15, -(10**15)])
def test_a_time_that_cannot_be_breaks_no_list(
    files: FileAccess, saved_files: SavedFiles, time: int
) -> None:
    files.save(PNG, "png", SHOT)
    (files.screenshot_dir / "theirs.png").write_bytes(PNG)
    os.utime(files.screenshot_dir / "theirs.png", (0, time))
    assert len(saved_files.list_files_except_downloads()) == 2


def test_a_record_without_a_time_zone_breaks_no_list(
    files: FileAccess, saved_files: SavedFiles
) -> None:
    record = files.screenshot_dir / ".about" / f"{files.save(PNG, 'png', SHOT).name}.json"
    files.save(PNG, "png", SHOT)
    naive, count = re.subn(rb'"saved":"([^"]+)Z"', rb'"saved":"\1"', record.read_bytes())
    record.write_bytes(naive)
    assert count == 1
    assert [entry.description for entry in saved_files.list_files_except_downloads()] == [
        SHOT,
        None,
    ]


def test_a_file_that_replaced_a_saved_one_is_not_listed_as_saved(
    files: FileAccess, saved_files: SavedFiles
) -> None:
    shot, snapshot = files.save(PNG, "png", SHOT), files.save(b"- a", "yml", SNAPSHOT)
    for path in (shot, snapshot):
        path.write_bytes(b"of somebody else")
    (entry,) = saved_files.list_files_except_downloads()
    assert (entry.path, entry.description) == (shot, None)


def test_a_removed_file_is_forgotten(files: FileAccess, saved_files: SavedFiles) -> None:
    path = files.save(PNG, "png", SHOT)
    (entry,) = saved_files.list_screenshots()
    path.unlink()
    assert saved_files.list_files_except_downloads() == []
    assert saved_files.find_by_uri(entry.uri) is None
    assert list((files.screenshot_dir / ".about").iterdir()) == []
    with pytest.raises(CallError, match="was removed"):
        saved_files.read(entry)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b'{"about": 1}', b"\xff", b"9" * 300_000, b'{"x":' + b"[" * 100_000],
)
def test_a_broken_record_is_ignored(
    files: FileAccess, saved_files: SavedFiles, content: bytes
) -> None:
    path = files.save(PNG, "png", SHOT)
    (files.screenshot_dir / ".about" / f"{path.name}.json").write_bytes(content)
    (entry,) = saved_files.list_screenshots()
    assert entry.description is None
    assert saved_files.read(saved_files.find_screenshot(path.name)) == PNG


def test_files_are_saved_even_if_no_record_can_be_written(
    files: FileAccess, saved_files: SavedFiles
) -> None:
    files.screenshot_dir.mkdir()
    (files.screenshot_dir / ".about").write_text("in the way")
    path = files.save(PNG, "png", SHOT)
    (entry,) = saved_files.list_screenshots()
    assert (entry.path, entry.description) == (path, None)


def test_the_directories_need_not_be_there(saved_files: SavedFiles) -> None:
    assert saved_files.list_files_except_downloads() == []


def test_both_directories_may_be_one(files: FileAccess) -> None:
    one = replace(files, output_dir=files.screenshot_dir)
    one.save(PNG, "png", SHOT)
    pdf = one.save(b"%PDF-1.7", "pdf", PDF)
    saved_files = SavedFiles(one)
    assert len(saved_files.list_files_except_downloads()) == 2
    assert saved_files.find_by_uri(f"viewpoint://screenshots/{pdf.name}") is not None


def test_one_directory_may_be_inside_the_other(files: FileAccess) -> None:
    nested = replace(files, screenshot_dir=files.output_dir / "shots")
    shot = nested.save(PNG, "png", SHOT)
    nested.save_as(PNG, str(nested.screenshot_dir / "mine.png"), SHOT)
    saved_files = SavedFiles(nested)
    assert [entry.uri for entry in saved_files.list_files_except_downloads()] == [
        "viewpoint://screenshots/mine.png",
        f"viewpoint://screenshots/{shot.name}",
    ]


def test_a_directory_may_be_a_link(
    files: FileAccess, saved_files: SavedFiles, tmp_path: Path
) -> None:
    (tmp_path / "disk").mkdir()
    files.screenshot_dir.symlink_to(tmp_path / "disk")
    path = files.save(PNG, "png", SHOT)
    assert saved_files.read(saved_files.find_screenshot(files.format_path_for_reply(path))) == PNG


# ---- one of them


def test_a_screenshot_is_found_by_each_of_its_names(
    files: FileAccess, saved_files: SavedFiles
) -> None:
    path = files.save(PNG, "png", SHOT)
    for name in (path.name, f"shots/{path.name}", str(path), f"./shots/../shots/{path.name}"):
        assert saved_files.find_screenshot(name).path == path
    assert saved_files.find_screenshot(f"viewpoint://screenshots/{path.name}").path == path


def test_an_unknown_file_is_an_error_that_says_where_to_look(saved_files: SavedFiles) -> None:
    with pytest.raises(CallError, match=r'Screenshot "a.png" does not exist.*list_screenshots'):
        saved_files.find_screenshot("a.png")


@pytest.mark.parametrize("name", ["", ".", "..", "/", "a\0b", "viewpoint://output/", "../../x.png"])
def test_no_name_at_all_is_an_error_too(saved_files: SavedFiles, name: str) -> None:
    with pytest.raises(CallError, match="does not exist"):
        saved_files.find_screenshot(name)


def test_a_file_that_is_no_screenshot_is_an_error_that_says_so(
    files: FileAccess, saved_files: SavedFiles
) -> None:
    path = files.save(b"- a", "yml", SNAPSHOT)
    with pytest.raises(CallError, match="is a snapshot, not a screenshot"):
        saved_files.find_screenshot(path.name)


@pytest.mark.parametrize(
    "name", ["with space.png", "ä#?%.png", "a+b&c.png", "%2e%2e.png", os.fsdecode(b"\xff.png")]
)
def test_a_uri_can_contain_any_name(files: FileAccess, saved_files: SavedFiles, name: str) -> None:
    files.screenshot_dir.mkdir()
    (files.screenshot_dir / name).write_bytes(PNG)
    (entry,) = saved_files.list_files_except_downloads()
    assert re.fullmatch(r"viewpoint://screenshots/[\w.~%/-]+", entry.uri, re.ASCII)
    assert saved_files.find_by_uri(entry.uri) == entry
    assert saved_files.read(entry) == PNG


# ---- other names


@pytest.mark.parametrize(
    "path",
    [
        "../secret.png",
        "%2e%2e/secret.png",
        "..%2fsecret.png",
        "%2E%2E%2Fsecret.png",
        "/secret.png",
        "a/../../secret.png",
        "./../secret.png",
        "link.png",
        "linked/secret.png",
        ".about/mine.png.json",
        "%2eabout/mine.png.json",
        ".About/mine.png.json",
        "pipe.png",
        "directory.png",
        "directory.png/",
        "notes.txt",
        "",
        "a%00b.png",
        "%ff.png",
        "mine.png/",
        "mine.png/.",
        "//mine.png",
    ],
)
def test_other_files_are_not_resources(
    files: FileAccess, saved_files: SavedFiles, tmp_path: Path, path: str, alarm: None
) -> None:
    files.save_as(PNG, "shots/mine.png", SHOT)
    (files.screenshot_dir / "notes.txt").write_text("of somebody")
    (files.screenshot_dir / "directory.png").mkdir()
    os.mkfifo(files.screenshot_dir / "pipe.png")
    (tmp_path / "work" / "secret.png").write_bytes(PNG)
    (files.screenshot_dir / "link.png").symlink_to(tmp_path / "work" / "secret.png")
    (files.screenshot_dir / "linked").symlink_to(tmp_path / "work")
    assert saved_files.find_by_uri(f"viewpoint://screenshots/{path}") is None
    assert names(saved_files) == ["mine.png"]


@pytest.mark.parametrize(
    "uri", ["", "mine.png", "file:///etc/passwd", "viewpoint://", "viewpoint://other/mine.png"]
)
def test_no_other_uri_is_a_resource(files: FileAccess, saved_files: SavedFiles, uri: str) -> None:
    files.save_as(PNG, "shots/mine.png", SHOT)
    assert saved_files.find_by_uri(uri) is None


def test_a_record_gives_no_access_to_a_file_elsewhere(
    files: FileAccess, saved_files: SavedFiles, tmp_path: Path
) -> None:
    shot = files.save_as(PNG, "shots/in/mine.png", SHOT)
    shot.rename(tmp_path / "mine.png")
    shot.parent.rmdir()
    shot.parent.symlink_to(tmp_path)
    assert saved_files.list_files_except_downloads() == []
    assert saved_files.find_by_uri("viewpoint://screenshots/in/mine.png") is None


@pytest.mark.parametrize("swapped", ["file", "directory"])
def test_a_link_put_there_at_the_last_moment_is_not_followed(
    files: FileAccess, saved_files: SavedFiles, tmp_path: Path, swapped: str
) -> None:
    shot = files.save_as(PNG, "shots/in/mine.png", SHOT)
    entry = saved_files.find_screenshot("in/mine.png")
    (tmp_path / "mine.png").write_bytes(b"secret")
    shot.unlink()
    if swapped == "file":
        shot.symlink_to(tmp_path / "mine.png")
    else:
        shot.parent.rmdir()
        shot.parent.symlink_to(tmp_path)
    with pytest.raises(CallError, match="cannot be read"):
        saved_files.read(entry)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_a_path_that_is_no_longer_a_file_is_an_error(
    files: FileAccess, saved_files: SavedFiles, make: Callable[[Path], None], alarm: None
) -> None:
    shot = files.save(PNG, "png", SHOT)
    entry = saved_files.find_screenshot(shot.name)
    shot.unlink()
    make(shot)
    with pytest.raises(CallError, match="cannot be read"):
        saved_files.read(entry)


def test_a_file_that_is_too_large_is_an_error_that_says_so(
    files: FileAccess, saved_files: SavedFiles
) -> None:
    files.screenshot_dir.mkdir()
    with (files.screenshot_dir / "huge.png").open("wb") as file:
        file.truncate(saved_file_lookup.MAX_READ_BYTES + 1)
    with pytest.raises(CallError, match="larger than 64 MiB"):
        saved_files.read(saved_files.find_screenshot("huge.png"))

"""The list of saved files, and reading them by name."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files import shelf as shelf_module
from viewpoint_mcp.files.places import Files
from viewpoint_mcp.files.records import About
from viewpoint_mcp.files.shelf import Shelf

PNG = b"\x89PNG\r\n\x1a\n rest"
SHOT = About(
    kind="screenshot",
    url="https://shop.example/?q=1",
    title="Shop",
    context="default",
    what="viewport",
    viewport=(1280, 720),
    size=(2560, 1440),
    scale=2.0,
)
SNAPSHOT = About(kind="snapshot", title="Shop")
PDF = About(kind="pdf")


@pytest.fixture
def shelf(files: Files) -> Shelf:
    return Shelf(files)


def names(shelf: Shelf) -> list[str]:
    return [entry.name for entry in shelf.entries()]


def test_a_screenshot_is_listed_with_all_that_is_known_of_it(files: Files, shelf: Shelf) -> None:
    before = datetime.now(UTC)
    path = files.save(PNG, "png", SHOT)
    (entry,) = shelf.screenshots()
    assert (entry.name, entry.path, entry.about) == (path.name, path, SHOT)
    assert entry.uri == f"viewpoint://screenshots/{path.name}"
    assert (entry.mime_type, entry.size) == ("image/png", len(PNG))
    assert before <= entry.saved <= datetime.now(UTC)
    assert shelf.read(entry) == PNG


def test_the_newest_come_first(files: Files, shelf: Shelf) -> None:
    paths = [files.save(PNG, "png", SHOT) for _ in range(5)]
    assert names(shelf) == [path.name for path in reversed(paths)]


def test_all_files_except_downloads_are_resources(
    files: Files, shelf: Shelf, tmp_path: Path
) -> None:
    (tmp_path / "part").write_bytes(PNG)
    files.keep(tmp_path / "part", "photo.png", About(kind="download"))
    pdf = files.save(b"%PDF-1.7", "pdf", PDF)
    snapshot = files.save(b"- document", "yml", SNAPSHOT)
    assert {entry.uri: entry.mime_type for entry in shelf.entries()} == {
        f"viewpoint://output/{pdf.name}": "application/pdf",
        f"viewpoint://output/{snapshot.name}": "text/yaml",
    }
    assert shelf.screenshots() == []
    assert shelf.resource("viewpoint://output/photo.png") is None


def test_a_named_screenshot_is_listed_if_it_is_in_one_of_the_directories(
    files: Files, shelf: Shelf
) -> None:
    files.save_as(PNG, "elsewhere.png", SHOT)
    files.save_as(PNG, "shots/a/b.png", SHOT)
    files.save_as(PNG, str(files.output / "c.png"), SHOT)
    assert [entry.uri for entry in shelf.screenshots()] == [
        "viewpoint://output/c.png",
        "viewpoint://screenshots/a/b.png",
    ]
    assert (files.screenshots / ".about" / "a" / "b.png.json").exists()


def test_the_type_is_that_of_the_bytes(files: Files, shelf: Shelf) -> None:
    files.save_as(b"\xff\xd8\xff\xe0", "shots/wrong.png", SHOT)
    files.save_as(b"RIFF\0\0\0\0WEBPVP8 ", "shots/none", SHOT)
    types = {entry.name: entry.mime_type for entry in shelf.screenshots()}
    assert types == {"wrong.png": "image/jpeg", "none": "image/webp"}


def test_screenshots_of_other_programs_are_listed_without_metadata(
    files: Files, shelf: Shelf
) -> None:
    files.save(PNG, "png", SHOT)
    for name in ("theirs.PNG", "a.jpg", "b.jpeg", "c.webp", "d.gif", "notes.txt", ".e.png"):
        (files.screenshots / name).write_bytes(b"x")
    (files.screenshots / "empty.png").touch()
    (files.screenshots / "f.png").mkdir()
    (files.screenshots / "f.png" / "below.png").write_bytes(b"x")
    os.mkfifo(files.screenshots / "g.png")
    files.output.mkdir()
    (files.output / "theirs.png").write_bytes(b"x")
    theirs = [entry for entry in shelf.screenshots() if entry.about is None]
    assert sorted(entry.name for entry in theirs) == ["a.jpg", "b.jpeg", "c.webp", "theirs.PNG"]
    assert {entry.size for entry in theirs} == {1}
    assert len(shelf.screenshots()) == 5


@pytest.mark.parametrize("time", [10**15, -(10**15)])
def test_a_time_that_cannot_be_breaks_no_list(files: Files, shelf: Shelf, time: int) -> None:
    files.save(PNG, "png", SHOT)
    (files.screenshots / "theirs.png").write_bytes(PNG)
    os.utime(files.screenshots / "theirs.png", (0, time))
    assert len(shelf.entries()) == 2


def test_a_record_without_a_time_zone_breaks_no_list(files: Files, shelf: Shelf) -> None:
    record = files.screenshots / ".about" / f"{files.save(PNG, 'png', SHOT).name}.json"
    files.save(PNG, "png", SHOT)
    naive, count = re.subn(rb'"saved":"([^"]+)Z"', rb'"saved":"\1"', record.read_bytes())
    record.write_bytes(naive)
    assert count == 1
    assert [entry.about for entry in shelf.entries()] == [SHOT, None]


def test_a_file_that_replaced_a_saved_one_is_not_listed_as_saved(
    files: Files, shelf: Shelf
) -> None:
    shot, snapshot = files.save(PNG, "png", SHOT), files.save(b"- a", "yml", SNAPSHOT)
    for path in (shot, snapshot):
        path.write_bytes(b"of somebody else")
    (entry,) = shelf.entries()
    assert (entry.path, entry.about) == (shot, None)


def test_a_removed_file_is_forgotten(files: Files, shelf: Shelf) -> None:
    path = files.save(PNG, "png", SHOT)
    (entry,) = shelf.screenshots()
    path.unlink()
    assert shelf.entries() == []
    assert shelf.resource(entry.uri) is None
    assert list((files.screenshots / ".about").iterdir()) == []
    with pytest.raises(CallError, match="was removed"):
        shelf.read(entry)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b'{"about": 1}', b"\xff", b"9" * 300_000, b'{"x":' + b"[" * 100_000],
)
def test_a_broken_record_is_ignored(files: Files, shelf: Shelf, content: bytes) -> None:
    path = files.save(PNG, "png", SHOT)
    (files.screenshots / ".about" / f"{path.name}.json").write_bytes(content)
    (entry,) = shelf.screenshots()
    assert entry.about is None
    assert shelf.read(shelf.screenshot(path.name)) == PNG


def test_files_are_saved_even_if_no_record_can_be_written(files: Files, shelf: Shelf) -> None:
    files.screenshots.mkdir()
    (files.screenshots / ".about").write_text("in the way")
    path = files.save(PNG, "png", SHOT)
    (entry,) = shelf.screenshots()
    assert (entry.path, entry.about) == (path, None)


def test_the_directories_need_not_be_there(shelf: Shelf) -> None:
    assert shelf.entries() == []


def test_both_directories_may_be_one(files: Files) -> None:
    one = replace(files, output=files.screenshots)
    one.save(PNG, "png", SHOT)
    pdf = one.save(b"%PDF-1.7", "pdf", PDF)
    shelf = Shelf(one)
    assert len(shelf.entries()) == 2
    assert shelf.resource(f"viewpoint://screenshots/{pdf.name}") is not None


def test_one_directory_may_be_inside_the_other(files: Files) -> None:
    nested = replace(files, screenshots=files.output / "shots")
    shot = nested.save(PNG, "png", SHOT)
    nested.save_as(PNG, str(nested.screenshots / "mine.png"), SHOT)
    shelf = Shelf(nested)
    assert [entry.uri for entry in shelf.entries()] == [
        "viewpoint://screenshots/mine.png",
        f"viewpoint://screenshots/{shot.name}",
    ]


def test_a_directory_may_be_a_link(files: Files, shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    files.screenshots.symlink_to(tmp_path / "disk")
    path = files.save(PNG, "png", SHOT)
    assert shelf.read(shelf.screenshot(files.shown(path))) == PNG


# ---- records


def test_records_are_readable_only_by_their_owner_and_contain_no_password(
    files: Files, shelf: Shelf
) -> None:
    url = "https://me:secret@shop.example/?next=http://you:word@x/"
    path = files.save(PNG, "png", replace(SHOT, url=url))
    (entry,) = shelf.screenshots()
    assert entry.about
    assert entry.about.url == "https://shop.example/?next=http://x/"
    record = files.screenshots / ".about" / f"{path.name}.json"
    assert record.stat().st_mode & 0o777 == 0o600
    assert b"secret" not in record.read_bytes()
    assert b"shop.example" not in path.read_bytes()


def test_records_are_not_longer_than_needed(files: Files, shelf: Shelf) -> None:
    files.save(PNG, "png", replace(SHOT, url="data:," + "a" * 1_000_000, title="half \ud83d"))
    (entry,) = shelf.screenshots()
    assert entry.about
    assert len(entry.about.url) < 5_000
    assert entry.about.title == "half ?"


def test_an_overwritten_file_has_its_latest_record(files: Files, shelf: Shelf) -> None:
    files.save_as(PNG, "shots/a.png", SHOT)
    files.save_as(PNG + b"more", "shots/a.png", replace(SHOT, title="Cart"))
    assert [entry.title for entry in shelf.screenshots()] == ["Cart (viewport)"]
    files.save_as(b"- text", "shots/a.png")
    assert [entry.about for entry in shelf.screenshots()] == [None]
    assert list((files.screenshots / ".about").iterdir()) == []


def test_the_records_are_not_to_be_written_to(files: Files) -> None:
    for name in ("shots/.about/a.png.json", "shots/.ABOUT/a.png.json", "shots/a/.about/b"):
        with pytest.raises(CallError, match="where the server keeps notes"):
            files.save_as(b"{}", name)


def test_a_link_in_place_of_the_records_is_not_followed(
    files: Files, shelf: Shelf, tmp_path: Path
) -> None:
    (tmp_path / "precious").mkdir()
    first = files.save(PNG, "png", SHOT)
    record = files.screenshots / ".about" / f"{first.name}.json"
    record.rename(tmp_path / "precious" / "gone.png.json")
    record.parent.rmdir()
    record.parent.symlink_to(tmp_path / "precious")
    files.save(PNG, "png", SHOT)
    assert [entry.about for entry in shelf.entries()] == [None, None]
    assert [path.name for path in (tmp_path / "precious").iterdir()] == ["gone.png.json"]


def test_a_record_that_is_a_pipe_does_not_block(files: Files, shelf: Shelf, alarm: None) -> None:
    path = files.save(PNG, "png", SHOT)
    record = files.screenshots / ".about" / f"{path.name}.json"
    record.unlink()
    os.mkfifo(record)
    assert [entry.about for entry in shelf.screenshots()] == [None]


# ---- one of them


def test_a_screenshot_is_found_by_each_of_its_names(files: Files, shelf: Shelf) -> None:
    path = files.save(PNG, "png", SHOT)
    for name in (path.name, f"shots/{path.name}", str(path), f"./shots/../shots/{path.name}"):
        assert shelf.screenshot(name).path == path
    assert shelf.screenshot(f"viewpoint://screenshots/{path.name}").path == path


def test_an_unknown_file_is_an_error_that_says_where_to_look(shelf: Shelf) -> None:
    with pytest.raises(CallError, match=r'no screenshot "a.png".*list_screenshots'):
        shelf.screenshot("a.png")


@pytest.mark.parametrize("name", ["", ".", "..", "/", "a\0b", "viewpoint://output/", "../../x.png"])
def test_no_name_at_all_is_an_error_too(shelf: Shelf, name: str) -> None:
    with pytest.raises(CallError, match="There is no screenshot"):
        shelf.screenshot(name)


def test_a_file_that_is_no_screenshot_is_an_error_that_says_so(files: Files, shelf: Shelf) -> None:
    path = files.save(b"- a", "yml", SNAPSHOT)
    with pytest.raises(CallError, match="is a snapshot, no screenshot"):
        shelf.screenshot(path.name)


@pytest.mark.parametrize(
    "name", ["with space.png", "ä#?%.png", "a+b&c.png", "%2e%2e.png", os.fsdecode(b"\xff.png")]
)
def test_a_uri_can_contain_any_name(files: Files, shelf: Shelf, name: str) -> None:
    files.screenshots.mkdir()
    (files.screenshots / name).write_bytes(PNG)
    (entry,) = shelf.entries()
    assert re.fullmatch(r"viewpoint://screenshots/[\w.~%/-]+", entry.uri, re.ASCII)
    assert shelf.resource(entry.uri) == entry
    assert shelf.read(entry) == PNG


# ---- nothing else


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
    files: Files, shelf: Shelf, tmp_path: Path, path: str, alarm: None
) -> None:
    files.save_as(PNG, "shots/mine.png", SHOT)
    (files.screenshots / "notes.txt").write_text("of somebody")
    (files.screenshots / "directory.png").mkdir()
    os.mkfifo(files.screenshots / "pipe.png")
    (tmp_path / "work" / "secret.png").write_bytes(PNG)
    (files.screenshots / "link.png").symlink_to(tmp_path / "work" / "secret.png")
    (files.screenshots / "linked").symlink_to(tmp_path / "work")
    assert shelf.resource(f"viewpoint://screenshots/{path}") is None
    assert names(shelf) == ["mine.png"]


@pytest.mark.parametrize(
    "uri", ["", "mine.png", "file:///etc/passwd", "viewpoint://", "viewpoint://other/mine.png"]
)
def test_no_other_uri_is_a_resource(files: Files, shelf: Shelf, uri: str) -> None:
    files.save_as(PNG, "shots/mine.png", SHOT)
    assert shelf.resource(uri) is None


def test_a_record_gives_no_access_to_a_file_elsewhere(
    files: Files, shelf: Shelf, tmp_path: Path
) -> None:
    shot = files.save_as(PNG, "shots/in/mine.png", SHOT)
    shot.rename(tmp_path / "mine.png")
    shot.parent.rmdir()
    shot.parent.symlink_to(tmp_path)
    assert shelf.entries() == []
    assert shelf.resource("viewpoint://screenshots/in/mine.png") is None


@pytest.mark.parametrize("swapped", ["file", "directory"])
def test_a_link_put_there_at_the_last_moment_is_not_followed(
    files: Files, shelf: Shelf, tmp_path: Path, swapped: str
) -> None:
    shot = files.save_as(PNG, "shots/in/mine.png", SHOT)
    entry = shelf.screenshot("in/mine.png")
    (tmp_path / "mine.png").write_bytes(b"secret")
    shot.unlink()
    if swapped == "file":
        shot.symlink_to(tmp_path / "mine.png")
    else:
        shot.parent.rmdir()
        shot.parent.symlink_to(tmp_path)
    with pytest.raises(CallError, match="cannot be read"):
        shelf.read(entry)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_a_path_that_is_no_longer_a_file_is_an_error(
    files: Files, shelf: Shelf, make: Callable[[Path], None], alarm: None
) -> None:
    shot = files.save(PNG, "png", SHOT)
    entry = shelf.screenshot(shot.name)
    shot.unlink()
    make(shot)
    with pytest.raises(CallError, match="cannot be read"):
        shelf.read(entry)


def test_a_file_that_is_too_large_is_an_error_that_says_so(files: Files, shelf: Shelf) -> None:
    files.screenshots.mkdir()
    with (files.screenshots / "huge.png").open("wb") as file:
        file.truncate(shelf_module.LARGEST + 1)
    with pytest.raises(CallError, match="more than 64 MiB"):
        shelf.read(shelf.screenshot("huge.png"))

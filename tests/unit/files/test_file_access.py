"""Directories for saved files, and errors about them."""

from __future__ import annotations

import os
import re
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.files.records import FileDescription
from viewpoint_mcp.files.saved_file_lookup import SavedFiles

SHOT = FileDescription(kind="screenshot")
DOWNLOAD = FileDescription(kind="download")


def test_the_directories_come_from_the_settings(tmp_path: Path) -> None:
    settings = Settings(
        working_dir=tmp_path,
        screenshot_dir=tmp_path / "s",
        output_dir=tmp_path / "o",
        unrestricted_files=True,
        output_max_size=5,
    )
    made = FileAccess(
        *(tmp_path, tmp_path / "s", tmp_path / "o", True),
        max_total_size=5,
        named_files_dir=tmp_path,
    )
    assert FileAccess.from_settings(settings) == made


def test_a_new_file_is_named_by_the_time(files: FileAccess) -> None:
    path = files.save(b"data", "png", SHOT)
    name = r"page-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.png"
    assert re.fullmatch(name, path.name)
    assert path.parent == files.screenshot_dir
    assert path.read_bytes() == b"data"


def test_a_private_file_is_for_its_owner_alone_and_has_no_record(files: FileAccess) -> None:
    path = files.save_private(b"data", "storage-state", "json")
    name = r"storage-state-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.json"
    assert re.fullmatch(name, path.name)
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.read_bytes() for each in files.output_dir.iterdir()] == [b"data"]


def test_many_in_one_millisecond_do_not_collide(files: FileAccess) -> None:
    paths = [files.save(bytes([n]), "png", SHOT) for n in range(50)]
    assert len(set(paths)) == 50
    assert [path.read_bytes() for path in paths] == [bytes([n]) for n in range(50)]


def test_a_name_is_relative_to_the_working_directory(files: FileAccess) -> None:
    path = files.save_as(b"data", "a/b.png")
    assert path == files.working_dir / "a" / "b.png"
    assert path.read_bytes() == b"data"
    assert files.format_path_for_reply(path) == str(Path("a/b.png"))


def test_a_name_is_relative_to_another_directory_if_the_working_directory_takes_no_files(
    tmp_path: Path,
) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "theirs.txt").touch()
    files = FileAccess(
        tmp_path / "work", tmp_path / "out", tmp_path / "out", named_files_dir=tmp_path / "out"
    )
    path = files.save_as(b"data", "b.png", SHOT)
    assert path == tmp_path / "out" / "b.png"
    assert files.format_path_for_reply(path) == str(path)
    assert files.resolve_to_read("b.png") == path
    assert files.resolve_to_read("theirs.txt") == tmp_path / "work" / "theirs.txt"
    assert (found := SavedFiles(files).find_by_path("b.png")) is not None
    assert found.name == "b.png"
    with pytest.raises(CallError, match="does not exist"):
        files.resolve_to_read("c.png")
    with pytest.raises(CallError, match="cannot be read: File name too long"):
        files.resolve_to_read("c" * 300)


def test_paths_are_absolute_in_the_root_directory(tmp_path: Path) -> None:
    files = FileAccess(Path("/"), tmp_path, tmp_path)
    assert files.format_path_for_reply(tmp_path / "a.png") == str(tmp_path / "a.png")


def test_an_absolute_name_inside_the_directory_is_accepted(files: FileAccess) -> None:
    path = files.output_dir / "b.png"
    assert files.save_as(b"data", str(path)) == path
    assert files.format_path_for_reply(path) == str(path)


def test_a_file_is_written_over_when_its_name_is_given_again(files: FileAccess) -> None:
    files.save_as(b"first", "a.png")
    assert files.save_as(b"second", "a.png").read_bytes() == b"second"


def test_dots_that_stay_inside_the_directory_are_accepted(files: FileAccess) -> None:
    assert files.resolve_to_write("a/../b.png") == files.working_dir / "b.png"


@pytest.mark.parametrize(
    "name", ["../a.png", "a/../../a.png", "/etc/a.png", "../work-2/a.png", "..", "/"]
)
def test_a_name_outside_the_working_directory_is_refused(files: FileAccess, name: str) -> None:
    with pytest.raises(CallError, match="outside"):
        files.save_as(b"data", name)


def test_a_refusal_names_the_directories_that_are_allowed(files: FileAccess) -> None:
    with pytest.raises(CallError, match=re.escape(f"{files.working_dir}, {files.screenshot_dir}")):
        files.resolve_to_write("../a.png")


def test_a_link_that_leads_out_is_refused(files: FileAccess, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (files.working_dir / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CallError, match="outside"):
        files.save_as(b"data", "link/a.png")


def test_a_dangling_link_that_leads_out_is_refused(files: FileAccess, tmp_path: Path) -> None:
    (files.working_dir / "link.png").symlink_to(tmp_path / "not-there-yet.png")
    with pytest.raises(CallError, match="outside"):
        files.save_as(b"data", "link.png")
    assert not (tmp_path / "not-there-yet.png").exists()


def test_a_circle_of_links_is_refused(files: FileAccess) -> None:
    (files.working_dir / "a").symlink_to(files.working_dir / "b")
    (files.working_dir / "b").symlink_to(files.working_dir / "a")
    with pytest.raises(CallError):
        files.save_as(b"data", "a/x.png")


def test_a_link_that_stays_inside_is_followed(files: FileAccess) -> None:
    (files.working_dir / "real").mkdir()
    (files.working_dir / "link").symlink_to(files.working_dir / "real")
    assert files.save_as(b"data", "link/a.png") == files.working_dir / "real" / "a.png"


def test_a_working_directory_that_is_a_link_works(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    files = FileAccess(tmp_path / "link", tmp_path / "link" / "s", tmp_path / "link" / "o")
    assert files.save_as(b"data", "a.png") == tmp_path / "real" / "a.png"


@pytest.mark.parametrize("name", ["", "a\0b.png", "a\nb.png", 'a"b.png', "a?.png", "a*.png", "a:b"])
def test_an_invalid_file_name_is_refused(files: FileAccess, name: str) -> None:
    with pytest.raises(CallError, match="is not a file name"):
        files.save_as(b"data", name)


def test_the_directory_itself_is_no_file_name(files: FileAccess) -> None:
    with pytest.raises(CallError):
        files.save_as(b"data", ".")


def test_a_name_that_is_too_long_is_refused(files: FileAccess) -> None:
    with pytest.raises(CallError, match="cannot be written"):
        files.save_as(b"data", "a" * 300)


def test_any_path_may_be_written_where_that_is_allowed(files: FileAccess, tmp_path: Path) -> None:
    free = FileAccess(
        files.working_dir, files.screenshot_dir, files.output_dir, is_unrestricted=True
    )
    assert free.save_as(b"data", "../anywhere/a.png") == tmp_path / "anywhere" / "a.png"


def test_a_directory_that_cannot_be_made_is_reported(files: FileAccess, alarm: None) -> None:
    files.output_dir.write_text("in the way")
    with pytest.raises(CallError, match=r"cannot be written"):
        files.save(b"data", "png", FileDescription(kind="pdf"))


@contextmanager
def limit_file_sizes() -> Iterator[None]:
    """Make the system refuse to write more than 64 KiB per file, as on a full disk.

    Not a fixture: while the limit holds, pytest cannot write its own output to a longer log.
    """
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 * 1024, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_file_that_was_not_written_completely_is_removed(files: FileAccess) -> None:
    old = files.save_as(b"old", "shots/a.png", SHOT)
    too_large = r"cannot be written: File too large\. Start .+--output-dir"
    with limit_file_sizes(), pytest.raises(CallError, match=too_large):
        files.save(b"x" * 200_000, "png", SHOT)
    with limit_file_sizes(), pytest.raises(CallError, match="cannot be written"):
        files.save_as(b"x" * 200_000, "shots/a.png", SHOT)
    assert old.read_bytes() == b"old"
    assert [path.name for path in files.screenshot_dir.iterdir() if path.is_file()] == ["a.png"]


def test_a_directory_that_is_a_file_is_reported(files: FileAccess, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for name, words in (("file", f"{tmp_path}/file is not a directory"), ("file/in", "Not a dir")):
        wrong = replace(files, screenshot_dir=tmp_path / name)
        with pytest.raises(CallError, match=rf"{name}/page-.+ cannot be written: {words}"):
            wrong.save(b"data", "png", SHOT)


def test_a_directory_that_is_a_circle_of_links_is_reported_and_others_can_be_used(
    files: FileAccess, tmp_path: Path
) -> None:
    files.screenshot_dir.symlink_to(tmp_path / "back")
    (tmp_path / "back").symlink_to(files.screenshot_dir)
    with pytest.raises(CallError, match="shots is not a directory"):
        files.save(b"data", "png", SHOT)
    assert files.save_as(b"data", "a.png", SHOT).read_bytes() == b"data"
    assert files.save(b"data", "pdf", FileDescription(kind="pdf")).read_bytes() == b"data"


def test_a_pipe_is_not_read(files: FileAccess) -> None:
    os.mkfifo(files.working_dir / "pipe")
    with pytest.raises(CallError, match="pipe is neither a regular file nor a directory"):
        files.resolve_to_read("pipe")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no file system refuses root here")
def test_a_directory_that_takes_no_files_is_reported(files: FileAccess) -> None:
    wrong = replace(files, screenshot_dir=Path("/proc/self"), output_dir=Path("/proc/self/new"))
    for kind in (SHOT, FileDescription(kind="pdf")):
        with pytest.raises(CallError, match=r"/proc/self/.+ cannot be written: "):
            wrong.save(b"data", "png", kind)


def test_a_path_that_is_no_file_is_not_overwritten(files: FileAccess, alarm: None) -> None:
    os.mkfifo(files.working_dir / "pipe.png")
    with pytest.raises(CallError, match="it is not a regular file"):
        files.save_as(b"data", "pipe.png")
    assert [path.name for path in files.working_dir.iterdir()] == ["pipe.png"]


def test_a_file_written_over_may_be_read_by_whom_it_could_be_before(files: FileAccess) -> None:
    path = files.save_as(b"first", "a.png")
    path.chmod(0o640)
    assert files.save_as(b"second", "a.png").stat().st_mode & 0o777 == 0o640


def test_a_new_file_has_the_permissions_of_the_users_umask(files: FileAccess) -> None:
    before = os.umask(0o027)
    try:
        paths = [files.save(b"data", "png", SHOT), files.save_as(b"data", "a.png")]
    finally:
        os.umask(before)
    assert [path.stat().st_mode & 0o777 for path in paths] == [0o640, 0o640]


def test_files_are_read_from_the_directories_that_were_allowed(
    files: FileAccess, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    inside, outside = files.working_dir / "a.txt", elsewhere / "b.txt"
    for path in (inside, outside):
        path.write_text("data")
    assert files.resolve_to_read("a.txt") == files.resolve_to_read(str(inside)) == inside
    with pytest.raises(CallError, match=f"may read from. Allowed: {files.working_dir}, "):
        files.resolve_to_read(str(outside))
    more = FileAccess(
        files.working_dir, files.screenshot_dir, files.output_dir, readable_dirs=(elsewhere,)
    )
    assert more.resolve_to_read(str(outside)) == outside


def test_a_link_does_not_lead_out_when_reading(files: FileAccess, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("data")
    (files.working_dir / "link").symlink_to(secret)
    with pytest.raises(CallError, match="is outside"):
        files.resolve_to_read("link")


def test_a_file_to_read_must_be_there(files: FileAccess) -> None:
    with pytest.raises(CallError, match="does not exist"):
        files.resolve_to_read("missing.txt")


def test_a_kept_file_moves_under_a_name_that_is_free(files: FileAccess, tmp_path: Path) -> None:
    kept = []
    for content in ("one", "two", "three"):
        (tmp_path / "part").write_text(content)
        kept.append(files.move_to_output(tmp_path / "part", "data.txt", DOWNLOAD))
    assert [path.name for path in kept] == ["data.txt", "data-2.txt", "data-3.txt"]
    assert [path.read_text() for path in kept] == ["one", "two", "three"]
    assert not (tmp_path / "part").exists()


def test_a_kept_file_follows_no_link(files: FileAccess, tmp_path: Path) -> None:
    files.output_dir.mkdir()
    (files.output_dir / "data.txt").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "part").write_text("data")
    assert files.move_to_output(tmp_path / "part", "data.txt", DOWNLOAD).name == "data-2.txt"
    assert not (tmp_path / "elsewhere").exists()


def test_a_file_that_is_not_there_is_not_kept(files: FileAccess, tmp_path: Path) -> None:
    with pytest.raises(CallError, match="cannot be written"):
        files.move_to_output(tmp_path / "missing", "data.txt", DOWNLOAD)
    assert list(files.output_dir.iterdir()) == []


def test_a_private_file_is_its_owners_alone_and_takes_the_place_of_another(
    files: FileAccess,
) -> None:
    old = files.working_dir / "state.json"
    old.write_text("old")
    old.chmod(0o644)
    path = files.save_as(b"new", "state.json", is_private=True)
    assert path == old
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(files.working_dir.iterdir()) == [path]


def test_a_private_file_makes_its_directory(files: FileAccess) -> None:
    assert files.save_as(b"new", "in/here/state.json", is_private=True).read_bytes() == b"new"


def test_a_private_file_that_cannot_be_put_in_place_leaves_nothing(files: FileAccess) -> None:
    (files.working_dir / "state.json").mkdir()
    with pytest.raises(CallError, match="cannot be written"):
        files.save_as(b"new", "state.json", is_private=True)
    assert [path.name for path in files.working_dir.iterdir()] == ["state.json"]


def test_a_private_file_stays_inside(files: FileAccess) -> None:
    with pytest.raises(CallError, match="is outside"):
        files.save_as(b"new", "../state.json", is_private=True)

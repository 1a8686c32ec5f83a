"""Contents of an archive that are unpacked, and those that are refused."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path

import pytest

from viewpoint_mcp.browser.install.stoppable_thread import StopFlag, StoppedError
from viewpoint_mcp.browser.install.unpack import BrokenArchiveError, unpack_zip

FILE = stat.S_IFREG | 0o644
LINK = stat.S_IFLNK | 0o777


def made(path: Path, *entries: tuple[str, str, int]) -> Path:
    with zipfile.ZipFile(path / "made.zip", "w") as opened:
        for name, text, mode in entries:
            entry = zipfile.ZipInfo(name)
            entry.external_attr = mode << 16
            opened.writestr(entry, text)
    return path / "made.zip"


@pytest.fixture
def to(tmp_path: Path) -> Path:
    (tmp_path / "to").mkdir()
    return tmp_path / "to"


def test_modes_and_links_are_kept_but_no_setuid(tmp_path: Path, to: Path) -> None:
    run = ("a/run", "x", stat.S_IFREG | 0o4755)
    unpack_zip(made(tmp_path, ("a/to-b", "../b", LINK), run, ("b", "bee", FILE)), to, StopFlag())
    assert (to / "a/run").stat().st_mode & 0o7777 == 0o755
    assert (to / "a/to-b").readlink() == Path("../b")
    assert (to / "a/to-b").read_text() == "bee"


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ([("../evil", "x", FILE)], "points outside"),
        ([("/evil", "x", FILE)], "points outside"),
        ([("C:evil", "x", FILE)], "points outside"),
        ([("out", "/etc", LINK)], "points outside"),
        ([("a/out", "../../x", LINK)], "points outside"),
        ([("d/e/in", "../../d", LINK), ("out", "d/e/in/../../x", LINK)], "points outside"),
        ([("out", "/tmp", LINK), ("out/evil", "x", FILE)], "two files with the same name"),
        ([("a", "x", FILE), ("a/b", "x", FILE)], "two files with the same name"),
    ],
)
def test_an_entry_that_leaves_the_directory_or_conflicts_is_refused(
    tmp_path: Path, to: Path, entries: list[tuple[str, str, int]], words: str
) -> None:
    with pytest.raises(BrokenArchiveError, match=words):
        unpack_zip(made(tmp_path, *entries), to, StopFlag())
    assert not Path("/evil").exists()
    assert all(found.is_relative_to(to) for found in tmp_path.rglob("evil"))


def test_a_file_that_is_no_archive_is_refused(tmp_path: Path, to: Path) -> None:
    (tmp_path / "page.zip").write_text("<html>")
    with pytest.raises(BrokenArchiveError, match="not a zip"):
        unpack_zip(tmp_path / "page.zip", to, StopFlag())


def test_unpacking_can_be_cancelled(tmp_path: Path, to: Path) -> None:
    stop = StopFlag()
    stop.request_stop()
    with pytest.raises(StoppedError):
        unpack_zip(made(tmp_path, ("a", "x", FILE)), to, stop)
    assert list(to.iterdir()) == []

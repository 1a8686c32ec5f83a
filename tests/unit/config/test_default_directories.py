"""The directories of files and profiles by default: below the working directory, or in a cache."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

import pytest

from viewpoint_mcp.config.default_directories import (
    can_write_to,
    choose_directory_for_files,
    get_cache_directory,
    get_workspace_cache,
)
from viewpoint_mcp.config.settings import Settings

NAME = ".viewpoint-mcp"


@pytest.mark.parametrize(
    ("platform", "environ", "expected"),
    [
        ("linux", {"XDG_CACHE_HOME": "/c", "HOME": "/h"}, "/c/viewpoint-mcp"),
        ("linux", {"XDG_CACHE_HOME": "c", "HOME": "/h"}, "/h/.cache/viewpoint-mcp"),
        ("linux", {"HOME": "/h"}, "/h/.cache/viewpoint-mcp"),
        ("linux", {}, None),
        ("darwin", {"HOME": "/h"}, "/h/Library/Caches/viewpoint-mcp"),
        ("darwin", {}, None),
        ("win32", {"LOCALAPPDATA": "C:\\l"}, "C:\\l\\viewpoint-mcp\\cache"),
        ("win32", {}, None),
        ("linux", {"VIEWPOINT_MCP_CACHE_DIR": "/mine", "HOME": "/h"}, "/mine"),
    ],
)
def test_the_cache_directory_is_that_of_the_platform(
    platform: str, environ: dict[str, str], expected: str | None
) -> None:
    assert get_cache_directory(environ, platform) == (expected and Path(expected))


def test_each_working_directory_has_a_cache_with_a_readable_name(tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path)}
    found = [
        str(get_workspace_cache(Path(directory), environ))
        for directory in ("/home/ada/shop", "/old/shop", "/", "/a/Ä b.", f"/{'x' * 200}")
    ]
    patterns = ("shop-", "shop-", "", "b-", "x{24}-")
    for path, name in zip(found, patterns, strict=True):
        assert re.fullmatch(rf"{tmp_path}/.cache/viewpoint-mcp/{name}[0-9a-f]{{8}}", path)
    assert len(set(found)) == 5


def test_files_are_kept_below_a_writable_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert choose_directory_for_files(NAME) == tmp_path / NAME
    settings = Settings()
    assert settings.replaced_directory is None
    assert settings.directory_notice == ""
    assert settings.named_files_dir == tmp_path


def test_files_that_the_working_directory_cannot_keep_are_kept_in_the_users_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (".viewpoint-mcp", ".viewpoint-mcp-screenshots"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VIEWPOINT_MCP_CACHE_DIR", str(tmp_path / "cache"))
    settings = Settings()
    assert settings.output_dir == settings.screenshot_dir
    assert settings.output_dir.parent.parent == tmp_path / "cache"
    assert f"Files are saved in {settings.output_dir}, because" in settings.directory_notice
    assert not (tmp_path / "cache").exists()


def test_the_root_directory_keeps_no_files_even_if_it_can_be_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("/")
    monkeypatch.setenv("VIEWPOINT_MCP_CACHE_DIR", str(tmp_path))
    assert choose_directory_for_files(NAME).parent.parent == tmp_path


def test_without_a_cache_files_are_kept_in_a_private_temporary_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.chdir("/")
    monkeypatch.setenv("VIEWPOINT_MCP_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    own = tmp_path / f"viewpoint-mcp-{os.getuid()}"
    assert choose_directory_for_files(NAME).parent.parent == own
    assert own.stat().st_mode & 0o777 == 0o700


def test_a_temporary_directory_of_another_user_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / f"viewpoint-mcp-{os.getuid()}").symlink_to(tmp_path / "theirs")
    (tmp_path / "file").touch()
    monkeypatch.chdir("/")
    monkeypatch.setenv("VIEWPOINT_MCP_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    chosen = choose_directory_for_files(NAME).parent.parent
    assert chosen.parent == tmp_path
    assert chosen.name not in ("theirs", f"viewpoint-mcp-{os.getuid()}")


def test_a_missing_directory_can_be_written_to_if_it_can_be_created(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert can_write_to(tmp_path / "a" / "b")
    assert not can_write_to(tmp_path / "file")
    assert not can_write_to(tmp_path / "file" / "b")
    assert not can_write_to(tmp_path / "loop")

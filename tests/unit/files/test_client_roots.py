"""The roots of a client: which directories they are, and what they allow."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from viewpoint_mcp.caller import Caller, Question, set_caller
from viewpoint_mcp.errors import BlockedError, CallError
from viewpoint_mcp.files import client_roots
from viewpoint_mcp.files.client_roots import fetch_client_roots, use_client_roots
from viewpoint_mcp.files.file_access import FileAccess


class Client(Caller):
    """A client that lists these roots."""

    def __init__(self, roots: object) -> None:
        self.capabilities = {"roots": {}}
        self.roots = roots

    async def ask(self, **questions: Question) -> dict[str, Any]:
        assert [question.method for question in questions.values()] == ["roots/list"]
        if isinstance(self.roots, Exception):
            raise self.roots
        return {name: {"roots": self.roots} for name in questions}


async def fetch(client: Caller) -> tuple[Path, ...]:
    """Return the roots of a client, in a task, so that no other test has this caller."""

    async def fetch_as_client() -> tuple[Path, ...]:
        set_caller(client)
        return await fetch_client_roots()

    return await asyncio.create_task(fetch_as_client())


@pytest.mark.parametrize(
    ("root", "path"),
    [
        ({"uri": "file:///home/ada/shop", "name": "Shop"}, "/home/ada/shop"),
        ({"uri": "file://localhost/home/ada"}, "/home/ada"),
        ({"uri": "file:///home/ada/my%20shop"}, "/home/ada/my shop"),
        ({"uri": "file:///"}, "/"),
    ],
)
async def test_a_file_uri_is_a_directory(root: Mapping[str, str], path: str) -> None:
    assert await fetch(Client([root])) == (Path(path),)


@pytest.mark.parametrize(
    "root",
    [
        {"uri": "https://example.com/shop"},
        {"uri": "file://server/share"},
        {"uri": "file:shop"},
        {"uri": "file://[/"},
        {"uri": "/home/ada"},
        {"uri": 5},
        {},
        "file:///home/ada",
    ],
)
async def test_another_root_is_ignored(root: object) -> None:
    good = {"uri": "file:///home/ada"}
    assert await fetch(Client([root, good])) == (Path("/home/ada"),)


async def test_a_client_without_roots_is_not_asked() -> None:
    assert await fetch(Caller()) == ()


@pytest.mark.parametrize("failure", [CallError("The client refused roots/list"), TimeoutError()])
async def test_a_client_that_does_not_answer_has_no_roots(failure: Exception) -> None:
    assert await fetch(Client(failure)) == ()


async def test_a_client_that_never_answers_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class SilentClient(Client):
        async def ask(self, **questions: Question) -> dict[str, Any]:
            await asyncio.Event().wait()
            raise AssertionError

    monkeypatch.setattr(client_roots, "_ANSWER_LIMIT", 0.01)
    assert await fetch(SilentClient([])) == ()


@pytest.fixture
def files(tmp_path: Path) -> FileAccess:
    """Return the rules of a server in `tmp_path/server`."""
    for name in ("server", "root", "other"):
        (tmp_path / name).mkdir()
    server = tmp_path / "server"
    return FileAccess(server, server / "shots", server / "files")


def test_a_root_is_read_and_written_during_the_call_only(files: FileAccess, tmp_path: Path) -> None:
    file = tmp_path / "root/a.txt"
    file.write_text("a")
    with use_client_roots((tmp_path / "root",)):
        assert files.resolve_to_read(str(file)) == file
        assert files.resolve_to_write(str(tmp_path / "root/b.txt")) == tmp_path / "root/b.txt"
    with pytest.raises(BlockedError):
        files.resolve_to_read(str(file))


def test_a_refusal_lists_the_roots(files: FileAccess, tmp_path: Path) -> None:
    with (
        use_client_roots((tmp_path / "root",)),
        pytest.raises(BlockedError, match=f"Allowed: .*{tmp_path}/root\\."),
    ):
        files.resolve_to_write(str(tmp_path / "other/b.txt"))


def test_a_link_out_of_a_root_is_refused(files: FileAccess, tmp_path: Path) -> None:
    (tmp_path / "root/link").symlink_to(tmp_path / "other")
    with use_client_roots((tmp_path / "root",)), pytest.raises(BlockedError):
        files.resolve_to_write(str(tmp_path / "root/link/b.txt"))


@pytest.mark.parametrize(
    ("name", "is_outside"),
    [
        ("a.txt", False),
        ("shots/a.png", False),
        ("../root/a.txt", True),
        ("/etc/hostname", True),
        ("a\x00b", False),
    ],
)
def test_only_a_path_outside_needs_a_root(files: FileAccess, name: str, is_outside: bool) -> None:
    assert files.is_outside_own_directories(name) is is_outside

"""Answers of the server to requests for resources."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.files.records import FileDescription
from viewpoint_mcp.files.saved_file_lookup import MAX_READ_BYTES, SavedFiles
from viewpoint_mcp.rpc.errors import INTERNAL_ERROR, INVALID_PARAMS, RpcError
from viewpoint_mcp.server.initialize_handshake import LATEST_SESSION_VERSION, SESSION_VERSIONS
from viewpoint_mcp.server.saved_file_resources import (
    RESOURCE_NOT_FOUND,
    list_resources,
    list_templates,
    read_resource,
)

PNG = b"\x89PNG\r\n\x1a\n"
SHOT = FileDescription(kind="screenshot", title="Shop", what="viewport")


@pytest.fixture
def files(tmp_path: Path) -> FileAccess:
    return FileAccess(tmp_path, tmp_path / "shots", tmp_path / "out")


@pytest.fixture
def saved_files(files: FileAccess) -> SavedFiles:
    return SavedFiles(files)


async def refusal(saved_files: SavedFiles, params: dict[str, Any]) -> RpcError:
    with pytest.raises(RpcError) as caught:
        await read_resource(saved_files, params, LATEST_SESSION_VERSION)
    return caught.value


async def test_without_saved_files_the_list_is_empty(saved_files: SavedFiles) -> None:
    assert await list_resources(saved_files, {}, LATEST_SESSION_VERSION) == {"resources": []}


@pytest.mark.parametrize("version", SESSION_VERSIONS)
async def test_a_resource_is_listed_as_the_revision_has_it(
    files: FileAccess, saved_files: SavedFiles, version: str
) -> None:
    path = files.save(PNG, "png", SHOT)
    (entry,) = saved_files.list_files_except_downloads()
    listed: dict[str, Any] = {
        "uri": f"viewpoint://screenshots/{path.name}",
        "name": path.name,
        "mimeType": "image/png",
        "size": 8,
    }
    if version >= "2025-06-18":
        listed["title"] = "Shop (viewport)"
        listed["annotations"] = {"lastModified": f"{entry.saved_at:%Y-%m-%dT%H:%M:%SZ}"}
    assert await list_resources(saved_files, {}, version) == {"resources": [listed]}


async def test_a_long_list_comes_in_pages(files: FileAccess, saved_files: SavedFiles) -> None:
    names = [files.save(PNG, "png", SHOT).name for _ in range(150)]
    first = await list_resources(saved_files, {"cursor": None}, LATEST_SESSION_VERSION)
    files.save(PNG, "png", SHOT)
    second = await list_resources(
        saved_files, {"cursor": first["nextCursor"]}, LATEST_SESSION_VERSION
    )
    listed = [each["name"] for each in first["resources"] + second["resources"]]
    assert listed == names[::-1]
    assert len(second["resources"]) == 50
    assert "nextCursor" not in second


@pytest.mark.parametrize("cursor", ["2", "", 5, ["x"], {}])
async def test_an_invalid_cursor_is_refused(saved_files: SavedFiles, cursor: object) -> None:
    with pytest.raises(RpcError) as caught:
        await list_resources(saved_files, {"cursor": cursor}, LATEST_SESSION_VERSION)
    assert caught.value.code == INVALID_PARAMS


async def test_a_picture_is_read_as_a_blob_and_a_snapshot_as_text(
    files: FileAccess, saved_files: SavedFiles
) -> None:
    shot = f"viewpoint://screenshots/{files.save(PNG, 'png', SHOT).name}"
    snapshot = files.save("- text: ä".encode(), "yml", FileDescription(kind="snapshot"))
    assert await read_resource(saved_files, {"uri": shot}, LATEST_SESSION_VERSION) == {
        "contents": [{"uri": shot, "mimeType": "image/png", "blob": base64.b64encode(PNG).decode()}]
    }
    uri = f"viewpoint://output/{snapshot.name}"
    assert await read_resource(saved_files, {"uri": uri}, LATEST_SESSION_VERSION) == {
        "contents": [{"uri": uri, "mimeType": "text/yaml", "text": "- text: ä"}]
    }


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "page.png",
        "file:///etc/passwd",
        "viewpoint://screenshots/none.png",
        "viewpoint://screenshots/../state.json",
        "viewpoint://output/%2e%2e/state.json",
        "viewpoint://output/.about/a.json",
    ],
)
async def test_an_unknown_resource_is_not_found(saved_files: SavedFiles, uri: str) -> None:
    error = await refusal(saved_files, {"uri": uri})
    assert (error.code, error.data) == (RESOURCE_NOT_FOUND, {"uri": uri})
    assert "resources/list" in error.message


@pytest.mark.parametrize("params", [{}, {"uri": None}, {"uri": 5}, {"uri": ["x"]}])
async def test_a_request_without_a_uri_is_refused(
    saved_files: SavedFiles, params: dict[str, Any]
) -> None:
    assert (await refusal(saved_files, params)).code == INVALID_PARAMS


async def test_a_resource_that_is_too_large_is_an_error_that_says_so(
    files: FileAccess, saved_files: SavedFiles
) -> None:
    files.screenshot_dir.mkdir()
    with (files.screenshot_dir / "huge.png").open("wb") as file:
        file.truncate(MAX_READ_BYTES + 1)
    error = await refusal(saved_files, {"uri": "viewpoint://screenshots/huge.png"})
    assert error.code == INTERNAL_ERROR
    assert error.message == '"huge.png" is larger than 64 MiB.'


def test_there_is_a_template_for_each_directory() -> None:
    for version in SESSION_VERSIONS:
        templates = list_templates({}, version)["resourceTemplates"]
        assert [each["uriTemplate"] for each in templates] == [
            "viewpoint://screenshots/{+name}",
            "viewpoint://output/{+name}",
        ]
        assert all(("title" in each) is (version >= "2025-06-18") for each in templates)
    with pytest.raises(RpcError, match="All templates are on one page"):
        list_templates({"cursor": "2"}, LATEST_SESSION_VERSION)

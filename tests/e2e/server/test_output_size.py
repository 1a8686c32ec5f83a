"""--output-max-size, and directories that cannot be written to."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.conftest import OpenHere, StartServer
from tests.e2e.support.client import Reply
from tests.site import Site


def saved_file(reply: Reply, directory: Path) -> Path:
    """Return the file that the reply names."""
    assert not reply.is_error, reply.text
    path = reply.sections["Result"].removeprefix("Screenshot saved to ").partition(" (")[0]
    return directory / path


async def test_the_oldest_files_of_the_server_are_deleted_and_no_others(
    open_here: OpenHere, tmp_path: Path, site: Site
) -> None:
    directory = tmp_path / ".viewpoint-mcp-screenshots"
    directory.mkdir()
    theirs = directory / "theirs.png"
    theirs.write_bytes(b"x" * 100_000)
    async with open_here("--output-max-size=20k", cwd=tmp_path) as server:
        await server.initialize()
        await server.call("browser_navigate", url=site.page("<h1>Kept</h1>"))
        state = await server.call("browser_context_save_storage", path=".viewpoint-mcp/state.json")
        await server.call("browser_snapshot", filename=".viewpoint-mcp/old.yml")
        shots = [
            saved_file(await server.call("browser_take_screenshot"), tmp_path) for _ in range(12)
        ]
        listed = (await server.request("resources/list"))["resources"]
    left = [shot for shot in shots if shot.exists()]
    assert 0 < len(left) < 12
    assert left == shots[-len(left) :]
    assert sum(shot.stat().st_size for shot in left) <= 20 * 1024
    assert not (tmp_path / ".viewpoint-mcp" / "old.yml").exists()
    assert not state.is_error
    assert (tmp_path / ".viewpoint-mcp" / "state.json").exists()
    assert theirs.exists()
    assert {each["name"] for each in listed} == {"theirs.png", *(shot.name for shot in left)}


async def test_a_file_larger_than_the_limit_stays_until_the_next_one(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    environment = {"PLAYWRIGHT_MCP_OUTPUT_MAX_SIZE": "1"}
    async with open_server(cwd=tmp_path, env=environment) as server:
        await server.initialize()
        await server.call("browser_navigate", url=site.page("<h1>Kept</h1>"))
        first = saved_file(await server.call("browser_take_screenshot"), tmp_path)
        assert first.exists()
        second = saved_file(await server.call("browser_take_screenshot"), tmp_path)
    assert (first.exists(), second.exists()) == (False, True)


async def test_a_directory_that_cannot_be_made_is_reported_and_the_server_continues(
    open_here: OpenHere, tmp_path: Path, site: Site
) -> None:
    (tmp_path / "file").write_text("in the way")
    flags = ("--screenshot-dir=file/shots", "--output-dir=new/deep", "--snapshot-mode=file")
    async with open_here(*flags, cwd=tmp_path) as server:
        await server.initialize()
        page = await server.call("browser_navigate", url=site.page("<h1>Shown</h1>"))
        failed = await server.call("browser_take_screenshot")
        named = await server.call("browser_take_screenshot", filename="here.png")
        listed = (await server.request("resources/list"))["resources"]
    assert page.sections["Snapshot"].startswith("- [Snapshot](new/deep/page-")
    assert not failed.is_error
    assert f"{tmp_path}/file/shots/page-" in failed.sections["Result"]
    assert "cannot be written: Not a directory." in failed.sections["Result"]
    assert (tmp_path / "file").read_text() == "in the way"
    assert not named.is_error
    assert [each["mimeType"] for each in listed] == ["text/yaml"]

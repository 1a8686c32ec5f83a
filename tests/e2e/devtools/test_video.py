"""The tools for videos, through a server with --caps devtools.

`tests/browser/video` proves what the videos show.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.e2e.conftest import OpenHere
from tests.e2e.support.client import ServerClient
from tests.site import Site

WEBM = b"\x1aE\xdf\xa3"
FRAME = "<iframe srcdoc='<button onclick=alert(1)>Ask</button>'></iframe>"


@pytest.fixture(scope="module")
async def server(
    open_here: OpenHere, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[ServerClient]:
    """Return a server with devtools that all tests of the module share."""
    async with open_here("--caps=devtools", cwd=tmp_path_factory.mktemp("video")) as client:
        await client.initialize()
        yield client


async def test_a_video_is_saved_to_the_output_directory(server: ServerClient, site: Site) -> None:
    await server.call("browser_navigate", url=site.page("<h1>Film</h1>"))
    reply = await server.call("browser_start_video")
    assert reply.sections["Result"] == "Video recording started (800x450)"
    reply = await server.call("browser_stop_video")
    found = re.fullmatch(
        r"Video saved to (\.viewpoint-mcp/video-[-\dTZ]+\.webm) \([\d.]+ s, 800x450\)",
        reply.sections["Result"],
    )
    assert found, reply.text
    path, other = server.cwd / found[1], server.cwd / "other"
    other.touch()
    assert path.read_bytes().startswith(WEBM)
    assert path.stat().st_mode == other.stat().st_mode


@pytest.mark.parametrize("filename", ["film.webm", "sub/film"])
async def test_a_video_is_saved_with_its_name_and_size(
    server: ServerClient, site: Site, filename: str
) -> None:
    await server.call("browser_navigate", url=site.page("<h1>Film</h1>"))
    await server.call(
        "browser_start_video", filename=filename, size={"width": 321, "height": 200.5}, fps=10
    )
    reply = await server.call("browser_stop_video")
    saved = filename.removesuffix(".webm") + ".webm"
    assert reply.sections["Result"].startswith(f"Video saved to {saved} (")
    assert reply.sections["Result"].endswith(" s, 320x200)")
    assert (server.cwd / saved).read_bytes().startswith(WEBM)


async def test_a_dialog_in_a_frame_does_not_stop_the_recording(
    server: ServerClient, site: Site
) -> None:
    await server.call("browser_navigate", url=site.page(FRAME))
    await server.call("browser_video_show_actions")
    await server.call("browser_start_video", filename="dialog.webm", cursor=True)
    reply = await server.call("browser_click", ref='button "Ask"')
    assert "browser_handle_dialog" in reply.text
    reply = await server.call("browser_video_chapter", title="A dialog", description="In a frame")
    assert reply.sections["Result"] == 'Chapter "A dialog" added'
    await server.call("browser_handle_dialog", accept=True)
    assert "Video saved to dialog.webm (" in (await server.call("browser_stop_video")).text
    await server.call("browser_video_hide_actions")


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("browser_stop_video", {}, "No video is being recorded. Use browser_start_video"),
        ("browser_video_chapter", {"title": "x"}, "No video is being recorded."),
        ("browser_start_video", {"filename": "a.mp4"}, '"a.mp4" is not the name of a WebM file.'),
        ("browser_start_video", {"filename": "/etc/a.webm"}, "is outside the directories"),
        ("browser_start_video", {"size": {"width": 9}}, "needs the argument 'size.height'"),
        ("browser_start_video", {"fps": 0}, "Argument 'fps' of browser_start_video must be"),
        ("browser_start_video", {"context": "gone"}, 'Context "gone" does not exist.'),
    ],
)
async def test_a_bad_call_is_refused(
    server: ServerClient, tool: str, arguments: dict[str, Any], message: str
) -> None:
    reply = await server.call(tool, **arguments)
    assert reply.is_error
    assert message in reply.text


async def test_only_one_video_is_recorded_in_a_context(server: ServerClient, site: Site) -> None:
    await server.call("browser_navigate", url=site.page("<h1>Film</h1>"))
    await server.call("browser_start_video", filename="one.webm")
    reply = await server.call("browser_start_video", filename="two.webm")
    assert reply.is_error
    assert 'A video of context "default" is being recorded.' in reply.text
    assert "Video saved to one.webm" in (await server.call("browser_stop_video")).text

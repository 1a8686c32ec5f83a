"""The reply to a screenshot for each value of --image-responses, and the name of its file."""

from __future__ import annotations

import io
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pytest_httpserver import HTTPServer

from tests.e2e.conftest import OpenHere, StartServer
from tests.e2e.support.client import Reply, ServerClient
from tests.site import Site

PAGE = """<body style="margin:0;background:white;height:20000px">
<div style="position:absolute;left:0;top:0;width:640px;height:20000px;background:rgb(0,0,255)">"""
SAVED = r"Screenshot saved to \.viewpoint-mcp-screenshots/page-\S+Z\.\w+"


@pytest.fixture(scope="module")
async def inline(
    open_here: OpenHere, tmp_path_factory: pytest.TempPathFactory, web_server: HTTPServer
) -> AsyncIterator[tuple[ServerClient, Path]]:
    """Return a server that shows its pictures, at the page, and its working directory."""
    directory = tmp_path_factory.mktemp("inline")
    async with open_here("--image-responses=inline", cwd=directory) as server:
        await server.initialize()
        await server.call("browser_navigate", url=Site(web_server).page(PAGE))
        yield server, directory


@pytest.fixture
def server(inline: tuple[ServerClient, Path]) -> ServerClient:
    return inline[0]


@pytest.fixture
def directory(inline: tuple[ServerClient, Path]) -> Path:
    return inline[1]


def image_in(reply: Reply) -> Image.Image:
    """Return the one image of the reply, decoded."""
    assert not reply.is_error, reply.text
    assert len(reply.images) == 1
    return Image.open(io.BytesIO(reply.images[0]))


def is_blue(colour: object) -> bool:
    assert isinstance(colour, tuple)
    return all(abs(a - b) < 8 for a, b in zip(colour, (0, 0, 255), strict=True))


def open_saved(reply: Reply, directory: Path) -> Image.Image:
    found = re.search(r"saved to (\S+)", reply.text)
    assert found
    return Image.open(io.BytesIO((directory / found[1]).read_bytes()))


async def test_inline_shows_the_picture_after_the_text(
    server: ServerClient, directory: Path
) -> None:
    reply = await server.call("browser_take_screenshot")
    kinds = [block["type"] for block in reply.raw["content"]]
    assert kinds == ["text", "image", "resource_link"]
    assert reply.raw["content"][1]["mimeType"] == "image/jpeg"
    assert reply.raw["content"][1]["annotations"] == {"audience": ["user", "assistant"]}
    assert re.fullmatch(
        SAVED + r" \(viewport\)\nImage: 1280x720 pixels, scale 1; "
        r"x and y in it are CSS pixels of the viewport",
        reply.sections["Result"],
    )
    picture = image_in(reply)
    assert (picture.format, picture.size) == ("JPEG", (1280, 720))
    assert is_blue(picture.getpixel((630, 700)))
    assert not is_blue(picture.getpixel((650, 700)))
    assert open_saved(reply, directory).format == "PNG"


async def test_a_tall_page_is_scaled_in_the_reply_and_saved_in_full_size(
    server: ServerClient, directory: Path
) -> None:
    reply = await server.call("browser_take_screenshot", fullPage=True)
    assert "Image: 100x1568 of 1280x20000 pixels, scale 0.0784; " in reply.text
    picture = image_in(reply)
    assert picture.size == (100, 1568)
    assert is_blue(picture.getpixel((20, 1560)))
    assert open_saved(reply, directory).size == (1280, 20_000)


@pytest.mark.parametrize("kind", ["jpeg", "webp"])
async def test_the_picture_in_the_reply_is_jpeg_whatever_the_file_is(
    server: ServerClient, directory: Path, kind: str
) -> None:
    reply = await server.call("browser_take_screenshot", type=kind)
    assert image_in(reply).format == "JPEG"
    assert open_saved(reply, directory).format == kind.upper()


async def test_a_failure_returns_no_picture(server: ServerClient) -> None:
    reply = await server.call("browser_take_screenshot", ref="#nothing")
    assert reply.is_error
    assert reply.images == []


@pytest.mark.parametrize(
    ("filename", "kind"),
    [("a.jpg", "JPEG"), ("a.JPEG", "JPEG"), ("a.webp", "WEBP"), ("a.png", "PNG")],
)
async def test_the_file_name_selects_the_type(
    server: ServerClient, directory: Path, filename: str, kind: str
) -> None:
    reply = await server.call("browser_take_screenshot", filename=filename)
    assert open_saved(reply, directory).format == kind
    assert f"saved to {filename} " in reply.text


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"filename": "home"}, "home.png"),
        ({"filename": "home", "type": "webp"}, "home.webp"),
        ({"filename": "v1.2"}, "v1.2.png"),
        ({"filename": "in/here", "type": "jpeg"}, "in/here.jpeg"),
    ],
)
async def test_a_name_without_a_type_gets_it(
    server: ServerClient, directory: Path, given: dict[str, Any], path: str
) -> None:
    reply = await server.call("browser_take_screenshot", **given)
    assert f"saved to {path} " in reply.text
    assert (directory / path).exists()


async def test_a_name_of_another_type_is_refused(server: ServerClient, directory: Path) -> None:
    reply = await server.call("browser_take_screenshot", filename="b.jpg", type="png")
    assert reply.is_error
    assert 'The filename "b.jpg" does not fit the type png.' in reply.sections["Error"]
    assert not (directory / "b.jpg").exists()


@pytest.mark.parametrize("mode", ["file", None])
async def test_the_value_file_gives_the_path_and_a_link(
    open_here: OpenHere, tmp_path: Path, mode: str | None
) -> None:
    flags = [f"--image-responses={mode}"] if mode else []
    async with open_here(*flags, cwd=tmp_path) as server:
        reply = await server.call("browser_take_screenshot")
    assert re.fullmatch(rf"### Result\n{SAVED} \(viewport\)", reply.text)
    assert [block["type"] for block in reply.raw["content"]] == ["text", "resource_link"]


async def test_omit_confirms_and_still_saves(open_here: OpenHere, tmp_path: Path) -> None:
    async with open_here("--image-responses=omit", cwd=tmp_path) as server:
        reply = await server.call("browser_take_screenshot", fullPage=True)
    assert reply.text == "### Result\nScreenshot captured (full page)"
    assert len(reply.raw["content"]) == 1
    assert len(list((tmp_path / ".viewpoint-mcp-screenshots").glob("page-*.png"))) == 1


@pytest.mark.parametrize("mode", ["only", "allow"])
async def test_the_values_of_playwright_mcp_are_accepted(
    open_server: StartServer, tmp_path: Path, mode: str
) -> None:
    env = {"PLAYWRIGHT_MCP_IMAGE_RESPONSES": mode}
    async with open_server(cwd=tmp_path, env=env) as server:
        reply = await server.call("browser_take_screenshot")
        failure = await server.call("browser_take_screenshot", ref="#nothing")
    kinds = [block["type"] for block in reply.raw["content"]]
    assert kinds == (["image"] if mode == "only" else ["text", "image", "resource_link"])
    assert failure.is_error
    assert failure.sections["Error"]


async def test_a_directory_that_cannot_be_written_is_reported(
    open_here: OpenHere, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    async with open_here("--screenshot-dir=file/shots", cwd=tmp_path) as server:
        reply = await server.call("browser_take_screenshot")
    assert len(reply.images) == 1
    assert f"{tmp_path}/file/shots/page-" in reply.sections["Result"]
    assert "cannot be written: Not a directory." in reply.sections["Result"]
    assert "--screenshot-dir" in reply.sections["Result"]

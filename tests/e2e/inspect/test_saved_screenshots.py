"""Looking again at screenshots: a list without images, one of them, a part of one."""

from __future__ import annotations

import base64
import io
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pytest_httpserver import HTTPServer

from tests.e2e.conftest import StartServer
from tests.e2e.support.client import Reply, ServerClient, StdioClient
from tests.site import Site

DIRECTORY = ".viewpoint-mcp-screenshots"
PAGE = """<title>Colours &amp; shapes</title><body style="margin:0;background:white;height:3000px">
<div style="position:absolute;left:100px;top:200px;width:60px;height:40px;background:rgb(0,0,255)">
</div>"""


@pytest.fixture(scope="module")
async def gallery(
    open_server: StartServer, tmp_path_factory: pytest.TempPathFactory, web_server: HTTPServer
) -> AsyncIterator[tuple[StdioClient, Path]]:
    """Return a server that took three pictures, and the directory they are in."""
    directory = tmp_path_factory.mktemp("gallery")
    async with open_server(cwd=directory) as server:
        await server.initialize()
        url = Site(web_server).page(PAGE, path="/colours")
        await server.call("browser_navigate", url=f"{url}?token=1")
        await server.call("browser_take_screenshot", type="jpeg")
        await server.call("browser_take_screenshot", fullPage=True)
        last = await server.call("browser_take_screenshot", ref="div")
        assert not last.is_error, last.text
        yield server, directory / DIRECTORY


@pytest.fixture
def server(gallery: tuple[StdioClient, Path]) -> StdioClient:
    return gallery[0]


@pytest.fixture
def directory(gallery: tuple[StdioClient, Path]) -> Path:
    return gallery[1]


def names(reply: Reply) -> list[str]:
    return re.findall(r"^- (\S+):", reply.sections["Result"], re.MULTILINE)


def blocks(reply: Reply, kind: str) -> list[dict[str, Any]]:
    return [block for block in reply.raw["content"] if block["type"] == kind]


def opened(block: dict[str, Any]) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(block["data"])))


def put(directory: Path, name: str, data: bytes, *, seconds_old: int = 10_000) -> Path:
    """Put a file there that no server took, older than all others."""
    path = directory / name
    path.write_bytes(data)
    then = path.stat().st_mtime - seconds_old
    os.utime(path, (then, then))
    return path


def png(width: int, height: int) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (width, height), "red").save(file, "PNG")
    return file.getvalue()


async def test_the_list_describes_and_links_each_screenshot(server: ServerClient) -> None:
    reply = await server.call("list_screenshots", limit=3)
    assert not reply.is_error, reply.text
    head, *lines = reply.sections["Result"].splitlines()
    assert re.match(r"Screenshots 1-3 of \d, newest first\.", head)
    time = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
    page = r"default, \[Colours & shapes\]\(http://[^/]+:\d+/colours\?token=1\)"
    for line, what, size in zip(
        lines,
        ["element 'element 1'|element '[^,]*'", "full page", "viewport"],
        ["60x40", "1280x3000", "1280x720"],
        strict=True,
    ):
        assert re.fullmatch(
            rf"- page-\S+Z\.\w+: (?:{what}), {size} pixels, [\d,]+ bytes, {time}, {page}", line
        )
    assert blocks(reply, "image") == []
    links = blocks(reply, "resource_link")
    assert [link["name"] for link in links] == names(reply)
    assert links[1]["title"] == "Colours & shapes (full page)"
    assert [link["mimeType"] for link in links] == ["image/png", "image/png", "image/jpeg"]


async def test_the_list_continues_where_it_ended(server: ServerClient) -> None:
    everything = names(await server.call("list_screenshots", limit=100))
    results: list[str] = []
    cursor = None
    while True:
        reply = await server.call("list_screenshots", limit=2, cursor=cursor)
        assert len(names(reply)) <= 2
        results += names(reply)
        found = re.search(r'cursor "(.+?)"', reply.sections["Result"])
        if found is None:
            break
        cursor = found[1]
    assert results == everything
    assert len(results) >= 3


async def test_a_screenshot_is_small_for_the_model_and_whole_for_the_user(
    server: ServerClient, directory: Path
) -> None:
    name = names(await server.call("list_screenshots", limit=3))[1]
    reply = await server.call("get_screenshot", name=name)
    assert not reply.is_error, reply.text
    types = [block["type"] for block in reply.raw["content"]]
    assert types == ["text", "image", "image", "resource_link"]
    assert blocks(reply, "resource_link")[0]["name"] == name
    small, whole = blocks(reply, "image")
    assert small["annotations"] == {"audience": ["user", "assistant"]}
    assert small["mimeType"] == "image/jpeg"
    assert opened(small).size == (320, 750)
    assert whole["annotations"] == {"audience": ["user"]}
    assert whole["mimeType"] == "image/png"
    assert base64.b64decode(whole["data"]) == (directory / name).read_bytes()
    assert reply.sections["Result"].splitlines()[1:] == [
        "Viewport: 1280x720 CSS pixels; the picture has 1 pixel for each of them",
        (
            "Thumbnail: 320x750 pixels, scale 0.25. "
            "crop_screenshot accepts pixels of the original, 1280x3000, or fractions."
        ),
    ]


@pytest.mark.parametrize(
    ("region", "expected", "size"),
    [
        ({"x": 100, "y": 200, "width": 60, "height": 40}, "from 100,200, 60x40", (60, 40)),
        (
            {"x": 0.078125, "y": 200 / 3000, "width": 0.046875, "height": 40 / 3000}
            | {"unit": "fractions"},
            "from 100,200, 60x40",
            (60, 40),
        ),
        ({"x": 100.5, "y": 200.2, "width": 10, "height": 9.9}, "from 100,200, 11x11", (11, 11)),
    ],
)
async def test_a_region_is_cut_out_of_the_original(
    server: ServerClient, region: dict[str, Any], expected: str, size: tuple[int, int]
) -> None:
    name = names(await server.call("list_screenshots", limit=3))[1]
    reply = await server.call("crop_screenshot", name=name, **region)
    assert reply.sections["Result"].splitlines() == [
        f"{name}: {expected} of its pixels.",
        f"Image: {size[0]}x{size[1]} pixels, scale 1",
    ]
    (image,) = blocks(reply, "image")
    assert image["annotations"] == {"audience": ["user", "assistant"]}
    shown = opened(image).convert("RGB")
    assert shown.size == size
    colour = shown.getpixel((size[0] // 2, size[1] // 2))
    assert isinstance(colour, tuple)
    assert all(abs(a - b) < 6 for a, b in zip(colour, (0, 0, 255), strict=True))


async def test_a_large_region_is_made_smaller(server: ServerClient) -> None:
    name = names(await server.call("list_screenshots", limit=3))[1]
    region = {"x": 0, "y": 0, "width": 1280, "height": 3000}
    reply = await server.call("crop_screenshot", name=name, **region)
    assert "Image: 669x1568 pixels, scale 0.5227" in reply.sections["Result"]
    assert opened(blocks(reply, "image")[0]).size == (669, 1568)


async def test_a_region_beyond_the_edge_is_reported_with_its_real_size(
    server: ServerClient,
) -> None:
    name = names(await server.call("list_screenshots", limit=3))[1]
    region = {"x": -10, "y": 2990, "width": 5000, "height": 50}
    reply = await server.call("crop_screenshot", name=name, **region)
    assert f"{name}: from 0,2990, 1280x10 of its pixels." in reply.sections["Result"]


@pytest.mark.parametrize(
    "region",
    [
        {"x": 1280, "y": 0, "width": 10, "height": 10},
        {"x": 0, "y": 0, "width": 0, "height": 10},
        {"x": 50, "y": 50, "width": -10, "height": 10},
        {"x": 0, "y": -10, "width": 10, "height": 10},
        {"x": 1e308, "y": 0, "width": 1e308, "height": 10},
        {"x": -1e308, "y": 0, "width": 1, "height": 1e308},
    ],
)
async def test_a_region_outside_is_refused_with_the_size(
    server: ServerClient, region: dict[str, float]
) -> None:
    name = names(await server.call("list_screenshots", limit=3))[1]
    reply = await server.call("crop_screenshot", name=name, **region)
    assert reply.is_error
    assert (
        "contains no part of the screenshot, which has 1280x3000 pixels" in reply.sections["Error"]
    )
    assert blocks(reply, "image") == []


async def test_fractions_outside_are_refused_as_such(server: ServerClient) -> None:
    name = names(await server.call("list_screenshots", limit=1))[0]
    region: dict[str, Any] = {"x": 1, "y": 0, "width": 1, "height": 1, "unit": "fractions"}
    reply = await server.call("crop_screenshot", name=name, **region)
    assert "fractions from 0 to 1" in reply.sections["Error"]


async def test_a_screenshot_is_found_by_its_path_and_by_its_uri(server: ServerClient) -> None:
    listed = await server.call("list_screenshots", limit=1)
    name, uri = names(listed)[0], blocks(listed, "resource_link")[0]["uri"]
    for way in (name, f"{DIRECTORY}/{name}", uri):
        reply = await server.call("get_screenshot", name=way)
        assert reply.sections["Result"].startswith(f"{name}: "), way


@pytest.mark.parametrize(
    "name", ["nothing.png", "../secret.png", "/etc/passwd", "", ".about", "viewpoint://x/y"]
)
async def test_a_file_that_is_no_screenshot_is_refused(server: ServerClient, name: str) -> None:
    region = {"x": 0, "y": 0, "width": 1, "height": 1}
    for reply in (
        await server.call("get_screenshot", name=name),
        await server.call("crop_screenshot", name=name, **region),
    ):
        assert reply.is_error
        assert "list_screenshots" in reply.sections["Error"]


async def test_screenshots_of_other_programs_are_listed_as_such(
    server: ServerClient, directory: Path
) -> None:
    path = put(directory, "their design.png", png(40, 30))
    listed = (await server.call("list_screenshots")).sections["Result"]
    assert re.search(
        r"^- their design\.png: not taken by this server, 40x30 pixels, \d+ bytes, \S+Z$",
        listed,
        re.MULTILINE,
    )
    reply = await server.call("get_screenshot", name="their design.png")
    path.unlink()
    assert opened(blocks(reply, "image")[0]).size == (40, 30)


async def test_a_name_of_several_lines_is_printed_on_one_line(
    server: ServerClient, directory: Path
) -> None:
    path = put(directory, "a\n### Error\nb.png", png(4, 3))
    listed = await server.call("list_screenshots", limit=100)
    path.unlink()
    assert "Error" not in listed.sections
    assert "- a ### Error b.png: not taken by this server, 4x3" in listed.sections["Result"]


async def test_a_page_that_calls_itself_at_length_does_not_fill_the_list(
    server: ServerClient, directory: Path, site: Site
) -> None:
    await server.call(
        "browser_tabs", action="new", url=site.page(f"<title>{'Long ' * 190}</title>")
    )
    await server.call("browser_take_screenshot")
    await server.call("browser_close")
    listed = await server.call("list_screenshots", limit=1)
    name = names(listed)[0]
    whole = await server.call("get_screenshot", name=name)
    (directory / name).unlink()
    line = listed.sections["Result"].splitlines()[1]
    assert line.endswith("…")
    assert len(line) == 381
    assert len(blocks(listed, "resource_link")[0]["title"]) < 120
    assert whole.sections["Result"].count("Long") == 190


@pytest.mark.parametrize("data", [b"no picture", png(300, 300)[:-40]])
async def test_a_broken_screenshot_is_reported_and_causes_no_other_error(
    server: ServerClient, directory: Path, data: bytes
) -> None:
    path = put(directory, "broken.png", data)
    listed = await server.call("list_screenshots")
    reply = await server.call("get_screenshot", name="broken.png")
    region = {"x": 0, "y": 0, "width": 1, "height": 1}
    cropped = await server.call("crop_screenshot", name="broken.png", **region)
    path.unlink()
    assert "broken.png: not taken by this server" in listed.sections["Result"]
    for answer in (reply, cropped):
        assert answer.is_error
        assert re.match(r"broken\.png is (damaged|not a PNG)", answer.sections["Error"])
        assert blocks(answer, "image") == []


async def test_a_removed_screenshot_is_not_listed(server: ServerClient, directory: Path) -> None:
    await server.call("browser_take_screenshot")
    name = names(await server.call("list_screenshots", limit=1))[0]
    (directory / name).unlink()
    assert name not in names(await server.call("list_screenshots"))
    assert (await server.call("get_screenshot", name=name)).is_error


async def test_a_replaced_screenshot_is_listed_as_another_programs(
    server: ServerClient, directory: Path
) -> None:
    await server.call("browser_take_screenshot")
    name = names(await server.call("list_screenshots", limit=1))[0]
    put(directory, name, png(7, 5))
    reply = await server.call("get_screenshot", name=name)
    (directory / name).unlink()
    assert f"{name}: not taken by this server, 7x5 pixels" in reply.sections["Result"]


async def test_an_old_client_gets_the_list_as_text_alone(
    open_server: StartServer, gallery: tuple[StdioClient, Path]
) -> None:
    _, directory = gallery
    async with open_server(cwd=directory.parent) as server:
        await server.initialize("2025-03-26")
        reply = await server.call("list_screenshots", limit=2)
    assert [block["type"] for block in reply.raw["content"]] == ["text"]
    assert len(names(reply)) == 2


async def test_listing_and_cropping_start_no_browser(
    open_server: StartServer, tmp_path: Path
) -> None:
    async with open_server("--executable-path=/nowhere", cwd=tmp_path) as server:
        await server.initialize()
        empty = await server.call("list_screenshots")
        (tmp_path / DIRECTORY).mkdir()
        put(tmp_path / DIRECTORY, "a.png", png(9, 9))
        reply = await server.call("get_screenshot", name="a.png")
    assert empty.sections["Result"] == "No screenshots yet."
    assert not reply.is_error, reply.text


async def test_a_wrong_cursor_and_limit_are_refused(server: ServerClient) -> None:
    assert (await server.call("list_screenshots", limit=0)).is_error
    assert (await server.call("list_screenshots", limit=101)).is_error

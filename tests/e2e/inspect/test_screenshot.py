"""browser_take_screenshot: which part of the page, in which file, and nowhere else."""

from __future__ import annotations

import io
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PIL import Image

from tests.e2e.conftest import OpenHere, StartServer
from tests.e2e.support.client import Reply, ServerClient
from tests.site import Site

PAGE = """<body style="margin:0;height:2000px;background:white">
<div id=box role=img aria-label=Box style="position:absolute;left:50px;top:1500px;width:120px;
height:80px;background:rgb(255,0,0)"></div>"""


@pytest.fixture(scope="module")
async def photographer(
    open_here: OpenHere, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[ServerClient, Path]]:
    """Return a server and its working directory."""
    directory = tmp_path_factory.mktemp("photographer")
    async with open_here(cwd=directory) as server:
        await server.initialize()
        yield server, directory


@pytest.fixture
async def server(photographer: tuple[ServerClient, Path], site: Site) -> ServerClient:
    """Return the module's server, at the page."""
    server, _ = photographer
    await server.call("browser_navigate", url=site.page(PAGE))
    return server


@pytest.fixture
def directory(photographer: tuple[ServerClient, Path]) -> Path:
    return photographer[1]


def read_saved_file(reply: Reply, directory: Path) -> tuple[str, bytes]:
    """Return the path in the reply, and the contents of that file."""
    assert not reply.is_error, reply.text
    found = re.match(r"Screenshot saved to (.+?) \(", reply.sections["Result"])
    assert found
    assert not Path(found[1]).is_absolute()
    return found[1], (directory / found[1]).read_bytes()


async def test_the_viewport_is_saved_as_png(server: ServerClient, directory: Path) -> None:
    reply = await server.call("browser_take_screenshot")
    path, data = read_saved_file(reply, directory)
    assert reply.sections["Result"] == f"Screenshot saved to {path} (viewport)"
    assert re.fullmatch(
        r"\.viewpoint-mcp-screenshots/page-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.png", path
    )
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert Image.open(io.BytesIO(data)).size == (1280, 720)


async def test_the_full_page_is_as_tall_as_the_page(server: ServerClient, directory: Path) -> None:
    reply = await server.call("browser_take_screenshot", fullPage=True)
    path, data = read_saved_file(reply, directory)
    assert reply.sections["Result"] == f"Screenshot saved to {path} (full page)"
    assert Image.open(io.BytesIO(data)).size == (1280, 2000)


async def test_an_element_below_the_fold_is_cut_out(server: ServerClient, directory: Path) -> None:
    reply = await server.call("browser_take_screenshot", ref="#box")
    path, data = read_saved_file(reply, directory)
    assert reply.sections["Result"] == f"Screenshot saved to {path} (element 'img \"Box\"')"
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    assert picture.size == (120, 80)
    assert picture.getcolors() == [(120 * 80, (255, 0, 0))]


@pytest.mark.parametrize(
    ("kind", "suffix", "magic"),
    [("png", "png", "PNG"), ("jpeg", "jpeg", "JPEG"), ("webp", "webp", "WEBP")],
)
async def test_each_type_has_the_right_file_format(
    server: ServerClient, directory: Path, kind: str, suffix: str, magic: str
) -> None:
    reply = await server.call("browser_take_screenshot", type=kind)
    path, data = read_saved_file(reply, directory)
    assert path.endswith(f".{suffix}")
    assert Image.open(io.BytesIO(data)).format == magic


async def test_an_element_in_a_frame_is_cut_out(
    server: ServerClient, directory: Path, site: Site
) -> None:
    style = "width:40px;height:30px;background:blue"
    inner = f"<body style=margin:0><div role=img aria-label=In style={style}>"
    url = site.page(
        f"<div style=height:900px></div><iframe style='margin:9px' srcdoc='{inner}'></iframe>"
    )
    await server.call("browser_navigate", url=url)
    page = await server.call("browser_snapshot", allRefs=True)
    reply = await server.call("browser_take_screenshot", ref=page.ref("img", "In"))
    picture = Image.open(io.BytesIO(read_saved_file(reply, directory)[1])).convert("RGB")
    assert picture.size == (40, 30)
    assert picture.getcolors() == [(40 * 30, (0, 0, 255))]


async def test_device_pixels_are_used_on_request(
    open_here: OpenHere, tmp_path: Path, site: Site
) -> None:
    async with open_here("--device=iPhone 15", cwd=tmp_path) as server:
        head = "<meta name=viewport content='width=device-width'>"
        await server.call("browser_navigate", url=site.page(f"{head}<body>x"))
        css = await server.call("browser_take_screenshot")
        device = await server.call("browser_take_screenshot", scale="device")
        wrong = await server.call("browser_take_screenshot", scale="print")
    width, height = Image.open(io.BytesIO(read_saved_file(css, tmp_path)[1])).size
    assert width == 393
    assert Image.open(io.BytesIO(read_saved_file(device, tmp_path)[1])).size == (
        width * 3,
        height * 3,
    )
    assert wrong.is_error
    assert "scale" in wrong.sections["Error"]


async def test_an_element_that_is_cut_off_is_reported_as_such(
    server: ServerClient, directory: Path
) -> None:
    await server.call(
        "browser_evaluate",
        function='void (document.body.innerHTML = \'<div style="height: 30px; overflow: hidden">'
        '<p id=it style="margin: 0; height: 90px; width: 50px">x\')',
    )
    reply = await server.call("browser_take_screenshot", ref="#it")
    read_saved_file(reply, directory)
    assert "50x30 of its 50x90 CSS pixels are visible" in reply.sections["Result"]


async def test_a_type_with_no_room_for_the_page_is_refused(server: ServerClient) -> None:
    await server.call("browser_evaluate", function="void (document.body.style.height = '20000px')")
    reply = await server.call("browser_take_screenshot", fullPage=True, type="webp")
    assert reply.is_error
    assert "webp allows 16,383 per side" in reply.sections["Error"]
    assert "Use type png" in reply.sections["Error"]


def memory(pid: int) -> float:
    """Return how many megabytes of the process are in memory."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found
    return int(found[1]) / 1024


@pytest.mark.prove
async def test_the_memory_of_screenshots_is_returned_to_the_system(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    async with open_server(cwd=tmp_path) as server:
        rows = "".join(f"<p style='background: hsl({row} 50% 50%)'>Row {row}" for row in range(600))
        await server.call("browser_navigate", url=site.page(f"<!DOCTYPE html>{rows}"))
        before = memory(server.process.pid)
        for _ in range(3):
            await server.call("browser_take_screenshot", fullPage=True)
        assert memory(server.process.pid) < before + 10


async def test_a_long_page_and_a_tab_behind_are_shown(
    server: ServerClient, directory: Path, site: Site
) -> None:
    await server.call("browser_evaluate", function="void (document.body.style.height = '20000px')")
    reply = await server.call("browser_take_screenshot", fullPage=True)
    picture = Image.open(io.BytesIO(read_saved_file(reply, directory)[1])).convert("RGB")
    assert picture.size == (1280, 20_000)
    assert picture.getpixel((110, 1540)) == (255, 0, 0)
    await server.call("browser_tabs", action="new", url=site.page("<h1>In front</h1>"))
    await server.call("browser_tabs", action="select", index=0)
    reply = await server.call("browser_take_screenshot", ref="#box")
    await server.call("browser_tabs", action="close", index=1)
    picture = Image.open(io.BytesIO(read_saved_file(reply, directory)[1])).convert("RGB")
    assert picture.getcolors() == [(120 * 80, (255, 0, 0))]


async def test_a_screenshot_does_not_change_the_viewport(server: ServerClient) -> None:
    await server.call("browser_take_screenshot", fullPage=True)
    reply = await server.call("browser_evaluate", function="[innerWidth, innerHeight].join('x')")
    assert reply.sections["Result"] == "1280x720"


async def test_two_screenshots_are_two_files(server: ServerClient, directory: Path) -> None:
    first, _ = read_saved_file(await server.call("browser_take_screenshot"), directory)
    second, _ = read_saved_file(await server.call("browser_take_screenshot"), directory)
    assert first != second


async def test_a_name_within_the_working_directory_is_accepted(
    server: ServerClient, directory: Path
) -> None:
    reply = await server.call("browser_take_screenshot", filename="shots/home.png")
    path, data = read_saved_file(reply, directory)
    assert path == "shots/home.png"
    assert data.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "filename",
    ["../escape.png", "/tmp/escape.png", "shots/../../escape.png", "link/escape.png"],
)
async def test_a_name_outside_the_working_directory_is_refused(
    server: ServerClient, directory: Path, filename: str
) -> None:
    link = directory / "link"
    if not link.is_symlink():
        link.symlink_to(directory.parent)
    reply = await server.call("browser_take_screenshot", filename=filename)
    assert reply.is_error
    assert "is outside the directories that the server may write to" in reply.sections["Error"]
    assert str(directory) in reply.sections["Error"]
    written = (directory.parent / "escape.png", Path("/tmp/escape.png"))
    assert not any(path.exists() for path in written)


async def test_a_link_to_a_file_outside_is_not_written_through(
    server: ServerClient, directory: Path
) -> None:
    outside = directory.parent / "outside.png"
    (directory / "dangling.png").symlink_to(outside)
    reply = await server.call("browser_take_screenshot", filename="dangling.png")
    assert reply.is_error
    assert not outside.exists()


async def test_ref_and_full_page_exclude_each_other(server: ServerClient) -> None:
    reply = await server.call("browser_take_screenshot", ref="#box", fullPage=True)
    assert reply.is_error
    assert "Give ref or fullPage, not both." in reply.sections["Error"]


async def test_an_element_that_is_not_drawn_is_refused(server: ServerClient) -> None:
    await server.call("browser_evaluate", function="box.hidden = true")
    reply = await server.call("browser_take_screenshot", ref="#box")
    assert reply.is_error
    assert "is not visible" in reply.sections["Error"]


async def test_a_screenshot_while_a_dialog_is_open_is_refused(server: ServerClient) -> None:
    await server.call("browser_evaluate", function="alert('Wait')")
    reply = await server.call("browser_take_screenshot", within=5)
    await server.call("browser_handle_dialog", accept=True)
    assert reply.is_error
    assert "browser_handle_dialog" in reply.sections["Error"]


async def test_the_directory_can_be_chosen(open_here: OpenHere, tmp_path: Path, site: Site) -> None:
    async with open_here("--screenshot-dir=shots", cwd=tmp_path) as server:
        await server.call("browser_navigate", url=site.page("<h1>x</h1>"))
        path, _ = read_saved_file(await server.call("browser_take_screenshot"), tmp_path)
    assert path.startswith("shots/page-")

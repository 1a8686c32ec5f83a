"""A browser with windows, as without --headless, on a Chromium platform that draws nothing."""

from __future__ import annotations

import io
import json
import re
import shlex
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pypdf import PdfReader

from tests.e2e.support.client import ServerClient, StdioClient
from tests.site import Site

pytestmark = pytest.mark.prove

PLATFORM = "--ozone-platform=headless --window-size=1200,800"
PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1"
    b">>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\n"
    b"trailer<</Root 1 0 R>>\n%%EOF"
)
HOW: tuple[dict[str, Any], ...] = ({}, {"fullPage": True}, {"ref": "#it"})
DISPLAY = {"DISPLAY": ":0"}  # the variable lets the server show windows


@pytest.fixture
async def headed(executable: str, tmp_path: Path) -> AsyncIterator[StdioClient]:
    wrapper = tmp_path / "chromium"
    wrapper.write_text(f'#!/bin/sh\nexec {shlex.quote(executable)} {PLATFORM} "$@"\n')
    wrapper.chmod(0o755)
    flags = ("--executable-path", str(wrapper), "--caps=vision,pdf")
    async with StdioClient.open(*flags, cwd=tmp_path, env=DISPLAY) as client:
        await client.initialize()
        yield client


async def cookie(server: ServerClient, expression: str = "document.cookie") -> str:
    answer = await server.call("browser_evaluate", function=expression)
    return answer.sections["Result"]


async def test_a_page_in_a_window_is_read_and_clicked(headed: StdioClient, site: Site) -> None:
    url = site.page("<button onclick=\"this.textContent = innerWidth + 'px'\">Go</button>")
    page = await headed.call("browser_navigate", url=url)
    reply = await headed.call("browser_click", ref=page.ref("button", "Go"))
    assert "px" in reply.sections["Snapshot"]
    agent = await headed.call("browser_evaluate", function="navigator.userAgent")
    assert "Headless" not in agent.text


async def test_no_bar_about_switches_takes_space_from_the_page(
    headed: StdioClient, site: Site
) -> None:
    await headed.call("browser_navigate", url=site.page("<h1>Shop</h1>"))
    script = "() => [navigator.webdriver, outerHeight - innerHeight < 110]"
    reply = await headed.call("browser_evaluate", function=script)
    assert json.loads(reply.sections["Result"]) == [False, True], reply.text


async def test_the_browser_and_its_contexts_outlive_their_last_window(
    headed: StdioClient, site: Site
) -> None:
    url = site.page("<h1>Shop</h1>")
    await headed.call("browser_navigate", url=url)
    await cookie(headed, "document.cookie = 'basket=full; max-age=999'")
    await headed.call("browser_close")
    await headed.call("browser_context_create", name="other")
    await headed.call("browser_navigate", url=url)
    await cookie(headed, "document.cookie = 'basket=other'")
    await headed.call("browser_close")
    for context, basket in (("default", "basket=full"), ("other", "basket=other")):
        reply = await headed.call("browser_navigate", url=url, context=context)
        assert not reply.is_error, reply.text
        assert "Events" not in reply.sections
        await headed.call("browser_context_switch", name=context)
        assert await cookie(headed) == basket


async def test_a_window_of_another_context_does_not_take_over(
    headed: StdioClient, site: Site
) -> None:
    first = site.page("<h1>First</h1>")
    await headed.call("browser_navigate", url=first)
    await headed.call("browser_context_create", name="other")
    await headed.call("browser_navigate", url=site.page("<h1>Second</h1>"))
    await headed.call("browser_context_switch", name="default")
    reply = await headed.call("browser_snapshot")
    assert "First" in reply.sections["Snapshot"]
    assert (await cookie(headed, "document.visibilityState")) == "visible"


async def test_a_popup_in_front_does_not_become_active(headed: StdioClient, site: Site) -> None:
    there = site.page("<h1>There</h1>")
    url = site.page(f"<a href={there} target=_blank>Open</a>")
    page = await headed.call("browser_navigate", url=url)
    reply = await headed.call("browser_click", ref=page.ref("link", "Open"))
    assert f"Popup opened as tab 1: {there}" in reply.sections["Events"]
    for _ in range(2):
        reply = await headed.call("browser_snapshot")
        assert "- 0: (current)" in reply.sections["Open tabs"]


async def test_a_file_field_opens_no_window_of_the_system(headed: StdioClient, site: Site) -> None:
    page = await headed.call("browser_navigate", url=site.page("<input type=file aria-label=F>"))
    reply = await headed.call("browser_click", ref=page.ref("button", "F"))
    assert "File chooser" in reply.sections["Modal state"]


async def test_a_page_in_a_window_is_printed_and_hit_by_coordinates(
    headed: StdioClient, site: Site
) -> None:
    await headed.call("browser_navigate", url=site.page("<h1>Printed</h1><p>In a window</p>"))
    reply = await headed.call("browser_pdf_save", filename="window.pdf")
    assert reply.sections["Result"] == "PDF saved to window.pdf (1 page, Letter)"
    (page,) = PdfReader(headed.cwd / "window.pdf").pages
    assert "In a window" in page.extract_text()
    clicked = await headed.call("browser_mouse_click_xy", x=30, y=30)
    assert 'heading "Printed"' in clicked.sections["Result"]


async def picture(server: ServerClient, directory: Path, **how: Any) -> Image.Image:
    reply = await server.call("browser_take_screenshot", **how)
    path = re.search(r"saved to (.+?) \(", reply.text)
    assert path is not None, reply.text
    return Image.open(io.BytesIO((directory / path[1]).read_bytes())).convert("RGB")


async def test_a_window_is_shown_and_the_page_does_not_notice_it(
    headed: StdioClient, site: Site, tmp_path: Path
) -> None:
    page = (
        "<!DOCTYPE html><body style='margin: 0; height: 5000px; background: red'><script>"
        "heard = []; onresize = () => heard.push(innerWidth)</script>"
        "<p id=it style='margin: 0; position: absolute; top: 4900px; width: 40px; "
        "height: 30px; background: blue'>"
    )
    await headed.call("browser_navigate", url=site.page(page))
    inside = await cookie(headed, "[innerWidth, innerHeight].join()")
    width, height = map(int, inside.split(","))
    shots = [await picture(headed, tmp_path, **how) for how in HOW]
    viewport, whole, element = shots
    assert (viewport.size, viewport.getpixel((5, 5))) == ((width, height), (255, 0, 0))
    assert (whole.height, whole.getpixel((5, 4910))) == (5000, (0, 0, 255))
    assert element.getcolors() == [(1200, (0, 0, 255))]
    assert await cookie(headed, "heard.length") == "0"
    assert await cookie(headed, "[innerWidth, innerHeight].join()") == inside


async def test_a_pdf_that_is_viewed_is_shown(
    headed: StdioClient, site: Site, tmp_path: Path
) -> None:
    url = site.respond("/paper.pdf", PDF, content_type="application/pdf")
    await headed.call("browser_navigate", url=url)
    size = (await picture(headed, tmp_path)).size
    assert min(size) > 100
    assert (await picture(headed, tmp_path, fullPage=True)).size == size

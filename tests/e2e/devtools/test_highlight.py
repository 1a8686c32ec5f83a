"""browser_highlight and browser_hide_highlight, through a server with --caps devtools."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from typing import Any

import pytest
from PIL import Image

from tests.e2e.conftest import OpenHere
from tests.e2e.support.client import RpcFailure, ServerClient
from tests.site import Site

BUTTON = "<button style='position: fixed; left: 100px; top: 100px; width: 80px'>Save</button>"
GREEN = "background: lime; outline: none"


@pytest.fixture(scope="module")
async def server(
    open_here: OpenHere, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[ServerClient]:
    """Return a server with devtools that all tests of the module share."""
    directory = tmp_path_factory.mktemp("devtools")
    async with open_here("--caps=devtools", "--image-responses=only", cwd=directory) as client:
        await client.initialize()
        yield client


async def is_green(server: ServerClient, x: int, y: int) -> bool:
    """Return whether a screenshot, which is a JPEG, shows the colour of the box."""
    reply = await server.call("browser_take_screenshot")
    found = Image.open(io.BytesIO(reply.images[0])).convert("RGB").getpixel((x, y))
    assert isinstance(found, tuple)
    return found[1] > 250 and max(found[0], found[2]) < 5


async def test_an_element_is_highlighted_until_it_is_hidden(
    server: ServerClient, site: Site
) -> None:
    await server.call("browser_navigate", url=site.page(BUTTON))
    reply = await server.call("browser_highlight", target='button "Save"', style=GREEN)
    assert reply.sections["Result"] == 'Highlighted button "Save"'
    assert "Snapshot" not in reply.sections
    assert await is_green(server, 105, 105)
    assert "highlight" not in (await server.call("browser_snapshot")).text
    reply = await server.call("browser_hide_highlight", target='button "Save"')
    assert reply.sections["Result"] == 'Removed the highlight of button "Save"'
    assert not await is_green(server, 105, 105)
    reply = await server.call("browser_hide_highlight", target='button "Save"')
    assert reply.sections["Result"] == 'button "Save" was not highlighted'


async def test_a_frame_is_highlighted_and_all_boxes_are_hidden(
    server: ServerClient, site: Site
) -> None:
    inner = site.page("<body style='margin: 0'><button style='width: 60px'>In</button>")
    await server.call(
        "browser_navigate",
        url=site.page(
            f"{BUTTON}<iframe src='{inner}'"
            " style='position: fixed; left: 300px; top: 300px; border: 0'>"
        ),
    )
    await server.call("browser_highlight", ref='button "Save"', style=GREEN)
    await server.call("browser_highlight", ref='button "In"', style=GREEN)
    assert await is_green(server, 305, 305)
    reply = await server.call("browser_hide_highlight")
    assert reply.sections["Result"] == "Removed 2 highlights"
    assert not await is_green(server, 305, 305)


async def test_the_reply_states_that_the_box_is_not_visible(
    server: ServerClient, site: Site
) -> None:
    await server.call(
        "browser_navigate", url=site.page("<p style='height: 5000px'></p><a href='#'>Far</a>")
    )
    reply = await server.call("browser_highlight", ref='link "Far"')
    assert "It is outside of the viewport: use browser_scroll_into_view" in reply.text


async def test_a_dialog_blocks_the_highlight(server: ServerClient, site: Site) -> None:
    await server.call("browser_navigate", url=site.page("<button onclick='alert(1)'>Ask</button>"))
    await server.call("browser_click", ref="button")
    reply = await server.call("browser_highlight", ref="button")
    assert reply.is_error
    assert "browser_handle_dialog" in reply.text
    await server.call("browser_handle_dialog", accept=True)
    assert not (await server.call("browser_highlight", ref="button")).is_error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"ref": 'button "Send"'}, 'button "Send"'),
        ({"ref": "button", "style": "red"}, "The style has no valid CSS declaration: red"),
        ({}, "needs the argument 'ref'"),
    ],
)
async def test_a_bad_call_is_refused(
    server: ServerClient, site: Site, arguments: dict[str, Any], message: str
) -> None:
    await server.call("browser_navigate", url=site.page(BUTTON))
    reply = await server.call("browser_highlight", **arguments)
    assert reply.is_error
    assert message in reply.text


@pytest.mark.parametrize(
    ("name", "alternative"),
    [
        ("browser_annotate", "browser_take_screenshot with annotate"),
        ("browser_start_recording", "browser_export_script"),
        ("browser_stop_recording", "browser_export_script"),
        ("browser_resume", "each call acts at once"),
    ],
)
async def test_a_tool_that_needs_playwright_names_an_alternative(
    server: ServerClient, name: str, alternative: str
) -> None:
    assert name not in await server.tools()
    with pytest.raises(RpcFailure, match=alternative) as failure:
        await server.call(name)
    assert failure.value.code == -32601

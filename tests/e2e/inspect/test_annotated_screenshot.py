"""browser_take_screenshot with annotate: an agent can click on what the picture shows."""

from __future__ import annotations

import io
import re
from collections.abc import AsyncIterator

import pytest
from PIL import Image
from werkzeug import Request, Response

from tests.e2e.conftest import OpenHere
from tests.e2e.support.client import Reply, ServerClient, StdioClient
from tests.site import Site
from viewpoint_mcp.imaging.marking import choose_colour

LEFT_OUT = "the others are outside the screenshot, covered or hidden"
BUTTON = "position:absolute;box-sizing:border-box;width:120px;height:60px;border:0;background:#eee"
PAGE = (
    f"<body style='margin:0;height:2000px'><button style='{BUTTON};left:100px;top:80px' "
    f"onclick='this.textContent = \"Hit\"'>Near</button>"
    f"<button style='{BUTTON};left:100px;top:1500px'>Far</button>"
)


@pytest.fixture(scope="module")
async def quiet(
    open_here: OpenHere, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[ServerClient]:
    """Return a server whose replies contain no snapshots: the agent sees only pictures."""
    directory = tmp_path_factory.mktemp("quiet")
    async with open_here(
        "--snapshot-mode", "none", "--image-responses", "inline", cwd=directory
    ) as server:
        await server.initialize()
        yield server


def open_saved(server: ServerClient, reply: Reply) -> Image.Image:
    found = re.match(r"Screenshot saved to (.+?) \(", reply.sections["Result"])
    assert found
    return Image.open(server.cwd / found[1]).convert("RGB")


def legend(reply: Reply) -> dict[str, str]:
    """Return the refs in the reply by the names of the elements."""
    found = re.findall(r'^- \w+ "(.+?)".* \[ref=(\w+)\]$', reply.sections["Result"], re.MULTILINE)
    return dict(found)


async def test_a_marked_element_is_clicked_by_the_ref_on_it(quiet: StdioClient, site: Site) -> None:
    await quiet.call("browser_navigate", url=site.page(PAGE))
    reply = await quiet.call("browser_take_screenshot", annotate=True)
    lines = reply.sections["Result"].splitlines()
    assert lines[0].endswith(" (viewport)")
    assert lines[2:] == [
        f"1 element is marked with its ref (of 2; {LEFT_OUT}).",
        "```yaml",
        '- button "Near" [ref=e1]',
        "```",
    ]
    assert open_saved(quiet, reply).getpixel((100, 110)) == choose_colour("e1")
    await quiet.call("browser_click", ref="e1")
    after = await quiet.call("browser_snapshot")
    assert 'button "Hit" [active] [ref=e1]' in after.text


async def test_the_picture_in_the_reply_is_the_marked_one(quiet: StdioClient, site: Site) -> None:
    await quiet.call("browser_navigate", url=site.page(PAGE))
    reply = await quiet.call("browser_take_screenshot", annotate=True)
    image = Image.open(io.BytesIO(reply.images[0])).convert("RGB")
    assert image.getpixel((100, 110)) == pytest.approx(choose_colour(legend(reply)["Near"]), abs=80)


async def test_in_a_frame_of_another_site_the_marked_ref_is_the_one_that_is_clicked(
    quiet: StdioClient, site: Site
) -> None:
    inner = site.page(PAGE).replace("127.0.0.1", "localhost")
    await quiet.call(
        "browser_navigate",
        url=site.page(
            "<body style='margin:0'><iframe style='position:absolute;left:200px;top:50px;border:0;"
            f"width:400px;height:300px' src='{inner}'></iframe>"
        ),
    )
    reply = await quiet.call("browser_take_screenshot", annotate=True)
    ref = legend(reply)["Near"]
    assert ref.startswith("f")
    assert open_saved(quiet, reply).getpixel((300, 160)) == choose_colour(ref)
    await quiet.call("browser_click", ref=ref)
    assert 'button "Hit"' in (await quiet.call("browser_snapshot")).text


async def test_whole_pages_and_elements_are_marked_as_well(quiet: StdioClient, site: Site) -> None:
    await quiet.call("browser_navigate", url=site.page(PAGE))
    whole = await quiet.call("browser_take_screenshot", annotate=True, fullPage=True)
    assert "2 elements are marked with their refs.\n" in whole.sections["Result"]
    assert open_saved(quiet, whole).getpixel((100, 1530)) == choose_colour(legend(whole)["Far"])
    one = await quiet.call("browser_take_screenshot", annotate=True, ref=legend(whole)["Far"])
    assert list(legend(one)) == ["Far"]
    assert open_saved(quiet, one).size == (120, 60)
    assert open_saved(quiet, one).getpixel((0, 30)) == choose_colour(legend(one)["Far"])


async def test_elements_of_the_last_snapshot_are_not_listed_again(
    shared_server: ServerClient, site: Site
) -> None:
    shown = await shared_server.call("browser_navigate", url=site.page(PAGE))
    reply = await shared_server.call("browser_take_screenshot", annotate=True, fullPage=True)
    assert reply.sections["Result"].splitlines()[1:] == ["2 elements are marked with their refs."]
    near = shown.ref("button", "Near")
    assert open_saved(shared_server, reply).getpixel((100, 110)) == choose_colour(near)


async def test_elements_listed_only_with_a_picture_are_still_new_to_the_next_reply(
    shared_server: ServerClient, site: Site
) -> None:
    is_there: list[bool] = []

    def answer(_: Request) -> Response:
        return Response("yes" if is_there else "")

    site.handle("/news", answer)
    await shared_server.call(
        "browser_navigate",
        url=site.page(
            PAGE
            + "<p>Some text that makes a whole snapshot longer than what is new in it.</p>" * 9
            + "<script>const timer = setInterval(async () => {"
            "if (await (await fetch('/news')).text() !== 'yes') return; clearInterval(timer);"
            "document.body.insertAdjacentHTML('beforeend', '<button>News</button>') }, 50)</script>"
        ),
    )
    is_there.append(True)
    reply = await shared_server.call("browser_take_screenshot", annotate=True)
    while "News" not in legend(reply):
        reply = await shared_server.call("browser_take_screenshot", annotate=True)
    assert list(legend(reply)) == ["News"]
    after = await shared_server.call("browser_hover", ref=legend(reply)["News"])
    assert "Changes on the page:" in after.sections["Snapshot"]
    assert f'<added> button "News" [ref={legend(reply)["News"]}]' in after.sections["Snapshot"]


async def test_a_page_without_elements_to_mark_says_so(
    shared_server: ServerClient, site: Site
) -> None:
    await shared_server.call("browser_navigate", url=site.page("<p>Words alone"))
    reply = await shared_server.call("browser_take_screenshot", annotate=True)
    assert reply.sections["Result"].splitlines()[1:] == [
        "Nothing is marked: no element of the page has a ref."
    ]


async def test_no_screenshot_is_taken_behind_a_dialog(
    shared_server: ServerClient, site: Site
) -> None:
    await shared_server.call("browser_navigate", url=site.page("<script>alert('wait')</script>"))
    reply = await shared_server.call("browser_take_screenshot", annotate=True)
    assert reply.is_error
    assert '"alert" dialog' in reply.text
    await shared_server.call("browser_handle_dialog", accept=True)

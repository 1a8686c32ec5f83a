"""browser_context_close: calls in the context end, the context is removed, and the browser
continues.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from werkzeug import Request, Response

from tests.e2e.conftest import Hold, StartServer
from tests.e2e.support.client import Reply, ServerClient, StdioClient
from tests.e2e.support.endless_scripts import LOOP
from tests.e2e.support.processes import wait_until
from tests.site import Site

pytestmark = pytest.mark.time_limit(60)

ASKS = """<input><script>
addEventListener('beforeunload', event => { event.preventDefault(); event.returnValue = 'x' })
</script>"""


@pytest.fixture(scope="module")
def shared_server(shared_spawned: StdioClient) -> StdioClient:
    """Return a server that launches its own browser, whose default context is `default`."""
    return shared_spawned


@pytest.fixture
async def contexts(shared_server: ServerClient, site: Site) -> AsyncIterator[ServerClient]:
    """Return a server with a page in `default`, and an empty context "a", which is active."""
    await shared_server.call("browser_navigate", url=site.page("<h1>In default</h1>"))
    await shared_server.call("browser_context_create", name="a")
    yield shared_server
    for name in ("a", "b"):
        await shared_server.call("browser_context_close", name=name)


async def close(server: ServerClient, name: str = "a") -> Reply:
    return await server.call("browser_context_close", name=name)


async def is_well(server: ServerClient) -> bool:
    """Whether `default` is the one that is left, and works."""
    listed = (await server.call("browser_context_list")).sections["Result"]
    reply = await server.call("browser_snapshot")
    return '"a"' not in listed and "In default" in reply.sections["Snapshot"]


async def test_a_call_in_a_context_that_is_closed_ends_at_once(
    contexts: ServerClient, site: Site
) -> None:
    await contexts.call("browser_navigate", url=site.page("<h1>In a</h1>"))
    calls = [
        asyncio.create_task(contexts.call("browser_wait_for", time=20, context="a")),
        # And one that waits for its turn behind it.
        asyncio.create_task(contexts.call("browser_snapshot", context="a")),
    ]
    await contexts.request("ping")
    assert not (await close(contexts)).is_error
    for reply in await asyncio.gather(*calls):
        assert reply.sections == {
            "Error": 'The context "a" was closed, and this page with it. '
            "Use browser_context_list to see the open contexts."
        }
    assert await is_well(contexts)


async def test_a_navigation_in_a_context_that_is_closed_ends_at_once(
    contexts: ServerClient, hold: Hold
) -> None:
    url = hold("/slow")
    call = asyncio.create_task(contexts.call("browser_navigate", url=url))
    await contexts.request("ping")
    assert not (await close(contexts)).is_error
    assert 'The context "a" was closed' in (await call).sections["Error"]
    assert await is_well(contexts)


async def test_a_first_call_in_a_context_that_is_closed_gets_an_answer(
    contexts: ServerClient, site: Site
) -> None:
    # The call is at any stage of opening the context's first tab.
    for _ in range(3):
        await contexts.call("browser_context_create", name="b")
        call = asyncio.create_task(contexts.call("browser_snapshot", context="b"))
        await contexts.request("ping")
        assert not (await close(contexts, "b")).is_error
        reply = await call
        assert not reply.is_error or '"b"' in reply.sections["Error"]
    tabs = await contexts.call("browser_tabs", action="list", context="default")
    assert len(tabs.sections["Result"].splitlines()) == 1


async def test_a_page_with_a_beforeunload_dialog_is_closed_without_asking(
    contexts: ServerClient, site: Site
) -> None:
    page = await contexts.call("browser_navigate", url=site.page(ASKS))
    await contexts.call("browser_type", ref=page.ref("textbox"), text="unsaved")
    assert not (await close(contexts)).is_error
    assert await is_well(contexts)


async def test_a_page_that_hangs_does_not_keep_its_context(
    contexts: ServerClient, site: Site
) -> None:
    site.respond("/looping")
    await contexts.call("browser_navigate", url=site.page("<h1>In a</h1>"))
    await contexts.call("browser_evaluate", function=LOOP)
    await wait_until(lambda: bool(site.requests("/looping")))
    assert not (await close(contexts)).is_error
    assert await is_well(contexts)


async def test_an_open_dialog_does_not_keep_its_context(contexts: ServerClient, site: Site) -> None:
    await contexts.call("browser_navigate", url=site.page("<script>alert('Hello')</script>"))
    assert not (await close(contexts)).is_error
    assert await is_well(contexts)


async def test_popups_close_with_their_context(contexts: ServerClient, site: Site) -> None:
    popup = site.page("<h1>Popup</h1>")
    opens = f"<script>for (let i = 0; i < 3; i++) open('{popup}')</script>"
    await contexts.call("browser_navigate", url=site.page(opens))
    assert not (await close(contexts)).is_error
    assert await is_well(contexts)
    tabs = (await contexts.call("browser_tabs", action="list")).sections["Result"]
    assert len(tabs.splitlines()) == 1


async def test_the_second_of_two_calls_that_close_a_context_reports_that_it_is_closed(
    contexts: ServerClient,
) -> None:
    replies = await asyncio.gather(close(contexts), close(contexts))
    assert sorted(reply.is_error for reply in replies) == [False, True]
    assert await is_well(contexts)


async def test_a_context_can_be_made_while_its_namesake_is_being_closed(
    contexts: ServerClient, site: Site
) -> None:
    await contexts.call("browser_navigate", url=site.page("<h1>Old</h1>"))
    closed, made = await asyncio.gather(
        close(contexts), contexts.call("browser_context_create", name="a")
    )
    assert not closed.is_error
    assert not made.is_error, made.text
    listed = (await contexts.call("browser_context_list")).sections["Result"]
    assert '"name": "a", "isActive": true' in listed
    reply = await contexts.call("browser_snapshot")
    assert not reply.is_error
    assert "Old" not in reply.text


async def test_a_context_can_be_closed_while_it_is_being_made(contexts: ServerClient) -> None:
    made, closed = await asyncio.gather(
        contexts.call("browser_context_create", name="b"), close(contexts, "b")
    )
    assert not made.is_error
    assert not closed.is_error, closed.text
    listed = (await contexts.call("browser_context_list")).sections["Result"]
    assert '"b"' not in listed
    assert not (await contexts.call("browser_snapshot")).is_error


@pytest.fixture
def endless(site: Site) -> Iterator[str]:
    """Return the path of a file whose download does not end during the test."""
    done = False

    def trickle() -> Iterator[bytes]:
        import time

        while not done:
            yield b"x" * 70_000
            time.sleep(0.05)

    def respond(request: Request) -> Response:
        headers = {"Content-Disposition": "attachment; filename=endless.bin"}
        return Response(trickle(), headers=headers, mimetype="application/octet-stream")

    site.handle("/endless.bin", respond)
    yield "/endless.bin"
    done = True


@pytest.mark.prove
@pytest.mark.parametrize("name", ["default", "a"])
async def test_a_download_ends_with_its_context_and_leaves_nothing(
    open_server: StartServer, tmp_path: Path, site: Site, endless: str, name: str
) -> None:
    async with open_server(cwd=tmp_path) as server:
        await server.call("browser_navigate", url=site.page("<h1>In default</h1>"))
        await server.call("browser_context_create", name="a")
        page = site.page(f"<a href={endless}>Load</a>")
        shown = await server.call("browser_navigate", url=page, context=name)
        link = shown.ref("link", "Load")
        clicked = await server.call("browser_click", ref=link, context=name, within=20)
        assert "Downloading file endless.bin" in clicked.sections["Events"]
        assert arriving(server)
        assert not (await close(server, name)).is_error
        await wait_until(lambda: not arriving(server))
        other = {"default": "a", "a": "default"}[name]
        later = await server.call("browser_snapshot", context=other)
        assert "endless" not in later.text
        assert not (tmp_path / ".viewpoint-mcp").exists()


def arriving(server: StdioClient) -> list[Path]:
    """Return the files in the directories where downloads arrive."""
    directories = Path(tempfile.gettempdir()).glob(f"viewpoint-mcp-profile-{server.process.pid}-*")
    downloads = [each for each in directories if not (each / "Default").exists()]
    return [file for each in downloads for file in each.iterdir() if "owner" not in file.name]


async def test_the_default_context_is_created_again_without_data(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    url = site.page("<h1>Here</h1>")
    remember = "() => { document.cookie = 'login=anna'; localStorage.setItem('basket', 'apples') }"
    recall = "() => `${document.cookie} ${localStorage.getItem('basket')}`"
    async with open_server(cwd=tmp_path) as server:
        await server.call("browser_navigate", url=url)
        await server.call("browser_evaluate", function=remember)
        await server.call("browser_context_create", name="a")
        assert not (await close(server, "default")).is_error
        await server.call("browser_navigate", url=url, context="default")
        seen = await server.call("browser_evaluate", function=recall, context="default")
        assert seen.sections["Result"] == " null"
        tabs = await server.call("browser_tabs", action="list", context="default")
        assert len(tabs.sections["Result"].splitlines()) == 1


@pytest.mark.prove
async def test_the_default_context_of_a_profile_is_restored_with_its_contents(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    url = site.page("<h1>Here</h1>")
    async with open_server("--user-data-dir=profile", cwd=tmp_path) as server:
        await server.call("browser_navigate", url=url)
        await server.call("browser_evaluate", function="document.cookie = 'login=anna; max-age=99'")
        await server.call("browser_tabs", action="new", url=url)
        await server.call("browser_context_create", name="a")
        assert not (await close(server, "default")).is_error
        await server.call("browser_navigate", url=url, context="default")
        seen = await server.call("browser_evaluate", function="document.cookie", context="default")
        assert "login=anna" in seen.sections["Result"]
        tabs = await server.call("browser_tabs", action="list", context="default")
        assert len(tabs.sections["Result"].splitlines()) == 1

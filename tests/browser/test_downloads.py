"""Downloads: the action that starts one waits for it, and the file is where the reply says."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from werkzeug import Request, Response

from tests.browser.conftest import settings_in
from tests.browser.page.agent import Agent
from tests.e2e.support.processes import wait_until
from tests.site import Site
from viewpoint_mcp.browser.context import Context
from viewpoint_mcp.browser.supervisor import BrowserSupervisor
from viewpoint_mcp.files.records import FileDescription, FileRecords

FILE = b"Hello, file!"
ATTACHMENT = {"Content-Disposition": "attachment; filename=data.txt"}


@pytest.fixture(scope="module")
def out(working_dir: Path) -> Path:
    return working_dir


@pytest.fixture
async def agent(default: Context, site: Site, out: Path) -> AsyncIterator[Agent]:
    """Return an agent at a fresh tab, with a file to download on the site."""
    site.respond("/file", FILE, content_type="application/octet-stream", headers=ATTACHMENT)
    site.respond("/data.bin", FILE, content_type="application/octet-stream")
    page = await default.new_page()
    yield Agent(page)
    for tab in list(default.tabs):
        await default.close_tab_or_fail(tab)
    default.pop_events()
    for path in saved_files(out):
        path.unlink()


def saved_files(out: Path) -> list[Path]:
    """Return the files in the output directory."""
    return [path for path in (out / "files").glob("*") if path.is_file()]


async def click(agent: Agent, site: Site, html: str) -> None:
    """Go to the page and click its first button or link."""
    look = await agent.go(site.page(html))
    await agent.click("link" if "- link" in look else "button")


SAVED = 'Downloaded file data.txt to "files/data.txt" (12 bytes)'
LINK = "const a = document.createElement('a'); a.download = 'data.txt'; a.href = "


BLOB = "window.URL.createObjectURL(new Blob(['Hello, file!']))"
FETCH = f"fetch('/data.bin').then(r => r.blob()).then(b => {{ {LINK} URL.createObjectURL(b);"
BEGINNINGS = {
    "an attachment": "<a href=/file>Get</a>",
    "a download link": "<a href=/data.bin download=data.txt>Get</a>",
    "a form": "<form action=/file method=post><button>Get</button></form>",
    "a data: link": "<a href='data:text/plain,Hello%2C file!' download=data.txt>Get</a>",
    "a blob: link": f'<button onclick="{LINK} {BLOB}; a.click()">Get</button>',
    "a link made by script": f"<button onclick=\"{LINK} '/data.bin'; a.click()\">Get</button>",
    "a timer": f"<button onclick=\"setTimeout(() => {{ {LINK} '/data.bin'; a.click() }}, 300)\">A",
    "a fetch": f"<button id=b>Get</button><script>b.onclick = () => {FETCH} a.click() }})</script>",
    "location": "<button onclick=\"location = '/file'\">Get</button>",
    "a popup": "<button onclick=\"window.open('/file')\">Get</button>",
    "a new tab": "<a href=/file target=_blank>Get</a>",
    "a new tab with an opener": "<a href=/file target=_blank rel=opener>Get</a>",
    "a frame": "<button onclick=\"f.src = '/file'\">Get</button><iframe id=f></iframe>",
    "a link into a frame": "<a href=/file target=inside>Get</a><iframe name=inside></iframe>",
}


@pytest.mark.parametrize("html", BEGINNINGS.values(), ids=BEGINNINGS)
async def test_the_action_that_starts_a_download_waits_for_it(
    default: Context, agent: Agent, site: Site, out: Path, html: str
) -> None:
    await click(agent, site, html)
    assert default.pop_events() == [SAVED]
    assert (out / "files" / "data.txt").read_bytes() == FILE
    assert default.pop_events() == []


async def test_navigating_to_a_file_downloads_it_and_the_page_stays(
    default: Context, agent: Agent, site: Site
) -> None:
    url = site.page("<h1>Here</h1>")
    await agent.go(url)
    assert await agent.page.navigate(site.url("/file")) == "download"
    assert default.pop_events() == [SAVED]
    assert agent.page.url == url
    assert "Here" in await agent.snapshot()


async def test_a_late_response_to_a_link_is_waited_for(
    default: Context, agent: Agent, site: Site
) -> None:
    gate = threading.Event()

    def respond(request: Request) -> Response:
        gate.wait(1)
        return Response(FILE, mimetype="application/octet-stream", headers=ATTACHMENT)

    site.handle("/late", respond)
    await click(agent, site, "<a href=/late download>Get</a>")
    assert default.pop_events() == [SAVED]


async def test_two_downloads_at_once_are_both_saved(
    default: Context, agent: Agent, site: Site, out: Path
) -> None:
    site.respond("/empty", b"", content_type="application/octet-stream")
    await click(
        agent,
        site,
        "<button onclick=\"for (const p of ['/data.bin', '/empty']) {"
        "const a = document.createElement('a'); a.href = p; a.download = ''; a.click() }\">"
        "Get</button>",
    )
    assert sorted(default.pop_events()) == [
        'Downloaded file data.bin to "files/data.bin" (12 bytes)',
        'Downloaded file empty to "files/empty" (0 bytes)',
    ]
    assert (out / "files" / "empty").read_bytes() == b""


async def test_a_second_download_of_the_same_name_gets_a_number(
    default: Context, agent: Agent, site: Site, out: Path
) -> None:
    await click(agent, site, "<a href=/file>Get</a>")
    await agent.click("link")
    assert default.pop_events() == [
        SAVED,
        SAVED.replace('data.txt"', 'data-2.txt"'),
    ]
    assert sorted(path.name for path in saved_files(out)) == ["data-2.txt", "data.txt"]


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "..\\\\..\\\\boot.ini", "a" * 400 + ".txt", ".bashrc", "con.txt"]
)
async def test_a_file_name_is_shortened_and_stays_in_the_directory(
    default: Context, agent: Agent, site: Site, out: Path, name: str
) -> None:
    header = {"Content-Disposition": f'attachment; filename="{name}"'}
    site.respond("/named", FILE, content_type="application/octet-stream", headers=header)
    await click(agent, site, "<a href=/named>Get</a>")
    (event,) = default.pop_events()
    (path,) = saved_files(out)
    assert event.endswith(f' to "files/{path.name}" (12 bytes)')
    assert path.read_bytes() == FILE
    assert not path.name.startswith(".")


@pytest.mark.timing
async def test_downloads_that_chromium_does_not_start_are_not_waited_for(
    default: Context, agent: Agent, site: Site
) -> None:
    script = f"for (let n = 0; n < 30; n++) {{ {LINK} 'data:,x'; a.click() }}"
    start = asyncio.get_running_loop().time()
    await click(agent, site, f'<button onclick="{script}">Get</button>')
    assert asyncio.get_running_loop().time() - start < 4
    assert len(default.pop_events()) == 10


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Return an event that holds back responses of the site until it is set."""
    gate = threading.Event()
    yield gate
    gate.set()


def stream(site: Site, gate: threading.Event, end: Callable[[], None] = lambda: None) -> None:
    """Serve a file at /slow whose second half waits for the gate."""

    def body() -> Iterator[bytes]:
        yield b"x" * 100_000
        gate.wait(60)
        end()
        yield b"y" * 100_000

    def respond(request: Request) -> Response:
        headers = {"Content-Disposition": "attachment; filename=slow.bin"}
        response = Response(body(), mimetype="application/octet-stream", headers=headers)
        response.content_length = 200_000
        return response

    site.handle("/slow", respond)


async def wait_for_end(default: Context) -> str:
    """Return the event of the first download that ends."""
    events: list[str] = []

    def has_ended() -> bool:
        events.extend(default.pop_events())
        return bool(events) and not events[-1].startswith("Downloading")

    await wait_until(has_ended)
    return events[-1]


@pytest.mark.prove
async def test_a_slow_download_is_reported_as_running_and_later_as_saved(
    default: Context, agent: Agent, site: Site, out: Path, gate: threading.Event
) -> None:
    stream(site, gate)
    await click(agent, site, "<a href=/slow>Get</a>")
    (running,) = default.pop_events()
    assert running == "Downloading file slow.bin ... (100,000 of 200,000 bytes so far)"
    assert default.pop_events() == []
    gate.set()
    ended = 'Downloaded file slow.bin to "files/slow.bin" (200,000 bytes)'
    assert await wait_for_end(default) == ended
    assert (out / "files" / "slow.bin").stat().st_size == 200_000


async def test_a_download_that_breaks_off_is_reported_and_leaves_no_file(
    default: Context, agent: Agent, site: Site, out: Path, gate: threading.Event
) -> None:
    def break_off() -> None:
        raise ConnectionError

    gate.set()
    stream(site, gate, break_off)
    await click(agent, site, "<a href=/slow>Get</a>")
    assert "slow.bin failed or was cancelled" in await wait_for_end(default)
    assert saved_files(out) == []


async def test_a_link_to_a_missing_file_is_reported(
    default: Context, agent: Agent, site: Site
) -> None:
    await click(agent, site, "<a href=/missing download>Get</a>")
    (event,) = default.pop_events()
    assert "failed or was cancelled; nothing was saved" in event


@pytest.mark.timing
async def test_a_response_without_content_is_no_download(
    default: Context, agent: Agent, site: Site
) -> None:
    site.respond("/nothing", status=204)
    start = asyncio.get_running_loop().time()
    await click(agent, site, "<a href=/nothing>Go</a>")
    assert asyncio.get_running_loop().time() - start < 3
    assert default.pop_events() == []


async def test_a_download_that_a_popup_starts_is_reported(
    default: Context, agent: Agent, site: Site
) -> None:
    site.page("<h1>Soon</h1><script>location = '/file'</script>", path="/popup")
    await click(agent, site, "<button onclick=\"window.open('/popup')\">Go</button>")
    assert await wait_for_end(default) == SAVED


async def test_a_pdf_is_a_download(default: Context, agent: Agent, site: Site, out: Path) -> None:
    site.respond("/paper.pdf", b"%PDF-1.4\n%%EOF", content_type="application/pdf")
    await click(agent, site, "<a href=/paper.pdf>Read</a>")
    assert default.pop_events() == ['Downloaded file paper.pdf to "files/paper.pdf" (14 bytes)']
    assert await agent.page.navigate(site.url("/paper.pdf")) == "download"


async def test_the_source_url_of_a_download_is_saved(
    default: Context, agent: Agent, site: Site, out: Path
) -> None:
    await click(agent, site, "<a href=/file>Get</a>")
    (path,) = saved_files(out)
    record = FileRecords(out / "files").find(path.name)
    assert record
    assert record.about == FileDescription(
        kind="download", url=site.url("/file"), context=default.name
    )


async def test_an_unwritable_directory_is_reported(
    default: Context, agent: Agent, site: Site, out: Path
) -> None:
    shutil.rmtree(out / "files")
    (out / "files").write_text("in the way")
    try:
        await click(agent, site, "<a href=/file>Get</a>")
        (event,) = default.pop_events()
        assert "data.txt was downloaded but not saved: " in event
        assert "cannot be written" in event
    finally:
        (out / "files").unlink()
        (out / "files").mkdir()


@pytest.mark.prove
async def test_no_download_files_remain_when_the_browser_ends(
    chromium: str, site: Site, tmp_path: Path, gate: threading.Event
) -> None:
    stream(site, gate)
    host = BrowserSupervisor(settings_in(tmp_path, chromium))
    page = await (await host.make_workspace().get_context()).get_active_page()
    assert host.running_browser is not None
    directory = host.running_browser._downloads._directory
    assert directory is not None
    await page.navigate(site.url("/slow"))
    assert list(directory.path.iterdir())
    await host.close()
    assert not directory.path.exists()

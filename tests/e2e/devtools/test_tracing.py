"""browser_start_tracing and browser_stop_tracing, and the report in a browser."""

from __future__ import annotations

import json
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import OpenHere, StartServer
from tests.e2e.support.client import Reply, ServerClient
from tests.e2e.support.processes import wait_until
from tests.site import Site

SHOP = """<title>Shop</title><button onclick="console.log('bought', {n: 1}); fetch('/sold')">Buy
</button><button onclick="alert('Careful')">Ask</button><a href="/other" target=_blank>Other</a>
<iframe srcdoc="<button onclick='this.textContent = 1'>Inner</button>"></iframe>
<form onsubmit="event.preventDefault(); console.warn(document.querySelector('#secret').value)">
<label>Password <input type=password id=secret></label><button>Send</button></form>"""

READ = """async () => {
  const sections = [...document.querySelectorAll("section")].map((section) => ({
    title: section.querySelector("h2").textContent,
    text: section.textContent,
    pictures: [...section.querySelectorAll(".picture")].map((each) =>
      getComputedStyle(each).backgroundImage.slice(5, -2)),
    reasons: [...section.querySelectorAll(".missing")].map((each) => each.textContent),
    shown: getComputedStyle(section).display !== "none",
  }))
  const measure = async (url) => {
    const image = new Image()
    image.src = url
    await image.decode()
    return [image.naturalWidth, image.naturalHeight]
  }
  for (const section of sections) {
    section.sizes = await Promise.all(section.pictures.map(measure))
    delete section.pictures
  }
  return JSON.stringify({
    sections,
    links: document.querySelectorAll("nav a").length,
    active: document.querySelectorAll("img, iframe, object, [src], [onerror]").length,
    scripts: document.scripts.length,
    hacked: window.hacked ?? null,
    header: document.querySelector("header").textContent,
  })
}"""

BUSY = """() => setTimeout(() => {
  const request = new XMLHttpRequest();
  request.open('GET', '/looping', false);
  request.send();
  const end = performance.now() + 2500;
  while (performance.now() < end);
}, 20)"""

ReadReport = Callable[[Path], Awaitable[dict[str, Any]]]


@pytest.fixture
async def tracer(open_here: OpenHere, tmp_path: Path) -> AsyncIterator[ServerClient]:
    """Return a server with the capability, for one test."""
    async with open_here("--caps=devtools", cwd=tmp_path) as client:
        await client.initialize()
        yield client


@pytest.fixture
def read_report(open_here: OpenHere, tmp_path: Path) -> ReadReport:
    """Return `await read_report(path)`: opens a report offline, and returns its content."""

    async def read(path: Path) -> dict[str, Any]:
        flags = ("--allow-unrestricted-file-access", "--offline")
        async with open_here(*flags, cwd=tmp_path) as reader:
            await reader.initialize()
            await reader.call("browser_navigate", url=path.as_uri())
            value = (await reader.call("browser_evaluate", function=READ)).sections["Result"]
            content: dict[str, Any] = json.loads(value)
            requests = await reader.call("browser_network_requests", static=True, all=True)
            messages = await reader.call("browser_console_messages", all=True, level="debug")
        listed = [each for each in requests.sections["Result"].splitlines() if "data:" not in each]
        assert [each.split()[2] for each in listed] == [path.as_uri()]
        assert "Total messages: 0" in messages.text
        return content

    return read


def find_saved(reply: Reply, directory: Path) -> Path:
    """Return the report that a reply names."""
    assert not reply.is_error, reply.text
    named = re.search(r"Trace saved to (\S+)", reply.text)
    assert named is not None, reply.text
    return directory / named[1]


async def test_the_report_has_each_call_with_pictures_console_and_requests(
    tracer: ServerClient, site: Site, tmp_path: Path, read_report: ReadReport
) -> None:
    site.respond("/sold", "yes")
    await tracer.call("browser_start_tracing")
    await tracer.call("browser_navigate", url=site.page(SHOP))
    await tracer.call("browser_click", ref='button "Buy"')
    await tracer.call("browser_click", ref='button "Inner"')
    await tracer.call("browser_snapshot")
    await tracer.call("browser_click", ref='button "Sell"')
    await tracer.call("browser_click", reff="e1")
    stopped = await tracer.call("browser_stop_tracing")
    [link] = [each for each in stopped.raw["content"] if each["type"] == "resource_link"]
    assert link["mimeType"] == "text/html"
    if os.name == "posix":
        assert find_saved(stopped, tmp_path).stat().st_mode & 0o777 == 0o600
    report = await read_report(find_saved(stopped, tmp_path))
    assert "6 calls" in stopped.text
    assert report["links"] == 6
    assert "6 calls" in report["header"]
    assert "2 failed" in report["header"]
    navigate, buy, inner, snapshot, sell, wrong = report["sections"]
    assert [each["shown"] for each in report["sections"]] == [True] + [False] * 5
    assert navigate["title"] == "1. browser_navigate"
    assert "Context" in navigate["text"]
    assert "default, tab 0" in navigate["text"]
    assert "Navigated to" in navigate["text"]
    assert [len(each["sizes"]) for each in report["sections"]] == [2, 2, 2, 0, 2, 0]
    assert buy["sizes"] == [[1280, 720], [1280, 720]]
    assert "[info] bought {n: 1}" in buy["text"]
    assert "/sold => [200]" in buy["text"]
    assert "bought" not in inner["text"]
    assert '"1"' in inner["text"]
    assert "- iframe" in snapshot["text"]
    assert "not_found" in sell["text"]
    assert "Unknown argument 'reff'" in wrong["text"]


async def test_markup_of_a_page_is_inert_in_the_report(
    tracer: ServerClient, site: Site, tmp_path: Path, read_report: ReadReport
) -> None:
    evil = "</pre></script></style><img src=/x onerror=hacked=1><script>hacked=2</script>"
    page = f"<title>{evil.replace('<', '&lt;')}</title><button>Go</button>"
    url = site.page(page, path="/evil")
    await tracer.call("browser_start_tracing")
    await tracer.call("browser_navigate", url=f"{url}?{evil}#{evil}")
    await tracer.call("browser_evaluate", function=f"() => console.error({json.dumps(evil)})")
    await tracer.call("browser_click", ref=f'button "{evil}"')
    report = await read_report(find_saved(await tracer.call("browser_stop_tracing"), tmp_path))
    assert (report["active"], report["scripts"], report["hacked"]) == (0, 1, None)
    assert evil in report["sections"][0]["text"]
    assert f"[error] {evil}" in report["sections"][1]["text"]
    assert evil in report["sections"][2]["text"]


async def test_steps_of_a_batch_are_calls_of_their_own(
    tracer: ServerClient, site: Site, tmp_path: Path, read_report: ReadReport
) -> None:
    await tracer.call("browser_navigate", url=site.page(SHOP))
    await tracer.call("browser_start_tracing")
    calls = [
        {"tool": "click", "arguments": {"ref": 'button "Inner"'}},
        {"tool": "snapshot"},
        {"tool": "click", "arguments": {"ref": "e999"}},
        {"tool": "snapshot"},
    ]
    await tracer.call("browser_batch", calls=calls)
    stopped = await tracer.call("browser_stop_tracing")
    report = await read_report(find_saved(stopped, tmp_path))
    assert [each["title"] for each in report["sections"]] == [
        "1. browser_batch",
        "1.1. browser_click",
        "1.2. browser_snapshot",
        "1.3. browser_click",
    ]
    assert [len(each["sizes"]) for each in report["sections"]] == [0, 2, 0, 2]
    assert 'Clicked button "Inner"' in report["sections"][1]["text"]
    assert "e999" in report["sections"][3]["text"]


async def test_a_page_that_draws_nothing_has_a_reason_instead_of_a_picture(
    tracer: ServerClient, site: Site, tmp_path: Path, read_report: ReadReport
) -> None:
    site.page("<title>Other</title><button onclick='window.close()'>Leave</button>", path="/other")
    await tracer.call("browser_navigate", url=site.page(SHOP))
    await tracer.call("browser_start_tracing")
    await tracer.call("browser_click", ref='button "Ask"')
    await tracer.call("browser_click", ref='button "Buy"')
    await tracer.call("browser_handle_dialog", accept=True)
    await tracer.call("browser_click", ref='link "Other"')
    await tracer.call("browser_tabs", action="select", index=1)
    await tracer.call("browser_click", ref='button "Leave"')
    await tracer.call("browser_context_create", name="guest")
    report = await read_report(find_saved(await tracer.call("browser_stop_tracing"), tmp_path))
    ask, refused, answered, other, select, leave, create = report["sections"]
    dialog = 'The page waits for an answer to its "alert" dialog with message "Careful".'
    assert ask["reasons"] == [f"No picture. {dialog}"]
    assert refused["reasons"] == [f"No picture. {dialog}"] * 2
    assert (len(answered["sizes"]), len(answered["reasons"])) == (1, 1)
    assert "tab 1: " in other["text"]
    assert "default, tab 1" in select["text"]
    assert leave["reasons"] == ["No picture. The page was closed."]
    assert select["reasons"] == ["No picture. The tab has not been used yet."]
    assert create["reasons"] == ["No picture. No tab was open."]


async def test_a_busy_page_delays_a_call_only_for_a_moment(
    tracer: ServerClient, site: Site, tmp_path: Path, read_report: ReadReport
) -> None:
    site.respond("/looping")
    await tracer.call("browser_navigate", url=site.page(SHOP))
    await tracer.call("browser_evaluate", function=BUSY)
    await wait_until(lambda: bool(site.requests("/looping")))
    await tracer.call("browser_start_tracing")
    await tracer.call("browser_navigate", url=site.page("<h1>Next</h1>"))
    report = await read_report(find_saved(await tracer.call("browser_stop_tracing"), tmp_path))
    [navigate] = report["sections"]
    assert navigate["reasons"] == ["No picture. The page drew nothing within 1.5 s."]
    assert len(navigate["sizes"]) == 1


async def test_secrets_and_passwords_are_masked(
    open_here: OpenHere, site: Site, tmp_path: Path
) -> None:
    secrets = tmp_path / "secrets.env"
    secrets.write_text("TOKEN=correct-horse-7\n")
    flags = ("--caps=devtools", "--codegen=typescript", f"--secrets={secrets}")
    async with open_here(*flags, cwd=tmp_path) as tracer:
        await tracer.initialize()
        await tracer.call("browser_start_tracing")
        url = site.page(SHOP).replace("http://", "http://ann:hidden-in-url@")
        await tracer.call("browser_navigate", url=url)
        await tracer.call(
            "browser_type", ref='textbox "Password"', text="hunter2-typed", submit=True
        )
        field = {"ref": "#secret", "name": "P", "type": "textbox", "value": "qqq"}
        await tracer.call("browser_fill_form", fields=[field])
        await tracer.call("browser_type", ref='textbox "Password"', text="TOKEN", submit=True)
        proxy = {"server": "http://localhost:1", "username": "ann", "password": "hidden-proxy"}
        await tracer.call("browser_context_create", name="guest", proxy=proxy)
        stopped = await tracer.call("browser_stop_tracing")
    text = find_saved(stopped, tmp_path).read_text(encoding="utf-8")
    for secret in ("correct-horse-7", "hunter2-typed", "hidden-in-url", "hidden-proxy", '"qqq"'):
        assert secret not in text, secret
    assert '"text": "&lt;password&gt;"' in text
    assert "[warning] &lt;password&gt;" in text
    assert "[warning] &lt;secret&gt;TOKEN&lt;/secret&gt;" in text
    assert '"server": "http://localhost:1"' in text


async def test_a_trace_is_started_once_and_stopped_once(
    tracer: ServerClient, tmp_path: Path
) -> None:
    stopped = await tracer.call("browser_stop_tracing")
    assert stopped.is_error
    assert "Tracing is not started. Use browser_start_tracing first." in stopped.text
    assert not (await tracer.call("browser_start_tracing")).is_error
    again = await tracer.call("browser_start_tracing")
    assert again.is_error
    assert "Use browser_stop_tracing to save the report." in again.text
    saved = find_saved(await tracer.call("browser_stop_tracing"), tmp_path)
    assert "1 call in" in saved.read_text(encoding="utf-8")
    assert (await tracer.call("browser_stop_tracing")).is_error


async def test_a_report_that_cannot_be_saved_is_not_lost(
    tracer: ServerClient, site: Site, tmp_path: Path
) -> None:
    obstacle = tmp_path / ".viewpoint-mcp"
    obstacle.write_text("a file, not a directory")
    await tracer.call("browser_start_tracing")
    await tracer.call("browser_navigate", url=site.page(SHOP))
    stopped = await tracer.call("browser_stop_tracing")
    assert stopped.is_error
    assert "cannot be written" in stopped.text
    obstacle.unlink()
    saved = find_saved(await tracer.call("browser_stop_tracing"), tmp_path)
    assert "Navigated to" in saved.read_text(encoding="utf-8")


async def test_the_end_of_the_server_saves_the_report(
    open_server: StartServer, site: Site, tmp_path: Path
) -> None:
    async with open_server("--caps=devtools", cwd=tmp_path) as server:
        await server.initialize()
        await server.call("browser_start_tracing")
        await server.call("browser_navigate", url=site.page(SHOP))
    [saved] = (tmp_path / ".viewpoint-mcp").glob("trace-*.html")
    assert "Navigated to" in saved.read_text(encoding="utf-8")


async def test_the_report_works_without_javascript(
    tracer: ServerClient, open_here: OpenHere, site: Site, tmp_path: Path
) -> None:
    await tracer.call("browser_start_tracing")
    await tracer.call("browser_navigate", url=site.page("<h1>First</h1>"))
    await tracer.call("browser_navigate", url=site.page("<h1>Second</h1>"))
    saved = find_saved(await tracer.call("browser_stop_tracing"), tmp_path)
    config = tmp_path / "config.json"
    config.write_text('{"browser": {"contextOptions": {"javaScriptEnabled": false}}}')
    flags = (f"--config={config}", "--allow-unrestricted-file-access")
    async with open_here(*flags, cwd=tmp_path) as reader:
        await reader.initialize()
        first = await reader.call("browser_navigate", url=saved.as_uri())
        assert 'heading "1. browser_navigate"' in first.text
        assert 'heading "2. browser_navigate"' not in first.text
        await reader.call("browser_click", ref="nav li:nth-child(2) a")
        second = await reader.call("browser_snapshot")
    assert 'heading "2. browser_navigate"' in second.text
    assert 'heading "1. browser_navigate"' not in second.text

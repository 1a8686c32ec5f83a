"""The worked examples in `scripts`, each as a separate program with a real Chromium."""

from __future__ import annotations

import signal
import sys
from asyncio.subprocess import Process
from pathlib import Path

import pytest
from werkzeug import Response

from cdp_protocol import Browser
from tests.browser.cdp.chromium import Chromium
from tests.browser.cdp.documentation.examples import ROOT, Play, run_example
from tests.site import Site

pytestmark = pytest.mark.prove

ALL = ("block_requests", "log_bodies", "web_vitals", "watch_dom", "heap_snapshot")
FURTHER = {"block_requests": ["*"], "log_bodies": ["bodies"], "watch_dom": ["body"]}
PICTURE = bytes(range(256)) * 40


def on_other_site(url: str) -> str:
    """Return the same address on another site, so that its frames are out-of-process."""
    return url.replace("127.0.0.1", "localhost")


# ---- block_requests


async def test_blocked_requests_never_reach_the_site_not_even_from_frames_and_workers(
    site: Site, run_script: Play
) -> None:
    for path in ("/kept.png", "/ad.png", "/inner-ad.png", "/inner-kept.png"):
        site.respond(path, PICTURE, content_type="image/png")
    site.respond("/worker.js", "fetch('/ad-of-worker')", content_type="text/javascript")
    inner = site.page("<img src=/inner-ad.png><img src=/inner-kept.png>", path="/inner")
    url = site.page(
        f"<img src=/kept.png><img src=/ad.png><iframe src={on_other_site(inner)}></iframe>"
        "<script>new Worker('/worker.js')</script>"
    )

    played = await run_script("block_requests", url, "*/ad*", "*inner-ad.p?g")

    assert played.status == 0, played.complaint
    assert sorted(line.split() for line in played.lines) == sorted(
        [
            ["blocked", "Image", site.url("/ad.png")],
            ["blocked", "Image", on_other_site(site.url("/inner-ad.png"))],
            ["blocked", "XHR", site.url("/ad-of-worker")],
        ]
    )
    for path in ("/ad.png", "/inner-ad.png", "/ad-of-worker"):
        assert not site.requests(path)
    for path in ("/kept.png", "/inner-kept.png", "/worker.js"):
        assert len(site.requests(path)) == 1


async def test_a_page_that_is_blocked_itself_is_reported(site: Site, run_script: Play) -> None:
    url = site.page("<p>never seen")

    played = await run_script("block_requests", url, f"{url}*")

    assert played.status == 1
    assert played.complaint.strip() == f"{url} was not loaded: net::ERR_BLOCKED_BY_CLIENT"


# ---- log_bodies


async def test_bodies_are_saved_byte_for_byte(site: Site, run_script: Play, tmp_path: Path) -> None:
    html = (
        "<img src='/a%2F..%2Fpicture.png?token=hush'><link rel=stylesheet href=/old.css>"
        "<script src=/worker.js></script><script>new Worker('/worker.js')</script>"
        "<script>fetch('/empty', {method: 'POST', body: 'x'})</script>"
    )
    text = "café ÿþ".encode("latin-1")
    site.respond("/a/../picture.png", PICTURE, content_type="image/png")
    site.respond("/new.css", b"\xef\xbb\xbf/* a mark of the byte order */", content_type="text/css")
    site.respond("/old.css", status=302, headers={"Location": "/new.css"})
    site.respond("/worker.js", "self.x = fetch('/text')", content_type="text/javascript")
    site.respond("/text", text, content_type="text/plain; charset=latin-1")
    site.respond("/empty")
    site.respond("/inner.png", PICTURE[::-1], content_type="image/png")
    inner = on_other_site(site.page("<img src=/inner.png>", path="/inner"))
    url = site.page(f"{html}<iframe src={inner}></iframe>", path="/start")

    played = await run_script("log_bodies", url, "bodies")

    assert played.status == 0, played.complaint
    bodies = {file.name[5:]: file.read_bytes() for file in (tmp_path / "bodies").iterdir()}
    here = "127.0.0.1_" + site.url("/").split(":")[2].strip("/")
    there = on_other_site(here)
    bodies.pop(f"{here}_favicon.ico", None)  # requested when there is time for it
    assert bodies.pop(f"{here}_start").decode().startswith(html)
    assert bodies == {
        f"{here}_a_2F.._2Fpicture.png": PICTURE,
        f"{here}_new.css": b"\xef\xbb\xbf/* a mark of the byte order */",
        f"{here}_worker.js": b"self.x = fetch('/text')",
        f"{here}_text": text,
        f"{here}_empty": b"",
        f"{there}_inner": b"<img src=/inner.png>",
        f"{there}_inner.png": PICTURE[::-1],
    }
    assert f"302 {site.url('/old.css')} - no body, /new.css" in played.lines


async def test_missing_bodies_are_reported(site: Site, run_script: Play, tmp_path: Path) -> None:
    site.handle("/cut", lambda _: Response(iter([b"x"]), headers={"Content-Length": "100"}))
    site.respond("/stream", "data: 1\n\n", content_type="text/event-stream")
    port = site.url("/").rpartition(":")[2].strip("/")
    refused = f"http://127.0.0.1:{1024 if port != '1024' else 1025}/"
    script = f"fetch('{refused}').catch(() => new EventSource('/stream'))"
    url = site.page(f"<img src=/cut><script>{script}</script>")

    played = await run_script("log_bodies", url, tmp_path / "bodies")

    assert played.status == 0, played.complaint
    [cut] = [line for line in played.lines if line.startswith(f"200 {site.url('/cut')}")]
    assert " - the body is gone, it broke off after " in cut  # its body may be saved or not
    assert f"200 {site.url('/stream')} - no body, a stream without an end" in played.lines
    assert f"--- {refused} - no body, ConnectionRefused" in played.lines
    assert not [*(tmp_path / "bodies").glob("*cut*"), *(tmp_path / "bodies").glob("*stream*")]


async def test_bodies_of_responses_with_wrong_or_few_headers_are_saved(
    site: Site, run_script: Play, tmp_path: Path
) -> None:
    site.handle("/odd", lambda _: Response(b"odd", headers={"Content-Length": "5abc"}))
    site.respond("/head", "not sent")
    script = "fetch('/odd').catch(String).then(() => fetch('/head', {method: 'HEAD'}))"
    url = site.page(f"<script>{script}</script>")

    played = await run_script("log_bodies", url, "bodies")

    assert played.status == 0, played.complaint
    assert "Traceback" not in played.complaint
    assert any(line.startswith(f"200 {site.url('/odd')} - ") for line in played.lines) or any(
        line.startswith(f"--- {site.url('/odd')} - ") for line in played.lines
    )
    assert f"200 {site.url('/head')} - no body, unsent" in played.lines


async def test_a_directory_that_cannot_be_made_is_reported(
    site: Site, run_script: Play, tmp_path: Path
) -> None:
    (tmp_path / "taken").write_text("a file")

    played = await run_script("log_bodies", site.page("<p>"), tmp_path / "taken")

    assert played.status == 1
    assert "taken" in played.complaint
    assert "Traceback" not in played.complaint


# ---- watch_dom


async def read_lines_until(process: Process, last: str) -> list[str]:
    """Read the output of `watch_dom`, without the times, until a line has this text."""
    assert process.stdout is not None
    lines: list[str] = []
    while not lines or last not in lines[-1]:
        line = (await process.stdout.readline()).decode()
        assert line, f"it ended after {lines}"
        lines.append(line.split(maxsplit=1)[1].strip())
    return lines


async def test_changes_are_printed_as_they_come_and_after_a_navigation_and_in_frames(
    site: Site, shared_chromium: Chromium, tmp_path: Path
) -> None:
    inner = site.page(
        "<ul class=list></ul><script>setTimeout(() => document.querySelector('ul')"
        ".append('of a frame'), 50)</script>",
        path="/inner",
    )
    second = site.page(f"<p>two<iframe src={on_other_site(inner)}></iframe>", path="/second")
    first = site.page(
        "<ul class=list><li>one</ul><p id=other></p><script>setTimeout(() => {"
        "const list = document.querySelector('ul');"
        "list.firstChild.firstChild.data = 'uno'; other.title = 'unseen'; other.append('unseen');"
        "list.title = 'seen'; setTimeout(() => list.firstChild.remove(), 10);"
        f"setTimeout(() => {{ location.href = '{second}'; }}, 100); }}, 100)</script>",
        path="/first",
    )

    arguments = (first, ".list", "--endpoint", shared_chromium.url)
    async with run_example("watch_dom", *arguments, directory=tmp_path) as process:
        lines = await read_lines_until(process, "of a frame")

    assert lines[0] == f"now at {first}"
    begun = lines.index('<li> text: "one" -> "uno"')
    title = '<ul class="list" title="seen">'
    assert lines[begun + 1 : begun + 4] == [
        f'{title} title: null -> "seen"',
        f"{title} - <li>",
        f"now at {second}",
    ]
    assert lines[-1] == '<ul class="list"> + "of a frame"'
    assert not [line for line in lines if "unseen" in line]


async def test_an_interrupt_ends_it_cleanly_and_closes_its_page(
    site: Site, shared_chromium: Chromium, browser: Browser, tmp_path: Path
) -> None:
    url = site.page("<p id=kept>")

    async with run_example(
        "watch_dom", url, "p", "--endpoint", shared_chromium.url, directory=tmp_path
    ) as one:
        await read_lines_until(one, url)
        while url not in await open_urls(browser):
            pass  # the list of targets lags behind the navigation
        one.send_signal(signal.SIGINT)
        _, complaint = await one.communicate()

    assert one.returncode == 130
    assert not complaint
    while url in await open_urls(browser):
        pass  # the browser closes it when it has noticed the end of the connection


async def open_urls(browser: Browser) -> set[str]:
    return {info["url"] for info in (await browser.Target.getTargets())["targetInfos"]}


async def test_an_invalid_selector_is_reported(site: Site, run_script: Play) -> None:
    played = await run_script("watch_dom", site.page("<p>"), "..")

    assert played.status == 1
    assert played.complaint.strip() == ".. is no selector."


# ---- heap_snapshot


async def test_the_class_of_a_hundred_thousand_objects_is_the_largest_constructor(
    site: Site, run_script: Play, tmp_path: Path
) -> None:
    url = site.page(
        "<script>class Vessel { constructor(n) { this.a = n; this.b = n; this.c = n; } }"
        "window.kept = Array.from({length: 100000}, (_, n) => new Vessel(n))</script>"
    )

    played = await run_script("heap_snapshot", url, "--seconds", 0, "--save", "of.heapsnapshot")

    assert played.status == 0, played.complaint
    assert len(played.lines) == 11
    size, count, name = played.lines[1].split()
    assert (name, count) == ("Vessel", "100,000")
    assert int(size.replace(",", "")) >= 100_000 * 3 * 4
    sizes = [int(line.split()[0].replace(",", "")) for line in played.lines[1:]]
    assert sizes == sorted(sizes, reverse=True)
    assert (tmp_path / "of.heapsnapshot").read_text().startswith('{"snapshot":')


# ---- all of them


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe breaks otherwise there")
async def test_it_exits_cleanly_when_its_reader_closes_the_pipe(
    site: Site, shared_chromium: Chromium, tmp_path: Path
) -> None:
    url = site.page("<script>setInterval(() => fetch('/more'), 50)</script>")
    where = ("--endpoint", shared_chromium.url, "--seconds", "20")

    async with run_example("block_requests", url, "*/more", *where, directory=tmp_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        await process.stdout.readline()
        process.stdout._transport.close()  # type: ignore[attr-defined]  # there is no other way
        complaint = await process.stderr.read()
        assert (await process.wait(), complaint.decode()) == (0, "")


@pytest.mark.parametrize("script", ALL)
async def test_an_endpoint_without_a_browser_is_reported_in_one_sentence(
    script: str, run_script: Play, unused_tcp_port: int
) -> None:
    endpoint = f"127.0.0.1:{unused_tcp_port}"

    played = await run_script(
        script, "http://127.0.0.1/", *FURTHER.get(script, []), endpoint=endpoint
    )

    assert played.status == 1
    assert played.complaint.startswith(f"Cannot connect to a browser at {endpoint}")
    assert "Traceback" not in played.complaint


@pytest.mark.parametrize("script", ALL)
async def test_each_explains_itself_and_fits_on_a_page(script: str, run_script: Play) -> None:
    played = await run_script(script, "--help", endpoint=None)

    assert played.status == 0
    assert f"python scripts/examples/{script}.py" in " ".join(played.lines)
    assert len((ROOT / "scripts" / "examples" / f"{script}.py").read_text().splitlines()) < 60


async def test_without_an_endpoint_a_browser_is_launched_and_ended(
    site: Site, run_script: Play, chromium: str
) -> None:
    url = site.page("<img src=/ad.png>")

    played = await run_script("block_requests", url, "*.png", endpoint=None, CHROMIUM_PATH=chromium)

    assert played.status == 0, played.complaint
    assert played.lines == [f"blocked Image      {site.url('/ad.png')}"]


async def test_without_a_browser_to_launch_the_searched_names_are_reported(
    run_script: Play,
) -> None:
    played = await run_script(
        "heap_snapshot", "about:blank", endpoint=None, CHROMIUM_PATH="/no/browser"
    )

    assert played.status == 1
    assert "/no/browser" in played.complaint
    assert "Traceback" not in played.complaint

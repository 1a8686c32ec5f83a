"""Contexts with different emulation, in a server without any."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from tests.e2e.browsing.test_emulation import (
    PLACE,
    SCREEN,
    TELL,
    WORKER,
    WORKERS,
    first_tells,
    go,
    value,
)
from tests.e2e.conftest import Show, StartServer
from tests.e2e.support.certificates import make_certificate
from tests.e2e.support.client import ServerClient, StdioClient
from tests.site import Site

Make = Callable[..., Awaitable[None]]

TRIED = "fetch('/tried').then(r => r.status, e => e.message)"


@pytest.fixture(scope="module")
def shared_server(shared_spawned: StdioClient) -> StdioClient:
    """Return a server that launches its own browser, which knows the workers of all contexts."""
    return shared_spawned


@pytest.fixture
async def make_context(shared_server: ServerClient) -> AsyncIterator[Make]:
    made: list[str] = []

    async def make(name: str, **emulate: object) -> None:
        reply = await shared_server.call("browser_context_create", name=name, emulate=emulate)
        assert not reply.is_error, reply.text
        made.append(name)

    yield make
    for name in made:
        await shared_server.call("browser_context_close", name=name)


async def test_without_options_nothing_is_emulated(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    await go(shared_server, first_tells(site, "/plain"))
    answer = await value(shared_server, "first")
    assert "Linux" in answer["agent"] or "Mac" in answer["agent"] or "Windows" in answer["agent"]
    assert "HeadlessChrome/" in answer["agent"]
    assert answer["mobile"] is False
    seen = await value(shared_server, SCREEN)
    assert (seen["scale"], seen["width"], seen["points"]) == (1, 1280, 0)
    assert not seen["touch"]
    assert not seen["dark"]
    states = "['geolocation', 'notifications'].map(name => navigator.permissions.query({ name }))"
    got = await value(shared_server, f"Promise.all({states}).then(all => all.map(s => s.state))")
    assert "granted" not in got


async def test_two_contexts_emulate_different_things_at_once(
    shared_server: ServerClient, make_context: Make, site: Site
) -> None:
    await make_context("paris", device="iPhone 15", locale="fr_FR", timezone="europe/paris")
    await make_context("tokyo", viewport="1000x500", locale="ja", timezone="Asia/Tokyo")
    url = first_tells(site, "/abroad")

    async def seen(context: str) -> dict[str, object]:
        reply = await shared_server.call("browser_navigate", url=url, context=context)
        assert not reply.is_error, reply.text
        script = f"({{ ...tell(), ...{SCREEN} }})"
        answer: dict[str, object] = await value(shared_server, script, context=context)
        return answer

    paris, tokyo = await asyncio.gather(seen("paris"), seen("tokyo"))
    assert "iPhone" in str(paris["agent"])
    assert paris["platform"] == "iPhone"
    assert paris["brands"] == []  # Safari has no client hints
    assert (paris["languages"], paris["zone"], paris["offset"]) == (
        ["fr-FR", "fr"],
        "Europe/Paris",
        -120,
    )
    assert (paris["number"], paris["scale"]) == ("1\u202f234,5", 3)
    assert "Chrome/" in str(tokyo["agent"])
    assert (tokyo["languages"], tokyo["zone"], tokyo["width"]) == (["ja"], "Asia/Tokyo", 1000)
    assert (tokyo["scale"], tokyo["points"]) == (1, 0)
    heard = [each.headers["Accept-Language"] for each in site.requests("/abroad")]
    assert sorted(heard) == ["fr-FR,fr;q=0.9", "ja"]
    safari = next(e for e in site.requests("/abroad") if "iPhone" in e.headers["User-Agent"])
    assert "Sec-CH-UA" not in safari.headers


@pytest.mark.prove
@pytest.mark.parametrize("kind", ["SharedWorker", "ServiceWorker"])
async def test_workers_of_a_context_without_emulation_run_beside_one_with_emulation(
    shared_server: ServerClient, make_context: Make, site: Site, kind: str
) -> None:
    site.respond("/worker.js", WORKER, content_type="text/javascript")
    site.respond("/by-worker")
    await make_context("french", locale="fr-FR")
    ask = f"new Promise(r => {{ {WORKERS[kind]} }})"

    async def languages(context: str) -> object:
        await shared_server.call("browser_navigate", url=site.page(""), context=context)
        return (await value(shared_server, ask, context=context))["languages"]

    assert await languages("french") == ["fr-FR", "fr"]
    assert "fr-FR" not in str(await languages("default"))


async def test_a_user_agent_of_ones_own_has_hints_that_agree_with_it(
    shared_server: ServerClient, make_context: Make, site: Site
) -> None:
    agent = (
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
        "Chrome/120.0.0.0 Safari/537.36 Edg/120.0.0.0"
    )
    await make_context("edge", userAgent=agent)
    await go(shared_server, site.page("", path="/as-edge"))
    hints = await value(
        shared_server,
        "navigator.userAgentData.getHighEntropyValues(['platformVersion', 'fullVersionList'])",
    )
    assert (hints["platform"], hints["platformVersion"], hints["mobile"]) == (
        "Windows",
        "10.0",
        False,
    )
    assert {"brand": "Microsoft Edge", "version": "120.0.0.0"} in hints["fullVersionList"]
    headers = site.requests("/as-edge")[0].headers
    assert headers["User-Agent"] == agent
    assert '"Microsoft Edge";v="120"' in headers["Sec-CH-UA"]
    assert await value(shared_server, "[navigator.platform]") == ["Win32"]


async def test_permissions_and_places_stay_in_their_context(
    shared_server: ServerClient, make_context: Make, site: Site
) -> None:
    await make_context(
        "here", geolocation="-33.9, 18.4, 5", permissions=["clipboard-read", "midi-sysex"]
    )
    await go(shared_server, site.page(""))
    assert await value(shared_server, PLACE) == [-33.9, 18.4, 5]
    states = (
        "Promise.all([{ name: 'clipboard-read' }, { name: 'midi', sysex: true }, "
        "{ name: 'geolocation' }].map(each => navigator.permissions.query(each)))"
        ".then(all => all.map(each => each.state))"
    )
    assert await value(shared_server, states) == ["granted"] * 3
    await shared_server.call("browser_navigate", url=site.page(""), context="default")
    assert "granted" not in await value(shared_server, states, context="default")


async def test_pages_frames_and_workers_of_an_offline_context_reach_no_server(
    shared_server: ServerClient, make_context: Make, site: Site
) -> None:
    site.respond("/tried")
    await make_context("offline", offline=True)
    reply = await shared_server.call("browser_navigate", url=site.page(""))
    assert reply.is_error
    assert "ERR_INTERNET_DISCONNECTED" in reply.text
    # Cached content is available without a network.
    await go(shared_server, "data:text/html,<h1>Here</h1>")
    assert await value(shared_server, "[navigator.onLine]") == [False]
    tried = f"fetch('{site.url('/tried')}', {{ mode: 'no-cors' }}).then(() => 1, () => 0)"
    assert await value(shared_server, tried) == 0
    source = f"onmessage = () => {tried}.then(postMessage)"
    worker = (
        f"const w = new Worker(URL.createObjectURL(new Blob([{source!r}])));"
        "w.onmessage = e => r(e.data); w.postMessage(0)"
    )
    assert await value(shared_server, f"new Promise(r => {{ {worker} }})") == 0
    assert site.requests("/tried") == []
    other = await shared_server.call("browser_navigate", url=site.page(""), context="default")
    assert not other.is_error


async def test_media_are_emulated_until_they_are_reset(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<style>@media print { p { display: none } }</style><p>On screen</p>")
    printed = await shared_server.call(
        "browser_emulate_media", media="print", contrast="more", forcedColors="active"
    )
    assert "On screen" not in printed.sections["Snapshot"]
    queries = "['print', '(prefers-contrast: more)', '(forced-colors: active)']"
    matched = f"{queries}.map(each => matchMedia(each).matches)"
    assert await value(shared_server, matched) == [True, True, True]
    await shared_server.call("browser_emulate_media", contrast=None)
    assert await value(shared_server, matched) == [True, False, True]
    await shared_server.call("browser_emulate_media", media=None, forcedColors=None)
    assert await value(shared_server, matched) == [False, False, False]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "Give at least one media feature"),
        (
            {"media": "tv"},
            "'media' of browser_emulate_media must be one of print, screen, not 'tv'.",
        ),
        ({"colorScheme": 5}, "'colorScheme'"),
    ],
)
async def test_media_that_cannot_be_emulated_are_refused(
    shared_server: ServerClient, show: Show, arguments: dict[str, Any], words: str
) -> None:
    await show("<p>Hello</p>")
    reply = await shared_server.call("browser_emulate_media", **arguments)
    assert reply.is_error
    assert words in reply.text


@pytest.mark.parametrize(
    ("emulate", "words"),
    [
        ({"device": "iphone 51"}, 'Unknown device "iphone 51". Similar names: iPhone 1'),
        ({"viewport": "wide"}, '"wide" is not a size. Write it like 1280x720.'),
        ({"timezone": "Europe/Berlen"}, "Similar names: Europe/Berlin"),
        ({"locale": ""}, '"" is not a locale'),
        ({"locale": "German!"}, "is not a locale. Write it like de-DE."),
        ({"geolocation": "here"}, "is not a position. Write LATITUDE,LONGITUDE"),
        ({"permissions": ["everything"]}, 'Unknown permission "everything". Use acc'),
        ({"colorScheme": "blue"}, "must be one of"),
        (
            {"speed": 5},
            "Unknown argument 'speed'. 'emulate' of browser_context_create takes: dev",
        ),
    ],
)
async def test_an_emulation_that_is_not_possible_creates_no_context(
    shared_server: ServerClient, emulate: dict[str, object], words: str
) -> None:
    reply = await shared_server.call("browser_context_create", name="none", emulate=emulate)
    assert reply.is_error
    assert words in reply.text
    assert '"none"' not in (await shared_server.call("browser_context_list")).text


@pytest.fixture(scope="module")
def secure_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HTTPServer]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(make_certificate(tmp_path_factory.mktemp("tls") / "site.pem"))
    with HTTPServer(host="127.0.0.1", ssl_context=context) as server:
        yield server


@pytest.fixture
def secure_site(secure_server: HTTPServer) -> Iterator[Site]:
    """Return a site whose certificate is not trusted."""
    yield Site(secure_server)
    secure_server.clear()


@pytest.fixture(scope="module")
async def trusting(
    open_server: StartServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[StdioClient]:
    cwd = tmp_path_factory.mktemp("trusting")
    async with open_server("--ignore-https-errors", cwd=cwd) as client:
        await client.initialize()
        yield client


async def test_an_untrusted_certificate_is_an_error_unless_ignored(
    shared_server: ServerClient, trusting: StdioClient, secure_site: Site
) -> None:
    url = secure_site.page("<h1>Secret</h1>")
    reply = await shared_server.call("browser_navigate", url=url)
    assert reply.is_error
    assert "ERR_CERT_AUTHORITY_INVALID" in reply.text
    assert 'heading "Secret"' in (await go(trusting, url)).text


@pytest.mark.prove
async def test_certificates_are_ignored_in_frames_workers_and_other_contexts(
    trusting: StdioClient, secure_site: Site
) -> None:
    secure_site.respond(
        "/worker.js", f"const tell = () => 1;{WORKER[len(TELL) :]}", content_type="text/javascript"
    )
    secure_site.respond("/by-worker")
    secure_site.respond("/tried")
    inner = secure_site.page(f"<script>{TRIED}.then(s => parent.postMessage(s, '*'))</script>")
    inner = inner.replace("127.0.0.1", "localhost")
    made = await trusting.call("browser_context_create", name="other")
    assert not made.is_error
    await go(trusting, secure_site.page("<h1>Top</h1>"))
    frame = "const f = document.createElement('iframe'); onmessage = e => r(e.data);"
    script = f"new Promise(r => {{ {frame} f.src = '{inner}'; document.body.append(f) }})"
    assert await value(trusting, script) == 200
    for worker in WORKERS.values():
        if "nested" not in worker:
            assert await value(trusting, f"new Promise(r => {{ {worker} }})") == 1
    await trusting.call("browser_context_close", name="other")


async def test_service_workers_that_are_blocked_cannot_be_registered(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    site.respond("/blocked.js", "", content_type="text/javascript")
    tried = (
        "ServiceWorkerContainer.prototype.register.call(navigator.serviceWorker, '/blocked.js')"
        ".then(() => 'registered', e => e.name)"
    )
    inner = site.page(f"<script>{tried}.then(s => parent.postMessage(s, '*'))</script>")
    inner = inner.replace("127.0.0.1", "localhost")
    async with open_server("--block-service-workers", cwd=tmp_path) as client:
        await client.initialize()
        await go(
            client,
            site.page(
                f"<script>told = new Promise(r => onmessage = e => r(e.data))"
                f"</script><iframe src={inner}></iframe>"
            ),
        )
        assert await value(client, f"{tried}.then(s => [s])") == ["SecurityError"]
        assert await value(client, "told.then(s => [s])") == ["SecurityError"]
    assert site.requests("/blocked.js") == []

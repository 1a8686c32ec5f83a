"""Pages, frames, workers and servers see the device that the whole server emulates."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.e2e.conftest import StartServer
from tests.e2e.support.client import Reply, ServerClient, StdioClient
from tests.site import Site

TELL = """
const tell = () => ({
  agent: navigator.userAgent,
  languages: navigator.languages,
  mobile: navigator.userAgentData.mobile,
  brands: navigator.userAgentData.brands.map(each => each.brand + " " + each.version),
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  offset: new Date(2026, 6, 1).getTimezoneOffset(),
  number: (1234.5).toLocaleString(),
});
"""
SCREEN = """({
  scale: devicePixelRatio, width: innerWidth, screen: [screen.width, screen.height],
  turned: screen.orientation.type,
  points: navigator.maxTouchPoints, touch: "ontouchstart" in window,
  coarse: matchMedia("(pointer: coarse)").matches, hover: matchMedia("(hover: hover)").matches,
  dark: matchMedia("(prefers-color-scheme: dark)").matches, platform: navigator.platform,
})"""
FITTED = "<meta name=viewport content='width=device-width'>"
PLACE = (
    "new Promise(r => navigator.geolocation.getCurrentPosition("
    "p => r([p.coords.latitude, p.coords.longitude, p.coords.accuracy]), e => r(e.message)))"
)
WORKERS = {
    "Worker": "const w = new Worker('/worker.js'); w.onmessage = e => r(e.data)",
    "SharedWorker": "const w = new SharedWorker('/worker.js'); w.port.onmessage = e => r(e.data)",
    "ServiceWorker": "navigator.serviceWorker.onmessage = e => r(e.data);"
    "navigator.serviceWorker.register('/worker.js').then(async () =>"
    "  (await navigator.serviceWorker.ready).active.postMessage(0))",
    "nested Worker": "const w = new Worker('/nested.js'); w.onmessage = e => r(e.data)",
}
WORKER = (
    TELL
    + """
const first = tell();
const answer = port => fetch("/by-worker").then(() => port.postMessage(first));
if (self.SharedWorkerGlobalScope) onconnect = e => answer(e.ports[0]);
else if (self.ServiceWorkerGlobalScope) onmessage = e => answer(e.source);
else answer(self);
"""
)
NESTED = "const w = new Worker('/worker.js'); w.onmessage = e => postMessage(e.data);"


@pytest.fixture(scope="module")
async def phone(
    open_server: StartServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[StdioClient]:
    cwd = tmp_path_factory.mktemp("phone")
    headers = {"X-Key": "a=1; 2", "Authorization": "Bearer s3cret-t0ken"}
    config = {"browser": {"contextOptions": {"extraHTTPHeaders": headers}}}
    (cwd / "config.json").write_text(json.dumps(config))
    (cwd / "init.js").write_text("window.early = (window.early || 0) + 1;")
    flags = [
        *("--device", "pixel 7", "--locale", "de-DE", "--timezone", "Asia/Tokyo"),
        *("--geolocation", "52.52,13.4", "--color-scheme", "dark", "--init-script", "init.js"),
        *("--grant-permissions", "clipboard-read, notifications", "--config", "config.json"),
    ]
    async with open_server(*flags, cwd=cwd) as client:
        await client.initialize()
        yield client


async def value(server: ServerClient, script: str, **where: Any) -> Any:
    reply = await server.call("browser_evaluate", function=script, **where)
    assert not reply.is_error, reply.text
    return json.loads(reply.sections["Result"])


async def go(server: ServerClient, url: str) -> Reply:
    reply = await server.call("browser_navigate", url=url)
    assert not reply.is_error, reply.text
    return reply


def is_german_pixel(told: dict[str, Any]) -> bool:
    return (
        told["languages"] == ["de-DE", "de"]
        and told["mobile"] is True
        and "Google Chrome" in told["brands"][-1]
        and told["zone"] == "Asia/Tokyo"
        and told["offset"] == -540
        and told["number"] == "1.234,5"
    )


def first_tells(site: Site, path: str, rest: str = "") -> str:
    return site.page(f"<script>{TELL} const first = tell();</script>{rest}", path=path)


async def test_a_pages_first_script_sees_the_device(phone: StdioClient, site: Site) -> None:
    await go(phone, first_tells(site, "/first"))
    answer = await value(phone, "first")
    assert is_german_pixel(answer)
    assert answer["agent"].startswith("Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit")
    assert answer["agent"].endswith(".0.0.0 Mobile Safari/537.36")
    assert "%" not in answer["agent"]


async def test_a_page_is_laid_out_as_on_the_device(phone: StdioClient, site: Site) -> None:
    await go(phone, site.page(FITTED))
    assert await value(phone, SCREEN) == {
        "scale": 2.625,
        "width": 412,
        "screen": [412, 915],
        "turned": "portrait-primary",
        "points": 5,
        "touch": True,
        "coarse": True,
        "hover": False,
        "dark": True,
        "platform": "Linux armv8l",
    }


async def test_the_server_receives_user_agent_hints_and_language(
    phone: StdioClient, site: Site
) -> None:
    expected = "Sec-CH-UA-Model, Sec-CH-UA-Platform-Version, Sec-CH-UA-Full-Version-List"
    url = site.page("", path="/hints", headers={"Accept-CH": expected})
    await go(phone, url)
    await go(phone, url)
    headers = site.requests("/hints")[-1].headers
    assert "Pixel 7" in headers["User-Agent"]
    assert headers["Accept-Language"] == "de-DE,de;q=0.9"
    assert headers["Sec-CH-UA-Mobile"] == "?1"
    assert headers["Sec-CH-UA-Platform"] == '"Android"'
    assert headers["Sec-CH-UA-Platform-Version"] == '"13"'
    assert headers["Sec-CH-UA-Model"] == '"Pixel 7"'
    assert '"Google Chrome";v="' in headers["Sec-CH-UA"]
    full = headers["Sec-CH-UA-Full-Version-List"]
    assert '"Google Chrome";v="' in full
    assert '.0.0.0"' not in full.split("Google Chrome")[1]


async def test_requests_have_the_extra_headers_and_replies_mask_a_token(
    phone: StdioClient, site: Site
) -> None:
    await go(phone, site.page("", path="/extra"))
    headers = site.requests("/extra")[-1].headers
    assert headers["X-Key"] == "a=1; 2"
    assert headers["Authorization"] == "Bearer s3cret-t0ken"
    reply = await phone.call("browser_network_request", index=1)
    assert "a=1; 2" in reply.text
    assert "s3cret-t0ken" not in reply.text


@pytest.mark.parametrize("kind", WORKERS)
async def test_a_workers_first_script_and_requests_have_the_device(
    phone: StdioClient, site: Site, kind: str
) -> None:
    site.respond("/worker.js", WORKER, content_type="text/javascript")
    site.respond("/nested.js", NESTED, content_type="text/javascript")
    site.respond("/by-worker")
    await go(phone, site.page(""))
    assert is_german_pixel(await value(phone, f"new Promise(r => {{ {WORKERS[kind]} }})"))
    headers = site.requests("/by-worker")[-1].headers
    assert "Pixel 7" in headers["User-Agent"]
    assert headers["Accept-Language"] == "de-DE,de;q=0.9"
    await value(
        phone,
        "navigator.serviceWorker.getRegistrations().then(all => "
        "Promise.all(all.map(each => each.unregister()))).then(() => 0)",
    )


async def test_a_frame_of_another_site_sees_the_device_before_its_first_script(
    phone: StdioClient, site: Site
) -> None:
    inner = first_tells(
        site,
        "/inner",
        f"<script>const seen = {SCREEN}; const init = early;"
        f"onmessage = async () => parent.postMessage([first, seen, init, await {PLACE}], '*');"
        "</script>",
    ).replace("127.0.0.1", "localhost")
    await go(phone, site.page(f"<iframe src={inner} allow=geolocation></iframe>"))
    first, seen, init, place = await value(
        phone,
        "new Promise(r => { onmessage = e => r(e.data); frames[0].postMessage(0, '*') })",
    )
    assert is_german_pixel(first)
    assert seen["points"] == 5
    assert seen["touch"]
    assert seen["coarse"]
    assert seen["dark"]
    assert init == 1
    assert place == [52.52, 13.4, 10]


async def test_a_worker_of_such_a_frame_has_the_device_too(phone: StdioClient, site: Site) -> None:
    site.respond("/worker.js", WORKER, content_type="text/javascript")
    site.respond("/by-worker")
    inner = site.page(
        "<script>new Worker('/worker.js').onmessage = e => parent.postMessage(e.data, '*')</script>"
    ).replace("127.0.0.1", "localhost")
    await go(
        phone,
        site.page(
            f"<script>told = new Promise(r => onmessage = e => r(e.data))</script>"
            f"<iframe src={inner}></iframe>"
        ),
    )
    assert is_german_pixel(await value(phone, "told"))


async def test_a_popup_sees_the_device_before_its_first_script(
    phone: StdioClient, site: Site
) -> None:
    popup = first_tells(site, "/popup", "<script>opener.told = [first, early]</script>")
    await go(phone, site.page(""))
    hear = "Object.defineProperty(window, 'told', { set: r })"
    answer, init = await value(phone, f"new Promise(r => {{ {hear}; open('{popup}') }})")
    assert is_german_pixel(answer)
    assert init == 1
    await phone.call("browser_tabs", action="close", index=1)


@pytest.mark.parametrize("then", ["is closed", "goes to another site"])
async def test_a_popup_keeps_locale_and_time_zone_when_its_opener(
    phone: StdioClient, site: Site, then: str
) -> None:
    popup = first_tells(site, "/staying")
    await go(phone, site.page(""))
    await value(phone, f"new Promise(r => {{ open('{popup}').onload = () => r(1) }})")
    if then == "is closed":
        await phone.call("browser_tabs", action="close", index=0)
    else:
        await go(phone, site.page("Elsewhere").replace("127.0.0.1", "localhost"))
        await phone.call("browser_tabs", action="select", index=1)
    # The opener's loss also reset the emulation. The first check may run before the loss.
    later = (
        "new Promise(r => { const look = () => tell().zone === 'Asia/Tokyo' "
        "&& tell().number === '1.234,5' ? r(tell()) : setTimeout(look, 20);"
        "setTimeout(look, 300) })"
    )
    answer = await value(phone, later)
    assert is_german_pixel(answer)
    for _ in range(2):
        await phone.call("browser_close")


async def test_a_page_gets_its_location_without_a_permission_prompt(
    phone: StdioClient, site: Site
) -> None:
    await go(phone, site.page(""))
    assert await value(phone, PLACE) == [52.52, 13.4, 10]


async def test_only_the_granted_permissions_are_granted(phone: StdioClient, site: Site) -> None:
    await go(phone, site.page(""))
    names = ["geolocation", "notifications", "clipboard-read", "camera", "midi"]
    asked = f"Promise.all({names}.map(name => navigator.permissions.query({{ name }})))"
    states = await value(phone, f"{asked}.then(all => all.map(each => each.state))")
    assert states == ["granted", "granted", "granted", "prompt", "prompt"]


async def test_an_init_script_runs_once_in_each_document(phone: StdioClient, site: Site) -> None:
    await go(phone, site.page("<script>seen = early</script><iframe srcdoc=Hello></iframe>"))
    assert await value(phone, "[seen, early, frames[0].early]") == [1, 1, 1]


@pytest.mark.prove
async def test_a_resize_keeps_the_device(phone: StdioClient, site: Site) -> None:
    await go(phone, site.page(FITTED))
    await phone.call("browser_resize", width=900, height=500)
    seen = await value(phone, SCREEN)
    assert (seen["width"], seen["screen"]) == (900, [900, 500])
    assert seen["turned"] == "landscape-primary"
    assert (seen["scale"], seen["points"], seen["coarse"]) == (2.625, 5, True)
    await phone.call("browser_resize", width=412, height=915)


async def test_a_page_wider_than_the_device_is_clicked_where_it_is_drawn(
    phone: StdioClient, site: Site
) -> None:
    button = "<button style='position:absolute;left:700px;top:900px' onclick='this.textContent=1'>"
    page = await go(phone, site.page(f"<body style='height:4000px'>{button}Buy</button>"))
    reply = await phone.call("browser_click", ref=page.ref("button", "Buy"))
    assert 'button "1"' in reply.sections["Snapshot"]


@pytest.mark.prove
async def test_an_emulated_media_feature_applies_to_later_frames(
    phone: StdioClient, site: Site
) -> None:
    query = "(prefers-reduced-motion: reduce)"
    inner = site.page(
        f"<script>parent.postMessage(matchMedia('{query}').matches, '*')</script>"
    ).replace("127.0.0.1", "localhost")
    await go(phone, site.page(""))
    reply = await phone.call("browser_emulate_media", reducedMotion="reduce")
    assert reply.sections["Result"] == "Emulated: reducedMotion reduce"
    later = (
        "new Promise(r => { onmessage = e => r(e.data); const f = document.createElement('iframe');"
        f"f.src = '{inner}'; document.body.append(f) }})"
    )
    assert await value(phone, f"matchMedia('{query}').matches") is True
    assert await value(phone, later) is True
    # The context's own preference stays, and comes back.
    dark = "matchMedia('(prefers-color-scheme: dark)').matches"
    assert await value(phone, dark) is True
    await phone.call("browser_emulate_media", colorScheme="light")
    assert await value(phone, dark) is False
    await phone.call("browser_emulate_media", colorScheme=None, reducedMotion=None)
    assert await value(phone, f"[{dark}, matchMedia('{query}').matches]") == [True, False]


async def test_pages_and_their_frames_see_no_automation_flag(
    shared_server: ServerClient, site: Site
) -> None:
    url = site.page("<iframe srcdoc='<p>frame</p>'></iframe>")
    await shared_server.call("browser_navigate", url=url)
    script = "() => [window, frames[0]].map(each => each.navigator.webdriver)"
    reply = await shared_server.call("browser_evaluate", function=script)
    assert json.loads(reply.sections["Result"]) == [False, False]

"""Navigations by tool that succeed or are refused at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from werkzeug import Request, Response

from tests.e2e.conftest import OpenHere, Show
from tests.e2e.support.client import ServerClient
from tests.site import Site

HASH_PAGE = "<title>Hash</title><a href='#part'>Part</a><h2 id=part>The part</h2>"


async def test_the_reply_has_the_url_the_title_and_the_snapshot(
    shared_server: ServerClient, site: Site
) -> None:
    url = site.page("<title>Shop</title><h1>Welcome</h1>")
    reply = await shared_server.call("browser_navigate", url=url)
    assert not reply.is_error
    assert reply.sections["Result"] == f"Navigated to {url}"
    assert reply.sections["Page"] == f"- Page URL: {url}\n- Page Title: Shop"
    assert '- heading "Welcome" [level=1]' in reply.sections["Snapshot"]


@pytest.mark.parametrize("address", ["/", "/a%20b?c=d%2Fe#f", "data:text/html,<h1>Welcome</h1>"])
async def test_a_page_without_a_title_has_none_in_an_error_either(
    shared_server: ServerClient, site: Site, address: str
) -> None:
    site.page("<h1>Welcome</h1>", path="/")
    site.page("<h1>Welcome</h1>", path="/a b")
    url = site.url(address) if address.startswith("/") else address
    await shared_server.call("browser_navigate", url=url)
    reply = await shared_server.call("browser_take_screenshot", filename="/outside/of/all.png")
    assert reply.is_error
    assert "Page URL" in reply.text
    assert "Page Title" not in reply.text


async def test_a_good_status_is_not_reported(show: Show) -> None:
    reply = await show("<p>fine</p>")
    assert "HTTP status" not in reply.text


@pytest.mark.parametrize("status", [404, 500])
async def test_a_bad_status_is_reported_and_its_page_is_shown(
    shared_server: ServerClient, site: Site, status: int
) -> None:
    url = site.page("<h1>Sorry</h1>", status=status)
    reply = await shared_server.call("browser_navigate", url=url)
    assert not reply.is_error
    assert f"- HTTP status: {status}" in reply.sections["Page"]
    assert "Sorry" in reply.sections["Snapshot"]


async def test_a_status_is_forgotten_with_its_page(
    shared_server: ServerClient, site: Site, show: Show
) -> None:
    await shared_server.call("browser_navigate", url=site.page("no", status=403))
    reply = await show("<p>fine</p>")
    assert "HTTP status" not in reply.text


async def test_a_redirect_is_followed_and_its_end_is_reported(
    shared_server: ServerClient, site: Site
) -> None:
    end = site.page("<h1>The end</h1>", path="/end")
    start = site.respond("/start", status=302, headers={"Location": "/middle"})
    site.respond("/middle", status=301, headers={"Location": "/end"})
    reply = await shared_server.call("browser_navigate", url=start)
    assert reply.sections["Result"] == f"Navigated to {end}"
    assert "The end" in reply.sections["Snapshot"]


async def test_a_redirect_by_script_at_load_is_followed(
    shared_server: ServerClient, site: Site
) -> None:
    end = site.page("<h1>The end</h1>", path="/end")
    start = site.page("<script>location.replace('/end')</script>")
    reply = await shared_server.call("browser_navigate", url=start)
    assert f"- Page URL: {end}" in reply.sections["Page"]
    assert "The end" in reply.sections["Snapshot"]


async def test_a_host_and_port_get_http(shared_server: ServerClient, site: Site) -> None:
    url = site.page("<h1>Local</h1>")
    reply = await shared_server.call("browser_navigate", url=url.removeprefix("http://"))
    assert reply.sections["Result"] == f"Navigated to {url}"


async def test_a_fragment_stays_in_the_url(shared_server: ServerClient, site: Site) -> None:
    url = site.page(HASH_PAGE) + "#part"
    reply = await shared_server.call("browser_navigate", url=url)
    assert f"- Page URL: {url}" in reply.sections["Page"]


async def test_a_navigation_within_the_page_keeps_its_document(
    shared_server: ServerClient, site: Site
) -> None:
    url = site.page(HASH_PAGE, path="/hash")
    first = await shared_server.call("browser_navigate", url=url)
    second = await shared_server.call("browser_navigate", url=url + "#part")
    assert f"- Page URL: {url}#part" in second.sections["Page"]
    after = await shared_server.call("browser_snapshot")
    assert first.ref("link", "Part") == after.ref("link", "Part")
    assert len(site.requests("/hash")) == 1


async def test_content_that_scripts_add_at_load_is_in_the_reply(show: Show) -> None:
    reply = await show("<script>onload = () => { document.body.append('added') }</script><body>")
    assert "added" in reply.sections["Snapshot"]


async def test_content_that_is_fetched_at_load_is_in_the_reply(show: Show, site: Site) -> None:
    site.respond("/data", "fetched")
    script = "fetch('/data').then(r => r.text()).then(t => document.body.append(t))"
    reply = await show(f"<body><script>onload = () => {script}</script>")
    assert "fetched" in reply.sections["Snapshot"]


async def test_console_errors_are_counted(show: Show) -> None:
    reply = await show("<script>console.warn('w'); undefinedFunction()</script>")
    assert "- Console: 1 error, 1 warning" in reply.sections["Page"]


async def test_back_returns_to_the_page_before(
    shared_server: ServerClient, site: Site, show: Show
) -> None:
    await show("<h1>First</h1>")
    await show("<h1>Second</h1>")
    reply = await shared_server.call("browser_navigate_back")
    assert reply.sections["Result"].startswith("Went back to http://127.0.0.1")
    assert "First" in reply.sections["Snapshot"]


async def test_back_after_a_hash_link_returns_to_the_top(
    shared_server: ServerClient, site: Site
) -> None:
    url = site.page(HASH_PAGE)
    page = await shared_server.call("browser_navigate", url=url)
    clicked = await shared_server.call("browser_click", ref=page.ref("link", "Part"))
    assert f"- Page URL: {url}#part" in clicked.sections["Page"]
    reply = await shared_server.call("browser_navigate_back")
    assert reply.sections["Page"].splitlines()[0] == f"- Page URL: {url}"


async def test_back_without_history_is_an_error(server: ServerClient) -> None:
    reply = await server.call("browser_navigate_back")
    assert reply.is_error
    assert "There is no page to go back to." in reply.sections["Error"]


async def test_forward_returns_to_the_page_that_was_left_by_going_back(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<h1>First</h1>")
    await show("<h1>Second</h1>")
    await shared_server.call("browser_navigate_back")
    reply = await shared_server.call("browser_navigate_forward")
    assert reply.sections["Result"].startswith("Went forward to http://127.0.0.1")
    assert "Second" in reply.sections["Snapshot"]


async def test_forward_from_the_newest_page_is_an_error(server: ServerClient) -> None:
    reply = await server.call("browser_navigate_forward")
    assert reply.is_error
    assert "There is no page to go forward to." in reply.sections["Error"]


@pytest.mark.parametrize("ignore_cache", [False, True])
async def test_a_reload_loads_the_page_again(
    shared_server: ServerClient, site: Site, ignore_cache: bool
) -> None:
    url = site.page(
        "<h1></h1><script>document.querySelector('h1').append("
        "performance.getEntriesByType('navigation')[0].type)</script>",
        path=f"/reload-{ignore_cache}",
    )
    await shared_server.call("browser_navigate", url=url)
    reply = await shared_server.call("browser_reload", ignoreCache=ignore_cache)
    assert reply.sections["Result"] == f"Reloaded {url}"
    assert 'heading "reload"' in reply.sections["Snapshot"]
    requests = site.requests(f"/reload-{ignore_cache}")
    assert len(requests) == 2
    assert (requests[1].headers.get("Cache-Control") == "no-cache") is ignore_cache


@pytest.mark.parametrize(
    "url",
    [
        "",
        "   ",
        "http://",
        "https://:80/",
        "http://a b/",
        "://x",
        "http://[::1/",
        "http://x:99999/",
    ],
)
async def test_an_invalid_url_is_refused_with_an_example(
    shared_server: ServerClient, show: Show, url: str
) -> None:
    await show("<h1>Here</h1>")
    reply = await shared_server.call("browser_navigate", url=url)
    assert reply.is_error
    assert "is not a URL" in reply.sections["Error"]
    assert "https://example.com/" in reply.sections["Error"]


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/hostname",
        "FILE:///etc/hostname",
        " file:///etc/hostname",
        "file:/etc/hostname",
        "file:etc/hostname",
        "fi\tle:///etc/hostname",
        "\x00file:///etc/hostname",
        "view-source:file:///etc/hostname",
        "view-source:FILE:///etc/hostname",
        "view-source:view-source:file:///etc/hostname",
        "filesystem:file:///etc/hostname",
        "blob:file:///etc/hostname",
    ],
)
async def test_a_file_url_is_refused_in_every_disguise(
    shared_server: ServerClient, show: Show, url: str
) -> None:
    await show("<h1>Here</h1>")
    reply = await shared_server.call("browser_navigate", url=url)
    assert reply.is_error
    now = await shared_server.call("browser_evaluate", function="location.href")
    assert now.sections["Result"].startswith(("http://127.0.0.1", "chrome-error:"))


@pytest.mark.parametrize("disguise", ["redirect", "script", "frame"])
async def test_no_page_leads_to_a_file(
    shared_server: ServerClient, site: Site, disguise: str, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.html"
    secret.write_text("<h1>TOP SECRET</h1>")
    address = secret.as_uri()
    if disguise == "redirect":
        url = site.respond("/r", status=302, headers={"Location": address})
    elif disguise == "script":
        url = site.page(f"<script>location = '{address}'</script>")
    else:
        url = site.page(f"<iframe src='{address}'></iframe>")
    await shared_server.call("browser_navigate", url=url)
    seen = await shared_server.call("browser_snapshot")
    assert "TOP SECRET" not in seen.text


async def test_the_refusal_of_a_file_url_names_the_flag_that_allows_it(
    shared_server: ServerClient,
) -> None:
    reply = await shared_server.call("browser_navigate", url="file:///etc/hostname")
    assert reply.sections["Error"] == (
        "file: URLs are not allowed. Serve the file over http, "
        "or start the server with --allow-unrestricted-file-access."
    )


async def test_a_file_is_opened_when_that_is_allowed(open_here: OpenHere, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<h1>From disk</h1>")
    async with open_here("--allow-unrestricted-file-access", cwd=tmp_path) as server:
        reply = await server.call("browser_navigate", url=(tmp_path / "page.html").as_uri())
    assert "From disk" in reply.sections["Snapshot"]


@pytest.mark.parametrize(
    "url", ["chrome://settings", "about:settings", "view-source:chrome://settings"]
)
async def test_a_page_of_the_browser_is_refused(
    shared_server: ServerClient, show: Show, url: str
) -> None:
    await show("<h1>Here</h1>")
    tabs = await shared_server.call("browser_tabs", action="list")
    for reply in (
        await shared_server.call("browser_navigate", url=url),
        await shared_server.call("browser_tabs", action="new", url=url),
    ):
        assert reply.is_error
        assert f"{url} is not allowed" in reply.sections["Error"]
        assert "--allow-unrestricted-file-access" in reply.sections["Error"]
    assert await shared_server.call("browser_tabs", action="list") == tabs


@pytest.mark.parametrize("disguise", ["redirect", "script", "window", "frame"])
async def test_no_page_leads_to_a_page_of_the_browser(
    shared_server: ServerClient, site: Site, show: Show, disguise: str
) -> None:
    await show("<h1>Here</h1>")
    address = "chrome://version"
    pages = {
        "script": f"<script>location = '{address}'</script>",
        "window": f"<script>window.open('{address}')</script>",
        "frame": f"<iframe src='{address}'></iframe>",
    }
    url = (
        site.respond("/r", status=302, headers={"Location": address})
        if disguise == "redirect"
        else site.page(pages[disguise])
    )
    await shared_server.call("browser_navigate", url=url)
    listed = await shared_server.call("browser_tabs", action="list")
    assert "](chrome:" not in listed.text
    assert "User Agent" not in (await shared_server.call("browser_snapshot")).text


async def test_a_page_of_the_browser_is_opened_when_that_is_allowed(
    open_here: OpenHere, tmp_path: Path
) -> None:
    async with open_here("--allow-unrestricted-file-access", cwd=tmp_path) as server:
        await server.call("browser_navigate", url="chrome://version")
        assert "User Agent" in (await server.call("browser_snapshot")).sections["Snapshot"]


async def test_the_error_page_of_a_failed_navigation_can_be_read_and_left(
    shared_server: ServerClient, site: Site, show: Show
) -> None:
    await show("<h1>Here</h1>")
    failed = await shared_server.call("browser_navigate", url="http://127.0.0.1:1/")
    assert failed.is_error
    assert not (await shared_server.call("browser_snapshot")).is_error
    assert (await shared_server.call("browser_reload")).is_error
    back = await shared_server.call("browser_navigate_back")
    assert "Here" in back.sections["Snapshot"]


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", " JavaScript:alert(1)", "javascript:1", "mailto:a@b.c"]
)
async def test_a_url_that_is_no_place_is_refused(
    shared_server: ServerClient, show: Show, url: str
) -> None:
    await show("<h1>Here</h1>")
    reply = await shared_server.call("browser_navigate", url=url)
    assert reply.is_error
    assert "are not allowed" in reply.sections["Error"]
    assert "Modal state" not in reply.sections


async def test_a_data_url_is_opened(shared_server: ServerClient) -> None:
    reply = await shared_server.call("browser_navigate", url="data:text/html,<h1>Data</h1>")
    assert "Data" in reply.sections["Snapshot"]


async def test_cookies_are_sent_on_the_next_visit(shared_server: ServerClient, site: Site) -> None:
    def count(request: Request) -> Response:
        visits = int(request.cookies.get("visits", "0")) + 1
        answer = Response(f"visit {visits}", mimetype="text/html")
        answer.set_cookie("visits", str(visits))
        return answer

    url = site.handle("/count", count)
    await shared_server.call("browser_navigate", url=url)
    reply = await shared_server.call("browser_navigate", url=url)
    assert "visit 2" in reply.sections["Snapshot"]

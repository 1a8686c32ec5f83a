"""--caps storage: cookies, localStorage, sessionStorage and the storage state of live contexts."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug import Request, Response

from tests.e2e.conftest import OpenHere, StartServer
from tests.e2e.contexts.storage_states import items_by_origin, ok, save
from tests.e2e.support.client import ServerClient
from tests.e2e.support.in_process import InProcessClient
from tests.e2e.support.users_browser import UserBrowser
from tests.site import Site

SECRET = "correct-horse"
SHOWS_STORAGE = """<title>Shop</title><p id=seen></p>
<script>seen.textContent = `${document.cookie} ${JSON.stringify({ ...localStorage })}`</script>"""


@pytest.fixture(scope="module")
async def shared_server(
    open_here: OpenHere, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[InProcessClient]:
    here = tmp_path_factory.mktemp("server")
    (here / ".env").write_text(f"TOKEN={SECRET}\n")
    flags = ("--caps=storage", "--secrets=.env", "--snapshot-budget=1000")
    async with open_here(*flags, cwd=here) as client:
        await client.initialize()
        yield client


@pytest.fixture
async def server(shared_server: InProcessClient) -> AsyncIterator[InProcessClient]:
    """Return the module's server in a context of this test's."""
    await ok(shared_server, "browser_context_create", name="test")
    yield shared_server
    await ok(shared_server, "browser_context_close", name="test")


@pytest.fixture
def shop(site: Site) -> str:
    """Serve a page that shows its storage, at any path below /shop."""
    return site.handle("/shop", lambda _: Response(SHOWS_STORAGE, mimetype="text/html"))


async def result(server: ServerClient, tool: str, **arguments: Any) -> str:
    return (await ok(server, f"browser_{tool}", **arguments)).sections["Result"]


async def error(server: ServerClient, tool: str, **arguments: Any) -> str:
    reply = await server.call(f"browser_{tool}", **arguments)
    assert reply.is_error, reply.text
    return reply.sections["Error"]


async def read_seen(server: ServerClient, **arguments: Any) -> str:
    return await result(server, "evaluate", function="seen.textContent", **arguments)


async def test_cookies_are_set_listed_sent_and_deleted(
    server: ServerClient, site: Site, shop: str
) -> None:
    assert await result(server, "cookie_list") == "No cookies found"
    await ok(server, "browser_navigate", url=shop)
    flags = "httpOnly: false, secure: false, sameSite: Lax"
    place = "domain: 127.0.0.1, path: /"
    set_theme = await result(server, "cookie_set", name="theme", value="dark")
    assert set_theme == f'Set cookie "theme" ({place}, {flags})'
    late = int(time.time()) + 1000
    arguments: dict[str, Any] = {"domain": ".example.com", "path": "/x", "expires": late}
    arguments |= {"httpOnly": True, "secure": True, "sameSite": "None"}
    await ok(server, "browser_cookie_set", name="id", value="7", **arguments)

    example = "id=7 (domain: .example.com, path: /x"
    assert set((await result(server, "cookie_list")).split("\n")) == {
        f"theme=dark ({place})",
        f"{example})",
    }
    assert await result(server, "cookie_list", domain="example") == f"{example})"
    assert await result(server, "cookie_list", path="/x") == f"{example})"
    assert await result(server, "cookie_list", domain="127", path="/x") == "No cookies found"
    assert await result(server, "cookie_get", name="theme") == f"theme=dark ({place}, {flags})"
    assert await result(server, "cookie_get", name="id") == (
        f"{example}, httpOnly: true, secure: true, sameSite: None)"
    )
    await ok(server, "browser_reload")
    assert dict(site.requests("/shop")[-1].cookies) == {"theme": "dark"}

    deleted = await result(server, "cookie_delete", name="theme")
    assert deleted == f'Deleted cookie "theme" ({place})'
    for tool in ("cookie_get", "cookie_delete"):
        assert await result(server, tool, name="theme") == "Cookie 'theme' not found"
    assert await result(server, "cookie_clear") == "Cleared 1 cookie"
    assert await result(server, "cookie_list") == "No cookies found"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, "The cookie needs a domain, because the active tab shows about:blank."),
        ({"domain": "http://a.test"}, '"http://a.test" is not a domain.'),
        ({"domain": "a.test:80"}, '"a.test:80" is not a domain.'),
        ({"domain": "a.test", "expires": 1}, "'expires' of browser_cookie_set has passed: 1."),
        ({"domain": "a.test", "expires": 0}, "'expires' of browser_cookie_set has passed: 0."),
        ({"domain": "a.test", "expires": 2e12}, "Divide milliseconds by 1000."),
        ({"domain": "a.test", "sameSite": "None"}, "sameSite None needs secure: true."),
        ({"domain": "a.test", "context": "none"}, 'Context "none" does not exist.'),
    ],
)
async def test_a_cookie_that_cannot_be_set_is_refused(
    server: ServerClient, arguments: dict[str, Any], expected: str
) -> None:
    assert expected in await error(server, "cookie_set", name="c", value="hush", **arguments)
    assert await result(server, "cookie_list") == "No cookies found"


async def test_an_expiry_of_minus_one_is_a_session_cookie(server: ServerClient) -> None:
    await ok(server, "browser_cookie_set", name="c", value="1", domain="a.test", expires=-1)
    (cookie,) = (await save(server))["cookies"]
    assert cookie["expires"] == -1


async def test_many_cookies_are_cut_and_counted(server: ServerClient) -> None:
    cookies = [{"name": f"c{each}", "value": "v" * 50, "domain": "a.test"} for each in range(30)]
    (server.cwd / "many.json").write_text(json.dumps({"cookies": cookies}))
    await ok(server, "browser_set_storage_state", filename="many.json")
    *shown, note = (await result(server, "cookie_list")).split("\n")
    assert note == f"Note: {30 - len(shown)} of 30 are not shown. Use domain or path to list fewer."
    assert 5 < len(shown) < 15


async def test_cookies_that_scripts_cannot_read_are_listed(
    server: ServerClient, site: Site
) -> None:
    def log_in(_: Request) -> Response:
        return Response("in", headers={"Set-Cookie": f"sid={SECRET}; HttpOnly"})

    await ok(server, "browser_navigate", url=site.handle("/in", log_in))
    listed = await result(server, "cookie_list")
    assert listed == "sid=<secret>TOKEN</secret> (domain: 127.0.0.1, path: /)"
    assert "sid=<secret>TOKEN</secret> (" in await result(server, "cookie_get", name="sid")


async def test_contexts_have_separate_cookies_and_items(server: ServerClient, shop: str) -> None:
    await ok(server, "browser_navigate", url=shop)
    await ok(server, "browser_context_create", name="other")
    await ok(server, "browser_navigate", url=shop)
    for each in ("test", "other"):
        await ok(server, "browser_cookie_set", name="who", value=each, context=each)
        await ok(server, "browser_localstorage_set", key="who", value=each, context=each)
    for each in ("test", "other"):
        assert f"who={each} (" in await result(server, "cookie_list", context=each)
        assert await result(server, "localstorage_list", context=each) == f"who={each}"
    assert await result(server, "cookie_clear", context="test") == "Cleared 1 cookie"
    cleared = await result(server, "localstorage_clear", context="test")
    assert cleared.startswith("Cleared 1 item from localStorage of ")
    assert "who=other (" in await result(server, "cookie_list")
    assert await result(server, "localstorage_get", key="who") == "who=other"
    await ok(server, "browser_context_close", name="other")


@pytest.mark.parametrize("area", ["localStorage", "sessionStorage"])
async def test_items_are_set_listed_and_deleted(
    server: ServerClient, site: Site, shop: str, area: str
) -> None:
    prefix, origin = area.lower(), site.url("").rstrip("/")
    await ok(server, "browser_navigate", url=shop)
    assert await result(server, f"{prefix}_list") == f"No {area} items found"
    for key, value in (("theme", "dark"), ("token", SECRET)):
        saved = await result(server, f"{prefix}_set", key=key, value=value)
        assert saved == f'Set "{key}" in {area} of {origin}'
    listed = (await result(server, f"{prefix}_list")).split("\n")
    assert sorted(listed) == ["theme=dark", "token=<secret>TOKEN</secret>"]
    assert await result(server, f"{prefix}_get", key="theme") == "theme=dark"
    assert await result(server, "evaluate", function=f"{area}.theme") == "dark"
    deleted = await result(server, f"{prefix}_delete", key="theme")
    assert deleted == f'Deleted "theme" from {area} of {origin}'
    for tool in ("get", "delete"):
        missing = await result(server, f"{prefix}_{tool}", key="theme")
        assert missing == f"{area} key 'theme' not found"
    assert await result(server, f"{prefix}_clear") == f"Cleared 1 item from {area} of {origin}"
    assert await result(server, f"{prefix}_list") == f"No {area} items found"


@pytest.mark.parametrize("area", ["localStorage", "sessionStorage"])
@pytest.mark.parametrize(
    ("action", "arguments"),
    [
        ("list", {}),
        ("get", {"key": "k"}),
        ("set", {"key": "k", "value": "v"}),
        ("delete", {"key": "k"}),
        ("clear", {}),
    ],
)
async def test_a_page_without_an_origin_has_no_items(
    server: ServerClient, area: str, action: str, arguments: dict[str, str]
) -> None:
    refused = await error(server, f"{area.lower()}_{action}", **arguments)
    assert refused.startswith(f"This page has no {area}.")
    assert refused.endswith("Use browser_navigate to open a page of the site.")


async def test_long_values_are_cut_in_a_list_and_saved_to_a_file_when_read(
    server: ServerClient, shop: str
) -> None:
    await ok(server, "browser_navigate", url=shop)
    await ok(server, "browser_localstorage_set", key="a", value="short")
    await ok(server, "browser_localstorage_set", key="b", value="x" * 3000)
    lines = sorted((await result(server, "localstorage_list")).split("\n"))
    assert lines == ["a=short", f"b={'x' * 198}… (3,002 characters)"]
    text = await result(server, "localstorage_get", key="b")
    assert text.startswith("Cut to 1,000 of 3,002 characters; the whole: .viewpoint-mcp/page-")


async def test_a_dialog_blocks_items_and_no_cookies(server: ServerClient, shop: str) -> None:
    await ok(server, "browser_navigate", url=shop)
    await ok(server, "browser_evaluate", function="setTimeout(() => alert('wait'))")
    set_reply = await result(server, "cookie_set", name="c", value="1")
    assert "domain: 127.0.0.1" in set_reply
    assert 'its "alert" dialog' in await error(server, "localstorage_list")
    await ok(server, "browser_handle_dialog", accept=True)


async def test_a_popup_without_an_address_has_the_items_of_its_opener(
    server: ServerClient, shop: str
) -> None:
    await ok(server, "browser_navigate", url=shop)
    await ok(server, "browser_localstorage_set", key="a", value="1")
    await ok(server, "browser_evaluate", function="() => { open('about:blank') }")
    await ok(server, "browser_tabs", action="select", index=1)
    assert await result(server, "localstorage_list") == "a=1"


async def test_a_state_is_saved_to_a_private_file(server: ServerClient, shop: str) -> None:
    await ok(server, "browser_navigate", url=shop)
    await ok(server, "browser_cookie_set", name="token", value=SECRET)
    await ok(server, "browser_localstorage_set", key="a", value="1")
    text = await result(server, "storage_state")
    start = 'Saved 1 cookie and the storage of 1 origin of context "test" to ".viewpoint-mcp/'
    assert text.startswith(f"{start}storage-state-")
    path = server.cwd / text.split('"')[-2]
    assert path.stat().st_mode & 0o777 == 0o600
    named = await result(server, "storage_state", filename="named.json", context="test")
    assert named.endswith('to "named.json"')
    assert (server.cwd / "named.json").read_bytes() == path.read_bytes()
    assert SECRET in path.read_text()  # a masked value would be no login


async def test_a_state_replaces_that_of_open_pages(
    server: ServerClient, site: Site, shop: str
) -> None:
    await ok(server, "browser_navigate", url=shop)
    await ok(server, "browser_cookie_set", name="who", value="anna")
    await ok(server, "browser_localstorage_set", key="theme", value="dark")
    await ok(server, "browser_storage_state", filename="anna.json")
    await ok(server, "browser_cookie_set", name="more", value="1")
    await ok(server, "browser_localstorage_set", key="more", value="1")
    other = shop.replace("127.0.0.1", "localhost")
    await ok(server, "browser_navigate", url=other)
    await ok(server, "browser_localstorage_set", key="other", value="1")

    text = await result(server, "set_storage_state", filename="anna.json")
    assert text == (
        'Restored 1 cookie and the storage of 1 origin in context "test" from "anna.json"\n'
        "Use browser_reload to show it in open pages."
    )
    assert await result(server, "localstorage_list") == "No localStorage items found"
    await ok(server, "browser_navigate", url=shop)
    assert await read_seen(server) == 'who=anna {"theme":"dark"}'
    assert items_by_origin(await save(server)) == {site.url("").rstrip("/"): {"theme": "dark"}}


async def test_a_state_is_restored_in_the_named_context_and_the_rest_is_reported(
    server: ServerClient, shop: str
) -> None:
    await ok(server, "browser_context_create", name="other")
    origin = shop.removesuffix("/shop")
    file = {"path": "f", "type": "file", "base64": ""}
    items = [{"name": "a", "value": "1"}]
    state = {
        "cookies": [{"name": "old", "value": "1", "domain": "a.test", "expires": 1}],
        "origins": [{"origin": origin, "localStorage": items, "opfs": [file]}],
    }
    (server.cwd / "state.json").write_text(json.dumps(state))
    text = await result(server, "set_storage_state", filename="state.json", context="test")
    assert text.split("\n")[:3] == [
        'Restored 0 cookies and the storage of 1 origin in context "test" from "state.json"',
        "Skipped 1 expired cookie.",
        f"Not restored, because only Playwright supports it: opfs of {origin}",
    ]
    await ok(server, "browser_context_close", name="other")
    await ok(server, "browser_context_switch", name="test")
    await ok(server, "browser_navigate", url=shop)
    assert await result(server, "localstorage_list") == "a=1"


@pytest.mark.parametrize(
    ("filename", "expected"),
    [
        ("none.json", "none.json does not exist."),
        ("/etc/hostname", "is outside the directories that the server may read from"),
        ("refused.json", 'refuses cookies of the storage state: "c" of a.test.'),
    ],
)
async def test_a_state_that_cannot_be_restored_changes_nothing(
    server: ServerClient, filename: str, expected: str
) -> None:
    cookie = {"name": "c", "value": "hush", "domain": "a.test", "sameSite": "None"}
    (server.cwd / "refused.json").write_text(json.dumps({"cookies": [cookie]}))
    await ok(server, "browser_cookie_set", name="kept", value="1", domain="a.test")
    refused = await error(server, "set_storage_state", filename=filename)
    assert expected in refused
    assert "hush" not in refused
    assert await result(server, "cookie_list") == "kept=1 (domain: a.test, path: /)"


async def test_a_state_that_cannot_be_saved_is_refused(server: ServerClient) -> None:
    refused = await error(server, "storage_state", filename="../out.json")
    assert "is outside the directories that the server may write to" in refused


async def test_the_cookies_of_the_users_browser_are_read_and_changed(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser
) -> None:
    endpoint = f"--cdp-endpoint=127.0.0.1:{user_browser.port}"
    async with open_server(endpoint, "--caps=storage", "--log-level=debug", cwd=tmp_path) as server:
        await server.initialize()
        await ok(server, "browser_evaluate", function="document.cookie = 'mine=1'")
        assert await result(server, "cookie_list") == "mine=1 (domain: 127.0.0.1, path: /)"
        await ok(server, "browser_cookie_set", name="ours", value="hush-hush")
        await ok(server, "browser_localstorage_set", key="ours", value="hush-hush")
        assert await result(server, "evaluate", function="document.cookie") == (
            "mine=1; ours=hush-hush"
        )
        await ok(server, "browser_context_create", name="apart")
        assert await result(server, "cookie_list", context="apart") == "No cookies found"
        assert await result(server, "cookie_clear", context="default") == "Cleared 2 cookies"
    assert "hush-hush" not in server.stderr

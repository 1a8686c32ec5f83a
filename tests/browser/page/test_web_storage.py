"""localStorage and sessionStorage of a page, read and changed beside its scripts."""

from __future__ import annotations

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.config.settings import Timeouts
from viewpoint_mcp.errors import CallError, PageError
from viewpoint_mcp.page.storage.web_storage import AreaName

AREAS: tuple[AreaName, ...] = ("localStorage", "sessionStorage")


@pytest.fixture(autouse=True)
async def empty(agent: Agent, site: Site) -> None:
    await agent.go(site.page("<h1>Shop</h1>"))
    await agent.run("localStorage.clear()")


@pytest.mark.parametrize("area", AREAS)
async def test_items_are_set_read_and_removed(agent: Agent, site: Site, area: AreaName) -> None:
    storage, origin = agent.page.web_storage(area), site.url("").rstrip("/")
    assert await storage.list_items() == []
    assert await storage.get("a") is None
    assert await storage.set("a", "1\n2") == (origin, 1)
    assert await storage.set("b", "é😀") == (origin, 1)
    assert await agent.run(f"{area}.a + {area}.b") == "1\n2é😀"
    assert sorted(await storage.list_items()) == [("a", "1\n2"), ("b", "é😀")]
    assert await storage.get("a") == "1\n2"
    assert await storage.remove("a") == (origin, 1)
    assert await storage.remove("a") == (origin, 0)
    assert await storage.clear() == (origin, 1)
    assert await agent.run(f"{area}.length") == "0"


async def test_the_areas_are_separate(agent: Agent) -> None:
    local, session = map(agent.page.web_storage, AREAS)
    await local.set("a", "local")
    await session.set("a", "session")
    assert (await local.get("a"), await session.get("a")) == ("local", "session")


async def test_keys_named_like_methods_are_items_like_others(agent: Agent) -> None:
    storage = agent.page.web_storage("localStorage")
    for key in ("key", "length", "getItem", "", "__proto__"):
        await storage.set(key, "v")
    assert {key for key, _ in await storage.list_items()} == {
        *("key", "length", "getItem", "", "__proto__")
    }
    assert await storage.get("length") == "v"


async def test_replaced_methods_of_the_page_have_no_effect(agent: Agent) -> None:
    await agent.run(
        "Storage.prototype.getItem = Storage.prototype.setItem = () => 'fake';"
        "Object.defineProperty(window, 'localStorage', { value: { length: 0 } })"
    )
    storage = agent.page.web_storage("localStorage")
    await storage.set("a", "1")
    assert await storage.list_items() == [("a", "1")]


async def test_the_page_itself_gets_no_storage_event_but_its_frames_do(
    agent: Agent, site: Site
) -> None:
    listen = "<script>window.keys = []; onstorage = (event) => keys.push(event.key)</script>"
    inner = site.page(listen)
    await agent.go(site.page(f"{listen}<iframe src={inner}></iframe>"))
    await agent.page.web_storage("localStorage").set("a", "1")
    seen = "new Promise((done) => (function look() { frames[0].keys.length ? "
    seen += "done(`${keys} ${frames[0].keys}`) : setTimeout(look) })())"
    assert await agent.run(seen) == " a"


async def test_the_storage_is_that_of_the_main_frame(agent: Agent, site: Site) -> None:
    url = site.page("<script>localStorage.a = 'frame'</script>").replace("127.0.0.1", "localhost")
    await agent.go(site.page(f"<iframe src={url}></iframe>"))
    storage = agent.page.web_storage("localStorage")
    assert await storage.list_items() == []
    assert (await storage.set("a", "main")).origin == site.url("").rstrip("/")


async def test_a_lone_surrogate_is_shown_as_a_replacement_character(agent: Agent) -> None:
    await agent.run("localStorage.a = 'x\\ud800y'")
    assert await agent.page.web_storage("localStorage").get("a") == "x\N{REPLACEMENT CHARACTER}y"


async def test_a_value_over_the_quota_is_refused_and_the_former_one_stays(agent: Agent) -> None:
    storage = agent.page.web_storage("localStorage")
    await storage.set("a", "1")
    with pytest.raises(CallError, match='value of "a" does not fit into localStorage'):
        await storage.set("a", "x" * 6_000_000)
    assert await storage.get("a") == "1"


@pytest.mark.parametrize("area", AREAS)
@pytest.mark.parametrize("kind", ["blank", "data", "sandboxed"])
async def test_a_page_without_storage_is_named(
    agent: Agent, site: Site, kind: str, area: AreaName
) -> None:
    sandboxed = site.page("", headers={"Content-Security-Policy": "sandbox allow-scripts"})
    url = {"blank": "about:blank", "data": "data:text/html,x", "sandboxed": sandboxed}[kind]
    await agent.go(url)
    with pytest.raises(PageError) as caught:
        await agent.page.web_storage(area).set("a", "1")
    assert f"This page has no {area}. Only a page of a site has one" in str(caught.value)
    assert caught.value.hint == "Use browser_navigate to open a page of the site."


async def test_a_page_that_hangs_does_not_block_the_call(open_page: OpenPage, site: Site) -> None:
    agent = Agent(await open_page(Timeouts(action=0.3, navigation=10.0)))
    await agent.go(site.page("<h1>Shop</h1>"))
    await agent.run(
        "setTimeout(() => { const end = Date.now() + 3000; while (Date.now() < end); })"
    )
    with pytest.raises(PageError, match=r"did not answer within 0\.3 s"):
        await agent.page.web_storage("localStorage").list_items()

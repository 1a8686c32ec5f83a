"""The press lands on the intended element or nowhere: the page may change until the last moment."""

from __future__ import annotations

from contextlib import suppress

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.config.settings import Timeouts
from viewpoint_mcp.errors import ElementCoveredError, ElementDisabledError, PageError, StaleRefError

NOTE = "onclick=\"document.title += this.id + ' '\""
BUTTON = "style='position: absolute; left: 100px; top: 100px; width: 90px; height: 40px'"
COVER = "position: fixed; inset: 0; background: tan"
# A page that changes when the mouse comes near, which is before the press.
ON_MOVE = "addEventListener('mousemove', () => {{ {} }}, {{ once: true }})"
PRESSES = (
    "<script>got = []; for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click'])"
    "document.addEventListener(type, event => got.push(type + event.target.id), true)</script>"
)


def page(html: str, on_move: str) -> str:
    return f"{PRESSES}{html}<script>{ON_MOVE.format(on_move)}</script>"


async def test_an_overlay_that_the_moving_mouse_opens_gets_no_press_and_is_named(
    agent: Agent,
) -> None:
    cover = f"<div id=cover role=dialog aria-label=Offer hidden style='{COVER}' {NOTE}></div>"
    await agent.open(page(f"<button id=go {NOTE}>Go</button>{cover}", "cover.hidden = false"))
    with pytest.raises(
        ElementCoveredError, match=r'button "Go" is covered by dialog "Offer" \[ref=e\d+\]'
    ):
        await agent.click("button")
    assert await agent.run("got.join()") == ""


async def test_a_button_that_is_moved_by_a_late_banner_is_clicked_where_it_is_then(
    agent: Agent,
) -> None:
    html = f"<div id=banner hidden style='height: 90px'></div><button id=go {NOTE}>Go</button>"
    html += f"<br><button id=wrong {NOTE}>Wrong</button>"
    await agent.open(page(html, "banner.hidden = false"))
    await agent.click('button "Go"')
    assert await agent.run("document.title.trim()") == "go"


async def test_an_element_that_replaces_the_button_is_not_clicked_instead(agent: Agent) -> None:
    html = (
        f"<button id=wrong {NOTE} {BUTTON}>Wrong</button><button id=go {NOTE} {BUTTON}>Go</button>"
    )
    await agent.open(page(html, "go.style.left = '400px'"))
    await agent.click('button "Go"')
    assert await agent.run("document.title.trim()") == "go"


async def test_a_button_that_is_removed_before_the_press_is_stale(agent: Agent) -> None:
    html = (
        f"<button id=wrong {NOTE} {BUTTON}>Wrong</button><button id=go {NOTE} {BUTTON}>Go</button>"
    )
    await agent.open(page(html, "go.remove()"))
    with pytest.raises(StaleRefError, match=r'no longer on the page.*\nWas: button "Go"'):
        await agent.click('button "Go"')
    assert await agent.run("got.join()") == ""


async def test_a_replaced_button_with_the_same_markup_is_stale(agent: Agent) -> None:
    html = f"<div id=root><button id=go {NOTE}>Go</button></div>"
    await agent.open(page(html, "root.innerHTML = root.innerHTML"))
    with pytest.raises(StaleRefError, match="no longer on the page"):
        await agent.click('button "Go"')
    assert await agent.run("got.join()") == ""


async def test_a_row_that_shows_another_record_before_the_press_is_stale(agent: Agent) -> None:
    html = f"<button id=go {NOTE}>Delete Alice</button>"
    await agent.open(page(html, "go.textContent = 'Remove Bob'"))
    with pytest.raises(StaleRefError, match='Now: button "Remove Bob"'):
        await agent.click("button")
    assert await agent.run("got.join()") == ""


async def test_a_button_whose_name_grows_under_the_mouse_is_clicked(agent: Agent) -> None:
    await agent.open(page(f"<button id=go {NOTE}>Buy</button>", "go.textContent = 'Buy now'"))
    await agent.click("button")
    assert await agent.run("document.title.trim()") == "go"


async def test_a_button_whose_name_changes_all_the_time_is_clicked(agent: Agent) -> None:
    await agent.open(
        f"<button id=go {NOTE}>Stop 0</button><script>count = 0;"
        "(function tick() { go.textContent = `Stop ${count++}`; setTimeout(tick) })()</script>"
    )
    await agent.click("button")
    assert await agent.run("document.title.trim()") == "go"


async def test_a_button_that_always_evades_the_mouse_is_not_clicked(
    agent: Agent,
) -> None:
    await agent.open(
        f"{PRESSES}<main style='height: 500px' {NOTE}><button id=go {NOTE} {BUTTON}>Go</button>"
        "</main><script>onmousemove = event => {"
        "  go.style.left = `${(event.clientX + 200) % 500}px` }</script>"
    )
    with pytest.raises(ElementCoveredError, match=r"was not clicked: main .* covered it"):
        await agent.click("button")
    assert await agent.run("got.join()") == ""


async def test_a_button_that_disappears_at_the_press_was_clicked(agent: Agent) -> None:
    await agent.open("<button id=go onmousedown='document.title = 1; this.remove()'>Go</button>")
    await agent.click("button")
    assert await agent.run("document.title") == "1"


async def test_an_overlay_that_the_press_opens_does_not_undo_it(agent: Agent) -> None:
    await agent.open(
        f"<button onpointerdown='cover.hidden = false; document.title = 1'>Go</button>"
        f"<div id=cover hidden style='{COVER}'></div>"
    )
    await agent.click("button")
    assert await agent.run("document.title") == "1"


async def test_a_second_click_of_a_double_click_may_meet_something_else(agent: Agent) -> None:
    await agent.open(
        f"<button id=a {NOTE} {BUTTON}>Go</button><script>a.onclick = () => a.remove()</script>"
    )
    await agent.click("button", count=2)
    assert "Go" not in await agent.snapshot()


async def test_a_menu_that_opens_under_the_mouse_stays_usable_afterwards(agent: Agent) -> None:
    """The guard of the press is removed after it, so later clicks reach their targets."""
    html = f"<div id=cover hidden style='{COVER}'><button id=shut {NOTE}>Shut</button></div>"
    await agent.open(
        page(f"<button id=go {NOTE} {BUTTON}>Go</button>{html}", "cover.hidden = false")
    )
    with pytest.raises(ElementCoveredError):
        await agent.click('button "Go"')
    await services_of(agent.page).mouse.click(15, 15)
    await agent.click('button "Shut"')
    assert "clickshut" in (await agent.run("got.join()") or "")
    assert (await agent.run("document.title") or "").startswith("shut")


async def test_a_press_whose_events_the_page_stops_counts_as_made(agent: Agent) -> None:
    """The page's listeners ran first and stopped the events, so the guard cannot know where the
    press landed.
    """
    swallow = "event => event.stopImmediatePropagation()"
    await agent.open(
        f"<button id=go>Go</button><script>for (const type of ['pointerdown', 'mousedown'])"
        f"addEventListener(type, {swallow}, true); go.onclick = () => document.title = 1</script>"
    )
    await agent.click("button")
    assert await agent.run("document.title") == "1"


async def test_a_press_on_a_new_covering_element_in_a_page_that_stops_events_missed_the_target(
    agent: Agent,
) -> None:
    swallow = "event => event.stopImmediatePropagation()"
    cover = f"<div id=cover role=dialog aria-label=Offer hidden style='{COVER}'></div>"
    await agent.open(
        page(f"<button id=go>Go</button>{cover}", "cover.hidden = false")
        + "<script>for (const type of ['pointerdown', 'mousedown'])"
        f"addEventListener(type, {swallow}, true)</script>"
    )
    with pytest.raises(ElementCoveredError, match=r'The click missed button "Go".*dialog "Offer"'):
        await agent.click("button")


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
async def test_a_covering_element_that_the_moving_mouse_opens_over_a_frame_gets_no_press(
    agent: Agent, site: Site, host: str
) -> None:
    inner = "<body onmousemove='top.postMessage(1, \"*\")'><button>Pay</button>"
    frame = site.page(inner).replace("localhost", host)
    await agent.go(
        site.page(
            f"{PRESSES}<iframe src={frame}></iframe>"
            f"<div id=cover role=dialog aria-label=Offer hidden style='{COVER}'></div>"
            "<script>onmessage = () => { cover.hidden = false }</script>"
        )
    )
    # In either order, the covering element does not get the press.
    with suppress(ElementCoveredError):
        await agent.click('button "Pay"')
    assert await agent.run("got.join()") == ""


async def test_a_dialog_that_the_click_opens_does_not_hide_that_it_was_made(agent: Agent) -> None:
    await agent.open("<button onclick='alert(1)'>Go</button>")
    button = await agent.find("button")
    async with agent.page.settle_afterwards():
        await button.click()
    assert agent.page.blockers.dialog is not None


@pytest.mark.parametrize("state", ["inert", "disabled"])
async def test_a_button_without_pointer_events_at_the_press_is_not_clicked(
    agent: Agent, state: str
) -> None:
    html = f"<fieldset id=all><button id=go {NOTE}>Go</button></fieldset>"
    await agent.open(page(html, f"all.setAttribute('{state}', '')"))
    with pytest.raises(ElementDisabledError, match=state):
        await agent.click("button")
    assert await agent.run("got.join()") == ""


async def test_the_page_finds_no_trace_of_the_guard(agent: Agent) -> None:
    await agent.open(
        "<button>Go</button><script>var seen = [], known;"
        "for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent']) {"
        "  const own = EventTarget.prototype[name];"
        "  EventTarget.prototype[name] = function (...args) {"
        "    seen.push(name); return own.apply(this, args) } }"
        "known = new Set(Object.getOwnPropertyNames(window));"
        "</script>"
    )
    await agent.click("button")
    assert await agent.run("seen.length") == "0"
    added = "Object.getOwnPropertyNames(window).filter(name => !known.has(name)).length"
    assert await agent.run(added) == "0"


async def test_a_click_beside_an_open_select_does_not_count_as_a_click_elsewhere(
    agent: Agent,
) -> None:
    await agent.open(
        f"<select><option>A<option>B</select><button id=go {NOTE} {BUTTON}>Go</button>"
    )
    await agent.click("combobox")
    await agent.click("button")
    assert (await agent.run("document.title") or "").strip() == "go"


async def test_a_middle_and_a_right_click_are_watched_as_well(agent: Agent) -> None:
    await agent.open(f"{PRESSES}<button id=go>Go</button>")
    await agent.click("button", button="middle")
    await agent.click("button", button="right")
    assert await agent.run("got.filter(each => each === 'mousedowngo').length") == "2"


async def test_a_handler_that_never_ends_costs_the_time_limit_of_one_action(
    open_page: OpenPage,
) -> None:
    agent = Agent(await open_page(timeouts=Timeouts(action=1.0, navigation=10.0)))
    await agent.open("<button onclick='for (;;);'>Go</button>")
    for _ in range(2):
        with pytest.raises(PageError, match=r"did not answer within 1(\.5)? s; its script may run"):
            await agent.click(await agent.page.find_element("button"))
    await agent.open("<button>Next</button>")

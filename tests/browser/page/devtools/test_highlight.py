"""A highlight is a box around an element that pictures show, and that nothing else notices."""

from __future__ import annotations

import pytest

from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.browser.page.capture.pixels import BLUE, GREEN, Colour, Look
from viewpoint_mcp.errors import CallError, PageError, StaleRefError

START = "<!DOCTYPE html><body style='margin: 0; background: white'>"
FILLED = "background: blue; outline: none"
BUTTON = (
    "<button style='position: absolute; left: 100px; top: 200px; width: 80px; height: 40px'>Go"
    "</button>"
)


async def look(agent: Agent, *, full_page: bool = False) -> Look:
    return Look(await agent.page.capture.screenshot(full_page=full_page))


async def highlight(agent: Agent, what: str, style: str = FILLED) -> str:
    return await agent.page.devtools.highlights.show(await agent.find(what), style)


async def box(agent: Agent, colour: Colour = BLUE) -> tuple[int, int, int, int] | None:
    return (await look(agent)).box(colour)


async def test_a_box_covers_its_element_in_a_screenshot_until_it_is_hidden(agent: Agent) -> None:
    await agent.open(START + BUTTON)
    assert await highlight(agent, "button") == "drawn"
    assert await box(agent) == (100, 200, 180, 240)
    assert await agent.page.devtools.highlights.hide(await agent.find("button"))
    assert await box(agent) is None
    assert await agent.run("document.documentElement.children.length") == "2"


async def test_the_default_box_has_the_name_of_the_element_above_it(agent: Agent) -> None:
    await agent.open(START + BUTTON)
    await highlight(agent, "button", "")
    left, top, right, bottom = await box(agent, (0xD6, 0x33, 0x6C)) or (0, 0, 0, 0)
    assert (left, bottom) == (98, 242)
    assert top == 200 - 20
    assert right >= 182


async def test_a_box_follows_its_element_when_the_page_scrolls(agent: Agent) -> None:
    await agent.open(START + BUTTON + "<div style='height: 3000px'></div>")
    await highlight(agent, "button")
    await agent.run("scrollTo(0, 150)")
    assert await box(agent) == (100, 50, 180, 90)


async def test_a_box_follows_an_element_that_the_layout_moves(agent: Agent) -> None:
    await agent.open(START + "<p id=p style='height: 50px; margin: 0'></p><button>Go</button>")
    await highlight(agent, "button")
    first = await box(agent)
    await agent.run("p.style.height = '150px'; new Promise(requestAnimationFrame)")
    for _ in range(20):
        if (moved := await box(agent)) != first:
            break
    assert first is not None
    assert moved is not None
    assert moved[1] == first[1] + 100


async def test_a_box_ends_where_its_scroll_container_ends(agent: Agent) -> None:
    await agent.open(
        START
        + "<div style='height: 60px; width: 300px; overflow: auto'><button style='height: 40px'>A"
        "</button><div style='height: 1000px'></div></div>"
    )
    await highlight(agent, "button")
    await agent.run("document.querySelector('div').scrollTop = 25")
    _, top, _, bottom = await box(agent) or (0, 0, 0, 0)
    assert (top, bottom) == (0, 15)
    await agent.run("document.querySelector('div').scrollTop = 500")
    assert await box(agent) is None


async def test_the_whole_page_shows_the_box_at_its_element(agent: Agent) -> None:
    await agent.open(START + "<p style='height: 2000px'></p><button id=b>Go</button>")
    assert await highlight(agent, "button") == "outside"
    await agent.run("scrollTo(0, 2000)")
    found = (await look(agent, full_page=True)).box(BLUE)
    assert found is not None
    assert found[1] > 2000


async def test_a_modal_dialog_that_opens_later_does_not_cover_the_box(agent: Agent) -> None:
    await agent.open(
        START + "<dialog style='width: 700px; height: 500px'><button>In</button></dialog>" + BUTTON
    )
    await highlight(agent, "button")
    await agent.run("document.querySelector('dialog').showModal()")
    assert await box(agent) is not None


async def test_boxes_in_frames_are_drawn_there_and_hidden_together(agent: Agent) -> None:
    inner = "<body style='margin: 0'><button style='width: 50px; height: 30px'>In</button>"
    await agent.open(
        START
        + BUTTON
        + f'<iframe title=F style="border: 0; margin: 10px" srcdoc="{inner}"></iframe>'
    )
    await highlight(agent, 'button "Go"')
    await highlight(agent, 'button "In"', "background: lime; outline: none")
    assert await box(agent, GREEN) == (10, 10, 60, 40)
    assert await agent.page.devtools.highlights.hide_all() == 2
    assert (await box(agent), await box(agent, GREEN)) == (None, None)
    assert await agent.page.devtools.highlights.hide_all() == 0


async def test_a_second_highlight_of_an_element_replaces_the_first(agent: Agent) -> None:
    await agent.open(START + BUTTON)
    await highlight(agent, "button")
    await highlight(agent, "button", "background: lime; outline: none")
    assert (await box(agent), await box(agent, GREEN)) == (None, (100, 200, 180, 240))


async def test_the_style_cannot_move_the_box_or_catch_clicks(agent: Agent) -> None:
    await agent.open(START + BUTTON + "<script>onclick = () => document.title = 'hit'</script>")
    await highlight(
        agent,
        "button",
        f"{FILLED}; pointer-events: auto !important; left: 0 !important; position: static",
    )
    assert await box(agent) == (100, 200, 180, 240)
    await agent.click("button")
    assert await agent.run("document.title") == "hit"


async def test_a_snapshot_and_a_hit_test_do_not_see_the_box(agent: Agent) -> None:
    before = await agent.open(START + BUTTON)
    await highlight(agent, "button")
    assert await agent.snapshot() == before
    assert await agent.run("document.elementFromPoint(110, 210).textContent") == "Go"
    assert await agent.run("document.body.innerText") == "Go"


async def test_a_page_sees_one_inert_element_and_no_event(agent: Agent) -> None:
    await agent.open(
        START
        + BUTTON
        + "<script>heard = []; for (const each of ['toggle', 'beforetoggle', 'scroll', 'resize'])"
        "addEventListener(each, (event) => heard.push(event.type), true);"
        "new MutationObserver((records) => heard.push(records.length))"
        ".observe(document, { subtree: true, childList: true, attributes: true })</script>"
    )
    await look(agent)  # until then, the browser may give the new tab its size
    await agent.run("heard.length = 0")
    await highlight(agent, "button")
    await look(agent)
    assert await agent.run("heard.join()") == "1"
    assert await agent.run("document.documentElement.lastChild.shadowRoot") == "null"
    assert await agent.run("document.documentElement.lastChild.inert") == "true"


async def test_a_box_at_rest_runs_no_script(agent: Agent) -> None:
    await agent.open(START + BUTTON)
    await highlight(agent, "button")
    await look(agent)
    session = services_of(agent.page).session
    await session.Performance.enable()

    async def script_time() -> float:
        await session.Page.captureScreenshot()
        metrics = (await session.Performance.getMetrics())["metrics"]
        return next(each["value"] for each in metrics if each["name"] == "ScriptDuration")

    for _ in range(10):
        await look(agent)
    before = await script_time()
    assert await script_time() == before


async def test_a_hidden_element_has_no_box_until_it_is_shown(agent: Agent) -> None:
    await agent.open(START + BUTTON)
    element = await agent.find("button")
    await agent.run("document.querySelector('button').style.visibility = 'hidden'")
    assert await agent.page.devtools.highlights.show(element, FILLED) == "hidden"
    assert await box(agent) is None


async def test_a_page_with_hostile_names_is_highlighted(agent: Agent) -> None:
    await agent.open(
        START + "<form><button style='width: 60px; height: 40px'>Go</button>"
        "<input type=hidden name=getBoundingClientRect><input type=hidden name=style>"
        "</form><img name=documentElement><img name=createElementNS>"
        "<style>html > * { display: none } body { display: block !important } "
        "* { transform: none }</style>"
    )
    assert await highlight(agent, "button") == "drawn"
    assert await box(agent) is not None


async def test_a_style_without_a_declaration_is_refused(agent: Agent) -> None:
    await agent.open(START + BUTTON)
    with pytest.raises(CallError, match="no valid CSS declaration: red"):
        await highlight(agent, "button", "red")


async def test_a_document_that_is_not_html_is_refused(agent: Agent) -> None:
    await agent.go(
        "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'>"
        "<a href='%23'><text y='50'>Go</text></a></svg>"
    )
    with pytest.raises(PageError, match="is not HTML"):
        await highlight(agent, "link")


async def test_an_element_that_is_gone_is_refused(agent: Agent) -> None:
    await agent.open(START + BUTTON)
    element = await agent.find("button")
    await agent.run("document.querySelector('button').remove()")
    with pytest.raises(StaleRefError):
        await agent.page.devtools.highlights.show(element)


async def test_a_new_document_has_no_boxes(agent: Agent) -> None:
    await agent.open(START + BUTTON)
    await highlight(agent, "button")
    await agent.load(START + BUTTON)
    assert await box(agent) is None
    assert await agent.page.devtools.highlights.hide_all() == 0

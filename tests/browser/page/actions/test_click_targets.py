"""Clicks on targets other than plain buttons: text fragments, drawings, hidden controls, lists."""

from __future__ import annotations

import pytest

from tests.browser.page.agent import Agent
from viewpoint_mcp.errors import (
    ElementDisabledError,
    ElementError,
    ElementNotVisibleError,
    ModalOpenError,
)

TITLE = "document.title"
HIT = "onclick=\"document.title = 'hit'\""
PICTURE = (
    "data:image/svg+xml,<svg xmlns=%27http://www.w3.org/2000/svg%27 width=%27200%27 "
    "height=%27100%27/>"
)


async def test_the_events_have_the_same_order_as_for_a_person(agent: Agent) -> None:
    await agent.open("<button>Go</button>")
    await agent.run(
        "() => { window.seen = []; const b = document.querySelector('button');"
        "for (const type of ['pointerdown', 'mousedown', 'focus', 'pointerup', 'mouseup', 'click',"
        "'dblclick', 'touchstart']) b.addEventListener(type, () => seen.push(type)) }"
    )
    await agent.click("button", count=2)
    assert await agent.run("seen.join()") == (
        "pointerdown,mousedown,focus,pointerup,mouseup,click,"
        "pointerdown,mousedown,pointerup,mouseup,click,dblclick"
    )


async def test_the_middle_button_is_no_click(agent: Agent) -> None:
    await agent.open("<button onauxclick=\"document.title = 'aux' + event.button\">Go</button>")
    await agent.click("button", button="middle")
    assert await agent.run(TITLE) == "aux1"


async def test_a_fragment_of_a_text_is_clicked(agent: Agent) -> None:
    await agent.open(
        f"<p>Read the <span id=s {HIT} style='cursor: pointer'>terms of use</span> before this.</p>"
    )
    await agent.click(await agent.page.find_element("#s"))
    assert await agent.run(TITLE) == "hit"


@pytest.mark.parametrize(
    "area", ["shape=rect coords=10,10,60,60", "shape=circle coords=150,50,20", "shape=default"]
)
async def test_an_area_of_an_image_is_clicked(agent: Agent, area: str) -> None:
    await agent.open(
        f'<img src="{PICTURE}" usemap=#m width=200 height=100><map name=m>'
        f"<area {area} href=#there alt=There {HIT}></map>"
    )
    await agent.click("There")
    assert await agent.run(TITLE) == "hit"


async def test_a_shape_of_a_drawing_is_clicked(agent: Agent) -> None:
    await agent.open(
        "<svg width=200 height=200><rect width=200 height=200 fill=gray />"
        f"<g role=button tabindex=0 aria-label=Dot {HIT}><circle cx=50 cy=50 r=20 /></g></svg>"
    )
    await agent.click('button "Dot"')
    assert await agent.run(TITLE) == "hit"


async def test_a_canvas_is_clicked_at_its_centre(agent: Agent) -> None:
    await agent.open(
        "<body style='margin: 0'><canvas width=200 height=100 tabindex=0 aria-label=Board "
        "onclick='document.title = `${event.offsetX} ${event.offsetY}`'></canvas>"
    )
    await agent.click("Board")
    assert await agent.run(TITLE) == "100 50"


@pytest.mark.parametrize(
    "hidden",
    [
        "display: none",
        "opacity: 0; position: absolute; left: 300px",
        "position: absolute; width: 1px; height: 1px; clip: rect(0 0 0 0); overflow: hidden",
        "position: absolute; left: -9999px",
        "opacity: 0; pointer-events: none",
    ],
)
@pytest.mark.parametrize("kind", ["checkbox", "radio"])
async def test_a_choice_behind_its_styled_label_is_made(
    agent: Agent, hidden: str, kind: str
) -> None:
    await agent.open(
        f"<input type={kind} id=c style='{hidden}'><label for=c style='display: inline-block;"
        "padding: 9px; background: silver'>Agree</label>"
    )
    choice = await agent.page.find_element("#c")
    await agent.click(choice)
    assert choice.label.startswith(kind)
    assert await agent.run("c.checked") == "true"


async def test_a_click_on_a_label_does_not_hit_the_link_in_it(agent: Agent) -> None:
    await agent.open(
        "<input type=checkbox id=c style='position: absolute; opacity: 0; left: -99px'>"
        "<label for=c>I agree to <a href=#terms>all the terms and conditions</a></label>"
    )
    await agent.click(await agent.page.find_element("#c"))
    assert await agent.run("c.checked + location.hash") == "true"


async def test_a_disabled_choice_is_refused_though_its_label_shows(agent: Agent) -> None:
    await agent.open(
        "<input type=checkbox id=c disabled style='opacity: 0'><label for=c>Agree</label>"
    )
    with pytest.raises(ElementDisabledError):
        await agent.click(await agent.page.find_element("#c"))


async def test_a_hidden_choice_without_a_label_is_refused(agent: Agent) -> None:
    await agent.open("<input type=checkbox id=c style='display: none'>")
    with pytest.raises(ElementNotVisibleError):
        await agent.click(await agent.page.find_element("#c"))


async def test_an_option_of_a_closed_list_is_refused_with_the_tool_to_use(agent: Agent) -> None:
    await agent.open("<select><option>A<option id=b>B</select>")
    with pytest.raises(ElementError, match="Use browser_select_option"):
        await agent.click(await agent.page.find_element("#b"))


async def test_an_option_of_an_open_list_is_chosen(agent: Agent) -> None:
    await agent.open("<select id=s size=3><option>A<option id=b>B<option>C</select>")
    await agent.click(await agent.page.find_element("#b"))
    assert await agent.run("s.value") == "B"


async def test_a_summary_opens_its_details(agent: Agent) -> None:
    await agent.open("<details><summary>More</summary><p>Hidden text</p></details>")
    assert "Hidden text" in await agent.click(await agent.page.find_element("summary"))


async def test_a_label_works_its_control(agent: Agent) -> None:
    await agent.open("<label id=l for=c>Agree</label><input type=checkbox id=c>")
    await agent.click(await agent.page.find_element("#l"))
    assert await agent.run("c.checked") == "true"


async def test_a_click_on_a_file_field_opens_its_chooser(agent: Agent) -> None:
    await agent.open("<input type=file id=f>")
    with pytest.raises(ModalOpenError, match="an answer to its file chooser"):
        await agent.click(await agent.page.find_element("#f"))

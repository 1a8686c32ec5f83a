"""A click on an element: it lands where a person could click, or fails with the reason."""

from __future__ import annotations

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import (
    CallError,
    ElementCoveredError,
    ElementDisabledError,
    ElementError,
    ElementNotVisibleError,
    NoMatchError,
    StaleRefError,
    ViewpointError,
)

HIT = 'onclick="document.title = event.type + event.detail + event.button"'
TITLE = "document.title"


async def test_a_button_is_clicked(agent: Agent) -> None:
    await agent.open(f"<button {HIT}>Go</button>")
    await agent.click("button")
    assert await agent.run(TITLE) == "click10"


async def test_a_double_click_is_two_clicks_and_a_dblclick(agent: Agent) -> None:
    await agent.open("<button>Go</button>")
    await agent.run(
        "() => { window.seen = [];"
        "for (const type of ['click', 'dblclick'])"
        "  addEventListener(type, e => seen.push(type + e.detail)) }"
    )
    await agent.click("button", count=2)
    assert await agent.run("seen.join()") == "click1,click2,dblclick2"


async def test_the_right_button_opens_the_context_menu_of_the_page(agent: Agent) -> None:
    await agent.open("<button oncontextmenu=\"document.title = 'menu'; return false\">Go</button>")
    await agent.click("button", button="right")
    assert await agent.run(TITLE) == "menu"


async def test_modifiers_are_pressed_during_the_click(agent: Agent) -> None:
    await agent.open('<button onclick="document.title = event.shiftKey + `${event.altKey}`">x')
    await agent.click("button", modifiers=["Shift", "Alt"])
    assert await agent.run(TITLE) == "truetrue"


async def test_a_link_takes_the_page_to_its_target(agent: Agent, site: Site) -> None:
    there = site.page("<h1>There</h1>")
    await agent.go(site.page(f"<a href={there}>Further</a>"))
    assert 'heading "There"' in await agent.click("link")
    assert agent.page.url == there


async def test_an_element_far_below_is_scrolled_to(agent: Agent) -> None:
    await agent.open(f"<div style='height: 5000px'></div><button {HIT}>Go</button>")
    await agent.click("button")
    assert await agent.run(TITLE) == "click10"


async def test_an_element_in_a_scrolled_box_is_scrolled_to(agent: Agent) -> None:
    await agent.open(
        "<div style='height: 100px; overflow: auto'><div style='height: 900px'></div>"
        f"<button {HIT}>Go</button></div>"
    )
    await agent.click("button")
    assert await agent.run(TITLE) == "click10"


async def test_a_click_hits_its_target_despite_smooth_scrolling(agent: Agent) -> None:
    await agent.open(
        "<style>html { scroll-behavior: smooth }</style>"
        f"<div style='height: 9000px'></div><button {HIT}>Go</button>"
    )
    await agent.click("button")
    assert await agent.run(TITLE) == "click10"


async def test_an_element_under_a_sticky_header_is_clicked(agent: Agent) -> None:
    await agent.open(
        "<div style='position: sticky; top: 0; height: 80px; background: red'>Head</div>"
        f"<button {HIT}>Go</button><div style='height: 3000px'></div>"
    )
    await agent.run("() => scrollTo(0, 60)")
    await agent.click("button")
    assert await agent.run(TITLE) == "click10"


async def test_a_link_that_is_broken_over_lines_is_hit(agent: Agent) -> None:
    await agent.open(
        "<div style='width: 200px'>Some text in front of "
        f"<a href=#there {HIT}>a link that goes over the end of its line</a></div>"
    )
    await agent.click("link")
    assert await agent.run(TITLE) == "click10"


async def test_a_child_of_the_element_receives_its_click(agent: Agent) -> None:
    await agent.open(f"<button {HIT}><span><b>Go</b></span></button>")
    await agent.click("button")
    assert await agent.run(TITLE) == "click10"


async def test_a_checkbox_that_its_label_covers_is_clicked(agent: Agent) -> None:
    await agent.open(
        "<label style='position: relative; display: block'>"
        "<input type=checkbox style='opacity: 0.01'>"
        "<span style='position: absolute; inset: 0; background: white'>Agree</span></label>"
    )
    assert "[checked]" in await agent.click("checkbox")


async def test_a_button_in_an_open_shadow_root_is_clicked(agent: Agent) -> None:
    await agent.open("<div id=host></div>")
    await agent.run(
        "() => { const root = host.attachShadow({mode: 'open'});"
        "root.innerHTML = '<button>Go</button>';"
        "root.firstChild.onclick = () => document.title = 'hit' }"
    )
    await agent.click("button")
    assert await agent.run(TITLE) == "hit"


async def test_a_slotted_button_is_clicked(agent: Agent) -> None:
    await agent.open(f"<div id=host><button {HIT}>Go</button></div>")
    await agent.run(
        "() => { host.attachShadow({mode: 'open'}).innerHTML = '<p><slot></slot></p>' }"
    )
    await agent.click("button")
    assert await agent.run(TITLE) == "click10"


async def test_a_button_without_a_box_is_clicked_at_its_content(agent: Agent) -> None:
    await agent.open(
        "<div role=button tabindex=0 style='display: contents' "
        "onclick=\"document.title = 'hit'\"><span>Go</span></div>"
    )
    await agent.click("button")
    assert await agent.run(TITLE) == "hit"


async def test_the_page_cannot_shadow_what_the_click_looks_up(agent: Agent) -> None:
    """Controls named like properties of their form replace these properties on the form object."""
    names = "parentNode assignedSlot host isConnected children control getClientRects"
    controls = "".join(f"<input name={name} type=hidden>" for name in names.split())
    await agent.open(
        f"<form tabindex=0 aria-label=F role=button onclick=\"document.title = 'hit'\" "
        f"style='padding: 20px'>{controls}<b>text</b></form>"
    )
    await agent.click('button "F"')
    assert await agent.run(TITLE) == "hit"


async def test_a_selector_that_matches_one_element_is_accepted(agent: Agent) -> None:
    await agent.open(f"<button id=go {HIT}>Go</button>")
    await agent.click(await agent.page.find_element("#go"))
    assert await agent.run(TITLE) == "click10"


@pytest.mark.parametrize(
    ("selector", "words"),
    [
        ("button", "2 elements are button"),
        ("#none", "matches 0"),
        ("!!", "not a valid selector"),
        ("", "not a valid selector"),
    ],
)
async def test_a_selector_of_another_number_is_refused(
    agent: Agent, selector: str, words: str
) -> None:
    await agent.open("<button>A</button><button>B</button>")
    with pytest.raises((CallError, NoMatchError), match=words):
        await agent.page.find_element(selector)


# ---- covering elements


async def test_a_covering_element_is_named_with_its_ref(agent: Agent) -> None:
    await agent.open(
        "<button>Go</button><div role=dialog aria-label=Cookies "
        "style='position: fixed; inset: 0; background: red'>We use cookies</div>"
    )
    with pytest.raises(
        ElementCoveredError, match=r'button "Go" is covered by dialog "Cookies" \[ref=e\d+\]'
    ):
        await agent.click("button")


async def test_the_ref_of_a_covering_element_can_be_acted_on(agent: Agent) -> None:
    await agent.open(
        f"<button {HIT}>Go</button><div role=dialog aria-label=Cookies onclick='this.remove()' "
        "style='position: fixed; inset: 0; background: red'>We use cookies</div>"
    )
    with pytest.raises(ElementCoveredError) as raised:
        await agent.click("button")
    ref = raised.value.message.split("[ref=")[1].split("]")[0]
    await agent.click(await agent.page.find_element(ref))
    await agent.click("button")
    assert await agent.run(TITLE) == "click10"


async def test_a_covering_element_that_fades_is_waited_for(agent: Agent) -> None:
    await agent.open(
        f"<button {HIT}>Go</button><div id=cover style='position: fixed; inset: 0; "
        "background: red; animation: fade 0.8s forwards'></div>"
        "<style>@keyframes fade { to { opacity: 0; visibility: hidden } }</style>"
    )
    await agent.click("button")
    assert await agent.run(TITLE) == "click10"


async def test_an_element_without_pointer_events_does_not_cover(agent: Agent) -> None:
    await agent.open(
        f"<button {HIT}>Go</button><div style='position: fixed; inset: 0; pointer-events: none'>x"
    )
    await agent.click("button")
    assert await agent.run(TITLE) == "click10"


@pytest.mark.parametrize(
    "html",
    [
        "<button disabled>Go</button>",
        "<button aria-disabled=true>Go</button>",
    ],
)
async def test_a_disabled_element_is_not_clicked(agent: Agent, html: str) -> None:
    await agent.open(html)
    with pytest.raises(ElementDisabledError, match='button "Go" is disabled'):
        await agent.click(await agent.page.find_element("button"))


async def test_an_element_that_is_about_to_be_enabled_is_waited_for(patient_agent: Agent) -> None:
    await patient_agent.open(f"<button id=go disabled {HIT}>Go</button>")
    button = await patient_agent.page.find_element("#go")
    await patient_agent.run("() => { setTimeout(() => go.disabled = false, 200) }")
    await patient_agent.click(button)
    assert await patient_agent.run(TITLE) == "click10"


@pytest.mark.parametrize("style", ["display: none", "visibility: hidden", "width: 0; padding: 0"])
async def test_an_invisible_element_is_not_clicked(agent: Agent, style: str) -> None:
    await agent.open("<div role=button tabindex=0 id=go>Go</div>")
    button = await agent.find("button")
    style = f"{style}; height: 0; overflow: hidden" if "width" in style else style
    await agent.run(f"() => {{ go.style = '{style}' }}")
    with pytest.raises(ElementNotVisibleError, match='button "Go" is not visible'):
        await agent.click(button)


async def test_an_element_that_appears_soon_is_waited_for(patient_agent: Agent) -> None:
    await patient_agent.open(f"<button id=go style='display: none' {HIT}>Go</button>")
    button = await patient_agent.page.find_element("#go")
    await patient_agent.run("() => { setTimeout(() => go.style.display = 'block', 200) }")
    await patient_agent.click(button)
    assert await patient_agent.run(TITLE) == "click10"


async def test_an_element_that_cannot_be_scrolled_to_is_not_clicked(agent: Agent) -> None:
    await agent.open("<button style='position: fixed; left: 900px; top: 20px'>Go</button>")
    with pytest.raises(ElementNotVisibleError, match="cannot be scrolled into view"):
        await agent.click(await agent.page.find_element("button"))


@pytest.mark.timing
async def test_an_element_that_never_stops_moving_is_not_clicked(open_page: OpenPage) -> None:
    agent = Agent(await open_page())
    # In one direction: near a turning point it would be at the same position twice.
    await agent.open(
        "<button style='animation: run 0.47s infinite linear'>Go</button>"
        "<style>@keyframes run { to { translate: 400px } }</style>"
    )
    with pytest.raises(ElementNotVisibleError, match="does not stop moving"):
        await agent.click("button")


async def test_an_element_that_stops_moving_is_clicked(patient_agent: Agent) -> None:
    await patient_agent.open(f"<button id=go {HIT}>Go</button>")
    button = await patient_agent.find("button")
    await patient_agent.run(
        "() => { go.animate([{translate: '0'}, {translate: '400px'}],"
        "{duration: 700, fill: 'forwards'}) }"
    )
    await patient_agent.click(button)
    assert await patient_agent.run(TITLE) == "click10"


# ---- stale elements


async def test_an_element_that_was_removed_is_stale(agent: Agent) -> None:
    await agent.open("<button id=go>Go</button>")
    button = await agent.find("button")
    await agent.run("() => go.remove()")
    with pytest.raises(StaleRefError, match=r'is no longer on the page.*\nWas: button "Go"'):
        await agent.click(button)


async def test_an_element_that_is_removed_while_it_is_waited_for_is_stale(
    patient_agent: Agent,
) -> None:
    await patient_agent.open("<button id=go disabled>Go</button>")
    button = await patient_agent.page.find_element("#go")
    await patient_agent.run("() => { setTimeout(() => go.remove(), 100) }")
    with pytest.raises(ElementError, match=r"gone|no longer"):
        await patient_agent.click(button)


async def test_the_ref_of_an_element_with_new_contents_is_stale(agent: Agent) -> None:
    await agent.open(f"<button id=go {HIT}>Alice</button>")
    button = await agent.find("button")
    await agent.run("() => { go.textContent = 'Bob' }")
    with pytest.raises(StaleRefError, match=r'Was: button "Alice"\nNow: button "Bob"'):
        await agent.click(button)
    assert await agent.run(TITLE) == ""


async def test_a_ref_of_the_document_before_is_stale(agent: Agent) -> None:
    await agent.open("<button>Go</button>")
    ref = str((await agent.find("button")).ref)
    await agent.open("<button>Go</button>")
    with pytest.raises(StaleRefError):
        await agent.page.find_element(ref)


async def test_a_number_is_not_used_again_in_the_next_document(agent: Agent) -> None:
    await agent.open("<button>Go</button>")
    first = (await agent.find("button")).ref
    await agent.open("<button>Go</button>")
    assert (await agent.find("button")).ref.element > first.element


async def test_an_element_of_the_document_before_is_not_clicked(agent: Agent) -> None:
    await agent.open("<button>Go</button>")
    button = await agent.find("button")
    await agent.open(f"<button {HIT}>Go</button>")
    with pytest.raises(ViewpointError):
        await agent.click(button)
    assert await agent.run(TITLE) == ""


async def test_a_ref_of_another_page_is_refused(agent: Agent) -> None:
    with pytest.raises(StaleRefError, match="belongs to another page"):
        await agent.page.find_element("p1f0e1")

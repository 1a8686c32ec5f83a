"""An element with a click listener gets a ref and can be clicked."""

from __future__ import annotations

import re

import pytest

from tests.browser.page.agent import Agent

LISTEN = (
    "<script>document.querySelector('{}')"
    ".addEventListener('{}', () => {{ document.title = 'done' }})</script>"
)


@pytest.mark.parametrize("kind", ["click", "mousedown", "pointerdown", "mouseup", "dblclick"])
async def test_an_element_that_listens_for_the_mouse_has_a_ref(agent: Agent, kind: str) -> None:
    page = await agent.open(f"<div id=a>Open</div><p>Text</p>{LISTEN.format('#a', kind)}")
    assert page == "- generic [ref=e1]: Open\n- paragraph: Text"


@pytest.mark.parametrize("kind", ["keydown", "mouseover", "focus", "scroll", "load"])
async def test_an_element_that_listens_for_other_events_has_no_ref(agent: Agent, kind: str) -> None:
    page = await agent.open(f"<div id=a>Open</div>{LISTEN.format('#a', kind)}")
    assert page == "- text: Open"


async def test_an_element_that_listens_can_be_clicked(agent: Agent) -> None:
    await agent.open(f"<p>Press <span>here</span> to go on</p>{LISTEN.format('span', 'click')}")
    await agent.click("generic")
    assert await agent.run("document.title") == "done"


async def test_an_inline_listener_keeps_its_own_line(agent: Agent) -> None:
    page = await agent.open(f"<p>Press <i>here</i> now</p>{LISTEN.format('i', 'click')}")
    assert page == "- paragraph: 'Press | generic [ref=e1]: here | now'"


async def test_an_anchor_without_an_address_that_listens_is_a_link(agent: Agent) -> None:
    page = await agent.open(f"<a>More</a> <a name=x>Not</a>{LISTEN.format('a', 'click')}")
    assert page == '- link "More" [ref=e1]\n- text: Not'


async def test_a_listener_that_is_added_later_is_in_the_next_snapshot(agent: Agent) -> None:
    assert await agent.open("<div id=a>Open</div>") == "- text: Open"
    await agent.run("() => document.getElementById('a').addEventListener('click', () => 1)")
    assert await agent.snapshot() == "- generic [ref=e1]: Open"


async def test_the_handles_that_resize_columns_have_no_ref(agent: Agent) -> None:
    page = await agent.open(
        "<div role=grid><div role=row><b role=columnheader>Name</b><i class=x-resize-handle></i>"
        "<b role=columnheader>City</b><i style='cursor:col-resize'></i></div></div>"
        "<div id=pane class=resizer style='height:9px'></div>"
        "<script>for (const each of document.querySelectorAll('i, #pane'))"
        "each.addEventListener('mousedown', () => 1)</script>"
    )
    assert page == (
        '- grid:\n  - row [ref=e1]: columnheader "Name" [ref=e2] | columnheader "City" [ref=e3]\n'
        '- generic [hint="pane"] [ref=e4]'
    )


async def test_a_listener_in_a_shadow_root_is_found(agent: Agent) -> None:
    script = (
        "const root = host.attachShadow({mode: 'closed'}); root.innerHTML = '<div>In</div>';"
        "root.firstChild.addEventListener('click', () => 1)"
    )
    page = await agent.open(f"<div id=host></div><script>{script}</script>")
    assert page == "- generic [ref=e1]: In"


async def test_a_listener_in_a_frame_is_found(agent: Agent) -> None:
    inner = f"<div>In</div>{LISTEN.format('div', 'click')}".replace("'", "&apos;")
    page = await agent.open(f"<iframe srcdoc='{inner}'></iframe>")
    assert "- generic [ref=f1e1]: In" in page


@pytest.mark.parametrize("target", ["document", "document.documentElement", "document.body"])
async def test_an_element_that_listens_for_the_whole_page_is_not_clickable(
    agent: Agent, target: str
) -> None:
    page = await agent.open(
        f"<p>Text</p><script>{target}.addEventListener('click', () => 1)</script>"
    )
    assert page == "- paragraph: Text"


async def test_the_root_of_an_application_is_not_clickable(agent: Agent) -> None:
    # As React does: every kind of event, at the element that holds the application.
    script = (
        "for (const key in window) if (/^on/.test(key))"
        "  root.addEventListener(key.slice(2), () => 1)"
    )
    page = await agent.open(f"<main><div id=root>Text</div></main><script>{script}</script>")
    assert page == "- main: Text"


async def test_an_element_that_listens_for_its_descendants_is_not_clickable(agent: Agent) -> None:
    # As jQuery's delegated handlers.
    links = "".join(f"<li><a href={n}>Link {n}</a>" for n in range(5))
    page = await agent.open(f"<nav><ul>{links}</ul></nav>{LISTEN.format('ul', 'click')}")
    assert re.findall(r"(link|button|generic)[^|]*?\[ref", page) == ["link"] * 5


async def test_the_items_of_a_list_that_listens_have_refs(agent: Agent) -> None:
    items = "<li>One<li>Two<li>Three"
    page = await agent.open(f"<ul>{items}</ul>{LISTEN.format('ul', 'click')}")
    printed = [f"listitem [ref=e{n}]: {text}" for n, text in enumerate(("One", "Two", "Three"), 2)]
    assert page == f"- list [ref=e1]: '{' | '.join(printed)}'"


async def test_the_fields_of_a_board_that_listens_have_refs(agent: Agent) -> None:
    board = f"<main><div id=b><div>X</div><div>O</div></div></main>{LISTEN.format('#b', 'click')}"
    assert (await agent.open(board)).split("\n") == [
        "- main:",
        "  - generic [ref=e1]: 'generic [ref=e2]: X | generic [ref=e3]: O'",
    ]


async def test_many_buttons_with_one_handler_do_not_hide_a_few_others(agent: Agent) -> None:
    # As Vue does: one place in its code adds every listener.
    buttons = "".join(f"<button>B{n}</button>" for n in range(100))
    script = (
        "for (const each of document.querySelectorAll('button, div'))"
        "  each.addEventListener('click', () => 1)"
    )
    page = await agent.open(f"{buttons}<div>Last</div><script>{script}</script>")
    assert re.search(r"generic \[ref=e\d+\]: Last", page)


@pytest.mark.parametrize(
    ("area", "name"),
    [
        ("shape=rect coords=10,10,60,60", "rect"),
        ("shape=circle coords=150,50,30", "circle"),
        ("shape=poly coords=10,110,90,110,90,120,20,120,20,190,10,190", "poly"),
        ("shape=default", "default"),
    ],
)
async def test_an_area_of_an_image_can_be_clicked(agent: Agent, area: str, name: str) -> None:
    first = "" if name == "default" else "<area shape=rect coords=0,0,5,5 href=#0 alt=Zero>"
    picture = "<img src='data:image/svg+xml,<svg/>' usemap=%23m width=200 height=200>".replace(
        "%23", "#"
    )
    await agent.open(
        f"<div style='height:2000px'></div>{picture}<map name=m>{first}"
        f"<area {area} alt=Here onclick=\"document.title='hit';return false\" href=#x></map>"
    )
    await agent.click("Here")
    assert await agent.run("document.title") == "hit"


async def test_the_label_of_a_hidden_control_can_be_clicked(agent: Agent) -> None:
    await agent.open("<input type=checkbox id=a hidden><label for=a>Keep</label>")
    assert await agent.click("generic") == "- generic [checked] [ref=e1]: Keep"


async def test_a_checkbox_behind_its_styled_label_can_be_clicked(agent: Agent) -> None:
    hidden = "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)"
    await agent.open(f"<input type=checkbox id=a style='{hidden}'><label for=a>Keep</label>")
    assert await agent.click("checkbox") == '- checkbox "Keep" [checked] [active] [ref=e1]'

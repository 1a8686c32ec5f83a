"""A ref of a row acts on that row only: lists reuse nodes for other records."""

from __future__ import annotations

import pytest

from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from viewpoint_mcp.errors import StaleRefError
from viewpoint_mcp.page.actions import form_validation
from viewpoint_mcp.page.form_field_to_fill import FieldToFill

DONE = "<p id=p>nothing done</p><script>const done = (what) => { p.textContent = what };"
DELETE = '<button onclick="done(`deleted ${this.parentNode.innerText}`)">Delete</button>'
NAMES = "const name = (id, text) => { document.getElementById(id).textContent = text };"

LISTS = {
    "table": "<table><tr><td id=a>Alice</td><td>%s</td></tr>"
    "<tr><td>Bob</td><td>%s</td></tr></table>",
    "list": "<ul><li><b id=a>Alice</b> %s</li><li><b>Bob</b> %s</li></ul>",
    "cards": "<div><div><span id=a>Alice</span>%s</div><div><span>Bob</span>%s</div></div>",
    "nested boxes": "<div><div><i id=a>Alice</i></div><div>%s</div></div>"
    "<div><div>Bob</div><div>%s</div></div>",
    "one row": "<ul><li><b id=a>Alice</b> %s</li></ul>",
    "fieldset": "<fieldset><legend id=a>Alice</legend>%s</fieldset>",
}  # fmt: skip


def page(rows: str) -> str:
    return rows.replace("%s", DELETE) + DONE + NAMES + "</script>"


@pytest.mark.parametrize("kind", LISTS)
async def test_the_ref_of_a_row_that_shows_another_record_is_refused(
    agent: Agent, kind: str
) -> None:
    await agent.open(page(LISTS[kind]))
    button = await agent.find('button "Delete"')
    await agent.run("name('a', 'Carol')")
    with pytest.raises(StaleRefError) as caught:
        await agent.click(button)
    assert caught.value.facts[0] == 'Was: button "Delete" beside "Alice"'
    assert 'button "Delete" beside "Carol"' in caught.value.facts[1]
    assert "nothing done" in await agent.snapshot()


@pytest.mark.parametrize("kind", LISTS)
async def test_a_row_that_changed_partly_is_clicked(agent: Agent, kind: str) -> None:
    await agent.open(page(LISTS[kind]))
    button = await agent.find('button "Delete"')
    await agent.run("name('a', 'Alice Weber (3 new)')")
    assert "deleted" in await agent.click(button)


async def test_a_clock_elsewhere_in_the_page_stops_no_click(agent: Agent) -> None:
    clock = "setInterval(() => { c.textContent = performance.now() }, 5)"
    await agent.open(page(LISTS["cards"]) + f"<i id=c></i><script>{clock}</script>")
    assert "deleted" in await agent.click('button "Delete"')


async def test_a_row_is_compared_with_its_last_snapshot(agent: Agent) -> None:
    await agent.open(page(LISTS["table"]))
    button = await agent.find('button "Delete"')
    await agent.run("name('a', 'Carol')")
    await agent.snapshot()
    same = await agent.page.find_element(str(button.ref))
    assert "deleted" in await agent.click(same)


async def test_a_row_of_components_is_recognised(agent: Agent) -> None:
    rows = "".join(f"<x-row>{name}</x-row>" for name in ("Alice", "Bob"))
    script = (
        "customElements.define('x-row', class extends HTMLElement { connectedCallback() {"
        "const root = this.attachShadow({ mode: 'open' });"
        "root.innerHTML = '<slot></slot><button>Delete</button>' } })"
    )
    await agent.open(f"{rows}<script>{script}</script>")
    button = await agent.find('button "Delete"')
    await agent.run("document.querySelector('x-row').textContent = 'Carol'")
    with pytest.raises(StaleRefError, match='beside "Alice"'):
        await agent.click(button)


async def test_a_clickable_box_is_recognised_by_its_text(agent: Agent) -> None:
    await agent.open("<div id=a onclick='0'>Alice</div><div onclick='0'>Bob</div>")
    box = await agent.find("generic")
    await agent.run("document.getElementById('a').textContent = 'Carol'")
    with pytest.raises(StaleRefError, match='beside "Carol"'):
        await agent.click(box)


async def test_rows_that_scrolling_recycles_are_refused(agent: Agent) -> None:
    # Eight rows show a hundred records, as in lists that draw only the visible rows.
    script = (
        "const rows = [...Array(8)].map((_, i) => { const row = document.createElement('div');"
        "row.innerHTML = '<span></span> <button>Delete</button>';"
        "row.style.cssText = 'position:absolute;height:50px'; inside.append(row); return row });"
        "const letters = 'abcdefghijklmnopqrstuvwxyz';"
        "const draw = () => { const first = Math.floor(list.scrollTop / 50);"
        "rows.forEach((row, i) => { row.style.top = (first + i) * 50 + 'px';"
        "row.firstChild.textContent = `Person ${letters[first + i].repeat(4)}` }) };"
        "list.onscroll = draw; draw()"
    )
    await agent.open(
        "<div id=list style='height:200px;overflow:auto;position:relative'>"
        f"<div id=inside style='height:1300px'></div></div><script>{script}</script>"
    )
    last = await agent.page.find_element(str((await agent.find("Delete")).ref).replace("e1", "e8"))
    with pytest.raises(StaleRefError, match='beside "Person hhhh"'):
        await agent.click(last)


async def test_a_form_is_not_filled_in_another_row(agent: Agent) -> None:
    rows = "".join(f"<li><b>{name}</b> <input aria-label=Note></li>" for name in ("Alice", "Bob"))
    await agent.open(f"<ul>{rows}</ul>")
    field = await agent.find("Note")
    await agent.run("document.querySelector('b').textContent = 'Carol'")
    with pytest.raises(StaleRefError, match='beside "Carol"'):
        await form_validation.find_and_validate_fields(
            services_of(agent.page), [FieldToFill("Note", "textbox", str(field.ref), "x")]
        )


async def test_a_changed_glyph_of_a_name_is_no_event(agent: Agent) -> None:
    await agent.open("<button id=b>\uf115 Files</button>")
    button = await agent.find("Files")
    await agent.run("b.textContent = '\uf116 Files'")
    await agent.click(button)
    assert agent.page.take_events() == []

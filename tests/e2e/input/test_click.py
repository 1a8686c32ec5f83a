"""browser_click with targets that can be clicked: which element is hit, and with which events."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.conftest import Show
from tests.e2e.support.client import Reply, ServerClient
from tests.site import Site

# Writes each mouse event that reaches the button into the log.
LOG = """<button id=b>Target</button><p id=log></p><script>
for (const type of ['click', 'dblclick', 'auxclick', 'contextmenu', 'mousedown', 'mouseup'])
  b.addEventListener(type, e => { log.append(`${type}:${e.button}:${e.detail} `) })
</script>"""
# Reports in the text beside it when it is clicked, and whether the event is trusted.
TELL = "onclick=\"said.textContent = 'clicked ' + event.isTrusted\""


async def click(server: ServerClient, page: Reply, name: str, **arguments: Any) -> Reply:
    reply = await server.call("browser_click", ref=page.ref("button", name), **arguments)
    assert not reply.is_error, reply.text
    return reply


async def test_a_click_that_runs_no_script_changes_nothing_but_the_focus(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show("<button>A</button>")
    reply = await click(shared_server, page, "A")
    assert reply.sections["Result"] == 'Clicked button "A"'
    assert f'- button "A" [active] [ref={page.ref("button", "A")}]' in reply.text
    assert "Events" not in reply.sections


async def test_a_click_is_a_person_s_click(shared_server: ServerClient, show: Show) -> None:
    page = await show(f"<button {TELL}>A</button><p id=said></p>")
    reply = await click(shared_server, page, "A")
    assert "clicked true" in reply.sections["Snapshot"]


async def test_a_left_click_sends_its_events_in_order(
    shared_server: ServerClient, show: Show
) -> None:
    reply = await click(shared_server, await show(LOG), "Target")
    assert "mousedown:0:1 mouseup:0:1 click:0:1" in reply.sections["Snapshot"]


async def test_a_double_click_is_one(shared_server: ServerClient, show: Show) -> None:
    reply = await click(shared_server, await show(LOG), "Target", doubleClick=True)
    assert reply.sections["Result"] == 'Double-clicked button "Target"'
    assert "click:0:2 dblclick:0:2" in reply.sections["Snapshot"]


async def test_a_right_click_opens_the_page_s_own_menu(
    shared_server: ServerClient, show: Show
) -> None:
    reply = await click(shared_server, await show(LOG), "Target", button="right")
    assert "contextmenu:2" in reply.sections["Snapshot"]
    assert " click:" not in reply.sections["Snapshot"]


async def test_a_middle_click_is_one(shared_server: ServerClient, show: Show) -> None:
    reply = await click(shared_server, await show(LOG), "Target", button="middle")
    assert "auxclick:1" in reply.sections["Snapshot"]


@pytest.mark.parametrize(
    ("modifiers", "seen"),
    [
        (["Shift"], "shift"),
        (["Alt"], "alt"),
        (["Control", "Shift"], "ctrl shift"),
        (["Meta"], "meta"),
        (["ControlOrMeta"], "ctrl"),
    ],
)
async def test_modifiers_are_pressed_during_the_click(
    shared_server: ServerClient, show: Show, modifiers: list[str], seen: str
) -> None:
    script = (
        "document.querySelector('p').textContent = 'held ' + "
        "['ctrl', 'shift', 'alt', 'meta'].filter(k => event[k + 'Key']).join(' ') + ' end'"
    )
    page = await show(f'<button onclick="{script}">A</button><p></p>')
    reply = await click(shared_server, page, "A", modifiers=modifiers)
    assert f"held {seen} end" in reply.sections["Snapshot"]


async def test_an_element_below_the_fold_is_scrolled_to(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show(f"<p id=said></p><div style='height:5000px'></div><button {TELL}>A</button>")
    reply = await click(shared_server, page, "A")
    assert "clicked true" in reply.sections["Snapshot"]


async def test_an_element_inside_of_scrollers_is_scrolled_to(
    shared_server: ServerClient, show: Show
) -> None:
    style = "height:150px;overflow:auto"
    gap = "<div style='height:900px'></div>"
    inner = f"<div style='{style}'>{gap}<button {TELL}>A</button></div>"
    page = await show(f"<p id=said></p><div style='{style}'>{gap}{inner}</div>")
    reply = await click(shared_server, page, "A")
    assert "clicked true" in reply.sections["Snapshot"]


async def test_an_element_under_a_sticky_header_is_scrolled_clear_of_it(
    shared_server: ServerClient, show: Show
) -> None:
    header = "<div style='position:fixed;top:0;left:0;right:0;height:100px;background:red'></div>"
    page = await show(
        f"{header}<p id=said></p><button {TELL}>A</button><div style='height:5000px'></div>"
        "<script>onload = () => scrollTo(0, 10)</script>"
        "<style>body { padding-top: 900px }</style>"
    )
    await shared_server.call("browser_evaluate", function="scrollTo(0, 920)")
    reply = await click(shared_server, page, "A")
    assert "clicked true" in reply.sections["Snapshot"]


async def test_an_element_in_a_frame_is_clicked(shared_server: ServerClient, show: Show) -> None:
    inner = "<p id=said></p><div style=height:2000px></div><button {}>A</button>".format(
        TELL.replace('"', "&quot;")
    )
    page = await show(
        f'<div style="height:1500px"></div>'
        f'<iframe style="margin:20px;border:7px solid;padding:5px" srcdoc="{inner}"></iframe>'
    )
    reply = await click(shared_server, page, "A")
    assert "clicked true" in reply.sections["Snapshot"]


async def test_an_element_in_a_shadow_root_is_clicked(
    shared_server: ServerClient, show: Show
) -> None:
    script = (
        "const root = host.attachShadow({mode: 'open'}); root.innerHTML = '<button>A</button>';"
        "root.firstChild.onclick = () => { said.textContent = 'clicked inside' }"
    )
    page = await show(f"<p id=said></p><div id=host></div><script>{script}</script>")
    reply = await click(shared_server, page, "A")
    assert "clicked inside" in reply.sections["Snapshot"]


async def test_an_element_that_is_turned_and_scaled_is_hit(
    shared_server: ServerClient, show: Show
) -> None:
    style = "position:absolute;left:200px;top:200px;transform:rotate(30deg) scale(1.7)"
    page = await show(f"<p id=said></p><button style='{style}' {TELL}>A</button>")
    reply = await click(shared_server, page, "A")
    assert "clicked true" in reply.sections["Snapshot"]


async def test_a_link_that_is_broken_over_two_lines_is_hit(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show(
        f"<p id=said></p><div style='width:120px'>some words "
        f"<a href='#x' {TELL}>and a link broken</a></div>"
    )
    reply = await shared_server.call("browser_click", ref=page.ref("link"))
    assert "clicked true" in reply.sections["Snapshot"]


async def test_a_checkbox_that_its_label_draws_is_clicked(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show(
        "<label style='display:inline-block;padding:9px;position:relative'>Agree"
        "<input type=checkbox style='position:absolute;inset:0;opacity:0'></label>"
    )
    reply = await shared_server.call("browser_click", ref=page.ref("checkbox", "Agree"))
    assert '- checkbox "Agree" [checked]' in reply.sections["Snapshot"]


async def test_an_element_that_is_sliding_in_is_clicked_where_it_stops(
    shared_server: ServerClient, show: Show
) -> None:
    style = (
        "<style>button { position: absolute; animation: in 0.4s linear }"
        "@keyframes in { from { left: 900px } to { left: 8px } }</style>"
    )
    page = await show(f"{style}<p id=said style='margin-top:60px'></p><button {TELL}>A</button>")
    reply = await click(shared_server, page, "A")
    assert "clicked true" in reply.sections["Snapshot"]


async def test_a_form_is_submitted_by_its_button(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    url = site.page("<h1>Thanks</h1>", path="/thanks")
    page = await show("<form action=/thanks><input name=q value=1><button>Send</button></form>")
    reply = await click(shared_server, page, "Send")
    assert f"- Page URL: {url}?q=1" in reply.sections["Page"]
    assert "Thanks" in reply.sections["Snapshot"]


@pytest.mark.parametrize("how", [{"button": "middle"}, {"modifiers": ["ControlOrMeta"]}])
async def test_a_link_that_opens_another_tab_is_reported(
    shared_server: ServerClient, show: Show, site: Site, how: dict[str, Any]
) -> None:
    there = site.page("<h1>There</h1>")
    page = await show(f"<h1>Here</h1><a href={there}>Go</a>")
    reply = await shared_server.call("browser_click", ref=page.ref("link", "Go"), **how)
    assert f"Popup opened as tab 1: {there}" in reply.sections["Events"]
    assert "Page" not in reply.sections  # the tab of the link stays the current one


async def test_an_option_of_a_closed_list_names_the_tool_to_use(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<select><option>A<option id=b>B</select>")
    reply = await shared_server.call("browser_click", ref="#b")
    assert reply.is_error
    assert "Use browser_select_option" in reply.sections["Error"]


@pytest.mark.parametrize(
    ("handler", "reaction"),
    [("", "; no script of the page reacted"), ("onclick='window.clicks = 1'", "")],
)
async def test_a_click_that_the_page_ignores_is_reported(
    shared_server: ServerClient, show: Show, handler: str, reaction: str
) -> None:
    await show(f"<h1 {handler}>Tea</h1><button>Go</button>")
    reply = await shared_server.call("browser_click", ref="h1")
    assert reply.sections["Result"] == f'Clicked heading "Tea"{reaction}'

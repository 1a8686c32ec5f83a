"""browser_scroll_into_view scrolls to the centre and waits for content that loads there."""

from __future__ import annotations

from tests.e2e.conftest import Show
from tests.e2e.support.client import ServerClient
from tests.site import Site

FAR = "<div style='height: 4000px'></div>"


async def test_an_element_is_scrolled_to_the_centre(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show(f"{FAR}<button id=b>Go</button>{FAR}")
    reply = await shared_server.call("browser_scroll_into_view", ref=page.ref("button", "Go"))
    assert reply.sections["Result"] == 'Scrolled button "Go" into view'
    answer = await shared_server.call(
        "browser_evaluate",
        function="() => Math.abs(b.getBoundingClientRect().top - innerHeight / 2) < 30",
    )
    assert answer.sections["Result"] == "true"


async def test_items_that_a_long_list_adds_at_its_end_are_in_the_reply(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    site.respond("/rows", "<li>Row 51</li>")
    page = await show(
        f"{FAR}<ul id=list><li>Row 50</li></ul><a href=#end id=end>End</a><script>"
        "onscroll = () => fetch('/rows').then(r => r.text()).then(t => { list.innerHTML += t });"
        "</script>"
    )
    reply = await shared_server.call("browser_scroll_into_view", ref=page.ref("link", "End"))
    assert "Row 51" in reply.sections["Snapshot"]


async def test_an_element_that_is_not_drawn_is_refused(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<button style='display: none'>Go</button>")
    reply = await shared_server.call("browser_scroll_into_view", ref="button")
    assert reply.is_error
    assert "is not visible" in reply.sections["Error"]


async def test_inside_an_element_is_scrolled_by_pages_and_to_its_ends(
    shared_server: ServerClient, show: Show
) -> None:
    items = "".join(f"<li>Item {number}</li>" for number in range(200))
    page = await show(
        "<ul role=listbox tabindex=0 aria-label=Files style='height: 100px; overflow: auto'>"
        f"{items}</ul>"
    )
    ref = page.ref("listbox", "Files")
    reply = await shared_server.call("browser_scroll_into_view", ref=ref, to="bottom")
    text = reply.sections["Result"]
    assert text.startswith('Scrolled listbox "Files" by ')
    assert text.endswith(" px; it is at the bottom")
    refused = await shared_server.call("browser_scroll_into_view", ref=ref, to="left")
    assert "Nothing scrolls sideways in listbox" in refused.sections["Error"]

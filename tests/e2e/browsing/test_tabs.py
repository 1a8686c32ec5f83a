"""browser_tabs, browser_resize and browser_close, and the tabs that pages open."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.conftest import Show
from tests.e2e.support.client import ServerClient
from tests.site import Site


async def tabs(server: ServerClient, action: str = "list", **arguments: Any) -> list[str]:
    reply = await server.call("browser_tabs", action=action, **arguments)
    assert not reply.is_error, reply.text
    return reply.sections["Result"].splitlines()


async def test_the_list_is_empty_before_the_first_page(server: ServerClient) -> None:
    assert await tabs(server) == ["No open tabs. Navigate to a URL to create one."]


async def test_the_list_has_index_title_and_url(server: ServerClient, site: Site) -> None:
    one, two = site.page("<title>One</title>"), site.page("<title>Two</title>")
    await server.call("browser_navigate", url=one)
    await tabs(server, "new", url=two)
    assert await tabs(server) == [f"- 0: [One]({one})", f"- 1: (current) [Two]({two})"]


async def test_a_page_without_a_title_has_none_in_the_list(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    await show("<h1>One</h1>")
    url = site.page("<h1>Two</h1>")
    assert (await tabs(shared_server, "new", url=url))[1] == f"- 1: (current) []({url})"


async def test_a_new_tab_becomes_the_active_one(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    await show("<h1>One</h1>")
    await tabs(shared_server, "new", url=site.page("<h1>Two</h1>"))
    reply = await shared_server.call("browser_snapshot")
    assert "Two" in reply.sections["Snapshot"]
    assert len(reply.sections["Open tabs"].splitlines()) == 2


async def test_a_new_tab_without_url_is_blank(shared_server: ServerClient, show: Show) -> None:
    await show("<h1>One</h1>")
    assert (await tabs(shared_server, "new"))[1].endswith("(about:blank)")


async def test_a_url_that_is_refused_leaves_no_tab(shared_server: ServerClient, show: Show) -> None:
    await show("<h1>Here</h1>")
    refused = await shared_server.call("browser_tabs", action="new", url="file:///etc/passwd")
    assert refused.is_error
    listed = await shared_server.call("browser_tabs", action="list")
    assert listed.text.count("\n- ") == 1
    assert "Here" in (await shared_server.call("browser_snapshot")).text


async def test_a_single_tab_is_not_listed_in_replies(show: Show) -> None:
    assert "Open tabs" not in (await show("<h1>One</h1>")).sections


async def test_a_selected_tab_is_acted_on(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    await show("<h1>One</h1>")
    await tabs(shared_server, "new", url=site.page("<h1>Two</h1>"))
    listed = await tabs(shared_server, "select", index=0)
    assert listed[0].startswith("- 0: (current) ")
    reply = await shared_server.call("browser_snapshot")
    assert "One" in reply.sections["Snapshot"]


async def test_a_tab_behind_another_can_be_used(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    page = await show(
        "<button onclick=\"setTimeout(() => this.textContent = 'B', 100)\">A</button>"
    )
    await tabs(shared_server, "new", url=site.page("<h1>Two</h1>"))
    await tabs(shared_server, "select", index=0)
    reply = await shared_server.call("browser_click", ref=page.ref("button", "A"), within=10)
    assert 'button "B"' in reply.sections["Snapshot"]


async def test_a_closed_tab_hands_over_to_its_neighbour(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    await show("<title>One</title>")
    await tabs(shared_server, "new", url=site.page("<title>Two</title>"))
    (left,) = await tabs(shared_server, "close", index=1)
    assert left.startswith("- 0: (current) [One]")


async def test_close_without_index_closes_the_active_tab(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    await show("<title>One</title>")
    await tabs(shared_server, "new", url=site.page("<title>Two</title>"))
    (left,) = await tabs(shared_server, "close")
    assert "[One]" in left


@pytest.mark.parametrize("action", ["select", "close"])
async def test_an_index_that_there_is_not_is_refused(
    shared_server: ServerClient, show: Show, action: str
) -> None:
    await show("<h1>One</h1>")
    reply = await shared_server.call("browser_tabs", action=action, index=7)
    assert reply.is_error
    assert "Tab 7 does not exist; there are 1, counted from 0." in reply.sections["Error"]


async def test_select_needs_an_index(shared_server: ServerClient, show: Show) -> None:
    await show("<h1>One</h1>")
    reply = await shared_server.call("browser_tabs", action="select")
    assert reply.is_error
    assert "browser_tabs needs an index for action select." in reply.sections["Error"]


async def test_an_unknown_action_is_refused(shared_server: ServerClient) -> None:
    reply = await shared_server.call("browser_tabs", action="explode")
    assert reply.is_error
    assert "not 'explode'" in reply.sections["Error"]


async def test_a_window_that_a_click_opens_is_reported_and_not_active(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    popup = site.page("<title>Popup</title><h1>New</h1>", path="/popup")
    page = await show("<title>Opener</title><button onclick=\"window.open('/popup')\">A</button>")
    reply = await shared_server.call("browser_click", ref=page.ref("button", "A"))
    assert f"- Popup opened as tab 1: {popup}" in reply.sections["Events"]
    assert "- 0: (current) [Opener]" in reply.sections["Open tabs"]
    assert f"({popup})" in reply.sections["Open tabs"]


async def test_a_link_with_a_blank_target_is_reported(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    popup = site.page("<h1>New</h1>", path="/popup")
    page = await show("<a href=/popup target=_blank>Go</a>")
    reply = await shared_server.call("browser_click", ref=page.ref("link", "Go"))
    assert f"- Popup opened as tab 1: {popup}" in reply.sections["Events"]


@pytest.mark.parametrize("how", [{"modifiers": ["Control"]}, {"button": "middle"}])
async def test_a_click_for_a_new_tab_opens_one(
    shared_server: ServerClient, show: Show, site: Site, how: dict[str, Any]
) -> None:
    popup = site.page("<h1>New</h1>", path="/popup")
    page = await show("<a href=/popup>Go</a>")
    reply = await shared_server.call("browser_click", ref=page.ref("link", "Go"), **how)
    assert f"- Popup opened as tab 1: {popup}" in reply.sections["Events"]
    assert "Page" not in reply.sections  # the tab of the link stays the current one


async def test_a_popup_can_be_selected_and_used(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    site.page("<button onclick=\"document.title = 'Used'\">In popup</button>", path="/popup")
    page = await show("<a href=/popup target=_blank>Go</a>")
    await shared_server.call("browser_click", ref=page.ref("link", "Go"))
    await tabs(shared_server, "select", index=1)
    popup = await shared_server.call("browser_snapshot")
    ref = popup.ref("button", "In popup")
    reply = await shared_server.call("browser_click", ref=ref)
    assert "- Page Title: Used" in reply.sections["Page"]


async def test_a_page_that_closes_itself_is_no_longer_listed(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    site.page("<button onclick=window.close()>Bye</button>", path="/popup")
    page = await show("<title>Opener</title><a href=/popup target=_blank rel=opener>Go</a>")
    await shared_server.call("browser_click", ref=page.ref("link", "Go"))
    await tabs(shared_server, "select", index=1)
    popup = await shared_server.call("browser_snapshot")
    await shared_server.call("browser_click", ref=popup.ref("button", "Bye"), within=10)
    (left,) = await tabs(shared_server)
    assert left.startswith("- 0: (current) [Opener]")


async def test_the_viewport_gets_the_size(shared_server: ServerClient, show: Show) -> None:
    await show("<p id=p></p><script>onresize = () => { p.textContent = innerWidth }</script>")
    reply = await shared_server.call("browser_resize", width=400, height=300)
    seen = await shared_server.call("browser_evaluate", function="innerWidth + 'x' + innerHeight")
    await shared_server.call("browser_resize", width=1280, height=720)
    assert reply.sections["Result"] == "Resized the viewport to 400 x 300"
    assert seen.sections["Result"] == "400x300"


@pytest.mark.parametrize("handler", ["fill()", "setTimeout(fill, 150)"])
async def test_a_resize_shows_the_rows_that_it_brings(
    shared_server: ServerClient, show: Show, handler: str
) -> None:
    fill = f"list.innerHTML = '<li>Row {len(handler)}</li>'.repeat(Math.floor(innerHeight / 100))"
    script = f"const fill = () => {{ {fill} }}; onresize = () => {handler}"
    await show(f"<ul id=list></ul><script>{script}</script>")
    try:
        reply = await shared_server.call("browser_resize", width=400, height=300)
    finally:
        await shared_server.call("browser_resize", width=1280, height=720)
    assert reply.sections["Snapshot"].count(f"Row {len(handler)}") == 3


@pytest.mark.parametrize(("width", "height"), [(0, 300), (300, 16385), (-1, 1)])
async def test_an_invalid_size_is_refused(
    shared_server: ServerClient, width: int, height: int
) -> None:
    reply = await shared_server.call("browser_resize", width=width, height=height)
    assert reply.is_error
    assert "must be an integer from 1 to 16384" in reply.sections["Error"]


async def test_after_close_a_navigation_opens_a_new_page(server: ServerClient, site: Site) -> None:
    url = site.page("<h1>Here</h1>")
    await server.call("browser_navigate", url=url)
    closed = await server.call("browser_close")
    assert closed.sections["Result"] == "Closed the page"
    assert await tabs(server) == ["No open tabs. Navigate to a URL to create one."]
    reply = await server.call("browser_navigate", url=url)
    assert "Here" in reply.sections["Snapshot"]


async def test_close_without_a_page_says_so(server: ServerClient) -> None:
    reply = await server.call("browser_close")
    assert not reply.is_error
    assert reply.sections["Result"] == "No page is open."

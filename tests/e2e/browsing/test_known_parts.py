"""Parts of a site that stay the same from page to page are printed once, and their refs stay."""

from __future__ import annotations

import pytest

from tests.e2e.support.client import ServerClient
from tests.site import Site

LINKS = ("Orders", "Customers", "Products", "Invoices", "Reports", "Settings", "Help center")


@pytest.fixture(autouse=True)
async def fresh_tab(shared_server: ServerClient) -> None:
    """Open a tab in which the agent was shown nothing."""
    await shared_server.call("browser_tabs", action="new")


def page_with(site: Site, content: str, extra: str = "") -> str:
    """Return the URL of a page with the navigation of the site."""
    links = "".join(f"<li><a href='#{name[:3]}'>{name} of the shop</a>" for name in LINKS)
    return site.page(
        f"<title>Shop</title><nav aria-label=Sidebar><ul>{links}{extra}</ul></nav>"
        f"<main>{content}</main><script>addEventListener('click', (event) => {{"
        " document.title = event.target.textContent + ' on ' + location.pathname })</script>"
    )


async def test_the_refs_of_an_equal_region_act_on_the_new_document(
    shared_server: ServerClient, site: Site
) -> None:
    first = await shared_server.call("browser_navigate", url=page_with(site, "<h1>One</h1>"))
    url = page_with(site, "<button>Buy</button>")
    second = await shared_server.call("browser_navigate", url=url)
    assert 'navigation "Sidebar": same as before (e' in second.sections["Snapshot"]
    assert "Invoices" not in second.sections["Snapshot"]
    assert second.ref("button", "Buy")
    reply = await shared_server.call("browser_click", ref=first.ref("link", "Reports of the shop"))
    assert 'Clicked link "Reports of the shop"' in reply.text
    assert f"Reports of the shop on /{url.rsplit('/', 1)[1]}" in reply.text


async def test_a_ref_carries_over_before_the_new_document_is_shown(
    shared_server: ServerClient, site: Site
) -> None:
    first = await shared_server.call("browser_navigate", url=page_with(site, "<h1>One</h1>"))
    reply = await shared_server.call(
        "browser_batch",
        calls=[
            {"tool": "browser_navigate", "arguments": {"url": page_with(site, "<h1>Two</h1>")}},
            {
                "tool": "browser_click",
                "arguments": {"ref": first.ref("link", "Reports of the shop")},
            },
        ],
    )
    assert 'Clicked link "Reports of the shop"' in reply.text


async def test_a_snapshot_that_the_agent_asks_for_is_whole_and_has_the_known_refs(
    shared_server: ServerClient, site: Site
) -> None:
    first = await shared_server.call("browser_navigate", url=page_with(site, "<h1>One</h1>"))
    await shared_server.call("browser_navigate", url=page_with(site, "<h1>Two</h1>"))
    snapshot = await shared_server.call("browser_snapshot")
    for name in LINKS:
        label = f"{name} of the shop"
        assert snapshot.ref("link", label) == first.ref("link", label)
    reply = await shared_server.call("browser_evaluate", function="() => document.body.append('!')")
    assert "No change" not in reply.text


async def test_a_changed_item_among_equal_ones_is_shown(
    shared_server: ServerClient, site: Site
) -> None:
    await shared_server.call("browser_navigate", url=page_with(site, "<h1>One</h1>"))
    url = page_with(site, "<h1>Two</h1>", "<li><a href=/new>New here</a>")
    reply = await shared_server.call("browser_navigate", url=url)
    assert "# same as before: p" in reply.sections["Snapshot"]
    assert reply.ref("link", "New here")


async def test_an_element_that_differs_does_not_get_the_ref_of_another(
    shared_server: ServerClient, site: Site
) -> None:
    row = "<ul><li>{} costs a lot of money <button>Delete</button></ul>"
    first = await shared_server.call("browser_navigate", url=page_with(site, row.format("Tea")))
    delete = first.ref("button", "Delete")
    await shared_server.call("browser_navigate", url=page_with(site, row.format("Pot")))
    reply = await shared_server.call("browser_click", ref=delete)
    assert f"Ref {delete} belongs to a document that is no longer shown" in reply.text


@pytest.mark.parametrize("direction", ["browser_navigate_back", "browser_navigate_forward"])
async def test_refs_are_right_after_the_browser_restored_a_document(
    shared_server: ServerClient, site: Site, direction: str
) -> None:
    one, two = page_with(site, "<h1>One</h1>"), page_with(site, "<h1>Two</h1>")
    first = await shared_server.call("browser_navigate", url=one)
    await shared_server.call("browser_navigate", url=two)
    await shared_server.call("browser_navigate_back")
    if direction == "browser_navigate_forward":
        await shared_server.call(direction)
    path = (two if direction == "browser_navigate_forward" else one).rsplit("/", 1)[1]
    reply = await shared_server.call(
        "browser_click", ref=first.ref("link", "Help center of the shop")
    )
    assert f"Help center of the shop on /{path}" in reply.text


async def test_a_button_of_the_main_part_does_not_act_in_a_document_that_was_not_shown(
    shared_server: ServerClient, site: Site
) -> None:
    buttons = "".join(f"<button>{name} this order</button>" for name in LINKS)
    form = f"<form aria-label=Order>{buttons}</form>"
    first = await shared_server.call("browser_navigate", url=page_with(site, form))
    button = first.ref("button", "Reports this order")
    reply = await shared_server.call(
        "browser_batch",
        calls=[
            {"tool": "browser_navigate", "arguments": {"url": page_with(site, form + "2")}},
            {"tool": "browser_click", "arguments": {"ref": button}},
        ],
    )
    assert f"Ref {button} belongs to a document that is no longer shown" in reply.text
    assert "An equal element of this page has the same ref" in reply.text
    shown = await shared_server.call("browser_navigate", url=page_with(site, form + "3"))
    assert 'form "Order": same as before' in shown.sections["Snapshot"]
    reply = await shared_server.call("browser_click", ref=button)
    assert 'Clicked button "Reports this order"' in reply.text

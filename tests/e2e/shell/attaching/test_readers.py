"""The client and the shell get replies that fit what each of them has seen."""

from __future__ import annotations

import re

import pytest

from tests.e2e.shell.attaching.conftest import SHOP, Attached, open_session, ref
from tests.e2e.support.http_client import HttpServer
from tests.site import Site

pytestmark = pytest.mark.time_limit(60)

ROWS = "".join(f"<li>Order {n} <button aria-label='Delete order {n}'>X</button>" for n in range(12))


async def test_each_reader_gets_the_changes_since_its_own_last_look(
    attached: Attached, server: HttpServer, site: Site
) -> None:
    async with open_session(server) as client:
        opened = (await client.call("browser_navigate", url=site.page(SHOP))).text
        seen = await attached.text("snapshot")
        assert "Tea number 29" in seen
        # The refs are those of the client, and so is the page.
        assert ref(seen, 'textbox "Name"') == ref(opened, 'textbox "Name"')
        await attached.text("type", ref(seen, 'textbox "Name"'), "Anna")
        sold = await attached.text("click", ref(seen, 'button "Order"'))
        assert "Sold to Anna" in sold
        assert 'textbox "Name"' not in sold  # this reader knows it
        # The client has seen neither of the two changes, which the shell's replies showed.
        reply = await client.call("browser_hover", ref=ref(opened, 'button "Order"'))
        assert reply.sections["Snapshot"].startswith("Changes on the page:")
        assert "Sold to Anna" in reply.text
        assert re.search(r'<changed> textbox "Name".*Anna', reply.text)
        assert "Tea number 7" not in reply.text
        assert "- Meanwhile the shell called browser_type, browser_click" in reply.text
        # And the other way round.
        await client.call("browser_type", ref=ref(opened, 'textbox "Name"'), text="Ben")
        await client.call("browser_click", ref=ref(opened, 'button "Order"'))
        after = await attached.text("hover", ref(seen, 'button "Check"'))
        assert "Changes on the page:" in after
        assert "Sold to Ben" in after
        assert "Tea number 7" not in after
        assert "Meanwhile the MCP client called browser_hover, browser_type, browser_click" in after
        again = await client.call("browser_hover", ref=ref(opened, 'button "Order"'))
        assert "Sold to" not in again.text
        assert "- Meanwhile the shell called browser_hover" in again.text


async def test_what_one_reply_reports_once_reaches_the_other_reader(
    attached: Attached, server: HttpServer, site: Site
) -> None:
    async with open_session(server) as client:
        opened = (await client.call("browser_navigate", url=site.page(SHOP))).text
        assert "Stock is low" in await attached.text("click", ref(opened, 'button "Check"'))
        reply = await client.call("browser_hover", ref=ref(opened, 'button "Order"'))
        assert "- Console error: Stock is low" in reply.sections["Events"]
        assert "- Page Title: Clicked" in reply.text
        again = await client.call("browser_hover", ref=ref(opened, 'button "Check"'))
        assert "Stock is low" not in again.text


async def test_a_ref_does_not_act_on_a_page_that_only_the_shell_has_seen(
    attached: Attached, server: HttpServer, site: Site
) -> None:
    first = site.page(f"<title>Ben's orders</title><main><ul>{ROWS}</ul></main>")
    second = site.page(f"<title>Anna's orders</title><main><ul>{ROWS}</ul></main>")
    async with open_session(server) as client:
        opened = (await client.call("browser_navigate", url=first)).text
        ref_of_row = ref(opened, 'button "Delete order 3"')
        printed = await attached.text("open", second)
        assert "Anna's orders" in printed
        # The equal element has the same ref.
        assert ref(printed, 'button "Delete order 3"') == ref_of_row
        reply = await client.call("browser_click", ref=ref_of_row)
        assert reply.is_error
        assert "belongs to a document that is no longer shown" in reply.text
        assert "Repeat the call to act on it." in reply.text
        assert "- Page Title: Anna's orders" in reply.text
        assert not (await client.call("browser_click", ref=ref_of_row)).is_error


async def test_a_navigation_by_the_shell_is_an_event_of_a_reply_without_an_address(
    attached: Attached, server: HttpServer, site: Site
) -> None:
    async with open_session(server) as client:
        await client.call("browser_navigate", url=site.page("<h1>One</h1>", path="/one"))
        await attached.text("open", site.page("<h1>Two</h1>", path="/two"))
        reply = await client.call("browser_console_messages")
        assert re.search(r"- Navigated to \S+/two$", reply.text, re.MULTILINE)
        assert "/two" not in (await client.call("browser_console_messages")).text


async def test_a_batch_reads_the_standard_input_of_the_shell(
    attached: Attached, server: HttpServer, site: Site
) -> None:
    async with open_session(server) as client:
        opened = await client.call("browser_navigate", url=site.page(SHOP))
        steps = f"type {ref(opened.text, 'textbox')} Cleo\nclick {ref(opened.text, 'Order')}\n"
        assert "Sold to Cleo" in await attached.text("batch", stdin=steps)
        reply = await client.call("browser_hover", ref=ref(opened.text, 'button "Order"'))
        assert "the shell called browser_type, browser_click" in reply.text

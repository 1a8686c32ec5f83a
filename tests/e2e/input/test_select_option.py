"""browser_select_option: the selection afterwards, and its reply."""

from __future__ import annotations

from tests.e2e.conftest import Show
from tests.e2e.support.client import ServerClient
from tests.site import Site

CITIES = """<select id=s aria-label=City><option value=b>Berlin<option value=r>Rome</select>
<p id=p></p><script>s.onchange = () => fetch('/about').then((r) => r.text())
  .then((t) => { p.textContent = t })</script>"""
CUSTOM = """<div id=c role=combobox aria-label=City aria-expanded=false tabindex=0>Berlin</div>
<script>c.onclick = () => {
  document.body.insertAdjacentHTML('beforeend', '<ul id=l role=listbox><li role=option>Berlin' +
    '<li role=option>Rome</ul>')
  l.onclick = (event) => { c.textContent = event.target.textContent; l.remove() } }</script>"""


async def test_an_option_is_selected_and_the_content_that_it_loads_is_shown(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    site.respond("/about", "Seven hills")
    page = await show(CITIES)
    ref = page.ref("combobox", "City")
    reply = await shared_server.call("browser_select_option", ref=ref, values=["Rome"])
    assert reply.sections["Result"] == 'Selected "Rome" in combobox "City"'
    assert "Seven hills" in reply.sections["Snapshot"]


async def test_an_option_that_is_not_there_is_refused(
    shared_server: ServerClient, show: Show
) -> None:
    await show(CITIES)
    reply = await shared_server.call("browser_select_option", ref="#s", values=["Oslo"])
    assert reply.is_error
    assert 'has no option "Oslo". It has "Berlin", "Rome".' in reply.sections["Error"]


async def test_a_list_that_the_page_draws_is_opened_and_chosen_from(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show(CUSTOM)
    ref = page.ref("combobox", "City")
    reply = await shared_server.call("browser_select_option", target=ref, values=["Rome"])
    assert reply.sections["Result"] == 'Selected "Rome" in combobox "City"'
    assert "Rome" in reply.sections["Snapshot"]


async def test_a_heading_offers_no_choice(shared_server: ServerClient, show: Show) -> None:
    await show("<h1>Title</h1>")
    reply = await shared_server.call("browser_select_option", ref="h1", values=["x"])
    assert reply.is_error
    assert 'heading "Title" is not a list of options' in reply.sections["Error"]

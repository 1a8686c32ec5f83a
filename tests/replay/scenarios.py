"""What is recorded: sessions of tool calls, with the pages that they are at.

Each is short, and shows replies that a change of the server may change by mistake.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType

from tests.replay.told import Told
from tests.site import Site

SHOP = """<!doctype html><title>Shop</title><h1>Shop</h1>
<form action="/thanks" method="post">
  <label>Name <input name="name"></label>
  <label>Password <input name="password" type="password"></label>
  <label>Size <select name="size"><option>small</option><option>large</option></select></label>
  <label><input type="checkbox" name="gift"> A gift</label>
  <button>Order</button>
</form>
<button id="more">More</button> <button id="ask">Ask</button> <ul></ul>
<script>
  more.onclick = async () => {
    const answer = await fetch('/stock');
    document.querySelector('ul').innerHTML = `<li>${await answer.text()}</li>`;
    console.log('loaded', {items: 1});
  };
  ask.onclick = () => { document.title = confirm('Sure?') ? 'Yes' : 'No'; };
  setTimeout(() => document.body.append('Late'), 300);
  console.error('A trap');
</script>"""

FRAMES = """<!doctype html><title>Frames</title><h1>Outside</h1>
<iframe src="/inner" title="Inner"></iframe>
<a href="/popup" target="_blank">Open</a>
<button onclick="this.remove()">Leave</button>
<div id="host"></div>
<script>
  host.attachShadow({mode: 'closed'}).innerHTML = '<button>In the shadow</button>';
</script>"""

TROUBLE = """<!doctype html><title>Trouble</title>
<style>#cover { position: fixed; inset: 0; background: #0008 }</style>
<button id="under">Under</button> <button disabled>Never</button>
<div id="cover" role="dialog" aria-label="Cookies"><button>Accept</button></div>
<script>
  cover.querySelector('button').onclick = () => cover.remove();
  under.onclick = () => { throw new Error('Under it'); };
</script>"""


async def shop(told: Told, site: Site) -> None:
    """A little of everything."""
    url = site.page(SHOP, path="/shop")
    site.respond("/stock", "Apples")
    site.page("<title>Thanks</title><h1>Thanks</h1><a href=/shop>Back</a>", path="/thanks")
    page = await told.call("browser_navigate", url=url)
    name, password = page.ref("textbox", "Name"), page.ref("textbox", "Password")
    gift, more = page.ref("checkbox", "A gift"), page.ref("button", "More")
    await told.call("browser_snapshot")
    await told.call("browser_wait_for", text="Late")
    await told.call("browser_click", element="More", ref=more)
    await told.call("browser_console_messages")
    await told.call("browser_network_requests")
    await told.call("browser_type", element="Name", ref=name, text="Ada")
    fields = [
        {"name": "Password", "type": "textbox", "ref": password, "value": "open sesame"},
        {"name": "A gift", "type": "checkbox", "ref": gift, "value": "true"},
    ]
    await told.call("browser_fill_form", fields=fields)
    size = page.ref("combobox", "Size")
    await told.call("browser_select_option", element="Size", ref=size, values=["large"])
    await told.call("browser_click", element="Ask", ref=page.ref("button", "Ask"))
    await told.call("browser_handle_dialog", accept=True)
    await told.call("browser_evaluate", function="() => ({title: document.title, list: [1, 2]})")
    await told.call("browser_take_screenshot", filename="shop.png")
    await told.call("browser_tabs", action="new")
    await told.call("browser_tabs", action="list")
    await told.call("browser_tabs", action="select", index=0)
    await told.call("browser_press_key", key="Tab")
    await told.call("browser_hover", element="More", ref=more)
    await told.call("browser_click", element="Order", ref=page.ref("button", "Order"))
    await told.call("browser_click", element="Name", ref=name)  # is gone
    await told.call("browser_navigate_back")
    await told.call("browser_evaluate", function="() => nothing.there")
    await told.call("browser_tabs", action="close", index=1)


async def frames(told: Told, site: Site) -> None:
    """Frames, closed shadow roots, popups, refs that are gone."""
    url = site.page(FRAMES, path="/frames")
    site.page("<title>Inner</title><button>Inside</button>", path="/inner")
    site.page("<title>Popup</title><h1>Popped up</h1>", path="/popup")
    page = await told.call("browser_navigate", url=url)
    leave = page.ref("button", "Leave")
    await told.call("browser_click", ref=page.ref("button", "Inside"))
    await told.call("browser_click", ref=page.ref("button", "In the shadow"))
    await told.call("browser_click", ref=leave)
    await told.call("browser_click", ref=leave)  # is gone
    await told.call("browser_click", ref=page.ref("link", "Open"))
    await told.call("browser_snapshot")
    await told.call("browser_close")
    await told.call("browser_find", text="Outside")


async def trouble(told: Told, site: Site) -> None:
    """What goes wrong, and what the agent is told of it."""
    url = site.page(TROUBLE, path="/trouble")
    page = await told.call("browser_navigate", url=url)
    under = page.ref("button", "Under")
    await told.call("browser_click", ref=under)  # is covered
    await told.call("browser_click", ref=page.ref("button", "Accept"))
    await told.call("browser_click", ref=under)  # throws
    await told.call("browser_click", ref="button[disabled]")
    await told.call("browser_click", ref="button")  # two of them
    await told.call("browser_click", ref="e99")
    await told.call("browser_console_messages")
    url = site.page("<title>No</title><h1>Nothing here</h1>", path="/nowhere", status=404)
    await told.call("browser_navigate", url=url)
    await told.call("browser_network_request", index=1)
    await told.call("browser_navigate", url="http://127.0.0.1:1/")
    await told.call("browser_type", ref="e1")  # no text


async def contexts(told: Told, site: Site) -> None:
    """Two contexts that know nothing of each other."""
    url = site.page(
        "<h1>Who?</h1><p id=w></p><script>w.textContent = localStorage.who ||= 'nobody'</script>",
        path="/who",
    )
    await told.call("browser_navigate", url=url)
    await told.call("browser_evaluate", function="() => { localStorage.who = 'Ada' }")
    await told.call("browser_context_create", name="other")
    await told.call("browser_navigate", url=url, context="other")
    await told.call("browser_context_list")
    await told.call("browser_navigate", url=url, context="default")
    await told.call("browser_context_close", name="other")
    await told.call("browser_snapshot", context="other")


SCENARIOS: Mapping[str, Callable[[Told, Site], Awaitable[None]]] = MappingProxyType(
    {each.__name__: each for each in (shop, frames, trouble, contexts)}
)

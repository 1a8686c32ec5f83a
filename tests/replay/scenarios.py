"""The recorded sessions: tool calls and the pages they use.

Each is short, and has replies that a change of the server may change by mistake.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType

from tests.replay.recorded_session import RecordedSession
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


async def shop(session: RecordedSession, site: Site) -> None:
    """Use a bit of everything in a shop."""
    url = site.page(SHOP, path="/shop")
    site.respond("/stock", "Apples")
    site.page("<title>Thanks</title><h1>Thanks</h1><a href=/shop>Back</a>", path="/thanks")
    page = await session.call("browser_navigate", url=url)
    name, password = page.ref("textbox", "Name"), page.ref("textbox", "Password")
    gift, more = page.ref("checkbox", "A gift"), page.ref("button", "More")
    await session.call("browser_snapshot")
    await session.call("browser_wait_for", text="Late")
    await session.call("browser_click", element="More", ref=more)
    await session.call("browser_console_messages")
    await session.call("browser_network_requests")
    await session.call("browser_type", element="Name", ref=name, text="Ada")
    fields = [
        {"name": "Password", "type": "textbox", "ref": password, "value": "open sesame"},
        {"name": "A gift", "type": "checkbox", "ref": gift, "value": "true"},
    ]
    await session.call("browser_fill_form", fields=fields)
    size = page.ref("combobox", "Size")
    await session.call("browser_select_option", element="Size", ref=size, values=["large"])
    await session.call("browser_click", element="Ask", ref=page.ref("button", "Ask"))
    await session.call("browser_handle_dialog", accept=True)
    await session.call("browser_evaluate", function="() => ({title: document.title, list: [1, 2]})")
    await session.call("browser_take_screenshot", filename="shop.png")
    await session.call("browser_tabs", action="new")
    await session.call("browser_tabs", action="list")
    await session.call("browser_tabs", action="select", index=0)
    await session.call("browser_press_key", key="Tab")
    await session.call("browser_hover", element="More", ref=more)
    await session.call("browser_click", element="Order", ref=page.ref("button", "Order"))
    await session.call("browser_click", element="Name", ref=name)  # its element was removed
    await session.call("browser_navigate_back")
    await session.call("browser_evaluate", function="() => nothing.there")
    await session.call("browser_tabs", action="close", index=1)


async def frames(session: RecordedSession, site: Site) -> None:
    """Use frames, closed shadow roots, popups and stale refs."""
    url = site.page(FRAMES, path="/frames")
    site.page("<title>Inner</title><button>Inside</button>", path="/inner")
    site.page("<title>Popup</title><h1>Popped up</h1>", path="/popup")
    page = await session.call("browser_navigate", url=url)
    leave = page.ref("button", "Leave")
    await session.call("browser_click", ref=page.ref("button", "Inside"))
    await session.call("browser_click", ref=page.ref("button", "In the shadow"))
    await session.call("browser_click", ref=leave)
    await session.call("browser_click", ref=leave)  # its element was removed
    await session.call("browser_click", ref=page.ref("link", "Open"))
    await session.call("browser_snapshot")
    await session.call("browser_close")  # the tab of the user, which stays open
    await session.call("browser_tabs", action="close", index=0)
    await session.call("browser_find", text="Outside")


async def trouble(session: RecordedSession, site: Site) -> None:
    """Cause errors, and record what the replies report."""
    url = site.page(TROUBLE, path="/trouble")
    page = await session.call("browser_navigate", url=url)
    under = page.ref("button", "Under")
    await session.call("browser_click", ref=under)  # is covered
    await session.call("browser_click", ref=page.ref("button", "Accept"))
    await session.call("browser_click", ref=under)  # throws
    await session.call("browser_click", ref="button[disabled]")
    await session.call("browser_click", ref="button")  # two of them
    await session.call("browser_click", ref="e99")
    await session.call("browser_console_messages")
    url = site.page("<title>No</title><h1>Nothing here</h1>", path="/nowhere", status=404)
    await session.call("browser_navigate", url=url)
    await session.call("browser_network_request", index=1)
    await session.call("browser_navigate", url="http://127.0.0.1:1/")
    await session.call("browser_type", ref="e1")  # no text


async def contexts(session: RecordedSession, site: Site) -> None:
    """Use two isolated contexts."""
    url = site.page(
        "<h1>Who?</h1><p id=w></p><script>w.textContent = localStorage.who ||= 'nobody'</script>",
        path="/who",
    )
    await session.call("browser_navigate", url=url)
    await session.call("browser_evaluate", function="() => { localStorage.who = 'Ada' }")
    await session.call("browser_context_create", name="other")
    await session.call("browser_navigate", url=url, context="other")
    await session.call("browser_context_list")
    await session.call("browser_navigate", url=url, context="default")
    await session.call("browser_context_close", name="other")
    await session.call("browser_snapshot", context="other")


SCENARIOS: Mapping[str, Callable[[RecordedSession, Site], Awaitable[None]]] = MappingProxyType(
    {each.__name__: each for each in (shop, frames, trouble, contexts)}
)

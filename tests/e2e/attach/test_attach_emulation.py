"""browser_emulate in the user's browser, which gets everything back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.e2e.conftest import StartServer
from tests.e2e.support.users_browser import UserBrowser
from tests.site import Site

SEEN = """navigator.permissions.query({ name: 'geolocation' }).then(found => [
  navigator.userAgent.includes('iPhone'), innerWidth, devicePixelRatio, navigator.maxTouchPoints,
  Intl.DateTimeFormat().resolvedOptions().timeZone, (1234.5).toLocaleString(), navigator.onLine,
  found.state].join())"""
PHONE = "true,393,3,5,Asia/Tokyo,1.234,5,true,granted"


async def look(user_browser: UserBrowser, target_id: str) -> str:
    """Return what a page perceives, without the server."""
    async with user_browser.act_as_user() as connection:
        session = await connection.root.attach(target_id)
        found = await session.Runtime.evaluate(expression=SEEN, awaitPromise=True)
        return str(found["result"]["value"])


async def test_the_tab_of_the_agent_changes_until_the_reset_or_the_end_of_the_server(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    html = "<meta name=viewport content='width=device-width'><title>{}</title>"
    urls = [site.page(html.format(f"Tab {name}")) for name in "ab"]
    used, unused = await user_browser.open_tabs(*urls)
    before = [await look(user_browser, used), await look(user_browser, unused)]
    async with open_server(
        f"--cdp-endpoint={user_browser.port}", "--caps=devtools", cwd=tmp_path
    ) as server:
        await server.initialize()
        listed = (await server.call("browser_tabs", action="list")).sections["Result"]
        index = next(i for i, line in enumerate(listed.splitlines()) if "[Tab a]" in line)
        await server.call("browser_tabs", action="select", index=index)
        phone: dict[str, Any] = {
            "device": "iPhone 15",
            "timezone": "Asia/Tokyo",
            "locale": "de-DE",
            "geolocation": "1,2",
            "cpuThrottling": 2,
            "network": "Fast 4G",
        }
        assert not (await server.call("browser_emulate", **phone)).is_error
        assert await look(user_browser, used) == PHONE
        assert await look(user_browser, unused) == before[1].replace("prompt", "granted")
        assert not (await server.call("browser_emulate", reset=True)).is_error
        assert await look(user_browser, used) == before[0]
        assert not (await server.call("browser_emulate", **phone)).is_error
        assert await look(user_browser, used) == PHONE
    # The browser resizes the tab some time after the server has left it.
    while await look(user_browser, used) != before[0]:
        pass  # the time limit of the test ends it
    assert await look(user_browser, unused) == before[1]

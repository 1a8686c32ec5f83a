"""Tabs of the user's browser that the agent closes, and pages of the browser itself."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.conftest import StartServer
from tests.e2e.support.users_browser import Targets, UserBrowser
from tests.site import Site


def urls(tabs: Targets) -> list[str]:
    return [tab["url"] for tab in tabs]


async def test_a_tab_of_the_user_closes_only_with_its_index(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    url = site.page("<title>Agent</title><h1>Agent's page</h1>")
    async with open_server(f"--cdp-endpoint={user_browser.port}", cwd=tmp_path) as server:
        left_open = await server.call("browser_close")
        assert not left_open.is_error
        assert left_open.sections["Result"] == (
            "Left tab 0 open: the user opened it, not you. To close it nevertheless, use "
            "browser_tabs with action close and index 0."
        )
        refused = await server.call("browser_tabs", action="close")
        assert refused.is_error
        assert "Tab 0 was opened by the user, not by you." in refused.sections["Error"]
        assert "Pass index 0 to close it." in refused.sections["Error"]
        assert urls(await user_browser.pages()) == [user_browser.url]

        await server.call("browser_tabs", action="new", url=url)
        assert (await server.call("browser_close")).sections["Result"] == "Closed the page"
        await user_browser.wait_for_tabs(lambda tabs: urls(tabs) == [user_browser.url])

        await server.call("browser_tabs", action="new", url=url)
        closed = await server.call("browser_tabs", action="close", index=0)
        assert closed.sections["Result"] == f"- 0: (current) [Agent]({url})"
        await user_browser.wait_for_tabs(lambda tabs: urls(tabs) == [url])


async def test_a_popup_that_an_action_opened_in_a_tab_of_the_user_is_the_agents(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    popup = site.page("<title>Popup</title>", path="/popup")
    opener = site.page("<a href=/popup target=_blank>Go</a>")
    async with open_server(f"--cdp-endpoint={user_browser.port}", cwd=tmp_path) as server:
        page = await server.call("browser_navigate", url=opener)
        await server.call("browser_click", ref=page.ref("link", "Go"))
        await server.call("browser_tabs", action="select", index=1)
        assert (await server.call("browser_close")).sections["Result"] == "Closed the page"
        await user_browser.wait_for_tabs(lambda tabs: popup not in urls(tabs))
        await server.call("browser_tabs", action="list")
        assert "Left tab 0 open" in (await server.call("browser_close")).sections["Result"]


async def test_the_users_page_of_the_browser_is_shown_but_no_other_is_opened(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    (target_id,) = await user_browser.open_tabs("chrome://version")
    async with user_browser.act_as_user() as connection:
        await connection.root.Target.activateTarget(targetId=target_id)
    await user_browser.wait_for_tabs(lambda tabs: tabs[0]["id"] == target_id)
    async with open_server(f"--cdp-endpoint={user_browser.port}", cwd=tmp_path) as server:
        shown = await server.call("browser_snapshot")
        assert "User Agent" in shown.sections["Snapshot"]
        refused = await server.call("browser_navigate", url="chrome://settings")
        assert "chrome://settings is not allowed" in refused.sections["Error"]
        assert "chrome://version" in refused.sections["Page"]
        there = await server.call("browser_navigate", url=site.page("<h1>Elsewhere</h1>"))
        assert "Elsewhere" in there.sections["Snapshot"]
        back = await server.call("browser_navigate_back")
        assert "chrome://version" in back.sections["Page"]

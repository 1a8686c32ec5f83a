"""The page that each window shows, according to the browser's tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from viewpoint_mcp.browser.tabs.foreground_tab import find_foreground_pages

if TYPE_CHECKING:
    from cdp_protocol.types.target import TargetInfo


def info(kind: str, number: str, url: str, **more: Any) -> TargetInfo:
    info = {
        "targetId": f"{kind} {number}",
        "type": kind,
        "title": "",
        "url": url,
        "attached": False,
        "canAccessOpener": False,
        "browserContextId": "own",
    }
    return cast("TargetInfo", {**info, **more})


def tab(number: str, url: str, *, active: bool, **more: Any) -> TargetInfo:
    return info("tab", number, url, embedderData={"tabActive": active}, **more)


def test_a_page_is_found_by_the_title_and_url_of_its_tab() -> None:
    infos = [
        *(info("page", "1", "a:"), info("page", "2", "b:")),
        *(tab("1", "b:", active=True), tab("2", "a:", active=False)),
    ]
    assert find_foreground_pages(infos) == {"page 2"}


def test_tabs_with_the_same_title_and_url_are_distinguished_by_their_order() -> None:
    infos = [
        *(info("page", "1", "a:"), info("page", "2", "a:"), info("page", "3", "a:")),
        *(tab("1", "a:", active=False), tab("2", "a:", active=True), tab("3", "a:", active=False)),
    ]
    assert find_foreground_pages(infos) == {"page 2"}


def test_each_window_shows_a_page() -> None:
    other = {"browserContextId": "other"}
    infos = [
        *(info("page", "1", "a:"), info("page", "2", "a:", **other)),
        *(tab("1", "a:", active=True), tab("2", "a:", active=True, **other)),
    ]
    assert find_foreground_pages(infos) == {"page 1", "page 2"}


def test_a_prerendered_page_is_not_the_page_of_its_tab() -> None:
    infos = [
        *(info("page", "1", "a:", subtype="prerender"), info("page", "2", "a:")),
        tab("1", "a:", active=True),
    ]
    assert find_foreground_pages(infos) == {"page 2"}


def test_a_browser_without_tab_targets_shows_no_page() -> None:
    infos = [info("page", "1", "a:"), info("tab", "1", "a:"), tab("2", "b:", active=True)]
    assert find_foreground_pages(infos) == set()

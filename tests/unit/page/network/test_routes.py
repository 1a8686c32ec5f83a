"""The parsing of routes, without a browser."""

from __future__ import annotations

import time
from typing import Any, get_args

import pytest

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.page.routing.paused_request import is_preflight, list_response_headers
from viewpoint_mcp.page.routing.route import ABORT_REASONS, Route, RouteAction, parse_headers
from viewpoint_mcp.page.routing.url_glob import UrlGlob
from viewpoint_mcp.tools.browser.network_control import AbortReason


# The function of Playwright that playwright-mcp 0.0.83 uses gives the same results.
@pytest.mark.parametrize(
    ("pattern", "matched", "not_matched"),
    [
        ("**", ["http://a/", "https://a.test/b?c=d"], []),
        ("**/*", ["http://a/", "https://a.test/b/c"], []),
        ("**/api/users", ["http://a/api/users", "http://a/b/api/users"], ["http://a/api/users/1"]),
        ("**/api/users", [], ["http://a/api/users?x=1", "http://a/xapi/users"]),
        ("**/api/*", ["http://a/api/x"], ["http://a/api/x/y"]),
        ("**/api/**", ["http://a/api/x/y", "http://a/api/"], ["http://a/api"]),
        ("**/*.{png,jpg}", ["http://a/b.png", "http://a/b/c.jpg"], ["http://a/b.gif"]),
        ("http://a/**/c", ["http://a/c", "http://a/b/c", "http://a/b/b/c"], ["http://a/bc"]),
        ("http://a/x**/c", ["http://a/x/c", "http://a/xb/b/c"], ["http://a/c"]),
        ("http://a/b?c", ["http://a/b?c"], ["http://a/bXc"]),
        (r"http://a/\*\?", ["http://a/*?"], ["http://a/b?"]),
        ("http://a/[b]", ["http://a/[b]"], ["http://a/b"]),
        ("http://A.Test:80", ["http://a.test/"], ["http://a.test/b"]),
        ("https://A.test:443/B", ["https://a.test/B"], ["https://a.test/b"]),
        ("http://a?b=c", ["http://a/?b=c"], []),
        ("http*://a/", ["http://a/", "https://a/"], ["ftp://a/"]),
        ("http://{a,b.c}/{x,*.y}", ["http://a/x", "http://b.c/z.y"], ["http://a/y"]),
        ("http://a/b,c", ["http://a/b,c"], []),
        ("http://a/ä ö", ["http://a/%C3%A4%20%C3%B6"], []),
        ("/api", [], ["http://a/api"]),
        ("*.png", [], ["http://a/b.png"]),
    ],
)
def test_a_glob_matches_the_whole_url(
    pattern: str, matched: list[str], not_matched: list[str]
) -> None:
    glob = UrlGlob(pattern)
    assert [url for url in matched + not_matched if glob.matches(url)] == matched


@pytest.mark.parametrize("pattern", ["", "http://a/{b", "http://a/b}", "{a,{b}}", "*" * 2001])
def test_a_malformed_glob_is_refused(pattern: str) -> None:
    with pytest.raises(CallError, match="pattern"):
        UrlGlob(pattern)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("**/api/users", "*/api/users"),
        ("http://a/b", "http://a/b"),
        ("http://a/b?c", r"http://a/b\?c"),
        ("**/a*b*c", "*c"),
        ("http://a/*.{png,jpg}", "http://a/*"),
        (r"**/\*", r"*/\*"),
        ("http://a/**/c", "http://a/*c"),
    ],
)
def test_chromium_gets_a_pattern_with_at_most_one_star(pattern: str, expected: str) -> None:
    assert UrlGlob(pattern).chromium_pattern == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        *(("**", True), ("http://a/", True), ("{http,https}://a/", True), ("*://a/**", True)),
        *(("/api", False), ("*.png", False), ("api/users", False), ("file:///x", True)),
    ],
)
def test_a_glob_that_no_url_matches_is_recognised(pattern: str, expected: bool) -> None:
    assert UrlGlob(pattern).can_match is expected


@pytest.mark.timing
def test_a_glob_with_many_stars_is_matched_in_linear_time() -> None:
    glob = UrlGlob("http://x/" + "**a*a" * 30 + "b")
    began = time.perf_counter()
    assert not glob.matches("http://x/" + "a" * 20_000)
    assert time.perf_counter() - began < 1


def test_headers_are_parsed() -> None:
    assert parse_headers(["A: b:c", "X-D:"]) == (("A", "b:c"), ("X-D", ""))
    with pytest.raises(CallError, match='Invalid header "nothing": expected "Name: Value"'):
        parse_headers(["nothing"])


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ({"status": 200, "headers": (("A b", "c"),)}, 'Invalid header "A b"'),
        ({"status": 200, "headers": (("A", "b\nC: d"),)}, 'Invalid header "A"'),
        ({"status": 200, "content_type": "a\r\nB: c"}, "contentType"),
        ({"headers": (("Host", "a"),)}, "header Host cannot be changed"),
        ({"removed_headers": ("sec-fetch-mode",)}, "header sec-fetch-mode cannot be changed"),
        ({"removed_headers": ("Accept-Encoding",)}, "Accept-Encoding cannot be removed"),
    ],
)
async def test_headers_that_chromium_would_refuse_are_errors(
    action: dict[str, Any], message: str
) -> None:
    with pytest.raises(CallError, match=message):
        await Route.make("**", RouteAction(**action), is_regex=False)


async def test_a_malformed_regular_expression_is_an_error() -> None:
    with pytest.raises(CallError, match=r"regex a\( is malformed"):
        await Route.make("a(", RouteAction(), is_regex=True)


async def test_a_regular_expression_is_matched_until_its_route_is_closed() -> None:
    route = await Route.make("/B+/i", RouteAction(), is_regex=True)
    try:
        assert [await route.matches(url) for url in ("http://a/b", "http://a/c")] == [True, False]
    finally:
        await route.close()
    with pytest.raises(CallError, match="no longer evaluated"):
        await route.matches("http://a/b")
    assert not await route.matches("http://a/b")


@pytest.mark.parametrize(
    ("url", "origin", "given", "expected"),
    [
        ("http://a:1/x", "http://a:1", (), None),
        ("http://a:1/x", "http://b", (), "http://b"),
        ("http://a:1/x", "null", (), "null"),
        ("http://a:1/x", None, (), None),
        ("http://a:1/x", "http://b", (("access-control-allow-origin", "*"),), "*"),
    ],
)
def test_a_response_for_another_origin_gets_cors_headers(
    url: str, origin: str | None, given: tuple[tuple[str, str], ...], expected: str | None
) -> None:
    headers = {} if origin is None else {"Origin": origin}
    request: Any = {"url": url, "method": "GET", "headers": headers}
    sent = list_response_headers(RouteAction(status=200, headers=given), request)
    found = {each["name"].lower(): each["value"] for each in sent}
    assert found.get("access-control-allow-origin") == expected


def test_only_a_request_of_the_browser_itself_is_a_preflight() -> None:
    request: Any = {"url": "http://a/", "method": "OPTIONS", "headers": {}}
    assert not is_preflight(request)
    request["headers"] = {"Access-Control-Request-Method": "PUT"}
    assert is_preflight(request)


def test_the_tool_offers_every_reason_to_abort() -> None:
    assert set(get_args(AbortReason)) == set(ABORT_REASONS)

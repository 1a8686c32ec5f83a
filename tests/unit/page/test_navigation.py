"""URLs as clients write them, completed and checked."""

from __future__ import annotations

import pytest

from viewpoint_mcp.errors import BlockedError, CallError
from viewpoint_mcp.page.navigation import explain_network_error
from viewpoint_mcp.page.network.url_to_open import complete_url


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("example.com", "https://example.com"),
        ("example.com/a?b=c#d", "https://example.com/a?b=c#d"),
        ("example.com:8080", "https://example.com:8080"),
        ("example.com:8080/x", "https://example.com:8080/x"),
        ("EXAMPLE.com", "https://EXAMPLE.com"),
        ("localhost", "http://localhost"),
        ("localhost:3000", "http://localhost:3000"),
        ("LocalHost:3000/x", "http://LocalHost:3000/x"),
        ("localhost?x=1", "http://localhost?x=1"),
        ("127.0.0.1", "http://127.0.0.1"),
        ("127.0.0.1:8000/x", "http://127.0.0.1:8000/x"),
        ("[::1]:80", "http://[::1]:80"),
        ("[::1]", "http://[::1]"),
        ("localhost.example.com", "https://localhost.example.com"),
        ("localhoster", "https://localhoster"),
        ("https://example.com/", "https://example.com/"),
        ("HTTP://example.com", "HTTP://example.com"),
        ("  https://example.com  ", "https://example.com"),
        ("bücher.example/ä", "https://bücher.example/ä"),
        ("https://例え.jp", "https://例え.jp"),
        ("https://user:pass@example.com/", "https://user:pass@example.com/"),
        ("about:blank", "about:blank"),
        ("data:text/html,<h1>a b</h1>", "data:text/html,<h1>a b</h1>"),
        ("DATA:text/html,<h1>a b</h1>", "DATA:text/html,<h1>a b</h1>"),
        ("about:blank#a", "about:blank#a"),
        ("ABOUT:blank?a", "ABOUT:blank?a"),
        ("chrome.example", "https://chrome.example"),
        ("edgy:8080", "https://edgy:8080"),
        ("blob:https://example.com/x", "blob:https://example.com/x"),
        ("https://example.com/?q=a b", "https://example.com/?q=a b"),
        ("https://example.com:443/", "https://example.com:443/"),
        (
            "example.com?next=https://other.example/",
            "https://example.com?next=https://other.example/",
        ),
        ("example.com/go/https://other.example/", "https://example.com/go/https://other.example/"),
    ],
)
def test_a_url_is_completed_as_in_an_address_bar(given: str, expected: str) -> None:
    assert complete_url(given, files_allowed=False) == expected


@pytest.mark.parametrize(
    "given",
    [
        "",
        "   ",
        "not a url",
        "https://",
        "https:///path",
        "http://:80",
        "https://example.com:0/",
        "https://example.com:99999/",
        "https://example.com:abc/",
        "https://[::1",
        "ht!tp://example.com",
        "://example.com",
        "exam\nple.com",
        "exam\x00ple.com",
        "/path",
        "?query",
        "#fragment",
    ],
)
def test_an_invalid_url_is_refused(given: str) -> None:
    with pytest.raises(CallError, match="is not a URL"):
        complete_url(given, files_allowed=False)


@pytest.mark.parametrize(
    "given",
    [
        "file:///etc/passwd",
        "FILE:///etc/passwd",
        " file:///etc/passwd",
        "file:/etc/passwd",
        "file://localhost/etc/passwd",
        "view-source:file:///etc/passwd",
        "VIEW-SOURCE:FILE:///etc/passwd",
    ],
)
def test_file_urls_are_refused_with_the_flag_that_allows_them(given: str) -> None:
    with pytest.raises(CallError, match="allow-unrestricted-file-access"):
        complete_url(given, files_allowed=False)


@pytest.mark.parametrize(
    "given",
    [
        "chrome://settings",
        "CHROME:settings",
        " chrome://settings",
        "chrome:1",
        "view-source:chrome://settings",
        "view-source:View-Source:Chrome://settings",
        "blob:chrome://settings/1",
        "filesystem:chrome://settings/1",
        "devtools://devtools/bundled/inspector.html",
        "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html",
        "edge://settings",
        "brave://settings",
        "about:settings",
        "About:Settings",
        "about://settings",
        "about:blank/../settings",
        "about:blanket",
        "about:",
        "about:1",
        "view-source:about:settings",
    ],
)
def test_pages_of_the_browser_are_refused_with_the_flag_that_allows_them(given: str) -> None:
    with pytest.raises(BlockedError, match="allow-unrestricted-file-access"):
        complete_url(given, files_allowed=False)


@pytest.mark.parametrize(
    "given", ["chr\tome://version", "\x01chrome://version", "chrome\n:version"]
)
def test_control_characters_disguise_no_page_of_the_browser(given: str) -> None:
    with pytest.raises(CallError, match="is not a URL"):
        complete_url(given, files_allowed=False)


@pytest.mark.parametrize(
    "given",
    [
        "file:///tmp/a.html",
        "view-source:file:///tmp/a.html",
        "view-source:https://example.com/",
        "chrome://version",
        "about:version",
        "devtools://devtools/bundled/inspector.html",
    ],
)
def test_files_and_pages_of_the_browser_are_opened_where_that_is_allowed(given: str) -> None:
    assert complete_url(given, files_allowed=True) == given


@pytest.mark.parametrize("files_allowed", [False, True])
@pytest.mark.parametrize(
    "given",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "javascript:1",
        "mailto:1",
        "ftp:21",
        "mailto:a@example.com",
        "ftp://example.com",
        "filesystem:https://example.com/temporary/x",
    ],
)
def test_other_schemes_are_refused(given: str, files_allowed: bool) -> None:
    with pytest.raises(CallError, match="not allowed"):
        complete_url(given, files_allowed=files_allowed)


def test_a_known_network_error_is_explained_and_another_is_repeated() -> None:
    assert explain_network_error("net::ERR_CONNECTION_REFUSED") == (
        "net::ERR_CONNECTION_REFUSED (no server listens there)."
    )
    assert explain_network_error("net::ERR_SOMETHING") == "net::ERR_SOMETHING."

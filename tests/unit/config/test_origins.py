"""Lists of origins: how they are written, and which places they name."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from viewpoint_mcp.config.origins import (
    DEFAULT_PORTS,
    find_refusal,
    format_origin,
    parse_origins,
    raise_if_url_not_allowed,
)
from viewpoint_mcp.config.settings import OriginEntry, OriginRules
from viewpoint_mcp.errors import CallError


def names(entries: str, url: str) -> bool:
    parts = urlsplit(url)
    port = parts.port or DEFAULT_PORTS[parts.scheme]
    rules = OriginRules(blocked=parse_origins(entries))
    return find_refusal(rules, parts.scheme, parts.hostname or "", port) is not None


def test_entries_are_separated_by_semicolons_commas_or_blanks() -> None:
    entries = parse_origins("https://a.test;b.test:8080, *.c.test\nd.test;;")
    assert [entry.text for entry in entries] == [
        "https://a.test",
        "b.test:8080",
        "*.c.test",
        "d.test",
    ]
    assert entries[0] == OriginEntry("https://a.test", "https", "a.test", 443)
    assert entries[1] == OriginEntry("b.test:8080", None, "b.test", 8080)


@pytest.mark.parametrize(
    ("entry", "url"),
    [
        ("https://a.test", "https://a.test"),
        ("https://a.test/", "https://a.test"),
        ("wss://a.test", "https://a.test"),
        ("ws://a.test:81", "http://a.test:81"),
        ("https://a.test:*", "https://a.test:8443"),
        ("https://a.test:443", "https://a.test"),
        ("http://localhost:*", "http://localhost:3000"),
        ("https://*.a.test:*", "https://x.a.test:8443"),
        ("*://a.test", "http://a.test:81"),
        ("a.test", "http://a.test"),
        ("a.test", "https://a.test:8443"),
        ("A.Test", "https://a.test"),
        ("a.test", "https://a.test."),
        ("a.test.", "https://a.test"),
        ("*.a.test", "https://x.y.a.test"),
        ("https://*.a.test", "https://x.a.test"),
        ("*", "http://anywhere.test:81"),
        ("bücher.example", "https://xn--bcher-kva.example"),
        ("BU\u0308CHER.example", "https://xn--bcher-kva.example"),
        ("straße.example", "https://xn--strae-oqa.example"),
        ("ΕΛΛΆΣ.example", "https://xn--hxarsa5b.example"),
        ("*.例え。jp", "https://x.xn--r8jz45g.jp"),
        ("ｂücher．example", "https://xn--bcher-kva.example"),
        ("\N{GRINNING FACE}.example", "https://xn--e28h.example"),
        ("127.0.0.1:81", "http://127.0.0.1:81"),
        ("127.0.0.1", "http://[::ffff:127.0.0.1]:81"),
        ("[::1]:81", "http://[::1]:81"),
        ("[0:0:0:0:0:0:0:1]", "http://[::1]:81"),
    ],
)
def test_an_entry_names_a_place(entry: str, url: str) -> None:
    assert names(entry, url)


@pytest.mark.parametrize(
    ("entry", "url"),
    [
        ("https://a.test", "http://a.test"),
        ("https://a.test", "https://a.test:8443"),
        ("https://a.test", "http://a.test:443"),
        ("http://localhost:*", "https://localhost:3000"),
        ("https://*.a.test", "https://x.a.test:8443"),
        ("a.test:81", "http://a.test:82"),
        ("a.test", "https://x.a.test"),
        ("a.test", "https://a.test.evil.test"),
        ("a.test", "https://evila.test"),
        ("*.a.test", "https://a.test"),
        ("*.a.test", "https://evila.test"),
        ("straße.example", "https://strasse.example"),
        ("localhost", "http://127.0.0.1"),
    ],
)
def test_an_entry_does_not_name_another_place(entry: str, url: str) -> None:
    assert not names(entry, url)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ; ",
        "ftp://a.test",
        "https://",
        "https://a.test/path",
        "https://joe@a.test",
        "a.test:0",
        "a.test:65536",
        "a.test:x",
        "a..test",
        "a*.test",
        "x.*.test",
        "*.127.0.0.1",
        "127.1",
        "[::1",
        "https://a.test?x",
        "bü*cher.test",
        f"{'ü' * 60}.test",
    ],
)
def test_an_invalid_origin_is_refused(text: str) -> None:
    with pytest.raises(CallError, match=r"such as https://example\.com"):
        parse_origins(text)


def test_blocked_wins_over_allowed_and_nothing_else_is_allowed() -> None:
    rules = OriginRules(parse_origins("*.a.test"), parse_origins("x.a.test"))
    assert find_refusal(rules, "https", "y.a.test", 443) is None
    blocked = find_refusal(rules, "https", "x.a.test", 443)
    assert blocked is not None
    assert blocked.flag == "--blocked-origins"
    other = find_refusal(rules, "https", "b.test", 443)
    assert other is not None
    assert other.flag == "--allowed-origins"


def test_the_refusal_names_the_list_and_its_entries() -> None:
    rules = OriginRules(parse_origins(";".join(f"a{n}.test" for n in range(12))))
    with pytest.raises(CallError) as caught:
        raise_if_url_not_allowed(rules, "https://b.test/path?secret")
    result = str(caught.value)
    assert result.startswith("https://b.test was not opened: --allowed-origins allows only a0")
    assert "a9.test and 2 more. Only the user who started this server can change that." in result


def test_the_refusal_names_the_entry_that_blocks() -> None:
    rules = OriginRules(blocked=parse_origins(";".join(f"a{n}.test" for n in range(12))))
    with pytest.raises(CallError, match=r"--blocked-origins blocks it \(a11\.test\)\."):
        raise_if_url_not_allowed(rules, "https://a11.test/")


@pytest.mark.parametrize("url", ["about:blank", "data:text/html,x", "https://a.test/"])
def test_an_allowed_url_is_opened(url: str) -> None:
    raise_if_url_not_allowed(OriginRules(parse_origins("a.test")), url)


@pytest.mark.parametrize(
    ("scheme", "host", "port", "expected"),
    [
        ("https", "a.test", 443, "https://a.test"),
        (None, "a.test", 80, "http://a.test"),
        (None, "a.test", 81, "a.test:81"),
        ("http", "::1", 443, "http://[::1]:443"),
    ],
)
def test_a_place_is_written_as_an_origin(
    scheme: str | None, host: str, port: int, expected: str
) -> None:
    assert format_origin(scheme, host, port) == expected

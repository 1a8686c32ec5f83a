"""Proxies as users write them."""

from __future__ import annotations

import pytest

from viewpoint_mcp.config.proxy import format_bypass_list, parse_bypass, parse_proxy
from viewpoint_mcp.errors import CallError

SECRET = "hunter2"


@pytest.mark.parametrize(
    ("text", "server"),
    [
        ("proxy.example:3128", "http://proxy.example:3128"),
        ("http://proxy.example:3128", "http://proxy.example:3128"),
        ("HTTP://proxy.example:3128/", "http://proxy.example:3128"),
        ("https://proxy.example", "https://proxy.example:443"),
        ("http://proxy.example", "http://proxy.example:80"),
        ("socks5://10.0.0.1", "socks5://10.0.0.1:1080"),
        ("socks5h://10.0.0.1:1081", "socks5://10.0.0.1:1081"),
        ("socks4://10.0.0.1:1081", "socks4://10.0.0.1:1081"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        (" proxy ", "http://proxy:80"),
    ],
)
def test_a_server_is_read(text: str, server: str) -> None:
    assert parse_proxy(text).url_without_credentials == server


@pytest.mark.parametrize(
    ("text", "credentials"),
    [
        ("http://joe:hunter2@proxy:1", ("joe", "hunter2")),
        ("joe:hunter2@proxy:1", ("joe", "hunter2")),
        ("socks5://joe%40home:p%3Aw%2F@proxy:1", ("joe@home", "p:w/")),
        ("http://joe@proxy:1", ("joe", "")),
        ("http://joe:p@w@proxy:1", ("joe", "p@w")),
    ],
)
def test_credentials_are_removed_from_the_url(text: str, credentials: tuple[str, str]) -> None:
    proxy = parse_proxy(text)
    assert (proxy.username, proxy.password) == credentials
    assert proxy.address == "proxy:1"
    assert "joe" not in repr(proxy) + proxy.url_without_credentials


def test_credentials_beside_the_url_are_used() -> None:
    proxy = parse_proxy("socks5://proxy", "joe", SECRET)
    assert (proxy.username, proxy.password) == ("joe", SECRET)
    assert SECRET not in repr(proxy)


@pytest.mark.parametrize(
    ("text", "username", "password", "words"),
    [
        ("", None, None, "host or port is missing"),
        ("http://", None, None, "host or port is missing"),
        ("ftp://joe:hunter2@proxy", None, None, 'unknown scheme "ftp"'),
        ("direct://", None, None, 'unknown scheme "direct"'),
        ("http://joe:hunter2@proxy:x", None, None, "host or port is malformed"),
        ("http://joe:hunter2@proxy:70000", None, None, "host or port is malformed"),
        ("http://joe:hunter2@proxy:0", None, None, "host or port is missing or malformed"),
        ("http://joe:hunter2@[::1", None, None, "host or port is malformed"),
        ("http://joe:hun/ter2@proxy:1", None, None, "host or port is malformed"),
        ("http://joe:hunter2@proxy:1/pac", None, None, "more than a host and a port"),
        ("http://joe:hunter2@pro xy:1", None, None, "host or port is missing or malformed"),
        ("http://joe:hunter2@a=b;c:1", None, None, "host or port is missing or malformed"),
        ("http://joe:hunter2@proxy", "joe", None, "given twice"),
        ("http://proxy", None, SECRET, "no user name"),
        ("http://:hunter2@proxy", None, None, "no user name"),
        ("socks4://proxy", "joe", SECRET, "SOCKS4"),
        ("http://proxy", "jo:e", SECRET, "cannot contain a colon"),
        ("http://proxy", "joe", "hunter2\r\nX: y", "control character"),
        ("http://joe:hunter2%0d%0a@proxy", None, None, "control character"),
        ("socks5://proxy", "joe", SECRET * 40, "exceeds 255 bytes"),
    ],
)
def test_a_malformed_proxy_is_refused_without_repeating_the_password(
    text: str, username: str | None, password: str | None, words: str
) -> None:
    with pytest.raises(CallError) as refused:
        parse_proxy(text, username, password)
    assert words in str(refused.value)
    assert "hun" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("", ()),
        ("localhost", ("localhost",)),
        ("a.com, *.b.com;.c.com d.com:80", ("a.com", "*.b.com", ".c.com", "d.com:80")),
        (
            "https://x.com,10.0.0.0/8,[::1],<local>",
            ("https://x.com", "10.0.0.0/8", "[::1]", "<local>"),
        ),
    ],
)
def test_bypass_rules_may_be_separated_in_several_ways(text: str, rules: tuple[str, ...]) -> None:
    assert parse_bypass(text) == rules


@pytest.mark.parametrize("text", ["a.com,b=c", "<other>", "http://a.com?x", "--flag\x00"])
def test_a_malformed_bypass_rule_is_refused(text: str) -> None:
    with pytest.raises(CallError, match="is not a host that can bypass the proxy"):
        parse_bypass(text)


def test_loopback_uses_the_proxy_unless_a_later_rule_excludes_it() -> None:
    assert format_bypass_list(parse_proxy("proxy")) == "<-loopback>"
    assert format_bypass_list(parse_proxy("proxy", bypass="localhost")) == "<-loopback>;localhost"

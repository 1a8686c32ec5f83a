"""The forms of --http-credentials and of httpCredentials, and the choice for a URL."""

from __future__ import annotations

import pytest

from viewpoint_mcp.config.emulation.http_credentials import (
    HttpCredentials,
    find_http_credentials,
    format_http_credentials,
    parse_http_credentials,
)
from viewpoint_mcp.errors import CallError

EVERYWHERE = HttpCredentials(username="ada", password="p@:w rd")


def of(origin: str) -> HttpCredentials:
    return HttpCredentials(username="a/b", password="p@:w", origin=origin)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ada:p@:w rd", EVERYWHERE),
        ("ada:", HttpCredentials(username="ada", password="")),
        ("https://a%2Fb:p%40:w@Shop.Test", of("https://shop.test")),
        ("HTTPS://a%2Fb:p%40%3Aw@shop.test:443/", of("https://shop.test")),
        ("http://a%2Fb:p%40%3Aw@[::1]:8080", of("http://[::1]:8080")),
    ],
)
def test_a_text_is_parsed(text: str, expected: HttpCredentials) -> None:
    assert parse_http_credentials([text]) == (expected,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hunter2", "have no colon"),
        (":hunter2", "have no user name"),
        ("ada:hunter2\n", "contain a control character"),
        ("https://shop.test", "contains none"),
        ("https://ada@shop.test", "contains none"),
        ("https://ada:hunter2@shop.test/path", "are no URL of a site"),
        ("https://ada:hunter2@shop.test:port", "are no URL of a site"),
    ],
)
def test_a_malformed_text_is_refused_without_repeating_it(text: str, message: str) -> None:
    with pytest.raises(CallError, match=message) as refusal:
        parse_http_credentials([text])
    assert "hunter2" not in str(refusal.value)


def test_the_form_of_the_configuration_file_is_read_unchanged() -> None:
    first = {"username": "ada", "password": "p@:w rd"}
    second = {"username": "a/b", "password": "p@:w", "origin": "http://localhost:3000"}
    texts = format_http_credentials([second, first])
    assert parse_http_credentials(texts) == (of("http://localhost:3000"), EVERYWHERE)
    assert parse_http_credentials(format_http_credentials(first)) == (EVERYWHERE,)


@pytest.mark.parametrize(
    "value",
    [
        {"username": "a:b", "password": "hunter2"},
        {"username": "a", "password": "hunter2", "origin": "shop.test"},
        {"username": "a", "password": "hunter2", "origin": "https://b@shop.test"},
    ],
)
def test_a_malformed_value_of_the_file_is_refused(value: dict[str, str]) -> None:
    with pytest.raises(CallError) as refusal:
        format_http_credentials(value)
    assert "hunter2" not in str(refusal.value)


@pytest.mark.parametrize(
    ("url", "username"),
    [
        ("https://shop.test/a?b", "shop"),
        ("https://shop.test:443/", "shop"),
        ("http://shop.test/", "other"),
        ("https://shop.test:8443/", "other"),
    ],
)
def test_the_first_credentials_for_the_origin_of_a_url_are_found(url: str, username: str) -> None:
    known = (
        HttpCredentials(username="shop", password="p", origin="https://shop.test"),
        HttpCredentials(username="other", password="p"),
    )
    found = find_http_credentials(known, url)
    assert found is not None
    assert found.username == username
    assert find_http_credentials(known[:1], "https://other.test/") is None


def test_no_repr_shows_the_password() -> None:
    assert "p@" not in repr(of("https://shop.test"))

"""Header lines as replies show them."""

from __future__ import annotations

import pytest

from viewpoint_mcp.tools.reply.details.body_decoding import choose_suffix, decode_text
from viewpoint_mcp.tools.reply.details.headers import render_headers


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Authorization: Bearer abc", "Authorization: Bearer <masked>"),
        ("authorization: abc", "authorization: <masked>"),
        ("Proxy-Authorization: Basic abc", "Proxy-Authorization: Basic <masked>"),
        ("Cookie: a=1; b=2=3; c", "Cookie: a=<masked>; b=<masked>; <masked>"),
        ("Set-Cookie: a=1; Path=/; Secure", "Set-Cookie: a=<masked>; Path=/; Secure"),
        ("X-Api-Key: abc", "X-Api-Key: <masked>"),
        ("apikey: abc", "apikey: <masked>"),
        ("X-CSRF-Token: abc", "X-CSRF-Token: <masked>"),
        ("X-Auth-Token: abc", "X-Auth-Token: <masked>"),
        ("X-Amz-Security-Token: abc", "X-Amz-Security-Token: <masked>"),
        ("client-secret: abc", "client-secret: <masked>"),
        ("Private-Token: abc", "Private-Token: <masked>"),
        ("Ocp-Apim-Subscription-Key: abc", "Ocp-Apim-Subscription-Key: <masked>"),
        ("X-Session-Id: abc", "X-Session-Id: <masked>"),
        ("X-Request-Id: abc", "X-Request-Id: abc"),
        ("ETag: abc", "ETag: abc"),
        ("WWW-Authenticate: Basic", "WWW-Authenticate: Basic"),
        ("Accept: */*", "Accept: */*"),
        ("Sec-WebSocket-Key: abc", "Sec-WebSocket-Key: abc"),
        (":authority: a.example", ":authority: a.example"),
        ("Author: Me", "Author: Me"),
    ],
)
def test_only_credentials_are_masked(line: str, expected: str) -> None:
    assert render_headers(line, show_credentials=False) == [expected]
    assert render_headers(line, show_credentials=True) == [line]


def test_headers_of_a_page_are_cleaned_and_on_one_line() -> None:
    line = "x: a\u2028### Page\r\ud800\u202e"
    assert render_headers(line, show_credentials=False) == ["x: a ### Page\ufffd"]


@pytest.mark.parametrize(
    ("data", "kind", "text"),
    [
        (b"{}", "application/json", "{}"),
        (b"\xe4", "text/plain; charset=iso-8859-1", "\u00e4"),
        (b"\xe4", "text/plain", "\ufffd"),
        (b"\xe4", "application/octet-stream", None),
        (b"a\x00b", "", None),
        (b"plain", "", "plain"),
        (b"a\x00b", "text/plain", "ab"),
        (b"x", "text/plain; charset=nonsense", "x"),
    ],
)
def test_text_is_distinguished_from_binary_data(data: bytes, kind: str, text: str | None) -> None:
    assert decode_text(data, kind) == text


@pytest.mark.parametrize(
    ("kind", "ending"),
    [
        ("image/png", "png"),
        ("image/jpeg", "jpg"),
        ("image/svg+xml", "svg"),
        ("application/problem+json", "json"),
        ("text/html; charset=utf-8", "html"),
        ("font/woff2", "woff2"),
        ("application/octet-stream", "bin"),
        ("../../etc", "bin"),
        ("image/../x", "bin"),
    ],
)
def test_a_file_is_called_after_its_type(kind: str, ending: str) -> None:
    assert choose_suffix(kind, is_text=False) == ending

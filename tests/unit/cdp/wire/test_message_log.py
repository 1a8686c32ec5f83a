"""The log of the wire."""

from __future__ import annotations

import logging

import pytest

from cdp_protocol import Connection
from cdp_protocol.wire import message_log
from tests.unit.cdp.fake_transport import FakeTransport


async def test_messages_are_logged_in_both_directions(
    connection: Connection, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "cdp_protocol.wire")

    await connection.root.send("Browser.getVersion")

    assert caplog.messages == [
        '> {"id":1,"method":"Browser.getVersion","params":{}}',
        '< {"id":1,"result":{}}',
    ]


async def test_messages_are_not_formatted_when_the_log_is_off(
    connection: Connection, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.INFO, "cdp_protocol.wire")
    monkeypatch.delattr(message_log, "shorten_and_mask")

    await connection.root.send("Browser.getVersion")

    assert caplog.messages == []


def test_long_messages_are_cut_and_say_so() -> None:
    assert message_log.shorten_and_mask(b"x" * 1000) == "x" * 500 + "… (500 more)"
    assert message_log.shorten_and_mask("short") == "short"


def test_a_character_that_the_cut_splits_is_no_error() -> None:
    assert message_log.shorten_and_mask(("x" * 499 + "é").encode()).startswith("x" * 499)


@pytest.mark.parametrize(
    "message",
    [
        '{"Cookie":"sid=hush"}',
        '{"set-cookie": "sid=hush; Path=/"}',
        '{"authorization":"Basic hush"}',
        '{"response":"ProvideCredentials","username":"me","password":"hu\\"hush"}',
        '{"cookies":[{"name":"sid","value":"hush","domain":"a.test"}]}',
        '{"cookieLine":"sid=hush","headersText":"HTTP/1.1 200\\r\\nSet-Cookie: sid=hush"}',
        '{"arguments":[{"value":"items"},{"value":"[{\\"value\\":\\"hush\\"}]"}]}',
        '{"password":"hush and then the message was c',
        '{"password":"it broke off behind hush\\',
        '{"method":"Input.insertText","params":{"text":"hush"}}',
        '{"method":"Input.dispatchKeyEvent","params":{"type":"char","text":"hush","key":"hush"}}',
        '{"headers":{"X-Api-Key":"hush","X-Auth-Token":"hush"}}',
        '{"result":{"type":"object","value":{"k":["]hush",{"k":"hush"}]}}}',
        '{"result":{"value":["hush",{"k":"hu',
        '{"result":{"value":1234567},"other":"***"}'.replace("1234567", "-1.5e7hush"),
    ],
)
def test_passwords_cookies_and_values_are_masked(message: str) -> None:
    shown = message_log.shorten_and_mask(message.encode())

    assert "hush" not in shown
    assert '"***"' in shown


@pytest.mark.parametrize(
    "message",
    [
        '{"url":"https://a.test/?a=b&access_token=hush"}',
        '{"postData":"user=a&password=hush"}',
        '{"text":"Bearer hushhushhushhushhush"}',
    ],
)
def test_tokens_are_masked_in_any_text(message: str) -> None:
    shown = message_log.shorten_and_mask(message)

    assert "hush" not in shown
    assert "***" in shown


def test_harmless_values_are_kept() -> None:
    message = '{"id":1,"result":{"value":[{"a":1}],"text":"a","key":"b","type":"string"},"n":[]}'

    assert message_log.shorten_and_mask(message) == message.replace('[{"a":1}]', '"***"')


async def test_the_message_itself_is_sent_unmasked(
    connection: Connection, transport: FakeTransport, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "cdp_protocol.wire")

    await connection.root.send("A.a", {"password": "hush"})

    assert transport.sent[-1]["params"] == {"password": "hush"}
    assert "hush" not in caplog.text

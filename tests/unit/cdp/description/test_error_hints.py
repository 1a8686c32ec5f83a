"""Hints explain errors as far as the description knows; formatting an error reads no file."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from cdp_protocol import CallTimeout, ProtocolError, Session
from cdp_protocol.description import Description
from tests.unit.cdp.fake_transport import FakeTransport

PROTOCOL = Description.bundled()


async def error_text(page: Session, method: str, **params: object) -> str:
    """Return the error of a refused command with its hint."""
    with pytest.raises(ProtocolError) as refusal:
        await page.send(method, params)
    return f"{refusal.value} {PROTOCOL.hint(refusal.value)}".rstrip()


def reject_as_unknown(transport: FakeTransport, method: str) -> None:
    transport.set_error(method, f"'{method}' wasn't found", code=-32601)


async def test_a_misspelled_command_is_reported_with_a_suggestion(
    page: Session, transport: FakeTransport
) -> None:
    reject_as_unknown(transport, "Page.navigat")

    assert await error_text(page, "Page.navigat", url="about:blank") == (
        "Page.navigat is not a command of this browser or target. (code -32601)"
        " Did you mean Page.navigate?"
    )


async def test_a_command_without_a_similar_one_is_reported_without_a_suggestion(
    page: Session, transport: FakeTransport
) -> None:
    reject_as_unknown(transport, "Fold.me")

    result = await error_text(page, "Fold.me")
    assert result == "Fold.me is not a command of this browser or target. (code -32601)"


async def test_an_event_that_is_sent_as_a_command_is_reported(
    page: Session, transport: FakeTransport
) -> None:
    reject_as_unknown(transport, "Page.loadEventFired")

    assert "is an event. Listen to it" in await error_text(page, "Page.loadEventFired")


async def test_a_command_that_exists_is_not_called_misspelt(
    page: Session, transport: FakeTransport
) -> None:
    reject_as_unknown(transport, "Browser.close")

    result = await error_text(page, "Browser.close")
    assert f"(code -32601) {PROTOCOL.revision} has this command." in result
    assert "Did you mean" not in result


async def test_invalid_parameters_are_named_beside_the_browsers_message(
    page: Session, transport: FakeTransport
) -> None:
    transport.set_error("Page.navigate", "Invalid parameters", code=-32602, data="its own words")

    assert await error_text(page, "Page.navigate", uri="about:blank") == (
        "Page.navigate failed: Invalid parameters. its own words (code -32602)"
        " uri is not a parameter of Page.navigate. Did you mean url? url is missing (a string)."
    )


async def test_for_parameters_that_only_the_browser_refuses_its_message_is_enough(
    page: Session, transport: FakeTransport
) -> None:
    transport.set_error("Page.navigate", "No such place", code=-32602)

    result = await error_text(page, "Page.navigate", url="about:blank")
    assert result == "Page.navigate failed: No such place. (code -32602)"


async def test_for_a_command_that_only_the_browser_knows_its_message_is_enough(
    page: Session, transport: FakeTransport
) -> None:
    transport.set_error("Fold.me", "Invalid parameters", code=-32602)

    assert await error_text(page, "Fold.me", a=1) == (
        "Fold.me failed: Invalid parameters. (code -32602)"
    )


async def test_an_unknown_event_is_reported_when_waiting_for_it_times_out(page: Session) -> None:
    with pytest.raises(CallTimeout) as timeout:
        async with page.expect("Page.loadEventFird", timeout=0.01) as loaded:
            await loaded

    hint = PROTOCOL.hint(timeout.value)
    assert hint.startswith("Chrome/")
    assert "has no such event or command." in hint
    assert hint.endswith("Did you mean Page.loadEventFired?")


async def test_an_existing_event_that_times_out_gets_no_hint(page: Session) -> None:
    with pytest.raises(CallTimeout, match="The target may be busy") as timeout:
        async with page.expect(page.Page.loadEventFired, timeout=0.01) as loaded:
            await loaded
    assert PROTOCOL.hint(timeout.value) == ""


def test_formatting_an_error_reads_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("formatting an error opened a file")

    errors: list[ProtocolError | CallTimeout] = [
        ProtocolError("Page.navigat", -32601, "'Page.navigat' wasn't found"),
        ProtocolError("Page.navigate", -32602, "Invalid parameters"),
        CallTimeout("Page.loadEventFird", 1),
    ]
    with monkeypatch.context() as patch:
        patch.setattr(io, "open", refuse)
        patch.setattr(Path, "read_bytes", refuse)
        results = [str(error) for error in errors]

    assert all(error.method in text for error, text in zip(errors, results, strict=True))

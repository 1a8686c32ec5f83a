"""Errors tell what was meant as far as the description knows, and are told where it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from cdp_protocol import CallTimeout, ProtocolError, Session
from cdp_protocol import description as described
from tests.unit.cdp.fake_transport import FakeTransport


async def refused(page: Session, method: str, **params: object) -> str:
    with pytest.raises(ProtocolError) as refusal:
        await page.send(method, params)
    return str(refusal.value)


def unknown(transport: FakeTransport, method: str) -> None:
    transport.refuse(method, f"'{method}' wasn't found", code=-32601)


async def test_a_misspelt_command_is_told_with_the_one_that_was_meant(
    page: Session, transport: FakeTransport
) -> None:
    unknown(transport, "Page.navigat")

    with pytest.raises(ProtocolError, match=r"Did you mean Page\.navigate\?"):
        await page.Page.navigat(url="about:blank")  # type: ignore[attr-defined]


async def test_a_command_that_resembles_none_is_told_without_a_guess(
    page: Session, transport: FakeTransport
) -> None:
    unknown(transport, "Fold.me")

    told = await refused(page, "Fold.me")
    assert told == "Fold.me is no command of this browser. (code -32601)"


async def test_an_event_that_is_sent_is_told(page: Session, transport: FakeTransport) -> None:
    unknown(transport, "Page.loadEventFired")

    assert "is an event, no command" in await refused(page, "Page.loadEventFired")


async def test_a_command_that_exists_is_not_called_misspelt(
    page: Session, transport: FakeTransport
) -> None:
    unknown(transport, "Browser.close")

    told = await refused(page, "Browser.close")
    assert told.startswith("Browser.close is no command here. Chrome/")
    assert "Did you mean" not in told


async def test_invalid_parameters_are_named_beside_what_the_browser_says(
    page: Session, transport: FakeTransport
) -> None:
    transport.refuse("Page.navigate", "Invalid parameters", code=-32602, data="its own words")

    assert await refused(page, "Page.navigate", uri="about:blank") == (
        "Page.navigate failed: Invalid parameters. its own words."
        " uri is no parameter of Page.navigate. Did you mean url? url is missing (a string)."
        " (code -32602)"
    )


async def test_parameters_that_only_the_browser_minds_are_left_to_its_words(
    page: Session, transport: FakeTransport
) -> None:
    transport.refuse("Page.navigate", "No such place", code=-32602)

    told = await refused(page, "Page.navigate", url="about:blank")
    assert told == "Page.navigate failed: No such place. (code -32602)"


async def test_parameters_of_a_command_that_only_the_browser_knows_are_left_to_its_words(
    page: Session, transport: FakeTransport
) -> None:
    transport.refuse("Fold.me", "Invalid parameters", code=-32602)

    assert await refused(page, "Fold.me", a=1) == (
        "Fold.me failed: Invalid parameters. (code -32602)"
    )


async def test_an_event_that_does_not_exist_is_told_when_it_does_not_come(page: Session) -> None:
    with pytest.raises(CallTimeout) as timeout:
        async with page.expect("Page.loadEventFird", timeout=0.01) as loaded:
            await loaded

    told = str(timeout.value)
    assert told.startswith("Nothing heard of Page.loadEventFird within 0.01 s. There is no such")
    assert told.endswith("Did you mean Page.loadEventFired?")


async def test_an_event_that_exists_is_only_late(page: Session) -> None:
    with pytest.raises(CallTimeout, match="The target may be busy"):
        async with page.expect(page.Page.loadEventFired, timeout=0.01) as loaded:
            await loaded


@pytest.mark.parametrize("content", [None, "", "{}", "[]"])
async def test_without_a_description_errors_are_told_all_the_same(
    page: Session,
    transport: FakeTransport,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    content: str | None,
) -> None:
    file = tmp_path / "protocol.json"
    if content is not None:
        file.write_text(content)
    monkeypatch.setattr(described, "BUNDLED", file)
    unknown(transport, "Page.navigat")
    transport.refuse("Page.navigate", "Invalid parameters", code=-32602)

    assert await refused(page, "Page.navigat") == (
        "Page.navigat is no command of this browser. (code -32601)"
    )
    assert await refused(page, "Page.navigate") == (
        "Page.navigate failed: Invalid parameters. (code -32602)"
    )
    assert "The target may be busy" in str(CallTimeout("Page.navigate", 1))

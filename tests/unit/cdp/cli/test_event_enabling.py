"""The commands that enable a session's events, and the target for a command."""

from __future__ import annotations

import pytest

from cdp_protocol import ProtocolError, Session
from cdp_protocol.browser import Browser
from cdp_protocol.cli.event_enabling import enable_events
from cdp_protocol.cli.options.target_selection import METHOD_NOT_FOUND, run_on_target
from cdp_protocol.cli.run_command import Failure
from cdp_protocol.description import Description
from tests.unit.cdp.fake_transport import FakeTransport


@pytest.fixture(scope="module")
def description() -> Description:
    return Description.bundled()


def sent_commands(transport: FakeTransport) -> list[tuple[str, object]]:
    """Return the messages that were sent to the page."""
    return [
        (call["method"], call["params"]) for call in transport.sent if call.get("sessionId") == "P1"
    ]


@pytest.mark.parametrize(
    ("events", "commands"),
    [
        (
            ["Network.dataReceived", "Network.responseReceived", "Page.frameNavigated"],
            [("Network.enable", {}), ("Page.enable", {})],
        ),
        (["CSS.styleSheetAdded"], [("DOM.enable", {}), ("CSS.enable", {})]),
        (["Target.targetCreated"], [("Target.setDiscoverTargets", {"discover": True})]),
        (
            ["Page.lifecycleEvent"],
            [("Page.enable", {}), ("Page.setLifecycleEventsEnabled", {"enabled": True})],
        ),
        (
            ["PerformanceTimeline.timelineEventAdded"],
            [
                (
                    "PerformanceTimeline.enable",
                    {"eventTypes": ["largest-contentful-paint", "layout-shift"]},
                )
            ],
        ),
    ],
)
async def test_events_are_enabled_by_the_command_of_their_domain(
    page: Session,
    transport: FakeTransport,
    description: Description,
    events: list[str],
    commands: list[tuple[str, object]],
) -> None:
    assert await enable_events(page, events, description) == []
    assert sent_commands(transport) == commands


async def test_a_domain_that_cannot_be_enabled_is_named(
    page: Session, transport: FakeTransport, description: Description
) -> None:
    assert await enable_events(page, ["Input.dragIntercepted"], description) == ["Input"]
    assert sent_commands(transport) == []


async def send_page_command(session: Session) -> str:
    await session.send("Page.enable")
    return session.session_id


async def test_a_command_that_the_browser_knows_is_the_browsers(page: Session) -> None:
    assert await run_on_target(root_session(page), None, send_page_command) == ""


async def test_a_command_that_the_browser_refuses_for_another_reason_is_not_tried_elsewhere(
    page: Session, transport: FakeTransport
) -> None:
    transport.set_error("Page.enable", "No")
    with pytest.raises(ProtocolError, match="No"):
        await run_on_target(root_session(page), None, send_page_command)
    assert sent_commands(transport) == []


async def test_without_any_page_the_error_says_how_to_open_one(
    page: Session, transport: FakeTransport
) -> None:
    transport.set_error("Page.enable", "'Page.enable' wasn't found", code=METHOD_NOT_FOUND)
    transport.set_result("Target.getTargets", {"targetInfos": []})
    with pytest.raises(Failure, match="Open a page with `cdp send Target"):
        await run_on_target(root_session(page), None, send_page_command)


def root_session(page: Session) -> Browser:
    return page.connection.root

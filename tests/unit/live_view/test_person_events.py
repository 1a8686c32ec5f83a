"""The messages of viewers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.live_view.person_events import MoveMouse, PressKey, parse_message


def encode(*events: dict[str, Any], **changes: Any) -> bytes:
    message = {"viewer": "0123456789", "picture": 3, "events": list(events)}
    return json.dumps(message | changes).encode()


def test_a_message_has_the_events_in_their_order() -> None:
    message = parse_message(
        encode({"type": "move", "x": 0.5, "y": 1}, {"type": "key", "key": "a", "types": True})
    )
    assert message.viewer == "0123456789"
    assert message.picture == 3
    assert message.events == [MoveMouse(0.5, 1), PressKey("a", types=True)]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff",
        b"[]",
        encode({"type": "reboot"}),
        encode({"type": "move", "x": "left", "y": 0}),
        encode({"type": "move", "x": 1e9, "y": 0}),
        encode({"type": "press", "x": 0, "y": 0, "button": "sixth"}),
        encode({"type": "press", "x": 0, "y": 0, "clicks": 9}),
        encode({"type": "key", "key": ""}),
        encode(*[{"type": "releaseAll"}] * 501),
        encode(viewer="short"),
    ],
)
def test_a_malformed_message_is_refused(body: bytes) -> None:
    with pytest.raises(CallError, match="malformed"):
        parse_message(body)


def test_the_error_quotes_nothing_that_was_typed() -> None:
    with pytest.raises(CallError) as refused:
        parse_message(encode({"type": "text", "text": ["hunter2"]}))
    assert "hunter2" not in str(refused.value)

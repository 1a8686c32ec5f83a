"""Patterns that select events."""

from __future__ import annotations

import pytest

from cdp_protocol.cli.options import event_patterns
from cdp_protocol.cli.run_command import Failure
from cdp_protocol.description import Description

PAPER = {
    "domain": "Paper",
    "commands": [{"name": "draw"}],
    "events": [{"name": "drawn"}, {"name": "torn"}],
}
DESCRIPTION = Description(
    "r1",
    [
        PAPER,
        {"domain": "Fetch", "events": [{"name": "requestPaused"}]},
        {"domain": "Mute", "commands": [{"name": "say"}]},
    ],
)


def test_a_domain_selects_all_its_events_once_each() -> None:
    assert event_patterns.select_events(["Paper.torn", "Paper"], DESCRIPTION) == [
        "Paper.torn",
        "Paper.drawn",
    ]


def test_a_pattern_selects_matching_events() -> None:
    assert event_patterns.select_events(["Paper.*rn"], DESCRIPTION) == ["Paper.torn"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("Paper.drawm", "Did you mean Paper.drawn?"),
        ("Papier", "Did you mean Paper?"),
        ("Paper.draw", "is a command, not an event. Send it with `cdp send Paper.draw`."),
        ("xyzzy", "is not an event or domain of r1. Domains with events: Paper, Fetch."),
        ("Mute", "Mute has no events"),
        ("*", "Domains with events: Paper, Fetch."),
        ("Fetch", "pauses each request"),
    ],
)
def test_a_pattern_without_matches_is_refused_with_a_reason(word: str, expected: str) -> None:
    with pytest.raises(Failure) as refused:
        event_patterns.select_events([word], DESCRIPTION)
    assert expected in refused.value.message
    assert refused.value.exit_code == 2

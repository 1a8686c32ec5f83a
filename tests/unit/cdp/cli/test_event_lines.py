"""Printed lines of events."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from cdp_protocol import Session
from cdp_protocol.cli.event_lines import ReceivedEvent

NOON = datetime(2026, 1, 2, 12, 0, 0, 123456, tzinfo=UTC)


def make_event(session: Session, **params: Any) -> ReceivedEvent:
    return ReceivedEvent(NOON, session, "Page.said", params)


def format_line(session: Session, width: int | None = None, **params: Any) -> str:
    """The line, without the time of the day, which depends on where one is."""
    return make_event(session, **params).as_line(width=width, colour=False)[len("12:00:00.123") :]


def test_the_json_is_complete_with_time_and_session(page: Session) -> None:
    assert make_event(page, text="x" * 500).as_json() == {
        "time": "2026-01-02T12:00:00.123456Z",
        "session": "P1",
        "target": "TP1",
        "type": "page",
        "method": "Page.said",
        "params": {"text": "x" * 500},
    }


def test_a_line_names_the_target_and_the_values(page: Session) -> None:
    assert format_line(page, a=1, b="x", c=True) == "  page TP1  Page.said  a=1 b=x c=true"


def test_rarely_needed_fields_come_last(page: Session) -> None:
    result = format_line(page, requestId="1", timestamp=2, url="x", frameId="3")
    assert result == "  page TP1  Page.said  url=x requestId=1 timestamp=2 frameId=3"


def test_the_browser_needs_no_id(page: Session) -> None:
    assert format_line(page.connection.root) == "  browser  Page.said"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("two words", '"two words"'),
        ("", '""'),
        ("x" * 90, f"{'x' * 80}…"),
        (None, "null"),
        ([1, 2, 3, 4, 5, 6], "[1, 2, 3, 4, … 2 more]"),
        ({"a": {"b": "c d"}}, '{a: {b: "c d"}}'),
        ("\x1b[2J", '"\\u001b[2J"'),
    ],
)
def test_values_are_short_and_cannot_be_mistaken(
    page: Session, value: object, expected: str
) -> None:
    assert format_line(page, a=value).endswith(f" a={expected}")


def test_a_line_has_an_end_even_without_a_terminal(page: Session) -> None:
    many = {f"name{n}": "x" * 80 for n in range(100)}
    assert (
        len(ReceivedEvent(NOON, page, "Page.said", many).as_line(width=None, colour=False)) == 1000
    )


def test_colour_does_not_change_the_text(page: Session) -> None:
    import click

    coloured = make_event(page, a=1).as_line(width=None, colour=True)
    assert coloured != click.unstyle(coloured)
    assert click.unstyle(coloured) == make_event(page, a=1).as_line(width=None, colour=False)

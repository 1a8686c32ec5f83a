"""A recording as people read it."""

from __future__ import annotations

from cdp_protocol.recording.format import Closed, Entry, Opened, Said
from cdp_protocol.recording.listing import Filter, Summary, lines, other, passes

CALL = {"id": 1, "method": "A.a", "params": {"x": 1}, "sessionId": "S1"}
ENTRIES: list[Entry] = [
    Opened(0.0, 0, "/devtools/browser/1"),
    Said(0.1, 0, "client", CALL, size=9),
    Said(0.2, 0, "browser", {"method": "B.b", "params": {}}, size=5),
    Said(0.35, 0, "browser", {"id": 1, "result": {"y": 2}, "sessionId": "S1"}, size=7),
    Said(0.4, 0, "client", {"id": 2, "method": "A.c"}, size=3),
    Said(0.5, 0, "browser", {"id": 2, "error": {"code": -32000, "message": "No."}}, size=4),
    Said(0.6, 1, "client", {"id": 2, "method": "A.d"}, size=3),
    Closed(0.7, 0, "browser", "it crashed"),
]  # fmt: skip


def test_a_call_and_its_answer_share_the_method_and_the_time_that_it_took() -> None:
    call, event, answer, *_ = lines(ENTRIES)

    assert call.text(80) == '     0.100 0 → S1     A.a 250.0 ms {"x":1}'
    assert event.text(80) == "     0.200 0 ← -      B.b {}"
    assert answer.text(80) == '     0.350 0 ← S1     A.a = 250.0 ms {"y":2}'


def test_refused_commands_are_marked_and_long_content_is_cut() -> None:
    error = lines(ENTRIES)[4]

    assert error.text(10) == '     0.500 0 ← -      A.c FAILED 100.0 ms {"code":-3… (21 more)'


def test_filters_choose_by_method_session_side_connection_and_failure() -> None:
    listed = lines(ENTRIES)

    def chosen(wanted: Filter) -> list[int]:
        return [line.number for line in listed if passes(line, wanted)]

    assert chosen(Filter(("A.*",))) == [2, 4, 5, 6, 7]
    assert chosen(Filter(("B.b", "A.d"))) == [3, 7]
    assert chosen(Filter(session="S")) == [2, 4]
    assert chosen(Filter(session="-")) == [3, 5, 6, 7]
    assert chosen(Filter(side="browser")) == [3, 4, 6]
    assert chosen(Filter(connection=1)) == [7]
    assert chosen(Filter(only_errors=True)) == [6]


def test_the_summary_counts_messages_and_names_slow_failed_and_unanswered_commands() -> None:
    summed = Summary.of(lines(ENTRIES), ENTRIES)

    text = "\n".join(summed.texts())
    assert "0.700 s, 2 connections, 3 calls, 1 events, 15 bytes from the client" in text
    assert "    250.0 ms  A.a at 0.100 s" in text
    assert "       0.500  A.c: No." in text
    assert "Never answered: A.d (1)" in text


def test_an_invalid_message_has_a_line_too() -> None:
    assert other(ENTRIES[0]) == "     0.000 0 opened /devtools/browser/1"
    assert other(ENTRIES[-1]) == "     0.700 0 closed by the browser: it crashed"

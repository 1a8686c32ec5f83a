"""A recording as people read it."""

from __future__ import annotations

from cdp_protocol.recording.file_format import (
    ConnectionEnd,
    ConnectionStart,
    Entry,
    RecordedMessage,
)
from cdp_protocol.recording.message_listing import (
    MessageFilter,
    Summary,
    format_non_message_entry,
    list_messages,
    matches_filter,
)

CALL = {"id": 1, "method": "A.a", "params": {"x": 1}, "sessionId": "S1"}
ENTRIES: list[Entry] = [
    ConnectionStart(0.0, 0, "/devtools/browser/1"),
    RecordedMessage(0.1, 0, "client", CALL, size=9),
    RecordedMessage(0.2, 0, "browser", {"method": "B.b", "params": {}}, size=5),
    RecordedMessage(0.35, 0, "browser", {"id": 1, "result": {"y": 2}, "sessionId": "S1"}, size=7),
    RecordedMessage(0.4, 0, "client", {"id": 2, "method": "A.c"}, size=3),
    RecordedMessage(
        0.5, 0, "browser", {"id": 2, "error": {"code": -32000, "message": "No."}}, size=4
    ),
    RecordedMessage(0.6, 1, "client", {"id": 2, "method": "A.d"}, size=3),
    ConnectionEnd(0.7, 0, "browser", "it crashed"),
]  # fmt: skip


def test_a_call_and_its_answer_share_the_method_and_the_time_that_it_took() -> None:
    call, event, answer, *_ = list_messages(ENTRIES)

    assert call.as_text(80) == '     0.100 0 → S1     A.a 250.0 ms {"x":1}'
    assert event.as_text(80) == "     0.200 0 ← -      B.b {}"
    assert answer.as_text(80) == '     0.350 0 ← S1     A.a = 250.0 ms {"y":2}'


def test_refused_commands_are_marked_and_long_content_is_cut() -> None:
    error = list_messages(ENTRIES)[4]

    assert error.as_text(10) == '     0.500 0 ← -      A.c FAILED 100.0 ms {"code":-3… (21 more)'


def test_filters_choose_by_method_session_side_connection_and_failure() -> None:
    listed = list_messages(ENTRIES)

    def chosen(wanted: MessageFilter) -> list[int]:
        return [line.number for line in listed if matches_filter(line, wanted)]

    assert chosen(MessageFilter(("A.*",))) == [2, 4, 5, 6, 7]
    assert chosen(MessageFilter(("B.b", "A.d"))) == [3, 7]
    assert chosen(MessageFilter(session="S")) == [2, 4]
    assert chosen(MessageFilter(session="-")) == [3, 5, 6, 7]
    assert chosen(MessageFilter(side="browser")) == [3, 4, 6]
    assert chosen(MessageFilter(connection=1)) == [7]
    assert chosen(MessageFilter(only_errors=True)) == [6]


def test_the_summary_counts_messages_and_names_slow_failed_and_unanswered_commands() -> None:
    summed = Summary.from_lines(list_messages(ENTRIES), ENTRIES)

    text = "\n".join(summed.text_lines())
    assert "0.700 s, 2 connections, 3 calls, 1 events, 15 bytes from the client" in text
    assert "    250.0 ms  A.a at 0.100 s" in text
    assert "       0.500  A.c: No." in text
    assert "Calls without response: A.d (1)" in text


def test_an_invalid_message_has_a_line_too() -> None:
    assert format_non_message_entry(ENTRIES[0]) == "     0.000 0 opened /devtools/browser/1"
    assert format_non_message_entry(ENTRIES[-1]) == "     0.700 0 closed by the browser: it crashed"

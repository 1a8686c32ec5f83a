"""The console of a page, kept from the browser's events."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.page.tab import ScriptedTab
from viewpoint_mcp.page.console.console import MAX_MESSAGES, Console, ConsoleMessage
from viewpoint_mcp.page.console.unreported_messages import ErrorReport
from viewpoint_mcp.page.handover.private_time import PrivateTime


@pytest.fixture
def console(tab: ScriptedTab) -> Console:
    console = Console()
    console.subscribe(tab.session)
    return console


async def log(tab: ScriptedTab, kind: str, *args: dict[str, Any]) -> None:
    await tab.emit("Runtime.consoleAPICalled", type=kind, args=list(args))


async def test_a_call_is_recorded_with_its_source_position(
    tab: ScriptedTab, console: Console
) -> None:
    stack = {"callFrames": [{"url": "http://a/x.js", "lineNumber": 3}]}
    args = [{"type": "string", "value": "Hello"}, {"type": "number", "value": 2}]
    await tab.emit("Runtime.consoleAPICalled", type="log", args=args, stackTrace=stack)
    assert list(console.messages) == [ConsoleMessage("log", "info", "Hello 2", "http://a/x.js", 4)]


@pytest.mark.parametrize(
    ("kind", "level"),
    [
        ("log", "info"),
        ("info", "info"),
        ("warning", "warning"),
        ("error", "error"),
        ("assert", "error"),
        ("debug", "debug"),
        ("table", "info"),
        ("trace", "info"),
    ],
)
async def test_every_kind_of_call_has_a_level(
    tab: ScriptedTab, console: Console, kind: str, level: str
) -> None:
    await log(tab, kind)
    assert console.messages[0].level == level


@pytest.mark.parametrize(
    ("argument", "text"),
    [
        ({"type": "string", "value": "a"}, "a"),
        ({"type": "string", "value": ""}, ""),
        ({"type": "number", "value": 1, "description": "1"}, "1"),
        ({"type": "number", "unserializableValue": "NaN", "description": "NaN"}, "NaN"),
        ({"type": "bigint", "unserializableValue": "5n", "description": "5n"}, "5n"),
        ({"type": "undefined"}, "undefined"),
        ({"type": "boolean", "value": True}, "true"),
        ({"type": "object", "subtype": "null", "value": None}, "null"),
        ({"type": "object", "className": "Point", "description": "Point"}, "Point"),
    ],
)
async def test_an_argument_is_printed_as_in_javascript(
    tab: ScriptedTab, console: Console, argument: dict[str, Any], text: str
) -> None:
    await log(tab, "log", argument)
    assert console.messages[0].text == text


async def test_an_uncaught_exception_is_an_error(tab: ScriptedTab, console: Console) -> None:
    thrown = {"type": "object", "description": "Error: no\n    at x.js:1"}
    details = {"text": "Uncaught", "exception": thrown, "lineNumber": 7, "url": "http://a/"}
    await tab.emit("Runtime.exceptionThrown", exceptionDetails=details)
    (message,) = console.messages
    assert (message.level, message.url, message.line) == ("error", "http://a/", 8)
    assert message.text.startswith("Uncaught Error: no\n    at x.js:1")


async def test_a_thrown_value_that_is_no_error_is_printed(
    tab: ScriptedTab, console: Console
) -> None:
    thrown = {"type": "string", "value": "just a string"}
    details = {"text": "Uncaught", "exception": thrown, "lineNumber": 0}
    await tab.emit("Runtime.exceptionThrown", exceptionDetails=details)
    assert "just a string" in console.messages[0].text


async def test_a_failed_load_is_an_error(tab: ScriptedTab, console: Console) -> None:
    entry = {"source": "network", "level": "error", "text": "404", "url": "http://a/b.png"}
    await tab.emit("Log.entryAdded", entry=entry)
    assert list(console.messages) == [ConsoleMessage("error", "error", "404", "http://a/b.png")]


async def test_errors_and_warnings_are_counted_since_the_last_count(
    tab: ScriptedTab, console: Console
) -> None:
    for kind in ("error", "error", "warning", "log"):
        await log(tab, kind)
    assert console.unreported.take_counts() == (2, 1)
    assert console.unreported.take_counts() == (0, 0)
    assert sum(message.count for message in console.messages) == 4


async def test_the_newest_thousand_are_kept(tab: ScriptedTab, console: Console) -> None:
    for number in range(MAX_MESSAGES + 1):
        params = {"type": "log", "args": [{"type": "number", "value": number}]}
        tab.transport.send_event("Runtime.consoleAPICalled", params, "P1")
    await log(tab, "log")
    assert len(console.messages) == MAX_MESSAGES
    assert console.messages[0].text == "2"


async def test_a_new_document_has_no_messages_and_no_counts(
    tab: ScriptedTab, console: Console
) -> None:
    await log(tab, "error")
    console.note_new_document()
    assert list(console.select_messages("debug")) == []
    assert len(list(console.select_messages("debug", include_earlier_documents=True))) == 1
    assert console.unreported.take_counts() == (0, 0)


async def test_levels_are_thresholds(tab: ScriptedTab, console: Console) -> None:
    for kind in ("error", "assert", "warning", "log", "debug"):
        await log(tab, kind)
    counts = [
        len(list(console.select_messages(level))) for level in ("error", "warning", "info", "debug")
    ]
    assert counts == [2, 3, 4, 5]


async def test_new_errors_are_returned_once(tab: ScriptedTab, console: Console) -> None:
    for letter in "abcdefghijklmnopqrst":
        await log(tab, "error", {"type": "string", "value": letter})
    report = console.unreported.take_errors(3)
    assert [error.first.text for error in report.new] == ["a", "b", "c"]
    assert report.further == 17
    assert console.unreported.take_errors(3) == ErrorReport([])


async def test_errors_that_differ_in_numbers_and_queries_are_one_kind(
    tab: ScriptedTab, console: Console
) -> None:
    for text in ("job 17 failed at /log?t=8", "job 18 failed at /log?t=9&retry"):
        await log(tab, "error", {"type": "string", "value": text})
    report = console.unreported.take_errors(3)
    assert [(error.first.text, error.count) for error in report.new] == [
        ("job 17 failed at /log?t=8", 2)
    ]


@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [
        ("no row 0f8b2c44-11aa-4c7e-9d52-6b0e3f1a2c3d", "no row 77aa0c1e-22bb", True),
        ("12:30:01 lost", "12:31:07 lost", True),
        ("with a status of 404 ()", "with a status of 500 ()", False),
        ("no tea", "no coffee", False),
    ],
)
async def test_a_kind_of_error_is_reported_once(
    tab: ScriptedTab, console: Console, first: str, second: str, is_same: bool
) -> None:
    await log(tab, "error", {"type": "string", "value": first})
    assert console.unreported.take_counts() == (1, 0)
    assert len(console.unreported.take_errors(3).new) == 1
    await log(tab, "error", {"type": "string", "value": second})
    assert console.unreported.take_counts() == (0 if is_same else 1, 0)
    report = console.unreported.take_errors(3)
    assert (len(report.new), report.repeated) == ((0, 1) if is_same else (1, 0))


async def test_a_kind_beyond_the_limit_is_new_again_the_next_time(
    tab: ScriptedTab, console: Console
) -> None:
    for letter in "ab":
        await log(tab, "error", {"type": "string", "value": letter})
    assert console.unreported.take_errors(1).further == 1
    await log(tab, "error", {"type": "string", "value": "b"})
    assert [error.first.text for error in console.unreported.take_errors(1).new] == ["b"]


async def test_a_missing_icon_is_kept_but_not_reported(tab: ScriptedTab, console: Console) -> None:
    text = "Failed to load resource: the server responded with a status of 404 ()"
    for url in ("http://a/favicon.ico", "http://a/tea.png"):
        entry = {"source": "network", "level": "error", "text": text, "url": url}
        await tab.emit("Log.entryAdded", entry=entry)
    assert len(console.messages) == 2
    report = console.unreported.take_errors(3)
    assert [error.first.url for error in report.new] == ["http://a/tea.png"]


async def test_the_total_size_of_messages_is_bounded(tab: ScriptedTab, console: Console) -> None:
    for number in range(300):
        text = str(number) * 9000
        await log(tab, "log", {"type": "string", "value": text})
    assert sum(message.character_count for message in console.messages) <= 2_000_000
    assert len(console.messages) < 300
    assert console.document_counts.messages == 300


async def test_what_scripts_log_and_throw_while_a_person_acts_is_not_kept(
    tab: ScriptedTab,
) -> None:
    private_time = PrivateTime()
    console = Console("info", private_time)
    console.subscribe(tab.session)
    typed = {"type": "string", "value": "hunter2"}
    with private_time.hold():
        await log(tab, "log", typed)
        details = {"text": "Uncaught", "exception": typed}
        await tab.emit("Runtime.exceptionThrown", exceptionDetails=details)
        entry = {"level": "error", "text": "Failed to load resource: 401"}
        await tab.emit("Log.entryAdded", entry=entry)
    await log(tab, "log", {"type": "string", "value": "later"})

    assert [each.text for each in console.messages] == ["Failed to load resource: 401", "later"]
    assert console.tab_counts.messages == 2

"""The console of a page, kept from the browser's events."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.page.tab import ScriptedTab
from viewpoint_mcp.page.console import KEPT, Console, Message


@pytest.fixture
def console(tab: ScriptedTab) -> Console:
    console = Console()
    console.subscribe(tab.session)
    return console


async def say(tab: ScriptedTab, kind: str, *args: dict[str, Any]) -> None:
    await tab.tell("Runtime.consoleAPICalled", type=kind, args=list(args))


async def test_a_call_is_kept_with_its_place(tab: ScriptedTab, console: Console) -> None:
    stack = {"callFrames": [{"url": "http://a/x.js", "lineNumber": 3}]}
    args = [{"type": "string", "value": "Hello"}, {"type": "number", "value": 2}]
    await tab.tell("Runtime.consoleAPICalled", type="log", args=args, stackTrace=stack)
    assert list(console.messages) == [Message("info", "Hello 2", "http://a/x.js", 3)]


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
    await say(tab, kind)
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
        ({"type": "object", "className": "Object", "description": "Object"}, "Object"),
    ],
)
async def test_an_argument_is_told_as_javascript_writes_it(
    tab: ScriptedTab, console: Console, argument: dict[str, Any], text: str
) -> None:
    await say(tab, "log", argument)
    assert console.messages[0].text == text


async def test_an_uncaught_exception_is_an_error(tab: ScriptedTab, console: Console) -> None:
    thrown = {"type": "object", "description": "Error: no\n    at x.js:1"}
    details = {"text": "Uncaught", "exception": thrown, "lineNumber": 7, "url": "http://a/"}
    await tab.tell("Runtime.exceptionThrown", exceptionDetails=details)
    expected = Message("error", "Error: no\n    at x.js:1", "http://a/", 7)
    assert list(console.messages) == [expected]


async def test_a_thrown_value_that_is_no_error_is_told(tab: ScriptedTab, console: Console) -> None:
    thrown = {"type": "string", "value": "just a string"}
    details = {"text": "Uncaught", "exception": thrown, "lineNumber": 0}
    await tab.tell("Runtime.exceptionThrown", exceptionDetails=details)
    assert "just a string" in console.messages[0].text


async def test_a_failed_load_is_an_error(tab: ScriptedTab, console: Console) -> None:
    entry = {"source": "network", "level": "error", "text": "404", "url": "http://a/b.png"}
    await tab.tell("Log.entryAdded", entry=entry)
    assert list(console.messages) == [Message("error", "404", "http://a/b.png", 0)]


async def test_errors_and_warnings_are_counted_since_last_asked(
    tab: ScriptedTab, console: Console
) -> None:
    for kind in ("error", "error", "warning", "log"):
        await say(tab, kind)
    assert console.take_counts() == (2, 1)
    assert console.take_counts() == (0, 0)
    assert len(console.messages) == 4


async def test_the_newest_thousand_are_kept(tab: ScriptedTab, console: Console) -> None:
    for number in range(KEPT + 1):
        params = {"type": "log", "args": [{"type": "number", "value": number}]}
        tab.transport.event("Runtime.consoleAPICalled", params, "P1")
    await say(tab, "log")
    assert len(console.messages) == KEPT
    assert console.messages[0].text == "2"


async def test_clearing_forgets_messages_and_counts(tab: ScriptedTab, console: Console) -> None:
    await say(tab, "error")
    console.clear()
    assert list(console.messages) == []
    assert console.take_counts() == (0, 0)

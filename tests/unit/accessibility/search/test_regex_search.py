"""Regular expressions of an agent: how they are parsed, and that they end in time."""

from __future__ import annotations

import asyncio

import pytest

from viewpoint_mcp.accessibility.search.regex_process import search_texts as search_here
from viewpoint_mcp.accessibility.search.regex_search import Match, Pattern, search_texts
from viewpoint_mcp.errors import CallError

TEXTS = ["Save", "save all", "Delete"]


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("Save", Pattern("Save")),
        ("/Save/", Pattern("Save")),
        ("/Save/i", Pattern("Save", "i")),
        ("/a/b/gi", Pattern("a/b", "i")),
        ("/path", Pattern("/path")),
        ("(?<word>a)(?<!b)(?<=c)", Pattern("(?P<word>a)(?<!b)(?<=c)")),
    ],
)
def test_a_pattern_is_read_with_its_flags(text: str, pattern: Pattern) -> None:
    assert Pattern.parse(text) == pattern


@pytest.mark.parametrize("text", ["", "/a/k", "a" * 1001])
def test_an_invalid_pattern_is_refused(text: str) -> None:
    with pytest.raises(CallError):
        Pattern.parse(text)


async def test_the_first_match_of_each_text_is_returned() -> None:
    assert await search_texts(Pattern("a[vl]"), TEXTS) == [Match(0, 1, 3), Match(1, 1, 3)]


async def test_matching_is_case_sensitive_without_the_flag_i() -> None:
    assert await search_texts(Pattern("^save"), TEXTS) == [Match(1, 0, 4)]
    assert [match.index for match in await search_texts(Pattern("^save", "i"), TEXTS)] == [0, 1]


@pytest.mark.parametrize("source", ["(", "[a", "*", "(?P<a"])
async def test_a_malformed_pattern_is_an_error_that_names_it(source: str) -> None:
    with pytest.raises(CallError, match="is malformed"):
        await search_texts(Pattern(source), TEXTS)


async def test_a_pattern_that_never_ends_is_stopped() -> None:
    with pytest.raises(CallError, match="was stopped after 1 s"):
        await search_texts(Pattern("(a+)+$"), ["a" * 60 + "b"], time_limit=1)


async def test_the_server_continues_while_a_pattern_runs() -> None:
    running = asyncio.create_task(search_texts(Pattern("(a|a)*$"), ["a" * 60 + "b"], time_limit=1))
    turns = 0
    while not running.done():
        await asyncio.sleep(0.01)
        turns += 1
    assert turns > 20
    with pytest.raises(CallError):
        await running


async def test_a_search_can_be_cancelled() -> None:
    running = asyncio.create_task(search_texts(Pattern("(a+)+$"), ["a" * 60 + "b"], time_limit=60))
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


def test_flags_and_warnings_cause_no_error() -> None:
    assert search_here("[[a]", "is", ["A"])["found"] == [(0, 0, 1)]
    assert "error" in search_here("a" * 10 + "{99999999999}", "", ["A"])

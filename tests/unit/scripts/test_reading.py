"""The replay of sessions: refs in replies, their validity, and steps in a batch."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from scripts.reading import todomvc
from scripts.reading.knowledge import Knowledge
from scripts.reading.player import Player, SessionFailed
from scripts.reading.ref_ranges import find_ranges, is_in_ranges
from scripts.reading.servers import ADAPTERS
from scripts.reading.steps import (
    Locator,
    Session,
    Step,
    Target,
    click,
    open_page,
    read,
    type_text,
    wait,
)

ADAPTER = ADAPTERS["viewpoint-mcp"]
TEXT = "listitem|StaticText"
REPLY = """
- navigation "Sidebar":
  - link "Orders" [ref=e12] -> /orders/
- main: 'button "Save" [ref=e31] | link "Orders" [ref=e32] -> /orders/'
"""
NEXT_REPLY = """
- navigation "Sidebar": same as before (e1-e30)
- main:
  - region "Filter": same as before (e33-e35, e40, f1e2-f1e9)
  - paragraph: same as before
"""


def test_ranges_of_regions_that_a_reply_repeats() -> None:
    assert find_ranges(NEXT_REPLY) == ["e1-e30", "e33-e35", "e40", "f1e2-f1e9"]
    assert find_ranges(REPLY) == []


@pytest.mark.parametrize("ref", ["e1", "e30", "e34", "e40", "f1e2", "f1e9"])
def test_ranges_include_their_ends(ref: str) -> None:
    assert is_in_ranges(ref, find_ranges(NEXT_REPLY))


@pytest.mark.parametrize("ref", ["e0", "e31", "e41", "f1e1", "f2e5", "p2e5"])
def test_other_refs_are_not_in_the_ranges(ref: str) -> None:
    assert not is_in_ranges(ref, find_ranges(NEXT_REPLY))


def test_only_refs_in_the_ranges_are_found_in_an_older_reply() -> None:
    ranges = find_ranges(NEXT_REPLY)
    assert ADAPTER.find_ref(Target("link", "Orders"), REPLY, ranges) == "e12"
    assert ADAPTER.find_ref(Target("link", "Orders", after="Save"), REPLY) == "e32"
    assert ADAPTER.find_ref(Target("link", "Orders", after="Save"), REPLY, ranges) is None


class ScriptedServer:
    """Returns prepared replies in order, and keeps the calls."""

    def __init__(self, replies: Sequence[str], name: str = "viewpoint-mcp") -> None:
        self.name = name
        self.calls: list[tuple[str, list[str]]] = []
        self._replies = list(replies)

    async def start(self) -> None:
        """Do nothing."""

    async def stop(self) -> None:
        """Do nothing."""

    async def call_tool(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Note the tool, and the refs or tools of a batch."""
        calls = arguments.get("calls", [{"tool": tool, "arguments": arguments}])
        self.calls.append((tool, [each["arguments"].get("ref", each["tool"]) for each in calls]))
        reply = self._replies.pop(0) if self._replies else "done"
        is_error = reply.startswith("### Error")
        return {"content": [{"type": "text", "text": reply}], "isError": is_error}


def play(
    steps: Sequence[Step], *replies: str, name: str = "viewpoint-mcp", task: str = "Add a note."
) -> list[tuple[str, list[str]]]:
    """Play steps with replies, and return the calls without the proof."""
    server = ScriptedServer(replies, name)
    session = Session(
        name="s", application="a", task=task, steps=steps, proof="() => 1", expected="done"
    )
    player = Player(server, "http://localhost", Path(), lambda _text: None)
    asyncio.run(player.play(session))
    return server.calls[:-1]


FORM = """### Snapshot
- link "Notes" [ref=e1] -> /notes
- textbox "Title" [ref=e2]
- button "Save" [ref=e3]
"""


def test_steps_with_refs_of_replies_are_one_batch() -> None:
    steps = (open_page("/"), type_text("textbox", "Title", "Tea"), click("button", "Save"))
    assert play(steps, FORM) == [
        ("browser_navigate", ["browser_navigate"]),
        ("browser_batch", ["e2", "e3"]),
    ]


def test_a_fact_to_read_ends_the_batch() -> None:
    steps = (open_page("/"), click("button", "Save"), read("Saved"), click("link", "Notes"))
    calls = play(steps, FORM, "Saved")
    assert [refs for _, refs in calls] == [["browser_navigate"], ["e3"], ["e1"]]


def test_a_fact_that_the_batch_waits_for_does_not_end_it() -> None:
    steps = (open_page("/"), click("button", "Save"), wait("Notes"), read("Notes"))
    calls = play((*steps, click("link", "Notes")), FORM)
    assert calls[1:] == [("browser_batch", ["e3", "browser_wait_for", "e1"])]


def test_refs_are_void_after_a_step_that_opens_a_page() -> None:
    steps = (open_page("/"), click("link", "Notes", leaves=True), click("button", "Save"))
    calls = play(steps, FORM)
    assert calls[1:] == [("browser_batch", ["e1", 'button "Save"'])]


def test_a_locator_has_only_words_of_the_task_and_of_replies() -> None:
    steps = (open_page("/"), click("link", "Notes", leaves=True), click("button", "Send"))
    calls = play(steps, FORM, "- main", '- button "Send" [ref=e9]')
    assert [refs for _, refs in calls[1:]] == [["e1"], ["browser_snapshot"], ["e9"]]
    [_, batch] = play(steps, FORM, task="Send it.")
    assert batch == ("browser_batch", ["e1", 'button "Send"'])


def test_a_text_to_wait_for_must_be_known_in_a_batch() -> None:
    steps = (open_page("/"), click("button", "Save"), wait("Stored"))
    assert [tool for tool, _ in play(steps, FORM)][1:] == ["browser_click", "browser_wait_for"]


def test_a_failed_step_is_repeated_with_a_ref_of_the_error_and_the_others_follow() -> None:
    steps = (
        open_page("/"),
        type_text("textbox", "Title", "Tea"),
        click("button", "Save"),
        click("link", "Notes"),
    )
    error = '### Error\nStep 2 (browser_click) failed: gone\n- button "Save" [ref=e7]\n' + FORM[12:]
    calls = play(steps, FORM, error.replace("e3", "e8"))
    assert [refs for _, refs in calls[1:]] == [["e2", "e3", "e1"], ["e7"], ["e1"]]


def test_a_wait_that_fails_is_not_repeated() -> None:
    steps = (open_page("/"), wait("Notes"), click("button", "Save"))
    calls = play(steps, FORM, "### Error\nStep 1 (browser_wait_for) failed: late\n" + FORM)
    assert [refs for _, refs in calls[1:]] == [["browser_wait_for", "e3"], ["e3"]]


def test_a_step_that_fails_twice_ends_the_session() -> None:
    error = "### Error\nno\n" + FORM
    with pytest.raises(SessionFailed, match="click"):
        play((open_page("/"), click("button", "Save")), FORM, error, error)


def test_servers_without_batches_get_single_calls() -> None:
    steps = (open_page("/"), type_text("textbox", "Title", "Tea"), click("button", "Save"))
    calls = play(steps, FORM, name="playwright-mcp")
    assert [tool for tool, _ in calls] == ["browser_navigate", "browser_type", "browser_click"]


def test_words_are_known_in_any_case() -> None:
    knowledge = Knowledge("Delete the row of Anna")
    assert knowledge.has_words_of(Locator("button", "delete", 'row "anna"'))
    assert not knowledge.has_words_of(Locator("button", "Delete", 'row "Bert"'))
    assert not knowledge.has_words_of(open_page("/rows"))


def test_a_target_that_needs_its_surroundings_has_no_locator() -> None:
    assert Target("link", "Save", after="Menu").find_locator() is None
    assert Target("link", "Save|Send").find_locator() is None
    assert str(Target("spinbutton|textbox", "Amount").find_locator()) == 'spinbutton "Amount"'
    inside = Target("link", "Edit", after="Anna", inside='row "Anna"')
    assert str(inside.find_locator()) == 'link "Edit" in row "Anna"'


def test_elements_are_found_by_their_hint_or_without_a_name() -> None:
    target = Target("checkbox", "Mark all|toggle.all|")
    assert ADAPTER.find_ref(target, '- checkbox [hint="toggle all"] [ref=e3]') == "e3"
    assert ADAPTER.find_ref(target, "- checkbox [ref=e4]\n") == "e4"
    assert ADAPTER.find_ref(target, '- checkbox "Tea" [ref=e5]') is None


def test_an_element_without_a_name_is_named_by_its_container() -> None:
    target = Target("button", "", after="Tea", inside='listitem "Tea"')
    assert str(target.find_locator()) == 'button in listitem "Tea"'
    assert Target("button", "", after="Tea").find_locator() is None


def test_an_application_of_todomvc_lacks_scripts_of_the_network_and_missing_files(
    tmp_path: Path,
) -> None:
    page = tmp_path / "examples" / "vue" / "index.html"
    page.parent.mkdir(parents=True)
    (page.parent / "app.js").touch()
    (tmp_path / "base.js").touch()
    sources = ("app.js", "/base.js", "bower/jquery.js", "https://cdn.example/x.js", "//cdn/y.js")
    page.write_text("".join(f'<script src="{url}"></script>' for url in sources))
    assert list(todomvc.find_missing(page, page.parents[1])) == list(sources[2:])


def test_a_step_that_failed_by_its_locator_is_repeated_with_a_ref_of_a_snapshot() -> None:
    steps = (click("button", "Save"),)
    calls = play(steps, "### Error\nNo element is button.", FORM, "saved", task="Save a note.")
    assert [refs for _, refs in calls] == [['button "Save"'], ["browser_snapshot"], ["e3"]]


def test_an_element_that_a_snapshot_does_not_show_yet_is_looked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("scripts.reading.player.READ_PAUSES", (0.0, 0.0))
    steps = (open_page("/"), click("button", ".*Save"))
    calls = play(steps, "Loading", "Loading", FORM, "saved")
    assert [refs for _, refs in calls[1:]] == [["browser_snapshot"], ["browser_snapshot"], ["e3"]]


def test_a_text_without_a_role_is_found_only_for_a_step_that_allows_a_text() -> None:
    adapter = ADAPTERS["chrome-devtools-mcp"]
    snapshot = 'uid=2_3 checkbox\nuid=2_4 "Title"\nuid=2_5 textbox "Title"\n'
    assert adapter.find_ref(Target(TEXT, "Title"), snapshot) == "2_4"
    assert adapter.find_ref(Target("textbox", "Title"), snapshot) == "2_5"


@pytest.mark.parametrize("name", ["Call Ada", "2 days"])
def test_an_element_is_found_by_a_text_behind_another_part_of_its_line(name: str) -> None:
    reply = (
        "- generic [ref=e5] [cursor=pointer]: checkbox [ref=e6] | Buy tea\n"
        "- <added> generic [ref=e7] [cursor=pointer]: checkbox [ref=e8] | Call Ada | 2 days\n"
    )
    assert ADAPTER.find_ref(Target("generic", name), reply) == "e7"
    assert ADAPTER.find_ref(Target("generic", "Call"), reply) is None

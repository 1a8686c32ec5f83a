"""What an agent writes in a shell for the steps of a session, and the process that runs it."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from scripts.reading.knowledge import Knowledge
from scripts.reading.servers import ADAPTERS
from scripts.reading.servers.adapter import Call, write_call
from scripts.reading.servers.command_lines import CommandLines, chain, join, write_line
from scripts.reading.steps import (
    Locator,
    Step,
    Target,
    answer_dialog,
    click,
    hover,
    insert,
    read,
    type_text,
    wait,
    wait_gone,
)

PEER = ADAPTERS["agent-browser"]


def test_agent_browser_gets_refs_or_the_role_and_the_exact_name() -> None:
    step = click("button", "Save")
    named = PEER.batch.build_ref(Locator("button", "Save it"), step) if PEER.batch else None
    assert named
    [by_name] = PEER.builders["click"](step, [named], Path())
    assert write_line(by_name) == ("agent-browser find role button click --name 'Save it' --exact")
    [by_ref] = PEER.builders["click"](step, ["e5"], Path())
    assert write_line(by_ref) == "agent-browser click @e5"


@pytest.mark.parametrize(
    ("locator", "step"),
    [
        (Locator("button", "Save", 'row "Anna"'), click("button", "Save")),
        (Locator("checkbox", "", 'row "Anna"'), click("checkbox", "")),
        (Locator("cell", "Anna"), click("cell", "Anna", double=True)),
    ],
)
def test_agent_browser_cannot_find_by_container_or_double_click_by_name(
    locator: Locator, step: Step
) -> None:
    assert PEER.batch
    assert PEER.batch.build_ref(locator, step) is None


def test_refs_of_agent_browser_are_found_in_snapshots_and_in_their_changes() -> None:
    snapshot = '- textbox "Title" [required, ref=e4]: Tea\n- textbox [ref=e5]: Assam\n'
    assert PEER.find_ref(Target("textbox", "Title"), snapshot) == "e4"
    assert PEER.find_ref(Target("textbox", "Assam"), snapshot) == "e5"
    changes = '{"lines": ["  - button \\"Save\\" [ref=e9]"]}'
    assert PEER.find_ref(Target("button", "Save"), changes) == "e9"


TEXT = "listitem|StaticText"


def test_agent_browser_finds_a_text_and_double_clicks_it_by_its_path() -> None:
    assert PEER.batch
    locator = Locator("listitem", "Call Ada")
    named = PEER.batch.build_ref(locator, hover(TEXT, "Call Ada"))
    assert named
    [call] = PEER.builders["hover"](hover(TEXT, "Call Ada"), [named], Path())
    assert write_line(call) == "agent-browser find text 'Call Ada' hover --exact"
    step = click(TEXT, "Call Ada", double=True)
    named = PEER.batch.build_ref(locator, step)
    assert named
    call, wait_for_focus = PEER.builders["click"](step, [named], Path())
    assert write_line(call) == (
        """agent-browser dblclick 'xpath=//*[normalize-space(text())="Call Ada"]'"""
    )
    assert write_line(wait_for_focus).endswith(
        "wait --fn 'document.activeElement !== document.body'"
    )


@pytest.mark.parametrize("word", ["a b", "it's", """"it's" $HOME `x` \\ !""", "", "e5", "a\nb'"])
def test_a_word_is_quoted_so_that_a_shell_reads_it_as_it_is(word: str) -> None:
    assert shlex.split(join("run", word, word)) == ["run", word, word]


def test_words_have_the_shortest_quotes() -> None:
    assert join("run", "e5", "a b", "it's one") == """run e5 'a b' "it's one\""""


def build(name: str, step: Step, *refs: str) -> list[Call]:
    """Return the calls of a contestant for a step."""
    return ADAPTERS[name].builders[step.action](step, refs, Path("/files"))


def test_commands_of_viewpoint_are_the_lines_of_a_batch() -> None:
    calls = [
        *build("viewpoint", click("cell", "Tea", double=True), 'cell "Tea"'),
        *build("viewpoint", type_text("textbox", "", "it's", submit=True), "e5"),
        *build("viewpoint", answer_dialog(text="Anna")),
        *build("viewpoint", wait_gone("Loading")),
    ]
    batch = ADAPTERS["viewpoint"].batch
    assert batch
    assert write_line(batch.build(calls)) == (
        "viewpoint batch <<'E'\n"
        "click 'cell \"Tea\"' --double-click\n"
        'fill e5 "it\'s" --submit\n'
        "dialog-accept Anna\n"
        "wait --text-gone Loading\n"
        "E"
    )


def test_commands_of_playwright_cli_are_one_line() -> None:
    calls = [
        *build("playwright-cli", click("cell", "Tea", double=True), "e5"),
        *build("playwright-cli", answer_dialog(accept=False)),
        *build("playwright-cli", insert("a b")),
    ]
    assert write_line(chain(calls)) == (
        "playwright-cli --raw dblclick e5 && playwright-cli --raw dialog-dismiss"
        " && playwright-cli --raw type 'a b'"
    )


def test_playwright_cli_waits_for_a_text_with_code() -> None:
    [call] = build("playwright-cli", wait("Anna's"))
    [_, _, command, code] = shlex.split(write_line(call))
    assert command == "run-code"
    assert code == r"async page => page.getByText('Anna\'s').first().waitFor()"


@pytest.mark.parametrize(
    ("locator", "step", "written"),
    [
        (
            Locator("button", "Save"),
            click("button", "Save"),
            "getByRole('button', { name: 'Save', exact: true })",
        ),
        (
            Locator("link", "city", 'paragraph "Facets"'),
            click("link", "city"),
            (
                "getByRole('paragraph').filter({ hasText: 'Facets' })"
                ".getByRole('link', { name: 'city', exact: true })"
            ),
        ),
        (
            Locator("checkbox", "", 'row "Anna"'),
            click("checkbox", ""),
            "getByRole('row').filter({ hasText: 'Anna' }).getByRole('checkbox')",
        ),
        (
            Locator("generic", "Price"),
            click("generic", "Price"),
            "getByText('Price', { exact: true })",
        ),
    ],
)
def test_playwright_cli_gets_locators_of_playwright(
    locator: Locator, step: Step, written: str
) -> None:
    batch = ADAPTERS["playwright-cli"].batch
    assert batch
    assert batch.build_ref(locator, step) == written


def test_a_call_over_mcp_is_written_as_the_tool_and_its_arguments() -> None:
    assert write_call(("browser_click", {"ref": "e5"})) == 'browser_click{"ref":"e5"}'


@pytest.mark.parametrize(
    ("step", "word"),
    [
        (click("link", "Alan Turing", after="By customer"), "Alan Turing"),
        (read(r"(?s)1081.{0,400}Unpaid.{0,200}502"), "Unpaid"),
        (read("6 orders were marked"), "orders"),
        (read(r"\b2834\b"), None),
        (Step("click", Target("button", "")), None),
    ],
)
def test_an_agent_searches_for_the_longest_text_that_it_knows(step: Step, word: str | None) -> None:
    knowledge = Knowledge("Mark the unpaid orders of Alan Turing")
    assert knowledge.find_known_word(step) == word


def make_program(directory: Path) -> CommandLines:
    """Return a contestant that runs the commands of the system."""
    return CommandLines(
        "shell", directory, directory, {}, guide="printf guide", last="touch closed"
    )


async def test_commands_run_until_one_fails(tmp_path: Path) -> None:
    program = make_program(tmp_path)
    commands = ["echo one", "echo two >&2; exit 3", "echo three"]
    result = await program.call_tool("shell", {"commands": commands})
    assert result["content"] == [{"type": "text", "text": "one\ntwo\n"}]
    assert (result["isError"], result["done"]) == (True, 1)


async def test_the_guide_is_measured_and_the_browser_is_closed(tmp_path: Path) -> None:
    program = make_program(tmp_path)
    assert await program.measure_guide() == len("guide")
    await program.stop()
    assert (tmp_path / "closed").exists()


@pytest.mark.parametrize(
    ("name", "look"),
    [
        ("viewpoint", None),
        ("playwright-cli", "playwright-cli --raw snapshot"),
        ("playwright-cli-find", "playwright-cli --raw snapshot"),
        ("agent-browser", "agent-browser snapshot -c --delta"),
        ("agent-browser-interactive", "agent-browser snapshot -i -c --delta"),
    ],
)
def test_commands_whose_replies_show_nothing_are_followed_by_a_look(
    name: str, look: str | None
) -> None:
    batch = ADAPTERS[name].batch
    assert batch
    assert (write_line(batch.snapshot) if batch.snapshot else None) == look

"""The parts of the outflow guard: sites, tokens, readings, sinks and the memory."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import msgspec
import pytest

from tests.unit.tools.outflow.corpus import TOOLS, Call, Flow, Show, play
from viewpoint_mcp.config.secrets import Secrets
from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.tools.core.argument_errors import accepts_secret_name
from viewpoint_mcp.tools.guards.outflow.canonical_text import canonicalize
from viewpoint_mcp.tools.guards.outflow.decoding import read_in_all_ways
from viewpoint_mcp.tools.guards.outflow.shown_texts import MAX_MEMORY, ShownText, ShownTexts
from viewpoint_mcp.tools.guards.outflow.sinks import list_sinks
from viewpoint_mcp.tools.guards.outflow.sites import find_site
from viewpoint_mcp.tools.guards.outflow.specific_tokens import find_specific_tokens

SITES = {
    "https://mail.example.com/inbox": "example.com",
    "http://example.com:8080/": "example.com",
    "https://shop.example.co.uk": "example.co.uk",
    "https://ada.github.io/page": "ada.github.io",
    "https://user:pw@www.example.com./": "example.com",
    "http://localhost:3000/": "localhost:3000",
    "http://app.localhost/": "app.localhost",
    "http://192.168.1.1/": "192.168.1.1",
    "http://[::1]:8080/": "::1:8080",
    "blob:https://example.com/1-2": "example.com",
}


@pytest.mark.parametrize("url", SITES)
def test_subdomains_are_one_site_and_hosts_of_strangers_are_not(url: str) -> None:
    assert find_site(url) == SITES[url]


@pytest.mark.parametrize("url", ["about:blank", "data:text/html,x", "file:///a", "", "http://"])
def test_other_addresses_have_no_site(url: str) -> None:
    assert find_site(url) is None


SPECIFIC = [
    *("481733", "481-733", "4111 1111 1111 1111", "+44 20 7946 0958", "ada@example.org"),
    *("GB29 NWBK 6016 1331 9268 19", "QX7-4481-2209-KD", "xK7#mQ9!vR2$pL5w"),
]
UNSPECIFIC = [
    *("2026-12-24", "24.12.2026", "2026-12-24T18:30", "18:30:05", "2025-2026", "1,299.00"),
    *("156.0.8078.108", "192.168.178.1", "WH-1000XM5", "iPhone 17", "100000000", "12 345"),
    *("Ada Lovelace", "access-control-allow-origin", "AbcDefGhiJklMno"),
]


@pytest.mark.parametrize("text", SPECIFIC)
def test_addresses_numbers_and_codes_are_specific(text: str) -> None:
    found = {canonicalize(each) for each in find_specific_tokens(f"Here: {text} (new)")}
    assert canonicalize(text) in found


@pytest.mark.parametrize("text", UNSPECIFIC)
def test_dates_versions_and_names_are_not_specific(text: str) -> None:
    assert [*find_specific_tokens(f"Here: {text} (new)")] == []


@pytest.mark.parametrize(
    "text",
    [
        *("1-" * 30_000 + "x", "(1T" * 20_000, "1.1" * 20_000, "a@" * 30_000, ":" * 60_000),
        *("[ref" * 15_000, "AB12 " * 12_000, "%" * 60_000, "\\u" * 30_000, "QUJD" * 15_000),
    ],
    ids=lambda text: text[:6],
)
def test_hostile_texts_take_linear_time(text: str) -> None:
    start = time.process_time()
    ShownTexts().add(ShownText("a.test", "https://a.test", text))
    for _ in read_in_all_ways(text):
        pass
    assert time.process_time() - start < 3


def test_the_oldest_texts_are_forgotten() -> None:
    shown = ShownTexts()
    for number in range(40):
        text = f"Code {481733 + number}. " + "x " * (MAX_MEMORY // 40)
        shown.add(ShownText("a.test", "https://a.test", text))
    assert not shown.has_shown("a.test", "481733")
    assert shown.has_shown("a.test", "481772")
    readings = [next(read_in_all_ways(code)) for code in ("481733", "481772")]
    assert [len([*shown.find(each)]) for each in readings] == [0, 1]


def test_the_oldest_addresses_are_forgotten() -> None:
    shown = ShownTexts()
    for number in range(40):
        text = f"https://a.test/{number}/{'x' * (MAX_MEMORY // 30)}"
        shown.add(ShownText("a.test", "https://a.test", text))
    assert not shown.has_shown("a.test", "atest3x")
    assert shown.has_shown("a.test", "atest39x")


def test_each_argument_that_takes_a_secret_is_a_sink() -> None:
    for tool in TOOLS.values():
        fields = msgspec.inspect.type_info(tool.args_type).fields  # type: ignore[attr-defined]
        for field in fields:
            # `browser_select_text` selects a text that the page has.
            is_input = tool.kind == "input" and tool.name != "browser_select_text"
            if is_input and accepts_secret_name(field.type):
                assert field.name in tool.sinks, tool.name


@pytest.fixture
def files(tmp_path: Path) -> FileAccess:
    """Access to the files of a directory, which the test may fill."""
    return FileAccess(tmp_path, tmp_path, tmp_path)


def test_of_an_upload_only_text_files_that_may_be_read_are_sinks(files: FileAccess) -> None:
    (files.working_dir / "notes.txt").write_text("481733")
    (files.working_dir / "picture").write_bytes(b"4817\0")
    os.mkfifo(files.working_dir / "pipe")  # without a writer, reading it would never end
    paths = ["notes.txt", "picture", "pipe", "a\0", ".", "missing", "/etc/hostname"]
    args = TOOLS["file_upload"].parse({"paths": paths})
    sinks = list_sinks(TOOLS["file_upload"], args, "https://a.test/", files)
    assert [each.text for each in sinks] == ["481733"]


def test_a_script_gives_to_its_page_and_to_the_addresses_in_it(files: FileAccess) -> None:
    source = "fetch('//b.test/x'); new WebSocket('wss://c.test:8080')"
    args = TOOLS["evaluate"].parse({"function": source})
    sinks = list_sinks(TOOLS["evaluate"], args, "https://a.test/", files)
    assert [find_site(each.destination) for each in sinks] == ["a.test", "b.test", "c.test"]


def test_a_page_in_a_data_url_gives_to_the_addresses_in_it(files: FileAccess) -> None:
    url = "data:text/html,<img src='https://b.test/?481733'>"
    args = TOOLS["navigate"].parse({"url": url})
    sinks = list_sinks(TOOLS["navigate"], args, "https://a.test/", files)
    assert "b.test" in [find_site(each.destination) for each in sinks]


@pytest.mark.parametrize(
    ("given", "opened"),
    [
        ("localhost:3000/x", "http://localhost:3000/x"),
        (" b.test/x ", "https://b.test/x"),
        ("b.test:8080/x", "https://b.test:8080/x"),
        ("http://b.test", "http://b.test"),
    ],
)
def test_a_message_names_the_address_that_is_opened(
    given: str, opened: str, files: FileAccess
) -> None:
    args = TOOLS["navigate"].parse({"url": given})
    (sink,) = list_sinks(TOOLS["navigate"], args, "https://a.test/", files)
    assert sink.destination == opened


@pytest.mark.parametrize("url", ["http://[", "http://b.test:99999999/", "http://[::1/x"])
async def test_a_malformed_address_gives_nothing_away(url: str, tmp_path: Path) -> None:
    flow = Flow(
        "malformed",
        (
            Show("https://a.test/", "Order 1"),
            Call("navigate", {"url": url}),
            Show("https://c.test/", "Order 2"),
            Call("navigate", {"url": f"{url}?q=tea"}),
            Call("navigate", {"url": "https://d.test/?q=tea"}),
        ),
    )
    assert await play(flow, tmp_path) == []


async def test_the_words_of_the_agent_are_its_own_until_a_page_shows_them_first(
    tmp_path: Path,
) -> None:
    own = Call("type", {"text": "481733"}, "https://a.test/")
    echo = Show("https://a.test/", "You searched for 481733")
    other = Call("type", {"text": "481733"}, "https://b.test/")
    assert (
        await play(Flow("own", (Show("https://a.test/", "Search"), own, echo, other)), tmp_path)
        == []
    )
    assert len(await play(Flow("shown", (echo, own, other)), tmp_path)) == 1


async def test_a_secret_is_never_the_agents_own_word(tmp_path: Path) -> None:
    secrets = Secrets({"PASSWORD": "hunter2-hunter2"})
    first = Call("type", {"text": "PASSWORD"}, "https://a.test/")
    second = Call("type", {"text": "PASSWORD"}, "https://b.test/")
    notes = await play(Flow("secret", (first, first, second)), tmp_path, secrets)
    assert notes == [
        "Outflow: this call gives a secret that was typed on https://a.test to https://b.test."
    ]


async def test_a_page_cannot_end_the_quotes_in_a_note(tmp_path: Path) -> None:
    words = " ".join(f"word{chr(97 + n)} plain" for n in range(10))
    text = f'ab", which {words}'
    given = Call("type", {"text": text}, "https://b.test/")
    (note,) = await play(Flow("quotes", (Show("https://a.test/", text), given)), tmp_path)
    assert re.fullmatch(
        r'Outflow: this call gives "(?:[^"\\]|\\.)*", which https://a\.test showed, '
        r"to https://b\.test\.",
        note,
    ), note

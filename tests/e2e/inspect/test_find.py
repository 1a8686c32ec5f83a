"""browser_find: something on the page without all of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import OpenHere, Show
from tests.e2e.support.client import Reply, ServerClient
from tests.site import Site

ROWS = "".join(
    f"<tr><td>Person {n}</td>"
    f"<td><button onclick='this.textContent=`Done {n}`'>Edit</button></td></tr>"
    for n in range(300)
)
TABLE = f"<main><h1>People</h1><table>{ROWS}</table></main>"


def matches(reply: Reply) -> list[str]:
    lines = reply.sections["Result"].split("\n")
    return [line for line in lines if line.startswith("- ")]


async def test_a_text_is_found_in_its_row_with_its_controls(
    shared_server: ServerClient, show: Show
) -> None:
    await show(TABLE)
    reply = await shared_server.call("browser_find", text="person 250")
    first, fence, match, end = reply.sections["Result"].split("\n")
    assert (first, fence, end) == ('Found 1 match for "person 250":', "```yaml", "```")
    assert match.startswith("- row: Person 250 |")
    ref = re.search(r"\[ref=(\w+)\]", match)
    assert ref
    clicked = await shared_server.call("browser_click", ref=ref[1])
    assert clicked.sections["Result"] == 'Clicked button "Edit"'
    found = await shared_server.call("browser_find", text="Done 250")
    assert "Found 1 match" in found.text


async def test_one_element_is_searched(shared_server: ServerClient, show: Show) -> None:
    await show("<nav><a href=/tea>Tea</a></nav><main><p>Tea</p></main>")
    reply = await shared_server.call("browser_find", text="tea", ref="main")
    assert matches(reply) == ["- paragraph: Tea"]


async def test_addresses_are_searched_on_request(shared_server: ServerClient, show: Show) -> None:
    await show("<a href=/order/7>Tea</a>")
    none = await shared_server.call("browser_find", text="order")
    assert none.sections["Result"] == (
        'No match for "order" in visible text, but in addresses on 1 line: use urls: true.'
    )
    reply = await shared_server.call("browser_find", text="order", urls=True)
    assert re.fullmatch(r'- link "Tea" \[ref=\w+\] -> /order/7', matches(reply)[0])


async def test_a_regex_is_case_sensitive_without_the_flag_i(
    shared_server: ServerClient, show: Show
) -> None:
    await show(TABLE)
    found = await shared_server.call("browser_find", regex="Person 2[0-4]\\b")
    assert found.sections["Result"].startswith("Found 5 matches for Person 2[0-4]\\b:\n")
    none = await shared_server.call("browser_find", regex="person 2")
    assert "No match for person 2 in names" in none.sections["Result"]
    assert "/x/i" in none.sections["Result"]
    assert not none.is_error
    both = await shared_server.call("browser_find", regex="/person 29\\d/i")
    assert len(matches(both)) == 10


async def test_frames_and_shadow_roots_are_searched(
    shared_server: ServerClient, show: Show
) -> None:
    script = "host.attachShadow({mode: 'open'}).innerHTML = '<button>Needle two</button>'"
    await show(
        "<iframe title=Part srcdoc='<p>Before</p><button>Needle one</button>'></iframe>"
        f"<div id=host></div><script>{script}</script>"
    )
    reply = await shared_server.call("browser_find", text="needle")
    assert len(matches(reply)) == 2
    assert '# in iframe "Part":\n' in reply.text
    for line in matches(reply):
        ref = re.search(r"\[ref=(\w+)\]", line)
        assert ref
        clicked = await shared_server.call("browser_click", ref=ref[1])
        assert clicked.sections["Result"].startswith('Clicked button "Needle')


async def test_a_search_without_a_match_names_a_next_step(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<p>Something</p>")
    reply = await shared_server.call("browser_find", text="nothing")
    assert not reply.is_error
    assert reply.sections["Result"].startswith('No match for "nothing" in names, texts and values.')
    assert "browser_wait_for" in reply.sections["Result"]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({}, "browser_find needs a text or regex"),
        ({"text": " "}, "browser_find needs a text or regex"),
        ({"text": "a", "regex": "a"}, "Give text or regex, not both"),
        ({"regex": "(a"}, "regex (a is malformed: missing ), unterminated subpattern"),
        ({"regex": "/a/q"}, "has an unknown flag: q"),
        ({"text": "S", "filename": "../../x.yml"}, "outside the directories"),
    ],
)
async def test_an_invalid_search_is_refused(
    shared_server: ServerClient, show: Show, arguments: dict[str, Any], error: str
) -> None:
    await show("<p>Something</p>")
    reply = await shared_server.call("browser_find", **arguments)
    assert reply.is_error
    assert error in reply.sections["Error"]


@pytest.mark.prove
@pytest.mark.timing
async def test_a_regex_that_never_ends_does_not_block_the_server(
    shared_server: ServerClient, show: Show
) -> None:
    await show(f"<p>{'a' * 50}!</p>")
    reply = await shared_server.call("browser_find", regex="(a+)+$")
    assert reply.is_error
    assert "was stopped after 5 s" in reply.sections["Error"]
    assert "Found 1 match" in (await shared_server.call("browser_find", text="aaa")).text


async def test_more_matches_than_the_budget_are_counted(
    open_here: OpenHere, tmp_path: Path, site: Site
) -> None:
    async with open_here("--snapshot-budget=2000", cwd=tmp_path) as server:
        await server.call("browser_navigate", url=site.page(TABLE))
        reply = await server.call("browser_find", text="person")
        await server.call("browser_find", text="person", filename="found.yml")
    text = re.match(
        r'Found 300 matches for "person", the first (\d+) shown:', reply.sections["Result"]
    )
    assert text
    assert len(matches(reply)) == int(text[1])
    assert f"# … {300 - int(text[1])} more matches not shown." in reply.text
    assert len(reply.sections["Result"]) < 2100
    assert (tmp_path / "found.yml").read_text().count("- row: Person") == 300

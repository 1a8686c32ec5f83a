"""JavaScript of the user, in the page's own world."""

from __future__ import annotations

import pytest

from tests.browser.page.agent import Agent
from viewpoint_mcp.errors import PageError


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("() => 1 + 1", "2"),
        ("1 + 1", "2"),
        ("function () { return 'a' }", "a"),
        ("async () => { await null; return 'a' }", "a"),
        ("Promise.resolve(3)", "3"),
        ("const a = 2; a * 3", "6"),
        ("{a: 1}", '{\n  "a": 1\n}'),
        ("document.title // a comment", "T"),
        ("() => null", "null"),
        ("() => undefined", "undefined"),
        ("() => ''", ""),
        ("() => [1, undefined, () => 1]", "[\n  1,\n  null,\n  null\n]"),
        ("() => 12345678901234567890n", "12345678901234567890n"),
        ("() => NaN", "NaN"),
        ("() => -0", "0"),
        ("() => new Date(0)", "1970-01-01T00:00:00.000Z"),
        ("() => /a+/gi", "/a+/gi"),
        ("() => new Map([['a', 1]])", '{\n  "a": 1\n}'),
        ("() => new Set([1])", "[\n  1\n]"),
        ("() => document.querySelector('p')", '<p id="p">'),
        ("() => { const a = {}; a.a = a; return a }", '{\n  "a": "[Circular]"\n}'),
        ("() => { const a = [1]; return [a, a] }", "[\n  [\n    1\n  ],\n  [\n    1\n  ]\n]"),
        ("() => new Map([[() => 1, 1]])", '{\n  "[function]": 1\n}'),
        ("() => new Map([[Symbol('s'), 1]])", '{\n  "[symbol]": 1\n}'),
        ("() => document.querySelectorAll('p')", '[\n  "<p id=\\"p\\">"\n]'),
    ],
)
async def test_a_value_is_returned_as_text(agent: Agent, source: str, value: str) -> None:
    await agent.open("<title>T</title><p id=p>text</p>")
    assert await agent.run(source) == value


@pytest.mark.parametrize(
    "source", ["() => new Error('bad')", "() => document.createTextNode('bad')"]
)
async def test_an_error_and_a_text_are_readable(agent: Agent, source: str) -> None:
    assert "bad" in str(await agent.run(source))


@pytest.mark.time_limit(3)
async def test_half_a_character_does_not_break_the_answer(agent: Agent) -> None:
    text = await agent.run("() => 'a\\ud800b'")
    assert text is not None
    assert text.encode() == "a\ufffdb".encode()


async def test_half_a_character_on_the_page_does_not_break_the_snapshot(agent: Agent) -> None:
    await agent.open("<p id=p></p>")
    await agent.run("() => { p.textContent = 'a\\ud800b' }")
    assert "b" in await agent.look()


async def test_the_element_is_the_argument(agent: Agent) -> None:
    await agent.open("<button id=go>Go</button>")
    button = await agent.find("button")
    assert await agent.page.evaluate("e => e.id", button) == "go"


async def test_the_element_of_a_frame_is_the_argument(agent: Agent) -> None:
    await agent.open("<iframe srcdoc='<button id=in>In</button>'></iframe>")
    button = await agent.find('button "In"')
    assert await agent.page.evaluate("e => e.id", button) == "in"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("() => { throw new Error('no') }", "Error: no"),
        ("() => { throw 'no' }", "no"),
        ("() => { throw null }", "null"),
        ("() => { throw 0 }", "0"),
        ("() => Promise.reject(new Error('no'))", "Error: no"),
        ("() => {", "SyntaxError"),
        ("nothing.there", "ReferenceError"),
    ],
)
async def test_what_a_function_throws_is_told(agent: Agent, source: str, words: str) -> None:
    with pytest.raises(PageError, match=words):
        await agent.run(source)


async def test_a_function_that_leaves_the_page_does_not_hang(agent: Agent) -> None:
    await agent.open("<h1>Here</h1>")
    async with agent.page.settled(patient=False):
        await agent.run("() => { location = 'about:blank' }")
    assert agent.page.url == "about:blank"


@pytest.mark.time_limit(10)
async def test_a_promise_of_a_page_that_goes_away_ends(agent: Agent) -> None:
    await agent.open("<h1>Here</h1>")
    with pytest.raises(PageError):
        await agent.run("() => new Promise(() => { location = 'about:blank' })")


async def test_the_page_does_not_see_our_world(agent: Agent) -> None:
    await agent.open("<button>Go</button>")
    before = await agent.run("Object.getOwnPropertyNames(window).length")
    await agent.click("button")
    assert await agent.run("Object.getOwnPropertyNames(window).length") == before

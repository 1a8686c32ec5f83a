"""Console messages as a page records them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.page.console.console import ConsoleMessage
from viewpoint_mcp.page.page import Page


async def wait_for_messages(
    page: Page, found: Callable[[list[ConsoleMessage]], bool] = bool
) -> list[ConsoleMessage]:
    """Return the messages of the document, once they are as they should be."""
    while True:
        await page.console.wait_for_previews()
        messages = list(page.console.select_messages("debug"))
        if found(messages):
            return messages
        await asyncio.sleep(0.01)


async def log(agent: Agent, args: str) -> str:
    """Return the recorded text of `console.log(args)`."""
    await agent.open(f"<p id=x class='a b'>text</p><script>console.log({args})</script>")
    return (await wait_for_messages(agent.page))[0].text


@pytest.mark.parametrize(
    ("args", "text"),
    [
        ("'text', 1, true, null, undefined", "text 1 true null undefined"),
        ("-0, NaN, 1/0, 5n, Symbol('q')", "-0 NaN Infinity 5n Symbol(q)"),
        ("{}", "{}"),
        ("[]", "[]"),
        ("{a: 1, s: 'x', n: null, u: undefined}", '{a: 1, s: "x", n: null, u: undefined}'),
        ("{a: {b: {c: 1}}}", "{a: {b: {…}}}"),
        ("{a: {b: 1}, c: [1, [2]]}", "{a: {b: 1}, c: [1, Array(1)]}"),
        ("{a: 1, b: 2, c: 3, d: 4, e: 5, f: 6}", "{a: 1, b: 2, c: 3, d: 4, e: 5, f: 6}"),
        ("[1, 'a', [2], {b: 1}]", '[1, "a", [2], {b: 1}]'),
        ("new (class Point { x = 1 })", "Point {x: 1}"),
        ("new Map([['k', {v: 1}]])", 'Map(1) {"k" => {v: 1}}'),
        ("new Set([1, 'a'])", 'Set(2) {1, "a"}'),
        ("new Uint8Array([1, 2])", "Uint8Array(2) [1, 2]"),
        ("() => 1", "ƒ ()"),
        ("function foo(a, b) { return a }", "ƒ foo(a, b)"),
        ("class A extends Array { x() {} }", "class A extends Array"),
        ("{f() {}, get g() { throw 1 }}", "{f: ƒ, g: (...)}"),
        ("/a+/g", "/a+/g"),
        ("new Proxy({}, {ownKeys() { throw 1 }})", "Proxy(Object)"),
        ("Promise.resolve(1)", 'Promise {[[PromiseState]]: "fulfilled", [[PromiseResult]]: 1}'),
        ("document.querySelector('p')", '<p id="x" class="a b">'),
        ("[document.body]", "[<body>]"),
        ("document.createTextNode('t')", '#text "t"'),
        ("document", "#document"),
        ("{e: new Error('inside')}", "{e: Error: inside}"),
        ("'%s has %d of %i and %f%%', 'Ann', 2.5, '3px', 1.5", "Ann has 2 of 3 and 1.5%"),
        ("'%cred%c plain', 'color: red', ''", "red plain"),
        ("'%o and %O', {a: 1}, 'b'", '{a: 1} and "b"'),
        ("'100% sure', 1", "100% sure 1"),
        ("'%s'", "%s"),
        ("'%d', Symbol('q')", "NaN"),
        ("'a', 'b\\nc'", "a b\nc"),
    ],
)
async def test_an_argument_is_readable(agent: Agent, args: str, text: str) -> None:
    assert await log(agent, args) == text


async def test_an_error_has_its_stack(agent: Agent) -> None:
    first, *stack = (await log(agent, "(function f() { return new TypeError('no') })()")).split(
        "\n"
    )
    assert first == "TypeError: no"
    assert stack[0].startswith("    at f (")


async def test_no_getter_of_the_page_is_called(agent: Agent) -> None:
    await log(agent, "{a: {}, get b() { window.called = 1 }, c: {get d() { window.called = 1 }}}")
    assert await agent.run("typeof called") == "undefined"


async def test_a_large_object_is_not_fetched(agent: Agent) -> None:
    await agent.open(
        "<script>const o = {}; for (let n = 0; n < 300000; n++) o['k' + n] = {}; "
        "console.log(o); console.log(Array(100000).fill({a: 1}))</script>"
    )
    first, second = await wait_for_messages(agent.page, lambda messages: len(messages) == 2)
    assert first.text == "{k0: {…}, k1: {…}, k2: {…}, k3: {…}, k4: {…}, …}"
    assert second.text.startswith("Array(100000) [{…}, ")
    assert len(second.text) < 1000


@pytest.mark.parametrize(
    ("call", "kind", "level", "text"),
    [
        ("info('a')", "info", "info", "a"),
        ("warn('a')", "warning", "warning", "a"),
        ("error('a')", "error", "error", "a"),
        ("debug('a')", "debug", "debug", "a"),
        ("table([{a: 1}])", "table", "info", "[{a: 1}]"),
        ("dir({a: 1})", "dir", "info", "{a: 1}"),
        ("count('c')", "count", "info", "c: 1"),
        ("group('g')", "group", "info", "g"),
        ("assert(false, 'why')", "assert", "error", "Assertion failed: why"),
        ("assert(false)", "assert", "error", "Assertion failed"),
    ],
)
async def test_each_kind_is_recorded(
    agent: Agent, call: str, kind: str, level: str, text: str
) -> None:
    await agent.open(f"<script>console.{call}</script>")
    (message,) = await wait_for_messages(agent.page)
    assert (message.kind, message.level, message.text) == (kind, level, text)


async def test_a_trace_has_its_stack(agent: Agent, site: Site) -> None:
    await agent.go(site.page("<script>\nfunction f() { console.trace('here') }\nf()</script>"))
    (message,) = await wait_for_messages(agent.page)
    url = agent.page.url
    assert message.text == f"here\n    at f ({url}:2)\n    at (anonymous) ({url}:3)"
    assert (message.url, message.line) == (url, 2)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("throw new TypeError('boom')", "Uncaught TypeError: boom\n    at "),
        ("throw 'text'", "Uncaught text\n    at "),
        ("throw {code: {n: 1}}", "Uncaught {code: {n: 1}}\n    at "),
        ("throw null", "Uncaught null"),
        ("Promise.reject(new Error('late'))", "Uncaught (in promise) Error: late\n    at "),
        ("(", "Uncaught SyntaxError: "),
    ],
)
async def test_an_uncaught_exception_is_an_error(agent: Agent, script: str, words: str) -> None:
    await agent.open(f"<script>{script}</script>")
    (message,) = await wait_for_messages(agent.page)
    assert message.text.startswith(words)
    assert (message.kind, message.level) == ("error", "error")


async def test_a_failed_load_is_an_error_with_its_address(agent: Agent, site: Site) -> None:
    await agent.go(site.page("<img src=/none.png>"))
    (message,) = await wait_for_messages(agent.page)
    assert "404" in message.text
    assert message.url == site.url("/none.png")


async def test_a_worker_is_recorded_once_with_its_objects(agent: Agent, site: Site) -> None:
    site.respond(
        "/worker.js",
        "console.log('in', {a: 1}); setTimeout(() => { throw new Error('there') })",
        content_type="text/javascript",
    )
    await agent.go(site.page("<script>new Worker('/worker.js')</script>"))
    messages = await wait_for_messages(agent.page, lambda messages: len(messages) >= 2)
    await agent.run("() => new Promise(done => setTimeout(done, 100))")
    messages = await wait_for_messages(agent.page)
    assert messages[0].text == "in {a: 1}"
    assert messages[0].url == site.url("/worker.js")
    assert messages[1].text.startswith("Uncaught Error: there")
    assert len(messages) == 2


async def test_a_service_worker_is_recorded(agent: Agent, site: Site) -> None:
    site.respond("/sw.js", "console.warn('serving')", content_type="text/javascript")
    await agent.go(site.page("<script>navigator.serviceWorker.register('/sw.js')</script>"))
    (message,) = await wait_for_messages(agent.page)
    assert (message.text, message.url) == ("serving", site.url("/sw.js"))


async def test_frames_are_recorded_from_their_first_script_on(agent: Agent, site: Site) -> None:
    site.page("<script>console.log('inner', {a: {b: 1}})</script>", path="/inner")
    other = site.url("/inner").replace("127.0.0.1", "localhost")
    await agent.go(site.page(f"<iframe src=/inner></iframe><iframe src={other}></iframe>"))
    messages = await wait_for_messages(agent.page, lambda messages: len(messages) == 2)
    assert [message.text for message in messages] == ["inner {a: {b: 1}}"] * 2
    assert {message.url for message in messages} == {site.url("/inner"), other}


async def test_repeats_in_a_row_are_one_with_a_count(agent: Agent) -> None:
    await agent.open(
        "<script>for (let n = 0; n < 5; n++) console.log('same', {a: 1});"
        "for (let n = 0; n < 2; n++) console.log({a: {n}})</script>"
    )
    same, first, second = await wait_for_messages(agent.page, lambda messages: len(messages) >= 3)
    assert (same.text, same.count) == ("same {a: 1}", 5)
    assert (first.text, second.text) == ("{a: {n: 0}}", "{a: {n: 1}}")
    assert agent.page.console.document_counts.messages == 7


async def test_a_new_document_starts_a_new_record_and_the_old_one_is_kept(agent: Agent) -> None:
    await agent.open("<script>console.error('old')</script>")
    await agent.open("<script>console.log('new')</script>")
    console = agent.page.console
    assert [message.text for message in await wait_for_messages(agent.page)] == ["new"]
    every = console.select_messages("debug", include_earlier_documents=True)
    assert [message.text for message in every] == ["old", "new"]
    assert (console.document_counts.errors, console.tab_counts.errors) == (0, 1)


async def test_many_megabytes_are_cut_before_they_are_kept(agent: Agent) -> None:
    await agent.open(
        "<script>console.log('x'.repeat(2e7)); console.log({}, 'y'.repeat(1e6))</script>"
    )
    first, second = await wait_for_messages(agent.page, lambda messages: len(messages) == 2)
    assert first.text.endswith("x… (19,990,000 more characters)")
    assert len(first.text) < 10_100
    assert len(second.text) < 10_100


async def test_logged_objects_are_released_in_the_page(agent: Agent) -> None:
    await agent.open("<script>refs = []</script>")
    await agent.run(
        "() => { for (let n = 0; n < 5000; n++) { const o = {n, a: {}}; "
        "refs.push(new WeakRef(o)); console.log(o) } }"
    )
    await wait_for_messages(
        agent.page, lambda _: agent.page.console.document_counts.messages == 5000
    )
    await services_of(agent.page).session.send("HeapProfiler.collectGarbage")
    alive = await agent.run("() => refs.filter(ref => ref.deref()).length")
    # Chromium itself keeps the last thousand messages for DevTools.
    assert int(alive or 0) <= 1500

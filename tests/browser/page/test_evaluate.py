"""JavaScript of the user, in the page's own world."""

from __future__ import annotations

import json

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.config.settings import Timeouts
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
        ("className => 1", "1"),
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
    ("source", "value"),
    [
        ("new Uint8Array([1, 2])", [1, 2]),
        ("({a: new Float32Array([0.5])})", {"a": [0.5]}),
        ("new ArrayBuffer(8)", "[ArrayBuffer(8)]"),
        ("new DOMRect(1, 2, 3, 4).toJSON().right", 4),
        ("({box: new DOMRect(1, 2, 3, 4)})['box']['x']", 1),
        ("Object.keys({r: new DOMRect()})", ["r"]),
        ("new URL('http://a/b')", "http://a/b"),
        ("new URLSearchParams('a=1')", {"a": "1"}),
        ("new Proxy({a: [1]}, {})", {"a": [1]}),
        ("[new Proxy({}, {ownKeys() { throw 1 }})]", ["[threw 1]"]),
        ("({get a() { throw new Error('g') }, b: 1})", {"a": "[threw Error: g]", "b": 1}),
        ("({e: new TypeError('in')})", {"e": "TypeError: in"}),
        ("new DOMException('no', 'AbortError')", "AbortError: no"),
        ("document.body.classList", ["one", "two"]),
        ("document.body.attributes", ['class="one two"']),
        ("[document, document.createComment('c')]", ["#document", "<!--c-->"]),
        ("document.createTextNode('t')", "#text t"),
        ("(class A {})", "class A {}"),
        ("() => function f(a) { return a }", "function f(a) { return a }"),
        ("Symbol('s')", "Symbol(s)"),
        ("await Promise.resolve({a: 1})", {"a": 1}),
        ("const got = await 3; got + 1", 4),
        ("new Map([['u', new URL('http://a/')]])", {"u": "http://a/"}),
        (
            "(() => { const a = new Proxy({}, {}); a.a = a; return {a} })()",
            {"a": {"a": "[Circular]"}},
        ),
    ],
)
async def test_values_that_json_cannot_represent_are_readable(
    agent: Agent, source: str, value: object
) -> None:
    await agent.open("<body class='one two'>")
    text = await agent.run(source)
    assert text is not None
    assert (text if isinstance(value, str) else json.loads(text)) == value


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("new URLSearchParams('a=1&a=2&a=3&b=4')", {"a": ["1", "2", "3"], "b": "4"}),
        ("(() => { localStorage.token = 'abc'; return localStorage })()", {"token": "abc"}),
    ],
)
async def test_browser_objects_with_named_entries_are_printed_by_name(
    agent: Agent, site: Site, source: str, value: object
) -> None:
    await agent.go(site.page("<p>x</p>"))
    assert json.loads(await agent.page.evaluate(source) or "") == value


@pytest.mark.parametrize("source", ["new Array(1e6).fill(7)", "new ImageData(1000, 500)"])
async def test_a_vast_value_is_cut_after_its_beginning(open_page: OpenPage, source: str) -> None:
    agent = Agent(await open_page(Timeouts(script=20)))
    result = await agent.page.evaluate(source)
    assert result is not None
    assert "more]" in result
    assert len(result) < 1_000_000


async def test_statements_may_declare_the_same_name_again(agent: Agent) -> None:
    assert await agent.page.evaluate("const twice = 1; twice") == "1"
    assert await agent.page.evaluate("const twice = 2; twice") == "2"


async def test_the_size_of_a_box_is_printed(agent: Agent) -> None:
    await agent.open("<div id=d style='position: absolute; left: 7px; width: 20px'>")
    box = json.loads(await agent.run("d.getBoundingClientRect()") or "")
    assert (box["left"], box["width"]) == (7, 20)


async def test_a_function_runs_on_a_page_that_broke_its_builtins(agent: Agent) -> None:
    await agent.open(
        "<body id=b><script>JSON.stringify = JSON.parse = () => 'mine';"
        "Map.prototype.get = Map.prototype.set = Array.prototype.push = Array.prototype.map = "
        "Object.keys = Promise.prototype.catch = () => { throw 'mine' };"
        "Promise = Map = Set = Error = undefined; Object.prototype.toJSON = () => 'mine'</script>"
    )
    assert await agent.run("async () => ({a: [1, {b: document.body}]})") == (
        '{\n  "a": [\n    1,\n    {\n      "b": "<body id=\\"b\\">"\n    }\n  ]\n}'
    )
    assert "[platformobject]" in str(await agent.run("location"))


async def test_a_strict_policy_of_the_page_is_no_obstacle(agent: Agent, site: Site) -> None:
    policy = {"Content-Security-Policy": "default-src 'none'; require-trusted-types-for 'script'"}
    await agent.go(site.page("<title>Strict</title><button>B</button>", headers=policy))
    assert await agent.run("() => document.title") == "Strict"
    assert await agent.run("new URL('http://a/')") == "http://a/"
    button = await agent.find("button")
    assert await agent.page.evaluate("e => e.textContent", button) == "B"


async def test_an_endless_loop_is_stopped_and_the_page_continues(open_page: OpenPage) -> None:
    page = await open_page(Timeouts(action=2.0, navigation=10.0, script=0.5))
    with pytest.raises(PageError, match=r"ran for 0\.5 s and was stopped"):
        await page.evaluate("() => { while (true); }")
    assert await page.evaluate("1 + 1") == "2"


async def test_a_promise_that_is_never_settled_times_out(open_page: OpenPage) -> None:
    page = await open_page(Timeouts(action=2.0, navigation=10.0, script=0.5))
    with pytest.raises(PageError, match=r"promise was not settled after 0\.5 s"):
        await page.evaluate("() => new Promise(() => {})")
    assert await page.evaluate("1 + 1") == "2"


async def test_a_promise_and_the_reading_of_its_value_share_one_limit(open_page: OpenPage) -> None:
    # Each alone takes less than the limit; only the promise has to settle in time.
    page = await open_page(Timeouts(action=2.0, navigation=10.0, script=2.0))
    wait = "const end = performance.now() + 1800; while (performance.now() < end);"
    value = f"{{ get a() {{ {wait} return 1 }} }}"
    with pytest.raises(PageError, match=r"its value could not be read in time"):
        await page.evaluate(f"() => new Promise((done) => setTimeout(() => done({value}), 400))")
    assert await page.evaluate("1 + 1") == "2"


@pytest.mark.parametrize("mode", ["open", "closed"])
async def test_the_element_of_a_shadow_root_is_the_argument(agent: Agent, mode: str) -> None:
    await agent.open(
        f"<div id=host></div><script>host.attachShadow({{mode: '{mode}'}})"
        ".innerHTML = '<button data-x=in>In</button>'</script>"
    )
    button = await agent.find('button "In"')
    assert await agent.page.evaluate("e => e.dataset.x", button) == "in"


async def test_the_element_of_another_site_s_frame_is_the_argument(
    agent: Agent, site: Site
) -> None:
    inner = site.page("<button data-x=in>In</button>").replace("127.0.0.1", "localhost")
    await agent.go(site.page(f"<iframe src={inner}></iframe>"))
    button = await agent.find('button "In"')
    assert await agent.page.evaluate("e => ({x: e.dataset.x, box: [e]})", button) == (
        '{\n  "x": "in",\n  "box": [\n    "<button data-x=\\"in\\">"\n  ]\n}'
    )


@pytest.mark.parametrize(
    "source", ["() => new Error('bad')", "() => document.createTextNode('bad')"]
)
async def test_an_error_and_a_text_are_readable(agent: Agent, source: str) -> None:
    assert "bad" in str(await agent.run(source))


@pytest.mark.time_limit(3)
async def test_half_a_surrogate_pair_does_not_break_the_answer(agent: Agent) -> None:
    text = await agent.run("() => 'a\\ud800b'")
    assert text is not None
    assert text.encode() == "a\ufffdb".encode()


async def test_half_a_surrogate_pair_on_the_page_does_not_break_the_snapshot(agent: Agent) -> None:
    await agent.open("<p id=p></p>")
    await agent.run("() => { p.textContent = 'a\\ud800b' }")
    assert "b" in await agent.snapshot()


async def test_the_element_is_the_argument(agent: Agent) -> None:
    await agent.open("<button id=go>Go</button>")
    button = await agent.find("button")
    assert await agent.page.evaluate("e => e.id", button) == "go"


async def test_a_function_on_an_element_may_end_with_a_semicolon(agent: Agent) -> None:
    await agent.open("<button>Buy</button>")
    assert await agent.page.evaluate("(e) => e.tagName;", await agent.find("button")) == "BUTTON"


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
        ("() => { throw {code: 5} }", '"code": 5'),
        ("() => Promise.reject({status: [404]})", "404"),
        ("() => Promise.reject(new Error('no'))", "Error: no"),
        ("() => {", "SyntaxError"),
        ("nothing.there", "ReferenceError"),
    ],
)
async def test_a_thrown_exception_is_reported(agent: Agent, source: str, words: str) -> None:
    with pytest.raises(PageError, match=words):
        await agent.run(source)


async def test_a_function_that_leaves_the_page_does_not_hang(agent: Agent) -> None:
    await agent.open("<h1>Here</h1>")
    async with agent.page.settle_afterwards(is_patient=False):
        await agent.run("() => { location = 'about:blank' }")
    assert agent.page.url == "about:blank"


@pytest.mark.time_limit(10)
async def test_a_navigation_ends_a_pending_promise(agent: Agent) -> None:
    await agent.open("<h1>Here</h1>")
    source = "() => new Promise(() => { location = 'about:blank' })"
    assert await agent.page.evaluate(source) is None


@pytest.mark.parametrize(
    "source",
    [
        "() => { location.href = '/other'; return {a: 1} }",
        "async () => { location.href = '/other'; await new Promise(() => {}) }",
    ],
)
async def test_a_value_of_a_replaced_document_is_lost_and_the_next_one_is_returned(
    agent: Agent, site: Site, source: str
) -> None:
    site.page("<h1>Other</h1>", path="/other")
    await agent.go(site.page("<p>x</p>"))
    async with agent.page.settle_afterwards():
        value = await agent.page.evaluate(source)
    assert value in (None, '{\n  "a": 1\n}')
    assert "Other" in await agent.snapshot()


async def test_the_page_cannot_see_the_isolated_world(agent: Agent) -> None:
    await agent.open("<button>Go</button>")
    before = await agent.run("Object.getOwnPropertyNames(window).length")
    await agent.click("button")
    assert await agent.run("Object.getOwnPropertyNames(window).length") == before

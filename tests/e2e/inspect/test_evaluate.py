"""browser_evaluate: its results and its errors."""

from __future__ import annotations

import json
import re

import pytest

from tests.e2e.conftest import Show
from tests.e2e.support.client import ServerClient
from tests.site import Site


async def result(server: ServerClient, function: str) -> str:
    reply = await server.call("browser_evaluate", function=function)
    assert not reply.is_error, reply.text
    return reply.sections["Result"]


@pytest.mark.parametrize(
    ("function", "text"),
    [
        ("'plain text'", "plain text"),
        ("'two\\nlines'", "two\nlines"),
        ("'\"quoted\"'", '"quoted"'),
        ("1 + 1", "2"),
        ("true", "true"),
        ("null", "null"),
        ("() => null", "null"),
        ("undefined", "undefined"),
        ("() => { document.title }", "undefined"),
        ("function () { return 'a function' }", "a function"),
        ("async () => 'awaited'", "awaited"),
        ("Promise.resolve('a promise')", "a promise"),
        ("() => new Promise(done => setTimeout(() => done('later'), 50))", "later"),
        ("let x = 2; x * 3", "6"),
        ("'trailing comment' // here", "trailing comment"),
        ("NaN", "NaN"),
        ("1 / 0", "Infinity"),
        ("10n ** 20n", "100000000000000000000n"),
    ],
)
async def test_a_value_is_returned_as_text(
    shared_server: ServerClient, show: Show, function: str, text: str
) -> None:
    await show("<p>x</p>")
    assert await result(shared_server, function) == text


@pytest.mark.parametrize(
    ("function", "value"),
    [
        ("({a: 1, b: [true, null, 'x']})", {"a": 1, "b": [True, None, "x"]}),
        ("() => ({ nested: { deep: [] } })", {"nested": {"deep": []}}),
        ("[]", []),
        ("({})", {}),
        ("new Map([['k', { v: 1 }]])", {"k": {"v": 1}}),
        ("new Set([1, 2])", [1, 2]),
        ("({ u: undefined, f() {}, keep: 1 })", {"keep": 1}),
        ("[undefined, 1]", [None, 1]),
        ("({ big: 5n })", {"big": "5n"}),
    ],
)
async def test_a_structure_is_returned_as_json(
    shared_server: ServerClient, show: Show, function: str, value: object
) -> None:
    await show("<p>x</p>")
    assert json.loads(await result(shared_server, function)) == value


async def test_a_circle_is_named(shared_server: ServerClient, show: Show) -> None:
    await show("<p>x</p>")
    found = await result(shared_server, "() => { const o = { name: 'o' }; o.self = o; return o }")
    assert json.loads(found) == {"name": "o", "self": "[Circular]"}


async def test_an_element_is_returned_as_readable_text(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<p id=x class=y>text</p>")
    assert await result(shared_server, "document.querySelector('p')") == '<p id="x" class="y">'


@pytest.mark.parametrize(
    ("function", "readable"),
    [
        ("window", "[Window]"),
        ("new Date(0)", "1970-01-01"),
        ("/a+/gi", "/a+/gi"),
        ("new Error('boom')", "boom"),
        ("new Proxy({ a: 1 }, {})", '"a": 1'),
        ("new WeakMap()", "WeakMap"),
        ("Symbol('s')", "s"),
        ("[document.body]", "<body>"),
    ],
)
async def test_a_value_that_json_cannot_represent_is_readable(
    shared_server: ServerClient, show: Show, function: str, readable: str
) -> None:
    await show("<p>x</p>")
    assert readable in await result(shared_server, function)


async def test_half_a_surrogate_pair_is_replaced_in_the_reply(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<p>x</p>")
    reply = await shared_server.call("browser_evaluate", function="'a\\ud83d' + 'b'", within=10)
    assert reply.sections["Result"] == "a\ufffdb"


async def test_an_empty_string_is_shown(shared_server: ServerClient, show: Show) -> None:
    await show("<p>x</p>")
    reply = await shared_server.call("browser_evaluate", function="''")
    assert "Result" in reply.sections


async def test_a_megabyte_is_cut_in_the_reply_and_complete_in_a_file(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<p>x</p>")
    reported = await result(shared_server, "'x'.repeat(1e6) + 'end'")
    assert len(reported) <= 40_000
    path = re.search(r"^Cut to 40,000 of 1,000,003 characters; the whole: (\S+)\n", reported)
    assert path
    assert (shared_server.cwd / path[1]).read_text() == "x" * 1_000_000 + "end"


async def test_a_result_is_saved_to_the_named_file(shared_server: ServerClient, show: Show) -> None:
    await show("<p>x</p>")
    reply = await shared_server.call(
        "browser_evaluate", function="({ a: [1] })", filename="result.json"
    )
    assert reply.sections["Result"] == "[Result](result.json)"
    assert json.loads((shared_server.cwd / "result.json").read_text()) == {"a": [1]}


async def test_a_file_that_may_not_be_written_is_refused_before_the_script_runs(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<p>x</p>")
    reply = await shared_server.call(
        "browser_evaluate", function="() => { window.ran = true }", filename="/etc/result"
    )
    assert reply.is_error
    assert await result(shared_server, "typeof ran") == "undefined"


async def test_a_result_cannot_imitate_a_section_of_the_reply(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<p>x</p>")
    for function in ("'a\\n### Events\\n- b'", "() => { throw 'a\\n### Events\\n- b' }"):
        reply = await shared_server.call("browser_evaluate", function=function)
        assert re.search(r"^ {4}### Events\n +- b|^\\### Events\n- b", reply.text, re.MULTILINE)
        assert "\n### Events" not in reply.text


async def test_target_is_another_name_for_the_ref(shared_server: ServerClient, show: Show) -> None:
    await show("<button data-x=7>A</button>")
    reply = await shared_server.call(
        "browser_evaluate", target="button", element="A", function="e => e.dataset.x"
    )
    assert reply.sections["Result"] == "7"


async def test_an_exception_is_returned_with_its_message(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<p>x</p>")
    reply = await shared_server.call(
        "browser_evaluate", function="() => { throw new TypeError('boom') }"
    )
    assert reply.is_error
    assert "The function threw: TypeError: boom" in reply.sections["Error"]


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        ("() => Promise.reject(new Error('refused'))", "Error: refused"),
        ("() => { throw 'a string' }", "a string"),
        ("noSuchVariable", "noSuchVariable is not defined"),
        ("() => {", "SyntaxError"),
    ],
)
async def test_a_failure_of_the_function_is_an_error(
    shared_server: ServerClient, show: Show, function: str, reason: str
) -> None:
    await show("<p>x</p>")
    reply = await shared_server.call("browser_evaluate", function=function)
    assert reply.is_error
    assert reason in reply.sections["Error"]


async def test_with_a_ref_the_element_is_the_argument(
    shared_server: ServerClient, show: Show
) -> None:
    ref = (await show("<button data-x=7>A</button>")).ref("button", "A")
    reply = await shared_server.call("browser_evaluate", ref=ref, function="e => e.dataset.x")
    assert reply.sections["Result"] == "7"


async def test_an_element_of_a_frame_is_passed_in_its_frame(
    shared_server: ServerClient, show: Show
) -> None:
    ref = (await show("<iframe srcdoc='<button>In</button>'></iframe>")).ref("button", "In")
    reply = await shared_server.call(
        "browser_evaluate", ref=ref, function="e => e.ownerDocument.URL"
    )
    assert reply.sections["Result"] == "about:srcdoc"


async def test_the_page_s_own_variables_are_seen(shared_server: ServerClient, show: Show) -> None:
    await show("<script>let answer = 42</script>")
    assert await result(shared_server, "answer") == "42"


async def test_a_function_that_navigates_shows_the_new_page(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    url = site.page("<title>There</title><h1>There</h1>", path="/there")
    await show("<p>x</p>")
    await shared_server.call("browser_evaluate", function="() => { location = '/there' }")
    now = await shared_server.call("browser_snapshot")
    assert now.sections["Page"] == f"- Page URL: {url}\n- Page Title: There"


async def test_a_value_lost_by_a_navigation_is_reported_with_the_navigation(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    site.page("<h1>There</h1>", path="/there")
    await show("<p>x</p>")
    gone = "() => new Promise(() => { location = '/there' })"
    reply = await shared_server.call("browser_evaluate", function=gone)
    assert reply.sections["Result"] == "The page navigated, so the value is lost."
    assert "There" in reply.sections["Snapshot"]


async def test_a_very_long_url_is_cut(shared_server: ServerClient, show: Show) -> None:
    await show("<p>x</p>")
    long = "history.replaceState(0, 0, '?' + 'x'.repeat(300000))"
    await shared_server.call("browser_evaluate", function=long)
    reply = await shared_server.call("browser_snapshot")
    assert "more characters)" in reply.sections["Page"]
    assert len(reply.text) < 5_000


async def test_a_dialog_that_the_function_opens_is_reported(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<p>x</p>")
    reply = await shared_server.call("browser_evaluate", function="alert('From script')", within=10)
    assert '["alert" dialog with message "From script"]' in reply.sections["Modal state"]


async def test_the_page_cannot_see_the_values_that_the_server_keeps_in_it(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show("<script>before = Object.keys(window).length</script><button>A</button>")
    await shared_server.call("browser_click", ref=page.ref("button", "A"))
    count = "Object.getOwnPropertyNames(window).filter(n => /viewpoint/i.test(n)).length"
    assert await result(shared_server, count) == "0"

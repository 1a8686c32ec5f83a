"""`cdp send`, and `cdp help`."""

from __future__ import annotations

import asyncio
import os
import sys

import orjson
import pytest

from tests.e2e.cdp_cli.conftest import Cli, OpenPage
from tests.site import Site


async def test_the_answer_is_indented_json(cdp: Cli) -> None:
    ended = await cdp("send", "Browser.getVersion")
    assert (ended.status, ended.err) == (0, "")
    assert ended.lines[0] == "{"
    assert orjson.loads(ended.out)["protocolVersion"] == "1.3"


async def test_for_programs_it_is_one_line(cdp: Cli) -> None:
    ended = await cdp("send", "Browser.getVersion", "--json")
    assert ended.json[0]["protocolVersion"] == "1.3"


@pytest.mark.parametrize(
    "words",
    [
        ("expression='Möwe 漢字'", "returnByValue=true"),
        ("""{"expression": "'Möwe 漢字'", "returnByValue": true}""",),
        ("-",),
    ],
)
async def test_parameters_are_words_or_json_or_read_from_stdin(
    cdp: Cli, open_page: OpenPage, site: Site, words: tuple[str, ...]
) -> None:
    await open_page(site.page("<title>Birds</title>"))
    given = """{"expression": "'Möwe 漢字'"}""".encode()
    ended = await cdp(
        *("send", "Runtime.evaluate", *words, "-t", "birds", "--select", "result.value"),
        given=given,
    )
    assert (ended.status, ended.out, ended.err) == (0, "Möwe 漢字\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no terminals of ours")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--select", "result.value"), "\\x1b[31m\\u202e\r\ntwo\r\n"),
        ((), '"\\u001b[31m\\u202e\\ntwo"'),
    ],
)
async def test_a_terminal_gets_no_control_sequences_of_a_page(
    cdp: Cli, words: tuple[str, ...], expected: str
) -> None:
    ours, theirs = os.openpty()
    expression = r"expression='\x1b[31m\u202e\ntwo'"
    async with cdp.start("send", "Runtime.evaluate", expression, *words, stdout=theirs) as command:
        os.close(theirs)
        await command.end()
        result = (await asyncio.to_thread(os.read, ours, 4096)).decode()
    os.close(ours)
    assert expected in result
    assert "\x1b" not in result
    assert "\u202e" not in result


async def test_a_command_for_pages_is_sent_to_the_only_page(cdp: Cli) -> None:
    ended = await cdp("send", "Runtime.evaluate", "expression=document.title", "--json")
    assert ended.json == [{"result": {"type": "string", "value": "First"}}]
    assert ended.err.startswith("cdp: Using the only page, data:text/html")


async def test_of_several_pages_one_must_be_named(
    cdp: Cli, open_page: OpenPage, site: Site
) -> None:
    await open_page(site.page("<title>Second</title>"))
    ended = await cdp("send", "Runtime.evaluate", "expression=1")
    assert (ended.status, ended.out) == (1, "")
    assert "The browser itself has no Runtime.evaluate, but a target may have it." in ended.err
    assert "Choose one with --target:" in ended.err
    assert "Second" in ended.err


async def test_a_target_is_named_by_its_id_number_url_or_title(
    cdp: Cli, open_page: OpenPage, site: Site
) -> None:
    page = await open_page(url := site.page("<title>One of two</title>", path="/one"))
    await open_page(site.page("<title>The other of two</title>", path="/other"))
    target_id = page.target_info["targetId"]
    (number,) = [line.split()[0] for line in (await cdp("targets")).lines if target_id[:8] in line]
    for word in (target_id[:6].lower(), number, "/one"):
        asked = ("send", "Runtime.evaluate", "expression=location.href", "--target", word)
        ended = await cdp(*asked, "--select", "result.value")
        assert ended.lines == [url], word
    several = await cdp("send", "Page.enable", "-t", "of two")
    assert (several.status, several.out) == (1, "")
    assert '"of two" matches 2 targets:' in several.err
    none = await cdp("send", "Page.enable", "-t", "nobody")
    assert 'No target has "nobody" as its number, id, URL or title:' in none.err


async def test_a_command_that_the_browser_refuses_exits_with_1(cdp: Cli) -> None:
    ended = await cdp("send", "Target.closeTarget", "targetId=nobody")
    assert (ended.status, ended.out) == (1, "")
    assert ended.err == (
        "Error: Target.closeTarget failed: No target with given id found. (code -32602)\n"
    )


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("Page.navigat",), "Did you mean Page.navigate?"),
        (("Page.navigate", "uri=x"), "uri is not a parameter of Page.navigate. Did you mean url?"),
        (("Page.navigate", "{}"), "url is missing (a string)."),
        (("Page.navigate", "uri=x"), "See `cdp help Page.navigate`, or use --no-check"),
        (("Page.navigate", "{bad"), "{bad is not JSON"),
        (("Page.navigate", "about:blank"), '"about:blank" is not a parameter. Use'),
        (("Page.loadEventFired",), "is an event, not a command"),
        (("Browser.getVersion", "--wait", "Page.loadEventFird"), "Page.loadEventFired"),
        ((), "Name a command, such as Browser.getVersion."),
    ],
)
async def test_an_invalid_command_is_not_sent(
    cdp: Cli, words: tuple[str, ...], expected: str
) -> None:
    ended = await cdp("send", *words)
    assert (ended.status, ended.out) == (2, "")
    assert expected in ended.err
    assert "Traceback" not in ended.err


async def test_an_invalid_command_is_sent_with_a_flag(cdp: Cli) -> None:
    ended = await cdp("send", "Page.navigat", "url=x", "--no-check")
    assert (ended.status, ended.out) == (1, "")
    assert "Page.navigat is not a command of this browser or target." in ended.err
    assert "Did you mean Page.navigate?" in ended.err


async def test_an_event_is_waited_for_after_the_command(
    cdp: Cli, open_page: OpenPage, site: Site
) -> None:
    await open_page(site.page("<title>Before</title>"))
    url = site.page("<title>After</title>")
    ended = await cdp(
        *("send", "Page.navigate", f"url={url}", "-t", "Before", "--json"),
        *("--wait", "Page.frameNavigated"),
    )
    answer, event = ended.json
    assert answer["frameId"] == event["params"]["frame"]["id"]
    assert (event["method"], event["params"]["frame"]["url"]) == ("Page.frameNavigated", url)


async def test_waiting_for_an_event_times_out(cdp: Cli) -> None:
    ended = await cdp(
        *("--timeout", "0.5", "send", "Page.enable", "--wait", "Page.downloadProgress")
    )
    assert (ended.status, ended.out) == (1, "")
    assert "Timed out after 0.5 s waiting for Page.downloadProgress." in ended.err


async def test_a_huge_answer_is_printed_completely(cdp: Cli) -> None:
    expression = "'ü'.repeat(5_000_000)"
    ended = await cdp("send", "Runtime.evaluate", f"expression={expression}", "--json")
    assert ended.json[0]["result"]["value"] == "ü" * 5_000_000


async def test_a_reader_that_closes_the_pipe_causes_no_error(cdp: Cli) -> None:
    expression = "'x'.repeat(5_000_000)"
    async with cdp.start("send", "Runtime.evaluate", f"expression={expression}") as command:
        assert await command.line() == "{"
        assert command.process.stdout is not None
        command.process.stdout._transport.close()  # type: ignore[attr-defined]
        assert await command.process.wait() == 0
        assert command.process.stderr is not None
        assert b"Broken" not in await command.process.stderr.read()


async def test_a_missing_field_of_the_result_cannot_be_selected(cdp: Cli) -> None:
    ended = await cdp("send", "Browser.getVersion", "--select", "version")
    assert ended.status == 1
    assert 'The result has no "version". It has protocolVersion, product,' in ended.err


async def test_ctrl_c_ends_a_command_that_hangs(cdp: Cli) -> None:
    words = ("send", "Runtime.evaluate", "expression=new Promise(() => 0)", "awaitPromise=true")
    async with cdp.start(*words, "-v") as command:
        await command.wait_for_stderr("Promise")
        command.interrupt()
        ended = await asyncio.wait_for(command.end(), 5)
    assert (ended.status, ended.out) == (130, "")
    assert "Traceback" not in ended.err


@pytest.mark.parametrize("words", [("help", "Page.navigate"), ("send", "Page.navigate", "-h")])
async def test_help_for_a_method_is_the_protocols_description(
    cdp: Cli, words: tuple[str, ...]
) -> None:
    ended = await cdp(*words, CDP_ENDPOINT="1")
    assert (ended.status, ended.err) == (0, "")
    assert ended.lines[0] == "Page.navigate, a command"
    assert "  url: string" in ended.lines


async def test_help_for_an_unknown_name_suggests_a_similar_one(cdp: Cli) -> None:
    ended = await cdp("help", "Page.navigat")
    assert (ended.status, ended.out) == (2, "")
    assert "Did you mean Page.navigate" in ended.err
    assert "Its domains: Accessibility, " in (await cdp("help", "xyzzy")).err

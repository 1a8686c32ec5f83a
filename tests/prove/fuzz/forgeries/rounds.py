"""Rounds of hostile texts: a page has them in all places, and a strict reader reads each reply.

`python -m tests.prove.fuzz --only forgeries --seed SEED --round ROUND` repeats one round.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
from pathlib import Path
from typing import Any, Final

from tests.e2e.support.client import Reply, StdioClient
from tests.hostile_texts import CANARY
from tests.prove.fuzz.forgeries.site import HostileSite, serve_hostile_site
from tests.prove.fuzz.forgeries.texts import FORGED_NUMBER, make_texts
from tests.reply_reader import (
    ForgedReplyError,
    check_characters,
    check_fences,
    check_sentence,
    check_state,
    find_strings,
    read_elements,
    read_fenced,
    read_reply,
)

_TEXTS: Final = 400  # texts of a round; the page uses fewer
_WITHIN: Final = 60.0  # seconds for a call
_FLAGS: Final = (
    *("--headless", "--isolated", "--caps=storage,testing,network,webmcp", "--codegen=typescript"),
    *("--timeout-action=1000", "--timeout-settle=200", "--snapshot-budget=100000"),
    *("--save-session", "--log-level=debug", "--secrets=secrets.env"),
)
_ROW_OF_CONSOLE: Final = re.compile(r"\[[A-Z_]+\] |    |$")
_STATEMENT: Final = re.compile(
    r"(- )?(Popup opened as tab |Console: |HTTP status: |Navigated to http://"
    rf'|Outflow: this call gives "|\[alert dialog with message ")?{FORGED_NUMBER}'
)
# After the first line, which is a sentence of the server.
_QUOTED_RESULT: Final = re.compile(r"> |File \d+: |$")


class ForgedRoundError(AssertionError):
    """A page has forged a part of a reply, in a round that can be repeated."""


class _Reader:
    """Calls tools on the page of one round, and checks each reply.

    Args:
        client: The client of the server.
    """

    def __init__(self, client: StdioClient) -> None:
        self._client = client

    async def call(self, tool: str, **arguments: Any) -> Reply:
        """Call a tool, and check what no page may write: characters, sections, blocks, state.

        Raises:
            ForgedReplyError: The page has forged a part of the reply.
        """
        reply = await self._client.call(tool, within=_WITHIN, **arguments)
        assert reply.raw.get("_meta", {}).get("error", {}).get("code") != "internal_error", reply
        for text in find_strings(reply.raw.get("structuredContent")):
            check_characters(text)
        sections = read_reply(reply.text)
        check_fences(reply.text)
        if "<secret>" in reply.text:  # no call has typed one
            raise ForgedReplyError(f"forged secret in:\n{reply.text}")
        check_state(sections)
        for title, text in sections.items():
            if title not in ("Result", "Error", "Snapshot"):
                _check_statements(text)
        if "text" not in arguments or tool != "browser_snapshot":
            _check_snapshot(sections.get("Snapshot", ""), is_whole=tool == "browser_snapshot")
        return reply

    async def call_for_sentences(self, tool: str, **arguments: Any) -> Reply:
        """Call a tool; its result or error has text of the page in quotes only."""
        reply = await self.call(tool, **arguments)
        for line in (reply.sections.get("Result") or reply.sections["Error"]).splitlines():
            check_sentence(line)
        return reply

    async def act(self, name: str) -> Reply:
        """Let the page act during a click."""
        await self.call("browser_evaluate", function=f"() => {{ plain.onclick = acts.{name} }}")
        return await self.call("browser_click", ref="#plain")


def _check_statements(text: str) -> None:
    """Check that no line has a statement with the number that only pages use.

    Raises:
        ForgedReplyError: One has.
    """
    for line in text.splitlines():
        if _STATEMENT.match(line):
            raise ForgedReplyError(f"forged statement {line!r} in:\n{text}")


def _check_snapshot(section: str, *, is_whole: bool) -> None:
    """Check the block of a snapshot, its refs, and that the lines around it are the server's.

    Raises:
        ForgedReplyError: The page has forged a line.
    """
    if "```yaml" not in section:
        check_sentence(section.replace("\n", " "))
        return
    block = read_fenced(section)
    check_sentence(section.replace(block, "").replace("\n", " "))
    elements = read_elements(block)
    refs = [
        found[1]
        for each in elements
        if (found := re.search(r"\[ref=(\w+)\]", re.sub(r'"[^"]*"', "", each.attributes)))
    ]
    if is_whole and len(refs) != len(set(refs)):
        raise ForgedReplyError(f"forged refs {refs} in:\n{section}")


async def _read_page(reader: _Reader) -> None:
    for view in ({}, {"hidden": True, "allRefs": True}, {"budget": 2000}, {"text": True}):
        await reader.call("browser_snapshot", **view)
    found = await reader.call("browser_find", text=CANARY)
    read_elements(read_fenced(found.sections["Result"]))
    console = await reader.call("browser_console_messages", level="debug")
    for line in console.sections["Result"].split("\n\n", 1)[1].splitlines():
        if not _ROW_OF_CONSOLE.match(line):
            raise ForgedReplyError(f"forged message {line!r} in:\n{console.text}")
    await reader.call("browser_tabs", action="list")
    for tool in ("localstorage_list", "sessionstorage_list", "cookie_list", "storage_state"):
        await reader.call(f"browser_{tool}")


async def _read_requests(reader: _Reader) -> None:
    listed = (await reader.call("browser_network_requests")).sections["Result"]
    rows = re.findall(r"^(\d+)\. .*?/(echo|headers|redirect)?(?=\?| )", listed, re.MULTILINE)
    numbers = [int(number) for number in re.findall(r"^(\d+)\. ", listed, re.MULTILINE)]
    if numbers != list(range(1, len(numbers) + 1)):
        raise ForgedReplyError(f"forged requests in:\n{listed}")
    for number in {name: int(number) for number, name in rows if name}.values():
        for part in ({}, {"part": "response-headers"}, {"part": "response-body"}):
            await reader.call("browser_network_request", index=number, **part)


async def _run_scripts(reader: _Reader) -> None:
    for value in (
        "h('value')",
        "{[h('key')]: [h('value')]}",
        "Symbol(h('value'))",
        "document.body",
    ):
        await reader.call("browser_evaluate", function=f"() => ({value})")
    for thrown in ("h('thrown')", "new Error(h('thrown'))", "{[h('key')]: h('thrown')}"):
        await reader.call("browser_evaluate", function=f"() => {{ throw {thrown} }}")
    steps = [{"tool": "evaluate", "arguments": {"function": "h('value')"}}] * 3
    batch = await reader.call("browser_batch", calls=steps)
    rows = re.findall("^[^ \n].*", batch.sections["Result"], re.MULTILINE)
    if [row.partition(":")[0] for row in rows] != [f"{n}. browser_evaluate" for n in (1, 2, 3)]:
        raise ForgedReplyError(f"forged step in:\n{batch.text}")


async def _act_and_fail(reader: _Reader) -> None:
    for ref in ("#name", "#text", "#hint", "#link", "#input", "#area"):
        await reader.call_for_sentences("browser_hover", ref=ref)
    await reader.call_for_sentences("browser_type", ref="#area", text="hello")
    for tool, arguments in (
        ("browser_select_option", {"ref": "#list", "values": ["nothing"]}),
        ("browser_click", {"ref": "button"}),
        ("browser_verify_value", {"ref": "#input", "type": "textbox", "value": "nothing"}),
    ):
        await reader.call_for_sentences(tool, **{"element": "x", **arguments})
    await reader.call("browser_verify_list_visible", ref="#items", items=["nothing"], element="x")
    await reader.call("browser_generate_locator", ref="#text", element="x")
    await reader.call("browser_click", ref="#check")


async def _call_offered_tools(reader: _Reader) -> None:
    listed = (await reader.call("browser_webmcp_list")).sections["Result"].splitlines()
    for line in listed[1:]:
        if not re.match(r'- "|  - input: ', line):
            raise ForgedReplyError(f"forged tool {line!r}")
    for name in ("returns", "fails"):
        called = await reader.call("browser_webmcp_call", name=name)
        text = called.sections.get("Result") or called.sections["Error"]
        for line in text.splitlines()[1:]:
            if not _QUOTED_RESULT.match(line):
                raise ForgedReplyError(f"forged result {line!r} in:\n{called.text}")


async def _let_the_page_act(reader: _Reader) -> None:
    await reader.act("change")
    for kind in ("alert", "prompt"):
        await reader.act(kind)
        await reader.call_for_sentences("browser_handle_dialog", accept=True)
    for kind in ("download", "blob", "popup"):
        await reader.act(kind)
    await reader.call("browser_tabs", action="list")
    await reader.call("browser_tabs", action="close", index=1)
    await reader.act("cover")
    await reader.call_for_sentences("browser_click", ref="#text")


async def _play_round(client: StdioClient, site: HostileSite, seed: str) -> list[str]:
    """Play a round, and return the places of its texts."""
    texts = make_texts(seed, _TEXTS)
    site.show(texts)
    reader = _Reader(client)
    try:
        await reader.call("browser_navigate", url=site.url)
        for part in (_read_page, _read_requests, _run_scripts, _act_and_fail):
            await part(reader)
        await _call_offered_tools(reader)
        await _let_the_page_act(reader)
    except ForgedReplyError as error:
        numbers = sorted({int(each) for each in re.findall(rf"{CANARY}(\d+)", str(error))})
        shown = {number: texts[number] for number in numbers}
        raise ForgedReplyError(f"{error}\nTexts: {json.dumps(shown)}") from error
    return await _read_places(client)


async def _read_places(client: StdioClient) -> list[str]:
    reply = await client.call("browser_evaluate", function="() => JSON.stringify(placed)")
    places: list[str] = json.loads(reply.sections["Result"])
    assert len(places) <= _TEXTS, "The page has more places than texts."
    return places


async def _play(count: int, seed: int, only: int | None, directory: Path) -> int:
    played = 0
    with serve_hostile_site() as site:
        async with StdioClient.open(*_FLAGS, cwd=directory) as client:
            await client.initialize()
            for number in itertools.count() if only is None else [only]:
                name = f"{seed}/{number}"
                try:
                    played += len(await _play_round(client, site, name))
                except ForgedReplyError as error:
                    repeat = f"--only forgeries --seed {seed} --round {number}"
                    raise ForgedRoundError(f"{error}\nRepeat with: {repeat}") from error
                if played >= count:
                    break
    return played


def fuzz_forgeries(count: int, directory: Path, *, seed: int = 0, only: int | None = None) -> int:
    """Put generated texts into the places of pages, and read the replies as a strict reader.

    Args:
        count: The minimum number of texts.
        directory: The working directory of the server.
        seed: Equal seeds give equal texts.
        only: The number of the only round to play; None for as many rounds as `count` needs.

    Returns:
        The number of texts.

    Raises:
        ForgedReplyError: A log has an invisible character.
        ForgedRoundError: A page has forged a part of a reply. The message has the texts in the
            reply, and how to repeat the round.
    """
    (directory / "secrets.env").write_text("PASSWORD=correct-horse\n")
    played = asyncio.run(_play(count, seed, only, directory))
    for file in (directory / "server-stderr.txt", *directory.glob("**/session-*.md")):
        found = {each for each in file.read_text(encoding="utf-8") if not each.isprintable()}
        if found - {"\n", "\t", "\u00a0", "\u00ad", "\u200c", "\u200d"}:
            raise ForgedReplyError(f"invisible characters {found} in {file.name}")
    return played

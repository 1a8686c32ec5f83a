"""Through the real door: no reply about a hostile page has a part that the page has forged."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import OpenHere
from tests.e2e.support.client import Reply, ServerClient
from tests.e2e.untrusted.hostile_page import serve_hostile_page
from tests.hostile_texts import FORGERIES
from tests.reply_reader import (
    check_characters,
    check_sentence,
    check_state,
    find_strings,
    read_elements,
    read_fenced,
    read_reply,
)
from tests.site import Site

SOME = (0, 13)  # rotations of the texts over the places
OTHERS = [each for each in range(len(FORGERIES)) if each not in SOME]


class StrictReader:
    """Calls tools, and checks each reply."""

    def __init__(self, client: ServerClient) -> None:
        self._client = client

    async def call(self, tool: str, **arguments: Any) -> Reply:
        reply = await self._client.call(tool, **arguments)
        for text in find_strings(reply.raw.get("structuredContent")):
            check_characters(text)
        sections = read_reply(reply.text)
        check_state(sections)
        is_plain_text = arguments.get("text") is True
        if "```yaml" in sections.get("Snapshot", "") and not is_plain_text:
            read_elements(read_fenced(sections["Snapshot"]))
        return reply

    async def evaluate(self, function: str) -> Reply:
        return await self.call("browser_evaluate", function=function)

    async def act(self, name: str) -> Reply:
        """Make the page do something, with a click."""
        await self.evaluate(f"() => {{ plain.onclick = act.{name} }}")
        return await self.call("browser_click", ref="#plain")


async def read_page(server: StrictReader) -> None:
    """Read the page in each way in which a tool reads it."""
    views: tuple[dict[str, Any], ...] = ({}, {"text": True}, {"hidden": True}, {"budget": 1500})
    for view in views:
        await server.call("browser_snapshot", **view)
    for query in ({"text": "Canary"}, {"text": "Canary nowhere"}, {"regex": "Canary.*"}):
        found = await server.call("browser_find", **query)
        if "```yaml" in found.sections["Result"]:
            read_elements(read_fenced(found.sections["Result"]))
    console = await server.call("browser_console_messages", level="debug")
    messages = console.sections["Result"].split("\n\n", 1)[1]
    for line in messages.splitlines():
        assert re.match(r"\[(LOG|ERROR)\] |    |$", line), line
    requests = await server.call("browser_network_requests")
    numbers = re.findall(r"^(\d+)\. ", requests.sections["Result"], re.MULTILINE)
    assert numbers == [str(each + 1) for each in range(len(numbers))]
    for part in (None, "request-headers", "request-body", "response-headers", "response-body"):
        await server.call(
            "browser_network_request", index=len(numbers), **({"part": part} if part else {})
        )
    await server.call("browser_tabs", action="list")
    for tool in ("localstorage_list", "sessionstorage_list", "cookie_list", "storage_state"):
        await server.call(f"browser_{tool}")
    await server.call("browser_take_screenshot")
    await server.call("list_screenshots")


async def run_scripts(server: StrictReader) -> None:
    """Return and throw the texts by scripts of the agent."""
    for value in ("h()", "{[h()]: h()}", "Symbol(h())", "new Error(h())", "document.body"):
        await server.evaluate(f"() => ({value})")
    for thrown in ("h()", "new Error(h())", "{[h()]: h()}"):
        failed = await server.evaluate(f"() => {{ throw {thrown} }}")
        for line in failed.sections["Error"].splitlines()[1:]:
            assert line[0] in " }]", failed.text


async def act_and_fail(server: StrictReader) -> None:
    """Act on elements with the texts as names, and fail to."""
    for ref in ("#name", "#text", "#hint", "#link"):
        hovered = await server.call("browser_hover", ref=ref)
        check_sentence(hovered.sections["Result"])
    for tool, arguments in (
        ("browser_type", {"ref": "#name", "text": "x"}),
        ("browser_select_option", {"ref": "#list", "values": ["nothing"]}),
        ("browser_verify_value", {"ref": "#list", "type": "combobox", "value": "nothing"}),
        ("browser_select_text", {"ref": "#p", "text": "nothing"}),
        ("browser_click", {"ref": "button"}),
        ("browser_click", {"ref": "#nothing", "element": "Canary"}),
    ):
        failed = await server.call(tool, **{"element": "x", **arguments})
        assert failed.is_error
        for line in failed.sections["Error"].splitlines():
            check_sentence(re.sub(r"Canary(?=\W*(nothing|nowhere))", "", line))
    listed = await server.call("browser_verify_list_visible", ref="#items", items=["nothing"])
    assert not re.search(r"^- [a-z]+ .*\[ref=", listed.sections["Error"], re.MULTILINE)
    for text in ("Canary", "nothing"):
        await server.call("browser_verify_text_visible", text=text)
        await server.call("browser_verify_element_visible", role="button", accessibleName=text)
    for ref in ("#text", "#link", "#area"):
        await server.call("browser_generate_locator", ref=ref, element="x")
    typed = await server.call("browser_type", ref="#input", text="hello")
    check_sentence(typed.sections["Result"])
    await server.call("browser_click", ref="#area")
    await server.call("browser_press_key", key="Control+a")
    await server.call("browser_press_key", key="Control+c")


async def let_the_page_act(server: StrictReader, upload: Path) -> None:
    """Let the page change, and open what blocks it, in the replies of clicks."""
    await server.act("change")
    await server.call("browser_snapshot")
    for kind in ("alert", "prompt"):
        await server.act(kind)
        await server.call("browser_snapshot")
        answered = await server.call("browser_handle_dialog", accept=True)
        check_sentence(answered.sections["Result"])
    for kind in ("download", "blob"):
        await server.act(kind)
        await server.call("browser_wait_for", time=0.3)
    await server.call("browser_click", ref="#file")
    uploaded = await server.call("browser_file_upload", paths=[str(upload)])
    check_sentence(uploaded.sections["Result"])
    await server.act("popup")
    await server.call("browser_tabs", action="list")
    await server.call("browser_snapshot")
    await server.call("browser_tabs", action="close", index=1)
    await server.act("cover")
    covered = await server.call("browser_click", ref="#text")
    check_sentence(covered.sections["Error"])


async def check_replies(open_here: OpenHere, site: Site, cwd: Path, rotation: int) -> None:
    url = serve_hostile_page(site, rotation)
    (cwd / "upload.txt").write_text("x")
    flags = ("--caps=storage,testing", "--codegen=typescript")
    async with open_here(*flags, cwd=cwd) as client:
        await client.initialize()
        server = StrictReader(client)
        assert not (await server.call("browser_navigate", url=url)).is_error
        await read_page(server)
        await run_scripts(server)
        await act_and_fail(server)
        await let_the_page_act(server, cwd / "upload.txt")
        for resource in (await client.request("resources/list"))["resources"]:
            check_characters(f"{resource['name']}{resource['title']}{resource['uri']}")


@pytest.mark.parametrize("rotation", SOME)
async def test_a_page_forges_no_part_of_a_reply(
    open_here: OpenHere, site: Site, tmp_path: Path, rotation: int
) -> None:
    await check_replies(open_here, site, tmp_path, rotation)


@pytest.mark.prove
@pytest.mark.parametrize("rotation", OTHERS)
async def test_no_text_in_any_place_forges_a_part_of_a_reply(
    open_here: OpenHere, site: Site, tmp_path: Path, rotation: int
) -> None:
    await check_replies(open_here, site, tmp_path, rotation)

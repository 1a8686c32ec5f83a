"""The outflow guard on real pages of two sites: 127.0.0.1 and localhost."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import OpenHere
from tests.e2e.handoff.client import PersonsClient
from tests.e2e.support.client import Reply, ServerClient
from tests.site import Site

INBOX = (
    "<title>Inbox</title><p>Your code is 481733.</p><p>From: ada.lovelace@analytical.example</p>"
)
FORM = """<!DOCTYPE html><title>Form</title><form action=/sent>
  <input aria-label=Note name=note><textarea aria-label=More></textarea>
  <input type=file aria-label=File></form>"""
MAIL = "ada.lovelace@analytical.example"


class TwoSites:
    """A mail box on one site, and a form on the other."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.inbox = site.page(INBOX)
        self.mail = self.inbox.rpartition("/")[0]
        self.form = site.page(FORM).replace("127.0.0.1", "localhost")
        self.other = self.form.rpartition("/")[0]

    @property
    def clause(self) -> str:
        """The end of each report."""
        return f"which {self.mail} showed, to {self.other}"


@pytest.fixture
def two(site: Site) -> TwoSites:
    site.respond("/sent", "<title>Sent</title>", content_type="text/html")
    site.respond("/log/481733", "<title>Logged</title>", content_type="text/html")
    return TwoSites(site)


@pytest.fixture
async def reading(
    open_here: OpenHere, two: TwoSites, tmp_path: Path
) -> AsyncIterator[ServerClient]:
    """Return a client that has read its mail, and has the form in a second tab."""
    async with open_here("--caps=storage,network", cwd=tmp_path) as client:
        await client.initialize()
        await read_mail_and_open_form(client, two)
        yield client


async def read_mail_and_open_form(client: ServerClient, two: TwoSites) -> None:
    read = await client.call("browser_navigate", url=two.inbox)
    assert "481733" in read.text
    await client.call("browser_tabs", action="new", url=two.form)


def events(reply: Reply) -> str:
    return reply.sections.get("Events", "")


LEAKS: dict[str, tuple[str, dict[str, Any]]] = {
    "query": ("browser_navigate", {"url": "{other}/sent?q=481733"}),
    "path": ("browser_navigate", {"url": "{other}/log/481733"}),
    "reversed in a tab": ("browser_tabs", {"action": "new", "url": "{other}/sent?q=337184"}),
    "base64": (
        "browser_type",
        {"ref": "[name=note]", "text": base64.b64encode(f"x {MAIL}".encode()).decode()},
    ),
    "hex": ("browser_type", {"ref": "[name=note]", "text": MAIL.encode().hex(), "submit": True}),
    "form": (
        "browser_fill_form",
        {"fields": [{"name": "Note", "type": "textbox", "ref": "textarea", "value": MAIL.upper()}]},
    ),
    "script": ("browser_evaluate", {"function": "() => { window.note = '48' + '17' + '33' }"}),
    "storage": ("browser_localstorage_set", {"key": "a", "value": "4 8 1 7 3 3"}),
    "route": ("browser_route", {"pattern": "{other}/**", "body": MAIL}),
    "batch": (
        "browser_batch",
        {"calls": [{"tool": "browser_type", "arguments": {"ref": "[name=note]", "text": MAIL}}]},
    ),
}


@pytest.mark.parametrize("name", LEAKS)
async def test_a_call_that_gives_a_text_of_one_site_to_another_is_noted(
    reading: ServerClient, two: TwoSites, name: str
) -> None:
    tool, arguments = LEAKS[name]
    arguments = json.loads(json.dumps(arguments).replace("{other}", two.other))
    reply = await reading.call(tool, **arguments)
    assert not reply.is_error
    (note,) = (line for line in reply.text.splitlines() if "Outflow: this call gives " in line)
    assert two.clause in note
    assert MAIL not in note
    assert "481733" not in note


async def test_a_text_that_is_split_over_calls_is_noted(
    reading: ServerClient, two: TwoSites
) -> None:
    notes = [
        events(await reading.call("browser_navigate", url=f"{two.other}/sent?n={part}"))
        for part in ("48", "17", "33")
    ]
    assert notes[:2] == ["", ""]
    assert "(split)" in notes[2]


async def test_an_uploaded_file_with_the_text_is_noted(
    reading: ServerClient, two: TwoSites, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text(f"Contacts\n{MAIL}\n")
    reply = await reading.call("browser_file_upload", paths=["notes.txt"])
    assert two.clause in events(reply)


async def test_a_frame_of_another_site_receives_what_is_typed_there(
    open_here: OpenHere, two: TwoSites, site: Site, tmp_path: Path
) -> None:
    page = site.page(f"{INBOX}<iframe src='{two.form}' title=Support></iframe>")
    async with open_here(cwd=tmp_path) as client:
        await client.initialize()
        read = await client.call("browser_navigate", url=page)
        assert "481733" in read.text
        at_home = await client.call("browser_evaluate", function="'481733'.length")
        reply = await client.call("browser_type", ref=read.ref("textbox", "Note"), text="481733")
    assert "Outflow" not in at_home.text
    assert two.clause in events(reply)


async def test_other_texts_and_known_texts_are_not_noted(
    reading: ServerClient, two: TwoSites
) -> None:
    for arguments in ({"text": "Hello there"}, {"text": "555123", "submit": True}):
        reply = await reading.call("browser_type", ref="[name=note]", **arguments)
        assert "Outflow" not in reply.text
    back = await reading.call("browser_navigate", url=f"{two.mail}/sent?q=481733")
    assert "Outflow" not in back.text


async def test_a_secret_on_a_second_site_is_noted_without_its_value(
    open_here: OpenHere, two: TwoSites, tmp_path: Path
) -> None:
    secrets = tmp_path / "secrets.env"
    secrets.write_text("PASSWORD=hunter2-hunter2")
    async with open_here(f"--secrets={secrets}", cwd=tmp_path) as client:
        await client.initialize()
        await client.call("browser_navigate", url=two.form)
        first = await client.call("browser_type", ref="[name=note]", text="PASSWORD")
        assert "Outflow" not in first.text
        await client.call("browser_navigate", url=two.form.replace("localhost", "127.0.0.1"))
        reply = await client.call("browser_type", ref="[name=note]", text="PASSWORD")
    expected = f"a secret that was typed on {two.other} to {two.mail}"
    assert expected in events(reply)
    assert "hunter2" not in reply.text


async def test_a_finding_is_refused_with_block(
    open_here: OpenHere, two: TwoSites, tmp_path: Path
) -> None:
    async with open_here("--outflow=block", cwd=tmp_path) as client:
        await client.initialize()
        await read_mail_and_open_form(client, two)
        reply = await client.call("browser_navigate", url=f"{two.other}/sent?q=481733")
    assert reply.is_error
    assert "browser_navigate was not run: it would give" in reply.sections["Error"]
    assert two.clause in reply.sections["Error"]
    assert reply.raw["structuredContent"]["error"]["code"] == "blocked"
    assert two.site.requests("/sent") == []


async def test_nothing_is_compared_with_off(
    open_here: OpenHere, two: TwoSites, tmp_path: Path
) -> None:
    async with open_here("--outflow=off", cwd=tmp_path) as client:
        await client.initialize()
        await read_mail_and_open_form(client, two)
        reply = await client.call("browser_navigate", url=f"{two.other}/sent?q=481733")
    assert "Outflow" not in reply.text


@pytest.mark.parametrize("action", ["accept", "decline"])
async def test_the_user_decides_with_ask(
    shared_chromium: str, two: TwoSites, tmp_path: Path, action: str
) -> None:
    flags = ("--outflow=ask",)
    async with PersonsClient.open(*flags, endpoint=shared_chromium, cwd=tmp_path) as client:
        await client.start({"elicitation": {}})
        await read_mail_and_open_form(client, two)
        url = f"{two.other}/sent?q=481733"
        calling = asyncio.create_task(client.call("browser_navigate", url=url))
        question = await client.receive_question()
        assert two.clause in question["params"]["message"]
        await client.answer(question, action)
        reply = await calling
    assert reply.is_error == (action == "decline")
    assert len(two.site.requests("/sent")) == (action == "accept")
    assert ("The user did not permit it" in reply.text) == (action == "decline")


async def test_a_client_without_a_session_repeats_the_call_with_the_answer(
    shared_chromium: str, two: TwoSites, tmp_path: Path
) -> None:
    url = f"{two.other}/sent?q=481733"
    flag = "--outflow=ask"
    async with PersonsClient.open(flag, endpoint=shared_chromium, cwd=tmp_path) as client:
        await client.call_without_session("browser_navigate", more={}, url=two.inbox)
        first = await client.call_without_session("browser_navigate", more={}, url=url)
        assert two.site.requests("/sent") == []
        answer = {"outflow": {"action": "accept", "content": {}}}
        more = {"inputResponses": answer, "requestState": first["requestState"]}
        second = await client.call_without_session("browser_navigate", more=more, url=url)
    assert two.clause in first["inputRequests"]["outflow"]["params"]["message"]
    assert not second.get("isError")
    assert len(two.site.requests("/sent")) == 1


async def test_a_client_that_cannot_ask_its_user_is_refused(
    open_here: OpenHere, two: TwoSites, tmp_path: Path
) -> None:
    async with open_here("--outflow=ask", cwd=tmp_path) as client:
        await client.initialize()
        await read_mail_and_open_form(client, two)
        reply = await client.call("browser_navigate", url=f"{two.other}/sent?q=481733")
    assert "This client cannot ask its user" in reply.sections["Error"]
    assert two.site.requests("/sent") == []

"""The tool calls of the guide get the replies that it shows.

With UPDATE_DOCS=1 in the environment, the test writes other replies into the documents.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from tests.code_blocks import Document
from tests.e2e.conftest import OpenHere, StartServer
from tests.e2e.documentation.conversation import (
    GUIDE,
    Step,
    list_steps,
    matches,
    play,
    serve_shop,
    write_files,
)
from tests.site import Site

SHOULD_UPDATE = bool(os.environ.get("UPDATE_DOCS"))


@pytest.mark.parametrize("path", GUIDE, ids=lambda path: path.stem)
async def test_each_reply_is_the_one_that_the_page_shows(
    path: Path, open_here: OpenHere, open_server: StartServer, site: Site, tmp_path: Path
) -> None:
    document = Document(path)
    address = serve_shop(site, document)
    write_files(document, tmp_path)
    text = document.text
    open_it = open_server if document.launches else open_here
    async with open_it(*shlex.split(document.flags), cwd=tmp_path) as client:
        await client.initialize()
        for step in list_steps(document):
            reply = await play(client, step, address)
            if step.reply is None or matches(step.reply.text, reply):
                continue
            assert SHOULD_UPDATE, f"{step.reply.place} shows another reply than:\n{reply}"
            text = replace_reply(text, step, reply)
    if text != document.text:
        write(path, text)


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def replace_reply(text: str, step: Step, reply: str) -> str:
    """Return the text of the document with another reply below the calls."""
    fence = "````" if "```" in reply else "```"
    shown = re.compile(
        re.escape(f"{step.calls.text}```\n\n") + r"(?P<fence>```+)text\n.*?^(?P=fence)$",
        re.MULTILINE | re.DOTALL,
    )
    block = f"{step.calls.text}```\n\n{fence}text\n{reply.rstrip()}\n{fence}"
    return shown.sub(lambda _: block, text, count=1)

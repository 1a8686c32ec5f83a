"""Plays the tool calls of a document, and compares the replies with those that it shows.

A block of JSON has one call per line. The block of text below it is the reply to the last call. In
a reply, a line with only `…` stands for any lines, and `…` in a line for any characters.

The calls find the demo's shop at http://localhost:8000, with the files that the document names
`site/NAME`. Its other named files are in the working directory.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.code_blocks import ROOT, Block, Document
from tests.e2e.support.client import McpClient, RpcFailure
from tests.site import Site


def is_call(block: Block) -> bool:
    """Return whether a block has calls that are played."""
    return block.is_tested and block.text.startswith('{"name":')


GUIDE = [
    path
    for path in sorted((ROOT / "docs").glob("*.md"))
    if any(is_call(block) for block in Document(path).blocks)
]
SHOP = ROOT / "scripts" / "demo_site"
HERE = "localhost:8000"
_REPLY = re.compile(r"```\n\n````?text\n")
TYPES = {
    ".json": "application/json",
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
}


@dataclass(frozen=True, slots=True)
class Step:
    """Calls, and the block with the reply to the last one.

    Attributes:
        reply: None if the document does not show the reply.
    """

    calls: Block
    reply: Block | None


def list_steps(document: Document) -> Iterator[Step]:
    """Yield the calls of a document with their replies."""
    blocks = document.blocks
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        if is_call(block):
            between = document.text[block.end : following.start] if following else ""
            is_reply = bool(following) and _REPLY.fullmatch(between)
            yield Step(block, following if is_reply else None)


def serve_shop(site: Site, document: Document) -> str:
    """Serve the demo's shop and the files of the document. Return host and port."""
    files = {path.name: path.read_bytes() for path in SHOP.iterdir()}
    for block in document.blocks:
        if block.file and block.file.startswith("site/"):
            files[block.file.removeprefix("site/")] = block.text.encode()
    for name, content in files.items():
        kind = TYPES.get(Path(name).suffix, "application/octet-stream")
        site.respond(f"/{name}", content, content_type=kind)
    site.respond("/", files["index.html"], content_type="text/html")
    return site.url("").partition("://")[2].strip("/")


def write_files(document: Document, directory: Path) -> None:
    """Write the files of the document, except those of the site."""
    for block in document.blocks:
        if block.file and not block.file.startswith("site/"):
            path = directory / block.file
            path.parent.mkdir(exist_ok=True)
            path.write_text(block.text)


async def play(client: McpClient, step: Step, address: str) -> str:
    """Make the calls of a step, and return the reply to the last one."""
    reply = ""
    for line in step.calls.text.splitlines():
        call: dict[str, Any] = json.loads(line.replace(HERE, address))
        try:
            reply = (await client.call(call["name"], **call["arguments"])).text
        except RpcFailure as failure:
            reply = failure.message
    return reply.replace(address, HERE)


def matches(shown: str, reply: str) -> bool:
    """Return whether a reply equals the one in the document, where `…` stands for any text."""
    pattern = ""
    for line in shown.rstrip().split("\n"):
        if line.strip() == "…":
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += "[^\n]*".join(map(re.escape, line.split("…"))) + "\n"
    return re.fullmatch(pattern, reply.rstrip() + "\n") is not None

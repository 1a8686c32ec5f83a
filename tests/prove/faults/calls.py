"""Calls that wait in the middle of their work until the test opens a gate.

Each kind waits for something else, so a fault meets each way in which a call can wait. The gate is
an answer of the site that the page or the call needs.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from werkzeug import Request, Response

from tests.e2e.support.client import ClientError, McpClient, Reply, RpcFailure
from tests.e2e.support.processes import wait_until
from tests.site import Site

GATE = "/gate"
_LONGEST = 100.0  # seconds
FETCH = f"fetch('{GATE}?' + document.title).catch(() => 0)"
BLOCK = f"""const request = new XMLHttpRequest()
request.open('GET', '{GATE}?' + document.title, false)
try {{ request.send() }} catch {{}}"""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of call.

    Attributes:
        name: Also the name of its context, and the title of its page.
        waits_for: What it waits for when the fault occurs.
        tool: Its tool without `browser_`; "" for no call.
        body: Of its page.
        prepare: JavaScript to run in the page before the call.
        arguments: Of the call.
        is_short: Whether it waits for two seconds only, so that it must begin last.
    """

    name: str
    waits_for: str
    tool: str = ""
    body: str = "<button>Go</button>"
    prepare: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    is_short: bool = False


KINDS = (
    Kind("idle", "nothing"),
    Kind("navigate", "the site", "navigate", arguments={"to": GATE}),
    Kind("snapshot", "a page that is busy", "snapshot", prepare=BLOCK),
    Kind("screenshot", "a page that is busy", "take_screenshot", prepare=BLOCK),
    Kind(
        "click",
        "an element that another one covers",
        "click",
        "<button>Go</button><p id=cover style='position: fixed; inset: 0; margin: 0'>Loading</p>",
        f"{FETCH}.then(() => cover.remove())",
        {"ref": "button"},
        is_short=True,
    ),
    Kind(
        "settle",
        "the consequence of a click",
        "click",
        f"<button onclick=\"{FETCH}.then(() => document.body.append('DONE'))\">Go</button>",
        arguments={"ref": "button"},
    ),
    Kind(
        "evaluate", "a promise", "evaluate", arguments={"function": f"() => {FETCH}.then(() => 1)"}
    ),
    Kind(
        "wait_for",
        "a text",
        "wait_for",
        prepare=f"{FETCH}.then(() => document.body.append('ready now'))",
        arguments={"text": "ready now"},
    ),
    Kind(
        "batch",
        "a step",
        "batch",
        prepare=f"{FETCH}.then(() => document.body.append('ready now'))",
        arguments={
            "calls": [
                {"name": "browser_wait_for", "arguments": {"text": "ready now"}},
                {"name": "browser_click", "arguments": {"ref": "button"}},
            ]
        },
    ),
    Kind(
        "upload",
        "the consequence of a file",
        "file_upload",
        f"<input type=file onchange=\"{FETCH}.then(() => document.body.append('DONE'))\">",
        arguments={"paths": ["file.txt"]},
    ),
    Kind(
        "download",
        "a file that arrives",
        "click",
        f"<a href='{GATE}?download' download>File</a>",
        arguments={"ref": "a"},
    ),
    Kind("pdf", "a page that is busy", "pdf_save", prepare=BLOCK),
)


class Outcome(NamedTuple):
    """The result of a call, and the seconds from the fault until it arrived."""

    reply: Reply
    seconds: float


class Gate:
    """Answers of the site that wait until the gate is open."""

    def __init__(self, site: Site) -> None:
        self._is_open = threading.Event()
        self.waiting: set[str] = set()
        site.handle(GATE, self._answer)

    def open(self) -> None:
        """Let all answers pass, also later ones."""
        self._is_open.set()

    def _answer(self, request: Request) -> Response:
        name = request.query_string.decode()
        if name == "download":
            headers = {"Content-Disposition": "attachment; filename=list.csv"}
            return Response(self._write(name), headers=headers, mimetype="text/csv")
        self.waiting.add(name)
        self._is_open.wait(60)
        return Response("<title>Passed</title><h1>Passed</h1>", mimetype="text/html")

    def _write(self, name: str) -> Any:
        yield b"a;b\n" * 1000
        self.waiting.add(name)
        self._is_open.wait(60)
        yield b"c;d\n"


class Calls:
    """One call of each kind, in its own context, waiting at the gate."""

    def __init__(self, client: McpClient, site: Site, kinds: tuple[Kind, ...] = KINDS) -> None:
        self._client = client
        self._site = site
        self.kinds = kinds
        self.gate = Gate(site)
        self._running: dict[str, asyncio.Task[Reply]] = {}

    async def start(self) -> None:
        """Open the pages, start the calls, and return when all of them wait."""
        await asyncio.gather(*map(self._open, self.kinds))
        await asyncio.gather(*(self._prepare(kind) for kind in self.kinds if kind.prepare))
        blocked = {kind.name for kind in self.kinds if kind.prepare}
        await wait_until(lambda: self.gate.waiting >= blocked)
        running = [kind for kind in self.kinds if kind.tool]
        for kind in running:
            if not kind.is_short:
                self._call(kind)
        await wait_until(lambda: len(self.gate.waiting) == len(running))
        for kind in running:
            if kind.is_short:
                self._call(kind)
        await self._client.request("ping")
        early = {name: call.result().text for name, call in self._running.items() if call.done()}
        assert not early, f"These calls did not wait: {early}"

    def _call(self, kind: Kind) -> None:
        call = self._client.call(f"browser_{kind.tool}", within=_LONGEST, **self._arguments(kind))
        self._running[kind.name] = asyncio.create_task(call)

    def list_running(self) -> set[str]:
        """Return the names of the calls without an answer."""
        return {name for name, call in self._running.items() if not call.done()}

    async def finish(self) -> dict[str, Outcome]:
        """Wait for the results of the calls."""
        start = time.monotonic()

        async def finish(call: asyncio.Task[Reply]) -> Outcome:
            return Outcome(await call, time.monotonic() - start)

        outcomes = await asyncio.gather(*map(finish, self._running.values()))
        return dict(zip(self._running, outcomes, strict=True))

    async def finish_with_server(self) -> None:
        """Wait for the calls of a server that ends. It answers each of them, or its end does."""
        results = await asyncio.gather(*self._running.values(), return_exceptions=True)
        expected = Reply | RpcFailure | ClientError
        assert [each for each in results if not isinstance(each, expected)] == []

    async def _open(self, kind: Kind) -> None:
        html = f"<title>{kind.name}</title>{kind.body}"
        await self._client.call("browser_context_create", name=kind.name)
        url = self._site.page(html, path=f"/{kind.name}")
        page = await self._client.call("browser_navigate", url=url, context=kind.name)
        assert not page.is_error, page.text
        if kind.tool == "file_upload":
            await self._client.call("browser_click", ref="input", context=kind.name)

    async def _prepare(self, kind: Kind) -> None:
        script = f"() => {{ setTimeout(() => {{ {kind.prepare} }}, 1000) }}"
        await self._client.call("browser_evaluate", function=script, context=kind.name)

    def _arguments(self, kind: Kind) -> dict[str, Any]:
        arguments = {"context": kind.name, **kind.arguments}
        if "to" in arguments:
            arguments["url"] = self._site.url(f"{arguments.pop('to')}?{kind.name}")
        if kind.tool == "batch":
            del arguments["context"]
            arguments["calls"] = [
                {**call, "arguments": {**call["arguments"], "context": kind.name}}
                for call in arguments["calls"]
            ]
        return arguments

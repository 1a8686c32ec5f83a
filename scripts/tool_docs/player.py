"""Plays the examples of docs/tools.md against the example site, and writes their replies.

python -m scripts.tool_docs.player
"""

from __future__ import annotations

import asyncio
import base64
import functools
import http.server
import json
import re
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypedDict

from scripts.tool_docs.example import PHOTO, SITE, Example, Named
from scripts.tool_docs.scenario import EXAMPLES
from viewpoint_mcp import Server, Settings
from viewpoint_mcp.config.emulation.emulation import Emulation
from viewpoint_mcp.tools.catalog import OPTIONAL_CAPABILITIES
from viewpoint_mcp.tools.core.result import Reply
from viewpoint_mcp.tools.core.runner import Runner

HERE = Path(__file__).resolve().parent
REPLIES = HERE / "replies.json"
USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36"
DATE = "Sat, 31 Jan 2026 12:00:00 GMT"
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJg"
    "gg=="
)
ANSWERS = {
    "/stock.json": {"message": "All teas in stock", "packs": 120},
    "/orders": {"message": "Thank you for your order."},
}

_STABLE: Sequence[tuple[re.Pattern[str], str]] = (
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z"), "2026-01-31T12-00-00-000Z"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "2026-01-31T12:00:00Z"),
    (re.compile(r"\b\d+ ms\b"), "5 ms"),
    (re.compile(r"(?<=pixels, )[\d,]+ bytes"), "24,576 bytes"),  # of a screenshot
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+\+00:00"), "2026-01-31T12:00:00+00:00"),
    (re.compile(r"(?<=calls, )[\d,]+ kB"), "40 kB"),  # of a trace
    (re.compile(r"(?<=webm \()[\d.]+ s"), "4.2 s"),
    (re.compile(r'(?<="ms": )\d+'), "5"),
    (re.compile(r'(?<="size": )\d+'), "24576"),
    # A new tab has no title at first.
    (
        re.compile(r'(?<=[\["])(?=(?:\]\(|",\s*"url": ")http://localhost:\d+/about\.html)'),
        "About us - Teahouse",
    ),
    (
        re.compile(r"(?<=http://127\.0\.0\.1:)\d+/view#[\w-]+"),
        "41893/view#wVq0Zc1yPzUeYkN3bT5sRfLhXgA7oJmDi2uKxE9vB8Q",
    ),
    (re.compile(r"(?<=sec-ch-ua: ).*"), '"Chromium";v="140"'),
    (re.compile(r"(?<=browser is ready: ).*"), "/usr/bin/chromium, version 140.0.7339.80."),
    (re.compile(r'\n *"executablePath": ".*",'), ""),  # tests name theirs
)


class Played(TypedDict):
    """An example with its reply.

    Attributes:
        arguments: The arguments, with the refs that were sent.
        images: MIME types of the images in the reply.
        data: The result as data; None if the page does not show it.
    """

    tool: str
    note: str
    arguments: dict[str, Any]
    reply: str
    images: list[str]
    data: Any


async def play(work: Path, executable: Path | None = None) -> list[Played]:
    """Play all examples in a new browser and return them with their replies.

    Args:
        work: Working directory of the server.
        executable: The browser; None for the one that the server finds.
    """
    (work / PHOTO).write_bytes(PIXEL)
    settings = Settings(
        headless=True,
        executable=executable,
        capabilities=frozenset(OPTIONAL_CAPABILITIES),
        working_dir=work,
        screenshot_dir=work / ".viewpoint-mcp-screenshots",
        output_dir=work / ".viewpoint-mcp",
        emulation=Emulation(user_agent=USER_AGENT, locale="en-US"),
    )
    with serve_site() as address:
        async with Server(settings) as server, server.session() as session:
            player = Player(session, address, work)
            return [await player.play(example) for example in EXAMPLES]


class Player:
    """Plays examples in one session.

    Args:
        address: Address of the example site.
        work: Working directory of the server.
    """

    def __init__(self, session: Runner, address: str, work: Path) -> None:
        self._session = session
        self._address = address
        self._work = work
        self._replies: list[str] = []

    async def play(self, example: Example) -> Played:
        arguments = self._resolve(example.arguments)
        sent = json.loads(json.dumps(arguments).replace(SITE, self._address))
        reply = await self._session.call(example.tool, sent)
        self._replies.append(reply.text)
        return Played(
            tool=example.tool,
            note=example.note,
            arguments=arguments,
            reply=self._stabilize(reply.text),
            images=[image.mime_type for image in reply.images],
            data=self._data(reply) if example.has_data else None,
        )

    def _resolve(self, value: Any) -> Any:
        """Replace each `Named` element in arguments with its ref."""
        if isinstance(value, Named):
            return self._ref(value)
        if isinstance(value, Mapping):
            return {name: self._resolve(item) for name, item in value.items()}
        return [self._resolve(item) for item in value] if isinstance(value, list) else value

    def _ref(self, element: Named) -> str:
        mark = "(?:<(?:added|changed|moved)> )?"
        name = re.escape(element.name)
        line = re.compile(
            rf"(?:- '?{mark}|: '?| [|;] ){element.role}"
            rf"(?: \"{name}\"|(?= [^|\n]*: {name}(?:'?$| \|)))"
            r"[^|\n]*?\[ref=(\w+)\]",
            re.MULTILINE,
        )
        for reply in reversed(self._replies):
            if found := line.search(reply):
                return found[1]
        raise LookupError(f"No reply shows a {element.role} {element.name!r}.")

    def _data(self, reply: Reply) -> Any:
        return json.loads(self._stabilize(json.dumps(reply.structured_content)))

    def _stabilize(self, text: str) -> str:
        """Return a text of a reply without the parts that differ from run to run."""
        port, stable_port = self._address.rpartition(":")[2], SITE.rpartition(":")[2]
        text = text.replace(f":{port}", f":{stable_port}")
        text = text.replace(str(self._work), "/home/ada/shop")
        for pattern, replacement in _STABLE:
            text = pattern.sub(replacement, text)
        return text


class _Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the example site, and the answers to its requests, with constant headers."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path in ANSWERS:
            self._answer()
        elif self.path == "/favicon.ico":
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._answer()

    def _answer(self) -> None:
        body = json.dumps(ANSWERS[self.path]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def version_string(self) -> str:
        return "Teahouse"

    def date_time_string(self, timestamp: float | None = None) -> str:
        return DATE

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@contextmanager
def serve_site() -> Iterator[str]:
    """Serve the example site on loopback, and yield its address."""
    handler = functools.partial(_Handler, directory=str(HERE / "site"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as httpd:
        thread = threading.Thread(target=httpd.serve_forever)
        thread.start()
        try:
            yield f"http://localhost:{httpd.server_address[1]}"
        finally:
            httpd.shutdown()
            thread.join()


def read_replies() -> list[Played]:
    """Return the examples with their replies, as they were played last."""
    played: list[Played] = json.loads(REPLIES.read_text(encoding="utf-8"))
    return played


def main() -> None:
    with tempfile.TemporaryDirectory() as work:
        played = asyncio.run(play(Path(work).resolve()))
    text = json.dumps(played, indent=1, ensure_ascii=False)
    REPLIES.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Plays a short session the way an MCP client would: a server over stdio, a small shop, an order.

Every call is printed with its reply and how long it took. A step that fails ends the demo with
status 1.
"""

from __future__ import annotations

import asyncio
import functools
import http.server
import itertools
import json
import os
import re
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "scripts" / "demo_site"
WORK = ROOT / "build" / "demo"
ANSWER_WITHIN = 60.0
EXIT_WITHIN = 10.0
LINE_LIMIT = 64 * 1024 * 1024
REPLY_LINES = 40
BOLD, DIM, PLAIN = ("\033[1m", "\033[2m", "\033[0m") if sys.stdout.isatty() else ("", "", "")


class StepFailed(Exception):
    """A call did not have the effect that the demo needs."""


class Session:
    """A session with one server: prints the calls and their replies."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._ids = itertools.count(1)
        self._replies: list[str] = []

    async def initialize(self) -> None:
        """Shake hands."""
        client = {"name": "viewpoint-mcp demo", "version": "1"}
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
        answer = await self._request("initialize", params)
        await self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        server = answer["serverInfo"]
        print(f"{server['name']} {server['version']}, MCP {answer['protocolVersion']}")

    async def call(self, tool: str, *, expect: str = "", **arguments: Any) -> None:
        """Call a tool, print it, and insist on success and on `expect` in the reply."""
        shown = ", ".join(f"{name}={json.dumps(value)}" for name, value in arguments.items())
        print(f"\n{BOLD}> {tool}({shown}){PLAIN}", flush=True)
        started = time.perf_counter()
        result = await self._request("tools/call", {"name": tool, "arguments": arguments})
        elapsed = (time.perf_counter() - started) * 1000
        text = "\n".join(block.get("text", f"({block['type']})") for block in result["content"])
        print(f"{indent(text)}\n{DIM}  {elapsed:.0f} ms{PLAIN}", flush=True)
        if result.get("isError"):
            raise StepFailed(f"{tool} failed")
        if expect not in text:
            raise StepFailed(f"{tool} did not answer {expect!r}")
        self._replies.append(text)

    def ref(self, role: str, name: str) -> str:
        """Return the ref of an element, from the latest reply that shows it."""
        element = re.compile(rf'\b{role} "{re.escape(name)}"(?: \[[^\]]*\])*? \[ref=(\w+)\]')
        for reply in reversed(self._replies):
            if found := element.search(reply):
                return found[1]
        raise StepFailed(f"no reply shows a {role} {name!r}")

    async def _request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        number = next(self._ids)
        await self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        async with asyncio.timeout(ANSWER_WITHIN):
            message = await self._receive()
            while message.get("id") != number:
                message = await self._receive()
        if "error" in message:
            raise StepFailed(f"{method}: {message['error']['message']}")
        result: dict[str, Any] = message["result"]
        return result

    async def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        await self._process.stdin.drain()

    async def _receive(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            raise StepFailed("the server is gone")
        message: dict[str, Any] = json.loads(line)
        return message


def indent(text: str) -> str:
    """Return the reply as the demo shows it: set in, and not endless."""
    lines = text.splitlines()
    if len(lines) > REPLY_LINES:
        lines = [*lines[:REPLY_LINES], f"... {len(lines) - REPLY_LINES} more lines"]
    return "\n".join(f"  {line}" for line in lines)


@asynccontextmanager
async def server() -> AsyncIterator[Session]:
    """Start a server in its own working directory; it ends when its stdin is closed."""
    WORK.mkdir(parents=True, exist_ok=True)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "viewpoint_mcp", "--headless", "--screenshot-dir", str(WORK)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=WORK,
        env={**os.environ, "VIEWPOINT_MCP_CACHE_DIR": str(WORK / "cache")},
        limit=LINE_LIMIT,
    )
    try:
        yield Session(process)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), EXIT_WITHIN)
        except TimeoutError:
            process.kill()
            await process.wait()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files without a line on stderr for each."""

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@contextmanager
def shop() -> Iterator[str]:
    """Serve the bundled shop on loopback and yield its address."""
    handler = functools.partial(QuietHandler, directory=str(SITE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as httpd:
        thread = threading.Thread(target=httpd.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{httpd.server_address[1]}/index.html"
        finally:
            httpd.shutdown()
            thread.join()


async def fill_cart(session: Session, url: str) -> None:
    await session.call("browser_navigate", url=url, expect="Teahouse")
    await session.call("browser_snapshot")
    search = session.ref("searchbox", "Search teas")
    await session.call("browser_type", element="search box", ref=search, text="green")
    # From the search box, Tab leads to the quantity of the only tea found.
    await session.call("browser_press_key", key="Tab")
    await session.call("browser_press_key", key="ArrowDown")
    add = session.ref("button", "Add Sencha to cart")
    await session.call("browser_click", element="add to cart", ref=add)
    await session.call("browser_wait_for", text="2 in the cart")


async def check_out(session: Session) -> None:
    link = session.ref("link", "Go to checkout")
    await session.call("browser_click", element="to checkout", ref=link, expect="Checkout")
    name, email = session.ref("textbox", "Name"), session.ref("textbox", "E-mail")
    await session.call("browser_type", element="name", ref=name, text="Ada")
    await session.call("browser_type", element="e-mail", ref=email, text="ada@example.com")
    button = session.ref("button", "Place order")
    # The page asks back: a confirm() stops it until it is answered.
    await session.call("browser_click", element="order", ref=button, expect="Modal state")
    await session.call("browser_handle_dialog", accept=True)
    await session.call("browser_wait_for", text="2 packs of tea are on their way to you.")
    await session.call("browser_evaluate", function="() => document.title", expect="Order placed")
    await session.call("browser_take_screenshot", expect="Screenshot")
    await session.call("browser_close")


def client_configuration() -> str:
    """Return the configuration to paste into the usual clients, with this installation's
    command.
    """
    command = str(Path(sys.executable).with_name("viewpoint-mcp"))
    entry = {"command": command, "args": ["--headless"]}
    servers = json.dumps({"mcpServers": {"viewpoint": entry}}, indent=2)
    vs_code = json.dumps({"servers": {"viewpoint": {"type": "stdio", **entry}}}, indent=2)
    return (
        "To use it, leave out --headless to watch the browser at work.\n\n"
        f"Claude Code:\n  claude mcp add viewpoint -- {command} --headless\n\n"
        f"Claude Desktop (claude_desktop_config.json) and Cursor (.cursor/mcp.json):\n{servers}\n\n"
        f"VS Code (.vscode/mcp.json):\n{vs_code}"
    )


async def play() -> None:
    with shop() as url:
        async with server() as session:
            await session.initialize()
            await fill_cart(session, url)
            await check_out(session)


def main() -> int:
    try:
        asyncio.run(play())
    except (StepFailed, ConnectionError, TimeoutError) as reason:
        print(f"\nThe demo stops here: {reason or 'no answer in time'}.", file=sys.stderr)
        return 1
    print(f"\nDone; the screenshot is in {WORK}.\n\n{client_configuration()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

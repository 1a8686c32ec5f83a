"""`make clients`: clients that others wrote list the tools, call one, get a picture and an error,
and cancel a call; prints a table. Fetches the clients first.
"""

from __future__ import annotations

import asyncio
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import venv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from scripts.npm import install, modules, node
from tests.prove.conformance.suite import serving

HERE = Path(__file__).parent
FASTMCP = "fastmcp==4.1.2"
STEPS = ("list", "call", "image", "error", "cancel")
FLAGS: tuple[str, ...] = ("-m", "viewpoint_mcp", "--headless", "--isolated", "--no-sandbox")
FLAGS += ("--image-responses", "inline")
WITHIN = 240  # seconds for a client
HTML = b"<title>Clients</title><h1>Clients</h1><button>Go</button>"


class Page(http.server.BaseHTTPRequestHandler):
    """A page to look at."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(HTML)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def page() -> Iterator[str]:
    """Serve the page, and yield its URL."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def fastmcp() -> str:
    """Make the environment of fastmcp, if it is not there, and return its Python."""
    home = modules(HERE).parent / "fastmcp"
    python = home / "bin" / "python"
    if not (home / FASTMCP).is_file():
        venv.create(home, clear=True, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", FASTMCP], check=True)
        (home / FASTMCP).touch()
    return str(python)


def scripts() -> Path:
    """Copy the Node scripts to a directory where Node finds their imports."""
    there = modules(HERE).parent
    for script in HERE.glob("*.mjs"):
        shutil.copy(script, there)
    return there


def clients() -> dict[str, Sequence[str]]:
    """Return the command of each client, by its name."""
    there, run = scripts(), str(node(HERE))
    found: dict[str, Sequence[str]] = {}
    for transport in ("stdio", "http", "sse"):
        for mode in ("auto", "legacy", "2026-07-28"):
            if transport != "sse" or mode == "legacy":
                name = f"python mcp, {transport}, {mode}"
                found[name] = (sys.executable, str(HERE / "python_client.py"), transport, mode)
        found[f"TypeScript SDK 1.x, {transport}"] = (run, str(there / "sdk1.mjs"), transport)
    for transport in ("stdio", "http"):
        for mode in ("auto", "legacy", "pinned"):
            name = f"TypeScript client 2.x, {transport}, {mode}"
            found[name] = (run, str(there / "client2.mjs"), transport, mode)
        found[f"fastmcp, {transport}"] = (
            fastmcp(),
            str(HERE / "fastmcp_client.py"),
            transport,
        )
    return found


def ask(command: Sequence[str], environment: Mapping[str, str]) -> dict[str, Any]:
    """Run a client; return the outcome of each step, or the error."""
    with tempfile.TemporaryDirectory() as directory:
        try:
            ran = subprocess.run(
                command,
                cwd=directory,
                env={**os.environ, **environment},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=WITHIN,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return {"why": f"not done within {WITHIN} s"}
    lines = ran.stdout.strip().splitlines()
    if ran.returncode != 0 or not lines:
        return {"why": (ran.stderr or ran.stdout)[-1500:]}
    result: dict[str, Any] = json.loads(lines[-1])
    return result


def ask_inspector(target: Sequence[str], environment: Mapping[str, str]) -> dict[str, Any]:
    """Run the inspector, which makes one request per run and cannot cancel any."""
    launcher = modules(HERE) / "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
    fields: dict[str, Any] = {"cancel": "-"}
    for step, arguments in {
        "list": ("--method", "tools/list"),
        "call": ("browser_navigate", f"url={environment['PAGE']}"),
        "image": ("browser_take_screenshot",),
        "error": ("browser_click", "ref=e99999"),
    }.items():
        if step != "list":
            name, *given = arguments
            arguments = ("--method", "tools/call", "--tool-name", name)
            arguments += tuple(each for one in given for each in ("--tool-arg", one))
        ran = subprocess.run(
            [str(node(HERE)), str(launcher), "--cli", *target, *arguments],
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=WITHIN,
            check=False,
        )
        reply = {"list": r'"browser_click"', "call": "Clients", "image": r'"type":\s*"image"'}
        fields[step] = bool(re.search(reply.get(step, r'"isError":\s*true'), ran.stdout))
        if not fields[step]:
            fields["why"] = f"{fields.get('why', '')}{step}: {(ran.stderr + ran.stdout)[-600:]}\n"
    return fields


async def main() -> int:
    install(HERE)
    is_good = True
    with tempfile.TemporaryDirectory() as directory, page() as url:
        async with serving((*FLAGS, "--port", "0", "--no-auth"), Path(directory)) as served:
            server = [sys.executable, *FLAGS]
            environment = {
                "SERVER": json.dumps(server),
                "URL": served.removesuffix("/mcp"),
                "PAGE": url,
                "PYTHONPATH": str(HERE.parents[2]),
            }
            print(f"{'':40} {'  '.join(f'{step:6}' for step in STEPS)}")
            asked = {
                name: partial(ask, command, environment) for name, command in clients().items()
            }
            by_http = [served, "--transport", "http"]
            asked["inspector --cli, stdio"] = partial(ask_inspector, server, environment)
            asked["inspector --cli, http"] = partial(ask_inspector, by_http, environment)
            for name, run in asked.items():
                result = await asyncio.to_thread(run)
                row = "  ".join(f"{result.get(step, '')!s:6}" for step in STEPS)
                print(f"{name:40} {row}", flush=True)
                if not all(result.get(step) for step in STEPS):
                    is_good = False
                    print(f"    {result.get('why')}", flush=True)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))

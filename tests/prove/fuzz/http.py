"""A server that is fuzzed over HTTP: messages and headers."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from hypothesis import strategies as st

from tests.prove.fuzz.inputs import META, SESSIONLESS_VERSION, TOOLS
from tests.prove.fuzz.judging import IllegalAnswer, check_shape, judge, read

PATIENCE = 20  # seconds of silence after which the server counts as hanging
# These report a wrong request; a failure of the server is not among them.
STATUSES = frozenset({200, 202, 400, 403, 404, 405, 406, 413, 415, 421})

_LISTENING = re.compile(r"Listening on http://([\d.]+):(\d+)")
_ROUTING = ("MCP-Protocol-Version", "Mcp-Method", "Mcp-Name")
_JSON = "application/json"

odd_value = st.text(st.characters(codec="latin-1", min_codepoint=32), max_size=12)
versions = st.sampled_from(
    ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", SESSIONLESS_VERSION]
)


@st.composite
def headers(draw: st.DrawFn, session: str, method: str) -> dict[str, str]:
    """Headers as they should be, or with one of them odd, or away."""
    good = {"Content-Type": _JSON, "Accept": "application/json, text/event-stream"}
    if draw(st.booleans()):
        good |= {"MCP-Protocol-Version": SESSIONLESS_VERSION, "Mcp-Method": method}
    else:
        good |= {"MCP-Protocol-Version": draw(versions), "Mcp-Session-Id": session}
    for _ in range(draw(st.integers(0, 2))):
        name = draw(
            st.sampled_from(
                ["Content-Type", "Accept", *_ROUTING, "Mcp-Session-Id", "Origin", "Last-Event-ID"]
            )
        )
        if draw(st.booleans()):
            good.pop(name, None)
        else:
            good[name] = draw(odd_value | versions).strip()
    return good


class FuzzedHttpServer:
    """One server process; a context manager.

    Args:
        directory: Its working directory, also for its log.
    """

    def __init__(self, directory: Path) -> None:
        self._log = directory / "stderr-http.txt"
        self._directory = directory

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "viewpoint_mcp", "--headless", "--tools", ",".join(TOOLS)]
        self.process = subprocess.Popen(
            [*command, "--port", "0", "--no-auth"],
            cwd=self._directory,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        found = next(filter(None, map(_LISTENING.search, self.process.stderr)), None)
        if found is None:
            raise IllegalAnswer("The server did not start.")
        self._address = found[1], int(found[2])
        self.session = self._begin()
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            rest = self.process.communicate(timeout=PATIENCE)[1]
        finally:
            self.process.kill()
        if self.process.returncode != 0 or "Traceback" in rest:
            raise IllegalAnswer(f"The server ended with {self.process.returncode}: {rest[-2000:]}")

    def feed(self, data: bytes, given: Mapping[str, str], verb: str = "POST") -> None:
        """Send this, judge the answer, and check that the server still runs.

        Raises:
            IllegalAnswer: The answer violates MCP.
        """
        status, kind, answers = self._send(verb, data, given)
        if status not in STATUSES:
            raise IllegalAnswer(f"The status {status} is none of ours, for {verb} {data[:500]!r}")
        line = read(data)
        if status == 202 and line.answers == "one":
            raise IllegalAnswer(f"There was no answer to: {data[:500]!r}")
        if status == 200 and kind is not None:
            judge([line], answers)
        for each in answers:
            for one in each if isinstance(each, list) else [each]:
                check_shape(one)
        if self._discover() != 200:
            raise IllegalAnswer("The server does not answer server/discover any more.")

    def _discover(self) -> int:
        body = {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": META}}
        sessionless = {"MCP-Protocol-Version": SESSIONLESS_VERSION, "Mcp-Method": "server/discover"}
        return self._send("POST", json.dumps(body).encode(), {**_GOOD, **sessionless})[0]

    def _begin(self) -> str:
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "f"}}
        body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
        connection = http.client.HTTPConnection(*self._address, timeout=PATIENCE)
        connection.request("POST", "/mcp", json.dumps(body), _GOOD)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return str(answer.headers["Mcp-Session-Id"])

    def _send(
        self, verb: str, data: bytes, given: Mapping[str, str]
    ) -> tuple[int, str | None, list[Any]]:
        """The status, the kind of the body, and the answers in it."""
        connection = http.client.HTTPConnection(*self._address, timeout=PATIENCE)
        try:
            connection.request(verb, "/mcp", data, dict(given))
            answer = connection.getresponse()
            kind = (answer.headers["Content-Type"] or "").partition(";")[0] or None
            if kind == "text/event-stream":
                return answer.status, kind, _events(answer)
            body = answer.read()
            if kind != _JSON or not body:
                return answer.status, None, []
            value = json.loads(body)
            is_ours = isinstance(value, list) or "jsonrpc" in value
            return answer.status, kind, [value] if is_ours else []
        except (OSError, http.client.HTTPException) as error:
            raise IllegalAnswer(f"{verb} {data[:500]!r} {given} got {error!r}") from error
        finally:
            connection.close()


_GOOD: dict[str, str] = {"Content-Type": _JSON, "Accept": "application/json, text/event-stream"}


def _events(stream: http.client.HTTPResponse) -> list[Any]:
    """Return the answers on a stream; nothing if it stays open after its first message."""
    for raw in stream:
        if not raw.startswith(b"data:") or not raw[5:].strip():
            continue
        message = json.loads(raw[5:])
        if isinstance(message, dict) and "method" in message:
            if message["method"].endswith("/acknowledged"):
                return []
            continue
        return [message]
    return []

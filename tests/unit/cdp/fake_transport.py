"""A scripted browser: answers every command, or refuses, delays or closes if a test says so."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import orjson

from cdp_protocol import ConnectionLost

Json = dict[str, Any]


class FakeTransport:
    """A transport without a browser. A command that the script does not mention is answered {}."""

    def __init__(self) -> None:
        self.sent: list[Json] = []
        self.times_closed = 0
        self._inbox: asyncio.Queue[bytes | ConnectionLost] = asyncio.Queue()
        self._news = asyncio.Event()
        self._results: dict[str, Mapping[str, Any]] = {}
        self._series: dict[str, list[Mapping[str, Any]]] = {}
        self._errors: dict[tuple[str, int], Json] = {}
        self._silent: set[str] = set()
        self._deadly: dict[str, str] = {}

    # The script

    def reply(self, method: str, result: Mapping[str, Any]) -> None:
        """Answer a command with `result` from now on."""
        self._results[method] = result

    def replies(self, method: str, *results: Mapping[str, Any]) -> None:
        """Answer a command's calls with one after the other; the last one stays."""
        self._series[method] = list(results)

    def refuse(
        self, method: str, message: str, *, nth: int = 1, code: int = -32000, data: object = None
    ) -> None:
        """Answer the nth call of a command with an error."""
        self._errors[method, nth] = {"code": code, "message": message, "data": data}

    def hold(self, method: str) -> None:
        """Leave a command without an answer."""
        self._silent.add(method)

    def die_on(self, method: str, reason: str = "the browser crashed") -> None:
        """Die when a command has arrived, in the middle of the call."""
        self._deadly[method] = reason

    # Events without a command

    def event(
        self, method: str, params: Mapping[str, Any] | None = None, session: str = ""
    ) -> None:
        """Send an event."""
        message: Json = {"method": method, "params": params or {}}
        self.push(message | ({"sessionId": session} if session else {}))

    def attach(
        self, session: str, *, parent: str = "", kind: str = "page", waiting: bool = False
    ) -> None:
        """Attach a session, as the browser announces it."""
        info = {"targetId": f"T{session}", "type": kind, "url": "about:blank"}
        params = {"sessionId": session, "targetInfo": info, "waitingForDebugger": waiting}
        self.event("Target.attachedToTarget", params, parent)

    def detach(self, session: str, *, parent: str = "") -> None:
        """Detach a session, as the browser announces it."""
        self.event("Target.detachedFromTarget", {"sessionId": session}, parent)

    def answer(self, call: Json, result: Mapping[str, Any] | None = None) -> None:
        """Answer a delayed command."""
        self.push({"id": call["id"], "result": result or {}})

    def push(self, message: Json | bytes) -> None:
        """Send anything."""
        self._inbox.put_nowait(message if isinstance(message, bytes) else orjson.dumps(message))

    def die(self, reason: str = "the browser crashed") -> None:
        """Break the connection."""
        self._inbox.put_nowait(ConnectionLost(None, reason))

    # Queries of a test

    async def wait_until_sent(self, method: str, times: int = 1) -> Json:
        """Wait until a command has arrived so many times; return it."""
        while len(calls := [call for call in self.sent if call["method"] == method]) < times:
            self._news.clear()
            await self._news.wait()
        return calls[times - 1]

    # The transport

    async def send(self, message: bytes | str) -> None:
        call = orjson.loads(message)
        self.sent.append(call)
        self._news.set()
        method = call["method"]
        nth = sum(1 for earlier in self.sent if earlier["method"] == method)
        if method in self._deadly:
            self.die(self._deadly[method])
        elif error := self._errors.get((method, nth)):
            self.push({"id": call["id"], "error": error})
        elif method not in self._silent:
            series = self._series.get(method, [])
            if series:
                self._results[method] = series.pop(0)
            self.answer(call, self._results.get(method))

    async def receive(self) -> bytes | str:
        message = await self._inbox.get()
        if isinstance(message, ConnectionLost):
            self._inbox.put_nowait(message)  # a broken transport stays broken
            raise message
        return message

    async def close(self) -> None:
        self.times_closed += 1

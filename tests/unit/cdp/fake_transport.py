"""A scripted browser: returns a result for each command, or an error, or no response."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import orjson

from cdp_protocol import ConnectionLost

Json = dict[str, Any]


class FakeTransport:
    """A transport without a browser. A command without a scripted result returns {}."""

    def __init__(self) -> None:
        self.sent: list[Json] = []
        self.times_closed = 0
        self._inbox: asyncio.Queue[bytes | ConnectionLost] = asyncio.Queue()
        self._has_sent = asyncio.Event()
        self._results: dict[str, Mapping[str, Any]] = {}
        self._result_series: dict[str, list[Mapping[str, Any]]] = {}
        self._errors: dict[tuple[str, int], Json] = {}
        self._silent: set[str] = set()
        self._disconnect_reasons: dict[str, str] = {}

    # The script

    def set_result(self, method: str, result: Mapping[str, Any]) -> None:
        """Return `result` for a command from now on."""
        self._results[method] = result

    def set_results(self, method: str, *results: Mapping[str, Any]) -> None:
        """Return these results for the calls of a command in order; the last one stays."""
        self._result_series[method] = list(results)

    def set_error(
        self, method: str, message: str, *, nth: int = 1, code: int = -32000, data: object = None
    ) -> None:
        """Return an error for the nth call of a command."""
        self._errors[method, nth] = {"code": code, "message": message, "data": data}

    def withhold(self, method: str) -> None:
        """Send no response to a command."""
        self._silent.add(method)

    def disconnect_on(self, method: str, reason: str = "the browser crashed") -> None:
        """Disconnect when a command arrives, before its response."""
        self._disconnect_reasons[method] = reason

    # Events without a command

    def send_event(
        self, method: str, params: Mapping[str, Any] | None = None, session: str = ""
    ) -> None:
        """Send an event."""
        message: Json = {"method": method, "params": params or {}}
        self.send_raw(message | ({"sessionId": session} if session else {}))

    def announce_attached(
        self, session: str, *, parent: str = "", kind: str = "page", waiting: bool = False
    ) -> None:
        """Announce an attached session, as the browser does."""
        info = {"targetId": f"T{session}", "type": kind, "url": "about:blank"}
        params = {"sessionId": session, "targetInfo": info, "waitingForDebugger": waiting}
        self.send_event("Target.attachedToTarget", params, parent)

    def announce_detached(self, session: str, *, parent: str = "") -> None:
        """Announce a detached session, as the browser does."""
        self.send_event("Target.detachedFromTarget", {"sessionId": session}, parent)

    def respond(self, call: Json, result: Mapping[str, Any] | None = None) -> None:
        """Send the response to a withheld command."""
        self.send_raw({"id": call["id"], "result": result or {}})

    def send_raw(self, message: Json | bytes) -> None:
        """Send a message of any form."""
        self._inbox.put_nowait(message if isinstance(message, bytes) else orjson.dumps(message))

    def disconnect(self, reason: str = "the browser crashed") -> None:
        """End the connection."""
        self._inbox.put_nowait(ConnectionLost(None, reason))

    # Queries of a test

    async def wait_until_sent(self, method: str, times: int = 1) -> Json:
        """Wait until a command has arrived so many times; return it."""
        while len(calls := [call for call in self.sent if call["method"] == method]) < times:
            self._has_sent.clear()
            await self._has_sent.wait()
        return calls[times - 1]

    # The transport

    async def send(self, message: bytes | str) -> None:
        call = orjson.loads(message)
        self.sent.append(call)
        self._has_sent.set()
        method = call["method"]
        nth = sum(1 for earlier in self.sent if earlier["method"] == method)
        if method in self._disconnect_reasons:
            self.disconnect(self._disconnect_reasons[method])
        elif error := self._errors.get((method, nth)):
            self.send_raw({"id": call["id"], "error": error})
        elif method not in self._silent:
            series = self._result_series.get(method, [])
            if series:
                self._results[method] = series.pop(0)
            self.respond(call, self._results.get(method))

    async def receive(self) -> bytes | str:
        message = await self._inbox.get()
        if isinstance(message, ConnectionLost):
            self._inbox.put_nowait(message)  # The transport stays disconnected.
            raise message
        return message

    async def close(self) -> None:
        self.times_closed += 1

"""The barest DevTools connection: sends calls, receives answers and one event.

It does not use cdp_protocol on purpose: the floor must not depend on the measured code.
"""

from __future__ import annotations

import asyncio
from typing import Any

import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from scripts.benchmark.processes import ContestantFailed

EXCHANGE_TIMEOUT = 60.0
Call = tuple[str, dict[str, Any]]


class BareConnection:
    """One WebSocket to the browser, read only while a call waits for an answer."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._last_id = 0
        self._session: str | None = None

    @classmethod
    async def open(cls, url: str) -> BareConnection:
        """Connect to the browser's WebSocket address."""
        return cls(await connect(url, max_size=None, compression=None, ping_interval=None))

    async def attach(self, width: int, height: int) -> None:
        """Send every later call to the browser's first page, given this size in CSS pixels."""
        await self._attach_to(await self._first_page(), width, height)

    async def attach_to_new_context(self, width: int, height: int) -> None:
        """Send every later call to a page in a new browser context, which this connection owns."""
        context = await self.call("Target.createBrowserContext", {"disposeOnDetach": True})
        target = await self.call("Target.createTarget", {"url": "about:blank", **context})
        await self._attach_to(target["targetId"], width, height)

    async def _attach_to(self, target: str, width: int, height: int) -> None:
        arguments = {"targetId": target, "flatten": True}
        self._session = (await self.call("Target.attachToTarget", arguments))["sessionId"]
        await self.call("Page.enable", {})
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        await self.call("Emulation.setDeviceMetricsOverride", metrics)

    async def call(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send one call and wait for its result."""
        return (await self.exchange((method, params)))[0]

    async def exchange(self, *calls: Call, until: str | None = None) -> list[dict[str, Any]]:
        """Send calls without waiting in between, then wait for all answers and one event.

        Args:
            calls: Method and parameters of each call, in the order they are sent.
            until: The event that must have come too, for example `Page.loadEventFired`.

        Returns:
            The results, in the order of the calls.

        Raises:
            ContestantFailed: A call failed, the socket closed, or time ran out.
        """
        try:
            async with asyncio.timeout(EXCHANGE_TIMEOUT):
                return await self._exchange(calls, until)
        except TimeoutError as error:
            raise ContestantFailed(f"{calls[-1][0]}: no answer in {EXCHANGE_TIMEOUT}s") from error
        except WebSocketException as error:
            raise ContestantFailed(f"{calls[-1][0]}: {error}") from error

    async def close(self) -> None:
        """Close the socket."""
        await self._socket.close()

    async def _first_page(self) -> str:
        """The id of the page a browser opens by itself, soon after it listens."""
        async with asyncio.timeout(EXCHANGE_TIMEOUT):
            while True:
                targets = (await self.call("Target.getTargets", {}))["targetInfos"]
                for target in targets:
                    if target["type"] == "page":
                        return str(target["targetId"])
                await asyncio.sleep(0.002)

    async def _exchange(self, calls: tuple[Call, ...], until: str | None) -> list[dict[str, Any]]:
        waiting = [await self._send(method, params) for method, params in calls]
        results: dict[int, dict[str, Any]] = {}
        seen = until is None
        while not seen or len(results) < len(waiting):
            message = orjson.loads(await self._socket.recv())
            seen = seen or message.get("method") == until
            if message.get("id") in waiting:
                results[message["id"]] = self._result(message)
        return [results[number] for number in waiting]

    async def _send(self, method: str, params: dict[str, Any]) -> int:
        self._last_id += 1
        message: dict[str, Any] = {"id": self._last_id, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        await self._socket.send(orjson.dumps(message).decode())
        return self._last_id

    @staticmethod
    def _result(message: dict[str, Any]) -> dict[str, Any]:
        if "error" in message:
            raise ContestantFailed(f"the browser refused: {message['error'].get('message')}")
        result: dict[str, Any] = message["result"]
        return result

"""The isolated world of one document: where our scripts run, out of the page's reach."""

from __future__ import annotations

from typing import Any

from cdp_protocol import ProtocolError, Session, SessionClosed
from viewpoint_mcp import inpage

_CALL = "function (name, ...args) { return this[name](...args); }"
_NAME = "viewpoint"
_LIMIT = 5.0  # seconds; a page that does not run our script in that time runs one without end


class WorldGone(Exception):
    """The document was replaced; the call had no effect that lasts."""


class ScriptFailed(Exception):
    """One of our own scripts threw: a bug of ours, never the page's."""


class World:
    """The API object of `inpage` in one document of one frame."""

    def __init__(self, session: Session, api: str) -> None:
        self._session = session
        self._api = api

    @classmethod
    async def create(cls, session: Session, frame_id: str) -> World:
        """Make the world in the frame's current document and load the scripts into it.

        Raises:
            WorldGone: The frame navigated or was removed meanwhile.

        Source: CDP `Page.createIsolatedWorld`, `Runtime.evaluate`.
        """
        try:
            made = await session.send(
                "Page.createIsolatedWorld",
                {"frameId": frame_id, "worldName": _NAME},
                timeout=_LIMIT,
            )
            loaded = await session.send(
                "Runtime.evaluate",
                {"expression": inpage.source(), "contextId": made["executionContextId"]},
                timeout=_LIMIT,
            )
        except (ProtocolError, SessionClosed) as error:
            raise WorldGone(str(error)) from error
        if "exceptionDetails" in loaded:
            raise ScriptFailed(_reason(loaded["exceptionDetails"]))
        return cls(session, loaded["result"]["objectId"])

    async def call(self, name: str, *args: object, timeout: float | None = None) -> Any:
        """Call a function of the API object and return its value, awaited, as JSON data.

        Args:
            timeout: Seconds; None for the connection's default.

        Raises:
            WorldGone: The document was replaced before or during the call.

        Source: CDP `Runtime.callFunctionOn`.
        """
        result = await self._send(name, args, timeout, by_value=True)
        return result.get("value")

    async def object_id(self, number: int) -> str | None:
        """Return the `Runtime.RemoteObjectId` of a registered element; None when it is gone."""
        result = await self._send("element", (number,), None, by_value=False)
        object_id = result.get("objectId")
        return str(object_id) if object_id else None

    async def _send(
        self, name: str, args: tuple[object, ...], timeout: float | None, *, by_value: bool
    ) -> dict[str, Any]:
        params = {
            "functionDeclaration": _CALL,
            "objectId": self._api,
            "arguments": [{"value": name}, *({"value": arg} for arg in args)],
            "returnByValue": by_value,
            "awaitPromise": True,
        }
        try:
            answer = await self._session.send("Runtime.callFunctionOn", params, timeout=timeout)
        except (ProtocolError, SessionClosed) as error:
            # Our functions throw no protocol errors: the context is what is missing, or the process
            # that a frame of another site had.
            raise WorldGone(str(error)) from error
        if "exceptionDetails" in answer:
            raise ScriptFailed(_reason(answer["exceptionDetails"]))
        result: dict[str, Any] = answer["result"]
        return result


def _reason(details: Any) -> str:
    exception = details.get("exception", {})
    return str(exception.get("description") or details.get("text", "unknown"))

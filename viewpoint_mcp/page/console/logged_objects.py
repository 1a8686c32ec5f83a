"""The objects in console messages: queries their properties, and releases them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from cdp_protocol import CdpError, Session
from viewpoint_mcp.background_tasks import BackgroundTasks
from viewpoint_mcp.page.console import console_text

if TYPE_CHECKING:
    from cdp_protocol.types.runtime import RemoteObject

_MAX_QUERIES: Final = 50  # messages at a time; further messages keep the previews of their events
_MAX_HANDLES: Final = 200  # objects that the page keeps alive before they are released
_MAX_PROPERTIES: Final = 100  # properties of an object; a larger object is not queried
_TIMEOUT: Final = 2.0  # seconds for the answer to a query

# This function calls no functions or getters of the page.
_COUNT_FUNCTION: Final = f"""function () {{
  let count = 0;
  for (const key in this) if (++count > {_MAX_PROPERTIES}) break;
  return count;
}}"""

OnDetails = Callable[["list[RemoteObject]"], None]


class LoggedObjects:
    """The logged objects of all CDP sessions of one page."""

    def __init__(self) -> None:
        self._tasks = BackgroundTasks()
        self._query_count = 0
        self._handle_counts: dict[Session, int] = {}
        self._idle = asyncio.Event()
        self._idle.set()

    def query_details(
        self, session: Session, values: list[RemoteObject], on_details: OnDetails
    ) -> None:
        """Query the details of the values of a new message, if their previews are incomplete.

        Args:
            session: The CDP session that reported the message.
            values: CDP `Runtime.RemoteObject` of each value.
            on_details: Called with the detailed values when the query succeeds.
        """
        object_count = sum("objectId" in each for each in values)
        if not object_count:
            return
        if self._query_count < _MAX_QUERIES and any(
            map(console_text.is_preview_incomplete, values)
        ):
            self._query_count += 1
            self._idle.clear()
            self._tasks.start(self._query_values(session, values, on_details))
        handle_count = self._handle_counts.get(session, 0) + object_count
        if handle_count >= _MAX_HANDLES:
            handle_count = 0
            self._tasks.start(_release_objects(session))
        self._handle_counts[session] = handle_count

    async def wait_for_queries(self) -> None:
        """Wait until no query is running; 2 s at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_TIMEOUT):
                await self._idle.wait()

    def forget_session(self, session: Session) -> None:
        """Forget a closed CDP session."""
        self._handle_counts.pop(session, None)

    async def close(self) -> None:
        """Cancel the running queries. Idempotent."""
        await self._tasks.close()

    async def _query_values(
        self, session: Session, values: list[RemoteObject], on_details: OnDetails
    ) -> None:
        try:
            on_details(await asyncio.gather(*(_query_preview(session, each) for each in values)))
        except CdpError:
            pass  # The preview stays. The object was released, or its process is busy.
        finally:
            self._query_count -= 1
            if not self._query_count:
                self._idle.set()


async def _query_preview(session: Session, value: RemoteObject) -> RemoteObject:
    """Return the value with a detailed preview, unless it has one or is too large.

    Source: CDP `Runtime.callFunctionOn`, `Runtime.getProperties`.
    """
    if (
        not console_text.is_preview_incomplete(value)
        or console_text.array_length(value) > _MAX_PROPERTIES
    ):
        return value
    target = {"objectId": value["objectId"]}
    count_params = {
        "functionDeclaration": _COUNT_FUNCTION,
        **target,
        "returnByValue": True,
        "silent": True,
    }
    count_answer = await session.send("Runtime.callFunctionOn", count_params, timeout=_TIMEOUT)
    if count_answer["result"].get("value", _MAX_PROPERTIES + 1) > _MAX_PROPERTIES:
        return value
    property_params = {**target, "ownProperties": True, "generatePreview": True}
    property_answer = await session.send("Runtime.getProperties", property_params, timeout=_TIMEOUT)
    return console_text.add_property_previews(value, property_answer["result"])


async def _release_objects(session: Session) -> None:
    """Release all logged objects of a session. Chromium keeps them in the group "console".

    Source: CDP `Runtime.releaseObjectGroup`.
    """
    with suppress(CdpError):
        await session.Runtime.releaseObjectGroup(objectGroup="console")

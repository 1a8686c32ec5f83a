"""The objects in console messages: queries their properties, and releases them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from cdp_protocol import CdpError, Session
from viewpoint_mcp.page.console import previews
from viewpoint_mcp.tasks import BackgroundTasks

if TYPE_CHECKING:
    from cdp_protocol.types.runtime import RemoteObject

_ASKED: Final = 50  # messages at a time; further messages keep the previews of their events
_HANDLES: Final = 200  # objects that the page keeps alive before they are released
_MOST: Final = 100  # properties of an object; a larger object is not queried
_LIMIT: Final = 2.0  # seconds for the answer to a query

# This function calls no functions or getters of the page.
_COUNT: Final = f"""function () {{
  let count = 0;
  for (const key in this) if (++count > {_MOST}) break;
  return count;
}}"""

Told = Callable[["list[RemoteObject]"], None]


class LoggedObjects:
    """The logged objects of all CDP sessions of one page."""

    def __init__(self) -> None:
        self._tasks = BackgroundTasks()
        self._asked = 0
        self._held: dict[Session, int] = {}
        self._quiet = asyncio.Event()
        self._quiet.set()

    def came(self, session: Session, values: list[RemoteObject], told: Told) -> None:
        """Query the details of the values of a new message, if their previews are incomplete.

        Args:
            session: The CDP session that reported the message.
            values: CDP `Runtime.RemoteObject` of each value.
            told: Called with the detailed values when the query succeeds.
        """
        objects = sum("objectId" in each for each in values)
        if not objects:
            return
        if self._asked < _ASKED and any(map(previews.is_shallow, values)):
            self._asked += 1
            self._quiet.clear()
            self._tasks.start(self._ask(session, values, told))
        held = self._held.get(session, 0) + objects
        if held >= _HANDLES:
            held = 0
            self._tasks.start(_release(session))
        self._held[session] = held

    async def wait(self) -> None:
        """Wait until no query is running; 2 s at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_LIMIT):
                await self._quiet.wait()

    def forget(self, session: Session) -> None:
        """Forget a closed CDP session."""
        self._held.pop(session, None)

    async def close(self) -> None:
        """Cancel the running queries. Idempotent."""
        await self._tasks.close()

    async def _ask(self, session: Session, values: list[RemoteObject], told: Told) -> None:
        try:
            told(await asyncio.gather(*(_deepened(session, each) for each in values)))
        except CdpError:
            pass  # The preview stays. The object was released, or its process is busy.
        finally:
            self._asked -= 1
            if not self._asked:
                self._quiet.set()


async def _deepened(session: Session, value: RemoteObject) -> RemoteObject:
    """Return the value with a detailed preview, unless it has one or is too large.

    Source: CDP `Runtime.callFunctionOn`, `Runtime.getProperties`.
    """
    if not previews.is_shallow(value) or previews.length_of(value) > _MOST:
        return value
    asked = {"objectId": value["objectId"]}
    counting = {"functionDeclaration": _COUNT, **asked, "returnByValue": True, "silent": True}
    counted = await session.send("Runtime.callFunctionOn", counting, timeout=_LIMIT)
    if counted["result"].get("value", _MOST + 1) > _MOST:
        return value
    wanted = {**asked, "ownProperties": True, "generatePreview": True}
    found = await session.send("Runtime.getProperties", wanted, timeout=_LIMIT)
    return previews.deepened(value, found["result"])


async def _release(session: Session) -> None:
    """Release all logged objects of a session. Chromium keeps them in the group "console".

    Source: CDP `Runtime.releaseObjectGroup`.
    """
    with suppress(CdpError):
        await session.Runtime.releaseObjectGroup(objectGroup="console")

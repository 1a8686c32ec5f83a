"""The notice in the window of a page, with which a person answers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import msgspec

from cdp_protocol import CdpError
from viewpoint_mcp.background_tasks import cancel_and_wait
from viewpoint_mcp.page.handover.answer import Answer
from viewpoint_mcp.page.isolated_world import WORLD_NAME, InpageScriptError, WorldGoneError

if TYPE_CHECKING:
    from cdp_protocol.events import Subscription
    from cdp_protocol.types.runtime import BindingCalledEvent
    from viewpoint_mcp.page.services import PageServices

log = logging.getLogger(__name__)

_BINDING: Final = "viewpointAnswer"
_TITLE: Final = "The agent asks you to act in this browser"
_INTERVAL: Final = 1.0  # seconds between two checks that the document has the notice
_TIMEOUT: Final = 2.0  # seconds
_DIALOG_TIMEOUT: Final = 0.2  # seconds


class Notice:
    """Draws a message above the page until it is closed, also in the next documents of the tab.

    It is drawn in the isolated world of the main frame, where the page cannot answer for a person.

    Args:
        message: What the person is asked to do.
        on_answer: Called with each answer.
    """

    def __init__(
        self, page: PageServices, message: str, on_answer: Callable[[Answer], None]
    ) -> None:
        self._page = page
        self._message = message
        self._on_answer = on_answer
        self._subscriptions: list[Subscription] = []
        self._has_new_document = asyncio.Event()
        self._keeping: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Draw the notice, and draw it again in each new document.

        A page that does not answer gets it later.

        Source: CDP `Runtime.addBinding`, `Runtime.bindingCalled`, `Page.frameNavigated`,
        `Page.domContentEventFired`.
        """
        session = self._page.session

        def note_new_document(_event: object) -> None:
            self._has_new_document.set()

        self._subscriptions = [
            session.on(session.Runtime.bindingCalled, self._receive),
            session.on(session.Page.frameNavigated, note_new_document),
            session.on(session.Page.domContentEventFired, note_new_document),
        ]
        with suppress(CdpError):
            await session.send(
                "Runtime.addBinding",
                {"name": _BINDING, "executionContextName": WORLD_NAME},
                timeout=_TIMEOUT,
            )
        await self._draw()
        self._keeping = asyncio.create_task(self._keep_drawn())

    async def close(self) -> None:
        """Remove the notice. Idempotent.

        Source: CDP `Runtime.removeBinding`.
        """
        subscriptions, self._subscriptions = self._subscriptions, []
        for each in subscriptions:
            each.close()
        if self._keeping is not None:
            await cancel_and_wait(self._keeping)
        if subscriptions and not self._page.blockers.is_closed:
            # A page with a dialog removes the notice after the dialog.
            limit = _TIMEOUT if self._page.blockers.dialog is None else _DIALOG_TIMEOUT
            await self._call("hide", timeout=limit)
            with suppress(CdpError):
                await self._page.session.send(
                    "Runtime.removeBinding", {"name": _BINDING}, timeout=limit
                )

    async def _keep_drawn(self) -> None:
        while not self._page.blockers.is_closed:
            with suppress(TimeoutError):
                async with asyncio.timeout(_INTERVAL):
                    await self._has_new_document.wait()
            self._has_new_document.clear()
            await self._draw()

    async def _draw(self) -> None:
        if self._page.blockers.dialog is None and not await self._call("isShown"):
            await self._call("show", _TITLE, self._message)

    async def _call(self, name: str, *args: str, timeout: float = _TIMEOUT) -> Any:
        """Call a function of `notice.js`. Return None if the document is gone or does not answer.

        Args:
            timeout: Seconds.
        """
        try:
            async with asyncio.timeout(timeout):
                world = await self._page.frames.main.world()
                return await world.call_source(_make_function(), name, *args, timeout=timeout)
        except (TimeoutError, CdpError, WorldGoneError):
            return None
        except InpageScriptError as error:
            log.warning("The notice cannot be drawn: %s", error)
            return None

    def _receive(self, event: BindingCalledEvent) -> None:
        if event["name"] == _BINDING:
            self._on_answer(msgspec.json.decode(event["payload"], type=Answer))


@cache
def _make_function() -> str:
    """Return the source of a function that calls one of the functions of `notice.js`."""
    script = files(__package__).joinpath("notice.js").read_text(encoding="utf-8")
    return (
        f"function (name, ...rest) {{ globalThis.viewpointNotice ??= (() => {{{script}}})();\n"
        f"const report = (text) => globalThis.{_BINDING}(text);\n"
        "return globalThis.viewpointNotice[name](...rest, report); }"
    )

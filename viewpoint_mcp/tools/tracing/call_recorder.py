"""The recorder of one call: it takes the pictures, and collects what the report shows."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec

from viewpoint_mcp.errors import ViewpointError
from viewpoint_mcp.page.shorten import shorten, shorten_url
from viewpoint_mcp.tools.core.batch import Step
from viewpoint_mcp.tools.core.result import Failure
from viewpoint_mcp.tools.core.tool import Tool
from viewpoint_mcp.tools.tracing.call_observer import set_call_observer
from viewpoint_mcp.tools.tracing.page_activity import NamedPage
from viewpoint_mcp.tools.tracing.traced_call import CallDetails, TracedCall, TracedPicture

if TYPE_CHECKING:
    from viewpoint_mcp.browser.client_workspace import Workspace
    from viewpoint_mcp.browser.context import Context
    from viewpoint_mcp.browser.tabs.tab import Tab
    from viewpoint_mcp.page.page import Page
    from viewpoint_mcp.tools.tracing.trace import Trace

Place: TypeAlias = "tuple[Context | None, Tab | None, Page | None]"
"""A context, one of its tabs and the page of the tab. A tab that is not attached has no page."""

log = logging.getLogger(__name__)

_PICTURE_LIMIT: Final = 1.5  # seconds for one picture
_REFRESH_LIMIT: Final = 0.5  # seconds for the titles of the tabs
_MAX_TITLE: Final = 200  # characters
_MAX_REPLY: Final = 200_000  # characters
_MAX_ARGUMENTS: Final = 100_000  # characters of JSON
_WITHOUT_EFFECT: Final = frozenset({"read", "record"})  # kinds of tools


class CallRecorder:
    """Records one call, or one step of a batch. It is the `CallObserver` of the call.

    Args:
        trace: The trace that the call belongs to.
        call: Its entry in the list.
        arguments: The arguments as the client sent them.
    """

    def __init__(self, trace: Trace, call: TracedCall, arguments: object) -> None:
        self._trace = trace
        self.call = call
        self._details = CallDetails(arguments, time.time())
        self._began = time.monotonic()
        self._recording_seconds = 0.0
        self._step_count = 0
        self._context: Context | None = None
        self._pages: dict[Page, None] = {}  # the order is that of use

    @asynccontextmanager
    async def observe_on_page(
        self, tool: Tool[Any], page: Page, context: Context
    ) -> AsyncIterator[None]:
        """See `CallObserver`."""

        def find_tab() -> Place:
            return context, context.find_tab(page.target_id), page

        async with self._observe(tool, find_tab):
            yield

    @asynccontextmanager
    async def observe_on_browser(
        self, tool: Tool[Any], args: Any, workspace: Workspace
    ) -> AsyncIterator[None]:
        """See `CallObserver`. The pictures show the active tab."""
        name: str | None = getattr(args, "context", None)

        def find_active_tab() -> Place:
            named = (each for each in workspace.contexts if each.name == name)
            context = next(named, workspace.active_context)
            tab = context.active_tab if context is not None else None
            return context, tab, tab.attached_page if tab is not None else None

        async with self._observe(tool, find_active_tab):
            yield

    async def record_step(
        self, step: Step, running: Awaitable[Failure | None], read_text: Callable[[], str]
    ) -> Failure | None:
        """See `CallObserver`."""
        self._step_count += 1
        number = f"{self.call.number}.{self._step_count}"
        call = self._trace.add_call(number, step.tool.name)
        recorder = CallRecorder(self._trace, call, step.arguments)
        restore = set_call_observer(recorder)
        try:
            failure = await running
            if failure is None:
                recorder.note_reply(read_text(), None)
            else:
                recorder.note_reply(failure.message, failure.code)
            return failure
        except BaseException as error:
            recorder.note_exception(error)
            raise
        finally:
            restore()
            recorder.finish()
            self._recording_seconds += recorder._recording_seconds

    def note_reply(self, text: str, error_code: str | None) -> None:
        """Note the text of the reply, and the code of its error; None for a success."""
        self._details.reply = shorten(text, _MAX_REPLY)
        self._details.error_code = error_code or ""

    def note_exception(self, error: BaseException) -> None:
        """Note that the call ended without a reply, because it was cancelled or asks the client."""
        is_cancelled = isinstance(error, asyncio.CancelledError)
        reason = "the call was cancelled" if is_cancelled else str(error)
        self._details.reply = f"No reply: {reason}"
        self._details.error_code = "no_reply"

    def finish(self) -> None:
        """Store the details. A failure is noted in the report; the call does not fail."""
        details = self._details
        details.seconds = time.monotonic() - self._began - self._recording_seconds
        try:
            self._collect_activity()
            self.call.details = self._trace.store.append(self._encode())
        except Exception as error:
            log.warning("A call cannot be recorded: %s", error, exc_info=error)

    def _encode(self) -> bytes:
        data = msgspec.json.encode(self._details, enc_hook=str)
        if len(data) > _MAX_REPLY + _MAX_ARGUMENTS and self._details.arguments:
            arguments = str(msgspec.json.encode(self._details.arguments, enc_hook=str), "utf-8")
            self._details.arguments = {"(JSON)": shorten(arguments, _MAX_ARGUMENTS)}
            data = msgspec.json.encode(self._details, enc_hook=str)
        return data

    @asynccontextmanager
    async def _observe(
        self, tool: Tool[Any], find_place: Callable[[], Place]
    ) -> AsyncIterator[None]:
        has_pictures = tool.kind not in _WITHOUT_EFFECT
        place = self._note_place(find_place())  # the call may close the tab
        if has_pictures:
            self._details.before = await self._take_picture(*place)
        try:
            yield
        except asyncio.CancelledError:
            has_pictures = False  # the client waits for nothing more
            raise
        finally:
            place = self._note_place(find_place())
            if has_pictures:
                self._details.after = await self._take_picture(*place)
                await self._refresh_tabs(place)

    def _note_place(self, place: Place) -> Place:
        """Note the context, the tab and its page. Of a tab that has closed, the last URL stays."""
        details, (context, tab, page) = self._details, place
        self._context = context
        if page is not None:
            self._pages[page] = None
        if context is not None:
            details.context = context.name
        if context is not None and tab is not None and tab in context.tabs:
            details.tab = f"tab {context.tabs.index(tab)}"
            details.url, details.title = shorten_url(tab.url), shorten(tab.title, _MAX_TITLE)
        return place

    async def _refresh_tabs(self, place: Place) -> None:
        """Update the URLs and titles of the tabs. A browser that does not answer is ignored."""
        began = time.monotonic()
        context = place[0]
        if context is not None and not context.is_closed:
            with suppress(ViewpointError, TimeoutError):
                async with asyncio.timeout(_REFRESH_LIMIT):
                    await context.refresh_tabs()
        self._note_place(place)
        self._recording_seconds += time.monotonic() - began

    def _collect_activity(self) -> None:
        details, trace = self._details, self._trace
        pages = [NamedPage(page, "") for page in self._pages]
        for context, page in trace.list_pages():
            if context is self._context and page not in self._pages:
                tab = context.find_tab(page.target_id)
                pages.append(NamedPage(page, f"tab {context.tabs.index(tab)}" if tab else "?"))
        details.console = trace.activity.take_console(pages, details.omitted)
        details.requests = trace.activity.take_requests(pages, details.omitted)
        trace.passwords.update(text for page, _ in pages for text in page.elements.passwords)

    async def _take_picture(
        self, _context: Context | None, tab: Tab | None, page: Page | None
    ) -> TracedPicture:
        if page is None:
            is_open = tab is not None
            reason = "The tab has not been used yet." if is_open else "No tab was open."
            return TracedPicture(missing=reason)
        if page.handovers.private_time.is_now:
            return TracedPicture(missing="A person acted in the browser.")
        began = time.monotonic()
        try:
            picture = await page.capture.small_picture(_PICTURE_LIMIT)
            return self._trace.store_picture(page, picture)
        except ViewpointError as error:
            return TracedPicture(missing=error.message)
        except Exception as error:
            log.warning("A picture of a trace failed: %s", error, exc_info=error)
            return TracedPicture(missing=f"The picture failed: {error}")
        finally:
            self._recording_seconds += time.monotonic() - began

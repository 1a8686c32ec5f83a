"""The trace of one client: it records the calls, and saves the report."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections import deque
from collections.abc import Awaitable
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from weakref import WeakKeyDictionary

from viewpoint_mcp.browser.client_workspace import Workspace
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import ViewpointError
from viewpoint_mcp.files.records import FileDescription
from viewpoint_mcp.tools.core.result import Reply
from viewpoint_mcp.tools.tracing.call_observer import get_call_observer, set_call_observer
from viewpoint_mcp.tools.tracing.call_recorder import CallRecorder
from viewpoint_mcp.tools.tracing.page_activity import PageActivity
from viewpoint_mcp.tools.tracing.report.report_writer import ReportHead, write_report
from viewpoint_mcp.tools.tracing.text_masking import TextMask
from viewpoint_mcp.tools.tracing.trace_store import TraceStore
from viewpoint_mcp.tools.tracing.traced_call import TracedCall, TracedPicture

if TYPE_CHECKING:
    from viewpoint_mcp.browser.context import Context
    from viewpoint_mcp.page.capture.small_picture import SmallPicture
    from viewpoint_mcp.page.page import Page

log = logging.getLogger(__name__)

MAX_CALLS: Final = 1000
"""Maximum number of calls in a report, with steps of batches. The oldest are left out."""


class SavedTrace(NamedTuple):
    """A saved report.

    Attributes:
        path: The path of the file.
        call_count: The calls in it, with steps of batches.
        left_out_count: The calls that it lacks, because the trace was too long.
        size: The size of the file in bytes.
    """

    path: Path
    call_count: int
    left_out_count: int
    size: int


class Trace:
    """Records the calls of one client until it is closed.

    Args:
        workspace: The contexts and tabs of the client.
        settings: The settings of the server.
        handle: The secret name of the context, which the report must not show; None for none.

    Attributes:
        activity: Reads the console messages and requests of pages.
        store: The data of the calls.
        passwords: The texts that were typed into password fields.
    """

    def __init__(
        self,
        workspace: Workspace,
        settings: Settings,
        *,
        handle: str | None = None,
    ) -> None:
        self._workspace = workspace
        self._settings = settings
        self._handle = handle
        self._started = time.time()
        self._calls: deque[TracedCall] = deque(maxlen=MAX_CALLS)
        self._call_count = 0  # with the steps of batches
        self._last_number = 0
        self.store = TraceStore()
        self.activity = PageActivity()
        self.passwords: set[str] = set()
        self._last_pictures: WeakKeyDictionary[Page, tuple[bytes, TracedPicture]] = (
            WeakKeyDictionary()
        )
        self.activity.skip(page for _, page in self.list_pages())

    async def record_call(
        self, tool_name: str, arguments: object, running: Awaitable[Reply]
    ) -> Reply:
        """Record a call, and return the reply that `running` returns."""
        self._last_number += 1
        recorder = CallRecorder(self, self.add_call(str(self._last_number), tool_name), arguments)
        restore = set_call_observer(recorder)
        try:
            reply = await running
            recorder.note_reply(reply.text, reply.error_code if reply.is_error else None)
            return reply
        except BaseException as error:
            recorder.note_exception(error)
            raise
        finally:
            restore()
            recorder.finish()

    def add_call(self, number: str, tool_name: str) -> TracedCall:
        """Add a call to the list."""
        call = TracedCall(number, tool_name)
        self._calls.append(call)
        self._call_count += 1
        return call

    def store_picture(self, page: Page, picture: SmallPicture) -> TracedPicture:
        """Store a picture, unless it equals the last one of the page.

        Raises:
            OSError: The temporary file cannot be written.
        """
        digest = hashlib.sha256(picture.data).digest()
        last = self._last_pictures.get(page)
        if last is None or last[0] != digest:
            last = digest, TracedPicture(self.store.append(picture.data), picture.size)
            self._last_pictures[page] = last
        return last[1]

    def list_pages(self) -> list[tuple[Context, Page]]:
        """Return the attached pages of the client, with their contexts."""
        return [
            (tab.context, tab.attached_page)
            for tab in self._workspace.tabs
            if tab.attached_page is not None
        ]

    async def save(self) -> SavedTrace:
        """Save the report of all calls but the current one, which saves it.

        Raises:
            DirectoryNotWritableError: The output directory cannot be written to.
            ViewpointError: The temporary files cannot be read.
        """
        observer = get_call_observer()
        current = observer.call if isinstance(observer, CallRecorder) else None
        calls = [each for each in self._calls if each is not current]
        count = self._call_count - (current is not None)
        head = ReportHead(self._started, time.time(), count)
        mask = TextMask(self._settings.secrets, self.passwords, handle=self._handle)
        try:
            written = await asyncio.to_thread(write_report, head, calls, self.store, mask)
        except OSError as error:
            raise ViewpointError(f"The data of the trace cannot be read: {error}.") from error
        about = FileDescription(kind="trace", what="trace of tool calls")
        files = self._workspace.files
        path = await asyncio.to_thread(
            files.save, written.data, "html", about, prefix="trace", is_private=True
        )
        return SavedTrace(path, written.call_count, count - written.call_count, len(written.data))

    async def save_at_end(self) -> None:
        """Save the report because the client or the server ends, and close the trace.

        A failure is only logged.
        """
        try:
            if self._calls:
                saved = await self.save()
                log.info("The trace was saved to %s.", saved.path)
        except ViewpointError as error:
            log.warning("The trace cannot be saved: %s", error)
        finally:
            self.close()

    def close(self) -> None:
        """Delete the temporary data. Idempotent."""
        self.store.close()

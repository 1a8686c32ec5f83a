"""Downloads of a browser: moved to the output directory, and reported in replies.

A launched browser saves them under generated names in a temporary directory. They move when they
are complete. An attached browser keeps its user's download settings; there the server only listens.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cdp_protocol import ProtocolError, Session
from viewpoint_mcp.browser.connect.launch import temporary_directory
from viewpoint_mcp.browser.context import Context
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.files.file_names import make_safe_name
from viewpoint_mcp.files.records import FileDescription
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.tasks import BackgroundTasks

if TYPE_CHECKING:
    from cdp_protocol.types.browser import DownloadProgressEvent, DownloadWillBeginEvent

log = logging.getLogger(__name__)

Concerned = Callable[[str], tuple[Context | None, Sequence[Page]]]

_TOLD = 20  # maximum number of downloads in one reply


@dataclass(slots=True, eq=False)
class _Transfer:
    """One download.

    Attributes:
        context: The context whose replies report it; None if unknown.
        pages: The pages whose actions wait for it.
        url: The URL of the file.
        end: The outcome as a sentence; "" while it runs.
        is_told: Whether a reply has already reported that it runs.
    """

    name: str
    context: Context | None
    pages: Sequence[Page]
    url: str = ""
    received: int = 0
    total: int = 0
    end: str = ""
    is_told: bool = False

    def __str__(self) -> str:
        if self.end:
            return self.end
        return f"Downloading file {self.name} ... ({self.amount} bytes so far)"

    @property
    def about(self) -> FileDescription:
        context = self.context.identity.label if self.context is not None else ""
        return FileDescription(kind="download", url=self.url, context=context)

    @property
    def amount(self) -> str:
        whole = f" of {self.total:,}" if self.total > self.received else ""
        return f"{self.received:,}{whole}"


class Downloads:
    """The downloads of a browser, followed from their start to the saved file.

    Args:
        files: Where they are saved.
        concerned: Returns the context and the pages of a frame, by its CDP `Page.FrameId`.
        keep: Whether to move the files to the output directory.
        among_many: Whether several clients share the browser and must not see each other's work.
            Downloads of an unknown context are then not reported.
    """

    def __init__(
        self, files: FileAccess, concerned: Concerned, *, keep: bool, among_many: bool = False
    ) -> None:
        self._files = files
        self._concerned = concerned
        self._unknown = () if among_many else (None,)
        self._transfers: dict[str, _Transfer] = {}
        self._directory = temporary_directory() if keep else None
        self._moving = BackgroundTasks()

    def under_way(self, contexts: Iterable[Context]) -> list[str]:
        """Return the file names of unfinished downloads of these contexts, at most 20."""
        whose = (*self._unknown, *contexts)
        running = (each for each in self._transfers.values() if not each.end)
        return [each.name for each in running if each.context in whose][:_TOLD]

    def subscribe(self, root: Session) -> None:
        """Subscribe to download events on the root CDP session.

        Source: CDP `Browser.downloadWillBegin`, `Browser.downloadProgress`.
        """
        root.on(root.Browser.downloadWillBegin, self._begun)
        root.on(root.Browser.downloadProgress, self._went_on)

    async def follow(self, root: Session, context: Context) -> None:
        """Enable download events for a context.

        Source: CDP `Browser.setDownloadBehavior`.
        """
        try:
            await root.Browser.setDownloadBehavior(
                behavior="allowAndName" if self._directory else "default",
                downloadPath=str(self._directory.path) if self._directory else None,
                browserContextId=context.context_id,
                eventsEnabled=True,
            )
        except ProtocolError as error:
            # The attached endpoint may lack the Browser domain and still be usable.
            log.warning("Downloads will not be told: %s", error)

    async def drop(self, root: Session, context: Context) -> None:
        """Cancel and forget the downloads of a context that is being closed.

        Source: CDP `Browser.cancelDownload`.
        """
        theirs = {guid: each for guid, each in self._transfers.items() if each.context is context}
        for guid, transfer in theirs.items():
            if not transfer.end:
                with suppress(ProtocolError):  # it may have completed
                    await root.Browser.cancelDownload(
                        guid=guid, browserContextId=context.context_id
                    )
            self._transfers.pop(guid, None)

    def take_events(self, context: Context) -> list[str]:
        """Return the unreported events of a context, a sentence each.

        These are downloads that began and still run, and downloads that ended. Events of an unknown
        context are included unless several clients share the browser.
        """
        told = []
        for guid, transfer in list(self._transfers.items()):
            if transfer.context not in (*self._unknown, context):
                continue
            if transfer.end or not transfer.is_told:
                told.append(str(transfer))
                transfer.is_told = True
            if transfer.end:
                del self._transfers[guid]
        more = len(told) - _TOLD
        return [*told[:_TOLD], f"... and {more:,} more downloads"] if more > 0 else told

    async def close(self) -> None:
        """Abandon running downloads after the browser has ended. Idempotent."""
        await self._moving.close()
        if self._directory is not None:
            await self._directory.remove()

    def _begun(self, event: DownloadWillBeginEvent) -> None:
        context, pages = self._concerned(event["frameId"])
        if not pages and self._directory is None:
            return  # a download of the user in a tab that the server does not follow
        guid = event["guid"]
        name = make_safe_name(event["suggestedFilename"])
        self._transfers[guid] = _Transfer(name, context, pages, event["url"])
        for page in pages:
            page.activity.note_download_start(guid)

    def _went_on(self, event: DownloadProgressEvent) -> None:
        transfer = self._transfers.get(event["guid"])
        if transfer is None or transfer.end:
            return
        transfer.received, transfer.total = int(event["receivedBytes"]), int(event["totalBytes"])
        if event["state"] == "completed":
            self._moving.start(self._complete(event["guid"], transfer, event.get("filePath")))
        elif event["state"] == "canceled":
            amount = f" after {transfer.amount} bytes" if transfer.received else ""
            self._end(
                event["guid"],
                transfer,
                f"The download of file {transfer.name} failed or was cancelled{amount}; "
                "nothing was saved",
            )

    async def _complete(self, guid: str, transfer: _Transfer, file_path: str | None) -> None:
        path = Path(file_path) if file_path else None
        try:
            if self._directory is not None:
                source = path or self._directory.path / guid
                path = await asyncio.to_thread(
                    self._files.move_to_output, source, transfer.name, transfer.about
                )
        except CallError as error:
            self._end(guid, transfer, f"File {transfer.name} was downloaded and lost: {error}")
            return
        where = f' to "{self._files.format_path(path)}"' if path else ""
        size = f"{transfer.received:,} bytes"
        self._end(guid, transfer, f"Downloaded file {transfer.name}{where} ({size})")

    @staticmethod
    def _end(guid: str, transfer: _Transfer, end: str) -> None:
        transfer.end = end
        for page in transfer.pages:
            page.activity.note_download_end(guid)

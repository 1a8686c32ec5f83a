"""The downloads of a browser: brought to the output directory, and told in replies.

In a browser of ours they land under other names in a directory of our own, and move when they are
complete. An attached browser does with them what its user told it; there we only listen.
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
from viewpoint_mcp.files.names import safe
from viewpoint_mcp.files.places import Files
from viewpoint_mcp.files.records import About
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.tasks import Tasks

if TYPE_CHECKING:
    from cdp_protocol.types.browser import DownloadProgressEvent, DownloadWillBeginEvent

log = logging.getLogger(__name__)

Concerned = Callable[[str], tuple[Context | None, Sequence[Page]]]

_TOLD = 20  # downloads in one reply


@dataclass(slots=True, eq=False)
class _Transfer:
    """One download.

    Attributes:
        context: Whose replies tell of it; None if that is not known.
        pages: Those whose acts wait for it.
        url: What is downloaded.
        end: What became of it, as a sentence; "" while it runs.
        is_told: Whether a reply has said that it runs.
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
    def about(self) -> About:
        context = self.context.identity.label if self.context is not None else ""
        return About(kind="download", url=self.url, context=context)

    @property
    def amount(self) -> str:
        whole = f" of {self.total:,}" if self.total > self.received else ""
        return f"{self.received:,}{whole}"


class Downloads:
    """Follows the downloads of a browser.

    Args:
        files: Where they are kept.
        concerned: Returns whose download it is that begins in a frame, by its CDP `Page.FrameId`.
        keep: Whether the files are to be brought to the output directory.
        among_many: Whether clients share the browser who must not hear of each other: what cannot
            be told whose it is, is told nobody then.
    """

    def __init__(
        self, files: Files, concerned: Concerned, *, keep: bool, among_many: bool = False
    ) -> None:
        self._files = files
        self._concerned = concerned
        self._unknown = () if among_many else (None,)
        self._transfers: dict[str, _Transfer] = {}
        self._directory = temporary_directory() if keep else None
        self._moving = Tasks()

    def under_way(self, contexts: Iterable[Context]) -> list[str]:
        """The names of files of these contexts that have not arrived, a few of them if there are
        many.
        """
        whose = (*self._unknown, *contexts)
        running = (each for each in self._transfers.values() if not each.end)
        return [each.name for each in running if each.context in whose][:_TOLD]

    def subscribe(self, root: Session) -> None:
        """Hear of downloads on the browser's own session.

        Source: CDP `Browser.downloadWillBegin`, `Browser.downloadProgress`.
        """
        root.on(root.Browser.downloadWillBegin, self._begun)
        root.on(root.Browser.downloadProgress, self._went_on)

    async def follow(self, root: Session, context: Context) -> None:
        """Have the browser tell of those of a context from now on.

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
            # What was attached to may be no whole browser; it can be used all the same.
            log.warning("Downloads will not be told: %s", error)

    async def drop(self, root: Session, context: Context) -> None:
        """Give up and forget those of a context that is about to be closed.

        Source: CDP `Browser.cancelDownload`.
        """
        theirs = {guid: each for guid, each in self._transfers.items() if each.context is context}
        for guid, transfer in theirs.items():
            if not transfer.end:
                with suppress(ProtocolError):  # it may be complete by now
                    await root.Browser.cancelDownload(
                        guid=guid, browserContextId=context.context_id
                    )
            self._transfers.pop(guid, None)

    def take_events(self, context: Context) -> list[str]:
        """Return what no reply has told yet of a context's: what began and still runs, and what
        ended.
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
        """Give up what is under way, once the browser is gone. Idempotent."""
        await self._moving.close()
        if self._directory is not None:
            await self._directory.remove()

    def _begun(self, event: DownloadWillBeginEvent) -> None:
        context, pages = self._concerned(event["frameId"])
        if not pages and self._directory is None:
            return  # the user's own, in a tab that is no business of ours
        guid = event["guid"]
        name = safe(event["suggestedFilename"])
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
                    self._files.keep, source, transfer.name, transfer.about
                )
        except CallError as error:
            self._end(guid, transfer, f"File {transfer.name} was downloaded and lost: {error}")
            return
        where = f' to "{self._files.shown(path)}"' if path else ""
        size = f"{transfer.received:,} bytes"
        self._end(guid, transfer, f"Downloaded file {transfer.name}{where} ({size})")

    @staticmethod
    def _end(guid: str, transfer: _Transfer, end: str) -> None:
        transfer.end = end
        for page in transfer.pages:
            page.activity.note_download_end(guid)

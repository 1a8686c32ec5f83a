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
from typing import TYPE_CHECKING, Literal

from cdp_protocol import ProtocolError, Session
from viewpoint_mcp.background_tasks import BackgroundTasks
from viewpoint_mcp.browser.connect.launch import make_download_directory
from viewpoint_mcp.browser.context import Context
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.files.file_names import make_safe_name
from viewpoint_mcp.files.records import FileDescription
from viewpoint_mcp.page.page import Page

if TYPE_CHECKING:
    from cdp_protocol.types.browser import DownloadProgressEvent, DownloadWillBeginEvent

log = logging.getLogger(__name__)

FindContextAndCausingPages = Callable[[str], tuple[Context | None, Sequence[Page]]]

_MAX_REPORTED = 20  # maximum number of downloads in one reply


@dataclass(slots=True, eq=False)
class _Download:
    """One download.

    Attributes:
        context: The context whose replies report it; None if unknown.
        pages: The pages whose actions wait for it.
        url: The URL of the file.
        outcome: The outcome as a sentence; "" while it runs.
        is_reported: Whether a reply has already reported that it runs.
    """

    file_name: str
    context: Context | None
    pages: Sequence[Page]
    url: str = ""
    received: int = 0
    total: int = 0
    outcome: str = ""
    is_reported: bool = False

    def __str__(self) -> str:
        if self.outcome:
            return self.outcome
        return f"Downloading file {self.file_name} ... ({self.progress} bytes so far)"

    @property
    def description(self) -> FileDescription:
        context = self.context.identity.label if self.context is not None else ""
        return FileDescription(kind="download", url=self.url, context=context)

    @property
    def progress(self) -> str:
        whole = f" of {self.total:,}" if self.total > self.received else ""
        return f"{self.received:,}{whole}"


class Downloads:
    """The downloads of a browser, followed from their start to the saved file.

    Args:
        files: Where they are saved.
        find_context_and_causing_pages: Returns the context and the pages of a frame, by its CDP
            `Page.FrameId`.
        should_save_files: Whether to move the files to the output directory.
        partial_files_dir: The directory in which Chromium writes files until they are complete;
            None for the system's temporary directory.
        is_refusing: Whether no file is downloaded.
        is_shared: Whether several clients share the browser and must not see each other's work.
            Downloads of an unknown context are then not reported.
    """

    def __init__(
        self,
        files: FileAccess,
        find_context_and_causing_pages: FindContextAndCausingPages,
        *,
        should_save_files: bool,
        partial_files_dir: Path | None = None,
        is_refusing: bool = False,
        is_shared: bool = False,
    ) -> None:
        self._files = files
        self._find_context_and_causing_pages = find_context_and_causing_pages
        self._reported_unknown = () if is_shared else (None,)
        self._downloads: dict[str, _Download] = {}
        self._directory = make_download_directory(partial_files_dir) if should_save_files else None
        self._is_refusing = is_refusing
        self._saving_tasks = BackgroundTasks()

    def list_unfinished_file_names(self, contexts: Iterable[Context]) -> list[str]:
        """Return the file names of unfinished downloads of these contexts, at most 20."""
        reported_contexts = (*self._reported_unknown, *contexts)
        running = (download for download in self._downloads.values() if not download.outcome)
        return [
            download.file_name for download in running if download.context in reported_contexts
        ][:_MAX_REPORTED]

    def subscribe(self, root: Session) -> None:
        """Subscribe to download events on the root CDP session.

        Source: CDP `Browser.downloadWillBegin`, `Browser.downloadProgress`.
        """
        root.on(root.Browser.downloadWillBegin, self._record_download_start)
        root.on(root.Browser.downloadProgress, self._record_download_progress)

    async def enable_events(self, root: Session, context: Context) -> None:
        """Enable download events for a context.

        Source: CDP `Browser.setDownloadBehavior`.
        """
        behavior: Literal["deny", "allowAndName", "default"] = "default"
        if self._is_refusing and (self._directory or context.context_id):
            behavior = "deny"  # but a user's default context keeps its behavior
        elif self._directory:
            behavior = "allowAndName"
        try:
            await root.Browser.setDownloadBehavior(
                behavior=behavior,
                downloadPath=str(self._directory.path) if self._directory else None,
                browserContextId=context.context_id,
                eventsEnabled=True,
            )
        except ProtocolError as error:
            # The attached endpoint may lack the Browser domain and still be usable.
            log.warning("Downloads cannot be reported: %s", error)

    async def cancel_downloads(self, root: Session, context: Context) -> None:
        """Cancel and forget the downloads of a context that is being closed.

        Source: CDP `Browser.cancelDownload`.
        """
        of_context = {
            guid: download
            for guid, download in self._downloads.items()
            if download.context is context
        }
        for guid, download in of_context.items():
            if not download.outcome:
                with suppress(ProtocolError):  # it may have completed
                    await root.Browser.cancelDownload(
                        guid=guid, browserContextId=context.context_id
                    )
            self._downloads.pop(guid, None)

    def pop_events(self, context: Context) -> list[str]:
        """Return the unreported events of a context, a sentence each.

        These are downloads that began and still run, and downloads that ended. Events of an unknown
        context are included unless several clients share the browser.
        """
        sentences = []
        for guid, download in list(self._downloads.items()):
            if download.context not in (*self._reported_unknown, context):
                continue
            if download.outcome or not download.is_reported:
                sentences.append(str(download))
                download.is_reported = True
            if download.outcome:
                del self._downloads[guid]
        more = len(sentences) - _MAX_REPORTED
        return (
            [*sentences[:_MAX_REPORTED], f"... and {more:,} more downloads"]
            if more > 0
            else sentences
        )

    async def close(self) -> None:
        """Abandon running downloads after the browser has ended. Idempotent."""
        await self._saving_tasks.close()
        if self._directory is not None:
            await self._directory.remove()

    def _record_download_start(self, event: DownloadWillBeginEvent) -> None:
        context, pages = self._find_context_and_causing_pages(event["frameId"])
        if not pages and self._directory is None:
            return  # a download of the user in a tab that the server does not follow
        guid = event["guid"]
        name = make_safe_name(event["suggestedFilename"])
        self._downloads[guid] = _Download(name, context, pages, event["url"])
        for page in pages:
            page.work_dispatcher.note_download_start(guid)

    def _record_download_progress(self, event: DownloadProgressEvent) -> None:
        download = self._downloads.get(event["guid"])
        if download is None or download.outcome:
            return
        download.received, download.total = int(event["receivedBytes"]), int(event["totalBytes"])
        if event["state"] == "completed":
            self._saving_tasks.start(
                self._save_file(event["guid"], download, event.get("filePath"))
            )
        elif event["state"] == "canceled":
            if self._is_refusing:
                refused = f"File {download.file_name} was not downloaded: acceptDownloads is false"
                self._finish_download(event["guid"], download, refused)
                return
            amount = f" after {download.progress} bytes" if download.received else ""
            self._finish_download(
                event["guid"],
                download,
                f"The download of file {download.file_name} failed or was cancelled{amount}; "
                "nothing was saved",
            )

    async def _save_file(self, guid: str, download: _Download, file_path: str | None) -> None:
        path = Path(file_path) if file_path else None
        try:
            if self._directory is not None:
                source = path or self._directory.path / guid
                path = await asyncio.to_thread(
                    self._files.move_to_output, source, download.file_name, download.description
                )
        except CallError as error:
            self._finish_download(
                guid, download, f"File {download.file_name} was downloaded but not saved: {error}"
            )
            return
        where = f' to "{self._files.format_path_for_reply(path)}"' if path else ""
        size = f"{download.received:,} bytes"
        self._finish_download(
            guid, download, f"Downloaded file {download.file_name}{where} ({size})"
        )

    @staticmethod
    def _finish_download(guid: str, download: _Download, outcome: str) -> None:
        download.outcome = outcome
        for page in download.pages:
            page.work_dispatcher.note_download_end(guid)

"""The videos of one client: at most one is recorded in each context."""

from __future__ import annotations

import asyncio
import logging
import shutil
from typing import TYPE_CHECKING, NamedTuple

from viewpoint_mcp.browser.video.recording import VideoOptions, VideoRecording
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.file_names import make_dated_name
from viewpoint_mcp.files.records import FileDescription

if TYPE_CHECKING:
    from pathlib import Path

    from viewpoint_mcp.browser.context import Context
    from viewpoint_mcp.browser.video.overlays import ActionStyle
    from viewpoint_mcp.files.file_access import FileAccess


log = logging.getLogger(__name__)


class SavedVideo(NamedTuple):
    """A video that was saved.

    Attributes:
        path: The file.
        seconds: Its length.
        options: Its size and frame rate.
        end_reason: Why the recording ended before it was stopped, as a clause; "" if it did not.
    """

    path: Path
    seconds: float
    options: VideoOptions
    end_reason: str


class VideoRecordings:
    """The recordings of one client, by the names of their contexts.

    Args:
        files: The directories of saved files.

    Attributes:
        actions: How the next video shows actions, by context, if that was set before its start.
    """

    def __init__(self, files: FileAccess) -> None:
        self._files = files
        self._recordings: dict[str, VideoRecording] = {}
        self._labels: dict[str, str] = {}
        self._lock = asyncio.Lock()
        self.actions: dict[str, ActionStyle] = {}

    def find(self, context_name: str) -> VideoRecording | None:
        """Return the recording of a context, even if it has ended by itself; else None."""
        return self._recordings.get(context_name)

    async def start(self, context: Context, options: VideoOptions) -> SavedVideo | None:
        """Start recording the active tab of a context.

        Returns:
            The earlier video of the context, if it ended by itself and was not collected yet.

        Raises:
            CallError: A video is being recorded there, or the file name is invalid.
            BrowserError: The browser cannot encode the video.
            PageError: The active tab does not answer.
        """
        async with self._lock:
            known = self.find(context.name)
            if known is not None and not known.is_over:
                raise CallError(
                    f'A video of context "{context.name}" is being recorded.',
                    "Use browser_stop_video to save it first.",
                )
            if options.filename is not None:
                self._files.resolve_to_write(options.filename)
            earlier = await self._stop(context.name)
            page = await context.get_active_page()
            recording = await VideoRecording.start(context, page, options)
            self._recordings[context.name] = recording
            self._labels[context.name] = context.identity.label
            return earlier

    async def stop(self, context_name: str) -> SavedVideo | None:
        """End the recording of a context and save it; return None if there is none.

        Raises:
            CallError: The video has no frame, or its file cannot be written. Then the message
                names the temporary file.
        """
        async with self._lock:
            return await self._stop(context_name)

    async def close(self) -> None:
        """End all recordings, and save them. Idempotent."""
        for name in list(self._recordings):
            try:
                await self.stop(name)
            except CallError as error:
                log.warning("A video was not saved: %s", error)

    async def _stop(self, context_name: str) -> SavedVideo | None:
        recording = self._recordings.pop(context_name, None)
        if recording is None:
            return None
        await recording.stop()
        if recording.frame_count == 0:
            await asyncio.to_thread(shutil.rmtree, recording.path.parent, ignore_errors=True)
            raise CallError(
                f"The recording ended before its first frame, because {recording.end_reason}.",
                "Use browser_start_video to start another one.",
            )
        about = FileDescription(kind="video", context=self._labels.pop(context_name), what="video")
        options, files, path = recording.options, self._files, recording.path
        try:
            if options.filename is None:
                name = make_dated_name("video", "webm")
                saved = await asyncio.to_thread(files.move_to_output, path, name, about)
            else:
                saved = await asyncio.to_thread(files.move_as, path, options.filename, about)
        except CallError as error:
            error.message += f" The video is in {path}."
            raise
        await asyncio.to_thread(path.parent.rmdir)
        return SavedVideo(saved, recording.duration / 1000, options, recording.end_reason)

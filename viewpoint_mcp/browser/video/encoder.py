"""The video encoder of the browser, in a hidden page of this server."""

from __future__ import annotations

import base64
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from cdp_protocol import CdpError, Session
from viewpoint_mcp.background_tasks import BackgroundTasks
from viewpoint_mcp.browser.storage.origin_storage import create_hidden_target
from viewpoint_mcp.browser.video.webm import Chunk
from viewpoint_mcp.errors import BrowserError

if TYPE_CHECKING:
    from cdp_protocol.types.fetch import HeaderEntry, RequestPausedEvent

# WebCodecs exists only in secure contexts. No request leaves the browser: the server answers it.
_URL: Final = "https://video.invalid/"
_HTML: Final[list[HeaderEntry]] = [{"name": "Content-Type", "value": "text/html"}]
_BODY: Final = base64.b64encode(b"<title>Video</title><link rel=icon href=data:,>").decode()
_CALL_LIMIT: Final = 20.0  # seconds
_BITS_PER_PIXEL: Final = 0.09  # and frame
_MIN_BITRATE: Final = 1_000_000


class VideoEncoder:
    """Encodes one video as VP8. `open` makes one.

    Attributes:
        width: Width of the video in pixels.
        height: Height of the video in pixels.
    """

    def __init__(self, root: Session, session: Session, target_id: str) -> None:
        self._root = root
        self._session = session
        self._target_id = target_id
        self._answers = BackgroundTasks()
        self._object_id = ""

    @classmethod
    async def open(cls, root: Session, width: int, height: int, fps: float) -> VideoEncoder:
        """Open a hidden page, and prepare a video in it.

        Args:
            root: The root CDP session of the browser.
            width: Width of the video in pixels, an even number.
            height: Height of the video in pixels, an even number.
            fps: The highest number of frames per second, for the bitrate.

        Raises:
            BrowserError: The browser cannot hide a page, or not encode the video.

        Source: CDP `Target.createTarget`, `Fetch.enable`, `Page.navigate`; WebCodecs.
        """
        target_id = await create_hidden_target(root, None)
        encoder = None
        try:
            info = await root.Target.getTargetInfo(targetId=target_id)
            if info["targetInfo"]["type"] == "page":
                raise BrowserError(
                    "This browser cannot encode a video: it has no hidden pages.",
                    "Use a newer Chromium; browser_install installs one.",
                )
            encoder = cls(root, await root.attach(target_id), target_id)
            bitrate = max(_MIN_BITRATE, round(width * height * fps * _BITS_PER_PIXEL))
            await encoder._start({"width": width, "height": height, "bitrate": bitrate})
        except BaseException:
            if encoder is not None:
                await encoder._answers.close()
            with suppress(CdpError):
                await root.Target.closeTarget(targetId=target_id)
            raise
        return encoder

    @property
    def is_browser_lost(self) -> bool:
        """Whether the connection to the browser is lost."""
        return self._root.connection.lost is not None

    async def draw(
        self,
        at: int,
        *,
        jpeg: str | None = None,
        html: str | None = None,
        cursor: tuple[float, float] | None = None,
        is_key: bool = False,
    ) -> list[Chunk]:
        """Encode a frame, and return the frames that are encoded since the last call.

        Args:
            at: Milliseconds from the start of the video, more than in the last call.
            jpeg: The new picture of the page, in base64; None for the last one.
            html: An SVG document that is drawn over it, with the size of the video.
            cursor: The tip of the mouse cursor, in pixels of the video.
            is_key: Whether the frame must be a key frame.

        Raises:
            CdpError: The page is gone, or does not answer.
            BrowserError: The frame could not be encoded.
        """
        request = {"jpeg": jpeg, "html": html, "cursor": cursor, "at": at, "isKey": is_key}
        return _to_chunks(await self._call("draw", request))

    async def finish(self) -> list[Chunk]:
        """Return the frames that are left. Raises like `draw`."""
        return _to_chunks(await self._call("finish", None))

    async def close(self) -> None:
        """Close the hidden page. Idempotent."""
        await self._answers.close()
        with suppress(CdpError):
            await self._root.Target.closeTarget(targetId=self._target_id)

    async def _start(self, config: dict[str, int]) -> None:
        session = self._session

        def answer_request(event: RequestPausedEvent) -> None:
            self._answers.start(_answer_request(session, event["requestId"]))

        session.on(session.Fetch.requestPaused, answer_request)
        await session.Fetch.enable()
        await session.send("Page.navigate", {"url": _URL}, timeout=_CALL_LIMIT)
        loaded = await session.Runtime.evaluate(expression=_read_script())
        self._object_id = loaded["result"]["objectId"]
        failure = await self._call("start", config)
        if failure is not None:
            raise BrowserError(
                f"This browser cannot encode a video: {failure}.",
                "Use another Chromium, or another size.",
            )

    async def _call(self, name: str, argument: object) -> Any:
        answer = await self._session.send(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": f"function (argument) {{ return this.{name}(argument); }}",
                "objectId": self._object_id,
                "arguments": [{"value": argument}],
                "awaitPromise": True,
                "returnByValue": True,
            },
            timeout=_CALL_LIMIT,
        )
        if "exceptionDetails" in answer:
            reason = answer["result"].get("description", "").partition("\n")[0]
            raise BrowserError(f"A frame of the video could not be encoded: {reason}")
        return answer["result"].get("value")


async def _answer_request(session: Session, request_id: str) -> None:
    with suppress(CdpError):
        await session.Fetch.fulfillRequest(
            requestId=request_id, responseCode=200, responseHeaders=_HTML, body=_BODY
        )


def _to_chunks(encoded: list[tuple[int, bool, str]]) -> list[Chunk]:
    return [Chunk(time, is_key, base64.b64decode(data)) for time, is_key, data in encoded]


@cache
def _read_script() -> str:
    return files(__package__).joinpath("encoder.js").read_text(encoding="utf-8")

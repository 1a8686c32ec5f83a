"""Lends a frame to the snapshot: `accessibility` walks documents and knows no frames."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from cdp_protocol import CallTimeout, CdpError, ProtocolError, Session, SessionClosed
from viewpoint_mcp.accessibility.capture import Capture, Walk
from viewpoint_mcp.accessibility.recycled_rows import Printed
from viewpoint_mcp.accessibility.refs import RefMap, prefix
from viewpoint_mcp.accessibility.tree import Node
from viewpoint_mcp.page.frames import Frame, FrameTree
from viewpoint_mcp.page.isolated_world import WorldGone
from viewpoint_mcp.page.snapshot.closed_shadow import open_all_roots, open_met_roots

_TIMEOUT = 20.0
_ONE_FRAME = 1.0  # seconds to look for a text in a frame below the main one
_NEXT_DOCUMENT = 1.0  # seconds that a frame may be between two documents
_AS_BEFORE = "null"  # the walker's word for a document that is as it was
_COUNTS = ("LayoutCount", "RecalcStyleCount")


class WalkedFrame:
    """One frame as `accessibility.capture.Document`.

    Args:
        context: The `c` component of the page's refs.
        page: The `p` component.
    """

    def __init__(
        self, frame: Frame, frames: FrameTree, refs: RefMap, context: int, page: int
    ) -> None:
        self._frame = frame
        self._frames = frames
        self._refs = refs
        self._numbers = (context, page)
        self._document = frame.document

    @property
    def prefix(self) -> str:
        return prefix(*self._numbers, self._frame.number)

    @property
    def kept(self) -> Walk | None:
        return self._frame.walked

    @kept.setter
    def kept(self, walk: Walk | None) -> None:
        if self._document == self._frame.document:
            self._frame.walked = walk

    @property
    def shown(self) -> Capture | None:
        return self._frame.captured

    @shown.setter
    def shown(self, capture: Capture | None) -> None:
        if self._document == self._frame.document:
            self._frame.captured = capture

    @property
    def process(self) -> Session:
        return self._frame.session

    @property
    def unresponsive(self) -> bool:
        return self._frame.unresponsive

    async def walk(self, options: dict[str, object]) -> tuple[str, object] | None:
        """Run the walker; if the document goes away, in the next one."""
        try:
            return await self._walk(options)
        except WorldGone:
            # The main frame's successor is for the caller to wait for.
            if self._frame.parent is None or not await self._frame.next_document(_NEXT_DOCUMENT):
                return None
        try:
            return await self._walk({**options, "since": 0})
        except WorldGone:
            return None

    async def _walk(self, options: dict[str, object]) -> tuple[str, object]:
        try:
            return await self._ask(options)
        except (asyncio.CancelledError, CallTimeout):
            # Nobody waited any longer; the next time they will not wait as long.
            self._frame.unresponsive = not self._frame.crashed
            raise

    async def _ask(self, options: dict[str, object]) -> tuple[str, object]:
        """Run the walker, between two looks at how often styles and layout were computed; and once
        more where it turns out that it did not know all that reacts.

        Source: CDP `Performance.getMetrics`, `RecalcStyleCount` and `LayoutCount`.
        """
        world = await self._frame.world()
        self._document = self._frame.document
        session = self._frame.session
        before, text, after, is_news = await asyncio.gather(
            _drawn(session),
            world.call("walk", options, timeout=_TIMEOUT),
            _drawn(session),
            self._frame.listeners(world).learn(),
        )
        if is_news:
            before = after
            text, after = await asyncio.gather(
                world.call("walk", options, timeout=_TIMEOUT), _drawn(session)
            )
        if text == _AS_BEFORE:
            # Chromium answers for its counts while script runs, out of turn: what it said may be
            # from before the walk had the layout computed.
            after = await _drawn(session)
        self._frame.unresponsive = False
        return text, after if before == after else None

    def mark(self, iframe: Node, *, answered: bool) -> None:
        """Say in the parent's snapshot why this frame's document is not in it.

        Args:
            answered: Whether the frame answered at all; it had no document to show then.
        """
        what = "crashed" if self._frame.crashed else "loading" if answered else "unresponsive"
        iframe.properties = {**iframe.properties, what: True}

    async def open_roots(self) -> bool:
        """Let the walker into the closed shadow roots that the last walk passed."""
        try:
            return await open_met_roots(await self._frame.world())
        except WorldGone:
            return False

    def remember(self, nodes: Iterable[Node], printed: Printed, *, is_whole: bool) -> None:
        frame, document = self._frame.number, self._document
        self._refs.remember_nodes(nodes, frame, document, printed, is_whole=is_whole)

    async def child(self, owner: int) -> WalkedFrame | None:
        """Return the frame in the `iframe` of that number.

        Source: CDP `DOM.describeNode`, whose `frameId` is that of the frame an element owns.
        """
        frame = next(
            (each for each in self._frames if each.parent is self._frame and each.owner == owner),
            None,
        )
        frame = frame or await self._ask_for_child(owner)
        if frame is None:
            return None
        return WalkedFrame(frame, self._frames, self._refs, *self._numbers)

    async def _ask_for_child(self, owner: int) -> Frame | None:
        try:
            world = await self._frame.world()
            object_id = await world.object_id(owner)
            if object_id is None:
                return None
            described = await self._frame.session.DOM.describeNode(objectId=object_id)
        except (WorldGone, ProtocolError, SessionClosed):
            return None
        frame = self._frames.get(described["node"].get("frameId", ""))
        if frame is not None:
            frame.owner = owner
        return frame


async def _drawn(session: Session) -> tuple[float, ...] | None:
    try:
        answer = await session.send("Performance.getMetrics", timeout=_TIMEOUT)
    except CdpError:
        return None
    return tuple(each["value"] for each in answer["metrics"] if each["name"] in _COUNTS)


async def has_text(frame: Frame, text: str, *, timeout: float) -> bool:
    """Return whether a frame shows the text, in whatever shadow root.

    Args:
        timeout: Seconds for each question to the main frame. A frame below it gets a second in
            all: one that does not answer must not keep the others from being read.

    Raises:
        WorldGone: The document was replaced meanwhile.
    """
    if frame.parent is None:
        return await _has_text(frame, text, timeout)
    try:
        async with asyncio.timeout(_ONE_FRAME):
            return await _has_text(frame, text, timeout)
    except TimeoutError:
        return False


async def _has_text(frame: Frame, text: str, timeout: float) -> bool:
    world = await frame.world()
    if await world.call("hasText", text, timeout=timeout):
        return True
    return await open_all_roots(world) and bool(await world.call("hasText", text, timeout=timeout))

"""Adapter of a frame for the snapshot: `accessibility` walks documents and does not use frames."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from cdp_protocol import CallTimeout, CdpError, ProtocolError, Session, SessionClosed
from viewpoint_mcp.accessibility.recycled_list_rows import PrintedTree
from viewpoint_mcp.accessibility.refs import RefMap, make_ref_prefix
from viewpoint_mcp.accessibility.tree import Node
from viewpoint_mcp.accessibility.tree_capture import Capture, Walk, WalkerOutput
from viewpoint_mcp.page.frames import Frame, FrameTree
from viewpoint_mcp.page.isolated_world import WorldGoneError
from viewpoint_mcp.page.snapshot.closed_shadow import (
    expose_all_closed_roots,
    expose_closed_roots_of_last_walk,
)
from viewpoint_mcp.page.snapshot.process_metrics import read_process_metrics

_WALK_TIMEOUT = 20.0  # seconds
_CHILD_FRAME_TIMEOUT = 1.0  # seconds to search for a text in a frame below the main frame
_NEXT_DOCUMENT_TIMEOUT = 1.0  # seconds to wait for the next document of a frame
_UNCHANGED = "null"  # the walker's answer for a document that has not changed


class WalkedFrame:
    """One frame, adapted to `accessibility.capture.Document`.

    Args:
        context_number: The `c` component of the page's refs.
        page_number: The `p` component.
    """

    def __init__(
        self, frame: Frame, frames: FrameTree, refs: RefMap, context_number: int, page_number: int
    ) -> None:
        self._frame = frame
        self._frames = frames
        self._refs = refs
        self._ref_numbers = (context_number, page_number)
        self._document_id = frame.document_id

    @property
    def ref_prefix(self) -> str:
        return make_ref_prefix(*self._ref_numbers, self._frame.number)

    @property
    def last_walk(self) -> Walk | None:
        return self._frame.last_walk

    @last_walk.setter
    def last_walk(self, walk: Walk | None) -> None:
        if self._document_id == self._frame.document_id:
            self._frame.last_walk = walk

    @property
    def last_capture(self) -> Capture | None:
        return self._frame.last_capture

    @last_capture.setter
    def last_capture(self, capture: Capture | None) -> None:
        if self._document_id == self._frame.document_id:
            self._frame.last_capture = capture

    @property
    def process_key(self) -> Session:
        return self._frame.session

    @property
    def is_unresponsive(self) -> bool:
        return self._frame.is_unresponsive

    async def walk(self, options: dict[str, object]) -> WalkerOutput | None:
        """Run the walker; see `Document.walk`.

        If the document of a child frame is replaced meanwhile, the walker runs in the next
        document.
        """
        try:
            return await self._walk_and_mark_if_unresponsive(options)
        except WorldGoneError:
            # For the main frame, the caller waits for the next document.
            if self._frame.parent is None or not await self._frame.wait_for_next_document(
                _NEXT_DOCUMENT_TIMEOUT
            ):
                return None
        try:
            return await self._walk_and_mark_if_unresponsive({**options, "since": 0})
        except WorldGoneError:
            return None

    async def _walk_and_mark_if_unresponsive(self, options: dict[str, object]) -> WalkerOutput:
        try:
            return await self._run_walker_with_layout_counts(options)
        except (asyncio.CancelledError, CallTimeout):
            # The frame did not answer in time. The next capture waits for it for a shorter time.
            self._frame.is_unresponsive = not self._frame.is_crashed
            raise

    async def _run_walker_with_layout_counts(self, options: dict[str, object]) -> WalkerOutput:
        """Run the walker, and read the counts of style and layout computations before and after it.

        Run it again if new elements with click listeners were found meanwhile.

        Returns:
            The output of the walker, with the counts.

        """
        world = await self._frame.world()
        self._document_id = self._frame.document_id
        session = self._frame.session
        if self._frame.has_new_layout:
            options = {**options, "since": 0}
        before, text, after, is_news = await asyncio.gather(
            _read_layout_counts(session),
            world.call("walk", options, timeout=_WALK_TIMEOUT),
            _read_layout_counts(session),
            self._frame.get_click_listeners(world).mark_new_elements_and_detect_walk_change(),
        )
        if is_news:
            before = after
            text, after = await asyncio.gather(
                world.call("walk", options, timeout=_WALK_TIMEOUT),
                _read_layout_counts(session),
            )
        if text == _UNCHANGED:
            # Chromium may report its counts while a script runs. The first answer may be older
            # than the layout that the walk caused.
            after = await _read_layout_counts(session)
        self._frame.is_unresponsive = False
        self._frame.layout_counts = after
        return WalkerOutput(text, after if before == after else None)

    def mark_as_missing(self, iframe: Node, *, has_answered_walk: bool) -> None:
        """Mark the iframe in the parent's snapshot with the reason why its document is missing.

        Args:
            has_answered_walk: Whether the frame answered; it then had no document to show.
        """
        what = (
            "crashed"
            if self._frame.is_crashed
            else "loading"
            if has_answered_walk
            else "unresponsive"
        )
        iframe.properties = {**iframe.properties, what: True}

    async def expose_closed_shadow_roots(self) -> bool:
        """Pass the closed shadow roots that the last walk met to the walker.

        Returns:
            Whether any were found, so that another walk would see more.
        """
        try:
            return await expose_closed_roots_of_last_walk(await self._frame.world())
        except WorldGoneError:
            return False

    def remember_nodes_with_ref(
        self, nodes: Iterable[Node], tree: PrintedTree, *, is_whole: bool
    ) -> None:
        frame, document = self._frame.number, self._document_id
        self._refs.remember_nodes_with_ref(nodes, frame, document, tree, is_whole=is_whole)

    async def find_child(self, owner_number: int) -> WalkedFrame | None:
        """Return the frame that the `iframe` with this number shows; None if it shows none.

        Source: CDP `DOM.describeNode`; its `frameId` is the id of the frame that the element owns.
        """
        frame = next(
            (
                each
                for each in self._frames
                if each.parent is self._frame and each.owner_number == owner_number
            ),
            None,
        )
        frame = frame or await self._query_child_frame(owner_number)
        if frame is None:
            return None
        return WalkedFrame(frame, self._frames, self._refs, *self._ref_numbers)

    async def _query_child_frame(self, owner_number: int) -> Frame | None:
        try:
            world = await self._frame.world()
            object_id = await world.get_element_object_id(owner_number)
            if object_id is None:
                return None
            described = await self._frame.session.DOM.describeNode(objectId=object_id)
        except (WorldGoneError, ProtocolError, SessionClosed):
            return None
        frame = self._frames.get(described["node"].get("frameId", ""))
        if frame is not None:
            frame.owner_number = owner_number
        return frame


async def _read_layout_counts(session: Session) -> tuple[float, float] | None:
    try:
        return (await read_process_metrics(session, timeout=_WALK_TIMEOUT)).layout_counts
    except CdpError:
        return None


async def has_text(frame: Frame, text: str, *, timeout: float) -> bool:
    """Return whether a frame shows the text, including the text in its shadow roots.

    Args:
        timeout: Seconds for each call into the main frame. A frame below it gets one second in
            total, so that a frame without an answer does not delay the others.

    Raises:
        WorldGoneError: The document was replaced meanwhile.
    """
    if frame.parent is None:
        return await _search_text(frame, text, timeout)
    try:
        async with asyncio.timeout(_CHILD_FRAME_TIMEOUT):
            return await _search_text(frame, text, timeout)
    except TimeoutError:
        return False


async def _search_text(frame: Frame, text: str, timeout: float) -> bool:
    world = await frame.world()
    if await world.call("hasText", text, timeout=timeout):
        return True
    return await expose_all_closed_roots(world) and bool(
        await world.call("hasText", text, timeout=timeout)
    )

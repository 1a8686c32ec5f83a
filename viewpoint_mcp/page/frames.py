"""The frames of a page, tracked with CDP's `Page` events: their documents and isolated worlds."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from cdp_protocol import Session
from viewpoint_mcp.accessibility.refs import ElementNumbers
from viewpoint_mcp.accessibility.tree_capture import Capture, Walk
from viewpoint_mcp.background_tasks import cancel_and_wait, wait_for_task_or_event
from viewpoint_mcp.page.isolated_world import IsolatedWorld, WorldGoneError
from viewpoint_mcp.page.snapshot.click_listeners import ClickListeners

if TYPE_CHECKING:
    from cdp_protocol.types import page as cdp

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class Frame:
    """One frame and its current document.

    Attributes:
        id: CDP `Page.FrameId`.
        number: The `f` component of its refs. The main frame has 0. A page uses each number once.
        session: CDP session of the process that renders the frame.
        parent: The parent frame; None for the main frame.
        has_test_support: Whether its isolated worlds have the functions for tests.
        document_id: CDP `Network.LoaderId` of the document; "" after a crash. A new document makes
            all refs of the frame invalid.
        element_numbers: Assigns the `e` components of its refs, across all its documents.
        change_count: The number of changes that the document had reported when last queried.
        last_walk: The last result of the walker for the whole document.
        layout_counts: The latest `ProcessMetrics.layout_counts` of its process; None if unknown.
        last_capture: The last capture of the frame and the frames below it.
        owner_number: The number of its `iframe` element in the parent's registry; None until a
            snapshot includes that element.
        is_crashed: Whether its process crashed. It has no document until it navigates.
        is_unresponsive: Whether it did not answer the last query.
        children: Its direct child frames.
    """

    id: str
    number: int
    session: Session
    parent: Frame | None = None
    has_test_support: bool = False
    url: str = ""
    document_id: str = ""
    element_numbers: ElementNumbers = field(default_factory=ElementNumbers)
    owner_number: int | None = None
    change_count: int = 0
    last_walk: Walk | None = None
    layout_counts: tuple[float, ...] | None = None
    last_capture: Capture | None = None
    is_crashed: bool = False
    is_unresponsive: bool = False
    children: set[Frame] = field(default_factory=set)
    _world: IsolatedWorld | None = None
    _listeners: ClickListeners | None = None
    _world_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _document_left: asyncio.Event = field(default_factory=asyncio.Event)

    async def world(self) -> IsolatedWorld:
        """Return the isolated world of the current document. The first call creates it.

        Raises:
            WorldGoneError: The frame navigated or was removed meanwhile, or its process crashed.
        """
        async with self._world_lock:
            while self._world is None:
                if self.is_crashed:
                    raise WorldGoneError("its process crashed")
                self._document_left.clear()
                shown = self.session, self.document_id
                world = await IsolatedWorld.create(
                    *(self.session, self.id, self.element_numbers),
                    has_test_support=self.has_test_support,
                )
                if shown == (self.session, self.document_id):
                    self._world = world
            return self._world

    def get_click_listeners(self, world: IsolatedWorld) -> ClickListeners:
        """Return the record of event listeners in the document of that world."""
        if self._listeners is None or self._listeners.world is not world:
            self._listeners = ClickListeners(world, self.has_child_in_same_process)
        return self._listeners

    @property
    def has_new_layout(self) -> bool:
        """Whether its process is known to have computed styles or layout since the last walk."""
        walked = self.last_walk.layout_counts if self.last_walk is not None else None
        return walked is not None and self.layout_counts not in (None, walked)

    def has_child_in_same_process(self) -> bool:
        """Return whether a child frame shares the process of this frame."""
        return any(child.session is self.session for child in self.children)

    def list_descendants(self) -> list[Frame]:
        """Return the frames inside this frame; each comes after its parent."""
        found = list(self.children)
        for frame in found:
            found.extend(frame.children)
        return found

    def note_new_document(self, session: Session, document_id: str, url: str) -> None:
        """Note a new document. It may be in another process than the previous document.

        Args:
            session: CDP session of the process that renders the document.
            document_id: CDP `Network.LoaderId` of the document.
            url: URL of the document.
        """
        self.session, self.document_id, self.url = session, document_id, url
        self.change_count = 0
        self.last_walk = self.last_capture = self.layout_counts = None
        self.is_crashed = self.is_unresponsive = False
        self._drop_world()
        self._document_left.set()

    async def wait_for_next_document(self, timeout: float) -> bool:
        """Wait until the frame leaves the document for which `world` last created a world.

        Args:
            timeout: Seconds.

        Returns:
            Whether the frame left it within the limit, for another document or by its removal.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                await self._document_left.wait()
        return self._document_left.is_set()

    async def run_unless_document_left(self, operation: Awaitable[T]) -> T:
        """Await `operation`, but cancel it when the frame leaves the document of its last world.

        Raises:
            WorldGoneError: The frame went to another document first, or was removed.
        """
        task = asyncio.ensure_future(operation)
        try:
            await wait_for_task_or_event(task, self._document_left)
            if not task.done():
                raise WorldGoneError("the frame went to another document")
            return task.result()
        finally:
            await cancel_and_wait(task)

    def mark_removed(self) -> None:
        """Note that the frame was removed. This ends the waits for its next document."""
        self._drop_world()
        self._document_left.set()

    def mark_crashed(self) -> None:
        """Note that the process crashed, so that the document is gone."""
        self.document_id = ""
        self.last_walk = self.last_capture = None
        self.is_crashed = True
        self._drop_world()

    def _drop_world(self) -> None:
        if self._world is not None:
            self._world.mark_document_left()
        self._world = None


class FrameTree:
    """All frames of one page, the main frame first.

    Args:
        on_document_gone: Called with each frame whose document is gone: the frame navigated,
            crashed, or was removed.
        origins: The set to which the http and https origins of all documents are added.
        has_test_support: Whether the isolated worlds have the functions for tests.
    """

    def __init__(
        self,
        on_document_gone: Callable[[Frame], None],
        origins: set[str] | None = None,
        *,
        has_test_support: bool = False,
    ) -> None:
        self._has_test_support = has_test_support
        self._on_document_gone = on_document_gone
        self._frames: dict[str, Frame] = {}
        self._lowest_unused_frame_number = 0
        self.origins: set[str] = set() if origins is None else origins

    @property
    def main(self) -> Frame:
        return next(iter(self._frames.values()))

    @property
    def main_id(self) -> str:
        """CDP `Page.FrameId` of the main frame; "" before the first frame is known."""
        return next(iter(self._frames), "")

    def __iter__(self) -> Iterator[Frame]:
        return iter(list(self._frames.values()))

    def get(self, frame_id: str) -> Frame | None:
        return self._frames.get(frame_id)

    @property
    def lowest_unused_frame_number(self) -> int:
        """The `f` component of the next new frame."""
        return self._lowest_unused_frame_number

    def get_by_number(self, number: int) -> Frame | None:
        return next((frame for frame in self._frames.values() if frame.number == number), None)

    def add_tree(self, tree: cdp.FrameTree, session: Session) -> None:
        """Add the frames of a tree.

        Args:
            tree: The result of `Page.getFrameTree`.
            session: The CDP session that returned the tree.
        """
        pending = [tree]
        while pending:
            branch = pending.pop(0)
            frame = branch["frame"]
            known = self._add_frame(frame["id"], frame.get("parentId"), session)
            if known.document_id != frame["loaderId"] or known.session is not session:
                known.note_new_document(session, frame["loaderId"], _document_url(frame))
                self._add_to_page_origins(frame)
            pending.extend(branch.get("childFrames", ()))

    def mark_process_crashed(self, session: Session) -> None:
        """Note that the process of `session` crashed, so that its documents are gone."""
        for frame in self:
            if frame.session is session and frame.id in self._frames:
                self._remove_children(frame)
                frame.mark_crashed()
                self._on_document_gone(frame)

    def subscribe(self, session: Session) -> None:
        """Track the frames that the process of `session` renders.

        Source: CDP `Page.frameAttached`, `frameNavigated`, `frameDetached`,
        `navigatedWithinDocument`.
        """

        def on_frame_attached(event: cdp.FrameAttachedEvent) -> None:
            self._add_frame(event["frameId"], event["parentFrameId"], session)

        page = session.Page
        session.on(page.frameAttached, on_frame_attached)
        session.on(
            page.frameNavigated, lambda event: self._on_frame_navigated(event["frame"], session)
        )
        session.on(page.frameDetached, self._on_frame_detached)
        session.on(page.navigatedWithinDocument, self._on_navigated_within_document)

    def _add_frame(self, frame_id: str, parent_id: str | None, session: Session) -> Frame:
        known = self._frames.get(frame_id)
        if known is not None:
            return known
        parent = self._frames.get(parent_id) if parent_id else None
        number = self._lowest_unused_frame_number
        frame = Frame(frame_id, number, session, parent, self._has_test_support)
        self._lowest_unused_frame_number += 1
        self._frames[frame_id] = frame
        if parent is not None:
            parent.children.add(frame)
        return frame

    def _on_frame_navigated(self, info: cdp.Frame, session: Session) -> None:
        frame = self._frames.get(info["id"])
        if frame is None and not info.get("parentId") and self._frames:
            # The id of the main frame changes when a prerendered page replaces the visible page.
            frame = self.main
            del self._frames[frame.id]
            frame.id = info["id"]
            self._frames = {frame.id: frame}
        frame = frame or self._add_frame(info["id"], info.get("parentId"), session)
        self._remove_children(frame)
        frame.note_new_document(session, info["loaderId"], _document_url(info))
        self._add_to_page_origins(info)
        self._on_document_gone(frame)

    def _add_to_page_origins(self, info: cdp.Frame) -> None:
        origin = str(info["securityOrigin"])
        if origin.startswith(("http://", "https://")):
            self.origins.add(origin)

    def _on_frame_detached(self, event: cdp.FrameDetachedEvent) -> None:
        # "swap" means that the frame continues in another process and keeps its id.
        frame = self._frames.get(event["frameId"])
        if frame is None or event.get("reason") == "swap":
            return
        self._remove_children(frame)
        if frame.parent is not None:
            del self._frames[frame.id]
            frame.parent.children.discard(frame)
            frame.mark_removed()
        self._on_document_gone(frame)

    def _on_navigated_within_document(self, event: cdp.NavigatedWithinDocumentEvent) -> None:
        frame = self._frames.get(event["frameId"])
        if frame is not None:
            frame.url = event["url"]

    def _remove_children(self, parent: Frame) -> None:
        for frame in reversed(parent.list_descendants()):
            self._frames.pop(frame.id, None)
            frame.mark_removed()
            self._on_document_gone(frame)
        parent.children.clear()


def _document_url(info: cdp.Frame) -> str:
    # For an error page, return the URL that could not be loaded. The empty document of a new tab
    # has no URL here; scripts see about:blank.
    url = info.get("unreachableUrl") or info["url"] or "about:blank"
    return f"{url}{info.get('urlFragment', '')}"

"""The frames of a page, kept from CDP's `Page` events: which exist, what they show, and their
worlds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from cdp_protocol import Session
from viewpoint_mcp.accessibility.capture import Capture, Walk
from viewpoint_mcp.accessibility.refs import ElementNumbers
from viewpoint_mcp.page.isolated_world import IsolatedWorld, WorldGone
from viewpoint_mcp.page.snapshot.click_listeners import Listeners
from viewpoint_mcp.tasks import drop, first_of

if TYPE_CHECKING:
    from cdp_protocol.types import page as cdp

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class Frame:
    """One frame and the document it shows now.

    Attributes:
        id: CDP `Page.FrameId`.
        number: The `f` component of its refs; the main frame is 0, a number is never used twice in
            a page.
        document: CDP `Network.LoaderId` of the document; a new one means that all refs of the frame
            are void.
        numbers: Owns the `e` components of its refs, in all documents that it shows.
        changes: How often the document had changed when it was last asked.
        walked: What the walker said last of the whole document.
        captured: The last capture of it and the frames below it.
        owner: The parent's element number of its `iframe`, once a snapshot has seen it.
        crashed: Its process died; there is no document until it navigates.
        unresponsive: It did not answer when it was last asked.
        children: The frames directly in its document.
    """

    id: str
    number: int
    session: Session
    parent: Frame | None = None
    url: str = ""
    document: str = ""
    numbers: ElementNumbers = field(default_factory=ElementNumbers)
    owner: int | None = None
    changes: int = 0
    walked: Walk | None = None
    captured: Capture | None = None
    crashed: bool = False
    unresponsive: bool = False
    children: set[Frame] = field(default_factory=set)
    _world: IsolatedWorld | None = None
    _listeners: Listeners | None = None
    _making: asyncio.Lock = field(default_factory=asyncio.Lock)
    _entered: asyncio.Event = field(default_factory=asyncio.Event)

    async def world(self) -> IsolatedWorld:
        """Return the isolated world of the current document, made when first asked for.

        Raises:
            WorldGone: The frame navigated or was removed meanwhile, or its process is dead.
        """
        async with self._making:
            while self._world is None:
                if self.crashed:
                    raise WorldGone("its process crashed")
                self._entered.clear()
                shown = self.session, self.document
                world = await IsolatedWorld.create(self.session, self.id, self.numbers)
                if shown == (self.session, self.document):
                    self._world = world
            return self._world

    def listeners(self, world: IsolatedWorld) -> Listeners:
        """Return what is known of the listeners in the document of that world."""
        if self._listeners is None or self._listeners.world is not world:
            self._listeners = Listeners(world, self.has_frames_in_process)
        return self._listeners

    def has_frames_in_process(self) -> bool:
        """Return whether a frame in the document lives in the process of the document."""
        return any(child.session is self.session for child in self.children)

    def is_below(self, top: Frame) -> bool:
        """Whether the frame is `top`'s child, or a child's child."""
        return self.parent is not None and (self.parent is top or self.parent.is_below(top))

    def enter(self, session: Session, document: str, url: str) -> None:
        """Take note of a new document, which may live in another process than the one before."""
        self.session, self.document, self.url = session, document, url
        self.changes = 0
        self.walked = self.captured = None
        self.crashed = self.unresponsive = False
        self._retire_world()
        self._entered.set()

    async def next_document(self, limit: float) -> bool:
        """Wait until the frame is at another document than the last world was asked for.

        Args:
            limit: Seconds.

        Returns:
            Whether that came.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(limit):
                await self._entered.wait()
        return self._entered.is_set()

    async def while_shown(self, waiting: Awaitable[T]) -> T:
        """Wait, but no longer than the frame shows the document whose world was asked for last.

        Raises:
            WorldGone: It went to another document first, or was removed.
        """
        task = asyncio.ensure_future(waiting)
        try:
            await first_of(task, self._entered)
            if not task.done():
                raise WorldGone("the frame went to another document")
            return task.result()
        finally:
            await drop(task)

    def leave(self) -> None:
        """Take note that the frame was removed: no other document is to be waited for."""
        self._retire_world()
        self._entered.set()

    def crash(self) -> None:
        """Take note that the process is dead, and the document with it."""
        self.document = ""
        self.walked = self.captured = None
        self.crashed = True
        self._retire_world()

    def _retire_world(self) -> None:
        if self._world is not None:
            self._world.retire()
        self._world = None


class FrameTree:
    """All frames of one page, the main frame first.

    Args:
        on_document: Called with a frame whose document was replaced or that was removed.
        origins: Collects the origins, with a scheme of the web, that its documents had.
    """

    def __init__(
        self, on_document: Callable[[Frame], None], origins: set[str] | None = None
    ) -> None:
        self._on_document = on_document
        self._frames: dict[str, Frame] = {}
        self._next_number = 0
        self.origins: set[str] = set() if origins is None else origins

    @property
    def main(self) -> Frame:
        return next(iter(self._frames.values()))

    @property
    def main_id(self) -> str:
        """CDP's id of the main frame; "" before anything is known."""
        return next(iter(self._frames), "")

    def __iter__(self) -> Iterator[Frame]:
        return iter(list(self._frames.values()))

    def get(self, frame_id: str) -> Frame | None:
        return self._frames.get(frame_id)

    @property
    def next_number(self) -> int:
        """The `f` component that the next new frame gets."""
        return self._next_number

    def by_number(self, number: int) -> Frame | None:
        return next((frame for frame in self._frames.values() if frame.number == number), None)

    def load(self, tree: cdp.FrameTree, session: Session) -> None:
        """Take over the tree that `Page.getFrameTree` answered on `session`."""
        pending = [tree]
        while pending:
            branch = pending.pop(0)
            frame = branch["frame"]
            known = self._add(frame["id"], frame.get("parentId"), session)
            if known.document != frame["loaderId"] or known.session is not session:
                known.enter(session, frame["loaderId"], _url(frame))
                self._note_origin(frame)
            pending.extend(branch.get("childFrames", ()))

    def process_crashed(self, session: Session) -> None:
        """Take note that the process of `session` is dead: what it showed is no more."""
        for frame in self:
            if frame.session is session and frame.id in self._frames:
                self._remove_children(frame)
                frame.crash()
                self._on_document(frame)

    def subscribe(self, session: Session) -> None:
        """Follow the frames that live in the process of `session`.

        Source: CDP `Page.frameAttached`, `frameNavigated`, `frameDetached`,
        `navigatedWithinDocument`.
        """

        def attached(event: cdp.FrameAttachedEvent) -> None:
            self._add(event["frameId"], event["parentFrameId"], session)

        page = session.Page
        session.on(page.frameAttached, attached)
        session.on(page.frameNavigated, lambda event: self._navigated(event["frame"], session))
        session.on(page.frameDetached, self._detached)
        session.on(page.navigatedWithinDocument, self._moved_within)

    def _add(self, frame_id: str, parent_id: str | None, session: Session) -> Frame:
        known = self._frames.get(frame_id)
        if known is not None:
            return known
        parent = self._frames.get(parent_id) if parent_id else None
        frame = Frame(frame_id, self._next_number, session, parent)
        self._next_number += 1
        self._frames[frame_id] = frame
        if parent is not None:
            parent.children.add(frame)
        return frame

    def _navigated(self, info: cdp.Frame, session: Session) -> None:
        frame = self._frames.get(info["id"])
        if frame is None and not info.get("parentId") and self._frames:
            # A main frame may change its id when a prerendered page takes its place.
            frame = self.main
            del self._frames[frame.id]
            frame.id = info["id"]
            self._frames = {frame.id: frame}
        frame = frame or self._add(info["id"], info.get("parentId"), session)
        self._remove_children(frame)
        frame.enter(session, info["loaderId"], _url(info))
        self._note_origin(info)
        self._on_document(frame)

    def _note_origin(self, info: cdp.Frame) -> None:
        origin = str(info["securityOrigin"])
        if origin.startswith(("http://", "https://")):
            self.origins.add(origin)

    def _detached(self, event: cdp.FrameDetachedEvent) -> None:
        # "swap": the frame lives on in another process and keeps its id.
        frame = self._frames.get(event["frameId"])
        if frame is None or event.get("reason") == "swap":
            return
        self._remove_children(frame)
        if frame.parent is not None:
            del self._frames[frame.id]
            frame.parent.children.discard(frame)
            frame.leave()
        self._on_document(frame)

    def _moved_within(self, event: cdp.NavigatedWithinDocumentEvent) -> None:
        frame = self._frames.get(event["frameId"])
        if frame is not None:
            frame.url = event["url"]

    def _remove_children(self, parent: Frame) -> None:
        for frame in self:
            if frame.parent is parent:
                self._remove_children(frame)
                self._frames.pop(frame.id, None)
                parent.children.discard(frame)
                frame.leave()
                self._on_document(frame)


def _url(info: cdp.Frame) -> str:
    # An error page is known by what it stands for.
    return str(info.get("unreachableUrl") or info["url"]) + str(info.get("urlFragment", ""))

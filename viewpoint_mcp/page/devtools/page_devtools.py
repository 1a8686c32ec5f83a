"""The developer tools of one page: the interface for tools and for the browser layer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from cdp_protocol import CdpError, Session
from viewpoint_mcp.page.capture.viewport import read_viewport
from viewpoint_mcp.page.devtools.highlight import Highlights
from viewpoint_mcp.page.devtools.screencast import Screencast

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.devtools.viewer_session import ViewerSession
    from viewpoint_mcp.page.services import PageServices


class Point(NamedTuple):
    """A point of the viewport, in CSS pixels."""

    x: float
    y: float


class Rect(NamedTuple):
    """A rectangle of the viewport, in CSS pixels."""

    left: float
    top: float
    width: float
    height: float


class PageDevtools:
    """The developer tools of one page.

    Attributes:
        highlights: Draws boxes around elements.
    """

    def __init__(self, page: PageServices) -> None:
        self._page = page
        self.highlights = Highlights(page)

    @property
    def browser_session(self) -> Session:
        """The root CDP session of the page's browser."""
        return self._page.session.connection.root

    @cached_property
    def screencast(self) -> Screencast:
        """Receives the pictures of the page."""
        return Screencast(self._page)

    async def open_viewer_session(self) -> ViewerSession:
        """Return a CDP session with the page for a person; see `ViewerSession.open`."""
        from viewpoint_mcp.page.devtools.viewer_session import ViewerSession

        return await ViewerSession.open(self._page)

    async def read_viewport_size(self) -> tuple[float, float]:
        """Return width and height of the viewport in CSS pixels.

        Raises:
            PageError: The page is blocked, or does not answer.
        """
        view = (await read_viewport(self._page)).layout
        return view.width, view.height

    @contextmanager
    def watch_input(self, on_input: Callable[[Point | None], None]) -> Iterator[None]:
        """Call `on_input` before each event of mouse and keyboard that is sent in the block.

        Its argument is the point of a mouse event, and None for the keyboard.
        """

        def receive(_method: str, params: Mapping[str, Any]) -> None:
            on_input(Point(params["x"], params["y"]) if "x" in params else None)

        self._page.input_sender.on_event = receive
        try:
            yield
        finally:
            self._page.input_sender.on_event = None

    async def find_box(self, element: Element) -> Rect | None:
        """Return the border box of an element.

        None if it is not rendered, or if another process renders its frame.

        Source: CDP `DOM.getBoxModel`.
        """
        session = element.frame.session
        if session is not self._page.session:
            return None  # its coordinates would be those of the frame
        try:
            node_id = await element.get_backend_node_id()
            model = (await session.DOM.getBoxModel(backendNodeId=node_id))["model"]
        except CdpError:
            return None
        xs, ys = model["border"][::2], model["border"][1::2]
        return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))

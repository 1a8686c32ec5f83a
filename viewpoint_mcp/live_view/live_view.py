"""One live view: the state, the pictures and the input of a client's tabs, for all its viewers."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct

from viewpoint_mcp.background_tasks import BackgroundTasks
from viewpoint_mcp.errors import ViewpointError
from viewpoint_mcp.live_view.call_list import CallList
from viewpoint_mcp.live_view.page_watch import PageWatch
from viewpoint_mcp.live_view.person_events import (
    AnswerDialog,
    MoveMouse,
    PersonEvent,
    ReleaseControl,
    ReleaseEverything,
    ReleaseKey,
    ShowTab,
    TakeControl,
    parse_message,
)
from viewpoint_mcp.live_view.view_state import ViewState, read_state

if TYPE_CHECKING:
    from viewpoint_mcp.browser.client_workspace import Workspace
    from viewpoint_mcp.page.page import Page

_KEY_BYTES: Final = 32
_TICK: Final = 0.15  # seconds between two looks at the state
_POLL_LIMIT: Final = 20.0  # seconds that a poll waits for news
_VIEWER_LIMIT: Final = 3.0  # seconds between two polls of a viewer that is there
_INPUT_LIMIT: Final = 1.0  # seconds to wait for the answers to the events of one message
_MIN_SIZE, _MAX_SIZE, _DEFAULT_SIZE = 200, 2400, 1280  # pixels of a side of the picture


class ViewClosedError(ViewpointError):
    """The view was closed, or its session ended."""


class ControlRefusedError(ViewpointError):
    """The viewer has no control, or another one has it."""


class UpdateRequest(Struct, frozen=True):
    """What a viewer knows, and how large its picture may be.

    Args:
        viewer: The random name of the viewer.
        picture: The number of the picture that it has; 0 for none.
        state: The number of the state that it has; 0 for none.
        width: Pixels for the picture; 0 if unknown.
        height: Pixels for the picture; 0 if unknown.
        paused: Whether its page is hidden, so that it needs no picture.
    """

    viewer: str
    picture: int = 0
    state: int = 0
    width: int = 0
    height: int = 0
    paused: bool = False


class UpdateHead(Struct, frozen=True, rename="camel"):
    """The first line of an update. The JPEG file follows, if `picture` is new.

    Args:
        now: Milliseconds since the epoch.
        picture: The number of the latest picture; 0 for none.
        width: Width of the viewport in CSS pixels.
        height: Height of the viewport in CSS pixels.
        state: The number of the latest state.
        view: The state, if it is new.
    """

    now: int
    picture: int
    width: float
    height: float
    state: int
    view: ViewState | None


@dataclass(slots=True)
class _Viewer:
    """One open page of a person.

    Attributes:
        polls: How many of its polls wait.
        seen: When the last one ended, in seconds of the event loop.
        latest: The last one.
    """

    latest: UpdateRequest
    polls: int = 0
    seen: float = 0.0


class LiveView:
    """A page for a person that shows the tab of the agent, and hands input through.

    Without a viewer nothing runs, except for the list of calls.

    Args:
        workspace: The contexts and tabs of the client.
        get_address: Returns the URL of the page of all views, after it is served.

    Attributes:
        calls: The list of the client's calls.
        key: What a viewer must know; None while the view is closed.
    """

    def __init__(
        self, workspace: Workspace, get_address: Callable[[LiveView], Awaitable[str]]
    ) -> None:
        self._workspace = workspace
        self._get_address = get_address
        self.calls = CallList()
        self.calls.on_change = self._wake_up
        self.key: str | None = None
        self._viewers: dict[str, _Viewer] = {}
        self._watch = PageWatch(workspace, self._notify)
        self._state: ViewState | None = None
        self._state_number = 0
        self._controller = ""
        self._noted_page: Page | None = None
        self._changed, self._wake = asyncio.Event(), asyncio.Event()
        self._watching: asyncio.Task[None] | None = None
        self._tasks = BackgroundTasks()
        self._input_lock = asyncio.Lock()
        self._input_deadline = 0.0

    @property
    def is_watched(self) -> bool:
        """Whether a person has the page open."""
        self._forget_absent_viewers()
        return bool(self._viewers)

    @property
    def is_controlled(self) -> bool:
        """Whether a person has taken control."""
        return self.is_watched and bool(self._controller)

    async def open(self) -> str:
        """Let viewers in, and return the URL for the person, with its key. Idempotent.

        The URL is secret, because everyone who has it can use the browser. It is valid until
        `close`, which the end of the session calls, too.

        Raises:
            ViewpointError: No port is free.
        """
        if self.key is None:
            self.key = secrets.token_urlsafe(_KEY_BYTES)
        return f"{await self._get_address(self)}#{self.key}"

    async def close(self) -> None:
        """Make the URL invalid, and stop the pictures. Idempotent; `open` then makes a new URL."""
        self.key = None
        self._viewers.clear()
        self._notify()
        await self._tasks.close()

    # ---- for viewers

    async def wait_for_update(self, request: UpdateRequest) -> bytes:
        """Wait for a picture or a state that the viewer does not have, at most 20 s.

        A viewer asks for the next update when it has drawn the last one. So a slow viewer gets
        fewer pictures, and Chromium makes no more than that.

        Returns:
            An `UpdateHead` as a line of JSON, and the JPEG file.

        Raises:
            ViewClosedError: The view was closed.
        """
        async with self._note_presence(request):
            with suppress(TimeoutError):
                async with asyncio.timeout(_POLL_LIMIT):
                    while not self._has_news(request):
                        await self._changed.wait()
            return self._make_update(request)

    async def receive(self, body: bytes) -> None:
        """Perform what a person did.

        Args:
            body: A `PersonMessage` as JSON.

        Raises:
            CallError: The message is malformed.
            ControlRefusedError: The viewer has no control.
            ViewClosedError: The view was closed.
        """
        message = parse_message(body)
        async with self._input_lock:
            self._input_deadline = asyncio.get_running_loop().time() + _INPUT_LIMIT
            for event in message.events:
                if self.key is None or message.viewer not in self._viewers:
                    raise ViewClosedError("This view is not open.")
                await self._perform(message.viewer, event, message.picture)

    # ---- updates

    def _has_news(self, request: UpdateRequest) -> bool:
        has_picture = self._watch.picture is not None and not request.paused
        return (
            self.key is None
            or (has_picture and self._watch.picture_number != request.picture)
            or (self._state is not None and self._state_number != request.state)
        )

    def _make_update(self, request: UpdateRequest) -> bytes:
        if self.key is None:
            raise ViewClosedError("This view was closed.")
        picture, number = self._watch.picture, self._watch.picture_number
        is_new = picture is not None and number != request.picture
        head = UpdateHead(
            now=int(time.time() * 1000),
            picture=number if picture is not None else 0,
            width=picture.viewport.width if picture is not None else 0,
            height=picture.viewport.height if picture is not None else 0,
            state=self._state_number,
            view=self._state if self._state_number != request.state else None,
        )
        jpeg = picture.jpeg if picture is not None and is_new else b""
        if is_new and self._watch.session is not None:
            self._watch.session.acknowledge()
        return msgspec.json.encode(head) + b"\n" + jpeg

    @asynccontextmanager
    async def _note_presence(self, request: UpdateRequest) -> AsyncIterator[None]:
        viewer = self._viewers.setdefault(request.viewer, _Viewer(request))
        viewer.latest = request
        viewer.polls += 1
        self._wake_up()
        if self._watching is None or self._watching.done():
            self._watching = self._tasks.start(self._watch_while_viewed())
        try:
            yield
        finally:
            viewer.polls -= 1
            viewer.seen = asyncio.get_running_loop().time()

    def _forget_absent_viewers(self) -> None:
        limit = asyncio.get_running_loop().time() - _VIEWER_LIMIT
        for name, each in list(self._viewers.items()):
            if not each.polls and each.seen < limit:
                del self._viewers[name]
        if self._controller not in self._viewers:
            self._controller = ""

    async def _watch_while_viewed(self) -> None:
        while self.is_watched:  # again, because a viewer may have come during the end
            try:
                await self._show_tabs()
            finally:
                self._controller, self._state = "", None
                await self._watch.stop()

    async def _show_tabs(self) -> None:
        """Update the pictures and the state until no viewer is left."""
        controller, in_front = "", None
        while self.is_watched:
            if controller and not self._controller:  # its viewer has gone
                await self._release_control()
            controller = self._controller
            if controller:
                self._watch.pin_popup()
            if shown := [e.latest for e in self._viewers.values() if not e.latest.paused]:
                await self._watch.follow(*_choose_size(shown))
            else:
                await self._watch.stop()
            if controller and self._watch.session not in (None, in_front):
                in_front = self._watch.session
                await in_front.bring_to_front()
            self._update_state()
            with suppress(TimeoutError):
                async with asyncio.timeout(_TICK):
                    await self._wake.wait()
            self._wake.clear()

    def _update_state(self) -> None:
        state = read_state(
            self._workspace,
            self._watch.tab,
            pinned=self._watch.is_pinned,
            controller=self._controller,
            calls=self.calls.copy(),
        )
        if state != self._state:
            self._state = state
            self._state_number += 1
            self._notify()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _wake_up(self) -> None:
        self._wake.set()

    # ---- input

    async def _perform(self, viewer: str, event: PersonEvent, seen_picture: int) -> None:
        from viewpoint_mcp.live_view import person_input

        if self._controller not in ("", viewer):
            raise ControlRefusedError("Another viewer has control.")
        if isinstance(event, ShowTab):
            self._watch.pinned_tab_id = event.tab
            self._wake_up()
            return
        if isinstance(event, TakeControl):
            self._controller = viewer
            self._wake_up()
            return
        if self._controller != viewer:
            raise ControlRefusedError("Take control first.")
        if isinstance(event, ReleaseControl):
            await self._release_control()
            return
        page, session, picture = self._watch.page, self._watch.session, self._watch.picture
        if page is None or session is None or picture is None:
            return  # nothing is shown that the person could mean
        if seen_picture < self._watch.first_picture_number:
            return  # the person meant another page
        if not isinstance(event, MoveMouse | ReleaseKey | ReleaseEverything):
            self._note_use(page)
        limit = max(self._input_deadline - asyncio.get_running_loop().time(), 0)
        performing = person_input.perform(event, page, session, picture.viewport, limit)
        if isinstance(event, AnswerDialog):
            # It also waits until the page settles.
            self._tasks.start(_ignore_failure(performing))
        else:
            await _ignore_failure(performing)
        self._wake_up()

    async def _release_control(self) -> None:
        self._controller, self._noted_page = "", None
        if self._watch.session is not None:
            await self._watch.session.release_input()
        self._wake_up()

    def _note_use(self, page: Page) -> None:
        """Name the person in the next reply, because the page then differs from what it was."""
        from viewpoint_mcp.live_view.person_input import NOTE

        if page is not self._noted_page:
            self._noted_page = page
            page.add_event(NOTE)


async def _ignore_failure(performing: Awaitable[Any]) -> None:
    """Await what a person did. The person sees in the picture whether it took effect."""
    with suppress(ViewpointError):
        await performing


def _choose_size(requests: Sequence[UpdateRequest]) -> tuple[int, int]:
    """Return width and height of pictures that are large enough for all viewers."""
    return (
        _limit_size(max(each.width for each in requests)),
        _limit_size(max(each.height for each in requests)),
    )


def _limit_size(pixels: int) -> int:
    return min(max(pixels or _DEFAULT_SIZE, _MIN_SIZE), _MAX_SIZE)

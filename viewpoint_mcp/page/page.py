"""One tab, as the tools see it: where it is, what it shows, and what can be done in it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from cdp_protocol import CdpError, Session, SessionClosed
from viewpoint_mcp.accessibility.capture import Capture, capture
from viewpoint_mcp.accessibility.refs import RefMap
from viewpoint_mcp.config import origins
from viewpoint_mcp.config.settings import OriginRules, Timeouts
from viewpoint_mcp.errors import PageError
from viewpoint_mcp.files.places import Files
from viewpoint_mcp.input.dispatch import Limited
from viewpoint_mcp.input.keyboard import Keyboard
from viewpoint_mcp.input.mouse import Mouse
from viewpoint_mcp.page import lookup, navigation
from viewpoint_mcp.page.actions.element import Element
from viewpoint_mcp.page.blockers import Blockers, Dialog
from viewpoint_mcp.page.child_targets import ChildTargets
from viewpoint_mcp.page.console.console import Console
from viewpoint_mcp.page.dialogs import Answer, Dialogs
from viewpoint_mcp.page.emulation.emulation import ContextEmulation
from viewpoint_mcp.page.file_choosers import FileChoosers
from viewpoint_mcp.page.frames import Frame, FrameTree
from viewpoint_mcp.page.isolated_world import WorldGone, load_at_start
from viewpoint_mcp.page.network.requests import Requests
from viewpoint_mcp.page.script.evaluate import evaluate
from viewpoint_mcp.page.settle.activity import Activity
from viewpoint_mcp.page.settle.current_action import CurrentAction
from viewpoint_mcp.page.settle.document_watch import DocumentWatch
from viewpoint_mcp.page.snapshot.baseline import Baseline
from viewpoint_mcp.page.snapshot.frame_snapshot import WalkedFrame, has_text

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.held_buttons import HeldButtons

T = TypeVar("T")

_TERMINATE_LIMIT = 2.0
_LOOK_AGAIN = 0.25


class DocumentGone(PageError):
    """The frame went to another document while it was asked something."""

    def __init__(self) -> None:
        super().__init__("The page went to another document meanwhile.", "Take a new snapshot.")


class Page:
    """A tab and everything that is known of it.

    Args:
        session: Attached to the tab's target.
        context: The `c` component of its refs.
        context_name: That of its browser context, for the records of files.
        number: The `p` component; never used twice in a context.
        files: Where its pictures go, and what it may read.
        emulation: What it is told of the device.
        is_users: Whether the tab is the user's own, who goes on using it.
        explain: Says what a network error at a URL means.

    Attributes:
        held_buttons: The buttons of the mouse that are down between calls, if any.
        rules: Where it may go.
    """

    held_buttons: HeldButtons | None = None
    rules = OriginRules()
    _went_elsewhere = False

    def __init__(
        self,
        session: Session,
        *,
        target_id: str,
        context: int,
        number: int,
        context_name: str,
        timeouts: Timeouts,
        files: Files,
        emulation: ContextEmulation,
        is_users: bool = False,
        explain: Callable[[str, str], str] = lambda reason, _: navigation.explain(reason),
    ) -> None:
        self.session = session
        self.target_id = target_id
        self.context, self.number = context, number
        self.context_name = context_name
        self.timeouts = timeouts
        self.lock = asyncio.Lock()
        self.events: list[str] = []
        note = self.events.append
        self.blockers = Blockers()
        self.frames = FrameTree(self._document_replaced)
        self.activity = Activity(lambda: self.frames.main_id)
        self.console = Console()
        self.dialogs = Dialogs(session, self.blockers, note)
        self.mouse = Mouse(Limited(session, timeouts.action))
        self.keyboard = Keyboard(Limited(session, timeouts.action))
        self.file_choosers = FileChoosers(self.blockers, note, always=not is_users)
        self._child_targets = ChildTargets(
            session, self.frames, self.activity, self.console, self.file_choosers, emulation
        )
        self.refs = RefMap()
        self.baseline = Baseline()
        self.current_action = CurrentAction(
            self.frames, self.activity, self.blockers, timeouts, note
        )
        self.files = files
        self._explain = explain

    async def start(self) -> None:
        """Subscribe to the tab and let it run, if it waits for that.

        Source: CDP `Inspector.enable`, `Emulation.setFocusEmulationEnabled`,
        `Runtime.runIfWaitingForDebugger`.
        """
        session = self.session
        self.dialogs.subscribe(session)
        self.activity.subscribe_main(session)
        session.on(session.Inspector.targetCrashed, lambda _: self.blockers.page_crashed())
        session.on(session.Inspector.targetCrashed, lambda _: self.baseline.forget())
        session.on_closed(self._session_ended)
        self.blockers.on_interruption(self.activity.interrupt)
        await self._child_targets.follow(
            session,
            session.Inspector.enable(),
            load_at_start(session),
            # Without it a tab in the background has no focus, and to focus it would take the
            # user's.
            session.Emulation.setFocusEmulationEnabled(enabled=True),
            session.Runtime.runIfWaitingForDebugger(),
        )

    @property
    def url(self) -> str:
        return self.frames.main.url

    @property
    def requests(self) -> Requests:
        """What it asked of the network since it was loaded."""
        return self._child_targets.requests

    async def title(self) -> str:
        """Return the tab's title, which the browser knows even while the page is busy; "" when it
        is gone.

        Source: CDP `Target.getTargetInfo`.
        """
        try:
            info = await self.session.Target.getTargetInfo(targetId=self.target_id)
        except CdpError:
            return ""
        return info["targetInfo"]["title"]

    def take_events(self) -> list[str]:
        """Return what happened since this was last asked, a sentence each."""
        events = [f"Navigated to {navigation.shown(self.url)}"] if self._went_elsewhere else []
        events += self.events
        self._went_elsewhere = False
        self.events.clear()
        return events

    async def navigate(self, url: str) -> navigation.Landing:
        """Load a URL and wait until the page is there.

        Returns:
            What it came to.

        Raises:
            CallError: The URL is malformed or may not be opened.
            PageError: It could not be loaded; the message says why.
        """
        address = navigation.complete(url, files_allowed=self.files.unrestricted)
        origins.check(self.rules, address)
        async with navigation.stopped_if_given_up(self.session), self.settled():
            if self.blockers.unresponsive:
                await self._stop_scripts()
            self.blockers.recovered()
            limit = self.timeouts.navigation
            going = navigation.go_to(
                self.session, address, limit, self._explain, self.requests.led_to
            )
            outcome = await self.current_action.do(going)
        self._went_elsewhere = False
        if outcome is not None and outcome.failure is not None:
            raise outcome.failure
        return navigation.landing(outcome, self.blockers.dialog)

    async def back(self) -> navigation.Landing:
        """Go to the previous entry of the tab's history; see `navigate`.

        Raises:
            PageError: There is none.
        """
        async with navigation.stopped_if_given_up(self.session), self.settled():
            await self.current_action.do(navigation.go_back(self.session))
        self._went_elsewhere = False
        return navigation.landing(None, self.blockers.dialog)

    async def element(self, text: str) -> Element:
        """Return the element that a ref, or a CSS selector matching exactly one, names.

        Raises:
            OtherPage: The ref is of another page.
            StaleRef: It is unknown, or its document is gone.
            CallError: The selector is malformed or matches none or several.
        """
        return await lookup.element(self, text)

    @asynccontextmanager
    async def settled(self, *, patient: bool = True) -> AsyncIterator[None]:
        """Follow an action to the end of its consequences; see `CurrentAction.settled`."""
        async with self.file_choosers.held(), self.current_action.settled(patient=patient):
            yield

    async def race(self, waiting: Awaitable[T]) -> T:
        """Wait, but no longer than the page can go on; see `Blockers.race`."""
        return await self.blockers.race(waiting)

    async def call(
        self, frame: Frame, function: str, *args: object, timeout: float | None = None
    ) -> Any:
        """Call a function of `inpage` in a frame's current document.

        Args:
            timeout: Seconds; None for what an act may take.

        Raises:
            DocumentGone: The document was replaced meanwhile.
        """

        async def calling() -> Any:
            world = await frame.world()
            return await world.call(function, *args, timeout=timeout or self.timeouts.action)

        try:
            return await self.race(calling())
        except WorldGone as error:
            raise self.blockers.reason() or DocumentGone from error

    async def press(self, key: str) -> None:
        """Press a key or a combination on whatever has the focus.

        Raises:
            CallError: There is no such key.
        """
        await self.current_action.begin()
        await self.current_action.do(self.keyboard.press(key))

    async def answer(self, dialog: Dialog, answer: Answer) -> None:
        """Answer the open dialog and wait for what follows."""
        async with self.settled():
            self.current_action.resume()
            await self.blockers.translated(self.dialogs.answer(dialog, answer))
            await self.current_action.do(self.keyboard.lift())

    async def evaluate(self, source: str, element: Element | None = None) -> str | None:
        """Run JavaScript in the page's own world; returns its value as text.

        Returns:
            None when a dialog came first, or another document: the value is lost.

        Raises:
            PageError: It threw or is malformed.
        """
        session, object_id = self.session, None
        if element is not None:
            await element.check()
            session, object_id = element.frame.session, await element.object_in_page()
        await self.current_action.begin()
        running = evaluate(session, source, element=object_id, timeout=self.timeouts.script)
        return await self.current_action.do(running)

    async def snapshot(
        self,
        root: Element | None = None,
        *,
        all_refs: bool = False,
        boxes: bool = False,
        is_shown: bool = True,
    ) -> Capture:
        """Take the accessibility tree of the page, or of one element, and remember the refs in it.

        Args:
            all_refs: Give refs to structure as well.
            boxes: Tell each element's box, CSS pixels of its own frame's viewport.
            is_shown: Whether the agent gets to read it.

        Raises:
            PageError: The page is interrupted, or does not answer.
        """
        top, number = self.frames.main, None
        if root is not None:
            await root.check()
            top, number = root.frame, root.ref.element
        taken = await self.race(self._capture(top, number, all_refs, boxes))
        if taken.gone:
            # The document went away under the walk; its successor is what the caller wants to see.
            taken = await self.race(self._capture(self.frames.main, None, all_refs, boxes))
        self.blockers.unresponsive = False
        if is_shown:
            self.baseline.look()
        return taken

    async def resize(self, width: int, height: int) -> None:
        """Give the viewport a size in CSS pixels; the rest of an emulated device stays."""
        await self.race(self._child_targets.emulation.resize(width, height))

    async def emulate_media(self, media: str | None, features: Mapping[str, str]) -> None:
        """Change the CSS media type and features; see `PageEmulation.emulate_media`."""
        await self.race(self._child_targets.emulation.emulate_media(media, features))

    async def wait_for_text(self, text: str, limit: float, *, gone: bool = False) -> None:
        """Wait until a frame shows the text, or until none does any more.

        Args:
            limit: Seconds.

        Raises:
            PageError: It did not happen within the limit.
        """
        deadline = asyncio.get_running_loop().time() + limit
        while await self._shows(text) == gone:
            left = deadline - asyncio.get_running_loop().time()
            if left <= 0:
                state = "still on the page" if gone else "not on the page"
                raise PageError(
                    f'"{text}" is {state} after {limit:g} s.',
                    "Take a snapshot to see what is there.",
                )
            # What shows and hides text without changing the document (styles, media) is met by
            # looking again.
            await self._change(min(left, _LOOK_AGAIN))

    async def pause(self, seconds: float) -> None:
        """Let time pass; a dialog, a crash or the end of the page ends that."""
        await self.race(asyncio.sleep(seconds))

    async def detach(self) -> None:
        """End what is under way on our side; the tab stays. Idempotent."""
        self.blockers.page_closed()
        await self._child_targets.close()
        await self.mouse.close()
        await self.keyboard.close()
        await self.dialogs.close()
        await self.file_choosers.close()

    def _session_ended(self, _reason: SessionClosed) -> None:
        self.blockers.lost = self.session.connection.lost
        self.blockers.page_closed()

    async def _stop_scripts(self) -> None:
        """End a script that runs without end: a navigation within the process would wait for it.

        Source: CDP `Runtime.terminateExecution`.
        """
        with suppress(CdpError):
            await self.session.send("Runtime.terminateExecution", timeout=_TERMINATE_LIMIT)

    async def _shows(self, text: str) -> bool:
        shown = await asyncio.gather(*(self._has_text(frame, text) for frame in self.frames))
        return any(shown)

    async def _has_text(self, frame: Frame, text: str) -> bool:
        try:
            return await self.race(has_text(frame, text, timeout=self.timeouts.action + 5))
        except WorldGone:
            return False

    async def _change(self, seconds: float) -> None:
        watch = DocumentWatch([self.frames.main])
        await self.race(watch.start())
        await self.race(watch.wait_for_change(seconds))

    async def _capture(
        self, top: Frame, number: int | None, all_refs: bool, boxes: bool
    ) -> Capture:
        below = [self._walked(frame) for frame in self.frames if frame.is_below(top)]
        return await capture(self._walked(top), below, root=number, all_refs=all_refs, boxes=boxes)

    def _walked(self, frame: Frame) -> WalkedFrame:
        return WalkedFrame(frame, self.frames, self.refs, self.context, self.number)

    def _document_replaced(self, frame: Frame) -> None:
        self.refs.forget_frame(frame.number)
        self.file_choosers.frame_gone(frame)
        if frame.parent is None:
            self._went_elsewhere = True
            if self.held_buttons is not None:
                self.held_buttons.drop()
            self.baseline.forget()
            self.console.enter_document()
            self.blockers.recovered()

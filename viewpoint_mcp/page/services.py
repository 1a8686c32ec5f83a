"""The parts of one page that its elements, actions, screenshots and snapshots share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from cdp_protocol import Session
from viewpoint_mcp.accessibility.refs import RefMap
from viewpoint_mcp.errors import TAKE_NEW_SNAPSHOT, PageChangedError
from viewpoint_mcp.input.dispatch import TimeLimitedSender
from viewpoint_mcp.input.keyboard import Keyboard
from viewpoint_mcp.input.mouse import Mouse
from viewpoint_mcp.page.blocking_conditions import BlockingConditions
from viewpoint_mcp.page.dialogs import Dialogs
from viewpoint_mcp.page.element_lookup import ElementLookup
from viewpoint_mcp.page.file_choosers import FileChoosers
from viewpoint_mcp.page.frames import Frame, FrameTree
from viewpoint_mcp.page.handover.handovers import HandOvers
from viewpoint_mcp.page.isolated_world import WorldGoneError
from viewpoint_mcp.page.page_options import PageOptions
from viewpoint_mcp.page.settle.current_action import CurrentAction
from viewpoint_mcp.page.settle.pending_work_dispatcher import WorkDispatcher
from viewpoint_mcp.page.snapshot.baselines import Baselines

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.held_buttons import HeldButtons
    from viewpoint_mcp.page.webmcp.webmcp import WebMcp

T = TypeVar("T")


class DocumentReplacedError(PageChangedError):
    """The frame went to another document during a call into its document."""

    def __init__(self) -> None:
        super().__init__("The page loaded another document meanwhile.", TAKE_NEW_SNAPSHOT)


class PageServices:
    """The shared parts of one page, for the modules of `page`. Other layers use `Page` only.

    Args:
        session: CDP session of the tab's target.
        options: The properties of the tab, its browser context and its browser.
        on_document_gone: Called with each frame whose document is gone; see `FrameTree`.

    Attributes:
        context_number: The `c` component of refs.
        page_number: The `p` component of refs.
        test_ids: Names of the attributes that `getByTestId` searches.
        events: Sentences for the next reply.
        handovers: Hands the page over to a person.
        webmcp: Calls the tools that its documents offer; None without the capability.
        input_sender: Sends the events of mouse and keyboard.
        held_buttons: The mouse buttons that stay pressed between two tool calls, if any.
    """

    def __init__(
        self, session: Session, options: PageOptions, on_document_gone: Callable[[Frame], None]
    ) -> None:
        self.session = session
        self.context_number, self.page_number = options.context_number, options.page_number
        self.timeouts = timeouts = options.timeouts
        self.files = options.files
        self.test_ids = options.test_ids
        self.events: list[str] = []
        add_event = self.events.append
        self.blockers = BlockingConditions(
            session,
            find_dialog_elsewhere=options.find_dialog_elsewhere,
            check_browser=options.check_browser,
            get_cpu_throttling=lambda: options.emulation.settings.cpu_throttling,
        )
        self.frames = FrameTree(
            on_document_gone,
            options.visited_origins,
            has_test_support=options.has_test_support,
        )
        self.work_dispatcher = WorkDispatcher(lambda: self.frames.main_id)
        self.dialogs = Dialogs(session, self.blockers, add_event)
        self.input_sender = TimeLimitedSender(session, timeouts.action)
        self.mouse, self.keyboard = Mouse(self.input_sender), Keyboard(self.input_sender)
        self.file_choosers = FileChoosers(
            self.blockers, add_event, is_permanent=not options.is_users_tab
        )
        self.refs = RefMap()
        self.baselines = Baselines()
        self.elements = ElementLookup(self)
        self.handovers = HandOvers(self, options.private_time)
        self.webmcp = self._make_webmcp() if options.has_webmcp else None
        self.held_buttons: HeldButtons | None = None
        self.current_action = CurrentAction(
            self.frames, self.work_dispatcher, self.blockers, timeouts, add_event
        )

    def _make_webmcp(self) -> WebMcp:
        from viewpoint_mcp.page.webmcp.webmcp import WebMcp

        return WebMcp(self)

    @asynccontextmanager
    async def settle_afterwards(self, *, is_patient: bool = True) -> AsyncIterator[None]:
        """Settle after the action that the block performs, with file choosers intercepted.

        See `CurrentAction.settle_afterwards`.
        """
        async with (
            self.file_choosers.intercept_temporarily(),
            self.current_action.settle_afterwards(is_patient=is_patient),
        ):
            yield

    async def run_unless_blocked(self, operation: Awaitable[T]) -> T:
        """Await `operation`, but cancel it when the page is blocked; see `BlockingConditions`."""
        return await self.blockers.run_unless_blocked(operation)

    async def call_inpage(
        self, frame: Frame, function: str, *args: object, timeout: float | None = None
    ) -> Any:
        """Call a function of `inpage` in a frame's current document, and return its result.

        Args:
            function: The name of the function in the API object.
            args: The arguments, as JSON data.
            timeout: Seconds; None for the time limit of an action.

        Raises:
            DocumentReplacedError: The document was replaced during the call.
            PageError: The page is blocked, or did not answer in time.
        """

        async def call_in_world() -> Any:
            world = await frame.world()
            return await world.call(function, *args, timeout=timeout or self.timeouts.action)

        return await self.run_in_document(call_in_world())

    async def call_source(self, frame: Frame, source: str, *args: object) -> Any:
        """Call a function that is not part of `inpage` in the isolated world of a frame.

        Args:
            source: The source of the function.
            args: The arguments, as JSON data.

        Returns:
            Its result, as JSON data.

        Raises:
            DocumentReplacedError: The document was replaced during the call.
            PageError: The page is blocked, or did not answer in time.
        """

        async def call_in_world() -> Any:
            world = await frame.world()
            return await world.call_source(source, *args, timeout=self.timeouts.action)

        return await self.run_in_document(call_in_world())

    async def pause(self, seconds: float) -> None:
        """Wait for a number of seconds; see `Page.pause`."""
        await self.run_unless_blocked(asyncio.sleep(seconds))

    async def run_in_document(self, operation: Awaitable[T]) -> T:
        """Await a call into a document, like `run_unless_blocked`.

        Raises:
            DocumentReplacedError: The document was replaced during the call.
            PageError: The page is blocked, or did not answer in time.
        """
        try:
            return await self.run_unless_blocked(operation)
        except WorldGoneError as error:
            raise self.blockers.blocking_error() or DocumentReplacedError from error

    async def close(self) -> None:
        """Cancel the running work of all parts. Idempotent."""
        await self.handovers.close()
        if self.webmcp is not None:
            await self.webmcp.close()
        await self.mouse.cancel_unanswered_calls()
        await self.keyboard.cancel_unanswered_calls()
        await self.dialogs.close()
        await self.file_choosers.cancel_background_tasks()

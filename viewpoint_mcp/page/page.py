"""The page of one tab: the interface for tools and for the browser layer.

Parts that many sessions never use are imported in the methods that use them, to save memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from functools import cached_property
from typing import TYPE_CHECKING

from cdp_protocol import CdpError, Session, SessionClosed
from viewpoint_mcp.accessibility.capture_options import DEFAULT_OPTIONS, CaptureOptions
from viewpoint_mcp.accessibility.search.regex_search import Pattern
from viewpoint_mcp.errors import PageCrashedError
from viewpoint_mcp.input.keys import selects_all
from viewpoint_mcp.page.actions import focused_element
from viewpoint_mcp.page.actions.mouse_xy import PageMouse
from viewpoint_mcp.page.child_targets import ChildTargets
from viewpoint_mcp.page.console.console import Console
from viewpoint_mcp.page.dialogs import DialogAnswer
from viewpoint_mcp.page.emulation.emulation_actions import EmulationActions
from viewpoint_mcp.page.navigation import NavigationResult, PageNavigation
from viewpoint_mcp.page.network import body_fetching
from viewpoint_mcp.page.script.document_start import load_scripts_at_document_start
from viewpoint_mcp.page.script.evaluate import evaluate
from viewpoint_mcp.page.services import PageServices
from viewpoint_mcp.page.shorten import shorten_url, title_of_target
from viewpoint_mcp.page.snapshot import blank_page, text_wait
from viewpoint_mcp.page.snapshot.page_snapshot import take_snapshot

if TYPE_CHECKING:
    from viewpoint_mcp.accessibility.tree_capture import Capture
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.blocking_conditions import Dialog
    from viewpoint_mcp.page.capture.page_capture import PageCapture
    from viewpoint_mcp.page.devtools.page_devtools import PageDevtools
    from viewpoint_mcp.page.form_field_to_fill import FieldToFill
    from viewpoint_mcp.page.frames import Frame
    from viewpoint_mcp.page.network.request import Request
    from viewpoint_mcp.page.network.request_log import RequestLog
    from viewpoint_mcp.page.page_options import PageOptions
    from viewpoint_mcp.page.snapshot.search import SnapshotMatches
    from viewpoint_mcp.page.storage.web_storage import AreaName, WebStorage


class Page:
    """The page of one tab: its state, and the actions on it.

    Args:
        session: CDP session of the tab's target.
        options: The properties of the tab, its browser context and its browser.

    Attributes:
        target_id: CDP `Target.TargetID` of the tab.
        number: The `p` component of its refs.
        context_name: Name of its browser context, for the records of saved files.
        files: The directories for its screenshots, and the files that it may read.
        lock: Serialises the tool calls on the page.
        blockers: The conditions that block calls, such as a dialog or a crash.
        work_dispatcher: The events that settling waits for.
        elements: Finds its elements.
        current_action: The action in progress, or the last one.
        handovers: Hands the page over to a person.
        navigation: Opens URLs, and moves in the history.
        webmcp: Calls the tools that its documents offer; None without the capability.
        console: The messages of its scripts.
        baselines: The snapshot that each reader of replies saw last.
        mouse: The mouse at points of the viewport. `Element` has the mouse on elements.
        emulation: Changes the device and the user that the page perceives.
    """

    def __init__(self, session: Session, options: PageOptions) -> None:
        self._services = services = PageServices(session, options, self._on_document_gone)
        self._session = session
        self._has_test_support = options.has_test_support
        self.target_id = options.target_id
        self.number = options.page_number
        self.context_name = options.context_name
        self.files = options.files
        self.lock = asyncio.Lock()
        self.blockers, self.work_dispatcher = services.blockers, services.work_dispatcher
        self.elements = services.elements
        self.current_action = services.current_action
        self.handovers, self.webmcp = services.handovers, services.webmcp
        self.console = Console(options.console_level, options.private_time)
        self.baselines = services.baselines
        self.mouse = PageMouse(services)
        self._child_targets = ChildTargets(
            session,
            services.frames,
            services.work_dispatcher,
            self.console,
            services.file_choosers,
            options.emulation,
            options.private_time,
            services.webmcp,
        )
        self.emulation = EmulationActions(services, self._child_targets.emulation)
        self.navigation = PageNavigation(services, options, self.request_log)
        self.blockers.on_interruption(self.work_dispatcher.interrupt_waits)
        if options.on_interruption is not None:
            self.blockers.on_interruption(options.on_interruption)

    async def start(self) -> None:
        """Subscribe to the events of the tab, and let the tab run if it waits for the debugger.

        Source: CDP `Inspector.enable`, `Emulation.setFocusEmulationEnabled`,
        `Runtime.runIfWaitingForDebugger`.
        """
        session = self._session
        self._services.dialogs.subscribe(session)
        self.work_dispatcher.subscribe_main_frame(session)
        session.on(session.Inspector.targetCrashed, lambda _: self.blockers.note_page_crashed())
        session.on(session.Inspector.targetCrashed, lambda _: self.baselines.forget())
        session.on_closed(self._mark_page_closed)
        self.navigation.subscribe(session)
        await self._child_targets.subscribe_target(
            session,
            session.Inspector.enable(),
            load_scripts_at_document_start(session, has_test_support=self._has_test_support),
            # Without it a background tab has no focus. Bringing the tab to the front instead would
            # take the focus from the user.
            session.Emulation.setFocusEmulationEnabled(enabled=True),
            session.Runtime.runIfWaitingForDebugger(),
        )

    @property
    def url(self) -> str:
        return self._services.frames.main.url

    @property
    def document_id(self) -> str:
        """CDP `Network.LoaderId` of the main frame's document."""
        return self._services.frames.main.document_id

    @property
    def request_log(self) -> RequestLog:
        """The network requests since the last navigation, and the earlier ones of the tab."""
        return self._child_targets.request_log

    @cached_property
    def capture(self) -> PageCapture:
        """Takes screenshots and prints PDFs."""
        from viewpoint_mcp.page.capture.page_capture import PageCapture

        return PageCapture(self._services)

    @cached_property
    def devtools(self) -> PageDevtools:
        """Highlights elements, and records what the page shows."""
        from viewpoint_mcp.page.devtools.page_devtools import PageDevtools

        return PageDevtools(self._services)

    async def title(self) -> str:
        """Return the title of the document; "" if it has none, or if the tab is gone.

        The browser answers this even while the page is busy.

        Source: CDP `Target.getTargetInfo`.
        """
        try:
            info = await self._session.Target.getTargetInfo(targetId=self.target_id)
        except CdpError:
            return ""
        return title_of_target(info["targetInfo"])

    def has_frame(self, frame_id: str) -> bool:
        """Return whether the page has a frame with this id.

        Args:
            frame_id: CDP `Page.FrameId`.
        """
        return self._services.frames.get(frame_id) is not None

    def add_event(self, sentence: str) -> None:
        """Add a sentence to the events of the next reply, unless they contain it."""
        if sentence not in self._services.events:
            self._services.events.append(sentence)

    def take_events(self, *, omits_navigation: bool = False) -> list[str]:
        """Return the events since the last call, as one sentence each, or all but a navigation."""
        events = [*self._services.events]
        if self.navigation.has_unreported_document and not omits_navigation:
            events.insert(0, f"Navigated to {shorten_url(self.url)}")
        self.navigation.has_unreported_document = False
        self._services.events.clear()
        return events

    async def navigate(self, url: str) -> NavigationResult:
        """Load a URL and settle; see `PageNavigation.go_to`."""
        return await self.navigation.go_to(url)

    async def go_back(self) -> NavigationResult:
        """Go back in the tab's history and settle; see `PageNavigation.move_in_history`."""
        return await self.navigation.move_in_history(-1)

    async def go_forward(self) -> NavigationResult:
        """Go forward in the tab's history and settle; see `PageNavigation.move_in_history`."""
        return await self.navigation.move_in_history(1)

    async def reload(self, *, ignore_cache: bool = False) -> NavigationResult:
        """Load the document again and settle; see `PageNavigation.reload`."""
        return await self.navigation.reload(ignore_cache=ignore_cache)

    async def find_element(self, target: str) -> Element:
        """Return the element of a ref, CSS selector or locator; see `ElementLookup.find`."""
        return await self._services.elements.find(target)

    async def find_focused_field(self) -> Element:
        """Return the editable element that has the focus."""
        return await focused_element.find_focused_field(self._services)

    async def describe_selected_text(self, frame: Frame | None = None) -> str:
        """See `focused_element.describe_selected_text`; without a frame, that of the main frame."""
        services = self._services
        return await focused_element.describe_selected_text(services, frame or services.frames.main)

    async def describe_key_receiver(self) -> str:
        """Return what receives keys; see `focused_element.describe_key_receiver`."""
        return await focused_element.describe_key_receiver(self._services)

    async def start_reading_copied_text(self) -> Callable[[], Awaitable[str]]:
        """See `focused_element.start_reading_copied_text`."""
        return await focused_element.start_reading_copied_text(self._services)

    def settle_afterwards(self, *, is_patient: bool = True) -> AbstractAsyncContextManager[None]:
        """Settle after the action in the block; see `CurrentAction.settle_afterwards`."""
        return self._services.settle_afterwards(is_patient=is_patient)

    async def press_key_and_detect_select_all(self, key: str) -> bool:
        """Press a key or a key combination. Return whether it selects all text.

        Raises:
            CallError: The key does not exist.
        """
        services = self._services
        await services.current_action.record_state_before_events()
        await services.current_action.perform_until_dialog(services.keyboard.press(key))
        return selects_all(key)

    async def fill_form_and_describe_differences(self, fields: Sequence[FieldToFill]) -> list[str]:
        """Fill in fields and settle; see `form.fill_form_and_describe_differences`."""
        from viewpoint_mcp.page.actions import form

        return await form.fill_form_and_describe_differences(self._services, fields)

    async def upload_files_and_describe_result(self, paths: Sequence[str]) -> str:
        """Answer the file chooser, or fill the file input, and settle; see `upload`."""
        from viewpoint_mcp.page.actions import upload

        return await upload.upload_files_and_describe_result(self._services, paths)

    async def answer_current_or_next_dialog(
        self, *, accept: bool, prompt_text: str | None = None
    ) -> Dialog | None:
        """Answer the open dialog and settle. If none is open, prepare the answer to the next one.

        Args:
            accept: Whether to accept the dialog. Otherwise it is dismissed.
            prompt_text: The text for a prompt; None for the default text of the prompt.

        Returns:
            The dialog that was answered; None if none was open.
        """
        answer = DialogAnswer(accept, prompt_text)
        dialog = self.blockers.dialog
        if dialog is None:
            self._services.dialogs.answer_next_dialog(answer)
            return None
        services = self._services
        async with self.settle_afterwards():
            services.current_action.expect_script_to_resume_after_dialog()
            await self.blockers.run_translating_errors(
                self._services.dialogs.answer_dialog(dialog, answer)
            )
            await services.current_action.perform_until_dialog(
                services.keyboard.release_keys_again_after_dialog()
            )
        return dialog

    async def evaluate(self, source: str, element: Element | None = None) -> str | None:
        """Run JavaScript in the page's main world, and return its value as text.

        Args:
            source: A function, an expression, or statements; see `evaluate.evaluate`.
            element: The argument of the function. The script runs in its frame.

        Returns:
            The value; None if a dialog opened first, or the document was replaced.

        Raises:
            ElementError: The element is gone.
            PageError: The script is malformed, threw an exception, or did not end in time.
        """
        services, session, object_id = self._services, self._session, None
        if element is not None:
            await element.check_exists()
            session, object_id = element.frame.session, await element.get_main_world_object_id()
        await services.current_action.record_state_before_events()
        limit = services.timeouts.script
        running = evaluate(session, source, element_object_id=object_id, timeout=limit)
        return await services.current_action.perform_until_dialog(running)

    def web_storage(self, area: AreaName) -> WebStorage:
        """Return localStorage or sessionStorage of the main frame."""
        from viewpoint_mcp.page.storage.web_storage import WebStorage

        return WebStorage(self._services, area)

    async def snapshot(
        self, root: Element | None = None, *, options: CaptureOptions = DEFAULT_OPTIONS
    ) -> Capture:
        """Return the accessibility tree of the page or of one element, and make its refs valid.

        Args:
            root: The element; None for the whole page.
            options: The options of the capture.

        Raises:
            PageError: The page is blocked, or does not answer.
        """
        return await take_snapshot(self._services, root, options)

    async def search(
        self, query: str | Pattern, root: Element | None = None, *, has_urls: bool = False
    ) -> SnapshotMatches:
        """Search a new snapshot of the page or of one element; see `search.search_snapshot`."""
        from viewpoint_mcp.page.snapshot.search import search_snapshot

        snapshot = await self.snapshot(root)
        self.baselines.current.note_partial_view(snapshot.nodes)
        return await search_snapshot(snapshot, query, has_urls=has_urls)

    async def explain_blank_page(self, *, is_empty: bool) -> str:
        """Return why a page shows nothing; see `blank_page.explain_blank_page`."""
        return await blank_page.explain_blank_page(
            self._services, self.request_log, is_empty=is_empty
        )

    async def fetch_request_body(self, request: Request) -> bytes:
        """Return the body of a request; see `body_fetching.fetch_request_body`."""
        return await body_fetching.fetch_request_body(self.blockers, request)

    async def fetch_response_body(self, request: Request) -> bytes:
        """Return the body of the response to a request; see `body_fetching.fetch_response_body`."""
        return await body_fetching.fetch_response_body(self.blockers, request)

    async def get_console_with_previews(self) -> Console:
        """Return the console with previews of the last objects, which a crashed page lacks."""
        with suppress(PageCrashedError):
            await self._services.run_unless_blocked(self.console.wait_for_previews())
        return self.console

    async def wait_for_text(self, text: str, timeout: float, *, until_gone: bool = False) -> None:
        """Wait until a text appears, or disappears if `until_gone`; see `text_wait.wait_for_text`.

        Args:
            timeout: Seconds.
        """
        await text_wait.wait_for_text(self._services, text, timeout, until_gone=until_gone)

    async def pause(self, seconds: float) -> None:
        """Wait for a number of seconds.

        Raises:
            PageError: A dialog, a file chooser, a crash or the end of the page ended the wait.
        """
        await self._services.pause(seconds)

    async def disconnect(self) -> None:
        """Close the CDP session. Chromium then closes an open dialog."""
        await self._session.close()

    async def mark_closed_and_cancel_work(self) -> None:
        """Mark the page as closed and cancel its running work. The tab stays open. Idempotent."""
        self.blockers.note_page_closed()
        if "capture" in self.__dict__:
            await self.capture.close()
        await self._child_targets.close()
        await self._services.close()

    def _mark_page_closed(self, _reason: SessionClosed) -> None:
        self.blockers.connection_lost = self._session.connection.lost
        self.blockers.note_page_closed()

    def _on_document_gone(self, frame: Frame) -> None:
        services = self._services
        services.refs.forget_frame(frame.number)
        services.file_choosers.forget_frame(frame)
        if frame.parent is None:
            self.navigation.has_unreported_document = True
            if services.held_buttons is not None:
                services.held_buttons.release_all()
            self.baselines.note_document_replaced()
            self.console.note_new_document()
            self.blockers.note_recovery()

"""An element of a page: the actions on it, and the checks before and after them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from viewpoint_mcp.accessibility.refs import (
    PrintedElement,
    Ref,
    check_same_element,
    check_same_group,
    describe_element,
    have_different_words,
    make_removed_error,
)
from viewpoint_mcp.accessibility.tree import decode_tree
from viewpoint_mcp.errors import ElementCoveredError, ElementError, PageError
from viewpoint_mcp.input.mouse import Button
from viewpoint_mcp.page.actions import drag, mouse, select, text_input, text_selection
from viewpoint_mcp.page.actions.actionability_decision import decide_whether_to_repeat_preparation
from viewpoint_mcp.page.actions.actionability_errors import obstacle_error
from viewpoint_mcp.page.actions.hit.element_description import describe_with_ref
from viewpoint_mcp.page.actions.hit.hit_point_search import HitPointSearch
from viewpoint_mcp.page.actions.hit.inpage_answers import (
    InpageAnswer,
    Obstacle,
    parse_obstacle,
    parse_preparation_failure,
)
from viewpoint_mcp.page.actions.hit.missed_press_guard import MissedPressGuard
from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.reply_note import ReplyNote
from viewpoint_mcp.page.shorten import shorten

if TYPE_CHECKING:
    from viewpoint_mcp.page.services import PageServices

_MAX_SELECTOR = 60  # characters of a selector that names an element
_ANSWER_TIME = 0.5  # extra seconds for the page script to report that its limit has passed
_PRESS_ATTEMPTS: Final[tuple[tuple[Literal["name", "node"], float], ...]] = (
    ("name", 0.0),
    ("name", 0.05),
    ("node", 0.2),
)
"""The match that each attempt of a press requires, and the pause before it in seconds.

"name" requires the same node with the same name, "node" only the same node. During the pause, a
shifted layout can become stable. The browser routes events to frames by the layout that it drew
last.
"""


class Element:
    """An element, identified by its number in the registry of its frame.

    Args:
        ref: The ref, as printed in a snapshot.
        printed_element: Role and name when it was printed; None for an element found by a CSS
            selector.
        selector: The CSS selector that found it; "" for none.

    Attributes:
        call_timeout: Timeout in seconds of a call into the page: `--timeout-action`, and time for
            the page to report that this limit has passed.
    """

    def __init__(
        self,
        page: PageServices,
        frame: Frame,
        ref: Ref,
        printed_element: PrintedElement | None,
        *,
        selector: str = "",
    ) -> None:
        self.page = page
        self.frame = frame
        self.ref = ref
        self._printed_element = printed_element
        self._appearance = (
            printed_element.appearance
            if printed_element
            else f"({shorten(selector, _MAX_SELECTOR)})"
            if selector
            else ""
        )
        self.label = (
            self._make_label(printed_element.role, printed_element.name)
            if printed_element
            else f"element {ref}"
        )
        self.call_timeout = page.timeouts.action + _ANSWER_TIME

    async def click(
        self, *, button: Button = "left", count: int = 1, modifiers: Iterable[str] = ()
    ) -> None:
        """Scroll the element into view and click it; see `mouse.click`."""
        await mouse.click(self, button=button, count=count, modifiers=modifiers)

    async def hover(self) -> None:
        """Scroll the element into view and move the mouse onto it; see `mouse.hover`."""
        await mouse.hover(self)

    async def scroll_into_view(self) -> None:
        """Scroll the element to the centre of the viewport; see `mouse.scroll_into_view`."""
        await mouse.scroll_into_view(self)

    async def scroll_content(self, direction: mouse.ScrollDirection) -> ReplyNote:
        """Scroll the content of the element; see `mouse.scroll_content`."""
        return await mouse.scroll_content(self, direction)

    async def drag_to(self, end: Element) -> drag.DropOutcome:
        """Drag the element to another one; see `drag.drag_element`."""
        return await drag.drag_element(self, end)

    async def describe_drag(self, outcome: drag.DropOutcome) -> ReplyNote:
        """Return what a drag of the element did; see `drag.describe_drag`."""
        return await drag.describe_drag(self.page, self.frame, outcome)

    async def drop(self, files: Sequence[Path], data: Mapping[str, str]) -> None:
        """Drop files or data on the element; see `drag.drop_from_outside`."""
        await drag.drop_from_outside(self, files, data)

    async def type_text(
        self, text: str, *, slowly: bool = False, submit: bool = False, replace: bool = True
    ) -> ReplyNote:
        """Type into the element and settle; see `text_input.type_into_field`."""
        return await text_input.type_into_field(
            self, text, slowly=slowly, submit=submit, replace=replace
        )

    async def select_text(self, text: str, occurrence: int | None = None) -> str:
        """Select a text that the element contains, and settle; see `text_selection.select_text`."""
        return await text_selection.select_text(self, text, occurrence)

    async def select_options(self, values: Sequence[str]) -> ReplyNote:
        """Select options of the element and settle; see `select.select_options`."""
        return await select.select_options(self, values)

    async def get_main_world_object_id(self) -> str:
        """Return the `Runtime.RemoteObjectId` of the element in the page's main world.

        Source: CDP `DOM.describeNode`, `DOM.resolveNode`.
        """
        session = self.frame.session
        node_id = await self.get_backend_node_id()
        resolved = await self.page.run_unless_blocked(
            session.DOM.resolveNode(backendNodeId=node_id)
        )
        return str(resolved["object"]["objectId"])

    async def get_backend_node_id(self) -> int:
        """Return CDP's `DOM.BackendNodeId` of the element; remember it with a printed ref.

        Raises:
            ElementError: The element was removed.
        """
        if self._printed_element and self._printed_element.backend_node_id is not None:
            return self._printed_element.backend_node_id
        world = await self.page.run_unless_blocked(self.frame.world())
        object_id = await self.page.run_unless_blocked(
            world.get_element_object_id(self.ref.element)
        )
        if object_id is None:
            raise self.removed_error()
        described = await self.page.run_unless_blocked(
            self.frame.session.DOM.describeNode(objectId=object_id)
        )
        node_id = int(described["node"]["backendNodeId"])
        if self._printed_element:
            self.page.refs.remember_backend_node_id(self.ref, node_id)
        return node_id

    async def check_exists(self) -> None:
        """Make sure that the element exists and is still the one that was printed.

        Raises:
            StaleRefError: The element was removed, or its ref stands for another element now.
        """
        answer = await self.page.call_inpage(self.frame, "describe", self.ref.element)
        if answer is None or not answer["connected"]:
            raise self.removed_error()
        await self.check_same_as_printed(answer["role"], answer["name"], answer["changes"])

    async def press_and_confirm(self, press: Callable[[float, float], Awaitable[object]]) -> None:
        """Press the mouse on the element, and make sure that the element receives the press.

        The page may change after the hit test, so that another element would receive the press.
        Such a press is blocked before the page sees it, and tried again.

        Args:
            press: Moves the mouse to the point it is called with (CSS pixels of the page's
                viewport), and presses a button there. Returns when the browser has handled the
                events.

        Raises:
            ElementError: The element cannot be reached, or the press missed it. The message names
                the cause.
        """
        missed_error = None
        for match, pause in _PRESS_ATTEMPTS:
            await self.page.pause(pause)
            guard = MissedPressGuard(self.page, match)
            await press(*await self.wait_for_hit_point(guard))
            outcome = await guard.collect_missed_press()
            if outcome is None:
                return
            frame, answer = outcome
            if answer.state == "waiting":
                await self._check_mouse_can_still_reach()
                return
            missed_error = self.obstacle_error(answer.obstacle, frame)
        assert missed_error is not None
        raise missed_error

    async def find_hit_point(self) -> tuple[float, float]:
        """Return the point where the mouse reaches the element now, without waiting.

        Scrolls to the element.

        Returns:
            CSS pixels of the page's viewport.

        Raises:
            ElementError: The element cannot be reached now; the message names the cause.
        """
        return await HitPointSearch(self).find_without_waiting()

    async def wait_for_hit_point(
        self, guard: MissedPressGuard | None = None, *, allow_disabled: bool = False
    ) -> tuple[float, float]:
        """Wait until the mouse can reach the element; return the point as `find_hit_point` does.

        `actionability_decision.decide_on_hit` determines the reasons to wait, and how long.

        Args:
            guard: Watches the press that follows. The caller must call its
                `collect_missed_press` afterwards.
            allow_disabled: Accept a disabled element.

        Raises:
            ElementError: The element cannot be reached; the message names the cause.
        """
        return await HitPointSearch(self, guard, allow_disabled=allow_disabled).find_with_waiting()

    async def _check_mouse_can_still_reach(self) -> None:
        """Make sure that the element can be reached, after a press that no document reported.

        A document does not report a press if, for example, the page stops every event.

        Raises:
            ElementError: The element cannot be reached, so another element has received the press.
        """
        try:
            await self.find_hit_point()
        except ElementError as error:
            message = f"The click missed {self.label}. {error.message}"
            raise ElementCoveredError(message, error.hint) from error

    async def prepare_for_action(
        self, inpage_function: str, options: dict[str, Any] | None = None
    ) -> InpageAnswer:
        """Call a function of `inpage` that prepares the element for an action; return its answer.

        The call is repeated as long as waiting may help; see
        `actionability_decision.decide_whether_to_repeat_preparation`.

        Args:
            inpage_function: Takes the element's number and options. The options include `timeout`
                (milliseconds for one call) and `again` (see `untilAnsweredAnew`). The answer
                contains `role` and `name`, and `fail` after a failure.

        Raises:
            StaleRefError: The element was removed, or its ref stands for another element now.
            ElementError: The function failed; the message names the cause.
        """
        clock, timeout = asyncio.get_running_loop().time, self.page.timeouts.action
        started_at = clock()
        again: dict[str, Any] | None = None
        while True:
            call_options = {**(options or {}), "timeout": 1000 * timeout, "again": again}
            answer: InpageAnswer = await self.page.call_inpage(
                self.frame,
                inpage_function,
                self.ref.element,
                call_options,
                timeout=self.call_timeout,
            )
            facts = parse_preparation_failure(answer)
            decision = decide_whether_to_repeat_preparation(facts, clock() - started_at, timeout)
            if decision is None:
                return await self.check_inpage_answer(answer)
            again = decision.make_inpage_wait_option(facts.state)

    async def check_inpage_answer(self, answer: InpageAnswer) -> InpageAnswer:
        """Check and return the answer of a function of `inpage` about the element.

        Raises:
            StaleRefError: The element was removed, or its ref stands for another element now.
            ElementError: The function failed; the message names the cause.
        """
        if answer.get("fail") == "gone":
            raise self.removed_error()
        if "role" in answer:
            await self.check_same_as_printed(answer["role"], answer["name"], answer["changes"])
        if (obstacle := parse_obstacle(answer)) is not None:
            raise self.obstacle_error(obstacle, self.frame)
        return answer

    async def check_same_as_printed(self, role: str, name: str, document_change_count: int) -> None:
        """Make sure that the element is still the one that was printed, and update its label.

        If the words or numbers of its name changed, a note is added to the reply.

        Args:
            document_change_count: How often the document had changed when the page answered.

        Raises:
            StaleRefError: The ref stands for another element now.
        """
        named = self._printed_element
        if named is None:
            self.label = self._make_label(role, name)
            return
        check_same_element(self.ref, named, role, name)
        if named.tree is not None and document_change_count != named.tree.change_count:
            raw = await self.page.call_inpage(self.frame, "groupAround", self.ref.element)
            if raw is not None:
                check_same_group(self.ref, named, decode_tree(raw))
        # A hidden element has no name, so the label keeps the name from the snapshot.
        self.label = self._make_label(role, name or named.name)
        if name and have_different_words(named.name, name):
            before = describe_element(named.role, named.name)
            note = f"Ref {self.ref} was {before} and is {self.label} now"
            # An action may check its element several times.
            if note not in self.page.events:
                self.page.events.append(note)

    def _make_label(self, role: str, name: str) -> str:
        """Return role and name; without a name, the role and what a person sees."""
        if name or not self._appearance:
            return describe_element(role, name)
        return f"{role} {self._appearance}"

    def removed_error(self) -> PageError | ElementError:
        """Return the error for an element that is no longer on the page."""
        return (
            make_removed_error(self.ref, self._printed_element)
            if self._printed_element
            else ElementError(f"{self.label} no longer exists on this page.")
        )

    def obstacle_error(
        self, obstacle: Obstacle, frame: Frame, *, seconds_waited_for_cover: float | None = None
    ) -> ElementError:
        """Return the error for an obstacle in the element's frame or in a frame around it.

        Args:
            frame: The frame that has the obstacle.
            seconds_waited_for_cover: See `refusal`.
        """
        is_about_frame = frame is not self.frame and obstacle.kind not in ("covered", "missed")
        label = f"The frame of {self.label}" if is_about_frame else self.label
        cause = describe_with_ref(self.page, frame, obstacle.cause) if obstacle.cause else None
        return obstacle_error(
            label, obstacle, cause, seconds_waited_for_cover=seconds_waited_for_cover
        )

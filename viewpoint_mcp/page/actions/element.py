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
from viewpoint_mcp.accessibility.tree import decode
from viewpoint_mcp.errors import ElementCoveredError, ElementError, PageError
from viewpoint_mcp.input.mouse import Button
from viewpoint_mcp.page.actions import drag, mouse, select, text_input
from viewpoint_mcp.page.actions.actionability import decide_on_answer
from viewpoint_mcp.page.actions.hit.facts import Obstacle, answer_facts, obstacle_in
from viewpoint_mcp.page.actions.hit.guard import HitGuard
from viewpoint_mcp.page.actions.hit.point import HitPointSearch
from viewpoint_mcp.page.actions.hit.printed_element import printed
from viewpoint_mcp.page.actions.refusals import refusal
from viewpoint_mcp.page.frames import Frame

if TYPE_CHECKING:
    from viewpoint_mcp.page.services import PageServices

_ANSWER = 0.5  # extra seconds for the page script to report that its limit has passed
_ATTEMPTS: Final[tuple[tuple[Literal["name", "node"], float], ...]] = (
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
        named: Role and name when it was printed; None for an element found by a CSS selector.

    Attributes:
        answer_limit: Timeout in seconds of a call into the page: `--timeout-action`, and time for
            the page to report that this limit has passed.
    """

    def __init__(
        self, page: PageServices, frame: Frame, ref: Ref, named: PrintedElement | None
    ) -> None:
        self.page = page
        self.frame = frame
        self.ref = ref
        self._named = named
        self.label = describe_element(named.role, named.name) if named else f"element {ref}"
        self.answer_limit = page.timeouts.action + _ANSWER

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

    async def scroll_inside(self, to: mouse.ScrollTo) -> str:
        """Scroll the content of the element; see `mouse.scroll_inside`."""
        return await mouse.scroll_inside(self, to)

    async def drag_to(self, end: Element) -> None:
        """Drag the element to another one; see `drag.drag`."""
        await drag.drag(self, end)

    async def drop(self, files: Sequence[Path], data: Mapping[str, str]) -> None:
        """Drop files or data on the element; see `drag.drop`."""
        await drag.drop(self, files, data)

    async def type_text(
        self, text: str, *, slowly: bool = False, submit: bool = False, replace: bool = True
    ) -> str:
        """Type into the element and settle; see `text_input.type_into`."""
        return await text_input.type_into(self, text, slowly=slowly, submit=submit, replace=replace)

    async def select_options(self, values: Sequence[str]) -> str:
        """Select options of the element and settle; see `select.select`."""
        return await select.select(self, values)

    async def object_in_page(self) -> str:
        """Return the `Runtime.RemoteObjectId` of the element in the page's main world.

        Source: CDP `DOM.describeNode`, `DOM.resolveNode`.
        """
        session = self.frame.session
        node_id = await self.backend_node_id()
        resolved = await self.page.run_unless_blocked(
            session.DOM.resolveNode(backendNodeId=node_id)
        )
        return str(resolved["object"]["objectId"])

    async def backend_node_id(self) -> int:
        """Return CDP's `DOM.BackendNodeId` of the element; remember it with a printed ref.

        Raises:
            ElementError: The element was removed.
        """
        if self._named and self._named.backend_node_id is not None:
            return self._named.backend_node_id
        world = await self.page.run_unless_blocked(self.frame.world())
        object_id = await self.page.run_unless_blocked(
            world.get_element_object_id(self.ref.element)
        )
        if object_id is None:
            raise self.gone()
        described = await self.page.run_unless_blocked(
            self.frame.session.DOM.describeNode(objectId=object_id)
        )
        node_id = int(described["node"]["backendNodeId"])
        if self._named:
            self.page.refs.remember_backend_node_id(self.ref, node_id)
        return node_id

    async def check(self) -> None:
        """Make sure that the element exists and is still the one that was printed.

        Raises:
            StaleRefError: The element was removed, or its ref stands for another element now.
        """
        told = await self.page.call_inpage(self.frame, "describe", self.ref.element)
        if told is None or not told["connected"]:
            raise self.gone()
        await self.recognise(told["role"], told["name"], told["changes"])

    async def hit(self, press: Callable[[float, float], Awaitable[object]]) -> None:
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
        missed = None
        for by, pause in _ATTEMPTS:
            await self.page.pause(pause)
            guard = HitGuard(self.page, by)
            await press(*await self.wait_for_hit_point(guard))
            outcome = await guard.outcome()
            if outcome is None:
                return
            frame, answer = outcome
            if answer.state == "waiting":
                await self._confirm()
                return
            missed = self.failure(answer.obstacle, frame)
        assert missed is not None
        raise missed

    async def hit_point_now(self) -> tuple[float, float]:
        """Return the point where the mouse reaches the element now, without waiting.

        Scrolls to the element.

        Returns:
            CSS pixels of the page's viewport.

        Raises:
            ElementError: The element cannot be reached now; the message names the cause.
        """
        return await HitPointSearch(self).now()

    async def wait_for_hit_point(
        self, guard: HitGuard | None = None, *, even_disabled: bool = False
    ) -> tuple[float, float]:
        """Wait until the mouse can reach the element; return the point as `hit_point_now` does.

        `actionability.decide` determines the reasons to wait, and how long.

        Args:
            guard: Watches the press that follows. The caller must call its `outcome` afterwards.
            even_disabled: Accept a disabled element.

        Raises:
            ElementError: The element cannot be reached; the message names the cause.
        """
        return await HitPointSearch(self, guard, even_disabled=even_disabled).wait()

    async def _confirm(self) -> None:
        """Make sure that the element can be reached, after a press that no document reported.

        A document does not report a press if, for example, the page stops every event.

        Raises:
            ElementError: The element cannot be reached, so another element has received the press.
        """
        try:
            await self.hit_point_now()
        except ElementError as error:
            message = f"The click on {self.label} went elsewhere. {error.message}"
            raise ElementCoveredError(message, error.hint) from error

    async def prepare(self, function: str, options: dict[str, Any] | None = None) -> dict[str, Any]:
        """Call a function of `inpage` that prepares the element for an action; return its answer.

        The call is repeated as long as waiting may help; see `actionability.decide_on_answer`.

        Args:
            function: Takes the element's number and options. The options include `timeout`
                (milliseconds for one call) and `again` (see `untilAnsweredAnew`). The answer
                contains `role` and `name`, and `fail` after a failure.

        Raises:
            StaleRefError: The element was removed, or its ref stands for another element now.
            ElementError: The function failed; the message names the cause.
        """
        clock, timeout = asyncio.get_running_loop().time, self.page.timeouts.action
        began = clock()
        again: dict[str, Any] | None = None
        while True:
            asked = {**(options or {}), "timeout": 1000 * timeout, "again": again}
            answer: dict[str, Any] = await self.page.call_inpage(
                self.frame, function, self.ref.element, asked, timeout=self.answer_limit
            )
            facts = answer_facts(answer)
            decision = decide_on_answer(facts, clock() - began, timeout)
            if decision is None:
                return await self.accept(answer)
            again = decision.question(facts.state)

    async def accept(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Check and return the answer of a function of `inpage` about the element; see `prepare`.

        Raises:
            StaleRefError: The element was removed, or its ref stands for another element now.
            ElementError: The function failed; the message names the cause.
        """
        if answer.get("fail") == "gone":
            raise self.gone()
        if "role" in answer:
            await self.recognise(answer["role"], answer["name"], answer["changes"])
        if (obstacle := obstacle_in(answer)) is not None:
            raise self.failure(obstacle, self.frame)
        return answer

    async def recognise(self, role: str, name: str, changes: int) -> None:
        """Make sure that the element is still the one that was printed, and update its label.

        If the words or numbers of its name changed, a note is added to the reply.

        Args:
            changes: How often the document had changed when the page answered.

        Raises:
            StaleRefError: The ref stands for another element now.
        """
        was = self._named
        if was is None:
            self.label = describe_element(role, name)
            return
        check_same_element(self.ref, was, role, name)
        if was.tree is not None and changes != was.tree.change_count:
            raw = await self.page.call_inpage(self.frame, "groupAround", self.ref.element)
            if raw is not None:
                check_same_group(self.ref, was, decode(raw))
        # A hidden element has no name, so the label keeps the name from the snapshot.
        self.label = describe_element(role, name or was.name)
        if name and have_different_words(was.name, name):
            note = (
                f"Ref {self.ref} was {describe_element(was.role, was.name)} and is {self.label} now"
            )
            # An action may check its element several times.
            if note not in self.page.events:
                self.page.events.append(note)

    def gone(self) -> PageError | ElementError:
        """Return the error for an element that is no longer on the page."""
        return (
            make_removed_error(self.ref, self._named)
            if self._named
            else ElementError(f"{self.label} is gone.")
        )

    def failure(
        self, obstacle: Obstacle, frame: Frame, *, idle_after: float | None = None
    ) -> ElementError:
        """Return the error for an obstacle in the element's frame or in a frame around it.

        Args:
            frame: The frame that has the obstacle.
            idle_after: See `refusal`.
        """
        is_frame = frame is not self.frame and obstacle.kind not in ("covered", "missed")
        label = f"The frame of {self.label}" if is_frame else self.label
        cause = printed(self.page, frame, obstacle.by) if obstacle.by else None
        return refusal(label, obstacle, cause, idle_after=idle_after)

"""One element that the agent named: is it there, where, and why can it not be acted on?"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from viewpoint_mcp.accessibility.refs import (
    Named,
    Ref,
    check_group,
    check_same,
    describe,
    gone,
    is_worth_noting,
)
from viewpoint_mcp.accessibility.tree import decode
from viewpoint_mcp.errors import Covered, ElementError, PageError, ViewpointError
from viewpoint_mcp.input.mouse import Button
from viewpoint_mcp.page.actions import drag, mouse, select, text_input
from viewpoint_mcp.page.actions.actionability import refusal
from viewpoint_mcp.page.actions.hit_guard import HitGuard
from viewpoint_mcp.page.actions.printed_element import printed
from viewpoint_mcp.page.frames import Frame

if TYPE_CHECKING:
    from viewpoint_mcp.page.services import PageServices

_PATIENCE = 0.5  # seconds for an element to appear or become enabled when nothing on the page moves
_ANSWER = 0.5  # seconds more for a page to answer that it cannot do what it was asked in time
_ATTEMPTS: Final[tuple[tuple[Literal["name", "node"], float], ...]] = (
    ("name", 0.0),
    ("name", 0.05),
    ("node", 0.2),
)
"""What a press must meet, and the seconds before the page is tried again: what shifted comes to
rest, and the browser sends events to frames by what it drew last.
"""


class Element:
    """An element by its number in its frame's registry.

    Args:
        ref: As printed in a snapshot.
        named: What it was when it was printed; None for one found by a CSS selector.
    """

    def __init__(self, page: PageServices, frame: Frame, ref: Ref, named: Named | None) -> None:
        self.page = page
        self.frame = frame
        self.ref = ref
        self._named = named
        self.label = describe(named.role, named.name) if named else f"element {ref}"
        self._limit = page.timeouts.action + _ANSWER

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
        """Return the `Runtime.RemoteObjectId` of the element in the page's own world.

        Source: CDP `DOM.describeNode`, `DOM.resolveNode`.
        """
        session = self.frame.session
        node_id = await self.backend_node_id()
        resolved = await self.page.race(session.DOM.resolveNode(backendNodeId=node_id))
        return str(resolved["object"]["objectId"])

    async def backend_node_id(self) -> int:
        """Return CDP's `DOM.BackendNodeId`, asked for once."""
        if self._named and self._named.backend_node_id is not None:
            return self._named.backend_node_id
        world = await self.page.race(self.frame.world())
        object_id = await self.page.race(world.object_id(self.ref.element))
        if object_id is None:
            raise self._gone()
        described = await self.page.race(self.frame.session.DOM.describeNode(objectId=object_id))
        node_id = int(described["node"]["backendNodeId"])
        if self._named:
            self.page.refs.remember_backend_node_id(self.ref, node_id)
        return node_id

    async def check(self) -> None:
        """Make sure that the element is there and still the one that was printed.

        Raises:
            StaleRef: It is not.
        """
        told = await self.page.call(self.frame, "describe", self.ref.element)
        if told is None or not told["connected"]:
            raise self._gone()
        await self._recognise(told)

    async def hit(self, press: Callable[[float, float], Awaitable[object]]) -> None:
        """Press the mouse on the element, and on nothing else: a press that something else would
        get, because the page changed since the hit test, is kept from the page and tried again.

        Args:
            press: Moves the mouse to the point it is given, CSS pixels of the page's viewport, and
                presses a button there; returns when that is taken.

        Raises:
            ElementError: It cannot be reached, or the press missed it; the message names the cause.
        """
        missed = None
        for by, pause in _ATTEMPTS:
            await self.page.pause(pause)
            aim = HitGuard(self.page, by)
            await press(*await self.point(aim))
            outcome = await aim.outcome()
            if outcome is None:
                return
            frame, answer = outcome
            if answer["state"] == "waiting":
                await self._confirm()
                return
            missed = self._failure(answer, frame)
        assert missed is not None
        raise missed

    async def point(
        self, aim: HitGuard | None = None, *, even_disabled: bool = False
    ) -> tuple[float, float]:
        """Return where the mouse reaches it, in CSS pixels of the page's viewport; scrolls
        there, and waits while that can help.

        Args:
            aim: Watches the press that follows; its `outcome` must be asked for.
            even_disabled: What takes no input now will do as well.

        Raises:
            ElementError: It cannot be reached; the message names the cause.
        """
        options = {"aim": aim.by if aim else None, "evenDisabled": even_disabled}
        found = await self.prepare("prepare", options)
        if aim is None or not found["isAimed"]:
            return await self._to_viewport(found["x"], found["y"])
        aim.watch(self.frame)
        try:
            return await self._to_viewport(found["x"], found["y"], aim)
        except ViewpointError:
            await aim.outcome()
            raise

    async def _to_viewport(
        self, x: float, y: float, aim: HitGuard | None = None
    ) -> tuple[float, float]:
        """Take a point of the element's frame to the page's viewport, up through the frames, and
        make sure that a click there would get through to it.

        Args:
            aim: Watches in the frames above, too.
        """
        frame = self.frame
        while frame.parent is not None:
            parent = frame.parent
            options = self._options(aim=aim is not None)
            point = await self.page.call(
                parent, "framePoint", frame.owner, x, y, options, timeout=self._limit
            )
            if point.get("fail") == "gone":
                raise self._gone()
            if "fail" in point:
                raise self._failure(point, parent)
            if aim is not None:
                aim.watch(parent)
            x, y, frame = point["x"], point["y"], parent
        return x, y

    async def _confirm(self) -> None:
        """Make sure that it can be reached still: of a press that nobody saw it is not known where
        it went, as when the page lets no event through.

        Raises:
            ElementError: It cannot, so something else has got the press.
        """
        try:
            await self.point()
        except ElementError as error:
            message = f"The click on {self.label} went elsewhere. {error.message}"
            raise Covered(message, error.hint) from error

    async def prepare(self, function: str, options: dict[str, Any] | None = None) -> dict[str, Any]:
        """Have a function of `inpage` make the element ready for an act; returns what it answers.

        Args:
            function: Takes the element's number and options, `timeout` and `patience`
                (milliseconds) among them; answers with `role`, `name`, and where it failed `fail`.

        Raises:
            StaleRef: The element is gone, or another's now.
            ElementError: The function failed; the message names the cause.
        """
        answer: dict[str, Any] = await self.page.call(
            self.frame,
            function,
            self.ref.element,
            {**self._options(), **(options or {})},
            timeout=self._limit,
        )
        return await self.accept(answer)

    async def accept(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Take what a function of `inpage` answered about the element; see `prepare`.

        Raises:
            StaleRef: The element is gone, or another's now.
            ElementError: The function failed; the message names the cause.
        """
        if answer.get("fail") == "gone":
            raise self._gone()
        if "role" in answer:
            await self._recognise(answer)
        if "fail" in answer:
            raise self._failure(answer, self.frame)
        return answer

    async def _recognise(self, told: dict[str, Any]) -> None:
        was, role, name = self._named, told["role"], told["name"]
        if was is None:
            self.label = describe(role, name)
            return
        check_same(self.ref, was, role, name)
        if was.printed is not None and told["changes"] != was.printed.changes:
            raw = await self.page.call(self.frame, "groupAround", self.ref.element)
            if raw is not None:
                check_group(self.ref, was, decode(raw))
        # What is not shown has no name; it is called as it was.
        self.label = describe(role, name or was.name)
        if name and is_worth_noting(was.name, name):
            note = f"Ref {self.ref} was {describe(was.role, was.name)} and is {self.label} now"
            # An act may look at its element several times.
            if note not in self.page.events:
                self.page.events.append(note)

    def _gone(self) -> PageError | ElementError:
        return (
            gone(self.ref, self._named) if self._named else ElementError(f"{self.label} is gone.")
        )

    def _options(self, **options: object) -> dict[str, object]:
        timeout = self.page.timeouts.action * 1000
        patience = min(_PATIENCE * 1000, timeout)
        return {"timeout": timeout, "patience": patience, **options}

    def _failure(self, answer: dict[str, Any], frame: Frame) -> ElementError:
        what, how = answer["fail"], answer.get("how", "")
        is_frame = frame is not self.frame and what not in ("covered", "missed")
        label = f"The frame of {self.label}" if is_frame else self.label
        by = answer.get("by")
        cause = printed(self.page, frame, by) if by else None
        waited = answer["waited"] / 1000 if "waited" in answer else None
        return refusal(label, what, how, cause, text=by["text"] if by else "", waited=waited)

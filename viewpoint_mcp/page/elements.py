"""One element that the agent named: is it there, where, and why can it not be acted on?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from viewpoint_mcp.accessibility.refs import Named, Ref, check_same, describe, gone
from viewpoint_mcp.errors import Covered, Disabled, ElementError, NotVisible, PageError
from viewpoint_mcp.page.frames import Frame

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page

_PATIENCE = 0.5  # seconds for an element to appear or become enabled when nothing on the page moves


class Element:
    """An element by its number in its frame's registry.

    Args:
        ref: As printed in a snapshot.
        named: What it was when it was printed; None for one found by a CSS selector.
    """

    def __init__(self, page: Page, frame: Frame, ref: Ref, named: Named | None) -> None:
        self.page = page
        self.frame = frame
        self.ref = ref
        self._named = named
        self.label = describe(named.role, named.name) if named else f"element {ref}"

    async def box(self) -> dict[str, float]:
        """Return its box in CSS pixels of the page: x, y, width, height.

        Raises:
            ElementError: It is not drawn.
        """
        box = await self.prepare("boxFor")
        x, y = await self._to_viewport(box["x"], box["y"], hit=False)
        scrolled = await self.page.call(self.page.frames.main, "scrollOffset")
        return {
            "x": x + scrolled["x"],
            "y": y + scrolled["y"],
            "width": box["width"],
            "height": box["height"],
        }

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
        self._recognise(told)

    async def point(self) -> tuple[float, float]:
        """Return where the mouse reaches it, in CSS pixels of the page's viewport; scrolls
        there, and waits while that can help.

        Raises:
            ElementError: It cannot be reached; the message names the cause.
        """
        found = await self.prepare("prepare")
        return await self._to_viewport(found["x"], found["y"], hit=True)

    async def _to_viewport(self, x: float, y: float, *, hit: bool) -> tuple[float, float]:
        """Take a point of the element's frame to the page's viewport, up through the frames.

        Args:
            hit: Make sure that a click there would get through to the frame.
        """
        frame = self.frame
        while frame.parent is not None:
            parent = frame.parent
            point = await self.page.call(
                parent, "framePoint", frame.owner, x, y, hit, parent.next_element
            )
            if point.get("fail") == "gone":
                raise self._gone()
            if "fail" in point:
                raise self._failure(point, parent)
            x, y, frame = point["x"], point["y"], parent
        return x, y

    async def prepare(self, function: str, options: dict[str, Any] | None = None) -> dict[str, Any]:
        """Have a function of `inpage` make the element ready for an act; returns what it answers.

        Args:
            function: Takes the element's number and options, `timeout`, `patience` (milliseconds)
                and `first` (the next free number) among them; answers with `role`, `name`, and
                where it failed `fail`.

        Raises:
            StaleRef: The element is gone, or another's now.
            ElementError: The function failed; the message names the cause.
        """
        timeout = self.page.timeouts.action
        answer: dict[str, Any] = await self.page.call(
            self.frame,
            function,
            self.ref.element,
            {
                "timeout": timeout * 1000,
                "patience": min(_PATIENCE, timeout) * 1000,
                "first": self.frame.next_element,
                **(options or {}),
            },
            timeout=timeout + 5,
        )
        if answer.get("fail") == "gone":
            raise self._gone()
        self._recognise(answer)
        if "fail" in answer:
            raise self._failure(answer, self.frame)
        return answer

    def _recognise(self, told: dict[str, Any]) -> None:
        was, role, name = self._named, told["role"], told["name"]
        if was is None:
            self.label = describe(role, name)
            return
        check_same(self.ref, was, role, name)
        # What is not shown has no name; it is called as it was.
        self.label = describe(role, name or was.name)
        if name and name != was.name:
            was_called = describe(was.role, was.name)
            self.page.events.append(f"Ref {self.ref} was {was_called} and is {self.label} now")

    def _gone(self) -> PageError | ElementError:
        return (
            gone(self.ref, self._named) if self._named else ElementError(f"{self.label} is gone.")
        )

    def _failure(self, answer: dict[str, Any], frame: Frame) -> ElementError:
        what = answer["fail"]
        if what == "covered":
            return Covered(
                f"{self.label} is covered by {self._name_cover(answer, frame)}.",
                "Close or move what covers it, or act on that instead.",
            )
        if what in _UNUSABLE:
            return Disabled(f"{self.label} is {_UNUSABLE[what]} and takes no input now.")
        return NotVisible(
            f"{self.label} {_UNSEEN[what]}.", "Take a new snapshot to see what the page shows now."
        )

    def _name_cover(self, answer: dict[str, Any], frame: Frame) -> str:
        cover = answer["by"]
        label = describe(cover["role"], cover["name"])
        frame.next_element = max(frame.next_element, answer["next"])
        ref = Ref(self.ref.context, self.ref.page, frame.number, cover["number"])
        self.page.refs.remember(ref, cover["role"], cover["name"], frame.document)
        return f"{label} [ref={ref}]"


_UNUSABLE = {"disabled": "disabled", "readonly": "read-only", "not-editable": "no text field"}
_UNSEEN = {
    "hidden": "is not visible",
    "outside": "cannot be scrolled into view",
    "moving": "does not stop moving",
}

"""Boxes around elements, drawn above the page until they are hidden."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

from viewpoint_mcp.errors import CallError, PageChangedError, PageError
from viewpoint_mcp.page.isolated_world import InpageScriptError

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.frames import Frame
    from viewpoint_mcp.page.services import PageServices

HighlightState = Literal["drawn", "outside", "hidden"]
"""Whether the box is drawn now, or its element lies outside the viewport, or is not rendered."""


class Highlights:
    """The highlighted elements of one page.

    A box follows its element. It takes part in no hit test, no snapshot and no settling, but
    screenshots show it. A new document has no boxes.
    """

    def __init__(self, page: PageServices) -> None:
        self._page = page
        self._documents: dict[Frame, str] = {}  # the documents that may have boxes

    async def show(self, element: Element, style: str = "") -> HighlightState:
        """Draw a box around an element, with its role and name. It replaces an earlier box.

        Args:
            style: CSS declarations for the box, added to its style.

        Raises:
            CallError: The style has no valid declaration.
            ElementError: The element is gone.
            PageError: The document is not HTML, or the page does not answer.
        """
        await element.check_exists()
        state = await self._call_on(element, "show", element.label, style)
        if state == "bad style":
            raise CallError(
                f"The style has no valid CSS declaration: {style}",
                'Pass declarations such as "outline: 3px dashed blue; background: none".',
            )
        if state == "not HTML":
            raise PageError(
                f"{element.label} is in a document that is not HTML, where no box can be drawn.",
                "Use browser_take_screenshot with its ref to see it.",
            )
        self._documents[element.frame] = element.frame.document_id
        found: HighlightState = state
        return found

    async def hide(self, element: Element) -> bool:
        """Remove the box of an element. Return whether it had one.

        Raises:
            ElementError: The element is gone.
            PageError: The page does not answer.
        """
        await element.check_exists()
        return bool(await self._call_on(element, "hide"))

    async def hide_all(self) -> int:
        """Remove all boxes, and return their number.

        Raises:
            PageError: The page does not answer.
        """
        count = 0
        documents, self._documents = self._documents, {}
        for frame, document_id in documents.items():
            if frame.document_id != document_id or self._page.frames.get(frame.id) is not frame:
                continue  # the boxes went with their document
            try:
                count += await self._page.call_source(frame, _make_function(), "hideAll")
            except PageChangedError:
                continue
        return count

    async def _call_on(self, element: Element, action: str, *arguments: str) -> Any:
        """Call a function of `highlight.js` about an element.

        Source: CDP `Runtime.callFunctionOn`.
        """
        frame, number = element.frame, element.ref.element

        async def call_in_world() -> Any:
            object_id = await (await frame.world()).get_element_object_id(number)
            if object_id is None:
                raise element.removed_error()
            answer = await frame.session.Runtime.callFunctionOn(
                functionDeclaration=_make_function(),
                objectId=object_id,
                arguments=[{"value": each} for each in (action, *arguments)],
                returnByValue=True,
            )
            if "exceptionDetails" in answer:
                raise InpageScriptError(answer["result"].get("description", ""))
            return answer["result"].get("value")

        return await self._page.run_in_document(call_in_world())


@cache
def _make_function() -> str:
    """Return the source of a function that calls one of the functions of `highlight.js`.

    Its arguments are the name, and the arguments after the element, which is `this`.
    """
    script = files(__package__).joinpath("highlight.js").read_text(encoding="utf-8")
    return (
        f"function (name, ...rest) {{ globalThis.viewpointHighlights ??= (() => {{{script}}})();\n"
        "return globalThis.viewpointHighlights[name](this, ...rest); }"
    )

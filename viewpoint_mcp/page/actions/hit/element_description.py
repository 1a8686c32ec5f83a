"""Elements as replies print them, each with a ref."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewpoint_mcp.accessibility.refs import Ref, describe_element
from viewpoint_mcp.page.actions.hit.inpage_answers import ElementFacts
from viewpoint_mcp.page.frames import Frame

if TYPE_CHECKING:
    from viewpoint_mcp.page.services import PageServices


def describe_with_ref(page: PageServices, frame: Frame, element: ElementFacts) -> str:
    """Return an element as a snapshot would print it, with a ref that works from now on."""
    ref = Ref(page.context_number, page.page_number, frame.number, element.number)
    page.refs.remember_element(ref, element.role, element.name, frame.document_id)
    return f"{describe_element(element.role, element.name or element.text)} [ref={ref}]"

"""Elements as replies name them, each with a ref to act on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from viewpoint_mcp.accessibility.refs import Ref, describe
from viewpoint_mcp.page.frames import Frame

if TYPE_CHECKING:
    from viewpoint_mcp.page.services import PageServices


def printed(page: PageServices, frame: Frame, told: dict[str, Any]) -> str:
    """Return an element as a snapshot would print it, with a ref to act on.

    Args:
        told: Its `role`, `name`, `number`, and the `text` to call it by where it has no name.
    """
    role, name = told["role"], told["name"]
    ref = Ref(page.context, page.number, frame.number, told["number"])
    page.refs.remember(ref, role, name, frame.document)
    return f"{describe(role, name or told['text'])} [ref={ref}]"

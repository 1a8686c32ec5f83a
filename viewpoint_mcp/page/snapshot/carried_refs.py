"""Refs that carry over to equal elements.

If a part of a new document equals a part that the agent was shown in an earlier document of the
tab, its elements get the numbers that they had there. So do the elements of a part that the page
removed and rendered again. So the refs that the agent knows act on the equal elements. Each action
checks its element, as for all refs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewpoint_mcp.accessibility.tree import Node
from viewpoint_mcp.accessibility.tree_capture import Capture

if TYPE_CHECKING:
    from viewpoint_mcp.page.services import PageServices


async def carry_over_refs(page: PageServices, capture: Capture) -> None:
    """Give the elements of equal parts the refs that the agent knows, also in the capture.

    After the agent was shown the document, only elements that the page removed lose their refs.

    Args:
        capture: The capture of the whole main frame.

    Raises:
        DocumentReplacedError: The document was replaced meanwhile.
        PageError: The page is blocked, or does not answer.
    """
    frame = page.frames.main
    document_id = frame.document_id
    pairs = page.baselines.iterate_carried_nodes(
        capture.tree, document_id, frame.element_numbers.next_number
    )
    nodes: dict[int, Node] = {}
    numbers: dict[int, int] = {}
    given: set[int] = set()
    for old, new in pairs:
        number, old_number = int(new.properties["ref"]), int(old.properties["ref"])
        if number not in numbers and old_number not in given:
            given.add(old_number)
            nodes[number], numbers[number] = new, old_number
    if not numbers:
        return
    replaced = await page.call_inpage(frame, "takeOverNumbers", list(numbers.items()))
    if frame.document_id != document_id:
        return
    page.refs.take_over_numbers(frame.number, {each: numbers[each] for each in replaced})
    for number in replaced:
        node = nodes[number]
        node.properties = {**node.properties, "ref": numbers[number]}
        node.ref = f"{node.ref.rpartition('e')[0]}e{numbers[number]}"
    # The next walk must read the new numbers.
    frame.last_walk = frame.last_capture = None

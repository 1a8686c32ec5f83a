"""Detection of elements with click listeners that scripts have added.

The walker cannot see these listeners, because they belong to the page's main world. The debugger
lists them instead.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from cdp_protocol import CallTimeout
from viewpoint_mcp.page.isolated_world import IsolatedWorld

if TYPE_CHECKING:
    from cdp_protocol.types.dom_debugger import EventListener

_CLICK_TYPES: Final = frozenset(
    {"click", "dblclick", "mousedown", "mouseup", "pointerdown", "pointerup"}
)
_MAX_EVENT_TYPES: Final = 12
"""Maximum event types of an element. With more, it listens for a whole application."""

_MAX_WHOLE_GROUP: Final = 64
"""Maximum size of a group of elements with the same handler that is checked as a whole."""

_SAMPLE_SIZE: Final = 8
"""Number of elements that are checked first in a larger group."""

_MAX_FURTHER_CHECKS: Final = 500
"""Maximum number of further elements that are checked in one call; each costs about 0.1 ms."""

_TIMEOUT: Final = 5.0


class ClickListeners:
    """The click listeners found in one document.

    Args:
        has_child_in_same_process: A function that returns whether the document contains frames in
            the same process. Chromium lists the listeners of these frames, too.
    """

    def __init__(self, world: IsolatedWorld, has_child_in_same_process: Callable[[], bool]) -> None:
        self.world = world
        self._has_child_in_same_process = has_child_in_same_process
        self._known_nodes: set[int] = set()

    async def mark_new_elements_and_detect_walk_change(self) -> bool:
        """Request the listeners, and mark new elements that react to the mouse for the walker.

        Most of these elements are buttons and links, which have a ref without a mark. In a large
        group with the same handler, a sample is therefore checked first. The others are checked
        only if the sample changes the next walk.

        Returns:
            Whether the next walk would have a different result.

        Raises:
            WorldGoneError: The document was replaced meanwhile.

        Source: CDP `DOMDebugger.getEventListeners`.
        """
        try:
            listeners = await self.world.get_document_event_listeners(timeout=_TIMEOUT)
        except CallTimeout:
            return False
        groups = group_new_nodes_by_click_handler(listeners, self._known_nodes)
        if not groups:
            return False
        checks_left = _MAX_FURTHER_CHECKS
        samples = [pick_sample(nodes) for nodes in groups]
        changed = await self._mark_and_return_nodes_changing_walk(
            node for nodes in samples for node in nodes
        )
        for nodes, sampled in zip(groups, samples, strict=True):
            others = [node for node in nodes if node not in sampled]
            if changed.isdisjoint(sampled):
                self._known_nodes.update(others)
            elif checks_left > 0:
                changed |= await self._mark_and_return_nodes_changing_walk(others[:checks_left])
                checks_left -= len(others)
        await self.world.release_node_handles()
        return bool(changed)

    async def _mark_and_return_nodes_changing_walk(self, nodes: Iterable[int]) -> set[int]:
        """Mark the elements; return those that change the result of the next walk."""
        backend_node_ids = list(nodes)
        self._known_nodes.update(backend_node_ids)
        if self._has_child_in_same_process():
            backend_node_ids = await self.world.filter_nodes_of_document(backend_node_ids)
        resolved = await asyncio.gather(*map(self.world.get_object_id_of_node, backend_node_ids))
        object_ids = {
            node: found for node, found in zip(backend_node_ids, resolved, strict=True) if found
        }
        answers = await self.world.call_on_nodes("react", object_ids.values())
        return {node for node, is_changed in zip(object_ids, answers, strict=True) if is_changed}


def group_new_nodes_by_click_handler(
    listeners: Iterable[EventListener], known_nodes: set[int]
) -> list[list[int]]:
    """Return the new elements that react to the mouse, grouped by their handler.

    Args:
        listeners: The listeners, as CDP `DOMDebugger.EventListener`.
        known_nodes: Elements that are left out.

    Returns:
        Groups of `DOM.BackendNodeId`s.
    """
    types: dict[int, set[str]] = defaultdict(set)
    handlers: dict[int, tuple[str, int, int]] = {}
    for listener in listeners:
        node = listener.get("backendNodeId")
        if node is None or node in known_nodes:
            continue
        types[node].add(listener["type"])
        if listener["type"] in _CLICK_TYPES:
            handlers[node] = listener["scriptId"], listener["lineNumber"], listener["columnNumber"]
    groups: dict[tuple[str, int, int], list[int]] = defaultdict(list)
    for node, handler in handlers.items():
        if len(types[node]) <= _MAX_EVENT_TYPES:
            groups[handler].append(node)
    return list(groups.values())


def pick_sample(nodes: list[int]) -> list[int]:
    """Return an evenly spaced sample of the nodes; all of them if they are few."""
    if len(nodes) <= _MAX_WHOLE_GROUP:
        return nodes
    step = (len(nodes) - 1) / (_SAMPLE_SIZE - 1)
    return [nodes[round(index * step)] for index in range(_SAMPLE_SIZE)]

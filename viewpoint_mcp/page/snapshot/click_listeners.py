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

_TYPES: Final = frozenset({"click", "dblclick", "mousedown", "mouseup", "pointerdown", "pointerup"})
_DELEGATE_TYPES: Final = 12
"""Maximum event types of an element. With more, it listens for a whole application."""

_FEW: Final = 64
"""Maximum size of a group of elements with the same handler that is checked as a whole."""

_SAMPLE: Final = 8
"""Number of elements that are checked first in a larger group."""

_MOST: Final = 500
"""Maximum number of further elements that are checked in one call; each costs about 0.1 ms."""

_TIMEOUT: Final = 5.0


class Listeners:
    """The click listeners found in one document.

    Args:
        has_frames: A function that returns whether the document contains frames in the same
            process. Chromium lists the listeners of these frames, too.
    """

    def __init__(self, world: IsolatedWorld, has_frames: Callable[[], bool]) -> None:
        self.world = world
        self._has_frames = has_frames
        self._known: set[int] = set()

    async def learn(self) -> bool:
        """Request the listeners, and mark new elements that react to the mouse for the walker.

        Most of these elements are buttons and links, which have a ref without a mark. In a large
        group with the same handler, a sample is therefore checked first. The others are checked
        only if the sample changes the next walk.

        Returns:
            Whether the next walk would have a different result.

        Raises:
            WorldGone: The document was replaced meanwhile.

        Source: CDP `DOMDebugger.getEventListeners`.
        """
        try:
            found = await self.world.get_event_listeners(timeout=_TIMEOUT)
        except CallTimeout:
            return False
        groups = by_handler(found, self._known)
        if not groups:
            return False
        left = _MOST
        samples = [sample(nodes) for nodes in groups]
        news = await self._mark(node for nodes in samples for node in nodes)
        for nodes, asked in zip(groups, samples, strict=True):
            others = [node for node in nodes if node not in asked]
            if news.isdisjoint(asked):
                self._known.update(others)
            elif left > 0:
                news |= await self._mark(others[:left])
                left -= len(others)
        await self.world.release_nodes()
        return bool(news)

    async def _mark(self, nodes: Iterable[int]) -> set[int]:
        """Mark the elements; return those that change the result of the next walk."""
        asked = list(nodes)
        self._known.update(asked)
        if self._has_frames():
            asked = await self.world.filter_nodes_of_document(asked)
        resolved = await asyncio.gather(*map(self.world.resolve_node, asked))
        there = {node: found for node, found in zip(asked, resolved, strict=True) if found}
        answers = await self.world.call_on_nodes("react", there.values())
        return {node for node, is_news in zip(there, answers, strict=True) if is_news}


def by_handler(listeners: Iterable[EventListener], known: set[int]) -> list[list[int]]:
    """Return the new elements that react to the mouse, grouped by their handler.

    Args:
        listeners: The listeners, as CDP `DOMDebugger.EventListener`.
        known: Elements that are left out.

    Returns:
        Groups of `DOM.BackendNodeId`s.
    """
    types: dict[int, set[str]] = defaultdict(set)
    handlers: dict[int, tuple[str, int, int]] = {}
    for each in listeners:
        node = each.get("backendNodeId")
        if node is None or node in known:
            continue
        types[node].add(each["type"])
        if each["type"] in _TYPES:
            handlers[node] = each["scriptId"], each["lineNumber"], each["columnNumber"]
    groups: dict[tuple[str, int, int], list[int]] = defaultdict(list)
    for node, handler in handlers.items():
        if len(types[node]) <= _DELEGATE_TYPES:
            groups[handler].append(node)
    return list(groups.values())


def sample(nodes: list[int]) -> list[int]:
    """Return an evenly spaced sample of the nodes; all of them if they are few."""
    if len(nodes) <= _FEW:
        return nodes
    step = (len(nodes) - 1) / (_SAMPLE - 1)
    return [nodes[round(index * step)] for index in range(_SAMPLE)]

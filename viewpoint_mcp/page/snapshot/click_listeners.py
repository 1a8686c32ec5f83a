"""Tells the walker which elements react by a listener that a script has added: it cannot see them
itself, since they belong to the page's own world.
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
"""An element that listens for more kinds of events than this does so for a whole application."""

_FEW: Final = 64
"""So many elements that share a handler are all asked whether they can be acted on anyway."""

_SAMPLE: Final = 8
"""Of more than that only so many."""

_MOST: Final = 500
"""So many elements are asked in one look: each costs some 0.1 ms."""

_TIMEOUT: Final = 5.0


class Listeners:
    """What is known of the listeners in one document.

    Args:
        has_frames: Returns whether the document holds frames of its process. Chromium lists their
            listeners as well.
    """

    def __init__(self, world: IsolatedWorld, has_frames: Callable[[], bool]) -> None:
        self.world = world
        self._has_frames = has_frames
        self._known: set[int] = set()

    async def learn(self) -> bool:
        """Ask for the listeners, and mark the elements that are new among those that react.

        Returns:
            Whether a walk would tell something else now.

        Most of them are buttons and links, which have a ref without that. So of many that share
        one handler a sample is looked at first, and the others only if that taught something.

        Raises:
            WorldGone: The document was replaced meanwhile.

        Source: CDP `DOMDebugger.getEventListeners`.
        """
        try:
            found = await self.world.listeners(timeout=_TIMEOUT)
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
        await self.world.release()
        return bool(news)

    async def _mark(self, nodes: Iterable[int]) -> set[int]:
        """Mark the elements; returns those for which that was news to the walker."""
        asked = list(nodes)
        self._known.update(asked)
        if self._has_frames():
            asked = await self.world.nodes_of_document(asked)
        resolved = await asyncio.gather(*map(self.world.object_id_of_node, asked))
        there = {node: found for node, found in zip(asked, resolved, strict=True) if found}
        answers = await self.world.call_on_nodes("react", there.values())
        return {node for node, is_news in zip(there, answers, strict=True) if is_news}


def by_handler(listeners: Iterable[EventListener], known: set[int]) -> list[list[int]]:
    """Return the elements that react to the mouse and are not known, in groups that share a
    handler, by their `DOM.BackendNodeId`.

    Args:
        listeners: `DOMDebugger.EventListener` each.
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
    """Return some of the nodes, from first to last; all where they are few."""
    if len(nodes) <= _FEW:
        return nodes
    step = (len(nodes) - 1) / (_SAMPLE - 1)
    return [nodes[round(index * step)] for index in range(_SAMPLE)]

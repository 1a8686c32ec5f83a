"""Access to closed shadow roots: the debugger finds them and passes them to the in-page scripts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

from viewpoint_mcp.page.isolated_world import IsolatedWorld

if TYPE_CHECKING:
    from cdp_protocol.types.runtime import DeepSerializedValue

_MAX_NESTING = 100  # maximum nesting of closed roots in closed roots


async def expose_closed_roots_of_last_walk(world: IsolatedWorld) -> bool:
    """Pass the closed roots of the elements that the last walk met to the in-page scripts.

    Returns:
        Whether any were found, so that another walk would see more.

    Raises:
        WorldGoneError: The document was replaced meanwhile.
    """
    return await _expose_closed_roots(world, "takeCandidates")


async def expose_all_closed_roots(world: IsolatedWorld) -> bool:
    """Pass all closed roots of the document to the in-page scripts."""
    return await _expose_closed_roots(world, "seekCandidates")


async def _expose_closed_roots(world: IsolatedWorld, candidates_function: str) -> bool:
    elements = await world.call_returning_nodes(candidates_function)
    has_found = False
    try:
        for _ in range(_MAX_NESTING):
            roots = await _get_object_ids_of_nodes(world, _list_closed_roots(elements))
            if not roots:
                break
            has_found = True
            elements = await world.call_returning_nodes("adopt", roots)
    finally:
        await world.release_node_handles()
    return has_found


async def _get_object_ids_of_nodes(
    world: IsolatedWorld, backend_node_ids: Iterable[int]
) -> list[str]:
    resolved = await asyncio.gather(*map(world.get_object_id_of_node, backend_node_ids))
    return [each for each in resolved if each is not None]


def _list_closed_roots(elements: Iterable[DeepSerializedValue]) -> list[int]:
    """Return the `DOM.BackendNodeId`s of the closed roots in serialized elements."""
    roots = (each["value"].get("shadowRoot") for each in elements)
    return [
        root["value"]["backendNodeId"]
        for root in roots
        if root is not None and root["value"]["mode"] == "closed"
    ]

"""Access to closed shadow roots: the debugger finds them and passes them to the in-page scripts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

from viewpoint_mcp.page.isolated_world import IsolatedWorld

if TYPE_CHECKING:
    from cdp_protocol.types.runtime import DeepSerializedValue

_DEEPEST = 100  # maximum nesting of closed roots in closed roots


async def open_met_roots(world: IsolatedWorld) -> bool:
    """Pass the closed roots of the elements that the last walk met to the in-page scripts.

    Returns:
        Whether any were found, so that another walk would see more.

    Raises:
        WorldGone: The document was replaced meanwhile.
    """
    return await _open(world, "takeCandidates")


async def open_all_roots(world: IsolatedWorld) -> bool:
    """Pass all closed roots of the document to the in-page scripts; see `open_met_roots`."""
    return await _open(world, "seekCandidates")


async def _open(world: IsolatedWorld, candidates: str) -> bool:
    asked = await world.call_returning_nodes(candidates)
    found = False
    try:
        for _ in range(_DEEPEST):
            roots = await _resolve(world, _closed_roots(asked))
            if not roots:
                break
            found = True
            asked = await world.call_returning_nodes("adopt", roots)
    finally:
        await world.release_nodes()
    return found


async def _resolve(world: IsolatedWorld, backend_node_ids: Iterable[int]) -> list[str]:
    resolved = await asyncio.gather(*map(world.resolve_node, backend_node_ids))
    return [each for each in resolved if each is not None]


def _closed_roots(asked: Iterable[DeepSerializedValue]) -> list[int]:
    """Return the `DOM.BackendNodeId`s of the closed roots in serialized elements."""
    roots = (each["value"].get("shadowRoot") for each in asked)
    return [
        root["value"]["backendNodeId"]
        for root in roots
        if root is not None and root["value"]["mode"] == "closed"
    ]

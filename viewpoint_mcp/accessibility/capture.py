"""Takes the tree of a frame and of all frames below it, all walked at once, and splices them into
one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import orjson

from viewpoint_mcp.accessibility.scrub import is_clean_json
from viewpoint_mcp.accessibility.tree import Node, decode


class Document(Protocol):
    """What a snapshot needs of a frame."""

    @property
    def prefix(self) -> str:
        """What stands before `e{element}` in the refs of this frame."""

    next_element: int

    async def walk(self, options: dict[str, object]) -> str | None:
        """Run the walker; returns its JSON, or None when the document went away."""

    async def open_roots(self) -> bool:
        """Let the walker into what it had to pass by; returns whether it would see more now."""

    def remember(self, nodes: Sequence[Node]) -> None:
        """Take note of the nodes that have a ref."""

    async def child(self, owner: int) -> Document | None:
        """Return the frame that the element of that number shows."""


@dataclass(frozen=True, slots=True)
class Capture:
    """The accessibility tree of a page, or of a part of it.

    Attributes:
        gone: The document went away while it was walked; there are no nodes.
    """

    nodes: Sequence[Node]
    title: str = ""
    gone: bool = False


async def capture(
    top: Document,
    below: Iterable[Document],
    *,
    root: int | None = None,
    all_refs: bool = False,
    boxes: bool = False,
) -> Capture:
    """Walk a frame and the frames below it.

    Args:
        root: Number of the element of the top frame to begin at; None for the whole document.
        all_refs: Give refs to structure as well.
        boxes: Tell each element's box, CSS pixels of its own frame's viewport.
    """
    documents = {document.prefix: document for document in (top, *below)}
    options: dict[str, object] = {"allRefs": all_refs, "boxes": boxes}
    walks = await asyncio.gather(
        *(
            _walk(each, {**options, "root": root if each is top else None})
            for each in documents.values()
        )
    )
    if walks[0] is None:
        return Capture((), gone=True)
    trees = {prefix: walk.nodes for prefix, walk in zip(documents, walks, strict=True) if walk}
    await asyncio.gather(*(_splice(documents[prefix], trees) for prefix in trees))
    return walks[0]


async def _walk(document: Document, options: dict[str, object]) -> Capture | None:
    walk = await _walk_once(document, options)
    if walk and walk["hosts"] and await document.open_roots():
        walk = await _walk_once(document, options)
    if walk is None:
        return None
    numbered: list[Node] = []
    nodes = decode(walk["nodes"], document.prefix, numbered=numbered, clean=walk["clean"])
    document.remember(numbered)
    return Capture(nodes, walk["title"])


async def _walk_once(document: Document, options: dict[str, object]) -> dict[str, Any] | None:
    text = await document.walk({**options, "first": document.next_element})
    if text is None:
        return None
    walk: dict[str, Any] = orjson.loads(text)
    walk["clean"] = is_clean_json(text)
    document.next_element = max(document.next_element, walk["next"])
    return walk


async def _splice(document: Document, trees: dict[str, Sequence[Node]]) -> None:
    for node in _iframes(trees[document.prefix]):
        number = node.properties.get("ref")
        child = await document.child(number) if isinstance(number, int) else None
        if child is not None and child.prefix in trees:
            node.children = list(trees[child.prefix])


def _iframes(nodes: Iterable[Node]) -> list[Node]:
    found = []
    pending = list(nodes)
    while pending:
        node = pending.pop()
        if node.role == "iframe":
            found.append(node)
        else:
            pending.extend(child for child in node.children if isinstance(child, Node))
    return found

"""Takes the tree of a frame and of all frames below it, all walked at once, and splices them into
one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import orjson

from viewpoint_mcp.accessibility.scrub import is_clean_json
from viewpoint_mcp.accessibility.tree import Node, decode


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """What the walker said of one document.

    Attributes:
        told: Its JSON: nodes, title, `hosts` to ask about, `next` free number, `stamp`.
        clean: Its texts need no scrubbing.
        drawn: How often the browser had computed styles and layout then; None when that is not
            known.
    """

    told: dict[str, Any]
    clean: bool
    drawn: object


class Document(Protocol):
    """What a snapshot needs of a frame.

    Attributes:
        next_element: The number for the next element that gets one.
        kept: The last walk of the whole document, for as long as it is shown.
        shown: The last capture of it and all below it.
    """

    @property
    def prefix(self) -> str:
        """What stands before `e{element}` in the refs of this frame."""

    next_element: int
    kept: Walk | None
    shown: Capture | None

    async def walk(self, options: dict[str, object]) -> tuple[str, object] | None:
        """Run the walker.

        Returns:
            Its JSON, and how often the browser had computed styles and layout; that is None when
            it did so meanwhile. None alone when the document went away.
        """

    async def open_roots(self) -> bool:
        """Let the walker into what it had to pass by; returns whether it would see more now."""

    def remember(self, nodes: Sequence[Node]) -> None:
        """Take note of the nodes that have a ref."""

    async def child(self, owner: int) -> Document | None:
        """Return the frame that the element of that number shows."""


@dataclass(frozen=True, slots=True, eq=False)
class Capture:
    """The accessibility tree of a page, or of a part of it.

    Attributes:
        gone: The document went away while it was walked; there are no nodes.
        walks: What it was made of.
        printed: Texts made of it, and the file with the whole where they were cut; for who shows it
            again, under a key of their own.
    """

    nodes: Sequence[Node]
    title: str = ""
    gone: bool = False
    walks: Sequence[Walk | None] = field(default=(), repr=False)
    printed: dict[object, tuple[str, Path | None]] = field(default_factory=dict, repr=False)


async def capture(
    top: Document,
    below: Iterable[Document],
    *,
    root: int | None = None,
    all_refs: bool = False,
    boxes: bool = False,
) -> Capture:
    """Walk a frame and the frames below it.

    Returns:
        The same capture as the last time, where nothing changed since.

    Args:
        root: Number of the element of the top frame to begin at; None for the whole document.
        all_refs: Give refs to structure as well.
        boxes: Tell each element's box, CSS pixels of its own frame's viewport.
    """
    documents = {document.prefix: document for document in (top, *below)}
    options: dict[str, object] = {"allRefs": all_refs, "boxes": boxes}
    is_plain = root is None and not all_refs and not boxes
    walks = await asyncio.gather(
        *(
            _walk(each, {**options, "root": root if each is top else None}, is_kept=is_plain)
            for each in documents.values()
        )
    )
    if walks[0] is None:
        return Capture((), gone=True)
    if is_plain and top.shown is not None and list(top.shown.walks) == walks:
        return top.shown
    trees = {
        prefix: _read(documents[prefix], walk)
        for prefix, walk in zip(documents, walks, strict=True)
        if walk
    }
    await asyncio.gather(*(_splice(documents[prefix], trees) for prefix in trees))
    taken = Capture(trees[top.prefix], walks[0].told["title"], walks=walks)
    if is_plain:
        top.shown = taken
    return taken


async def _walk(document: Document, options: dict[str, object], *, is_kept: bool) -> Walk | None:
    walk = await _walk_once(document, options, document.kept if is_kept else None)
    if walk and walk is not document.kept and walk.told["hosts"] and await document.open_roots():
        walk = await _walk_once(document, options, None)
    if is_kept:
        document.kept = walk
    return walk


async def _walk_once(
    document: Document, options: dict[str, object], known: Walk | None
) -> Walk | None:
    since = known.told["stamp"] if known and known.drawn is not None else 0
    answer = await document.walk({**options, "first": document.next_element, "since": since})
    if answer is None:
        return None
    text, drawn = answer
    told: dict[str, Any] | None = orjson.loads(text)
    if told is None:
        if known is not None and drawn == known.drawn:
            return known
        return await _walk_once(document, options, None)
    document.next_element = max(document.next_element, told["next"])
    return Walk(told, is_clean_json(text), drawn)


def _read(document: Document, walk: Walk) -> list[Node]:
    numbered: list[Node] = []
    nodes = decode(walk.told["nodes"], document.prefix, numbered=numbered, clean=walk.clean)
    document.remember(numbered)
    return nodes


async def _splice(document: Document, trees: Mapping[str, Sequence[Node]]) -> None:
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

"""Takes the tree of a frame and of all frames below it, all walked at once, and splices them into
one.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Coroutine, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypedDict

import orjson

from cdp_protocol import CallTimeout
from viewpoint_mcp.accessibility.invisible_characters import is_clean_json
from viewpoint_mcp.accessibility.recycled_rows import Printed
from viewpoint_mcp.accessibility.tree import Node, decode

_AT_ONCE = 8  # frames of one process that are walked at a time: it answers one after the other
_PATIENCE = 3.0  # seconds without an answer from any frame, after which the rest is not waited for
_KNOWN_PATIENCE = 1.0  # the same when the rest did not answer the last time either


class WalkResult(TypedDict):
    """The JSON of the walker; see `inpage/snapshot/walker.js`.

    Attributes:
        changes: How often the document has changed so far.
        hosts: Count of elements that may have a closed shadow root.
        nodes: `tree.decode` reads them.
        stamp: Names the walk; 0 where it is not kept.
        withoutRef: Count of nodes without a ref.
    """

    changes: int
    hosts: int
    nodes: list[Any]
    stamp: int
    title: str
    withoutRef: int


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """What the walker said of one document.

    Attributes:
        told: Its JSON.
        clean: Its texts need no scrubbing.
        drawn: How often the browser had computed styles and layout then; None when that is not
            known.
    """

    told: WalkResult
    clean: bool
    drawn: object


class Document(Protocol):
    """What a snapshot needs of a frame.

    Attributes:
        kept: The last walk of the whole document, for as long as it is shown.
        shown: The last capture of it and all below it.
    """

    @property
    def prefix(self) -> str:
        """What stands before `e{element}` in the refs of this frame."""

    kept: Walk | None
    shown: Capture | None

    @property
    def process(self) -> Hashable:
        """The same for all that one process answers for, one after the other."""

    @property
    def unresponsive(self) -> bool:
        """Whether it did not answer when it was last asked."""

    async def walk(self, options: dict[str, object]) -> tuple[str, object] | None:
        """Run the walker.

        Returns:
            Its JSON, and how often the browser had computed styles and layout; that is None when
            it did so meanwhile. None alone when the document went away.
        """

    async def open_roots(self) -> bool:
        """Let the walker into what it had to pass by; returns whether it would see more now."""

    def remember(self, nodes: Sequence[Node], printed: Printed, *, is_whole: bool) -> None:
        """Take note of the nodes that have a ref, and of the tree that they are in.

        Args:
            is_whole: Whether that is the tree of the whole document.
        """

    async def child(self, owner: int) -> Document | None:
        """Return the frame that the element of that number shows."""

    def mark(self, iframe: Node, *, answered: bool) -> None:
        """Say at its `iframe` why nothing of this frame is shown.

        Args:
            answered: Whether it answered, if only that it has no document now.
        """


@dataclass(frozen=True, slots=True, eq=False)
class Capture:
    """The accessibility tree of a page, or of a part of it.

    Attributes:
        gone: The document went away while it was walked; there are no nodes.
        walks: What it was made of, by the frames' prefixes.
        printed: Texts made of it, and the file with the whole where they were cut; for who shows it
            again, under a key of their own.
        without_ref: How many rows, cells and list items got no ref because there are so many
            things to act on.
    """

    nodes: Sequence[Node]
    title: str = ""
    gone: bool = False
    walks: Mapping[str, Walk | None] = field(default_factory=dict, repr=False)
    printed: dict[object, tuple[str, Path | None]] = field(default_factory=dict, repr=False)
    without_ref: int = 0

    @property
    def notice(self) -> str:
        """What a reader should be told beside the tree, on a line of its own; "" for nothing."""
        if not self.without_ref:
            return ""
        return (
            f"\n{self.without_ref} rows, cells and list items have no ref, since there are so many "
            "things to act on. browser_snapshot with allRefs: true, or with ref (a part of the "
            "page), gives them."
        )


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

    def walk(document: Document) -> Coroutine[Any, Any, Walk | None]:
        own = {**options, "root": root if document is top else None}
        return _walk(document, own, is_kept=is_plain)

    walks = await _walk_all(list(documents.values()), walk)
    if walks[top.prefix] is None:
        return Capture((), gone=True)
    is_whole = len(walks) == len(documents) and None not in walks.values()
    if is_plain and is_whole and top.shown is not None and top.shown.walks == walks:
        return top.shown
    trees = {
        prefix: _read(
            documents[prefix], each, is_whole=root is None or documents[prefix] is not top
        )
        for prefix, each in walks.items()
        if each
    }
    await asyncio.gather(*(_splice(documents[each], trees, walks) for each in trees))
    told = [each.told for each in walks.values() if each]
    taken = Capture(
        trees[top.prefix].nodes,
        told[0]["title"],
        walks=walks,
        without_ref=sum(each["withoutRef"] for each in told),
    )
    if is_plain:
        top.shown = taken
    return taken


async def _walk_all(
    documents: Sequence[Document], walk: Callable[[Document], Coroutine[Any, Any, Walk | None]]
) -> dict[str, Walk | None]:
    """Walk the first document and, as far as they answer, the others.

    Returns:
        By prefix; None for a document that went away.
    """
    turns: defaultdict[Hashable, asyncio.Semaphore] = defaultdict(
        lambda: asyncio.Semaphore(_AT_ONCE)
    )

    async def walk_in_turn(document: Document) -> Walk | None:
        async with turns[document.process]:
            return await walk(document)

    walks = [asyncio.ensure_future(walk_in_turn(each)) for each in documents]
    try:
        if await walks[0] is not None:
            await _while_answering(dict(zip(walks, documents, strict=True)))
    finally:
        for each in walks:
            each.cancel()
        ends = await asyncio.gather(*walks, return_exceptions=True)
    return _answers((each.prefix for each in documents), ends)


async def _while_answering(walks: Mapping[asyncio.Future[Walk | None], Document]) -> None:
    """Wait for the frames as long as one or another answers: a thousand take their time, and one
    whose script runs for ever must not keep the others back.
    """
    pending = set(walks)
    while pending:
        is_known = all(walks[each].unresponsive for each in pending)
        done, pending = await asyncio.wait(
            pending,
            timeout=_KNOWN_PATIENCE if is_known else _PATIENCE,
            return_when=asyncio.FIRST_COMPLETED,
        )
        if not done:
            return


def _answers(
    prefixes: Iterable[str], ends: Iterable[Walk | BaseException | None]
) -> dict[str, Walk | None]:
    answers = {}
    for prefix, end in zip(prefixes, ends, strict=True):
        if not isinstance(end, BaseException):
            answers[prefix] = end
        elif not isinstance(end, asyncio.CancelledError | CallTimeout):
            raise end
    return answers


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
    answer = await document.walk({**options, "since": since})
    if answer is None:
        return None
    text, drawn = answer
    told: WalkResult | None = orjson.loads(text)
    if told is None:
        if known is not None and drawn == known.drawn:
            return known
        return await _walk_once(document, options, None)
    return Walk(told, is_clean_json(text), drawn)


@dataclass(frozen=True, slots=True)
class _Tree:
    """The nodes of one document, and those among them that show a frame."""

    nodes: Sequence[Node]
    iframes: Sequence[Node]


def _read(document: Document, walk: Walk, *, is_whole: bool) -> _Tree:
    numbered: list[Node] = []
    nodes = decode(walk.told["nodes"], document.prefix, numbered=numbered, clean=walk.clean)
    document.remember(numbered, Printed(nodes, walk.told["changes"]), is_whole=is_whole)
    return _Tree(nodes, [each for each in numbered if _is_iframe(each)])


async def _splice(
    document: Document, trees: Mapping[str, _Tree], walks: Mapping[str, Walk | None]
) -> None:
    """Put the trees of its child frames under their iframes, or say there why not."""
    for node in trees[document.prefix].iframes:
        child = await document.child(int(node.properties["ref"]))
        if child is None:
            continue
        if child.prefix in trees:
            node.children = list(trees[child.prefix].nodes)
        else:
            child.mark(node, answered=child.prefix in walks)


def _is_iframe(node: Node) -> bool:
    return node.role == "iframe" or "frame" in node.properties

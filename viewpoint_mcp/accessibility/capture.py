"""Capture of the accessibility tree of a page.

Walks a frame and its descendant frames concurrently, and joins their trees at the iframes.
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
from viewpoint_mcp.accessibility.recycled_rows import PrintedTree
from viewpoint_mcp.accessibility.tree import Node, decode

_AT_ONCE = 8  # concurrent walks per process; a process handles its frames one after another
_PATIENCE = 3.0  # timeout in seconds that restarts with each answer of a frame
_KNOWN_PATIENCE = 1.0  # the same if all remaining frames did not answer the last time either


class WalkResult(TypedDict):
    """The JSON result of the walker; see `inpage/snapshot/walker.js`.

    Attributes:
        changes: The number of changes of the document so far.
        hosts: The number of elements that may have a closed shadow root.
        nodes: The tree, in the format that `tree.decode` reads.
        stamp: The number of the walk, for the `since` option; 0 if the walker does not keep it.
        title: The title of the document.
        withoutRef: The number of nodes without a ref.
    """

    changes: int
    hosts: int
    nodes: list[Any]
    stamp: int
    title: str
    withoutRef: int


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """The walker's result for one document.

    Attributes:
        told: The decoded JSON.
        clean: Whether its texts contain no invisible characters, so that `scrub` is not needed.
        drawn: How often the browser had computed styles and layout at that time; None if
            unknown.
    """

    told: WalkResult
    clean: bool
    drawn: object


class Document(Protocol):
    """The document of a frame, as far as a capture needs it.

    Attributes:
        kept: The last walk of the whole document, while the frame shows this document.
        shown: The last capture of the document and its descendant frames.
    """

    @property
    def prefix(self) -> str:
        """The part before `e{element}` in the refs of this frame."""

    kept: Walk | None
    shown: Capture | None

    @property
    def process(self) -> Hashable:
        """A key that is equal for all documents whose walks one process runs in sequence."""

    @property
    def unresponsive(self) -> bool:
        """Whether the document did not answer the last walk."""

    async def walk(self, options: dict[str, object]) -> tuple[str, object] | None:
        """Run the walker in the document.

        Args:
            options: The options of the walker; see `inpage/snapshot/walker.js`.

        Returns:
            The walker's JSON, and how often the browser has computed styles and layout. The count
            is None if it changed during the walk. Return None instead of a pair if the document
            was replaced or removed.
        """

    async def open_roots(self) -> bool:
        """Give the walker access to closed shadow roots; return whether it can see more now."""

    def remember(self, nodes: Sequence[Node], printed: PrintedTree, *, is_whole: bool) -> None:
        """Store the nodes that have a ref, and the tree that contains them.

        Args:
            nodes: The nodes that have a ref.
            printed: The tree that contains the nodes.
            is_whole: Whether it is the tree of the whole document.
        """

    async def child(self, owner: int) -> Document | None:
        """Return the document of the frame in the element with this number; None if unknown."""

    def mark(self, iframe: Node, *, answered: bool) -> None:
        """Mark an `iframe` with the reason why this document is not in the tree.

        Args:
            iframe: The node of the iframe element.
            answered: Whether the frame answered the walk, even without a document.
        """


@dataclass(frozen=True, slots=True, eq=False)
class Capture:
    """The accessibility tree of a page, or of a part of it.

    Attributes:
        nodes: The top nodes of the tree.
        title: The title of the top document.
        gone: Whether the document was replaced or removed during the walk. Then `nodes` is empty.
        walks: The walks that the tree was built from, by the prefixes of the frames.
        printed: A cache of texts printed from the tree. Each entry has the text, and the path of
            the file with the whole text if the text was cut. Callers choose their keys.
        without_ref: The number of rows, cells and list items without a ref. The walker omits their
            refs if the page has very many actionable elements.
    """

    nodes: Sequence[Node]
    title: str = ""
    gone: bool = False
    walks: Mapping[str, Walk | None] = field(default_factory=dict, repr=False)
    printed: dict[object, tuple[str, Path | None]] = field(default_factory=dict, repr=False)
    without_ref: int = 0

    @property
    def notice(self) -> str:
        """A notice to print after the tree, with a line break before it; "" for none."""
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
    """Capture the accessibility tree of a frame and its descendant frames.

    Args:
        top: The document of the frame.
        below: The documents of the descendant frames.
        root: The number of the element of the top frame to start at; None for the whole document.
        all_refs: Whether structural elements get refs as well.
        boxes: Whether to add each element's box, in CSS pixels of its frame's viewport.

    Returns:
        The capture. If nothing changed since the last capture with default options, the same
        object.
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
    """Walk all documents. Skip those that do not answer, but wait for the first one.

    Returns:
        The walks by prefix. The value is None for a document that was replaced or removed.
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
    """Wait for the walks of frames until all are done or none answers within the timeout.

    Each answer restarts the timeout: a thousand frames may take long, but a frame with an endless
    script must not delay the capture.
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
    """The nodes of one document, and the iframe nodes among them."""

    nodes: Sequence[Node]
    iframes: Sequence[Node]


def _read(document: Document, walk: Walk, *, is_whole: bool) -> _Tree:
    numbered: list[Node] = []
    nodes = decode(walk.told["nodes"], document.prefix, numbered=numbered, clean=walk.clean)
    document.remember(numbered, PrintedTree(nodes, walk.told["changes"]), is_whole=is_whole)
    return _Tree(nodes, [each for each in numbered if _is_iframe(each)])


async def _splice(
    document: Document, trees: Mapping[str, _Tree], walks: Mapping[str, Walk | None]
) -> None:
    """Insert the trees of the child frames into the iframe nodes, or mark why they are missing."""
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

"""Capture of the accessibility tree of a page.

Walks a frame and its descendant frames concurrently, and joins their trees at the iframes.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Coroutine, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import compress
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypedDict

import orjson

from cdp_protocol import CallTimeout
from viewpoint_mcp.accessibility.capture_options import DEFAULT_OPTIONS, CaptureOptions
from viewpoint_mcp.accessibility.diff.drawing_changes import Drawing
from viewpoint_mcp.accessibility.known.tree_index import TreeIndex
from viewpoint_mcp.accessibility.printing.invisible_characters import has_no_invisible_characters
from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import format_count
from viewpoint_mcp.accessibility.recycled_list_rows import PrintedTree
from viewpoint_mcp.accessibility.tree import Node, decode_tree

_MAX_CONCURRENT_WALKS = 8  # per process, which handles its frames one after another
_ANSWER_TIMEOUT = 3.0  # timeout in seconds that restarts with each answer of a frame
_UNRESPONSIVE_TIMEOUT = 1.0  # the same if all remaining frames did not answer the last time either


class WalkResult(TypedDict):
    """The JSON result of the walker; see `inpage/snapshot/walker.js`.

    Attributes:
        baseUrl: The URL that relative addresses in the document refer to.
        changes: The number of changes of the document so far.
        drawings: The canvases, and the SVG graphics that have changed.
        hosts: The number of elements that may have a closed shadow root.
        leftOut: The number of invisible elements that are not in the tree.
        nodes: The tree, in the format that `decode_tree` reads.
        stamp: The number of the walk, for the `since` option; 0 if the walker does not keep it.
        title: The title of the document.
        withoutRef: The number of nodes without a ref.
    """

    baseUrl: str
    changes: int
    drawings: list[Drawing]
    hosts: int
    leftOut: int
    nodes: list[Any]
    stamp: int
    title: str
    withoutRef: int


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """The walker's result for one document.

    Attributes:
        result: The decoded JSON.
        is_clean: Whether its texts contain no invisible characters, so that `remove_invisible`
            is not needed.
        layout_counts: How often the browser had computed styles and layout at that time; None if
            unknown.
    """

    result: WalkResult
    is_clean: bool
    layout_counts: object


class WalkerOutput(NamedTuple):
    """The output of the walker in one document, before it is decoded.

    Attributes:
        json_text: The JSON of a `WalkResult`, or null if nothing changed since the last walk.
        layout_counts: How often the browser has computed styles and layout; None if this changed
            during the walk.
    """

    json_text: str
    layout_counts: object


class Document(Protocol):
    """The document of a frame, as far as a capture needs it.

    Attributes:
        last_walk: The last walk of the whole document, while the frame shows this document.
        last_capture: The last capture of the document and its descendant frames.
    """

    @property
    def ref_prefix(self) -> str:
        """The part before `e{element}` in the refs of this frame."""

    last_walk: Walk | None
    last_capture: Capture | None

    @property
    def process_key(self) -> Hashable:
        """A key that is equal for all documents whose walks one process runs in sequence."""

    @property
    def is_unresponsive(self) -> bool:
        """Whether the document did not answer the last walk."""

    async def walk(self, options: dict[str, object]) -> WalkerOutput | None:
        """Run the walker in the document.

        Args:
            options: The options of the walker; see `inpage/snapshot/walker.js`.

        Returns:
            The output of the walker; None if the document was replaced or removed.
        """

    async def expose_closed_shadow_roots(self) -> bool:
        """Give the walker access to closed shadow roots; return whether it can see more now."""

    def remember_nodes_with_ref(
        self, nodes: Sequence[Node], tree: PrintedTree, *, is_whole: bool
    ) -> None:
        """Store the nodes that have a ref, and the tree that contains them.

        Args:
            is_whole: Whether it is the tree of the whole document.
        """

    async def find_child(self, owner_number: int) -> Document | None:
        """Return the document of the frame in the element with this number; None if unknown."""

    def mark_as_missing(self, iframe: Node, *, has_answered_walk: bool) -> None:
        """Mark an `iframe` with the reason why this document is not in the tree.

        Args:
            has_answered_walk: Whether the frame answered the walk, even without a document.
        """


@dataclass(frozen=True, slots=True, eq=False)
class Capture:
    """The accessibility tree of a page, or of a part of it.

    Attributes:
        nodes: The top nodes of the tree.
        tree: The nodes, indexed to find their parts again in later trees.
        title: The title of the top document.
        base_url: The URL that relative addresses in the top document refer to.
        is_document_gone: Whether the document was replaced or removed during the walk. Then `nodes`
            is empty.
        walks: The walks that the tree was built from, by the prefixes of the frames.
        text_cache: A cache of texts printed from the tree. Each entry has the text, and the path of
            the file with the whole text if the text was cut. Callers choose their keys.
        count_without_ref: The number of rows, cells and list items without a ref. The walker omits
            their refs if the page has very many actionable elements.
        hidden_count: The number of invisible elements that are not in the tree.
    """

    nodes: Sequence[Node]
    title: str = ""
    base_url: str = ""
    is_document_gone: bool = False
    walks: Mapping[str, Walk | None] = field(default_factory=dict, repr=False)
    text_cache: dict[object, tuple[str, Path | None]] = field(default_factory=dict, repr=False)
    count_without_ref: int = 0
    hidden_count: int = 0
    tree: TreeIndex = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tree", TreeIndex(self.nodes, self.base_url))

    @property
    def drawings(self) -> dict[int, Drawing]:
        """The drawings of all frames, by id."""
        results = [each.result for each in self.walks.values() if each]
        return {drawing["id"]: drawing for each in results for drawing in each["drawings"]}

    @property
    def elements_without_ref_notice(self) -> str:
        """A notice to print after the tree, with a line break before it; "" for none."""
        if not self.count_without_ref:
            return ""
        return (
            f"\n{self.count_without_ref} rows, cells and list items have no ref, because the page "
            "has so many elements to act on. For their refs, call browser_snapshot with "
            "allRefs: true, or with ref (a part of the page)."
        )

    @property
    def hidden_elements_comment(self) -> str:
        """A YAML comment to print after the tree, with a line break before it; "" for none."""
        if not self.hidden_count:
            return ""
        count = format_count(self.hidden_count, "invisible element")
        return f"\n# {count} {'is' if self.hidden_count == 1 else 'are'} not shown (hidden: true)"


async def capture_tree(
    top_document: Document,
    descendant_documents: Iterable[Document],
    *,
    root_number: int | None = None,
    options: CaptureOptions = DEFAULT_OPTIONS,
    frames_timeout: float = 20.0,
) -> Capture:
    """Capture the accessibility tree of a frame and its descendant frames.

    Args:
        top_document: The document of the frame.
        descendant_documents: The documents of the descendant frames.
        root_number: The number of the element to start at; None for the whole top document.
        options: The options.
        frames_timeout: Seconds for all descendant frames together.

    Returns:
        The capture. With default options, the last capture if nothing changed since then.
    """
    documents = {each.ref_prefix: each for each in (top_document, *descendant_documents)}
    has_default_options = root_number is None and options == DEFAULT_OPTIONS

    def walk_with_options(document: Document) -> Coroutine[Any, Any, Walk | None]:
        root = root_number if document is top_document else None
        walker_options = {**options.for_walker(), "root": root}
        return _walk_document(document, walker_options, use_cache=has_default_options)

    walks = await _walk_documents(list(documents.values()), walk_with_options, frames_timeout)
    if walks[top_document.ref_prefix] is None:
        return Capture((), is_document_gone=True)
    is_whole = len(walks) == len(documents) and None not in walks.values()
    last_capture = top_document.last_capture if has_default_options and is_whole else None
    if last_capture is not None and last_capture.walks == walks:
        return last_capture
    capture = await _join_walks(documents, walks, None if root_number is None else top_document)
    if has_default_options:
        top_document.last_capture = capture
    return capture


async def _join_walks(
    documents: Mapping[str, Document], walks: Mapping[str, Walk | None], partial: Document | None
) -> Capture:
    """Return the capture of the walks. The first one is of the top document.

    Args:
        documents: The documents by prefix.
        walks: The walks by prefix.
        partial: The document of which only a part was walked; None for none.
    """
    trees = {
        prefix: _decode_walk(documents[prefix], each, is_whole=documents[prefix] is not partial)
        for prefix, each in walks.items()
        if each
    }
    await asyncio.gather(*(_insert_child_trees(documents[each], trees, walks) for each in trees))
    walk_results = [each.result for each in walks.values() if each]
    return Capture(
        nodes=trees[next(iter(walks))].nodes,
        title=walk_results[0]["title"],
        base_url=walk_results[0]["baseUrl"],
        walks=walks,
        count_without_ref=sum(each["withoutRef"] for each in walk_results),
        hidden_count=sum(each["leftOut"] for each in walk_results),
    )


async def _walk_documents(
    documents: Sequence[Document],
    walk: Callable[[Document], Coroutine[Any, Any, Walk | None]],
    frames_timeout: float,
) -> dict[str, Walk | None]:
    """Walk all documents. Skip those that do not answer, but wait for the first one.

    Returns:
        The walks by prefix. The value is None for a document that was replaced or removed.
    """
    turns: defaultdict[Hashable, asyncio.Semaphore] = defaultdict(
        lambda: asyncio.Semaphore(_MAX_CONCURRENT_WALKS)
    )

    async def walk_when_process_is_free(document: Document) -> Walk | None:
        async with turns[document.process_key]:
            return await walk(document)

    walks = [asyncio.ensure_future(walk_when_process_is_free(each)) for each in documents]
    try:
        if await walks[0] is not None:
            waiting = _wait_until_done_or_unresponsive(dict(zip(walks, documents, strict=True)))
            with suppress(TimeoutError):
                await asyncio.wait_for(waiting, frames_timeout)
    finally:
        for each in walks:
            each.cancel()
        outcomes = await asyncio.gather(*walks, return_exceptions=True)
    return _collect_walks((each.ref_prefix for each in documents), outcomes)


async def _wait_until_done_or_unresponsive(
    walks: Mapping[asyncio.Future[Walk | None], Document],
) -> None:
    """Wait for the walks of frames until all are done or none answers within the timeout.

    Each answer restarts the timeout: a thousand frames may take long, but a frame with an endless
    script must not delay the capture.
    """
    pending = set(walks)
    while pending:
        is_known = all(walks[each].is_unresponsive for each in pending)
        done, pending = await asyncio.wait(
            pending,
            timeout=_UNRESPONSIVE_TIMEOUT if is_known else _ANSWER_TIMEOUT,
            return_when=asyncio.FIRST_COMPLETED,
        )
        if not done:
            return


def _collect_walks(
    ref_prefixes: Iterable[str], outcomes: Iterable[Walk | BaseException | None]
) -> dict[str, Walk | None]:
    walks = {}
    for ref_prefix, outcome in zip(ref_prefixes, outcomes, strict=True):
        if not isinstance(outcome, BaseException):
            walks[ref_prefix] = outcome
        elif not isinstance(outcome, asyncio.CancelledError | CallTimeout):
            raise outcome
    return walks


async def _walk_document(
    document: Document, options: dict[str, object], *, use_cache: bool
) -> Walk | None:
    walk = await _run_walker(document, options, document.last_walk if use_cache else None)
    if (
        walk
        and walk is not document.last_walk
        and walk.result["hosts"]
        and await document.expose_closed_shadow_roots()
    ):
        walk = await _run_walker(document, options, None)
    if use_cache:
        document.last_walk = walk
    return walk


async def _run_walker(
    document: Document, options: dict[str, object], last_walk: Walk | None
) -> Walk | None:
    since = last_walk.result["stamp"] if last_walk and last_walk.layout_counts is not None else 0
    answer = await document.walk({**options, "since": since})
    if answer is None:
        return None
    text, layout_counts = answer
    result: WalkResult | None = orjson.loads(text)
    if result is None:
        if last_walk is not None and layout_counts == last_walk.layout_counts:
            return last_walk
        return await _run_walker(document, options, None)
    return Walk(result, has_no_invisible_characters(text), layout_counts)


@dataclass(frozen=True, slots=True)
class _DocumentTree:
    """The nodes of one document, and the iframes among them."""

    nodes: Sequence[Node]
    iframes: Sequence[Node]


def _decode_walk(document: Document, walk: Walk, *, is_whole: bool) -> _DocumentTree:
    nodes_with_ref: list[Node] = []
    nodes = decode_tree(
        walk.result["nodes"],
        document.ref_prefix,
        nodes_with_ref=nodes_with_ref,
        is_clean=walk.is_clean,
    )
    document.remember_nodes_with_ref(
        nodes_with_ref, PrintedTree(nodes, walk.result["changes"]), is_whole=is_whole
    )
    is_iframe = [each.role == "iframe" or "frame" in each.properties for each in nodes_with_ref]
    return _DocumentTree(nodes, list(compress(nodes_with_ref, is_iframe)))


async def _insert_child_trees(
    document: Document, trees: Mapping[str, _DocumentTree], walks: Mapping[str, Walk | None]
) -> None:
    """Insert the trees of the child frames into the iframe nodes, or mark why they are missing."""
    for node in trees[document.ref_prefix].iframes:
        child = await document.find_child(int(node.properties["ref"]))
        if child is None:
            continue
        if child.ref_prefix in trees:
            node.children = list(trees[child.ref_prefix].nodes)
        else:
            child.mark_as_missing(node, has_answered_walk=child.ref_prefix in walks)

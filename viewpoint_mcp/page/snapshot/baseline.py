"""The baseline of a page for one reader: the tree that it saw last, and those before it.

The reader is the agent, or a person at a shell; see `Baselines`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from viewpoint_mcp.accessibility.diff.drawing_changes import Drawing
from viewpoint_mcp.accessibility.diff.equality import iterate_nodes_at_any_depth
from viewpoint_mcp.accessibility.diff.repeated_texts import RepeatedTexts
from viewpoint_mcp.accessibility.known.known_parts import (
    KnownParts,
    find_known_parts,
    find_parts_rendered_again,
)
from viewpoint_mcp.accessibility.known.tree_index import TreeIndex
from viewpoint_mcp.accessibility.tree import Node

_MAX_FORMER_DOCUMENTS: Final = 3  # a list, an entry of it, and the form that changes the entry


class Baseline:
    """The tree that later snapshots are compared with.

    Attributes:
        drawings: The drawings of the page at that time, by id.
        is_older_than_view: Whether the agent has seen a newer state of a part of the page, which is
            not in the baseline.
        has_seen_document: Whether the agent has seen the present document, or a part of it.
        highest_number: The number after the highest ref when the tree was last searched for parts
            that were rendered again.
        repeated_texts: The texts of the document that changed in the last replies.
    """

    def __init__(self) -> None:
        self.drawings: Mapping[int, Drawing] = MappingProxyType({})
        self.highest_number = 0
        self._tree: TreeIndex | None = None
        self._former_trees: deque[TreeIndex] = deque(maxlen=_MAX_FORMER_DOCUMENTS)
        self._document_id = ""
        self.is_older_than_view = False
        self.has_seen_document = False
        self.repeated_texts = RepeatedTexts()
        self._known: tuple[TreeIndex, KnownParts] | None = None  # for the tree looked at last

    def set_tree(
        self,
        tree: TreeIndex,
        document_id: str,
        drawings: Mapping[int, Drawing] = MappingProxyType({}),
    ) -> None:
        """Set the baseline to a tree that the agent has seen: whole, as a diff, or part by part.

        Args:
            document_id: CDP `Network.LoaderId` of the main frame's document.
            drawings: The drawings of the page, by id.
        """
        if document_id != self._document_id:
            self.repeated_texts = RepeatedTexts()
        self._tree, self._document_id, self.drawings = tree, document_id, drawings
        self._known = None
        self.is_older_than_view = False
        self.has_seen_document = True

    def note_partial_view(self, nodes: Sequence[Node | str]) -> None:
        """Note that the agent saw a part of a capture of the page.

        Args:
            nodes: The nodes of the capture.
        """
        self.has_seen_document = True
        self.is_older_than_view |= self._tree is None or nodes is not self._tree.nodes

    def nodes_for(self, document_id: str) -> Sequence[Node] | None:
        """Return the baseline of the document; None if the document has none."""
        if self._tree is None or document_id != self._document_id:
            return None
        return self._tree.nodes

    def list_refs(self, document_id: str) -> set[str]:
        """Return the refs in the baseline of the document."""
        return _refs_of(self.nodes_for(document_id) or ())

    def has_shown_before(self, ref: str) -> bool:
        """Return whether one of the last documents before the present one had a ref."""
        return any(ref in _refs_of(tree.nodes) for tree in self._former_trees)

    @property
    def has_shown_trees(self) -> bool:
        """Whether the agent was shown this document or one of the last documents before it."""
        return self._tree is not None or bool(self._former_trees)

    def find_known_parts(self, tree: TreeIndex) -> KnownParts:
        """Return the parts of a tree that the agent was shown before; see `find_known_parts`."""
        if self._known is None or self._known[0] is not tree:
            self._known = tree, find_known_parts(tree, self._shown_trees())
        return self._known[1]

    def find_parts_rendered_again(self, tree: TreeIndex) -> KnownParts | None:
        """Return the parts that the document rendered again; None if there can be none.

        They are equal to parts of the baseline, but their elements are new.

        Args:
            tree: The present tree of the baseline's document.
        """
        if self._tree is None:
            return None
        before, now = _refs_of(self._tree.nodes), _refs_of(tree.nodes)
        if before <= now or now <= before:
            return None
        return find_parts_rendered_again(tree, self._tree)

    def note_document_replaced(self) -> None:
        """End the baseline with its document. Its regions may appear again in the next one."""
        if self._tree is not None:
            self._former_trees.appendleft(self._tree)
        self._tree = self._known = None
        self.has_seen_document = False

    def forget(self) -> None:
        """Drop the baseline and the trees before it, because the agent may not have seen them."""
        self._tree = self._known = None
        self.has_seen_document = False
        self._former_trees.clear()

    def _shown_trees(self) -> Sequence[TreeIndex]:
        """Return the baseline, and the last trees of the documents before it, the newest first."""
        current = () if self._tree is None else (self._tree,)
        return (*current, *self._former_trees)


def _refs_of(nodes: Sequence[Node]) -> set[str]:
    return {node.ref for node in iterate_nodes_at_any_depth(nodes) if node.ref}

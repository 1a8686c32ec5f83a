"""The baselines of a page: one for each reader of replies.

The client of a session and a person at a shell read different replies about the same page. A diff
is right only for the reader who saw the tree that it is compared with. Refs are the same for all.
"""

from __future__ import annotations

from collections.abc import Iterator

from viewpoint_mcp.accessibility.known.known_parts import KnownParts, iterate_equal_nodes
from viewpoint_mcp.accessibility.known.tree_index import TreeIndex
from viewpoint_mcp.accessibility.tree import Node
from viewpoint_mcp.caller import caller
from viewpoint_mcp.page.snapshot.baseline import Baseline


class Baselines:
    """The baselines of one page by their readers; see `Caller.reader`."""

    def __init__(self) -> None:
        self._by_reader: dict[str, Baseline] = {}

    @property
    def current(self) -> Baseline:
        """The baseline of the reader of the current call."""
        return self._by_reader.setdefault(caller().reader, Baseline())

    def note_document_replaced(self) -> None:
        """End the baselines with their document; see `Baseline.note_document_replaced`."""
        for each in self._by_reader.values():
            each.note_document_replaced()

    def forget(self) -> None:
        """Drop all baselines; see `Baseline.forget`."""
        for each in self._by_reader.values():
            each.forget()

    def is_from_unseen_document(self, ref: str) -> bool:
        """Return whether the reader knows a ref from an earlier document only.

        It may stand for an equal element of the present document, which another reader has seen.
        """
        current = self.current
        return (
            not current.has_seen_document
            and any(each.has_seen_document for each in self._by_reader.values())
            and current.has_shown_before(ref)
        )

    def iterate_carried_nodes(
        self, tree: TreeIndex, document_id: str, next_number: int
    ) -> Iterator[tuple[Node, Node]]:
        """Yield each node whose element should get a ref that a reader knows, after its equal node.

        In a document that no reader has seen, these are the nodes of known parts. Later they are
        the nodes of parts that the page rendered again.

        Args:
            tree: The present tree.
            document_id: CDP `Network.LoaderId` of the present document.
            next_number: The next number of an element; unchanged if there are no new elements.
        """
        current = self.current
        baselines = [current, *(e for e in self._by_reader.values() if e is not current)]
        is_new = all(each.nodes_for(document_id) is None for each in baselines)
        for baseline in baselines:
            known = (
                baseline.find_known_parts(tree)
                if is_new
                else _find_parts_rendered_again(baseline, tree, document_id, next_number)
            )
            if known is None:
                continue
            shown_to_others = {
                ref
                for other in baselines
                if other is not baseline
                for ref in other.list_refs(document_id)
            }
            for old, new in iterate_equal_nodes(tree.nodes, known):
                if old.ref and old.ref != new.ref and new.ref not in shown_to_others:
                    yield old, new


def _find_parts_rendered_again(
    baseline: Baseline, tree: TreeIndex, document_id: str, next_number: int
) -> KnownParts | None:
    if baseline.nodes_for(document_id) is None or baseline.highest_number == next_number:
        return None
    baseline.highest_number = next_number
    return baseline.find_parts_rendered_again(tree)

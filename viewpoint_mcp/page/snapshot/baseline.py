"""The baseline of a page: the last tree that the agent saw as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from viewpoint_mcp.accessibility.diff.drawing_changes import Drawing
from viewpoint_mcp.accessibility.tree import Node


class Baseline:
    """The tree that later snapshots are compared with.

    Attributes:
        drawings: The drawings of the page at that time, by id.
    """

    def __init__(self) -> None:
        self.drawings: Mapping[int, Drawing] = MappingProxyType({})
        self._nodes: Sequence[Node | str] | None = None
        self._document_id = ""
        self._snapshots_seen = 0

    def set_nodes(
        self,
        nodes: Sequence[Node | str],
        document_id: str,
        drawings: Mapping[int, Drawing] = MappingProxyType({}),
    ) -> None:
        """Set the baseline to a tree that the agent has seen as a whole or as a diff.

        Args:
            document_id: CDP `Network.LoaderId` of the main frame's document.
            drawings: The drawings of the page, by id.
        """
        self._nodes, self._document_id, self.drawings = nodes, document_id, drawings
        self._snapshots_seen = 0

    def count_seen_snapshot(self) -> None:
        """Note that the agent saw a snapshot of the page, or of a part of it."""
        self._snapshots_seen += 1

    @property
    def has_agent_seen_newer_snapshots(self) -> bool:
        """Whether the agent saw other snapshots between the baseline and the latest snapshot.

        These showed only parts of the page. They are newer than the baseline.
        """
        return self._snapshots_seen > 1

    def nodes_for(self, document_id: str) -> Sequence[Node | str] | None:
        """Return the baseline of the document; None if the document has none."""
        return self._nodes if document_id == self._document_id else None

    def forget(self) -> None:
        """Drop the baseline, because its document was replaced."""
        self._nodes = None

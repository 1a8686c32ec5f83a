"""The baseline of a page: the last tree that the agent saw as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from viewpoint_mcp.accessibility.tree import Node


class Baseline:
    """The tree that later snapshots are compared with."""

    def __init__(self) -> None:
        self._nodes: Sequence[Node | str] | None = None
        self._document = ""
        self._looks = 0

    def learn(self, nodes: Sequence[Node | str], document: str) -> None:
        """Set the baseline to a tree that the agent has seen as a whole or as a diff.

        Args:
            document: CDP `Network.LoaderId` of the main frame's document.
        """
        self._nodes, self._document = nodes, document
        self._looks = 0

    def look(self) -> None:
        """Note that the agent saw a snapshot of the page, or of a part of it."""
        self._looks += 1

    @property
    def was_looked_at_in_part(self) -> bool:
        """Whether the agent saw other snapshots between the baseline and the latest snapshot.

        These showed only parts of the page. They are newer than the baseline.
        """
        return self._looks > 1

    def of(self, document: str) -> Sequence[Node | str] | None:
        """Return the baseline of the document; None if the document has none."""
        return self._nodes if document == self._document else None

    def forget(self) -> None:
        """Drop the baseline, because its document was replaced."""
        self._nodes = None

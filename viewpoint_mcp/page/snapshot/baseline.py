"""What an agent knows of a page: the last snapshot that it was shown as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from viewpoint_mcp.accessibility.tree import Node


class Baseline:
    """The tree that later changes are told against."""

    def __init__(self) -> None:
        self._nodes: Sequence[Node | str] | None = None
        self._document = ""
        self._looks = 0

    def learn(self, nodes: Sequence[Node | str], document: str) -> None:
        """The agent was shown all of a page, or all that changed in it since it knew the page.

        Args:
            document: CDP `Network.LoaderId` of the main frame's document.
        """
        self._nodes, self._document = nodes, document
        self._looks = 0

    def look(self) -> None:
        """A snapshot was taken, of all of the page or of a part."""
        self._looks += 1

    @property
    def was_looked_at_in_part(self) -> bool:
        """Whether, before the snapshot taken last, others were that told no more than a part: what
        they showed is newer than what is known of the whole.
        """
        return self._looks > 1

    def of(self, document: str) -> Sequence[Node | str] | None:
        """Return what is known of the document; None when that is nothing."""
        return self._nodes if document == self._document else None

    def forget(self) -> None:
        """The document is gone."""
        self._nodes = None

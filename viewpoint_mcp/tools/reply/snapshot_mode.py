"""What a reply shows of the page after an action: what changed, all of it, a file or nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from viewpoint_mcp.accessibility.capture import Capture
from viewpoint_mcp.accessibility.diff.compare import compare
from viewpoint_mcp.accessibility.diff.equality import nodes_of
from viewpoint_mcp.accessibility.diff.render_changes import print_changes
from viewpoint_mcp.accessibility.render import render
from viewpoint_mcp.accessibility.tree import Node
from viewpoint_mcp.config.settings import SnapshotMode
from viewpoint_mcp.page.snapshot.baseline import Baseline
from viewpoint_mcp.tools.core.result import View

AFTER_ACTIONS: Final = {
    SnapshotMode.DIFF: View(changes=True),
    SnapshotMode.FULL: View(),
    SnapshotMode.FILE: View(as_file=True),
    SnapshotMode.NONE: View(show=False),
}
"""What the reply to an action shows, by the server's mode."""

_LEAST_LINE: Final = 4  # characters of a line without its role and name: "- ", a line break, a mark


@dataclass(frozen=True, slots=True)
class Shot:
    """What a reply shows of a page.

    Attributes:
        title: The page's, where the look told it.
        learned: Notes that the agent knows it, once the reply is on its way.
    """

    text: str = ""
    title: str | None = None
    learned: Callable[[], None] | None = None

    def learn(self) -> None:
        """The reply is on its way."""
        if self.learned is not None:
            self.learned()


def shows_all(view: View) -> bool:
    """Whether an agent that was shown this knows the page from then on, as actions tell it."""
    return view in (View(), View(changes=True))


def changes(taken: Capture, baseline: Baseline, document: str) -> tuple[str, str] | None:
    """Compare a page with what the agent knows of it.

    Args:
        document: CDP `Network.LoaderId` of the document that was captured.

    Returns:
        A sentence, and lines of YAML, "" for no change; None when the whole page has to be shown:
        the agent knows nothing of it, or the changes would take more words.
    """
    known = baseline.of(document)
    if known is None:
        return None
    last = "last whole snapshot" if baseline.was_looked_at_in_part else "last snapshot"
    text = print_changes(compare(known, taken.nodes), taken.nodes)
    if not text:
        return f"No change on the page since its {last}.", ""
    sentence = f"Changes since the page's {last}:"
    if not _is_shorter(len(sentence) + len(text), taken.nodes):
        return None
    return sentence, text


def _is_shorter(length: int, nodes: Sequence[Node | str]) -> bool:
    """Whether it takes fewer characters than the nodes printed in full, which is seldom done."""
    least = 0
    for node in nodes_of(nodes):
        least += _LEAST_LINE + len(node.role)
        if least > length:
            return True
    return length < len(render(nodes))

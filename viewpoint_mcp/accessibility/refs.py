"""Refs: their grammar, and the map from a ref to what it named when it was printed.

A ref is `c{context}p{page}f{frame}e{element}`; leading zero components may be left out, and are,
when printed. Each component is a number that is never used twice, so a ref means one element for
ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from viewpoint_mcp.accessibility.tree import Node
from viewpoint_mcp.errors import StaleRef

_GRAMMAR = re.compile(r"(?:c([0-9]{1,9}))?(?:p([0-9]{1,9}))?(?:f([0-9]{1,9}))?e([0-9]{1,9})")
_AGAIN = "Take a new snapshot and use a ref from it."


@dataclass(frozen=True, slots=True)
class Ref:
    """One element of one frame of one page of one context."""

    context: int
    page: int
    frame: int
    element: int

    @classmethod
    def parse(cls, text: str) -> Ref | None:
        """Read a ref in its short or long form; None when the text is not a ref."""
        match = _GRAMMAR.fullmatch(text)
        return cls(*(int(part or 0) for part in match.groups())) if match else None

    def __str__(self) -> str:
        return f"{prefix(self.context, self.page, self.frame)}e{self.element}"


def prefix(context: int, page: int, frame: int) -> str:
    """Return what stands before `e{element}` in the short form: "" for the first frame of all."""
    parts = [("c", context), ("p", page), ("f", frame)]
    while parts and parts[0][1] == 0:
        del parts[0]
    return "".join(f"{letter}{number}" for letter, number in parts)


@dataclass(frozen=True, slots=True)
class Named:
    """What a ref named when it was last printed.

    Attributes:
        document: Loader id of the frame's document; refs of an older one are void.
        backend_node_id: CDP `DOM.BackendNodeId`, once it was needed.
    """

    role: str
    name: str
    document: str
    backend_node_id: int | None = None


@dataclass(slots=True)
class _Document:
    """The refs of one document: their elements' nodes as last printed, by number."""

    id: str
    nodes: dict[int, Node] = field(default_factory=dict)
    backend_node_ids: dict[int, int] = field(default_factory=dict)


class RefMap:
    """The refs of one page that were printed, and what they named."""

    def __init__(self) -> None:
        self._documents: dict[int, _Document] = {}

    def remember(self, ref: Ref, role: str, name: str, document: str) -> None:
        """Note that `ref` was printed for an element of that role and name."""
        self._document(ref.frame, document).nodes[ref.element] = Node(role, name)

    def remember_nodes(self, nodes: Iterable[Node], frame: int, document: str) -> None:
        """Note the nodes of one frame that were printed with a ref."""
        known = self._document(frame, document).nodes
        known.update({node.properties["ref"]: node for node in nodes})

    def remember_backend_node_id(self, ref: Ref, backend_node_id: int) -> None:
        """Note CDP's `DOM.BackendNodeId` of an element."""
        self._documents[ref.frame].backend_node_ids[ref.element] = backend_node_id

    def forget_frame(self, frame: int) -> None:
        """Drop the refs of a frame whose document is gone; asked for, they are stale."""
        self._documents.pop(frame, None)

    def look_up(self, ref: Ref) -> Named:
        """Return what the ref named.

        Raises:
            StaleRef: The ref was never printed for this page, or belongs to a document that is
                gone.
        """
        document = self._documents.get(ref.frame)
        if document is None or ref.element not in document.nodes:
            raise StaleRef(f"Ref {ref} is not on the page.", _AGAIN)
        node = document.nodes[ref.element]
        backend_node_id = document.backend_node_ids.get(ref.element)
        return Named(node.role, node.name, document.id, backend_node_id)

    def _document(self, frame: int, document: str) -> _Document:
        known = self._documents.get(frame)
        if known is None or known.id != document:
            known = self._documents[frame] = _Document(document)
        return known


def gone(ref: Ref, was: Named) -> StaleRef:
    """The error for an element that was removed from its document."""
    return StaleRef(
        f"Ref {ref} was {describe(was.role, was.name)} and is no longer on the page.", _AGAIN
    )


def check_same(ref: Ref, was: Named, role: str, name: str) -> None:
    """Refuse to act on an element that has become clearly another than the one that was printed.

    Lists recycle their rows: the node stays, what it stands for does not. A name that only grew,
    shrank or changed in part (a counter, a price) is the same element still.

    Raises:
        StaleRef: Says what the ref was and what it is now.
    """
    if role == was.role and _alike(was.name, name):
        return
    raise StaleRef(
        f"Ref {ref} was {describe(was.role, was.name)} but is {describe(role, name)} now.", _AGAIN
    )


def describe(role: str, name: str) -> str:
    """Return an element in the words of the snapshot: `button "Save"`."""
    return f'{role} "{name}"' if name else role


_WORD = re.compile(r"[^\W\d_]+")


def _alike(was: str, now: str) -> bool:
    """Whether two names may be one element's: numbers may differ beside words, not alone."""
    if was == now or not was or not now:
        return True
    if (was in now or now in was) and not (was.isdigit() and now.isdigit()):
        return True
    before, after = set(_WORD.findall(was.lower())), set(_WORD.findall(now.lower()))
    if not before or not after:
        return False
    return before <= after or after <= before or 2 * len(before & after) > len(before | after)

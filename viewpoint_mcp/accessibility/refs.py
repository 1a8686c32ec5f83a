"""Refs: their grammar, and the map from a ref to what it named when it was printed.

A ref is `c{context}p{page}f{frame}e{element}`; components that are zero may be left out, and are,
when printed. Each component is a number that is never used twice, so a ref means one element for
ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from viewpoint_mcp.accessibility.long_names import cut_name
from viewpoint_mcp.accessibility.recycled_rows import (
    Printed,
    are_alike,
    distinguishing,
    find_change,
)
from viewpoint_mcp.accessibility.tree import Node
from viewpoint_mcp.errors import StaleRef

_GRAMMAR = re.compile(r"(?:c([0-9]{1,9}))?(?:p([0-9]{1,9}))?(?:f([0-9]{1,9}))?e([0-9]{1,9})")
_WRAPPED = re.compile(
    r"""["'`]?(?:@|ref=|\[ref=)?((?:[cpfe][0-9]{1,9})+)\]?["'`]?""", re.IGNORECASE
)
_IN_A_LINE = re.compile(r"\[ref=([a-z0-9]+)\]")
_WORD = re.compile(r"\w+")
_FORMER_FRAMES = 50
_TEXTS_SHOWN = 3
_LONGEST_TEXT = 60

AGAIN = "Take a new snapshot and use a ref from it."


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

    @classmethod
    def read(cls, text: str) -> Ref | None:
        """Read a ref as agents write it: in any case, as `@e12`, `ref=e12`, `[ref=e12]`, in quotes,
        or the line of a snapshot that has it.
        """
        whole = _WRAPPED.fullmatch(text.strip())
        found = [whole[1]] if whole else _IN_A_LINE.findall(text)
        return cls.parse(found[0].lower()) if len(found) == 1 else None

    def __str__(self) -> str:
        return f"{prefix(self.context, self.page, self.frame)}e{self.element}"


def prefix(context: int, page: int, frame: int) -> str:
    """Return what stands before `e{element}` in the short form: "" for the first frame of all."""
    parts = [("c", context), ("p", page), ("f", frame)]
    return "".join(f"{letter}{number}" for letter, number in parts if number)


@dataclass(frozen=True, slots=True)
class Named:
    """What a ref named when it was last printed.

    Attributes:
        document: Loader id of the frame's document; refs of an older one are void.
        backend_node_id: CDP `DOM.BackendNodeId`, once it was needed.
        printed: The tree that it was printed in; None where it was printed by itself.
    """

    role: str
    name: str
    document: str
    backend_node_id: int | None = None
    printed: Printed | None = field(default=None, compare=False, repr=False)


@dataclass(slots=True)
class _Document:
    """The refs of one document: their elements' nodes as last printed, by number."""

    id: str
    nodes: dict[int, Node] = field(default_factory=dict)
    backend_node_ids: dict[int, int] = field(default_factory=dict)
    printed: dict[int, Printed] = field(default_factory=dict)


class ElementNumbers:
    """The `e` components of one frame's refs: no number is ever printed for two elements.

    The in-page registry of the frame's present document counts. A number counts as used once its
    answer is accepted, so the next document starts above all numbers that can have been printed. An
    answer that is lost or refused has printed none.

    Attributes:
        next: The lowest number that no accepted answer has used.
    """

    __slots__ = ("next",)

    def __init__(self) -> None:
        self.next = 1

    def accept(self, following: int) -> None:
        """Note an answer's lowest free number."""
        self.next = max(self.next, following)


class RefMap:
    """The refs of one page that were printed, and what they named."""

    def __init__(self) -> None:
        self._documents: dict[int, _Document] = {}
        self._former: dict[int, _Document] = {}

    def remember(self, ref: Ref, role: str, name: str, document: str) -> None:
        """Note that `ref` was printed for an element of that role and name."""
        self._document(ref.frame, document).nodes[ref.element] = Node(role, name)

    def remember_nodes(
        self,
        nodes: Iterable[Node],
        frame: int,
        document: str,
        printed: Printed | None = None,
        *,
        is_whole: bool = False,
    ) -> None:
        """Note the nodes of one frame that were printed with a ref.

        Args:
            printed: The tree that they are in.
            is_whole: Whether that is the frame's whole tree. It replaces those before, which would
                otherwise stay in memory as long as their document.
        """
        known = self._document(frame, document)
        numbered = {node.properties["ref"]: node for node in nodes}
        known.nodes.update(numbered)
        if is_whole:
            known.printed.clear()
        if printed is not None:
            known.printed.update(dict.fromkeys(numbered, printed))

    def remember_backend_node_id(self, ref: Ref, backend_node_id: int) -> None:
        """Note CDP's `DOM.BackendNodeId` of an element."""
        self._documents[ref.frame].backend_node_ids[ref.element] = backend_node_id

    def forget_frame(self, frame: int) -> None:
        """Drop the refs of a frame whose document is gone; of the last one it is kept what they
        were.
        """
        document = self._documents.pop(frame, None)
        if document is None:
            return
        nodes = {number: Node(node.role, node.name) for number, node in document.nodes.items()}
        self._former.pop(frame, None)
        self._former[frame] = _Document(document.id, nodes)
        if len(self._former) > _FORMER_FRAMES:
            del self._former[next(iter(self._former))]

    def look_up(self, ref: Ref) -> Named | None:
        """Return what the ref named, be it in a document that is gone; None when that is not
        known.
        """
        for documents in (self._documents, self._former):
            document = documents.get(ref.frame)
            if document is not None and ref.element in document.nodes:
                node = document.nodes[ref.element]
                backend_node_id = document.backend_node_ids.get(ref.element)
                printed = document.printed.get(ref.element)
                return Named(node.role, node.name, document.id, backend_node_id, printed)
        return None

    def ranges(self) -> dict[int, tuple[int, int]]:
        """Return frame -> the first and the last `e` component of its present document's refs."""
        return {
            frame: (min(document.nodes), max(document.nodes))
            for frame, document in sorted(self._documents.items())
            if document.nodes
        }

    def _document(self, frame: int, document: str) -> _Document:
        known = self._documents.get(frame)
        if known is None or known.id != document:
            known = self._documents[frame] = _Document(document)
        return known


def gone(ref: Ref, was: Named) -> StaleRef:
    """The error for an element that was removed from its document."""
    return no_longer(ref, was, "is no longer on the page: its element was removed")


def no_longer(ref: Ref, was: Named, why: str) -> StaleRef:
    """The error for a ref that named something once."""
    beside = distinguishing(was.printed.nodes, ref.element) if was.printed else ()
    label = describe(was.role, was.name)
    return StaleRef(
        f"Ref {ref} {why}.",
        AGAIN,
        facts=[f"Was: {_beside(label, beside) if beside else label}"],
        sought=(was.role, was.name),
        beside=beside,
    )


def check_same(ref: Ref, was: Named, role: str, name: str) -> None:
    """Refuse to act on an element that has become clearly another than the one that was printed.

    Lists recycle their rows: the node stays, what it stands for does not. A name that only grew,
    shrank or changed in part (a counter, a price) is the same element still. So is a box that got a
    role because a script listens to it.

    Raises:
        StaleRef: It reports what the ref was and what it is now.
    """
    is_same_role = role == was.role or ("generic" in (role, was.role) and name == was.name)
    if is_same_role and are_alike(was.name, name):
        return
    raise recycled(ref, was, describe(was.role, was.name), describe(role, name))


def check_group(ref: Ref, was: Named, group: Sequence[Node]) -> None:
    """Refuse to act on an element whose row, list item, card or fieldset has become clearly another
    than the one that it was printed in.

    Args:
        group: The nodes of that group now.

    Raises:
        StaleRef: It reports what distinguished the element and what does now.
    """
    change = find_change(was.printed.nodes, ref.element, group) if was.printed else None
    if change is None:
        return
    label = describe(was.role, was.name)
    error = recycled(ref, was, _beside(label, change.was), _beside(label, change.now))
    error.beside = change.was
    raise error


def recycled(ref: Ref, was: Named, then: str, now: str) -> StaleRef:
    """Return the error for an element that stands for something else than when it was printed."""
    message = f"Ref {ref} stands for something else now; nothing was done."
    facts = [f"Was: {then}", f"Now: {now}"]
    return StaleRef(message, AGAIN, facts=facts, sought=(was.role, was.name))


def _beside(label: str, texts: Sequence[str]) -> str:
    """Return an element with the texts that distinguish it."""
    shown = ", ".join(f'"{text[:_LONGEST_TEXT]}"' for text in texts[:_TEXTS_SHOWN])
    return f"{label} beside {shown}" if shown else f"{label} alone"


def is_worth_noting(was: str, now: str) -> bool:
    """Return whether a changed name matters to a call: its words or numbers are others."""
    return _words_of(was) != _words_of(now)


def _words_of(name: str) -> list[str]:
    return _WORD.findall(name.casefold())


def describe(role: str, name: str) -> str:
    """Return an element in the words of the snapshot: `button "Save"`."""
    return f'{role} "{cut_name(name)}"' if name else role

"""Refs: their grammar, and the map from a ref to the element that it was printed for.

A ref is `c{context}p{page}f{frame}e{element}`. Components that are zero are optional in input and
omitted in print. Each component is a number that is never used twice, so a ref never refers to a
second element.
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
    """A parsed ref: the numbers of the context, the page, the frame and the element."""

    context: int
    page: int
    frame: int
    element: int

    @classmethod
    def parse(cls, text: str) -> Ref | None:
        """Parse a ref in its short or long form. Return None if the text is not a ref."""
        match = _GRAMMAR.fullmatch(text)
        return cls(*(int(part or 0) for part in match.groups())) if match else None

    @classmethod
    def read(cls, text: str) -> Ref | None:
        """Parse a ref in any form that agents write.

        Accepted are upper and lower case, `@e12`, `ref=e12`, `[ref=e12]`, quotes, and a snapshot
        line with exactly one ref. Return None for any other text.
        """
        whole = _WRAPPED.fullmatch(text.strip())
        found = [whole[1]] if whole else _IN_A_LINE.findall(text)
        return cls.parse(found[0].lower()) if len(found) == 1 else None

    def __str__(self) -> str:
        return f"{prefix(self.context, self.page, self.frame)}e{self.element}"


def prefix(context: int, page: int, frame: int) -> str:
    """Return the part before `e{element}` of a printed ref; "" if all three numbers are zero."""
    parts = [("c", context), ("p", page), ("f", frame)]
    return "".join(f"{letter}{number}" for letter, number in parts if number)


@dataclass(frozen=True, slots=True)
class Named:
    """The element of a ref, as it was last printed.

    Attributes:
        role: The role of the element.
        name: The accessible name of the element.
        document: The loader id of the frame's document. Refs of an older document are invalid.
        backend_node_id: CDP `DOM.BackendNodeId`; None if no call has needed it yet.
        printed: The tree in which the ref was printed; None if it was printed outside of a tree.
    """

    role: str
    name: str
    document: str
    backend_node_id: int | None = None
    printed: Printed | None = field(default=None, compare=False, repr=False)


@dataclass(slots=True)
class _Document:
    """The refs of one document, by element number.

    Attributes:
        id: The loader id of the document.
        nodes: The nodes of the elements, as last printed.
        backend_node_ids: The known CDP `DOM.BackendNodeId`s.
        printed: The trees in which the refs were last printed.
    """

    id: str
    nodes: dict[int, Node] = field(default_factory=dict)
    backend_node_ids: dict[int, int] = field(default_factory=dict)
    printed: dict[int, Printed] = field(default_factory=dict)


class ElementNumbers:
    """The element numbers of one frame's refs. No number is printed for two elements.

    The registry in the frame's present document assigns the numbers. A number counts as used when
    the answer that contains it is accepted. So the next document starts above all numbers that may
    have been printed. Numbers in a lost or refused answer were never printed.

    Attributes:
        next: The lowest number that no accepted answer has used.
    """

    __slots__ = ("next",)

    def __init__(self) -> None:
        self.next = 1

    def accept(self, following: int) -> None:
        """Accept an answer of the registry.

        Args:
            following: The lowest free number after the answer.
        """
        self.next = max(self.next, following)


class RefMap:
    """The printed refs of one page, and the elements that they were printed for."""

    def __init__(self) -> None:
        self._documents: dict[int, _Document] = {}
        self._former: dict[int, _Document] = {}

    def remember(self, ref: Ref, role: str, name: str, document: str) -> None:
        """Store the role and name of the element for which a ref was printed.

        Args:
            ref: The ref.
            role: The role of the element.
            name: The accessible name of the element.
            document: The loader id of the frame's document.
        """
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
        """Store the nodes of one frame that were printed with a ref.

        Args:
            nodes: The nodes that have a ref.
            frame: The number of the frame.
            document: The loader id of the frame's document.
            printed: The tree that contains the nodes.
            is_whole: Whether `printed` is the whole tree of the frame. A whole tree replaces the
                earlier trees, which would otherwise stay in memory until the document is gone.
        """
        known = self._document(frame, document)
        numbered = {node.properties["ref"]: node for node in nodes}
        known.nodes.update(numbered)
        if is_whole:
            known.printed.clear()
        if printed is not None:
            known.printed.update(dict.fromkeys(numbered, printed))

    def remember_backend_node_id(self, ref: Ref, backend_node_id: int) -> None:
        """Store the CDP `DOM.BackendNodeId` of an element."""
        self._documents[ref.frame].backend_node_ids[ref.element] = backend_node_id

    def forget_frame(self, frame: int) -> None:
        """Invalidate the refs of a frame after its document was removed.

        The roles and names of the frame's last document are kept for error messages. Only the last
        50 such frames are kept.
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
        """Return the element that a ref was printed for, also from a removed document.

        Return None if the ref is unknown.
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
        """Return the lowest and highest element number for each frame with refs.

        Removed documents do not count.
        """
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
    """Return the error for an element that was removed from its document."""
    return no_longer(ref, was, "is no longer on the page: its element was removed")


def no_longer(ref: Ref, was: Named, why: str) -> StaleRef:
    """Return the error for a ref that is no longer valid.

    Args:
        ref: The ref.
        was: The element that the ref was printed for.
        why: The predicate of the sentence, such as "is no longer on the page".
    """
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
    """Check that an element still has the role and a similar name as when it was printed.

    Lists recycle their rows: the DOM node stays, but represents another item. An element whose name
    grew, shrank or changed in part (a counter, a price) counts as the same. So does a generic
    element that got a role, because a script started to listen to its events.

    Args:
        ref: The ref.
        was: The element that the ref was printed for.
        role: The present role.
        name: The present name.

    Raises:
        StaleRef: The element differs. The error reports the old and the new role and name.
    """
    is_same_role = role == was.role or ("generic" in (role, was.role) and name == was.name)
    if is_same_role and are_alike(was.name, name):
        return
    raise recycled(ref, was, describe(was.role, was.name), describe(role, name))


def check_group(ref: Ref, was: Named, group: Sequence[Node]) -> None:
    """Check that an element's row, list item, card or fieldset is the same as when it was printed.

    Args:
        ref: The ref.
        was: The element that the ref was printed for.
        group: The present nodes of the group around the element.

    Raises:
        StaleRef: The group differs. The error reports the old and the new distinguishing texts.
    """
    change = find_change(was.printed.nodes, ref.element, group) if was.printed else None
    if change is None:
        return
    label = describe(was.role, was.name)
    error = recycled(ref, was, _beside(label, change.was), _beside(label, change.now))
    error.beside = change.was
    raise error


def recycled(ref: Ref, was: Named, then: str, now: str) -> StaleRef:
    """Return the error for an element that represents another item than when it was printed.

    Args:
        ref: The ref.
        was: The element that the ref was printed for.
        then: The description of the printed element.
        now: The description of the present element.
    """
    message = f"Ref {ref} stands for something else now; nothing was done."
    facts = [f"Was: {then}", f"Now: {now}"]
    return StaleRef(message, AGAIN, facts=facts, sought=(was.role, was.name))


def _beside(label: str, texts: Sequence[str]) -> str:
    """Return a label followed by the texts that distinguish the element."""
    shown = ", ".join(f'"{text[:_LONGEST_TEXT]}"' for text in texts[:_TEXTS_SHOWN])
    return f"{label} beside {shown}" if shown else f"{label} alone"


def is_worth_noting(was: str, now: str) -> bool:
    """Return whether the words or numbers of two names differ, ignoring case and punctuation."""
    return _words_of(was) != _words_of(now)


def _words_of(name: str) -> list[str]:
    return _WORD.findall(name.casefold())


def describe(role: str, name: str) -> str:
    """Return a role and a name as in a snapshot: `button "Save"`."""
    return f'{role} "{cut_name(name)}"' if name else role

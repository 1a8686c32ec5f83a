"""Refs: their grammar, and the map from a ref to the element that it was printed for.

A ref is `c{context}p{page}f{frame}e{element}`. Components that are zero are optional in input and
omitted in print. Each component is a number that is never used twice, so a ref never refers to a
second element. One exception: an element of a new document that equals a known element of an
earlier one takes over its number; see `page/snapshot/carried_refs.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from viewpoint_mcp.accessibility.appearance import describe_appearance
from viewpoint_mcp.accessibility.printing.long_names import cut_name
from viewpoint_mcp.accessibility.printing.sentence_quotes import quote_in_sentence
from viewpoint_mcp.accessibility.recycled_list_rows import (
    PrintedTree,
    find_distinguishing_texts,
    find_group_change,
    may_name_same_element,
)
from viewpoint_mcp.accessibility.tree import Node
from viewpoint_mcp.errors import TAKE_NEW_SNAPSHOT, StaleRefError

_REF = re.compile(r"(?:c([0-9]{1,9}))?(?:p([0-9]{1,9}))?(?:f([0-9]{1,9}))?e([0-9]{1,9})")
_DECORATED_REF = re.compile(
    r"""["'`]?(?:@|ref=|\[ref=)?((?:[cpfe][0-9]{1,9})+)\]?["'`]?""", re.IGNORECASE
)
_REF_IN_LINE = re.compile(r"\[ref=([a-z0-9]+)\]")
_WORD = re.compile(r"\w+")
_MAX_REMOVED_DOCUMENTS = 50
_MAX_TEXTS = 3
_MAX_TEXT_LENGTH = 60


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
        match = _REF.fullmatch(text)
        return cls(*(int(part or 0) for part in match.groups())) if match else None

    @classmethod
    def parse_any_form(cls, text: str) -> Ref | None:
        """Parse a ref in any form that agents write.

        Accepted are upper and lower case, `@e12`, `ref=e12`, `[ref=e12]`, quotes, and a snapshot
        line with exactly one ref. Return None for any other text.
        """
        whole = _DECORATED_REF.fullmatch(text.strip())
        found = [whole[1]] if whole else _REF_IN_LINE.findall(text)
        return cls.parse(found[0].lower()) if len(found) == 1 else None

    def __str__(self) -> str:
        return f"{make_ref_prefix(self.context, self.page, self.frame)}e{self.element}"


def make_ref_prefix(context: int, page: int, frame: int) -> str:
    """Return the part before `e{element}` of a printed ref; "" if all three numbers are zero."""
    parts = [("c", context), ("p", page), ("f", frame)]
    return "".join(f"{letter}{number}" for letter, number in parts if number)


@dataclass(frozen=True, slots=True)
class PrintedElement:
    """The element of a ref, as it was last printed.

    Attributes:
        role: The role of the element.
        name: The accessible name of the element.
        document_id: The loader id of the frame's document. Refs of an older document are invalid.
        backend_node_id: CDP `DOM.BackendNodeId`; None if no call has needed it yet.
        tree: The tree in which the ref was printed; None if it was printed outside of a tree.
        appearance: What a person sees of an element without a name; see `describe_appearance`.
    """

    role: str
    name: str
    document_id: str
    backend_node_id: int | None = None
    tree: PrintedTree | None = field(default=None, compare=False, repr=False)
    appearance: str = ""


@dataclass(slots=True)
class _DocumentRefs:
    """The refs of one document, by element number.

    Attributes:
        id: The loader id of the document.
        nodes: The nodes of the elements, as last printed.
        backend_node_ids: The known CDP `DOM.BackendNodeId`s.
        trees: The trees in which the refs were last printed.
    """

    id: str
    nodes: dict[int, Node] = field(default_factory=dict)
    backend_node_ids: dict[int, int] = field(default_factory=dict)
    trees: dict[int, PrintedTree] = field(default_factory=dict)


class ElementNumbers:
    """The element numbers of one frame's refs. No number is printed for two elements.

    The registry of `inpage` in the frame's current document assigns the numbers. A number counts as
    used when the answer that contains it is accepted. So the next document starts above all numbers
    that may have been printed. Numbers in a lost or refused answer were never printed.

    Attributes:
        next_number: The lowest number that no accepted answer has used.
    """

    __slots__ = ("next_number",)

    def __init__(self) -> None:
        self.next_number = 1

    def mark_numbers_below_as_used(self, next_number: int) -> None:
        """Count the numbers below `next_number` as used, because an accepted answer has them.

        Args:
            next_number: The lowest number that the registry has not assigned yet.
        """
        self.next_number = max(self.next_number, next_number)


class RefMap:
    """The printed refs of one page, and the elements that they were printed for."""

    def __init__(self) -> None:
        self._documents: dict[int, _DocumentRefs] = {}
        self._removed_documents: dict[int, _DocumentRefs] = {}

    def remember_element(self, ref: Ref, role: str, name: str, document_id: str) -> None:
        """Store the role and name of the element for which a ref was printed.

        Args:
            ref: The ref.
            role: The role of the element.
            name: The accessible name of the element.
            document_id: The loader id of the frame's document.
        """
        self._get_document(ref.frame, document_id).nodes[ref.element] = Node(role, name)

    def remember_nodes_with_ref(
        self,
        nodes: Iterable[Node],
        frame: int,
        document_id: str,
        tree: PrintedTree | None = None,
        *,
        is_whole: bool = False,
    ) -> None:
        """Store the nodes of one frame that were printed with a ref.

        Args:
            nodes: The nodes that have a ref.
            frame: The number of the frame.
            document_id: The loader id of the frame's document.
            tree: The tree that contains the nodes.
            is_whole: Whether `tree` is the whole tree of the frame. A whole tree replaces the
                earlier trees, which would otherwise stay in memory until the document is gone.
        """
        known = self._get_document(frame, document_id)
        numbered = {node.properties["ref"]: node for node in nodes}
        known.nodes.update(numbered)
        if is_whole:
            known.trees.clear()
        if tree is not None:
            known.trees.update(dict.fromkeys(numbered, tree))

    def remember_backend_node_id(self, ref: Ref, backend_node_id: int) -> None:
        """Store the CDP `DOM.BackendNodeId` of an element."""
        self._documents[ref.frame].backend_node_ids[ref.element] = backend_node_id

    def take_over_numbers(self, frame: int, numbers: Mapping[int, int]) -> None:
        """Give the elements of a frame the numbers of equal elements of its document before.

        Args:
            frame: The number of the frame.
            numbers: The new numbers, by the numbers that the frame's document assigned.
        """
        document = self._documents[frame]
        for number, former in numbers.items():
            node = document.nodes.pop(number)
            document.backend_node_ids.pop(number, None)
            document.nodes[former] = node
            if (tree := document.trees.pop(number, None)) is not None:
                document.trees[former] = tree

    def forget_frame(self, frame: int) -> None:
        """Invalidate the refs of a frame after its document was removed.

        The roles and names of the frame's last document are kept for error messages. Only the last
        50 such frames are kept.
        """
        document = self._documents.pop(frame, None)
        if document is None:
            return
        nodes = {number: Node(node.role, node.name) for number, node in document.nodes.items()}
        self._removed_documents.pop(frame, None)
        self._removed_documents[frame] = _DocumentRefs(document.id, nodes)
        if len(self._removed_documents) > _MAX_REMOVED_DOCUMENTS:
            del self._removed_documents[next(iter(self._removed_documents))]

    def find_printed_element(self, ref: Ref) -> PrintedElement | None:
        """Return the element that a ref was printed for, also from a removed document.

        Return None if the ref is unknown.
        """
        for documents in (self._documents, self._removed_documents):
            document = documents.get(ref.frame)
            if document is not None and ref.element in document.nodes:
                node = document.nodes[ref.element]
                backend_node_id = document.backend_node_ids.get(ref.element)
                tree = document.trees.get(ref.element)
                return PrintedElement(
                    node.role,
                    node.name,
                    document.id,
                    backend_node_id,
                    tree,
                    describe_appearance(node),
                )
        return None

    def element_number_range_by_frame(self) -> dict[int, tuple[int, int]]:
        """Return the lowest and highest element number for each frame with refs.

        Removed documents do not count.
        """
        return {
            frame: (min(document.nodes), max(document.nodes))
            for frame, document in sorted(self._documents.items())
            if document.nodes
        }

    def _get_document(self, frame: int, document_id: str) -> _DocumentRefs:
        known = self._documents.get(frame)
        if known is None or known.id != document_id:
            known = self._documents[frame] = _DocumentRefs(document_id)
        return known


def make_removed_error(ref: Ref, element: PrintedElement) -> StaleRefError:
    """Return the error for an element that was removed from its document."""
    return make_stale_ref_error(ref, element, "is no longer on the page: its element was removed")


def make_stale_ref_error(ref: Ref, element: PrintedElement, reason: str) -> StaleRefError:
    """Return the error for a ref that is no longer valid.

    Args:
        ref: The ref.
        element: The element that the ref was printed for.
        reason: The predicate of the sentence, such as "is no longer on the page".
    """
    texts = find_distinguishing_texts(element.tree.nodes, ref.element) if element.tree else ()
    label = describe_element(element.role, element.name)
    return StaleRefError(
        f"Ref {ref} {reason}.",
        TAKE_NEW_SNAPSHOT,
        facts=[f"Was: {_describe_with_texts(label, texts) if texts else label}"],
        printed_element=(element.role, element.name),
        group_texts=texts,
    )


def check_same_element(ref: Ref, printed: PrintedElement, role: str, name: str) -> None:
    """Check that an element still has the role and a similar name as when it was printed.

    Lists recycle their rows: the DOM node stays, but represents another item. An element whose name
    grew, shrank or changed in part (a counter, a price) counts as the same. So does a generic
    element that got a role, because a script started to listen to its events.

    Args:
        ref: The ref.
        printed: The element that the ref was printed for.
        role: The present role.
        name: The present name.

    Raises:
        StaleRefError: The element differs. The error reports the old and the new role and name.
    """
    is_same_role = role == printed.role or (
        "generic" in (role, printed.role) and name == printed.name
    )
    if is_same_role and may_name_same_element(printed.name, name):
        return
    raise make_recycled_error(
        ref, printed, describe_element(printed.role, printed.name), describe_element(role, name)
    )


def check_same_group(ref: Ref, printed: PrintedElement, group: Sequence[Node]) -> None:
    """Check that an element's row, list item, card or fieldset is the same as when it was printed.

    Args:
        ref: The ref.
        printed: The element that the ref was printed for.
        group: The present nodes of the group around the element.

    Raises:
        StaleRefError: The group differs. The error reports the old and the new texts.
    """
    change = find_group_change(printed.tree.nodes, ref.element, group) if printed.tree else None
    if change is None:
        return
    label = describe_element(printed.role, printed.name)
    error = make_recycled_error(
        ref,
        printed,
        _describe_with_texts(label, change.lost_texts),
        _describe_with_texts(label, change.new_texts),
    )
    error.group_texts = change.lost_texts
    raise error


def make_recycled_error(
    ref: Ref, element: PrintedElement, old_description: str, new_description: str
) -> StaleRefError:
    """Return the error for an element that represents another item than when it was printed.

    Args:
        ref: The ref.
        element: The element that the ref was printed for.
        old_description: The description of the printed element.
        new_description: The description of the present element.
    """
    message = f"Ref {ref} represents something else now; nothing was done."
    facts = [f"Was: {old_description}", f"Now: {new_description}"]
    return StaleRefError(
        message, TAKE_NEW_SNAPSHOT, facts=facts, printed_element=(element.role, element.name)
    )


def _describe_with_texts(label: str, texts: Sequence[str]) -> str:
    """Return a label followed by the texts that distinguish the element."""
    quoted_texts = ", ".join(
        quote_in_sentence(text[:_MAX_TEXT_LENGTH]) for text in texts[:_MAX_TEXTS]
    )
    return f"{label} beside {quoted_texts}" if quoted_texts else f"{label} alone"


def have_different_words(old_name: str, new_name: str) -> bool:
    """Return whether the words or numbers of two names differ, ignoring case and punctuation."""
    return _split_words(old_name) != _split_words(new_name)


def _split_words(name: str) -> list[str]:
    return _WORD.findall(name.casefold())


def describe_element(role: str, name: str) -> str:
    """Return a role and a name for a sentence, as in a snapshot: `button "Save"`."""
    return f"{role} {quote_in_sentence(cut_name(name))}" if name else role

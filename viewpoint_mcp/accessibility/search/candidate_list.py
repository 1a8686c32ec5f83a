"""A list of elements that an agent can choose from. Equal ones are listed with a difference.

button "Delete" [ref=e4] in row "Anna"
textbox "Street" [ref=e9] after heading "Billing address"
button "Add" [ref=e12] (2nd of 3)
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_label
from viewpoint_mcp.accessibility.recycled_list_rows import GROUP_ROLES
from viewpoint_mcp.accessibility.search.found_elements import FoundElement, quote, shorten
from viewpoint_mcp.accessibility.tree import Node, children_and_value_of

_MAX_TEXTS: Final = 50  # texts of a container that are compared
_SUFFIXES: Final = {1: "st", 2: "nd", 3: "rd"}


@dataclass(frozen=True, slots=True)
class Container:
    """A container of an element, and a text that no container of an equal element has.

    Attributes:
        role: The role of the container.
        text: Its name, or a text in it.
    """

    role: str
    text: str

    def __str__(self) -> str:
        return f"{self.role} {quote(self.text)}"


def list_candidates(
    listed: Sequence[FoundElement], everything: Iterable[FoundElement]
) -> list[str]:
    """Return a line for each element, with a difference to the equal elements on the page.

    Args:
        listed: The elements to list.
        everything: All elements of the page with which they could be confused.
    """
    alike_by_label: defaultdict[object, list[FoundElement]] = defaultdict(list)
    labels = {_label_of(each.node) for each in listed}
    for each in everything:
        label = _label_of(each.node)
        if label in labels and (not each.is_hidden or each in listed):
            alike_by_label[label].append(each)
    containers = {
        id(each.node): container
        for alike in alike_by_label.values()
        for each, container in zip(alike, find_containers(alike), strict=True)
    }
    return [
        _render_candidate(each, alike_by_label[_label_of(each.node)], containers[id(each.node)])
        for each in listed
    ]


def find_containers(alike: Sequence[FoundElement]) -> list[Container | None]:
    """Return for each of several elements a container that only it is in; None if there is none."""
    counts = Counter(id(node) for each in alike for node in each.ancestors)
    by_node: dict[int, list[Container]] = {}
    containers = []
    for each in alike:
        # What contains all of the elements distinguishes none of them.
        apart = [node for node in each.ancestors if counts[id(node)] < len(alike)]
        for node in apart:
            if id(node) not in by_node:
                by_node[id(node)] = list(_describe_container(node))
        containers.append([container for node in apart for container in by_node[id(node)]])
    uses = Counter(container for each in containers for container in set(each))
    return [next((each for each in own if uses[each] == 1), None) for own in containers]


def _label_of(node: Node) -> object:
    """Return what the line of an element shows of it, besides the ref."""
    properties = node.properties
    name = node.name or properties.get("hint", "")
    return node.role, name, properties.get("hidden", False), _text_of_nameless(node)


def _render_candidate(
    found: FoundElement, alike: Sequence[FoundElement], container: Container | None
) -> str:
    line = render_label(found.node)
    if text := _text_of_nameless(found.node):
        line += f": {quote(text)}"
    if len(alike) < 2:
        return line
    if container is not None:
        return f"{line} in {container}"
    if found.heading and sum(each.heading == found.heading for each in alike) == 1:
        return f"{line} after heading {quote(shorten(found.heading))}"
    twin = f"{found.node.role} {quote(shorten(found.node.name))}"
    before, after = found.label_before, found.label_after
    if before not in ("", twin) and [each.label_before for each in alike].count(before) == 1:
        return f"{line} after {before}"
    if after not in ("", twin) and [each.label_after for each in alike].count(after) == 1:
        return f"{line} before {after}"
    position = next(index for index, each in enumerate(alike, 1) if each.node is found.node)
    return f"{line} ({_ordinal(position)} of {len(alike)})"


def _text_of_nameless(node: Node) -> str:
    """Return the value of a field, or the first text in an element without a name."""
    if node.name:
        return shorten(str(node.properties.get("value", "")))
    return next(_iterate_texts(children_and_value_of(node)), "")


def _describe_container(node: Node) -> Iterator[Container]:
    """Yield what may distinguish a container: its name, and the texts of a row or card."""
    if node.name:
        yield Container(node.role, shorten(node.name))
    if node.role in GROUP_ROLES:
        texts = list(islice(_iterate_texts(node.children), _MAX_TEXTS))
        texts.sort(key=lambda text: not any(map(str.isalpha, text)))  # words before numbers
        yield from (Container(node.role, text) for text in texts)


def _iterate_texts(content: Sequence[Node | str]) -> Iterator[str]:
    """Yield the texts and names in a content that have a letter or a digit."""
    pending = list(reversed(content))
    while pending:
        item = pending.pop()
        text = shorten(item if isinstance(item, str) else item.name)
        if any(map(str.isalnum, text)):
            yield text
        if isinstance(item, Node):
            pending.extend(reversed(children_and_value_of(item)))


def _ordinal(number: int) -> str:
    if 10 < number % 100 < 14:
        return f"{number}th"
    return f"{number}{_SUFFIXES.get(number % 10, 'th')}"

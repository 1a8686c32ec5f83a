"""Shortening of the addresses of links to what distinguishes them from their neighbours.

    - row: link "1000" -> /orders/1/change/?from=list | Paid
    - row: link "1001" -> …/2/… | Paid
    - link "Sort by total" -> ?…&sort=total
    - list: link "Sencha" -> /teas/sencha/ | link "Assam" | link "Oolong"

An address with the query of the page prints only what it adds or replaces. An address beside a
similar one prints only where it differs. An address that follows from the name of the link, as the
first one of its neighbours did, is omitted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import quote, quote_plus, urlsplit

from viewpoint_mcp.accessibility.tree import Node

_ELLIPSIS: Final = "…"
_MIN_SAVING: Final = 8  # characters; a shortening that saves less is not worth a second look
_ITEM_ROLES: Final = frozenset({"article", "listitem", "row"})
_BOUNDARY: Final = re.compile(r"[/?&]")
_Slot = tuple[int, tuple[int, ...]]


def shorten_addresses(nodes: Sequence[Node | str], base_url: str) -> Sequence[Node | str]:
    """Return a tree with shortened addresses. The given nodes do not change.

    Args:
        base_url: The URL that relative addresses refer to.
    """
    page = _PageAddress(base_url)
    first_links: dict[_Slot, Node] = {}
    addresses: dict[int, str] = {}
    for link, slot in _iterate_links(nodes):
        url: str = link.properties["url"]
        first = first_links.get(slot)
        short = page.shorten(url)
        if short is None and first is not None:
            short = _shorten_beside(link, first)
        if short is None:
            first_links[slot] = link
        else:
            addresses[id(link)] = short
    return _copy_with_addresses(nodes, addresses) if addresses else nodes


class _PageAddress:
    """The address of the page, without which an address with its query can be printed."""

    def __init__(self, base_url: str) -> None:
        parts = urlsplit(base_url)
        self._beginnings = (f"{parts.scheme}://{parts.netloc}{parts.path}?", f"{parts.path}?", "?")
        self._parameters = Counter(parts.query.split("&")) if parts.query else Counter()

    def shorten(self, url: str) -> str | None:
        """Return the part of an address that the query of the page does not have.

        Returns:
            The part; None for another page, if a parameter is missing, or if little is saved.
        """
        beginning = next((each for each in self._beginnings if url.startswith(each)), None)
        if beginning is None or not self._parameters:
            return None
        parameters = Counter(url.removeprefix(beginning).partition("#")[0].split("&"))
        added = parameters - self._parameters
        added_names = {_name_of(each) for each in added}
        missing_names = {_name_of(each) for each in self._parameters - parameters}
        if not missing_names <= added_names:
            return None
        text = "&".join(("?" + _ELLIPSIS, *added.elements()))
        return text if len(text) + _MIN_SAVING <= len(url) else None


def _name_of(parameter: str) -> str:
    return parameter.partition("=")[0]


def _shorten_beside(link: Node, first: Node) -> str | None:
    """Return where an address differs from the first one in its place; "" if its name implies it.

    Returns:
        The part; None if it has little in common with the first address.
    """
    url, first_url = link.properties["url"], first.properties["url"]
    if url == first_url:
        return None
    patterns = set(_iterate_patterns(link.name, url))
    if patterns.intersection(_iterate_patterns(first.name, first_url)):
        return ""
    start = _count_common(url, first_url)
    start = max((each.end() for each in _BOUNDARY.finditer(url, 0, start)), default=0)
    rest, first_rest = url[start:], first_url[start:]
    common = _count_common(rest[::-1], first_rest[::-1])
    boundary = _BOUNDARY.search(rest, len(rest) - common)
    end = len(rest) if boundary is None else boundary.start()
    # The boundaries around the part show that it is a whole one: …/2/…
    part = url[max(start - 1, 0) : start + end + (boundary is not None)]
    text = (_ELLIPSIS if start > 1 else "") + part + (_ELLIPSIS if boundary is not None else "")
    return text if len(text) + _MIN_SAVING <= len(url) else None


def _iterate_patterns(name: str, url: str) -> Iterator[str]:
    """Yield the address with a gap in each place of the name, for each way to write the name."""
    words = re.findall(r"\w+", name.lower())
    spellings = {
        name,
        quote(name),
        quote_plus(name),
        *(each.join(words) for each in ("-", "_", "")),
    }
    for spelling in spellings:
        if spelling and spelling in url:
            yield url.replace(spelling, "\0")


def _count_common(one: str, other: str) -> int:
    """Return the length of the common beginning of two texts."""
    count = 0
    for first, second in zip(one, other, strict=False):
        if first != second:
            break
        count += 1
    return count


def _iterate_links(nodes: Sequence[Node | str]) -> Iterator[tuple[Node, _Slot]]:
    """Yield the links with an address in reading order, each with its place among similar items.

    Two links have the same place if they are in items of the same list or table, with the same
    positions in them, or children of the same element.
    """
    pending: list[tuple[Node | str, _Slot]] = [(node, (0, ())) for node in reversed(nodes)]
    while pending:
        node, slot = pending.pop()
        if isinstance(node, str):
            continue
        if node.role == "link" and node.properties.get("url"):
            yield node, slot
        for position in range(len(node.children) - 1, -1, -1):
            child = node.children[position]
            if isinstance(child, Node):
                pending.append((child, _slot_of_child(node, child, position, slot)))


def _slot_of_child(parent: Node, child: Node, position: int, slot: _Slot) -> _Slot:
    if child.role in _ITEM_ROLES:
        return id(parent), ()
    if slot[0] and (slot[1] or parent.role in _ITEM_ROLES):
        return slot[0], (*slot[1], position)
    return id(parent), ()


def _copy_with_addresses(
    nodes: Sequence[Node | str], addresses: dict[int, str]
) -> Sequence[Node | str]:
    """Return copies of the nodes, with the given addresses of links by the `id` of their nodes."""
    top = Node("", children=list(nodes))
    pending = [top]
    while pending:
        parent = pending.pop()
        for position, child in enumerate(parent.children):
            if not isinstance(child, Node):
                continue
            properties = child.properties
            if (address := addresses.get(id(child))) is not None:
                properties = {**properties, "url": address}
            copy = Node(child.role, child.name, properties, list(child.children), child.ref)
            parent.children[position] = copy
            if copy.children:
                pending.append(copy)
    return top.children

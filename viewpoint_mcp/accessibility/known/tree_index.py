"""An index of a tree, to find its parts again in the tree of another document.

Two parts are equal if their roles, names, states, texts and addresses are equal, at every depth.
Refs, boxes and the focus do not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple
from urllib.parse import urljoin

from viewpoint_mcp.accessibility.tree import Node, Properties

# Roles of regions that a person knows as one part of a site. Rows and items are none: a list that
# lost some of its items would otherwise look as if it had kept them.
_REGION_ROLES: Final = frozenset(
    {
        *("article", "banner", "complementary", "contentinfo", "figure", "form", "grid", "group"),
        *("list", "listbox", "main", "menu", "menubar", "navigation", "radiogroup", "region"),
        *("search", "table", "tablist", "toolbar", "tree", "treegrid"),
    }
)
_MIN_REGION_LENGTH: Final = 40  # characters; a shorter region is not distinctive
_LINE_LENGTH: Final = 8  # characters of a line besides role, name and texts
_IGNORED_PROPERTIES: Final = frozenset({"active", "box", "ref", "url"})

MIN_FOLDED_LENGTH: Final = 100  # characters; a shorter part is hardly longer than its remark

Item = Node | str


class _Summary(NamedTuple):
    """What a comparison needs to know of a node with its descendants.

    Attributes:
        key: A hash that is equal for equal nodes. Python derives it from a secret seed, so no page
            can make the keys of different nodes equal.
        length: The approximate length when printed, in characters.
        has_ref: Whether the node or a descendant has a ref.
        is_comparable: Whether equality can be decided. It cannot for a document in an iframe, whose
            refs end with it, and for an address that the walker shortened.
    """

    key: int
    length: int
    has_ref: bool
    is_comparable: bool


class TreeIndex:
    """A tree, and the keys by which its parts are found. They are computed when first used.

    Args:
        nodes: The top nodes of the tree.
        base_url: The URL that relative addresses in it refer to.
    """

    __slots__ = ("_base_url", "_origin", "_regions", "_summaries", "nodes")

    def __init__(self, nodes: Sequence[Node], base_url: str) -> None:
        self.nodes = nodes
        self._base_url = base_url
        self._origin = urljoin(base_url, "/").removesuffix("/")
        self._summaries: dict[int, _Summary] = {}
        self._regions: dict[int, Node | None] | None = None

    def get_unique_region(self, key: int) -> Node | None:
        """Return the region with this key; None if there is none, or more than one."""
        return self._get_regions().get(key)

    def region_key_of(self, node: Node) -> int | None:
        """Return the key of a node of this tree; None if it is not a unique region."""
        regions = self._get_regions()
        key = self._summaries[id(node)].key
        return key if regions.get(key) is node else None

    def key_of(self, item: Item) -> int | None:
        """Return the key of a node or text of this tree; None if equality cannot be decided."""
        if isinstance(item, str):
            return hash(item)
        self._get_regions()
        summary = self._summaries[id(item)]
        return summary.key if summary.is_comparable else None

    def length_of(self, item: Item) -> int:
        """Return the approximate length of a node or text of this tree, in characters."""
        if isinstance(item, str):
            return len(item) + _LINE_LENGTH
        self._get_regions()
        return self._summaries[id(item)].length

    def has_ref(self, item: Item) -> bool:
        """Return whether a node of this tree or a descendant has a ref."""
        if isinstance(item, str):
            return False
        self._get_regions()
        return self._summaries[id(item)].has_ref

    def _get_regions(self) -> dict[int, Node | None]:
        if self._regions is None:
            self._regions = {}
            for node in reversed(list(_iterate_nodes(self.nodes))):
                summary = self._summaries[id(node)] = self._summarize(node)
                if (
                    node.role in _REGION_ROLES
                    and summary.is_comparable
                    and summary.length >= _MIN_REGION_LENGTH
                ):
                    is_first = summary.key not in self._regions
                    self._regions[summary.key] = node if is_first else None
        return self._regions

    def _summarize(self, node: Node) -> _Summary:
        """Summarize a node whose children are summarized already."""
        properties = node.properties
        url: str = properties.get("url", "")
        length = _LINE_LENGTH + len(node.role) + len(node.name)
        length += len(url) + len(properties.get("value", ""))
        parts: list[object] = [node.role, node.name, node.ref != ""]
        if properties:
            parts += _describe_states(properties)
        if url:
            parts.append(self._resolve(url))
        has_ref = node.ref != ""
        is_comparable = node.role != "iframe" and "frame" not in properties
        is_comparable = is_comparable and not url.endswith("…")
        for child in node.children:
            if isinstance(child, str):
                parts.append(child)
                length += len(child)
            else:
                inner = self._summaries[id(child)]
                parts.append(inner.key)
                length += inner.length
                has_ref = has_ref or inner.has_ref
                is_comparable = is_comparable and inner.is_comparable
        return _Summary(hash(tuple(parts)), length, has_ref, is_comparable)

    def _resolve(self, url: str) -> str:
        """Return the absolute form of an address, as far as another document needs it."""
        if url.startswith("#") or "://" in url:
            return url  # A fragment stays in its document, so it is equal if written equally.
        if url.startswith("/") and not url.startswith("//"):
            return self._origin + url
        return urljoin(self._base_url, url)


def _describe_states(properties: Properties) -> Iterator[object]:
    """Yield the properties that must be equal, in a fixed order."""
    for name in sorted(properties):
        if name not in _IGNORED_PROPERTIES:
            value = properties[name]
            yield name
            yield value if isinstance(value, str | int) else repr(value)


def iterate_node_pairs(old: Node, new: Node) -> Iterator[tuple[Node, Node]]:
    """Yield the nodes of two trees of equal shape in pairs, in reading order."""
    pending = [(old, new)]
    while pending:
        before, after = pending.pop()
        yield before, after
        pairs = zip(before.children, after.children, strict=False)
        pending.extend(
            (first, second)
            for first, second in reversed(list(pairs))
            if isinstance(first, Node) and isinstance(second, Node)
        )


def _iterate_nodes(nodes: Sequence[Node]) -> Iterator[Node]:
    pending = list(reversed(nodes))
    while pending:
        node = pending.pop()
        yield node
        pending.extend(each for each in reversed(node.children) if isinstance(each, Node))

"""The lines of a snapshot as a search reads them: each with its visible texts and its position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from viewpoint_mcp.accessibility.printing.editor_content import printed_content_of
from viewpoint_mcp.accessibility.printing.snapshot_yaml import (
    TextLine,
    join_texts,
    render_content_on_line,
)
from viewpoint_mcp.accessibility.recycled_list_rows import GROUP_ROLES
from viewpoint_mcp.accessibility.tree import Node, children_and_value_of

_TEXT_PROPERTIES: Final = ("hint", "placeholder")


@dataclass(frozen=True, slots=True, eq=False)
class SearchableLine:
    """An element with the content on its line, or a text, or several adjacent texts.

    Attributes:
        item: The element or text.
        is_complete: Whether the line has the whole content of the element.
        ancestors: The elements around it, from the inside outwards.
        heading: The name of the last heading before it; "" for none.
        next_item: The element or text after it in its parent; None for none.
    """

    item: Node | str
    is_complete: bool
    ancestors: Sequence[Node]
    heading: str
    next_item: Node | str | None

    @property
    def container(self) -> Node | None:
        """The innermost element around it that is a row, list item or card, or has a name."""
        named = (each for each in self.ancestors if each.role in GROUP_ROLES or each.name)
        return next(named, None)

    def list_texts(self, *, has_urls: bool = False) -> list[str]:
        """Return the names, texts and values on the line, then all of them joined.

        Args:
            has_urls: Whether to return the addresses of links instead.
        """
        nodes: list[Node | str] = [self.item]
        texts: list[str] = []
        while nodes:
            item = nodes.pop()
            if isinstance(item, str):
                parts = item.parts if isinstance(item, TextLine) else [item]
                texts += [] if has_urls else parts
                continue
            names = ("url",) if has_urls else _TEXT_PROPERTIES
            texts += [] if has_urls else [item.name]
            texts += [str(item.properties[each]) for each in names if each in item.properties]
            if self.is_complete:
                nodes += reversed(children_and_value_of(item))
        texts = [each for each in texts if each]
        return texts if len(texts) < 2 else [*texts, " ".join(texts)]


def iterate_searchable_lines(nodes: Sequence[Node | str]) -> Iterator[SearchableLine]:
    """Yield the lines of a tree, in the order of the page."""
    heading = ""
    pending: list[tuple[Sequence[Node | str], int, tuple[Node, ...]]] = [(nodes, 0, ())]
    while pending:
        siblings, index, ancestors = pending.pop()
        if index == len(siblings):
            continue
        pending.append((siblings, index + 1, ancestors))
        item = siblings[index]
        next_item = siblings[index + 1] if index + 1 < len(siblings) else None
        is_complete = isinstance(item, str) or _prints_on_one_line(item)
        yield SearchableLine(item, is_complete, ancestors, heading, next_item)
        if isinstance(item, Node):
            if item.role == "heading":
                heading = item.name
            if not is_complete:
                content = printed_content_of(item)
                lines = content if "multiline" in item.properties else join_texts(content)
                pending.append((lines, 0, (item, *ancestors)))


def _prints_on_one_line(node: Node) -> bool:
    content = printed_content_of(node)
    if not content or (len(content) == 1 and isinstance(content[0], str)):
        return True
    return render_content_on_line(node) is not None

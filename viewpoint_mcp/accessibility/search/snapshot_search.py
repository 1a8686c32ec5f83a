"""Search in a snapshot for a text or a regular expression. Each matching line is printed once.

    # in listitem "Oolong":
    - text: 14 €
      # beside it: button "Add to cart" [ref=e22]

A comment names what contains the matches below it, unless one element contains all of them. A
second one names the controls of the row, list item or card that contains a match.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple, TypeGuard

from viewpoint_mcp.accessibility.printing.inline_content import (
    is_closed_list,
    quote_part,
    selected_options,
)
from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import (
    PART_SEPARATOR,
    format_count,
)
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_label, render_tree
from viewpoint_mcp.accessibility.recycled_list_rows import GROUP_ROLES
from viewpoint_mcp.accessibility.search.found_elements import (
    find_elements_with_ref,
    quote,
    shorten,
)
from viewpoint_mcp.accessibility.search.regex_search import Pattern, search_texts
from viewpoint_mcp.accessibility.search.searchable_lines import SearchableLine
from viewpoint_mcp.accessibility.tree import Node

_MAX_LINE_LENGTH: Final = 300  # of a line without elements in its content
_EXCERPT_MARGIN: Final = 60  # maximum characters before and after a match in an excerpt
_MAX_COMMENT_LENGTH: Final = 120  # maximum length of the comment about omitted matches
_MAX_CONTROLS: Final = 5  # controls beside a match
_TABLE_ROLES: Final = frozenset({"table", "grid", "treegrid"})


class Hit(NamedTuple):
    """A matching line.

    Attributes:
        line: The line.
        text: The text of the line that matches.
        start: The position of the match in the text.
        end: The position after the match.
        is_in_url: Whether the text is the address of a link. Otherwise addresses are not printed.
    """

    line: SearchableLine
    text: str
    start: int
    end: int
    is_in_url: bool

    @property
    def excerpt(self) -> str:
        """The match with the text around it, on one line, cut with "…"."""
        end = min(self.end, self.start + _EXCERPT_MARGIN)
        first, last = max(0, self.start - _EXCERPT_MARGIN), end + _EXCERPT_MARGIN
        before, after = "…" if first else "", "…" if last < len(self.text) else ""
        return before + " ".join(self.text[first:last].split()) + after


@dataclass(frozen=True, slots=True)
class PrintedMatches:
    """The printed matches.

    Attributes:
        text: The lines of YAML.
        match_count: The number of matching lines in the text.
    """

    text: str
    match_count: int


def find_lines_with_text(
    lines: Iterable[SearchableLine], query: str, *, has_urls: bool = False
) -> list[Hit]:
    """Return the lines that contain a text, ignoring case and differences in white space.

    Args:
        has_urls: Whether to search the addresses of links instead of the visible texts.
    """
    query = " ".join(query.casefold().split())
    hits = []
    for line in lines:
        for text in line.list_texts(has_urls=has_urls):
            tidy = " ".join(text.split())
            start = tidy.casefold().find(query)
            if start >= 0:
                hits.append(Hit(line, tidy, start, start + len(query), has_urls))
                break
    return hits


async def find_lines_matching_pattern(
    lines: Sequence[SearchableLine], pattern: Pattern, *, has_urls: bool = False
) -> list[Hit]:
    """Return the lines that match a regular expression.

    Args:
        has_urls: Whether to search the addresses of links instead of the visible texts.

    Raises:
        CallError: The pattern is malformed, or the search exceeds its time limit.
    """
    texts = [(line, text) for line in lines for text in line.list_texts(has_urls=has_urls)]
    found = await search_texts(pattern, [text for _, text in texts])
    hits = [Hit(*texts[match.index], match.start, match.end, has_urls) for match in found]
    return [next(same_line) for _, same_line in groupby(hits, key=lambda hit: id(hit.line))]


def render_matches(hits: Sequence[Hit], budget: float = math.inf) -> PrintedMatches:
    """Print the matching lines, with what contains them and the controls beside them.

    Args:
        hits: The matching lines, in the order of the page.
        budget: The maximum number of characters. Matches that do not fit are counted.
    """
    budget -= _MAX_COMMENT_LENGTH
    printed: list[str] = []
    match_count = 0
    for group in _iterate_printed_groups(hits):
        for hit_count, text in group:
            budget -= len(text) + 1
            if budget < 0 and printed:
                omitted = format_count(len(hits) - match_count, "more match")
                printed.append(f"# … {omitted} not shown. Narrow the search.")
                return PrintedMatches("\n".join(printed), match_count)
            printed.append(text)
            match_count += hit_count
    return PrintedMatches("\n".join(printed), match_count)


def _iterate_printed_groups(hits: Sequence[Hit]) -> Iterator[Iterator[tuple[int, str]]]:
    """Yield the lines of the hits in one container after the other, with the number of hits."""
    keys = [(id(hit.line.container), _describe_context(hit.line)) for hit in hits]
    for key, numbered in groupby(zip(keys, hits, strict=True), key=lambda each: each[0]):
        context = key[1] if len(set(keys)) > 1 else ""
        yield _iterate_lines_of_group(context, [hit for _, hit in numbered])


def _iterate_lines_of_group(context: str, hits: Sequence[Hit]) -> Iterator[tuple[int, str]]:
    if context:
        yield 0, f"# {context}:"
    last_table = None
    for hit in hits:
        if (table := _find_table(hit.line)) is not None and table is not last_table:
            if columns := _list_columns(table):
                yield 0, f"# columns: {PART_SEPARATOR.join(columns)}"
            last_table = table
        yield 1, _render_hit(hit)
        if _is_field_of(next_item := hit.line.next_item, hit.line):
            yield 0, f"  # beside it: {render_label(next_item)}"
    container = hits[0].line.container
    if container is not None and container.role in GROUP_ROLES:
        controls = _list_controls(container, hits)
        if len(controls) > _MAX_CONTROLS:
            controls[_MAX_CONTROLS:] = [f"and {len(controls) - _MAX_CONTROLS} more"]
        if controls:
            yield 0, f"  # beside it: {PART_SEPARATOR.join(controls)}"


def _find_table(line: SearchableLine) -> Node | None:
    """Return the table of a line that is a row; None for other lines."""
    if isinstance(line.item, str) or line.item.role != "row":
        return None
    return next((each for each in line.ancestors if each.role in _TABLE_ROLES), None)


def _list_columns(table: Node) -> list[str]:
    """Return the names of a table's columns, from its first row with more than one of them."""
    rows: list[Node | str] = list(reversed(table.children))
    while rows:
        row = rows.pop()
        if isinstance(row, Node) and row.role == "rowgroup":
            rows += reversed(row.children)
        elif isinstance(row, Node) and row.role == "row":
            cells = [each for each in row.children if isinstance(each, Node)]
            headers = [each for each in cells if each.role == "columnheader"]
            if len(headers) > 1:
                return [
                    quote_part(shorten(each.name or " ".join(_texts_in(each)))) for each in cells
                ]
    return []


def _describe_context(line: SearchableLine) -> str:
    """Return a description of what contains a line, and of the heading before it."""
    container = line.container
    parts = []
    if container is not None:
        title = container.name or _title_of(container)
        parts.append(f"in {container.role} {quote(shorten(title))}" if title else "")
    if line.heading and (container is None or container.role not in GROUP_ROLES):
        parts.append(f"after heading {quote(shorten(line.heading))}")
    return ", ".join(filter(None, parts)) or "in the page"


def _title_of(group: Node) -> str:
    """Return the first heading in a group, or else its first text."""
    pending = list(reversed(group.children))
    while pending:
        item = pending.pop()
        if isinstance(item, Node):
            if item.role == "heading":
                return item.name
            pending += reversed(item.children)
    return next(iter(_texts_in(group)), "")


def _texts_in(node: Node) -> list[str]:
    """Return the texts and names in an element that have a letter or a digit."""
    texts: list[str] = []
    pending = list(reversed(node.children))
    while pending:
        item = pending.pop()
        texts.append(item if isinstance(item, str) else item.name)
        if isinstance(item, Node):
            pending += reversed(item.children)
    return [text for text in texts if any(map(str.isalnum, text))]


def _list_controls(group: Node, hits: Sequence[Hit]) -> list[str]:
    """Return the labels of the elements with a ref in a group, except those that the hits show."""
    shown = "\n".join(_render_hit(hit) for hit in hits)
    return [
        render_label(each.node)
        for each in find_elements_with_ref(group.children)
        if f"[ref={each.node.ref}]" not in shown
        and not each.is_hidden
        and not any(map(is_closed_list, each.ancestors))
    ]


def _is_field_of(next_item: Node | str | None, line: SearchableLine) -> TypeGuard[Node]:
    """Return whether an item is an element without a name, after a text outside of a group."""
    is_label = isinstance(line.item, str) and not any(
        each.role in GROUP_ROLES for each in line.ancestors
    )
    return is_label and isinstance(next_item, Node) and bool(next_item.ref) and not next_item.name


def _render_hit(hit: Hit) -> str:
    """Return the line of a match. A long one is cut to the text around the match."""
    item = hit.line.item
    if isinstance(item, Node) and not hit.line.is_complete:
        item = _without_content(item)
    if not hit.is_in_url:
        item = _without_urls(item)
    text = render_tree([item]).split("\n", 1)[0]
    if len(text) > _MAX_LINE_LENGTH and text.count("[ref=") <= 1:
        text = _render_excerpt(item, hit.excerpt)
    match = hit.text[hit.start : hit.end]
    if all(word in text or quote(word)[1:-1] in text for word in match.split()):
        return text
    return f"{text} # match: {quote(hit.excerpt)}"


def _without_urls(item: Node | str) -> Node | str:
    """Return a copy of an item on one line without the addresses of links."""
    if isinstance(item, str):
        return item
    properties = {name: each for name, each in item.properties.items() if name != "url"}
    return Node(item.role, item.name, properties, [*map(_without_urls, item.children)], item.ref)


def _without_content(node: Node) -> Node:
    properties = {name: each for name, each in node.properties.items() if name != "value"}
    return Node(node.role, node.name, properties, None, node.ref)


def _render_excerpt(item: Node | str, excerpt: str) -> str:
    if isinstance(item, str):
        return render_tree([excerpt])
    label = _without_content(item)
    label.children = [selected_options(item) if is_closed_list(item) else excerpt]
    return render_tree([label])

"""Reduction of a snapshot to its upper levels, with counts of the deeper elements."""

from __future__ import annotations

from viewpoint_mcp.accessibility.outline import Outline, plural


def cut_below(text: str, depth: int) -> str:
    """Return a snapshot without the elements deeper than `depth` levels below the top.

    A YAML comment counts the omitted elements at each cut. Text of a page cannot imitate such a
    comment, because texts with ` #` are quoted. Properties such as `/url` of printed elements stay.

    Args:
        text: The YAML of the snapshot.
        depth: The number of levels below the top level; 0 for the top level only.
    """
    outline = Outline(text)
    shown: list[str] = []
    left_out = 0
    index = 0
    while index < len(outline.lines):
        line, level, end = outline.lines[index], outline.levels[index], outline.ends[index]
        index += 1
        if level < depth or end == index:
            shown.append(line)
            continue
        first = index
        while first < end and outline.role(first).startswith("/"):
            first += 1
        elements, size = outline.elements(first, end), outline.size(first, end)
        left_out += elements
        shown.append(f"{line} # {_count(elements, size)}" if first < end else line)
        shown.extend(outline.lines[index:first])
        index = end
    if left_out:
        shown.append(
            f"# depth={depth}: {plural(left_out, 'element')} deeper down left out. "
            "Read on with a greater depth, or with ref for one part."
        )
    return "\n".join(shown)


def _count(elements: int, size: int) -> str:
    return f"{plural(elements, 'more element')}" if elements else f"{size:,} more characters"

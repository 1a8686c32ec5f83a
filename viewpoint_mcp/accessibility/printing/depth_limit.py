"""Reduction of a snapshot to its upper levels, with counts of the deeper elements."""

from __future__ import annotations

from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import SnapshotLines, format_count


def limit_depth(text: str, depth: int) -> str:
    """Return a snapshot without the elements deeper than `depth` levels below the top.

    A YAML comment counts the omitted elements at each cut. Text of a page cannot imitate such a
    comment, because texts with ` #` are quoted.

    Args:
        text: The YAML of the snapshot.
        depth: The number of levels below the top level; 0 for the top level only.
    """
    snapshot_lines = SnapshotLines(text)
    printed: list[str] = []
    omitted = 0
    index = 0
    while index < len(snapshot_lines.lines):
        line, level, end = (
            snapshot_lines.lines[index],
            snapshot_lines.levels[index],
            snapshot_lines.subtree_ends[index],
        )
        index += 1
        if level < depth or end == index:
            printed.append(line)
            continue
        elements = snapshot_lines.count_elements(index, end)
        size = snapshot_lines.count_characters(index, end)
        omitted += elements
        printed.append(f"{line} # {_describe_omitted(elements, size)}")
        index = end
    if omitted:
        printed.append(
            f"# depth={depth}: {format_count(omitted, 'deeper element')} omitted. "
            "To read more, use a greater depth, or ref for one part."
        )
    return "\n".join(printed)


def _describe_omitted(elements: int, size: int) -> str:
    return f"{format_count(elements, 'more element')}" if elements else f"{size:,} more characters"

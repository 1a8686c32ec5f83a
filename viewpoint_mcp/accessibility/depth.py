"""Shows the upper levels of a snapshot and counts what stands deeper."""

from __future__ import annotations

from viewpoint_mcp.accessibility.outline import Outline, plural


def cut_below(text: str, depth: int) -> str:
    """Leave out what stands more than `depth` levels below the top, with a count at each place.

    The counts are comments of YAML, which no text of a page can be: a `#` of its own is quoted.
    What a line says of its own element (`/url`) is never left out.
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

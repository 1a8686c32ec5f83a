"""Lookup of a tool of the page by its name and its frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.page.shorten import shorten_url
from viewpoint_mcp.tools.webmcp.page_texts import quote

if TYPE_CHECKING:
    from viewpoint_mcp.page.frames import Frame
    from viewpoint_mcp.page.webmcp.offered_tools import OfferedTool
    from viewpoint_mcp.page.webmcp.webmcp import WebMcp

_MAX_NAMES: Final = 20  # names that an error lists


def describe_frame(frame: Frame) -> str:
    """Return the number and the URL of a frame: `f1 (https://example.org/)`."""
    return f"f{frame.number} ({shorten_url(frame.url)})"


def get_origin(frame: Frame) -> str:
    """Return the origin of a frame's document, or its scheme if it has none."""
    while frame.url.startswith("about:") and frame.parent is not None:
        frame = frame.parent  # about:srcdoc and about:blank have the origin of their parent
    parts = urlsplit(frame.url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else f"{parts.scheme}:"


async def find_tool(webmcp: WebMcp, name: str, frame: str | None) -> tuple[Frame, OfferedTool]:
    """Return the tool with a name, and its frame.

    Args:
        frame: The number, the URL or the origin of the frame; None if only one offers the tool.

    Raises:
        CallError: The page does not offer the tool, or several frames do.
        PageError: The browser has no WebMCP.
    """
    offered = list(webmcp.tools)
    named = [(place, tool) for place, tool in offered if tool.name == name]
    matches = [(place, tool) for place, tool in named if frame is None or _is_at(frame, place)]
    if len(matches) == 1:
        return matches[0]
    places = ", ".join(describe_frame(place) for place, _ in matches or named)
    if matches:
        raise CallError(
            f"Several frames offer a tool {quote(name)}: {places}.", "Pass one of them as frame."
        )
    if named:
        raise CallError(
            f"No frame {quote(frame or '')} offers the tool {quote(name)}. It is in {places}."
        )
    message = f"The page offers no tool {quote(name)}."
    if not offered:
        raise CallError(f"{message} {await webmcp.explain_absence()}".rstrip())
    names = list(dict.fromkeys(quote(tool.name) for _, tool in offered))
    more = ", and more" if len(names) > _MAX_NAMES else ""
    raise CallError(
        f"{message} It offers {', '.join(names[:_MAX_NAMES])}{more}.",
        "See them with browser_webmcp_list.",
    )


def _is_at(label: str, frame: Frame) -> bool:
    """Return whether a label names a frame: its number, its URL or its origin."""
    return label in (f"f{frame.number}", frame.url, get_origin(frame))

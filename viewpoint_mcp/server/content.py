"""A runner's reply as the content blocks of an MCP tool result."""

from __future__ import annotations

import base64
from typing import Any, Final

from viewpoint_mcp.tools.result import Image, Link, Reply

# The revision that brought links, and `title`.
LINKS_SINCE: Final = "2025-06-18"


def tool_result(reply: Reply, version: str) -> dict[str, Any]:
    """The result of tools/call: one block of text, then the images, then links to resources.

    Args:
        version: The protocol's, which the client speaks; before 2025-06-18 there were no links.
    """
    blocks = [text_block(reply.text)] if reply.text or not reply.images else []
    blocks.extend(image_block(image) for image in reply.images)
    if version >= LINKS_SINCE:
        blocks.extend(link_block(link) for link in reply.links)
    result: dict[str, Any] = {"content": blocks}
    if reply.structured is not None:
        result["structuredContent"] = reply.structured
    if reply.is_error:
        result["isError"] = True
    return result


def text_block(text: str) -> dict[str, Any]:
    """A block of text."""
    return {"type": "text", "text": text}


def link_block(link: Link) -> dict[str, Any]:
    """A block that names a resource, to be read when it is wanted."""
    return {"type": "resource_link", **resource(link)}


def resource(link: Link) -> dict[str, Any]:
    """A resource as lists and links name it."""
    return {
        "uri": link.uri,
        "name": link.name,
        "title": link.title,
        "mimeType": link.mime_type,
        "size": link.size,
    }


def image_block(image: Image) -> dict[str, Any]:
    """A block with a picture, and whom it is for when that is said."""
    block: dict[str, Any] = {
        "type": "image",
        "data": base64.b64encode(image.data).decode("ascii"),
        "mimeType": image.mime_type,
    }
    if image.audience:
        block["annotations"] = {"audience": list(image.audience)}
    return block

"""A runner's reply as the content blocks of an MCP tool result."""

from __future__ import annotations

import base64
from typing import Any

from viewpoint_mcp.tools.result import Image, Reply


def tool_result(reply: Reply) -> dict[str, Any]:
    """The result of tools/call: one block of text, then the images."""
    blocks = [text_block(reply.text)] if reply.text or not reply.images else []
    blocks.extend(image_block(image) for image in reply.images)
    result: dict[str, Any] = {"content": blocks}
    if reply.structured is not None:
        result["structuredContent"] = reply.structured
    if reply.is_error:
        result["isError"] = True
    return result


def text_block(text: str) -> dict[str, Any]:
    """A block of text."""
    return {"type": "text", "text": text}


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

"""A runner's reply as the content blocks of an MCP tool result."""

from __future__ import annotations

import base64

from viewpoint_mcp.rpc.messages import JsonObject
from viewpoint_mcp.server import revisions
from viewpoint_mcp.tools.core.result import Audio, Embedded, Image, Link, Reply


def tool_result(reply: Reply, version: str) -> JsonObject:
    """The result of tools/call: one block of text, then the images, what else is attached,
    and links to resources.

    Args:
        version: The protocol's, which the client speaks.
    """
    blocks = [text_block(reply.text)] if reply.text or not (reply.images or reply.attached) else []
    blocks.extend(image_block(image) for image in reply.images)
    blocks.extend(attached_block(each, version) for each in reply.attached)
    if version >= revisions.LINKS:
        blocks.extend(link_block(link) for link in reply.links)
    result: JsonObject = {"content": blocks}
    if reply.structured is not None:
        result["structuredContent"] = reply.structured
    if reply.is_error:
        result["isError"] = True
    return revisions.fit("result", result, version)


def text_block(text: str) -> JsonObject:
    """A block of text."""
    return {"type": "text", "text": text}


def attached_block(attached: Audio | Embedded, version: str) -> JsonObject:
    """A block with sound, or with a whole resource; before 2025-03-26 sound is only told of."""
    if isinstance(attached, Embedded):
        return {"type": "resource", "resource": embedded(attached)}
    if version < revisions.AUDIO:
        return text_block(f"[{attached.mime_type} of {len(attached.data)} bytes]")
    data = base64.b64encode(attached.data).decode("ascii")
    return {"type": "audio", "data": data, "mimeType": attached.mime_type}


def embedded(resource: Embedded) -> JsonObject:
    """The contents of a resource, as resources/read and blocks say them."""
    told: JsonObject = {"uri": resource.uri, "mimeType": resource.mime_type}
    if isinstance(resource.content, str):
        return {**told, "text": resource.content}
    return {**told, "blob": base64.b64encode(resource.content).decode("ascii")}


def link_block(link: Link) -> JsonObject:
    """A block that names a resource, to be read when it is wanted."""
    return {"type": "resource_link", **resource(link)}


def resource(link: Link) -> JsonObject:
    """A resource as lists and links name it."""
    return {
        "uri": link.uri,
        "name": link.name,
        "title": link.title,
        "mimeType": link.mime_type,
        "size": link.size,
    }


def image_block(image: Image) -> JsonObject:
    """A block with a picture, and whom it is for when that is said."""
    block: JsonObject = {
        "type": "image",
        "data": base64.b64encode(image.data).decode("ascii"),
        "mimeType": image.mime_type,
    }
    if image.audience:
        block["annotations"] = {"audience": list(image.audience)}
    return block

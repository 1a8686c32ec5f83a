"""Conversion of a reply to the content blocks of an MCP tool result."""

from __future__ import annotations

import base64

from viewpoint_mcp.rpc.messages import JsonObject
from viewpoint_mcp.server import fields_by_protocol_version
from viewpoint_mcp.tools.core.result import Audio, Embedded, Image, Link, Reply


def tool_result(reply: Reply, version: str) -> JsonObject:
    """Return the result of tools/call.

    Its blocks are one text, then images, audio and embedded resources, and links to resources.
    A reply without text that has an image or attachment gets no text block.

    Args:
        version: The protocol version of the client. Parts that it does not define are left out.
    """
    blocks = (
        [text_block(reply.text)] if reply.text or not (reply.images or reply.attachments) else []
    )
    blocks.extend(image_block(image) for image in reply.images)
    blocks.extend(attachment_block(each, version) for each in reply.attachments)
    if version >= fields_by_protocol_version.LINKS_VERSION:
        blocks.extend(link_block(link) for link in reply.links)
    result: JsonObject = {"content": blocks}
    if reply.structured_content is not None:
        result["structuredContent"] = reply.structured_content
    if reply.is_error:
        result["isError"] = True
    if reply.error_code is not None:  # also for versions without structured content
        result["_meta"] = {"error": {"code": reply.error_code}}
    return fields_by_protocol_version.remove_newer_fields("result", result, version)


def text_block(text: str) -> JsonObject:
    """Return a text block."""
    return {"type": "text", "text": text}


def attachment_block(attachment: Audio | Embedded, version: str) -> JsonObject:
    """Return an audio block or an embedded resource block.

    For versions before 2025-03-26, which have no audio blocks, audio becomes a text block with its
    type and size.

    Args:
        version: The protocol version of the client.
    """
    if isinstance(attachment, Embedded):
        return {"type": "resource", "resource": resource_contents(attachment)}
    if version < fields_by_protocol_version.AUDIO_VERSION:
        return text_block(f"[{attachment.mime_type} of {len(attachment.data)} bytes]")
    data = base64.b64encode(attachment.data).decode("ascii")
    return {"type": "audio", "data": data, "mimeType": attachment.mime_type}


def resource_contents(resource: Embedded) -> JsonObject:
    """Return the contents of a resource in the form of resources/read and resource blocks."""
    contents: JsonObject = {"uri": resource.uri, "mimeType": resource.mime_type}
    if isinstance(resource.content, str):
        return {**contents, "text": resource.content}
    return {**contents, "blob": base64.b64encode(resource.content).decode("ascii")}


def link_block(link: Link) -> JsonObject:
    """Return a block that links to a resource, which the client can read later."""
    return {"type": "resource_link", **resource_description(link)}


def resource_description(link: Link) -> JsonObject:
    """Return the description of a resource in the form of resources/list and links."""
    return {
        "uri": link.uri,
        "name": link.name,
        "title": link.title,
        "mimeType": link.mime_type,
        "size": link.size,
    }


def image_block(image: Image) -> JsonObject:
    """Return an image block, with its audience as an annotation if the image has one."""
    block: JsonObject = {
        "type": "image",
        "data": base64.b64encode(image.data).decode("ascii"),
        "mimeType": image.mime_type,
    }
    if image.audience:
        block["annotations"] = {"audience": list(image.audience)}
    return block

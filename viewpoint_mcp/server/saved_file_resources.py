"""The methods resources/list, resources/read and resources/templates/list for saved files."""

from __future__ import annotations

import asyncio
import base64
from typing import Final

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.saved_file_lookup import URI_SCHEME, SavedFile, SavedFiles
from viewpoint_mcp.files.saved_file_pagination import select_page
from viewpoint_mcp.rpc.errors import INTERNAL_ERROR, INVALID_PARAMS, RpcError
from viewpoint_mcp.rpc.messages import JsonObject
from viewpoint_mcp.server import fields_by_protocol_version, sessionless_protocol
from viewpoint_mcp.server.content_blocks import resource_description
from viewpoint_mcp.tools.core.result import Link

RESOURCE_NOT_FOUND: Final = -32002
"""The error code for an unknown resource in the versions before 2026-07-28."""

_PAGE_SIZE = 100
_MAX_QUOTED_URI = 200

_TEMPLATES: Final = (
    ("screenshots", "Screenshots", "Screenshots, and other images in the same directory."),
    ("output", "Other files", "Snapshots and PDFs of pages, and images in the same directory."),
)


async def list_resources(saved_files: SavedFiles, params: JsonObject, version: str) -> JsonObject:
    """Return the result of resources/list: one page of the saved files, newest first.

    Args:
        version: The protocol version of the client.

    Raises:
        RpcError: The cursor is not valid.
    """
    cursor = params.get("cursor")
    if not isinstance(cursor, str | None):
        raise RpcError(INVALID_PARAMS, "cursor must be a string.")
    entries = await asyncio.to_thread(saved_files.list_files_except_downloads)
    try:
        page, next_cursor = select_page(entries, cursor, _PAGE_SIZE)
    except CallError as error:
        raise RpcError(INVALID_PARAMS, str(error)) from None
    result: JsonObject = {"resources": [_make_list_entry(entry, version) for entry in page]}
    return result if next_cursor is None else {**result, "nextCursor": next_cursor}


async def read_resource(saved_files: SavedFiles, params: JsonObject, version: str) -> JsonObject:
    """Return the result of resources/read: the content of one saved file.

    Args:
        version: The protocol version of the client.

    Raises:
        RpcError: The params contain no URI, the resource does not exist, or its file cannot be
            read.
    """
    uri = params.get("uri")
    if not isinstance(uri, str):
        raise RpcError(INVALID_PARAMS, "resources/read needs the uri of a resource, a string.")
    return {"contents": [await asyncio.to_thread(_read_contents, saved_files, uri, version)]}


def list_templates(params: JsonObject, version: str) -> JsonObject:
    """Return the result of resources/templates/list: all templates on one page.

    Args:
        version: The protocol version of the client.

    Raises:
        RpcError: The client requests another page.
    """
    if params.get("cursor") is not None:
        raise RpcError(INVALID_PARAMS, "All templates are on one page. Omit the cursor.")
    templates = [
        {
            "uriTemplate": f"{URI_SCHEME}{directory}/{{+name}}",
            "name": directory,
            "title": title,
            "description": description,
        }
        for directory, title, description in _TEMPLATES
    ]
    return {
        "resourceTemplates": [
            fields_by_protocol_version.remove_newer_fields("template", each, version)
            for each in templates
        ]
    }


def _make_list_entry(entry: SavedFile, version: str) -> JsonObject:
    link = Link(entry.uri, entry.name, entry.title, entry.mime_type, entry.size)
    saved = entry.saved_at.isoformat(timespec="seconds").replace("+00:00", "Z")
    fields = {**resource_description(link), "annotations": {"lastModified": saved}}
    return fields_by_protocol_version.remove_newer_fields("resource", fields, version)


def _read_contents(saved_files: SavedFiles, uri: str, version: str) -> JsonObject:
    """Return the content of a file: text for MIME types of text, else base64."""
    entry = saved_files.find_by_uri(uri)
    if entry is None:
        raise _make_not_found_error(uri, version)
    try:
        data = saved_files.read(entry)
    except CallError as error:
        if saved_files.find_by_uri(uri) is None:
            raise _make_not_found_error(uri, version) from None
        raise RpcError(INTERNAL_ERROR, error.message, {"uri": uri}) from None
    contents = {"uri": uri, "mimeType": entry.mime_type}
    if entry.mime_type.startswith("text/"):
        return {**contents, "text": data.decode(errors="replace")}
    return {**contents, "blob": base64.b64encode(data).decode("ascii")}


def _make_not_found_error(uri: str, version: str) -> RpcError:
    quoted = uri[:_MAX_QUOTED_URI]
    sentence = f"Resource {quoted} does not exist. Use a URI of resources/list."
    code = (
        INVALID_PARAMS
        if version in sessionless_protocol.SESSIONLESS_VERSIONS
        else RESOURCE_NOT_FOUND
    )
    return RpcError(code, sentence, {"uri": uri})

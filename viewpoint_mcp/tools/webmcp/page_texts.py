"""Texts of the page's tools in replies: quoted, so that no line can pass for one of the server."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from viewpoint_mcp.accessibility.printing.invisible_characters import remove_invisible
from viewpoint_mcp.accessibility.printing.sentence_quotes import to_one_line
from viewpoint_mcp.tools.reply.file_saving import save_omitted_text

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page

_PREFIX: Final = "> "
_MAX_MEDIA: Final = 10  # files of one result
_SUFFIXES: Final = {
    "image/png": "png",
    "image/jpeg": "jpeg",
    "image/webp": "webp",
    "image/gif": "gif",
    "audio/wav": "wav",
    "audio/mpeg": "mp3",
}


class Media(Struct, frozen=True):
    """A picture or sound in the result of a tool.

    Args:
        mime_type: One of a few known types.
    """

    mime_type: str
    data: bytes


class RenderedOutput(Struct, frozen=True):
    """The result of a tool of the page.

    Args:
        text: The text, not yet quoted.
        media: The pictures and sounds that the text names.
        is_error: Whether the tool reports a failure in the form of MCP, `isError: true`.
    """

    text: str
    media: tuple[Media, ...] = ()
    is_error: bool = False


def quote(text: str) -> str:
    """Return a text on one line and in quotes, as JSON."""
    return json.dumps(to_one_line(text), ensure_ascii=False)


def quote_lines(text: str) -> str:
    """Return a text with a prefix before each line; "" for no text."""
    clean = remove_invisible(text).strip("\n")
    return "\n".join(f"{_PREFIX}{line}" for line in clean.split("\n")) if clean else ""


def render_output(output: Any) -> RenderedOutput:
    """Return what a tool returned as text: a string as it is, content blocks of MCP, or JSON.

    Args:
        output: A JSON value.
    """
    if isinstance(output, str):
        return RenderedOutput(output)
    if not isinstance(output, dict) or not _has_content_blocks(output):
        return RenderedOutput(_to_json(output))
    media: list[Media] = []
    parts = [_render_block(block, media) for block in output["content"]]
    rest = {key: value for key, value in output.items() if key not in ("content", "isError")}
    if rest:
        parts.append(_to_json(rest))
    return RenderedOutput("\n".join(parts), tuple(media), output.get("isError") is True)


def _has_content_blocks(output: dict[str, Any]) -> bool:
    content = output.get("content")
    return isinstance(content, list) and all(
        isinstance(block, dict) and isinstance(block.get("type"), str) for block in content
    )


def _render_block(block: dict[str, Any], media: list[Media]) -> str:
    """Return the text of a content block, and add a picture or sound to `media`."""
    if block["type"] == "text" and isinstance(block.get("text"), str):
        return str(block["text"])
    mime_type, encoded = block.get("mimeType"), block.get("data")
    if (
        isinstance(mime_type, str)
        and mime_type in _SUFFIXES
        and isinstance(encoded, str)
        and len(media) < _MAX_MEDIA
    ):
        try:
            media.append(Media(mime_type, base64.b64decode(encoded, validate=True)))
            return f"[{mime_type}, file {len(media)}]"
        except (binascii.Error, ValueError):
            pass
    return _to_json(block)


def _to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


async def save_media(page: Page, media: Media) -> str:
    """Save a picture or sound to a file. Return its type, its size and the path."""
    suffix = _SUFFIXES[media.mime_type]
    path = await save_omitted_text(page, media.data, "result", "result of a tool of a page", suffix)
    return f"{media.mime_type}, {len(media.data):,} bytes: {path}"


async def fit_quoted(page: Page, heading: str, text: str, files: Sequence[str], budget: int) -> str:
    """Return a heading and a quoted text. If they exceed the budget, save the text to a file.

    Args:
        files: Descriptions of saved files, which are numbered from 1.
        budget: The maximum number of characters.
    """
    listed = [f"File {number}: {each}" for number, each in enumerate(files, 1)]
    if not text.strip():
        return "\n".join([heading.removesuffix(":") + " The text is empty.", *listed])
    quoted = quote_lines(text)
    whole = "\n".join([heading, quoted, *listed])
    if len(whole) <= budget:
        return whole
    path = await save_omitted_text(page, text, "result", "result of a tool of a page")
    notice = f"Cut, because it has {len(text):,} characters. The whole: {path}"
    first = "\n".join([heading, notice, *listed])
    return f"{first}\n{quoted[: max(budget - len(first) - 2, 0)]}…"

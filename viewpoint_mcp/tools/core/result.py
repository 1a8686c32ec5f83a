"""The result that a tool function returns, and the reply that the client receives.

`tools/reply` turns a `ToolResult` into a `Reply`: it adds the state of the page and of the browser.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from viewpoint_mcp.tools.core.output import Output

if TYPE_CHECKING:
    from viewpoint_mcp.browser.context import Context
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.capture.screenshot import Screenshot
    from viewpoint_mcp.page.page import Page

Audience = Literal["user", "assistant"]


class Image(Struct, frozen=True):
    """An encoded image.

    Args:
        data: The bytes of the file.
        mime_type: "image/png", "image/jpeg" or "image/webp".
        audience: The readers it is meant for; empty if the client decides.
    """

    data: bytes
    mime_type: str
    audience: tuple[Audience, ...] = ()


class SavedScreenshot(Struct, frozen=True):
    """A screenshot and its file. The setting `image_responses` decides what the reply has of it.

    Args:
        path: The file, as replies name it.
        subject: What it shows, such as "viewport".
    """

    screenshot: Screenshot
    path: str
    subject: str


class Link(Struct, frozen=True):
    """A link to a resource, which the client may read.

    Args:
        uri: As in resources/list.
        name: The name of the file.
        size: Bytes.
    """

    uri: str
    name: str
    title: str
    mime_type: str
    size: int


class Audio(Struct, frozen=True):
    """Encoded sound.

    Args:
        data: The bytes of the file.
        mime_type: Such as "audio/wav".
    """

    data: bytes
    mime_type: str


class Embedded(Struct, frozen=True):
    """A resource whose content is part of the reply.

    Args:
        content: Text, or the bytes of binary content.
    """

    uri: str
    mime_type: str
    content: str | bytes


class View(Struct, frozen=True):
    """The part of the page that a reply shows, and the form in which it does.

    Args:
        show: False for no snapshot, only the state of the page.
        root: The element to show with its content; None for the whole page.
        depth: Number of levels; None for all.
        all_refs: Whether structural elements get refs too.
        boxes: Whether each element has its bounding box.
        filename: File for the snapshot; the reply then names the file instead.
        as_file: The same with a generated name.
        changes: Show only the changes since the last snapshot, if they are shorter than the page.
    """

    show: bool = True
    root: Element | None = None
    depth: int | None = None
    all_refs: bool = False
    boxes: bool = False
    filename: str | None = None
    as_file: bool = False
    changes: bool = False


class FittedText(Struct, frozen=True):
    """A text that fits its budget, and the same content as data."""

    text: str
    output: Output


class ToolResult(Struct, frozen=True):
    """The result of one tool call, before the state of the page and the browser is added.

    Args:
        text: The result, as lines of text; empty for none.
        within: Returns the text for a budget of characters, with the data if the tool has some.
            It replaces `text` where that may be too long. It is a coroutine function if it saves
            the rest to a file.
        snapshot: Whether the reply shows the page after the call, in the form that the server is
            configured to use after actions. The composer takes the snapshot.
        view: Show exactly this, whatever the server shows after actions.
        lists_tabs: Whether the text lists the open tabs already.
        context: The context that a browser tool acted in; None for the active one.
        page: The page that a browser tool acted on.
        screenshot: A screenshot that the tool saved. Its text comes first; its image is the only
            one.
        images: Images that follow the text.
        links: Links that follow the images, for clients that support them.
        attached: Sounds and whole resources that follow the images.
        output: The same result as data, if the tool declares an output.
        is_error: Whether the call failed although its function returned.
    """

    text: str = ""
    within: Callable[[int], str | FittedText | Awaitable[str | FittedText]] | None = None
    snapshot: bool = False
    view: View | None = None
    lists_tabs: bool = False
    context: Context | None = None
    page: Page | None = None
    screenshot: SavedScreenshot | None = None
    images: tuple[Image, ...] = ()
    links: tuple[Link, ...] = ()
    attached: tuple[Audio | Embedded, ...] = ()
    output: Output | None = None
    is_error: bool = False


class Reply(Struct, frozen=True):
    """The complete reply to one call. The server turns it into content blocks.

    Args:
        text: All sections; empty for a reply of images alone.
        images: Images that follow the text.
        links: Links that follow the images.
        is_error: Whether the call failed.
        structured: A JSON object with the content of the text.
        attached: Sounds and whole resources that follow the images.
    """

    text: str
    images: tuple[Image, ...] = ()
    links: tuple[Link, ...] = ()
    is_error: bool = False
    structured: dict[str, Any] | None = None
    attached: tuple[Audio | Embedded, ...] = ()

    def with_preface(self, text: str) -> Reply:
        """Return a copy with a text before its own, and in the notes of its data."""
        structured = self.structured
        if structured is not None:
            notes = "\n".join(filter(None, (text, structured.get("notes"))))
            structured = {**structured, "notes": notes}
        return replace(self, text=f"{text}\n{self.text}", structured=structured)

    def mask(self, mask: Callable[[str], str]) -> Reply:
        """Return a copy with `mask` applied to each text."""
        return replace(
            self,
            text=mask(self.text),
            links=tuple(replace(link, title=mask(link.title)) for link in self.links),
            structured=_mask_json(self.structured, mask),
        )


def join_sections(sections: Mapping[str, str]) -> str:
    """Return the text of a reply: each section below its heading, without the empty ones."""
    return "\n".join(f"### {title}\n{text}" for title, text in sections.items() if text)


def _mask_json(value: Any, mask: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, dict):
        return {name: _mask_json(each, mask) for name, each in value.items()}
    if isinstance(value, list):
        return [_mask_json(each, mask) for each in value]
    return value

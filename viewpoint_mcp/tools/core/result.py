"""What a tool function returns (`ToolResult`) and what the client is told (`Reply`).

Between the two stands the runner, which adds the page's state, snapshots and events.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
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
    """An encoded picture for the client.

    Args:
        data: The bytes of the file, as the format says.
        mime_type: "image/png", "image/jpeg" or "image/webp".
        audience: Whom it is meant for; empty says nothing about it.
    """

    data: bytes
    mime_type: str
    audience: tuple[Audience, ...] = ()


class Taken(Struct, frozen=True):
    """A screenshot that was saved; how much of it the reply brings, the server's user chose.

    Args:
        path: Of its file, as replies name it.
        what: What it shows.
    """

    shot: Screenshot
    path: str
    what: str


class Link(Struct, frozen=True):
    """A resource that the client may read if it wants to.

    Args:
        uri: As in resources/list.
        name: Of the file.
        size: Bytes.
    """

    uri: str
    name: str
    title: str
    mime_type: str
    size: int


class Audio(Struct, frozen=True):
    """Encoded sound for the client.

    Args:
        data: The bytes of the file.
        mime_type: Such as "audio/wav".
    """

    data: bytes
    mime_type: str


class Embedded(Struct, frozen=True):
    """A resource that comes with the reply, as a whole.

    Args:
        content: Text, or the bytes of what is none.
    """

    uri: str
    mime_type: str
    content: str | bytes


class View(Struct, frozen=True):
    """Which part of the page a reply shows, and how.

    Args:
        show: False for the page's state alone.
        root: Only this element and what is in it.
        depth: How many levels; None for all.
        all_refs: Give refs to structure as well.
        boxes: Tell each element's box.
        filename: Save what is shown there, and name the file instead.
        as_file: The same, under a name of our own.
        changes: Only what changed since the agent was last shown the page, if that is shorter.
    """

    show: bool = True
    root: Element | None = None
    depth: int | None = None
    all_refs: bool = False
    boxes: bool = False
    filename: str | None = None
    as_file: bool = False
    changes: bool = False


class Fitted(Struct, frozen=True):
    """A text that there is room for, and as much of the same as data."""

    text: str
    output: Output


Told = str | Fitted


class ToolResult(Struct, frozen=True):
    """What one tool did, in its own words.

    Args:
        text: The result, as lines of text; empty when there is nothing to say.
        within: Gives the text for a budget of characters; instead of `text` if long, and with the
            data if there is some. Awaited if it saves the whole to a file.
        snapshot: Whether the reply should show the page as it is now, as far as the server shows
            it after actions; the runner takes the snapshot.
        view: Show just this, whatever the server shows after actions.
        lists_tabs: Whether the text names the open tabs already.
        context: What a tool for the browser acted in, if not in the active one.
        page: The page that it acted on.
        screenshot: One that was just saved, whose text comes first; its picture is the only one.
        images: Pictures to send after the text.
        links: Resources to name after the text, for clients that know such links.
        attached: Sounds and whole resources to send after the pictures.
        output: The same result as data, for tools that declare some.
        is_error: Whether the call failed though its function returned.
    """

    text: str = ""
    within: Callable[[int], Told | Awaitable[Told]] | None = None
    snapshot: bool = False
    view: View | None = None
    lists_tabs: bool = False
    context: Context | None = None
    page: Page | None = None
    screenshot: Taken | None = None
    images: tuple[Image, ...] = ()
    links: tuple[Link, ...] = ()
    attached: tuple[Audio | Embedded, ...] = ()
    output: Output | None = None
    is_error: bool = False


class Reply(Struct, frozen=True):
    """The whole answer to one call, composed and ready to become content blocks.

    Args:
        text: Every section, joined; empty for a reply of images alone.
        images: Pictures that follow the text.
        links: Resources that follow them.
        is_error: Whether the call failed.
        structured: A JSON object that says the same as the text.
        attached: Sounds and whole resources that follow the pictures.
    """

    text: str
    images: tuple[Image, ...] = ()
    links: tuple[Link, ...] = ()
    is_error: bool = False
    structured: dict[str, Any] | None = None
    attached: tuple[Audio | Embedded, ...] = ()

    def begun_with(self, text: str) -> Reply:
        """Return it with a text before its own, which stands in the notes of its data as well."""
        structured = self.structured
        if structured is not None:
            notes = "\n".join(filter(None, (text, structured.get("notes"))))
            structured = {**structured, "notes": notes}
        return replace(self, text=f"{text}\n{self.text}", structured=structured)

    def masked(self, mask: Callable[[str], str]) -> Reply:
        """Return it with all its texts as `mask` makes them."""
        return replace(
            self,
            text=mask(self.text),
            links=tuple(replace(link, title=mask(link.title)) for link in self.links),
            structured=_masked(self.structured, mask),
        )


def _masked(value: Any, mask: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, dict):
        return {name: _masked(each, mask) for name, each in value.items()}
    if isinstance(value, list):
        return [_masked(each, mask) for each in value]
    return value

"""The result that a tool function returns, and the reply that the client receives.

`tools/reply` turns a `ToolResult` into a `Reply`: it adds the state of the page and of the browser.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from viewpoint_mcp.errors import ErrorCode, ViewpointError
from viewpoint_mcp.tools.core.structured_output import Output

if TYPE_CHECKING:
    from viewpoint_mcp.browser.context import Context
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.capture.screenshot import Screenshot
    from viewpoint_mcp.page.locators.verification import VerifiedValue, VisibleMatch
    from viewpoint_mcp.page.page import Page

Audience = Literal["user", "assistant"]


class Image(Struct, frozen=True):
    """An encoded image.

    Args:
        data: The bytes of the file.
        mime_type: "image/png", "image/jpeg" or "image/webp".
        audience: The intended readers; empty if the client decides.
    """

    data: bytes
    mime_type: str
    audience: tuple[Audience, ...] = ()


class SavedScreenshot(Struct, frozen=True):
    """A screenshot and its file. The setting `image_responses` decides which the reply contains.

    Args:
        path: The path of the file, as replies name it.
        captured_part: The part of the page that it shows, such as "viewport".
        save_error: Why there is no file; "" if there is one. The reply then contains the image.
    """

    screenshot: Screenshot
    path: str
    captured_part: str
    save_error: str = ""


class Link(Struct, frozen=True):
    """A link to a resource that the client may read.

    Args:
        uri: The URI, as in resources/list.
        name: The name of the file.
        size: The size of the file in bytes.
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
        mime_type: The MIME type, such as "audio/wav".
    """

    data: bytes
    mime_type: str


class Embedded(Struct, frozen=True):
    """A resource with its content, as a part of the reply.

    Args:
        content: The text, or the bytes of binary content.
    """

    uri: str
    mime_type: str
    content: str | bytes


class PageView(Struct, frozen=True):
    """The part of the page that a reply shows, and the form of that part.

    Args:
        has_snapshot: Whether the reply has a snapshot, or only the state of the page.
        root: The element to show with its content; None for the whole page.
        depth: Number of levels; None for all.
        budget: Maximum number of characters; None for that of the reply.
        all_refs: Whether structural elements get refs too.
        boxes: Whether each element is shown with its bounding box.
        hidden: Whether invisible elements are shown too.
        is_text: Whether the page is shown as plain text without refs.
        filename: File for the snapshot. The reply then contains a link to the file instead.
        to_file: Whether to use a file with a generated name.
        only_changes: Whether to show only the changes since the last snapshot, if they are shorter
            than the page.
    """

    has_snapshot: bool = True
    root: Element | None = None
    depth: int | None = None
    budget: int | None = None
    all_refs: bool = False
    boxes: bool = False
    hidden: bool = False
    is_text: bool = False
    filename: str | None = None
    to_file: bool = False
    only_changes: bool = False


class FittedText(Struct, frozen=True):
    """A text that fits its budget, and the same content as data."""

    text: str
    output: Output


class Failure(Struct, frozen=True):
    """Why a call failed.

    Args:
        code: The kind of the failure, for programs.
        message: The reason and the next step, for the agent.
    """

    code: ErrorCode
    message: str

    @classmethod
    def from_error(cls, error: ViewpointError) -> Failure:
        """Return the failure that an error describes."""
        return cls(error.code, str(error))

    def to_json(self, notes: str = "") -> dict[str, Any]:
        """Return the failure as the structured content of a reply.

        Some clients show a model only this content. So it contains the whole reply.

        Args:
            notes: The other sections of the reply.
        """
        error = {"code": self.code, "message": self.message}
        return {"error": error, "notes": notes} if notes else {"error": error}


class ToolResult(Struct, frozen=True):
    """The result of one tool call, before the state of the page and the browser is added.

    Args:
        text: The result, as lines of text; empty for none.
        text_if_unchanged: Added to the text if the page shows no change; "" for nothing.
        fit_text: Returns the text for a budget of characters, with the data if the tool has an
            output. It is used instead of `text` by tools with long results. It is a coroutine
            function if it saves the rest to a file.
        snapshot: Whether the reply shows the page after the call, in the form that the server is
            configured to use after actions. The composer takes the snapshot.
        view: The view to show, regardless of the configuration; None if `snapshot` decides.
        omits_open_tabs: Whether to omit the section about open tabs, because the text lists them or
            the tool has nothing to do with them.
        context: The context that a browser tool acted in; None for the active one.
        page: The page that a browser tool acted on; None for none.
        screenshot: A screenshot that the tool saved. Its text comes first; its image is the only
            one.
        images: Images that follow the text, if there is no screenshot.
        links: Links that follow the images, for clients that support them.
        attachments: Sounds and whole resources that follow the images.
        output: The result as data, if the tool declares an output.
        verified: The match or value that a verification found, for the generation of code.
        code: The lines of Playwright code for the call, if the reply shows them.
        is_error: Whether the call failed although its function returned.
        error_code: The kind of the failure if the call failed.
    """

    text: str = ""
    text_if_unchanged: str = ""
    fit_text: Callable[[int], str | FittedText | Awaitable[str | FittedText]] | None = None
    snapshot: bool = False
    view: PageView | None = None
    omits_open_tabs: bool = False
    context: Context | None = None
    page: Page | None = None
    screenshot: SavedScreenshot | None = None
    images: tuple[Image, ...] = ()
    links: tuple[Link, ...] = ()
    attachments: tuple[Audio | Embedded, ...] = ()
    output: Output | None = None
    verified: VisibleMatch | VerifiedValue | None = None
    code: tuple[str, ...] = ()
    is_error: bool = False
    error_code: ErrorCode = ViewpointError.code


class Reply(Struct, frozen=True):
    """The complete reply to one call. The server converts it to content blocks.

    Args:
        text: All sections; "" if the reply consists of images only.
        images: Images that follow the text.
        links: Links that follow the images.
        is_error: Whether the call failed.
        structured_content: A JSON object with the content of the text; None for a successful call
            of a tool without output.
        attachments: Sounds and whole resources that follow the images.
        error_code: The kind of the failure if the call failed.
    """

    text: str
    images: tuple[Image, ...] = ()
    links: tuple[Link, ...] = ()
    is_error: bool = False
    structured_content: dict[str, Any] | None = None
    attachments: tuple[Audio | Embedded, ...] = ()
    error_code: ErrorCode | None = None

    def with_preface(self, text: str) -> Reply:
        """Return a copy with a preface before its text and before the notes of its data."""
        structured = self.structured_content
        if structured is not None:
            notes = "\n".join(filter(None, (text, structured.get("notes"))))
            structured = {**structured, "notes": notes}
        return replace(self, text=f"{text}\n{self.text}", structured_content=structured)

    def clean_texts(self, clean: Callable[[str], str]) -> Reply:
        """Return a copy with `clean` applied to each text."""
        return replace(
            self,
            text=clean(self.text),
            links=tuple(replace(link, title=clean(link.title)) for link in self.links),
            structured_content=_clean_json(self.structured_content, clean),
        )


def join_sections(sections: Mapping[str, str]) -> str:
    """Return the text of a reply, with each section below its heading. Omit empty sections.

    Args:
        sections: Texts by heading.
    """
    return "\n".join(f"### {title}\n{text}" for title, text in sections.items() if text)


def _clean_json(value: Any, clean: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {name: _clean_json(each, clean) for name, each in value.items()}
    if isinstance(value, list):
        return [_clean_json(each, clean) for each in value]
    return value

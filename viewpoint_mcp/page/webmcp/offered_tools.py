"""The tools that the documents of a page offer, tracked with CDP's `WebMCP` events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from cdp_protocol import CdpError, ProtocolError, Session
from viewpoint_mcp.background_tasks import BackgroundTasks
from viewpoint_mcp.page.shorten import shorten

if TYPE_CHECKING:
    from cdp_protocol.types import page as page_types
    from cdp_protocol.types import web_mcp
    from viewpoint_mcp.page.frames import Frame, FrameTree

# A page can register any number of tools with texts of any length.
_MAX_TOOLS: Final = 1000
_MAX_DESCRIPTION: Final = 2_000  # characters
_MAX_SCHEMA: Final = 8_000  # characters of JSON
_MAX_REQUIRED: Final = 100  # names of required parameters
_ANNOTATIONS: Final = ("readOnly", "untrustedContent", "consequential", "debugging", "autosubmit")


@dataclass(frozen=True, slots=True, eq=False)
class OfferedTool:
    """One registration of a tool. A page that registers the name again makes another one.

    Attributes:
        name: ASCII letters, digits, "_", "-" and "."; unique in its document.
        description: The beginning of its description.
        schema: The JSON Schema of its input as JSON, cut if it is long; "" for none.
        required: The names of the parameters that the schema requires.
        annotations: The hints that are set: "readOnly", "untrustedContent", "consequential",
            "debugging", "autosubmit".
        is_form: Whether it is a form with the attribute `toolname`.
        frame_id: CDP `Page.FrameId` of its document.
        session: CDP session of the process that renders the frame.
        document_left: Set when its frame leaves the document, or is removed.
    """

    name: str
    description: str
    schema: str
    required: tuple[str, ...]
    annotations: tuple[str, ...]
    is_form: bool
    frame_id: str
    session: Session
    document_left: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_submitted_by_hand(self) -> bool:
        """Whether a call only fills in the form, and the tool ends when the form is submitted."""
        return self.is_form and "autosubmit" not in self.annotations


class OfferedTools:
    """The tools of all documents of one page.

    Args:
        frames: The frames of the page.

    Attributes:
        is_supported: Whether the browser has the CDP domain `WebMCP`.
    """

    def __init__(self, frames: FrameTree) -> None:
        self.is_supported = True
        self._frames = frames
        self._tools: dict[tuple[Session, str, str], OfferedTool] = {}
        self._tasks = BackgroundTasks()

    def __iter__(self) -> Iterator[tuple[Frame, OfferedTool]]:
        """Iterate over the tools and their frames, those of the main frame first, by name."""
        # A copy, because the page can change its tools while a caller waits. Sorted, because
        # Chromium reports forms before or after the functions of scripts.
        tools = sorted(self._tools.values(), key=lambda tool: tool.name)
        for frame in self._frames:
            for tool in tools:
                if tool.frame_id == frame.id and tool.session is frame.session:
                    yield frame, tool

    @property
    def count(self) -> int:
        return sum(1 for _ in self)

    def has(self, tool: OfferedTool) -> bool:
        """Return whether the page still offers this registration of the tool."""
        return self._tools.get((tool.session, tool.frame_id, tool.name)) is tool

    async def subscribe(self, session: Session) -> None:
        """Track the tools of the documents that the process of `session` renders.

        Source: CDP `WebMCP.enable`, `toolsAdded`, `toolsRemoved`; `Page.frameNavigated`,
        `frameDetached`.
        """
        session.on(session.WebMCP.toolsAdded, lambda event: self._add(session, event))
        session.on(session.WebMCP.toolsRemoved, lambda event: self._remove(session, event))
        session.on(
            session.Page.frameNavigated, lambda event: self._on_frame_navigated(session, event)
        )
        session.on(session.Page.frameDetached, lambda event: self._drop(session, event["frameId"]))
        session.on(session.Inspector.targetCrashed, lambda _event: self._drop(session))
        session.on_closed(lambda _reason: self._drop(session))
        try:
            await session.WebMCP.enable()
        except ProtocolError:  # an older browser
            self.is_supported = False

    async def close(self) -> None:
        """Cancel the running tasks. Idempotent."""
        await self._tasks.close()

    def _add(self, session: Session, event: web_mcp.ToolsAddedEvent) -> None:
        for described in event["tools"]:
            key = (session, described["frameId"], described["name"])
            if len(self._tools) < _MAX_TOOLS or key in self._tools:
                self._tools[key] = _read_tool(session, described)

    def _remove(self, session: Session, event: web_mcp.ToolsRemovedEvent) -> None:
        for removed in event["tools"]:
            self._tools.pop((session, removed["frameId"], removed["name"]), None)

    def _on_frame_navigated(self, session: Session, event: page_types.FrameNavigatedEvent) -> None:
        # Chromium does not report the tools of a document that is left as removed.
        if event["type"] == "BackForwardCacheRestore":
            # It reported the tools of the restored document before this event.
            self._tasks.start(self._read_again(session))
        else:
            self._drop(session, event["frame"]["id"])

    async def _read_again(self, session: Session) -> None:
        with suppress(CdpError):
            await session.WebMCP.disable()
            self._drop(session)
            await session.WebMCP.enable()

    def _drop(self, session: Session, frame_id: str | None = None) -> None:
        """Drop the tools of a frame, or all of a session."""
        for key in list(self._tools):
            if key[0] is session and frame_id in (None, key[1]):
                self._tools.pop(key).document_left.set()


def _read_tool(session: Session, described: web_mcp.Tool) -> OfferedTool:
    schema = described.get("inputSchema")
    required = schema.get("required") if schema else None
    hints = described.get("annotations", {})
    return OfferedTool(
        name=described["name"],
        description=shorten(described["description"], _MAX_DESCRIPTION),
        schema=shorten(json.dumps(schema, ensure_ascii=False), _MAX_SCHEMA) if schema else "",
        required=tuple(name for name in required[:_MAX_REQUIRED] if isinstance(name, str))
        if isinstance(required, list)
        else (),
        annotations=tuple(name for name in _ANNOTATIONS if hints.get(name)),
        is_form="backendNodeId" in described,
        frame_id=described["frameId"],
        session=session,
    )

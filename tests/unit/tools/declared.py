"""Argument structs and tools as a tool file would declare them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from viewpoint_mcp.tools.core.args import (
    Args,
    ElementDescription,
    Filename,
    ModifierKey,
    MouseButton,
    NoArgs,
    Ref,
)
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.sessionless_call_policy import NeedsNoContext
from viewpoint_mcp.tools.core.tool import browser_tool, page_tool

if TYPE_CHECKING:
    from tests.unit.tools.nowhere import Page  # type: ignore[import-not-found, import-untyped, unused-ignore]


class Field(Args):
    """For readers of the code, not of the schema."""

    ref: Ref
    type: Literal["textbox", "checkbox"]
    value: str | bool | float


class FormArgs(Args):
    fields: Annotated[list[Field], Meta(description="What to fill", min_length=1)]
    note: str = ""


class ClickArgs(Args):
    ref: Ref
    element: ElementDescription = None
    button: MouseButton = "left"
    double_click: Annotated[bool, Meta(description="Double-click instead")] = False
    modifiers: Annotated[list[ModifierKey] | None, Meta(description="Keys held down")] = None


class ProxyArgs(Args):
    server: str


class SecretArgs(Args):
    proxy: ProxyArgs


class EverythingArgs(Args):
    width: Annotated[int, Meta(ge=1, le=16384)] | None = None
    offset: Annotated[int, Meta(ge=0)] = 0
    delay: Annotated[float, Meta(gt=0)] | None = None
    names: list[str] = msgspec.field(default_factory=list)
    data: dict[str, str] | None = None
    depth: Literal[1, 2] | None = None
    start_ref: Ref | None = None
    filename: Filename = None
    name: Annotated[str, Meta(min_length=1, max_length=3)] = "a"


@page_tool("browser_click", title="Click", kind="input")
async def click(page: Page, args: ClickArgs) -> ToolResult:
    """Click an element
    of the page.

    More for readers of the code.
    """
    return ToolResult(f"{args.ref} on {page}", snapshot=True)


@page_tool("browser_fill_form", title="Fill form", kind="input")
async def fill(page: Page, args: FormArgs) -> ToolResult:
    """Fill several fields."""
    return ToolResult(f"{len(args.fields)} on {page}")


@page_tool(
    "browser_handle_dialog",
    title="Dialog",
    kind="input",
    waits_for_page=False,
    answers_modal="dialog",
)
async def handle_dialog(page: Page, args: NoArgs) -> ToolResult:
    """Answer a dialog."""
    return ToolResult(f"{args} on {page}")


@browser_tool("browser_close", title="Close", kind="state", sessionless=NeedsNoContext())
async def close(browser: Page, args: NoArgs) -> ToolResult:
    """Close the browser."""
    return ToolResult(f"{args} on {browser}")

"""An MCP server that lets AI agents control Chromium over the Chrome DevTools Protocol.

The library API is `Server` and the types for custom tools, prompts and resources; see
docs/embedding.md. Each name is imported on first access.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from viewpoint_mcp.browser.client_workspace import Workspace
    from viewpoint_mcp.caller import Caller, MissingCapability, elicit, list_roots, sample
    from viewpoint_mcp.config.settings import Listening, Settings
    from viewpoint_mcp.embedding.server import Server
    from viewpoint_mcp.errors import CallError, ViewpointError
    from viewpoint_mcp.page.page import Page
    from viewpoint_mcp.server.embedder_resources import Resource
    from viewpoint_mcp.server.prompts import Message, prompt
    from viewpoint_mcp.tools.core.args import Args, NoArgs
    from viewpoint_mcp.tools.core.result import Audio, Embedded, Image, Reply, ToolResult
    from viewpoint_mcp.tools.core.sessionless_call_policy import (
        ActsInContext,
        ClosesContext,
        NeedsNoContext,
        NeedsSession,
        OpensContext,
    )
    from viewpoint_mcp.tools.core.tool import UnknownTool, browser_tool, page_tool, plain_tool

_WHERE = {
    "browser.client_workspace": ("Workspace",),
    "caller": ("Caller", "MissingCapability", "elicit", "list_roots", "sample"),
    "embedding.server": ("Server",),
    "errors": ("CallError", "ViewpointError"),
    "page.page": ("Page",),
    "server.embedder_resources": ("Resource",),
    "server.prompts": ("Message", "prompt"),
    "config.settings": ("Listening", "Settings"),
    "tools.core.args": ("Args", "NoArgs"),
    "tools.core.sessionless_call_policy": (
        "ActsInContext",
        "ClosesContext",
        "NeedsNoContext",
        "NeedsSession",
        "OpensContext",
    ),
    "tools.core.tool": ("UnknownTool", "browser_tool", "page_tool", "plain_tool"),
    "tools.core.result": ("Audio", "Embedded", "Image", "Reply", "ToolResult"),
}

__all__ = [
    "ActsInContext",
    "Args",
    "Audio",
    "CallError",
    "Caller",
    "ClosesContext",
    "Embedded",
    "Image",
    "Listening",
    "Message",
    "MissingCapability",
    "NeedsNoContext",
    "NeedsSession",
    "NoArgs",
    "OpensContext",
    "Page",
    "Reply",
    "Resource",
    "Server",
    "Settings",
    "ToolResult",
    "UnknownTool",
    "ViewpointError",
    "Workspace",
    "browser_tool",
    "elicit",
    "list_roots",
    "page_tool",
    "plain_tool",
    "prompt",
    "sample",
]


def __getattr__(name: str) -> Any:
    for module, names in _WHERE.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

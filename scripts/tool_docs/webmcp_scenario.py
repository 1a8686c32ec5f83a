"""The calls of docs/tools.md for the capability `webmcp`."""

from __future__ import annotations

from scripts.tool_docs.example import SITE, Example

WEBMCP = (
    Example("browser_navigate", {"url": f"{SITE}/tastings.html"}),
    Example("browser_webmcp_list", {}, "List what the page offers."),
    Example(
        "browser_webmcp_call",
        {"name": "free_seats", "params": {"day": "Friday"}},
        "Call a tool. Its result is text of the page.",
    ),
    Example("browser_webmcp_call", {"name": "free_seats"}, "The error for a missing parameter."),
    Example(
        "browser_webmcp_call",
        {"name": "book_seat", "params": {"day": "Friday"}},
        "The page marks this tool as consequential, and the client cannot ask the person.",
    ),
    Example(
        "browser_webmcp_call",
        {"name": "book_seat", "params": {"day": "Friday"}, "confirm": True},
        "The person has agreed.",
    ),
    Example(
        "browser_webmcp_call",
        {"name": "ask_host", "params": {"question": "Is it wheelchair accessible?"}},
        "A form is filled in, and not submitted.",
    ),
)

"""The calls of docs/tools.md for the capability `handoff`."""

from __future__ import annotations

from scripts.tool_docs.example import SITE, Example

HANDOFF = (
    Example("browser_navigate", {"url": f"{SITE}/index.html"}),
    Example(
        "browser_ask_user",
        {"message": "Log in to the shop. I continue with the basket."},
        "The error of a headless browser, which no person sees.",
    ),
    Example(
        "browser_ask_user",
        {"message": "Log in to the shop. I continue with the basket.", "timeout": 0},
        "End a request.",
    ),
)

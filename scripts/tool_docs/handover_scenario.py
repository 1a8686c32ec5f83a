"""The calls of docs/tools.md for the capability `handoff`."""

from __future__ import annotations

from scripts.tool_docs.example import SITE, Example

MESSAGE = "Log in to the shop. I continue with the basket."

HANDOFF = (
    Example("browser_navigate", {"url": f"{SITE}/index.html"}),
    Example(
        "browser_ask_user",
        {"message": MESSAGE},
        "The browser has no window, and the client does not support elicitation.",
    ),
    Example("browser_click", {"ref": 'link "Basket"'}),
    Example(
        "browser_ask_user",
        {"message": MESSAGE, "timeout": 1},
        "Wait for the person.",
    ),
    Example("browser_ask_user", {"message": MESSAGE, "timeout": 0}, "End a request."),
)

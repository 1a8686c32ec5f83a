"""The calls of docs/tools.md for the capability `devtools`."""

from __future__ import annotations

from scripts.tool_docs.example import SITE, Example

EMULATION = (
    Example("browser_navigate", {"url": f"{SITE}/index.html"}),
    Example("browser_emulate", {"viewport": "390x844"}, "Emulate the size of a phone."),
    Example("browser_emulate", {"viewport": "big"}, "The error for a malformed value."),
)

DEVTOOLS = (*EMULATION,)

"""How each server is called."""

from __future__ import annotations

from scripts.reading.servers.agent_browser import AGENT_BROWSER
from scripts.reading.servers.mcp import MCP_ADAPTERS
from scripts.reading.servers.playwright_cli import PLAYWRIGHT_CLI
from scripts.reading.servers.viewpoint_shell import VIEWPOINT_SHELL

OURS = ("viewpoint-mcp", "viewpoint")
"""The contestants of this product, over MCP and from a shell."""

ADAPTERS = {
    "viewpoint-mcp": MCP_ADAPTERS["viewpoint-mcp"],
    "viewpoint": VIEWPOINT_SHELL,
    **MCP_ADAPTERS,
    **PLAYWRIGHT_CLI,
    **AGENT_BROWSER,
}

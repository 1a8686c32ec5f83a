"""The tool that shows the configuration of the server (`--caps config`)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from viewpoint_mcp.tools.core.args import NoArgs
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.sessionless_call_policy import NeedsNoContext
from viewpoint_mcp.tools.core.structured_output import Output
from viewpoint_mcp.tools.core.tool import client_tool

if TYPE_CHECKING:
    from viewpoint_mcp.tools.core.executor import ClientState


class ConfigOutput(Output):
    config: dict[str, Any]


@client_tool(
    "browser_get_config",
    title="Get config",
    kind="record",
    capability="config",
    sessionless=NeedsNoContext(),
    output=ConfigOutput,
)
async def get_config(client: ClientState, args: NoArgs) -> ToolResult:
    """Get the configuration that results from flags, environment variables and config file.

    It has the keys of the configuration file, defaults included. Passwords, keys, headers,
    environment variables and secrets are masked; of init scripts, only the lengths are shown.

    Reply: the configuration as JSON, also in `structuredContent`.
    """
    from viewpoint_mcp.config.resolved_config import render_as_config

    config = render_as_config(client.settings)
    return ToolResult(
        json.dumps(config, indent=2, ensure_ascii=False),
        output=ConfigOutput(config=config),
        omits_open_tabs=True,
    )

"""fastmcp's client: `fastmcp_client.py TRANSPORT`. It runs in a separate environment."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from typing import Any

from fastmcp import Client
from fastmcp.client.transports import StdioTransport


async def main() -> None:
    command, *arguments = json.loads(os.environ["SERVER"])
    over_stdio = StdioTransport(command=command, args=arguments, env=dict(os.environ))
    server = over_stdio if sys.argv[1] == "stdio" else f"{os.environ['URL']}/mcp"
    async with Client(server) as client:
        fields: dict[str, Any] = {"list": len(await client.list_tools())}
        shown = await client.call_tool("browser_navigate", {"url": os.environ["PAGE"]})
        text = " ".join(getattr(block, "text", "") for block in shown.content)
        handle = re.search(r'context: "([^"]+)"', text)
        where = {"context": handle[1]} if handle else {}
        fields["call"] = "Clients" in text
        shot = await client.call_tool("browser_take_screenshot", {**where})
        fields["image"] = any(block.type == "image" for block in shot.content)
        wrong = {"ref": "e99999", **where}
        reply = await client.call_tool("browser_click", wrong, raise_on_error=False)
        fields["error"] = bool(reply.is_error)
        waiting = asyncio.create_task(client.call_tool("browser_wait_for", {"time": 30, **where}))
        await asyncio.sleep(1)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        async with asyncio.timeout(10):
            await client.call_tool("browser_snapshot", {**where})
        fields["cancel"] = True
    print(json.dumps(fields))


asyncio.run(main())

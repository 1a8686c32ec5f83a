"""The official client for Python: `python_client.py TRANSPORT MODE`; see `__main__`."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from typing import Any

from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.sse import sse_client


def server(transport: str) -> Any:
    if transport == "stdio":
        command, *arguments = json.loads(os.environ["SERVER"])
        parameters = StdioServerParameters(command=command, args=arguments, env=dict(os.environ))
        return stdio_client(parameters)
    url = os.environ["URL"]
    return sse_client(f"{url}/sse") if transport == "sse" else f"{url}/mcp"


async def main() -> None:
    transport, mode = sys.argv[1:]
    async with Client(server(transport), mode=mode) as client:
        fields: dict[str, Any] = {"list": len((await client.list_tools()).tools)}
        shown = await client.call_tool("browser_navigate", {"url": os.environ["PAGE"]})
        text = " ".join(getattr(block, "text", "") for block in shown.content)
        handle = re.search(r'context: "([^"]+)"', text)
        where = {"context": handle[1]} if handle else {}
        fields["call"] = "Clients" in text
        shot = await client.call_tool("browser_take_screenshot", {**where})
        fields["image"] = any(block.type == "image" for block in shot.content)
        wrong = await client.call_tool("browser_click", {"ref": "e99999", **where})
        fields["error"] = bool(wrong.is_error)
        waiting = asyncio.create_task(client.call_tool("browser_wait_for", {"time": 30, **where}))
        await asyncio.sleep(1)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        async with asyncio.timeout(10):
            after = await client.call_tool("browser_snapshot", {**where})
        fields["cancel"] = not after.is_error
    print(json.dumps(fields))


asyncio.run(main())

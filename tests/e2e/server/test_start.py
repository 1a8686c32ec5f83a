"""Import order: the server answers initialize and tools/list before it imports the rest."""

from __future__ import annotations

import re
from pathlib import Path

from tests.e2e.conftest import StartServer
from tests.e2e.support.client import StdioClient
from tests.e2e.support.processes import wait_until

TELLS_IMPORTS = {"PYTHONPROFILEIMPORTTIME": "1"}
INTRODUCES = {"caller", "cli", "config", "embedding", "errors", "files", "logs", "rpc", "server"}
INTRODUCES |= {"call_status", "tools", "transports"}
READS_WORDS = {  # of texts and form fields, and nothing of a browser
    "viewpoint_mcp.accessibility",
    "viewpoint_mcp.accessibility.printing",
    "viewpoint_mcp.accessibility.printing.invisible_characters",
    "viewpoint_mcp.accessibility.printing.printed_snapshot_lines",
    "viewpoint_mcp.accessibility.printing.sentence_quotes",
    "viewpoint_mcp.page",
    "viewpoint_mcp.page.form_field_to_fill",
    "viewpoint_mcp.page.shorten",
}
# Each takes long, and neither initialize nor tools/list has a use for it.
# The tools of capabilities that are off.
OPTIONAL = {
    "viewpoint_mcp.tools.browser.cookies",
    "viewpoint_mcp.tools.browser.network_control",
    "viewpoint_mcp.tools.input.mouse_xy",
    "viewpoint_mcp.tools.inspect.pdf",
    "viewpoint_mcp.tools.inspect.verification",
}
HEAVY = {"PIL", "cdp_protocol", "email", "http.client", "importlib.resources", "mimetypes"}
HEAVY |= {"hmac", "starlette", "urllib.request", "uvicorn", "websockets", "zoneinfo"}
ACTS = {
    "viewpoint_mcp.browser.supervisor",
    "viewpoint_mcp.page.page",
    "viewpoint_mcp.tools.reply.composer",
}


def imported(client: StdioClient) -> set[str]:
    """Return the modules that the server has imported so far."""
    return set(re.findall(r"^import time:.*\| +(\S+)$", client.stderr, re.MULTILINE))


async def test_the_introduction_imports_no_browser(
    open_server: StartServer, tmp_path: Path
) -> None:
    async with open_server(cwd=tmp_path, env=TELLS_IMPORTS) as client:
        await client.initialize()
        await wait_until(lambda: "viewpoint_mcp.cli" in imported(client))
        ours = {name for name in imported(client) if name.startswith("viewpoint_mcp.")}
        assert {name for name in ours if name.split(".")[1] not in INTRODUCES} == READS_WORDS
        assert not ours & ACTS
        assert not ours & OPTIONAL
        assert not imported(client) & HEAVY


async def test_the_modules_for_calls_are_imported_after_the_tools_are_listed(
    open_server: StartServer, tmp_path: Path
) -> None:
    async with open_server(cwd=tmp_path, env=TELLS_IMPORTS) as client:
        await client.initialize()
        await client.tools()
        await wait_until(lambda: imported(client) >= ACTS)


async def test_a_client_may_call_without_having_listed(
    open_server: StartServer, tmp_path: Path
) -> None:
    async with open_server(cwd=tmp_path) as client:
        await client.initialize()
        assert not (await client.call("list_screenshots")).is_error

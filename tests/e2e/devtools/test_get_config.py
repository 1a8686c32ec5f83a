"""browser_get_config, through a server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.conftest import OpenHere, StartServer
from tests.e2e.support.client import RpcFailure


async def test_the_configuration_is_merged_from_all_sources(
    open_server: StartServer, tmp_path: Path
) -> None:
    file = tmp_path / "config.json"
    file.write_text('{"snapshot": {"mode": "full"}, "console": {"level": "error"}}')
    flags = (f"--config={file}", "--caps=config", "--snapshot-mode=none")
    env = {"PLAYWRIGHT_MCP_TIMEOUT_ACTION": "700", "VIEWPOINT_MCP_API_KEY": "hidden"}
    async with open_server(*flags, cwd=tmp_path, env=env) as server:
        await server.initialize()
        reply = await server.call("browser_get_config")
    config = json.loads(reply.sections["Result"])
    assert config["snapshot"]["mode"] == "none"
    assert config["console"] == {"level": "error"}
    assert config["timeouts"]["action"] == 700
    assert config["browser"]["launchOptions"]["headless"] is True
    assert config["outputDir"] == str(tmp_path / ".viewpoint-mcp")
    assert reply.raw["structuredContent"]["config"] == config
    assert list(reply.sections) == ["Result"]


async def test_no_browser_is_started(open_server: StartServer, tmp_path: Path) -> None:
    missing = ("--caps=config", f"--executable-path={tmp_path / 'missing'}")
    async with open_server(*missing, cwd=tmp_path) as server:
        await server.initialize()
        reply = await server.call("browser_get_config")
    assert not reply.is_error, reply.text


async def test_it_takes_no_arguments_and_needs_its_capability(
    open_here: OpenHere, tmp_path: Path
) -> None:
    async with open_here("--caps=config", cwd=tmp_path) as server:
        await server.initialize()
        assert "takes no arguments" in (await server.call("browser_get_config", key="x")).text
    async with open_here("--caps=devtools", cwd=tmp_path) as server:
        await server.initialize()
        with pytest.raises(RpcFailure, match="Unknown tool: browser_get_config"):
            await server.call("browser_get_config")

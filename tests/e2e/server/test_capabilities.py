"""--caps: the tools that it adds, and the error for tools that are off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.conftest import OpenHere, StartServer
from tests.e2e.support.client import RpcFailure, ServerClient
from viewpoint_mcp.tools.catalog import list_all_tools

VISION, PDF, STORAGE, NETWORK, TESTING, DEVTOOLS, CONFIG, HANDOFF, WEBMCP = (
    {tool.name for tool in list_all_tools() if tool.capability == each}
    for each in (
        "vision",
        "pdf",
        "storage",
        "network",
        "testing",
        "devtools",
        "config",
        "handoff",
        "webmcp",
    )
)
OPTIONAL = VISION | PDF | STORAGE | NETWORK | TESTING | DEVTOOLS | CONFIG | HANDOFF | WEBMCP


async def test_optional_tools_are_off_by_default(shared_server: ServerClient) -> None:
    assert VISION
    assert PDF
    assert len(STORAGE) == 17
    assert len(NETWORK) == 5
    assert TESTING
    assert DEVTOOLS
    assert CONFIG
    assert HANDOFF
    assert len(WEBMCP) == 2
    assert not OPTIONAL & set(await shared_server.tools())
    for name in sorted(OPTIONAL):
        with pytest.raises(RpcFailure) as failure:
            await shared_server.call(name)
        assert (failure.value.code, failure.value.message) == (-32601, f"Unknown tool: {name}")


@pytest.mark.parametrize(
    ("flags", "env", "added"),
    [
        (("--caps=vision",), {}, VISION),
        (("--caps=pdf",), {}, PDF),
        (("--caps", "vision, PDF"), {}, VISION | PDF),
        (("--caps=vision", "--caps=pdf"), {}, VISION | PDF),
        ((), {"VIEWPOINT_MCP_CAPS": "vision"}, VISION),
        ((), {"PLAYWRIGHT_MCP_CAPS": "pdf,vision"}, VISION | PDF),
        (("--caps=storage",), {}, STORAGE),
        (("--caps=network",), {}, NETWORK),
        (("--caps=testing",), {}, TESTING),
        (("--caps=devtools",), {}, DEVTOOLS),
        (("--caps=config",), {}, CONFIG),
        (("--caps=handoff",), {}, HANDOFF),
        (("--caps=webmcp",), {}, WEBMCP),
        (("--caps=webmcp,pdf", "--no-webmcp"), {}, PDF),
        (("--caps=core,core-tabs",), {}, set()),
    ],
)
async def test_requested_tools_are_listed_after_all_others(
    open_server: StartServer,
    shared_server: ServerClient,
    tmp_path: Path,
    flags: tuple[str, ...],
    env: dict[str, str],
    added: set[str],
) -> None:
    usual = list(await shared_server.tools())
    async with open_server(*flags, cwd=tmp_path, env=env) as server:
        await server.initialize()
        listed = list(await server.tools())
        assert listed[: len(usual)] == usual
        assert set(listed[len(usual) :]) == added
        assert server.stderr == ""


@pytest.mark.parametrize(
    ("names", "most_characters"),
    [
        (VISION | PDF, 3_500),
        (STORAGE, 6_000),
        (NETWORK, 3_000),
        (TESTING, 3_000),
        (DEVTOOLS, 5_000),
        (CONFIG, 1_000),
        (WEBMCP, 1_500),
    ],
)
def test_optional_tools_have_short_descriptions(names: set[str], most_characters: int) -> None:
    listed = [tool.list_entry for tool in list_all_tools() if tool.name in names]
    written = json.dumps(listed, ensure_ascii=False, separators=(",", ":"))
    assert len(written) <= most_characters


async def test_unknown_capabilities_are_named_in_one_warning(
    open_server: StartServer, tmp_path: Path
) -> None:
    async with open_server("--caps=visoin,pdf,core,screenshot", cwd=tmp_path) as server:
        await server.initialize()
        assert "browser_pdf_save" in await server.tools()
        (warning,) = server.stderr.splitlines()
    assert warning.endswith("--caps: There are no tools for visoin, screenshot. Is vision meant?")


async def test_former_names_enable_the_same_tools(open_here: OpenHere, tmp_path: Path) -> None:
    async with open_here("--caps=verify,tracing", cwd=tmp_path) as server:
        await server.initialize()
        assert {"browser_verify_value", "browser_start_tracing"} <= (await server.tools()).keys()

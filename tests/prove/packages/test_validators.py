"""The official validator accepts the bundle, and a client makes a command from it that works."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from scripts.npm import modules, node
from scripts.packages.bundle import build_bundle

HERE = Path(__file__).parent
NODE_FROM = HERE.parent / "conformance"
MCPB = modules(HERE) / "@anthropic-ai" / "mcpb"


def run_node(*arguments: str | Path) -> str:
    """Run a script of Node and return its output."""
    done = subprocess.run(
        (node(NODE_FROM), *arguments), check=False, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the directory into which the official tool unpacks the bundle."""
    folder = tmp_path_factory.mktemp("bundle")
    bundle = build_bundle(folder)
    run_node(MCPB / "dist" / "cli" / "cli.js", "unpack", bundle, folder / "unpacked")
    return folder / "unpacked"


def test_the_official_tool_accepts_the_manifest(unpacked: Path) -> None:
    output = run_node(MCPB / "dist" / "cli" / "cli.js", "validate", unpacked / "manifest.json")
    assert "validation passes" in output
    assert "arning" not in output


def test_a_client_runs_the_server_of_the_bundle_with_its_settings(unpacked: Path) -> None:
    script = f"""
        import {{ readFileSync }} from "node:fs";
        import {{ getMcpConfigForManifest }} from {json.dumps((MCPB / "dist/index.js").as_uri())};
        const manifest = JSON.parse(readFileSync({json.dumps(str(unpacked / "manifest.json"))}));
        console.log(JSON.stringify(await getMcpConfigForManifest({{
            manifest, extensionPath: {json.dumps(str(unpacked))}, systemDirs: {{}},
            userConfig: {{ headless: true }}, pathSeparator: "/",
        }})));
    """
    config = json.loads(run_node("--input-type=module", "--eval", script))
    assert [config["command"], *config["args"]] == [
        *("uv", "run", "--project", str(unpacked)),
        "viewpoint-mcp",
    ]
    assert config["env"] == {
        "VIEWPOINT_MCP_HEADLESS": "true",
        "VIEWPOINT_MCP_TOOLS": "all",
        "VIEWPOINT_MCP_CAPS": "",
        "VIEWPOINT_MCP_CDP_ENDPOINT": "",
    }

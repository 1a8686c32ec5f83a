"""The marketplace and the plugin for Claude Code, in .claude-plugin.

Source: the plugin and the marketplace reference of code.claude.com/docs.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from viewpoint_mcp import __version__

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / ".claude-plugin"


@pytest.fixture(scope="module")
def plugin() -> Any:
    return json.loads((FOLDER / "plugin.json").read_text())


def test_the_marketplace_offers_the_plugin_of_this_directory(plugin: Any) -> None:
    marketplace = json.loads((FOLDER / "marketplace.json").read_text())
    assert re.fullmatch(r"[a-z0-9-]+", marketplace["name"])
    assert marketplace["owner"]["name"]
    (entry,) = marketplace["plugins"]
    assert entry["name"] == plugin["name"]
    assert entry["source"].startswith("./")
    assert (ROOT / entry["source"] / ".claude-plugin" / "plugin.json").exists()


def test_it_is_of_this_version_and_starts_the_server_of_this_directory(plugin: Any) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert plugin["version"] == __version__
    assert plugin["license"] == project["license"]
    (server,) = plugin["mcpServers"].values()
    assert server["command"] == "uvx"
    option, source, command = server["args"]
    assert (option, source) == ("--from", "${CLAUDE_PLUGIN_ROOT}")
    assert command in project["scripts"]

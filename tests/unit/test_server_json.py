"""server.json, which describes the installation to the MCP registry."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from viewpoint_mcp import __version__
from viewpoint_mcp.cli.root_command import root_command

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def server() -> Any:
    return json.loads((ROOT / "server.json").read_text())


def test_it_names_the_built_package_and_version(server: Any) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (package,) = server["packages"]
    assert package["identifier"] == project["name"]
    assert server["version"] == package["version"] == __version__


def test_readme_and_image_claim_its_name(server: Any) -> None:
    name = server["name"]
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", name)  # as the registry's schema wants
    assert f"<!-- mcp-name: {name} -->" in (ROOT / "README.md").read_text()
    assert f'io.modelcontextprotocol.server.name="{name}"' in (ROOT / "Dockerfile").read_text()


def test_it_follows_the_schema_of_the_registry(server: Any) -> None:
    """Check the rules of server.schema.json, which the registry applies."""
    assert server["$schema"].endswith("/schemas/2025-12-11/server.schema.json")
    (package,) = server["packages"]
    assert set(package) >= {"registryType", "identifier", "transport"}
    assert package["transport"]["type"] in {"stdio", "streamable-http", "sse"}
    assert re.fullmatch(r"\d+\.\d+\.\d+", package["version"])  # not a range
    for variable in package["environmentVariables"]:
        assert variable.get("format", "string") in {"string", "number", "boolean", "filepath"}


def test_its_texts_are_within_the_limits_of_the_registry(server: Any) -> None:
    assert 1 <= len(server["description"]) <= 100
    assert 1 <= len(server["title"]) <= 100


def test_its_variables_are_read_by_flags(server: Any) -> None:
    read = {name for flag in root_command.params for name in flag.envvar or ()}
    (package,) = server["packages"]
    named = [variable["name"] for variable in package["environmentVariables"]]
    assert named
    assert set(named) <= read

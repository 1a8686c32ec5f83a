"""The bundle for desktop clients: its files, and a manifest that agrees with the server.

tests/prove/packages validates the manifest with the official tool.
"""

from __future__ import annotations

import json
import re
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from scripts.packages.bundle import PACKAGES, build_bundle, make_manifest
from viewpoint_mcp import __version__
from viewpoint_mcp.cli.options import make_settings
from viewpoint_mcp.cli.root_command import root_command
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.tools.catalog import OPTIONAL_CAPABILITIES, offered_tools

ROOT = Path(__file__).parents[3]
SETTING = re.compile(r"\$\{user_config\.(\w+)\}")


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    return make_manifest()


def test_it_contains_the_sources_and_what_uv_needs_to_run_them(tmp_path: Path) -> None:
    path = build_bundle(tmp_path)
    sources = {
        file.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for file in (ROOT / package).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    with zipfile.ZipFile(path) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        packed = set(archive.namelist())
        project = tomllib.loads(archive.read("pyproject.toml").decode())["project"]
    assert path.name == f"viewpoint-mcp-{__version__}.mcpb"
    assert packed == sources | {
        "manifest.json",
        manifest["server"]["entry_point"],
        "pyproject.toml",
        project["readme"],
        *project["license-files"],
    }


def test_the_command_of_the_manifest_is_one_of_the_project(manifest: dict[str, Any]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert manifest["name"] == project["name"]
    assert manifest["license"] == project["license"]
    assert manifest["compatibility"]["runtimes"]["python"] == project["requires-python"]
    *_, command = manifest["server"]["mcp_config"]["args"]
    assert command in project["scripts"]


def test_each_setting_sets_a_variable_of_a_flag(manifest: dict[str, Any]) -> None:
    variables = manifest["server"]["mcp_config"]["env"]
    used = {name for value in variables.values() for name in SETTING.findall(value)}
    assert used == set(manifest["user_config"])
    assert set(variables) <= {name for flag in root_command.params for name in flag.envvar or ()}


def test_the_defaults_of_its_settings_are_those_of_the_server(
    manifest: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    unset = parse_settings()
    for name, value in manifest["server"]["mcp_config"]["env"].items():
        (key,) = SETTING.findall(value)
        default = manifest["user_config"][key]["default"]
        monkeypatch.setenv(name, "false" if default is False else default)
    settings = parse_settings()
    assert msgspec.structs.replace(settings, tools=()) == unset
    assert offered_tools(settings.capabilities, settings.tools) == offered_tools(frozenset())


def parse_settings() -> Settings:
    """Return the settings of a command without flags: those of the environment."""
    with root_command.make_context("viewpoint-mcp", []) as context:
        return make_settings(context.params)


def test_it_names_each_capability(manifest: dict[str, Any]) -> None:
    _, _, listed = manifest["user_config"]["capabilities"]["description"].partition(": ")
    assert tuple(listed.rstrip(".").split(", ")) == OPTIONAL_CAPABILITIES

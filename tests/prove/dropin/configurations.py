"""Ten configurations of playwright-mcp, as its clients have them.

Each is a folder in `configurations`, with the client's file, and the files that it names. They have
the form that the documentation of these clients and public repositories show.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CONFIGURATIONS = Path(__file__).with_name("configurations")
NAMES = tuple(sorted(path.name for path in CONFIGURATIONS.iterdir()))
IMAGE = "mcr.microsoft.com/playwright/mcp"
# The ENTRYPOINT of the image has these flags.
IMAGE_FLAGS = ("--headless", "--browser", "chromium", "--no-sandbox")
SHOP, OTHER_SHOP, SERVICE = "localhost:3000", "localhost:6006", "8931"
_NPM_PACKAGE = re.compile(r"@playwright/mcp(@[\w.]+)?")


@dataclass(frozen=True, slots=True)
class Configuration:
    """A configuration in a workspace.

    Args:
        workspace: The directory where the client starts the server.
        arguments: The arguments of the server, without the command that runs it.
        variables: The environment variables that the client sets.
        url: The address that the client connects to; "" for a server on stdio.
    """

    workspace: Path
    arguments: Sequence[str]
    variables: Mapping[str, str]
    url: str = ""


def prepare(name: str, workspace: Path, *, shop: str, other_shop: str, port: int) -> Configuration:
    """Copy the files of a configuration to a workspace, and read the client's file.

    Only the addresses change: the configurations name the shop as localhost:3000.

    Args:
        shop: Host and port of the shop.
        other_shop: Host and port of a second shop.
        port: The port of a server that listens.
    """
    shutil.copytree(CONFIGURATIONS / name, workspace, dirs_exist_ok=True)
    for path in _files(workspace):
        text = path.read_text(encoding="utf-8")
        text = text.replace(SHOP, shop).replace(OTHER_SHOP, other_shop)
        text = text.replace(SERVICE, str(port)).replace("${workspaceFolder}", str(workspace))
        path.write_text(text, encoding="utf-8")
    if (workspace / "dotenv").is_file():
        (workspace / "dotenv").rename(workspace / ".env")
    [entry] = [
        found for path in _files(workspace) if (found := _read_client_file(path)) is not None
    ]
    if "url" in entry:
        script = (workspace / "start.sh").read_text(encoding="utf-8")
        command = shlex.split(script.replace("\\\n", " "))
        return Configuration(workspace, _server_arguments(command), {}, entry["url"])
    command = entry["command"]
    if isinstance(command, str):
        command = [command, *entry["args"]]
    return Configuration(workspace, _server_arguments(command), entry.get("env", {}))


def _files(directory: Path) -> Iterator[Path]:
    return (path for path in directory.rglob("*") if path.is_file())


def _read_client_file(path: Path) -> Mapping[str, Any] | None:
    """Return the entry of the server in a client's file; None for another file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix not in {".json", ".toml"}:
        return None
    content = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    for key in ("mcpServers", "servers", "mcp", "mcp_servers"):
        if key in content:
            entry: Mapping[str, Any] = content[key]["playwright"]
            return entry
    return None


def _server_arguments(command: Sequence[str]) -> list[str]:
    """Return the arguments that reach the server: those after the package, image or script."""
    for index, word in enumerate(command):
        if word.endswith("cli.js") or _NPM_PACKAGE.fullmatch(word):
            return list(command[index + 1 :])
        if word == IMAGE and "--entrypoint" not in command:
            return [*IMAGE_FLAGS, *command[index + 1 :]]
    raise ValueError(f"{command} does not start playwright-mcp.")

"""Readers of the files in docs/deployment, and of the Dockerfile."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

import yaml

from viewpoint_mcp.cli.options import make_settings
from viewpoint_mcp.cli.root_command import root_command
from viewpoint_mcp.config.settings import Listening, Settings

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "deployment"


def parse_settings(arguments: Sequence[str]) -> Settings:
    """Return the settings that the command line makes of arguments, or fail as it does."""
    with root_command.make_context("viewpoint-mcp", list(arguments)) as context:
        return make_settings(context.params)


def parse_listening(arguments: Sequence[str]) -> Listening:
    """Return the settings of the HTTP server that the command line makes of arguments."""
    listening = parse_settings(arguments).listening
    assert listening is not None
    return listening


def known_variables() -> set[str]:
    """Return the environment variables that flags read."""
    return {name for flag in root_command.params for name in flag.envvar or ()}


def endpoint_of(environment: Mapping[str, str]) -> SplitResult:
    """Return the address of the browser."""
    return urlsplit(environment["VIEWPOINT_MCP_CDP_ENDPOINT"])


def read_compose() -> Any:
    """Return the compose file."""
    return yaml.safe_load((FOLDER / "compose.yaml").read_text())


def read_manifests() -> dict[tuple[str, str], Any]:
    """Return the Kubernetes resources by kind and name."""
    documents = yaml.safe_load_all((FOLDER / "kubernetes.yaml").read_text())
    return {(each["kind"], each["metadata"]["name"]): each for each in documents}


def container_of(deployment: Any) -> Any:
    """Return the only container of a deployment."""
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    return container


def environment_of(container: Any) -> dict[str, str]:
    """Return the variables of a container; those from a secret have the value "secret"."""
    return {each["name"]: each.get("value", "secret") for each in container["env"]}


@dataclass(frozen=True, slots=True)
class Instruction:
    """An instruction of a Dockerfile, such as COPY, and its arguments."""

    name: str
    text: str

    @property
    def words(self) -> list[str]:
        """The arguments without options such as --from."""
        return [word for word in shlex.split(self.text) if not word.startswith("--")]


def read_dockerfile() -> Iterator[Instruction]:
    """Yield the instructions of the Dockerfile."""
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#"))
    for line in text.replace("\\\n", " ").splitlines():
        if found := re.fullmatch(r"([A-Z]+) +(.*)", line):
            yield Instruction(found[1], found[2])

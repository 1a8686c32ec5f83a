"""The files for others follow the schemas of those who read them; see tests/schemas/README.md.

tests/prove/packages checks the bundle with the official tool too, and tests/e2e/server/test_wheel
checks wheel and sdist with twine. server.json has a test of its own. `claude plugin validate
--strict` of Claude Code 2.1.332 accepts the files in .claude-plugin; it is a program of 235 MB, so
no target runs it.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema.validators import validator_for  # type: ignore[import-untyped]

from scripts.packages.bundle import make_manifest
from tests.deployments import ROOT, read_compose, read_manifests


def find_mistakes(data: Any, schema_name: str) -> list[str]:
    schema = json.loads((ROOT / "tests" / "schemas" / schema_name).read_text())
    return [each.message for each in validator_for(schema)(schema).iter_errors(data)]


def test_the_manifest_of_the_bundle_follows_its_schema() -> None:
    assert find_mistakes(make_manifest(), "mcpb-0.4.json") == []


def test_the_compose_file_follows_its_schema() -> None:
    assert find_mistakes(read_compose(), "compose.json") == []


def test_the_kubernetes_manifests_follow_their_schemas() -> None:
    manifests = read_manifests()
    assert manifests
    for each in manifests.values():
        assert find_mistakes(each, "kubernetes-1.37.json") == []


def misspell_runtime(manifest: Any) -> None:
    manifest["server"]["type"] = "uvx"


def misspell_environment(compose: Any) -> None:
    service = next(iter(compose["services"].values()))
    service["enviroment"] = {}


def misspell_port(manifest: Any) -> None:
    manifest["spec"]["template"]["spec"]["containers"][0]["ports"][0]["port"] = 1


@pytest.mark.parametrize(
    ("read", "break_it", "schema"),
    [
        (make_manifest, misspell_runtime, "mcpb-0.4.json"),
        (read_compose, misspell_environment, "compose.json"),
        (
            lambda: read_manifests()["Deployment", "viewpoint-mcp"],
            misspell_port,
            "kubernetes-1.37.json",
        ),
    ],
    ids=["bundle", "compose", "kubernetes"],
)
def test_a_mistake_is_found(
    read: Callable[[], Any], break_it: Callable[[Any], None], schema: str
) -> None:
    data = copy.deepcopy(read())
    break_it(data)
    assert find_mistakes(data, schema)

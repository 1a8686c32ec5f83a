"""The compose file, the Kubernetes manifest and the Dockerfile agree with the server and with each
other.

tests/e2e/http/test_deployment.py starts the server as they do.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.deployments import (
    FOLDER,
    ROOT,
    container_of,
    endpoint_of,
    environment_of,
    known_variables,
    parse_listening,
    parse_settings,
    read_compose,
    read_dockerfile,
    read_manifests,
)
from viewpoint_mcp import __version__

SERVER, BROWSER = "viewpoint-mcp", "viewpoint-browser"


@pytest.fixture(scope="module")
def services() -> Any:
    return read_compose()["services"]


@pytest.fixture(scope="module")
def manifests() -> dict[tuple[str, str], Any]:
    return read_manifests()


# ---- the compose file


def test_compose_builds_the_image_and_gives_it_flags_and_variables(services: Any) -> None:
    server = services["viewpoint"]
    assert (FOLDER / server["build"] / "Dockerfile").resolve() == ROOT / "Dockerfile"
    assert set(server["environment"]) <= known_variables()
    assert parse_settings(server["command"]).isolated  # or clients would share cookies
    listening = parse_listening(server["command"])
    assert listening.host == "0.0.0.0"
    assert server["ports"] == [f"127.0.0.1:{listening.port}:{listening.port}"]
    assert f"127.0.0.1:{listening.port}/health" in server["healthcheck"]["test"][-1]


def test_only_the_server_reaches_the_browser_of_compose(services: Any) -> None:
    endpoint = endpoint_of(services["viewpoint"]["environment"])
    assert endpoint.hostname in services["viewpoint"]["depends_on"]
    browser = services[endpoint.hostname]
    assert "ports" not in browser
    assert browser["environment"]["TOKEN"] in endpoint.query
    _, _, version = browser["image"].partition(":")
    assert version not in {"", "latest"}


# ---- the Kubernetes manifest


def test_kubernetes_runs_the_server_with_its_flags_and_variables(
    manifests: dict[tuple[str, str], Any],
) -> None:
    container = container_of(manifests["Deployment", SERVER])
    assert parse_settings(container["args"]).isolated
    listening = parse_listening(container["args"])
    assert listening.host == "0.0.0.0"
    assert set(environment_of(container)) <= known_variables() | {"BROWSER_TOKEN"}
    assert container["image"].endswith(f"/viewpoint-mcp:{__version__}")
    (port,) = container["ports"]
    assert port["containerPort"] == listening.port
    for probe in (container["readinessProbe"], container["livenessProbe"]):
        assert probe["httpGet"]["port"] == port["name"]
    # Clients in the cluster use the name of the service, with and without its domain.
    names = (SERVER, f"{SERVER}.default.svc.cluster.local")
    assert listening.allowed_hosts == names


@pytest.mark.parametrize("name", [SERVER, BROWSER])
def test_each_service_leads_to_a_port_of_its_pods(
    manifests: dict[tuple[str, str], Any], name: str
) -> None:
    deployment, service = manifests["Deployment", name], manifests["Service", name]
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    assert deployment["spec"]["selector"]["matchLabels"] == labels
    assert service["spec"]["selector"] == labels
    (port,) = service["spec"]["ports"]
    (offered,) = container_of(deployment)["ports"]
    assert port["targetPort"] == offered["name"]
    assert port["port"] == offered["containerPort"]


def test_only_the_server_reaches_the_browser_of_kubernetes(
    manifests: dict[tuple[str, str], Any],
) -> None:
    server, browser = (container_of(manifests["Deployment", name]) for name in (SERVER, BROWSER))
    endpoint = endpoint_of(environment_of(server))
    assert endpoint.hostname == BROWSER
    assert endpoint.port == browser["ports"][0]["containerPort"]
    assert "$(BROWSER_TOKEN)" in endpoint.query
    secrets = {
        each["name"]: each["valueFrom"]["secretKeyRef"]
        for container in (server, browser)
        for each in container["env"]
        if "valueFrom" in each
    }
    assert secrets["BROWSER_TOKEN"] == secrets["TOKEN"]

    policy = manifests["NetworkPolicy", BROWSER]["spec"]
    pods = manifests["Deployment", BROWSER]["spec"]["template"]["metadata"]["labels"]
    allowed = manifests["Deployment", SERVER]["spec"]["template"]["metadata"]["labels"]
    assert policy["podSelector"]["matchLabels"] == pods
    (rule,) = policy["ingress"]
    assert rule["from"] == [{"podSelector": {"matchLabels": allowed}}]


def test_the_mounted_volumes_exist_and_cover_where_the_image_writes(
    manifests: dict[tuple[str, str], Any],
) -> None:
    for name in (SERVER, BROWSER):
        pod = manifests["Deployment", name]["spec"]["template"]["spec"]
        mounts = {each["name"]: each["mountPath"] for each in pod["containers"][0]["volumeMounts"]}
        assert set(mounts) == {each["name"] for each in pod["volumes"]}
    server = container_of(manifests["Deployment", SERVER])
    (work,) = (each.text for each in read_dockerfile() if each.name == "WORKDIR")
    assert {each["mountPath"] for each in server["volumeMounts"]} == {work, "/tmp"}


# ---- the Dockerfile


def test_the_image_copies_files_that_exist_and_that_the_context_has() -> None:
    stages = {each.words[2] for each in read_dockerfile() if "AS" in each.words}
    copies = [each for each in read_dockerfile() if each.name == "COPY"]
    sources = [word for each in copies if "--from" not in each.text for word in each.words[:-1]]
    sent = {
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line.startswith("!")
    }
    assert set(sources) == sent
    assert all((ROOT / each).exists() for each in sources)
    assert all(f"--from={stage}" in " ".join(each.text for each in copies) for stage in stages)


def test_the_stages_of_the_image_have_the_same_base_with_a_version() -> None:
    (base,) = {each.words[0] for each in read_dockerfile() if each.name == "FROM"}
    _, _, version = base.partition(":")
    assert version not in {"", "latest"}


def test_the_image_starts_a_command_of_the_project_with_known_variables() -> None:
    by_name = {each.name: each for each in read_dockerfile()}
    variables = {word.partition("=")[0] for word in by_name["ENV"].words}
    assert variables <= known_variables() | {"PATH", "LANG"}
    *_, command = json.loads(by_name["ENTRYPOINT"].text)
    assert f"\n{command} = " in (ROOT / "pyproject.toml").read_text()
    assert by_name["EXPOSE"].words == [str(parse_listening(["--port", "8931"]).port)]

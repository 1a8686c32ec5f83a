"""The HTTP server with the flags and variables of docs/deployment: probes, names, browsers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from tests.deployments import (
    container_of,
    endpoint_of,
    environment_of,
    read_compose,
    read_manifests,
)
from tests.e2e.attach.gateway import relaying
from tests.e2e.attach.hosted_browsers import TOKEN, Browserless
from tests.e2e.support.http_client import ACCEPT, HttpServer, request
from tests.e2e.support.users_browser import UserBrowser
from tests.site import Site

KEY = "k3y-of-the-deployment"
INTRODUCTION = request(
    "initialize",
    {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "tests", "version": "0"},
    },
)


@pytest.fixture(scope="module")
def container() -> Any:
    """Return the container of the server in the Kubernetes manifest."""
    return container_of(read_manifests()["Deployment", "viewpoint-mcp"])


@asynccontextmanager
async def deployed(
    arguments: Sequence[str], endpoint: str, directory: Path
) -> AsyncIterator[HttpServer]:
    """Run the server with the arguments of a deployment, on a free port of loopback."""
    flags = [each for each in arguments if not each.startswith(("--port", "--host"))]
    environment = {"VIEWPOINT_MCP_API_KEY": KEY, "VIEWPOINT_MCP_CDP_ENDPOINT": endpoint}
    async with HttpServer.open(*flags, cwd=directory, key=KEY, env=environment) as server:
        yield server


async def test_kubernetes_and_compose_find_the_server_healthy_and_clients_use_its_names(
    tmp_path: Path, container: Any
) -> None:
    async with (
        deployed(container["args"], "ws://127.0.0.1:9/never", tmp_path) as server,
        server.http() as http,
    ):
        for probe in (container["readinessProbe"], container["livenessProbe"]):
            asked = probe["httpGet"]
            given = {each["name"].lower(): each["value"] for each in asked["httpHeaders"]}
            response = await http.get(asked["path"], headers=given)
            assert response.status_code == HTTPStatus.OK
            # As Kubernetes does without the header: the address of the pod.
            bare = await http.get(asked["path"], headers={"host": f"10.1.2.3:{server.port}"})
            assert bare.status_code == HTTPStatus.FORBIDDEN

        for name in ("viewpoint-mcp", "viewpoint-mcp.default.svc.cluster.local"):
            response = await http.post(
                "/mcp", json=INTRODUCTION, headers={"host": f"{name}:8931", "accept": ACCEPT}
            )
            assert response.status_code == HTTPStatus.OK

        _, *command = read_compose()["services"]["viewpoint"]["healthcheck"]["test"]
        command = [each.replace(":8931", f":{server.port}") for each in command]
        process = await asyncio.create_subprocess_exec(*command)
        assert await process.wait() == 0


@pytest.mark.prove
async def test_clients_share_the_browser_behind_the_gateway_and_no_cookies(
    tmp_path: Path, container: Any, user_browser: UserBrowser, site: Site
) -> None:
    setting = site.page("<script>document.cookie = 'a=b'</script>")
    showing = site.page("<body><script>document.body.append('has ' + document.cookie)</script>")
    async with relaying(Browserless(user_browser.websocket_url)) as gateway:
        documented = endpoint_of(environment_of(container))
        endpoint = documented._replace(
            netloc=f"127.0.0.1:{gateway.port}",
            query=documented.query.replace("$(BROWSER_TOKEN)", TOKEN),
        )
        async with (
            deployed(container["args"], endpoint.geturl(), tmp_path) as server,
            server.client() as one,
            server.client() as other,
        ):
            await one.call("browser_navigate", url=setting)
            assert "has a=b" in (await one.call("browser_navigate", url=showing)).text
            shown = await other.call("browser_navigate", url=showing)
            assert "has" in shown.text
            assert "a=b" not in shown.text
        assert len(gateway.requested_paths) == 1  # one browser for all

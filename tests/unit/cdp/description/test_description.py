"""Contents and sources of a protocol description."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from pytest_httpserver import HTTPServer

from cdp_protocol import EndpointError, types
from cdp_protocol.description import Description
from tests.site import Site
from tests.unit.cdp.description.small import CLEAR, DRAW, DRAWN, OTHER, PAPER, SHAPE, small


def test_members_are_found_by_their_names() -> None:
    description = small()

    assert description.commands() == ["Paper.draw", "Paper.clear"]
    assert description.events() == ["Paper.drawn"]
    assert description.types() == ["Paper.Shape", "Paper.Colour", "Other.Id"]
    assert description.command("Paper.draw") == DRAW
    assert description.command("Paper.clear") == CLEAR
    assert description.event("Paper.drawn") == DRAWN
    assert description.type("Paper.Shape") == SHAPE


@pytest.mark.parametrize("name", ["Paper.drawn", "Paper", "draw", ""])
def test_an_unknown_name_is_no_command(name: str) -> None:
    assert small().command(name) is None


def test_the_bundled_one_is_the_whole_protocol() -> None:
    bundled = Description.bundled()

    assert bundled.revision.startswith("Chrome/")
    typed = {path.stem for path in Path(types.__file__).parent.glob("*.py")} - {"__init__"}
    assert {name.lower() for name in bundled.domains} == {name.replace("_", "") for name in typed}
    assert bundled.command("Page.navigate") is not None


def test_every_reference_of_the_bundled_one_is_known() -> None:
    bundled = Description.bundled()
    references = [
        ref if "." in ref else f"{name}.{ref}"
        for name, domain in bundled.domains.items()
        for ref in _references(domain)
    ]

    assert len(references) > 1000
    assert [ref for ref in references if bundled.type(ref) is None] == []


def _references(part: object) -> list[str]:
    if isinstance(part, list):
        return [ref for each in part for ref in _references(each)]
    if not isinstance(part, dict):
        return []
    own = [str(part["$ref"])] if "$ref" in part else []
    return own + [ref for each in part.values() for ref in _references(each)]


@pytest.mark.parametrize("described", [{}, {"domains": 1}, {"domains": [{"types": []}]}, [], None])
def test_an_invalid_description_is_refused(described: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"not a protocol description|no protocol description"):
        Description.from_json(described)


# From a browser

VERSION = {"Browser": "Chrome/157.0", "WebKit-Version": "537.36 (@0123456789abcdef0123)"}


@pytest.mark.parametrize("form", ["{port}", "localhost:{port}", "ws://127.0.0.1:{port}/devtools/x"])
async def test_a_running_browser_is_asked_for_its_description(
    site: Site, web_server: HTTPServer, form: str
) -> None:
    served = {"version": {"major": "1", "minor": "3"}, "domains": [PAPER, OTHER]}
    web_server.expect_request("/json/protocol").respond_with_data(orjson.dumps(served))
    web_server.expect_request("/json/version").respond_with_data(orjson.dumps(VERSION))

    description = await Description.served_by(form.format(port=web_server.port), {"X-Key": "k"})

    assert description.revision == "Chrome/157.0 (0123456789ab)"
    assert small().drift(description) == []
    assert all(request.headers["X-Key"] == "k" for request, _ in web_server.log)


async def test_a_server_without_a_description_is_reported(
    site: Site, web_server: HTTPServer
) -> None:
    web_server.expect_request("/json/protocol").respond_with_data("", status=404)

    with pytest.raises(EndpointError, match="/json/protocol answered with status 404") as refused:
        await Description.served_by(str(web_server.port))
    assert refused.value.status == 404


async def test_a_response_that_is_not_json_is_reported(site: Site, web_server: HTTPServer) -> None:
    web_server.expect_request("/json/protocol").respond_with_data("<html>")

    with pytest.raises(EndpointError, match="did not return a JSON object"):
        await Description.served_by(str(web_server.port))


@pytest.mark.parametrize(
    "body",
    ['{"foo": 1}', '{"domains": 7}', '{"domains": [{"domain": "A", "commands": [{}]}]}', "[]"],
)
async def test_json_that_is_no_description_is_reported(
    site: Site, web_server: HTTPServer, body: str
) -> None:
    web_server.expect_request("/json/protocol").respond_with_data(body)
    web_server.expect_request("/json/version").respond_with_data("{}")

    with pytest.raises(EndpointError, match=r"/json/protocol (returned no|did not return)"):
        await Description.served_by(str(web_server.port))

"""browser_network_export_har saves files that follow the HAR 1.2 schema."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft6Validator, FormatChecker  # type: ignore[import-untyped]
from websockets.asyncio.server import ServerConnection, serve

from tests.e2e.network.conftest import SECRET, close_tabs
from tests.e2e.support.client import StdioClient
from tests.reply_reader import check_characters
from tests.site import Site

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas/har-1.2.json").read_text())
PIXEL = base64.b64decode(
    "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"  # a GIF of one pixel
)

READ = "const read = async (...what) => await (await fetch(...what)).arrayBuffer();"


async def export(server: StdioClient, **arguments: Any) -> tuple[str, dict[str, Any]]:
    """Return the reply and the log of the file, which is valid."""
    reply = await server.call("browser_network_export_har", filename="traffic", **arguments)
    assert not reply.is_error, reply.text
    har = json.loads((server.cwd / "traffic.har").read_text(encoding="utf-8"))
    validator = Draft6Validator(SCHEMA, format_checker=FormatChecker())
    assert [error.message for error in validator.iter_errors(har)] == []
    return reply.sections["Result"], har["log"]


def entry(log: dict[str, Any], path: str) -> dict[str, Any]:
    found = [each for each in log["entries"] if each["request"]["url"].endswith(path)]
    assert len(found) == 1, [each["request"]["url"] for each in log["entries"]]
    return dict(found[0])


async def run(server: StdioClient, script: str) -> None:
    reply = await server.call("browser_evaluate", function=f"async () => {{ {script}; return 1 }}")
    assert not reply.is_error, reply.text


@pytest.fixture(autouse=True)
async def new_tab(networked: StdioClient) -> None:
    """Open a tab without requests, and close all others."""
    await networked.call("browser_tabs", action="new")  # it may start the browser
    await close_tabs(networked)
    await networked.call("browser_tabs", action="new")


async def test_requests_responses_and_cookies_are_exported(
    networked: StdioClient, site: Site
) -> None:
    cookie = "sid=abcdef; Path=/; HttpOnly; SameSite=Lax; Expires=Wed, 21 Oct 2065 07:28:00 GMT"
    site.respond("/api", '{"ä": 1}', headers={"Set-Cookie": cookie}, content_type="a/json")
    await networked.call("browser_navigate", url=site.page("<p>Here</p>", path="/here"))
    form = "{method: 'POST', body: new URLSearchParams({user: 'Anna', word: 'a b'})}"
    read = f"await read('/api?x=1&y=%20z#part', {form}); await read('data:text/plain,local')"
    await run(networked, READ + read)
    text, log = await export(networked)
    assert text == "2 requests with 2 response bodies saved to traffic.har"
    assert (log["version"], log["creator"]["name"]) == ("1.2", "viewpoint-mcp")
    assert [page["id"] for page in log["pages"]] == ["page_1"]

    api = entry(log, "/api?x=1&y=%20z")
    pairs = [(each["name"], each["value"]) for each in api["request"]["queryString"]]
    assert pairs == [("x", "1"), ("y", " z")]
    data = api["request"]["postData"]
    assert (data["text"], api["request"]["bodySize"]) == ("user=Anna&word=a+b", 18)
    assert data["mimeType"].startswith("application/x-www-form-urlencoded")
    assert data["params"][1] == {"name": "word", "value": "a b"}
    assert api["response"]["content"] == {"size": 9, "mimeType": "a/json", "text": '{"ä": 1}'}
    (set_cookie,) = api["response"]["cookies"]
    assert set_cookie["value"] == "<masked>"
    assert (set_cookie["httpOnly"], set_cookie["expires"][:10]) == (True, "2065-10-21")
    assert api["time"] == pytest.approx(sum(api["timings"].values()))
    assert api["serverIPAddress"] == "127.0.0.1"


async def test_redirects_and_binary_bodies_are_exported(networked: StdioClient, site: Site) -> None:
    site.respond("/pixel.gif", PIXEL, content_type="image/gif")
    site.respond("/old", status=302, headers={"Location": "/pixel.gif?new=1"})
    await networked.call("browser_navigate", url=site.page("<p>Here</p>"))
    await run(networked, f"{READ} await read('/old')")
    _, log = await export(networked)
    redirect = entry(log, "/old")["response"]
    assert (redirect["status"], redirect["redirectURL"]) == (302, site.url("/pixel.gif?new=1"))
    content = entry(log, "/pixel.gif?new=1")["response"]["content"]
    assert base64.b64decode(content["text"]) == PIXEL
    assert (content["encoding"], content["mimeType"]) == ("base64", "image/gif")


async def test_requests_that_a_route_handled_are_exported(
    networked: StdioClient, site: Site
) -> None:
    await networked.call("browser_navigate", url=site.page("<p>Here</p>"))
    await networked.call("browser_route", pattern="**/routed", status=404, body="routed")
    await networked.call("browser_route", pattern="**/aborted", abort="connectionreset")
    auth = "{headers: {Authorization: 'Bearer abc'}}"
    await run(
        networked,
        f"{READ} await read('/routed', {auth}); await read('/aborted').catch(() => 0)",
    )
    await networked.call("browser_unroute")
    _, log = await export(networked)
    routed = entry(log, "/routed")
    assert (routed["response"]["content"]["text"], routed["comment"]) == ("routed", "from route")
    headers = {each["name"]: each["value"] for each in routed["request"]["headers"]}
    assert headers["Authorization"] == "Bearer <masked>"
    aborted = entry(log, "/aborted")
    assert aborted["response"]["_error"] == "net::ERR_CONNECTION_RESET"
    assert aborted["comment"] == "failed: net::ERR_CONNECTION_RESET (aborted by a route)"


async def test_missing_bodies_have_a_comment(networked: StdioClient, site: Site) -> None:
    await networked.call("browser_navigate", url=site.page("<p>First</p>", path="/first"))
    await networked.call("browser_navigate", url=site.page("<p>Second</p>", path="/second"))
    _, log = await export(networked)
    first, second = (entry(log, path)["response"]["content"] for path in ("/first", "/second"))
    assert first["comment"] == "Chromium discards bodies with their document"
    assert second["text"] == "<p>Second</p>"
    text, log = await export(networked, omitBodies=True)
    assert text.startswith("2 requests with 0 response bodies saved to")
    assert entry(log, "/second")["response"]["content"]["comment"].startswith("omitted")


async def test_credentials_are_shown_on_request_but_secrets_never(
    networked: StdioClient, site: Site
) -> None:
    site.respond("/api", f"the password is {SECRET}")
    await networked.call("browser_navigate", url=site.page("<p>Here</p>"))
    sent = f"{{headers: {{'X-Token': '{SECRET}', 'X-Api-Key': '1'}}}}"
    await run(networked, f"await (await fetch('/api', {sent})).text()")
    _, log = await export(networked, sensitive=True)
    api = entry(log, "/api")
    headers = {each["name"]: each["value"] for each in api["request"]["headers"]}
    assert headers["X-Api-Key"] == "1"
    assert headers["X-Token"] == "<secret>PASSWORD</secret>"
    assert api["response"]["content"]["text"] == "the password is <secret>PASSWORD</secret>"


async def test_texts_of_a_page_are_data_without_control_sequences(
    networked: StdioClient, site: Site
) -> None:
    hostile = 'a", "b": "\\\x1b[2J\x9b31m\x7f\u202e</script>\U000e0041'
    site.respond("/api", hostile)
    await networked.call("browser_navigate", url=site.page("<p>Here</p>"))
    await run(networked, f"document.title = {json.dumps(hostile)}; {READ} await read('/api')")
    _, log = await export(networked)
    assert entry(log, "/api")["response"]["content"]["text"] == hostile
    check_characters((networked.cwd / "traffic.har").read_text(encoding="utf-8"))


async def test_all_tabs_and_frames_are_exported(networked: StdioClient, site: Site) -> None:
    framed = site.page("<p>Framed</p>", path="/framed").replace("127.0.0.1", "localhost")
    await networked.call("browser_navigate", url=site.page(f"<iframe src={framed}>", path="/one"))
    await networked.call("browser_tabs", action="new", url=site.page("Two", path="/two"))
    _, log = await export(networked)
    assert entry(log, "/one")["pageref"] == entry(log, "/framed")["pageref"] == "page_1"
    assert entry(log, "/two")["pageref"] == "page_2"
    assert entry(log, "/framed")["response"]["content"]["text"] == "<p>Framed</p>"


async def test_a_page_with_a_dialog_is_exported_without_bodies(
    networked: StdioClient, site: Site
) -> None:
    await networked.call("browser_navigate", url=site.page("<p>Here</p>", path="/here"))
    await networked.call("browser_evaluate", function="() => alert('Wait')")
    _, log = await export(networked)
    assert "dialog" in entry(log, "/here")["response"]["content"]["comment"]
    await networked.call("browser_handle_dialog", accept=True)


async def test_open_requests_and_sockets_are_exported(
    networked: StdioClient, site: Site, hold: Any
) -> None:
    async def greet(socket: ServerConnection) -> None:
        await socket.send("hello")
        await socket.wait_closed()

    url = hold("/late")
    await networked.call("browser_navigate", url=site.page("<p>Here</p>"))
    async with serve(greet, "127.0.0.1", 0) as sockets:
        address = f"ws://127.0.0.1:{sockets.sockets[0].getsockname()[1]}/socket"
        await run(
            networked,
            f"fetch('{url}'); await new Promise(done => "
            f"{{ self.socket = new WebSocket('{address}'); socket.onmessage = done }})",
        )
        _, log = await export(networked)
        await run(networked, "socket.close()")
    assert entry(log, "/late")["comment"] == "not ended yet"
    socket = entry(log, "/socket")
    assert socket["response"]["status"] == 101
    assert "0 messages sent, 1 received" in socket["comment"]


async def test_an_empty_context_gives_a_valid_file(networked: StdioClient) -> None:
    text, log = await export(networked)
    assert text == "0 requests with 0 response bodies saved to traffic.har"
    assert log["entries"] == []


async def test_a_file_that_cannot_be_written_is_an_error(networked: StdioClient) -> None:
    reply = await networked.call("browser_network_export_har", filename="/etc/traffic.har")
    assert reply.is_error
    assert "outside the directories that the server may write to" in reply.text

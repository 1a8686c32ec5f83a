"""Long responses over HTTP: streams, progress, cancellation, and all ways to end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest

from tests.e2e.conftest import OpenHttp
from tests.e2e.support.client import Message, RpcFailure
from tests.e2e.support.http_client import (
    META,
    HttpClient,
    HttpServer,
    events,
    request,
    sessionless_headers,
    sessionless_request,
)
from tests.e2e.support.processes import find_browser, find_descendants, wait_for_all_to_end
from tests.site import Site


@pytest.fixture
async def client(listening: HttpServer) -> AsyncIterator[HttpClient]:
    async with listening.client() as client:
        yield client


def long_call(id: object, *, seconds: float = 30) -> Message:
    """Return a call that takes that long and reports its progress."""
    arguments = {"name": "browser_wait_for", "arguments": {"time": seconds}}
    return request("tools/call", {**arguments, "_meta": {"progressToken": "token"}}, id=id)


@asynccontextmanager
async def post_request(client: HttpClient, message: Message) -> AsyncIterator[httpx2.Response]:
    """Post a request, of either era, and return its response while it comes."""
    sessionless = META in json.dumps(message)
    headers = sessionless_headers(message) if sessionless else client.headers
    async with client.http.stream("POST", "/mcp", json=message, headers=headers) as response:
        yield response


# ---- progress


async def test_progress_turns_the_answer_into_a_stream(client: HttpClient) -> None:
    async with post_request(client, long_call("long", seconds=2.5)) as response:
        *notifications, answer = [each async for each in events(response)]
    assert (answer["id"], answer["result"].get("isError", False)) == ("long", False)
    messages = [each["params"] for each in notifications]
    assert [each["progressToken"] for each in messages] == ["token"] * len(messages)
    assert len(messages) >= 2
    assert [each["progress"] for each in messages] == sorted(
        {each["progress"] for each in messages}
    )


async def test_a_stream_has_the_header_against_buffering_proxies(client: HttpClient) -> None:
    async with post_request(client, long_call("long")) as response:
        result = await anext(events(response))
    assert result["method"] == "notifications/progress"
    assert response.headers["x-accel-buffering"] == "no"
    assert "no-transform" in response.headers["cache-control"]


@pytest.mark.prove
async def test_a_client_that_accepts_only_json_waits_for_the_result(client: HttpClient) -> None:
    headers = {**client.headers, "accept": "application/json"}
    response = await client.http.post("/mcp", json=long_call("short", seconds=1.5), headers=headers)
    assert "1.5 s" in response.json()["result"]["content"][0]["text"]


# ---- cancellation


async def test_a_cancelled_call_of_a_session_ends_without_an_answer(client: HttpClient) -> None:
    async with post_request(client, long_call("long")) as response:
        result = events(response)
        await anext(result)
        await client.notify("notifications/cancelled", {"requestId": "long"})
        assert [each async for each in result if "id" in each] == []
    assert await client.request("ping") == {}


async def test_a_client_that_accepts_only_json_gets_no_body_for_a_cancelled_call(
    client: HttpClient, listening: HttpServer
) -> None:
    headers = {**client.headers, "accept": "application/json"}
    post = client.http.post("/mcp", json=long_call("long"), headers=headers)
    posting = asyncio.create_task(post)
    while not posting.done():
        await client.notify("notifications/cancelled", {"requestId": "long"})
        await asyncio.wait({posting}, timeout=0.1)
    assert ((await posting).status_code, (await posting).content) == (202, b"")


@pytest.mark.prove
async def test_one_session_cannot_cancel_calls_of_another(
    listening: HttpServer, client: HttpClient
) -> None:
    async with (
        listening.client() as stranger,
        post_request(client, long_call("mine", seconds=2)) as response,
    ):
        result = events(response)
        await anext(result)
        await stranger.notify("notifications/cancelled", {"requestId": "mine"})
        answers = [each async for each in result if "id" in each]
    assert [each["id"] for each in answers] == ["mine"]
    assert "result" in answers[0]


SLOW = "() => new Promise(resolve => setTimeout(() => resolve(window.done = 'done'), 1500))"


async def test_leaving_ends_no_call_of_a_session(client: HttpClient, site: Site) -> None:
    await client.call("browser_navigate", url=site.page("<h1>Here</h1>"))
    slow = {"name": "browser_evaluate", "arguments": {"function": SLOW}}
    message = request("tools/call", {**slow, "_meta": {"progressToken": 1}}, id=77)
    async with post_request(client, message) as response:
        await anext(events(response))
    done = await client.call("browser_evaluate", function="() => window.done")
    assert "done" in done.sections["Result"]


# ---- streams


async def test_a_subscription_is_acknowledged_and_stays_open(client: HttpClient) -> None:
    message = sessionless_request("subscriptions/listen", {"notifications": {}})
    async with post_request(client, message) as response:
        result = events(response)
        first = await anext(result)
        assert first["method"] == "notifications/subscriptions/acknowledged"
        assert first["params"]["_meta"][f"{META}subscriptionId"] == 1
        following = asyncio.ensure_future(anext(result))
        assert await client.request("ping") == {}
        assert not following.done()
        following.cancel()
        await asyncio.wait({following})


async def test_a_subscription_requires_a_stream(client: HttpClient) -> None:
    message = sessionless_request("subscriptions/listen", {"notifications": {}})
    headers = {**sessionless_headers(message), "accept": "application/json"}
    assert (await client.http.post("/mcp", json=message, headers=headers)).status_code == 406


async def test_a_session_may_have_streams_open_beside_its_calls(client: HttpClient) -> None:
    async with (
        client.http.stream("GET", "/mcp", headers=client.headers) as one,
        client.http.stream("GET", "/mcp", headers=client.headers) as other,
    ):
        assert {one.headers["content-type"], other.headers["content-type"]} == {"text/event-stream"}
        assert await client.request("ping") == {}
        await client.http.delete("/mcp", headers=client.headers)
        assert [each async for each in events(one)] == [each async for each in events(other)] == []


async def test_deleting_a_session_answers_its_running_call(client: HttpClient) -> None:
    async with post_request(client, long_call(5)) as response:
        result = events(response)
        await anext(result)
        deleted = await client.http.delete("/mcp", headers=client.headers)
        (answer,) = [each async for each in result if "id" in each]
    assert deleted.status_code == 204
    assert (answer["id"], answer["error"]["code"]) == (5, -32000)
    assert "its session has ended" in answer["error"]["message"]


async def test_calls_of_a_session_are_served_side_by_side(client: HttpClient) -> None:
    async with post_request(client, long_call("long")) as response:
        await anext(events(response))
        answers = await asyncio.gather(*(client.request("tools/list") for _ in range(20)))
    assert all(each == answers[0] for each in answers)


async def test_an_id_in_use_is_refused(client: HttpClient) -> None:
    async with post_request(client, long_call(1_000)) as response:
        await anext(events(response))
        again = request("ping", id=1_000)
        answer = await client.http.post("/mcp", json=again, headers=client.headers)
    assert answer.json()["error"]["code"] == -32600


# ---- 2024-11-05


class OldClient:
    """A client of HTTP with SSE, inside of `events_of`."""

    def __init__(self, http: httpx2.AsyncClient, lines: AsyncIterator[str]) -> None:
        self.http = http
        self.lines = lines
        self.address = ""

    async def event(self) -> tuple[str, str]:
        """Return the name and the data of the next event."""
        fields: dict[str, str] = {}
        async for line in self.lines:
            name, _, value = line.partition(": ")
            if not line and fields:
                break
            fields[name] = value
        return fields["event"], fields["data"]

    async def answer(self) -> Message:
        name, data = await self.event()
        assert name == "message"
        message: Message = json.loads(data)
        return message


@asynccontextmanager
async def old_client(server: HttpServer) -> AsyncIterator[OldClient]:
    async with server.http() as http, http.stream("GET", "/sse") as response:
        assert response.headers["content-type"] == "text/event-stream"
        client = OldClient(http, response.aiter_lines())
        name, client.address = await client.event()
        assert name == "endpoint"
        yield client


async def test_an_old_client_gets_its_answers_on_its_stream(listening: HttpServer) -> None:
    async with old_client(listening) as old:
        begin = request("initialize", {"protocolVersion": "2024-11-05", "capabilities": {}})
        posted = await old.http.post(old.address, json=begin)
        assert (posted.status_code, posted.content) == (202, b"")
        assert (await old.answer())["result"]["protocolVersion"] == "2024-11-05"
        await old.http.post(old.address, json=request("tools/call", {"name": "nothing"}, id="x"))
        answer = await old.answer()
    assert (answer["id"], answer["error"]["code"]) == ("x", -32601)


async def test_an_old_client_receives_progress_and_may_cancel(listening: HttpServer) -> None:
    async with old_client(listening) as old:
        await old.http.post(old.address, json=long_call("long"))
        assert (await old.answer())["method"] == "notifications/progress"
        cancel = {"method": "notifications/cancelled", "params": {"requestId": "long"}}
        await old.http.post(old.address, json={"jsonrpc": "2.0", **cancel})
        await old.http.post(old.address, json=request("ping", id="after"))
        answers = [await old.answer()]
        while "id" not in answers[-1]:
            answers.append(await old.answer())
    assert answers[-1]["id"] == "after"


async def test_a_post_of_an_old_client_must_be_a_message_of_a_session(
    listening: HttpServer,
) -> None:
    async with old_client(listening) as old:
        kind = {"content-type": "application/json"}
        bad = await old.http.post(old.address, content=b"{", headers=kind)
        assert (bad.status_code, bad.json()["error"]["code"]) == (400, -32700)
        assert (await old.http.post("/messages", json=request("ping"))).status_code == 400
        stranger = await old.http.post("/messages?sessionId=x", json=request("ping"))
        assert stranger.status_code == 404


async def test_the_session_of_an_old_client_ends_with_its_stream(listening: HttpServer) -> None:
    async with old_client(listening) as old:
        assert (await old.http.post(old.address, json=request("ping"))).status_code == 202
    async with listening.http() as later:
        status = 202
        while status != 404:
            status = (await later.post(old.address, json=request("ping"))).status_code


# ---- the end


@pytest.mark.timing
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_answers_calls_ends_streams_and_leaves_no_browser(
    open_http: OpenHttp, tmp_path: Path, site: Site, number: signal.Signals
) -> None:
    async with open_http(cwd=tmp_path) as server, server.client() as client:
        await client.call("browser_navigate", url=site.page("<h1>Here</h1>"))
        processes = find_descendants(server.process.pid)
        listen = sessionless_request("subscriptions/listen", {"notifications": {}})
        call = asyncio.create_task(client.call("browser_wait_for", time=30))
        async with (
            client.http.stream("GET", "/mcp", headers=client.headers) as stream,
            post_request(client, listen) as subscription,
            old_client(server) as old,
        ):
            result = events(subscription)
            await anext(result)
            start = time.monotonic()
            server.process.send_signal(number)
            assert [each async for each in events(stream)] == []
            assert [each["id"] async for each in result] == [1]
            assert [line async for line in old.lines] == []
            with pytest.raises(RpcFailure, match="its session has ended"):
                await call
        assert await server.process.wait() == 0
        assert time.monotonic() - start < 5
        assert await wait_for_all_to_end(processes, 1)
        assert "Traceback" not in server.stderr
        assert "Cancel" not in server.stderr


@pytest.mark.prove
@pytest.mark.timing
async def test_sessions_do_not_wait_for_a_browser_that_hangs(
    open_http: OpenHttp, tmp_path: Path, site: Site
) -> None:
    async with open_http(cwd=tmp_path) as server, server.client() as one, server.client() as other:
        for client in (one, other):
            await client.call("browser_navigate", url=site.page("<h1>Here</h1>"))
        processes = find_descendants(server.process.pid)
        os.kill(find_browser(server.process.pid), signal.SIGSTOP)
        start = time.monotonic()
        assert (await one.http.delete("/mcp", headers=one.headers)).status_code == 204
        assert await server.stop() == 0
        assert time.monotonic() - start < 8  # it would be 15 if they did
        assert await wait_for_all_to_end(processes, 2)

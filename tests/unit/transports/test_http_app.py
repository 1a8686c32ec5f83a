"""Messages of an ASGI server about a client, the application's responses, and time limits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

import orjson
import pytest

from tests.e2e.support.processes import wait_until
from viewpoint_mcp.rpc.dispatcher import Call, Conversation, Dispatcher
from viewpoint_mcp.rpc.messages import Params
from viewpoint_mcp.transports.http.access_control import AccessControl
from viewpoint_mcp.transports.http.app import HttpApp, Limits

Event = MutableMapping[str, Any]
VERSION = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Service:
    """Serves `initialize` at once and `wait` when the gate opens; anything else with a word."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.begun = asyncio.Event()
        self.ended: list[str] = []
        self.closed = asyncio.Event()

    async def handle(self, method: str, params: Params, call: Call) -> str:
        if method != "wait":
            return "done"
        self.begun.set()
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.ended.append("cancelled")
            raise
        self.ended.append("done")
        return "waited"

    async def close(self) -> None:
        self.closed.set()


class Visit:
    """One request to an application, from a client that a test controls."""

    def __init__(self, app: HttpApp, method: str, path: str, headers: dict[str, str]) -> None:
        self.heard: asyncio.Queue[Event] = asyncio.Queue()
        self.told: asyncio.Queue[Event] = asyncio.Queue()
        path, _, query = path.partition("?")
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "root_path": headers.pop("root", ""),
            "query_string": query.encode(),
            "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")]
            + [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        self.serving = asyncio.create_task(app(scope, self.told.get, self.heard.put))

    def send_body(self, body: bytes, *, more: bool = False) -> None:
        self.told.put_nowait({"type": "http.request", "body": body, "more_body": more})

    def leave(self) -> None:
        self.told.put_nowait({"type": "http.disconnect"})

    async def next_event(self) -> Event:
        async with asyncio.timeout(10):
            return await self.heard.get()

    async def status(self) -> tuple[int, dict[str, str]]:
        start = await self.next_event()
        return start["status"], {name.decode(): value.decode() for name, value in start["headers"]}


Open = Callable[..., Visit]


@asynccontextmanager
async def opened(**limits: Any) -> AsyncIterator[tuple[HttpApp, Service, Open]]:
    service = Service()
    dispatcher = Dispatcher(lambda _: service)
    app = HttpApp(
        dispatcher, dispatcher, AccessControl(None), name="it", version="0", limits=Limits(**limits)
    )
    visits: list[Visit] = []

    def visit(method: str, path: str, **headers: str) -> Visit:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        visits.append(Visit(app, method, path, named))
        return visits[-1]

    try:
        yield app, service, visit
    finally:
        await app.close()
        for each in visits:
            each.leave()
        await asyncio.gather(*(each.serving for each in visits), return_exceptions=True)


def message(method: str, **params: Any) -> bytes:
    return orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})


def sessionless(method: str) -> tuple[bytes, dict[str, str]]:
    headers = {"mcp_protocol_version": VERSION, "mcp_method": method}
    return message(method, _meta=META), headers


async def begin(visit: Open) -> str:
    initialize = visit("POST", "/mcp")
    initialize.send_body(message("initialize"))
    status, headers = await initialize.status()
    assert status == 200
    return headers["mcp-session-id"]


async def test_without_a_session_leaving_cancels_the_call() -> None:
    async with opened() as (_, service, visit):
        body, headers = sessionless("wait")
        leaver = visit("POST", "/mcp", **headers)
        leaver.send_body(body)
        await service.begun.wait()
        leaver.leave()
        await leaver.serving
        assert (service.ended, service.closed.is_set()) == (["cancelled"], True)
        assert leaver.heard.empty()


async def test_in_a_session_leaving_does_not() -> None:
    async with opened() as (_, service, visit):
        session = await begin(visit)
        leaver = visit("POST", "/mcp", mcp_session_id=session)
        leaver.send_body(message("wait"))
        await service.begun.wait()
        leaver.leave()
        assert (await ping(visit, session))[0] == 200
        service.gate.set()
        await leaver.serving
        assert service.ended == ["done"]


async def test_a_stream_that_is_left_gives_its_calls_some_time() -> None:
    async with opened() as (_, service, visit):
        stream = visit("GET", "/sse")
        assert (await stream.status())[0] == 200
        event = (await stream.next_event())["body"].decode()
        address = event.partition("data: ")[2].strip()
        post = visit("POST", address)
        post.send_body(message("wait"))
        assert (await post.status())[0] == 202
        await service.begun.wait()
        stream.leave()
        await stream.serving
        assert not service.closed.is_set()
        service.gate.set()
        await service.closed.wait()
        assert service.ended == ["done"]


async def test_a_slow_answer_becomes_a_stream_with_keep_alive_comments() -> None:
    async with opened(keep_alive_interval=0.01) as (_, service, visit):
        body, headers = sessionless("wait")
        asking = visit("POST", "/mcp", **headers)
        asking.send_body(body)
        status, result = await asking.status()
        assert (status, result["content-type"]) == (200, "text/event-stream")
        assert (await asking.next_event())["body"] == b": keep-alive\n\n"
        service.gate.set()
        while (event := await asking.next_event())["body"] == b": keep-alive\n\n":
            pass
        assert event["body"].startswith(b"event: message\ndata: {")
        assert await asking.next_event() == {"type": "http.response.body", "body": b""}


async def test_an_unused_session_expires() -> None:
    async with opened(session_lifetime=0.01) as (_, service, visit):
        session = await begin(visit)
        await service.closed.wait()
        assert (await ping(visit, session))[0] == 404


async def test_a_session_stays_while_a_stream_is_open() -> None:
    async with opened(session_lifetime=0.01) as (_, service, visit):
        holder = visit("POST", "/mcp")
        holder.send_body(message("initialize"))
        session = (await holder.status())[1]["mcp-session-id"]
        stream = visit("GET", "/mcp", mcp_session_id=session)
        assert (await stream.status())[0] == 200
        for _ in range(5):
            assert (await ping(visit, session))[0] == 200
            await asyncio.sleep(0.01)
        assert not service.closed.is_set()
        stream.leave()
        await service.closed.wait()


async def test_a_session_stays_while_a_call_runs_whose_client_disconnected() -> None:
    async with opened(session_lifetime=0.01) as (_, service, visit):
        session = await begin(visit)
        leaver = visit("POST", "/mcp", mcp_session_id=session)
        leaver.send_body(message("wait"))
        await service.begun.wait()
        leaver.serving.cancel()
        await asyncio.wait({leaver.serving})
        assert service.ended == []
        service.gate.set()
        await service.closed.wait()
        assert service.ended == ["done"]


async def test_a_body_that_takes_too_long_times_out() -> None:
    async with opened(upload_timeout=0.01) as (_, _, visit):
        slow = visit("POST", "/mcp")
        slow.send_body(b"{", more=True)
        status, headers = await slow.status()
    assert (status, headers["connection"]) == (408, "close")


async def test_a_client_that_disconnects_during_its_body_gets_no_response() -> None:
    async with opened() as (_, _, visit):
        leaver = visit("POST", "/mcp")
        leaver.send_body(b"{", more=True)
        leaver.leave()
        await leaver.serving
        assert leaver.heard.empty()


async def test_an_application_in_another_has_its_paths_below_that() -> None:
    async with opened() as (_, _, visit):
        stream = visit("GET", "/browser/sse", root="/browser")
        assert (await stream.status())[0] == 200
        assert b"data: /browser/messages?sessionId=" in (await stream.next_event())["body"]


async def test_after_its_end_nothing_is_served() -> None:
    async with opened() as (app, _, visit):
        session = await begin(visit)
        await app.close()
        assert (await ping(visit, session))[0] == 503


async def test_a_message_that_is_whole_only_after_the_end_is_not_served() -> None:
    async with opened() as (app, service, visit):
        body, headers = sessionless("wait")
        late = visit("POST", "/mcp", **headers)
        late.send_body(body[:9], more=True)
        await wait_until(late.told.empty)
        await app.close()
        late.send_body(body[9:])
        assert (await late.status())[0] == 503
        assert not service.begun.is_set()


async def test_a_request_that_the_stop_cannot_wait_for_gets_an_error() -> None:
    async with opened() as (_, _, visit):
        slow = visit("POST", "/mcp")
        slow.send_body(b"{", more=True)
        await wait_until(slow.told.empty)
        slow.serving.cancel()
        assert (await slow.status())[0] == 503


async def test_an_unexpected_exception_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: Conversation) -> Service:
        raise ZeroDivisionError

    app = HttpApp(Dispatcher(fail), Dispatcher(fail), AccessControl(None), name="it", version="0")
    asking = Visit(app, "POST", "/mcp", {})
    asking.send_body(message("initialize"))
    with pytest.raises(ZeroDivisionError):
        await asking.serving
    assert "POST '/mcp' failed" in caplog.text


@pytest.mark.parametrize("version", ["2020-01-01", "", "x" * 5000])
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
async def test_a_session_of_an_unsupported_version_gets_an_error(version: str, method: str) -> None:
    async with opened() as (_, _, visit):
        session = await begin(visit)
        asking = visit(method, "/mcp", mcp_session_id=session, mcp_protocol_version=version)
        asking.send_body(message("ping"))
        assert (await asking.status())[0] == 400
        refused = orjson.loads((await asking.next_event())["body"])["error"]["message"]
    assert f"Unsupported protocol version '{version[:100]}'" in refused


@pytest.mark.parametrize("method", ["server/discover", "subscriptions/listen"])
async def test_a_request_of_a_newer_revision_gets_an_error_that_names_the_missing_part(
    method: str,
) -> None:
    async with opened() as (_, _, visit):
        asking = visit("POST", "/mcp")
        asking.send_body(message(method))
        assert (await asking.status())[0] == 400
        refused = orjson.loads((await asking.next_event())["body"])["error"]["message"]
    assert "needs _meta" in refused


async def ping(visit: Open, session: str) -> tuple[int, dict[str, str]]:
    asking = visit("POST", "/mcp", mcp_session_id=session)
    asking.send_body(message("ping"))
    return await asking.status()

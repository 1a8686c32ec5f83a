"""The recording proxy before a real Chromium, and the recording played to clients good and bad."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

import cdp_protocol
from cdp_protocol import ProtocolError
from cdp_protocol.launching.process import BrowserProcess
from cdp_protocol.recording.file_format import (
    ConnectionEnd,
    ConnectionStart,
    RecordedHttpResponse,
    RecordedMessage,
    Recording,
    read_recording,
)
from cdp_protocol.recording.proxy import RecordingProxy, find_proxied_browser
from cdp_protocol.recording.recorder import Recorder
from cdp_protocol.recording.remote_debugging_server import run_debug_server
from cdp_protocol.recording.replay import ReplayingBrowser
from tests.e2e.support.processes import wait_until

LARGE = 10_000_000


@dataclass
class RecordingRun:
    """A proxy that records.

    Attributes:
        address: `127.0.0.1:port`.
    """

    address: str
    recorder: Recorder
    proxy: RecordingProxy

    async def end(self) -> Recording:
        """End the recording when all clients have left, and read it."""
        await wait_until(lambda: not self.proxy.open_connections)
        self.recorder.close()
        return read_recording(self.recorder.path)

    async def get(self, path: str, method: str = "GET", **headers: str) -> Any:
        """Ask for JSON."""

        def fetch() -> Any:
            asked = Request(f"http://{self.address}{path}", method=method, headers=headers)
            with urllib.request.urlopen(asked, timeout=10) as answer:
                return json.load(answer)

        return await asyncio.to_thread(fetch)


@pytest.fixture
async def proxy(chromium_process: BrowserProcess, tmp_path: Path) -> AsyncIterator[RecordingRun]:
    recorder = Recorder(tmp_path / "recording.jsonl")
    behind = await find_proxied_browser(chromium_process.websocket_url, {})
    proxy = RecordingProxy(behind, recorder)
    async with run_debug_server(proxy) as port:
        yield RecordingRun(f"127.0.0.1:{port}", recorder, proxy)
    recorder.close()


async def test_all_addresses_from_the_browser_lead_to_the_proxy(proxy: RecordingRun) -> None:
    version = await proxy.get("/json/version")
    made = await proxy.get("/json/new?about:blank", method="PUT")
    listed = await proxy.get("/json/list")
    protocol = await proxy.get("/json/protocol")  # 1.6 MB

    assert version["webSocketDebuggerUrl"].startswith(f"ws://{proxy.address}/devtools/browser/")
    assert made["webSocketDebuggerUrl"] == f"ws://{proxy.address}/devtools/page/{made['id']}"
    assert made["id"] in {each["id"] for each in listed}
    assert len(protocol["domains"]) > 40
    async with connect(made["webSocketDebuggerUrl"], proxy=None) as page:
        await page.send('{"id":1,"method":"Page.close"}')
        assert json.loads(await page.recv())["id"] == 1
    paths = [
        each.path for each in (await proxy.end()).entries if isinstance(each, RecordedHttpResponse)
    ]
    assert paths == ["/json/version", "/json/new", "/json/list", "/json/protocol"]


async def test_several_clients_are_recorded_at_once_each_with_a_number(proxy: RecordingRun) -> None:
    async with (
        cdp_protocol.connect(proxy.address) as one,
        cdp_protocol.connect(proxy.address) as other,
    ):
        products = await asyncio.gather(
            *(client.Browser.getVersion() for client in (one, other) for _ in range(50))
        )
    assert len(products) == 100

    recording = await proxy.end()
    assert recording.header.product == products[0]["product"]
    assert recording.connection_numbers == [0, 1]
    calls = [
        each
        for each in recording.entries
        if isinstance(each, RecordedMessage) and "method" in each.message
    ]
    assert [call.message["id"] for call in calls if call.connection == 1] == list(range(1, 51))
    ends = [each.side for each in recording.entries if isinstance(each, ConnectionEnd)]
    assert ends == ["client", "client"]


async def test_messages_of_ten_megabytes_pass_both_ways(proxy: RecordingRun) -> None:
    async with (
        cdp_protocol.connect(proxy.address) as browser,
        browser.attach(await browser.Target.createTarget(url="about:blank")) as page,
    ):
        expression = f"'{'A' * LARGE}' + 'B'"
        answer = await page.Runtime.evaluate(expression=expression, returnByValue=True)
        assert len(answer["result"]["value"]) == LARGE + 1
        await page.Page.close()
    assert not (await proxy.end()).damage


async def test_a_message_that_is_not_json_is_forwarded_and_recorded_as_text(
    proxy: RecordingRun,
) -> None:
    url = (await proxy.get("/json/version"))["webSocketDebuggerUrl"]
    async with connect(url, proxy=None) as client:
        await client.send("{what?")
        assert "error" in json.loads(await client.recv())
        await client.send('{"id":8,"method":"Browser.getVersion"}')
        assert json.loads(await client.recv())["id"] == 8
        await client.send(b"{}")  # Chromium does not receive this
        with pytest.raises(ConnectionClosed):
            await client.recv()

    texts = [each.text for each in (await proxy.end()).entries if isinstance(each, RecordedMessage)]
    assert "{what?" in texts


async def test_a_client_that_disconnects_during_a_call_does_not_affect_others(
    proxy: RecordingRun,
) -> None:
    async with cdp_protocol.connect(proxy.address) as staying:
        url = (await proxy.get("/json/version"))["webSocketDebuggerUrl"]
        leaving = await connect(url, proxy=None)
        await leaving.send('{"id":1,"method":"Browser.getVersion"}')
        leaving.transport.abort()
        assert (await staying.Browser.getVersion())["product"]
    assert not (await proxy.end()).unreadable_lines


async def test_pages_of_the_web_are_refused(proxy: RecordingRun) -> None:
    url = (await proxy.get("/json/version"))["webSocketDebuggerUrl"]

    with pytest.raises(InvalidStatus, match="403"):
        await connect(url, origin="https://evil.test", proxy=None)  # type: ignore[arg-type]
    with pytest.raises(HTTPError, match="403"):
        await proxy.get("/json/version", Host="evil.test")


async def test_an_address_that_the_browser_does_not_have_closes_with_the_reason(
    proxy: RecordingRun,
) -> None:
    async with connect(f"ws://{proxy.address}/devtools/page/none", proxy=None) as client:
        with pytest.raises(ConnectionClosed) as closed:
            await client.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1011


async def test_the_end_of_the_browser_is_passed_on_and_noted(chromium: str, tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "recording.jsonl")
    async with cdp_protocol.launch(chromium) as browser:
        behind = await find_proxied_browser(browser.endpoint, {})
        proxy = RecordingProxy(behind, recorder)
        async with run_debug_server(proxy) as port:
            async with cdp_protocol.connect(f"127.0.0.1:{port}") as client:
                lost: asyncio.Future[object] = asyncio.get_running_loop().create_future()
                client.connection.on_lost(lost.set_result)
                await client.Browser.getVersion()  # the proxy has reached the browser
                await browser.send("Browser.close")
                await lost
            with pytest.raises(HTTPError, match="502"):
                await RecordingRun(f"127.0.0.1:{port}", recorder, proxy).get("/json/list")

    def ends() -> list[str]:
        entries = read_recording(recorder.path).entries
        return [each.side for each in entries if isinstance(each, ConnectionEnd)]

    await wait_until(lambda: ends() == ["browser"])
    recorder.close()
    assert ends() == ["browser"]


async def test_a_recording_is_played_to_any_number_of_clients(proxy: RecordingRun) -> None:
    async with cdp_protocol.connect(proxy.address) as browser:
        product = (await browser.Browser.getVersion())["product"]
        targets = (await browser.Target.getTargets())["targetInfos"]
    results: list[str] = []
    replay = ReplayingBrowser(await proxy.end(), report_problem=results.append)

    async with run_debug_server(replay) as port:
        for _ in range(2):
            async with cdp_protocol.connect(f"127.0.0.1:{port}") as client:
                assert (await client.Target.getTargets())["targetInfos"] == targets
                assert (await client.Browser.getVersion())["product"] == product
                with pytest.raises(ProtocolError, match="not in the recording"):
                    await client.Target.getBrowserContexts()

    assert len(results) == 2
    assert not replay.is_complete
    assert "2 commands are not in the recording" in "\n".join(replay.describe_differences())


async def test_an_address_that_is_not_in_the_recording_is_reported(proxy: RecordingRun) -> None:
    async with cdp_protocol.connect(proxy.address) as browser:
        await browser.Browser.getVersion()
    reports: list[str] = []
    replay = ReplayingBrowser(await proxy.end(), report_problem=reports.append)

    async with (
        run_debug_server(replay) as port,
        cdp_protocol.Connection.open(f"ws://127.0.0.1:{port}/devtools/page/X") as page,
    ):
        with pytest.raises(cdp_protocol.ConnectionLost, match="not in the recording"):
            await page.root.Page.reload()

    assert reports == ["The recording has no connection to /devtools/page/X."]


async def test_a_replay_answers_invalid_messages_too(proxy: RecordingRun) -> None:
    async with cdp_protocol.connect(proxy.address) as browser:
        await browser.Target.getTargets()
    recording = await proxy.end()
    path = next(each.path for each in recording.entries if isinstance(each, ConnectionStart))

    async with run_debug_server(ReplayingBrowser(recording)) as port:
        url = f"ws://127.0.0.1:{port}{path}"
        async with connect(url, proxy=None) as client:
            for odd in ("{what?", "[]", b"\xff", '{"id":1}', json.dumps({"x": "A" * LARGE})):
                await client.send(odd)
                assert json.loads(await client.recv())["error"]["code"] == -32600
        leaving = await connect(url, proxy=None)
        await leaving.send('{"id":1,"method":"Target.getTargets"}')
        leaving.transport.abort()
        async with cdp_protocol.connect(url) as client:
            assert (await client.Target.getTargets())["targetInfos"]

"""The protocol client against a real Chromium."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from cdp_protocol import (
    CallTimeout,
    Connection,
    ConnectionLost,
    EndpointError,
    ProtocolError,
    Session,
    SessionClosed,
    endpoint_from_profile,
    websocket_url,
)

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-port=0",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)
HEADING = "data:text/html,<title>T</title><h1>Hello</h1>"


@dataclass(frozen=True, slots=True)
class Browser:
    process: Process
    profile: Path
    url: str


@asynccontextmanager
async def launched(chromium: str, profile: Path) -> AsyncIterator[Browser]:
    flags = (*FLAGS, f"--user-data-dir={profile}", "about:blank")
    process = await asyncio.create_subprocess_exec(chromium, *flags, stdout=DEVNULL, stderr=PIPE)
    assert process.stderr is not None
    try:
        async for line in process.stderr:
            if line.startswith(b"DevTools listening on "):
                yield Browser(process, profile, line.split()[-1].decode())
                break
        else:
            pytest.fail("Chromium ended without opening a debugging port.")
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.fixture(scope="module")
async def browser(
    chromium: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Browser]:
    async with launched(chromium, tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
async def connection(browser: Browser) -> AsyncIterator[Connection]:
    async with Connection.open(browser.url, timeout=10.0) as connection:
        yield connection


@pytest.fixture
async def page(connection: Connection) -> AsyncIterator[Session]:
    page = await attached_page(connection)
    yield page
    target_id = page.target_info["targetId"]
    open_now = await connection.root.Target.getTargets()
    if target_id in [info["targetId"] for info in open_now["targetInfos"]]:
        await connection.root.Target.closeTarget(targetId=target_id)


async def attached_page(connection: Connection) -> Session:
    target = await connection.root.Target.createTarget(url="about:blank")
    attached = await connection.root.Target.attachToTarget(
        targetId=target["targetId"], flatten=True
    )
    return connection.session(attached["sessionId"])


async def test_a_port_a_profile_and_an_address_lead_to_the_same_browser(browser: Browser) -> None:
    port = browser.url.split(":")[2].split("/")[0]

    assert await websocket_url(f"http://127.0.0.1:{port}") == browser.url
    assert await websocket_url(port) == browser.url
    assert endpoint_from_profile(browser.profile) == browser.url


async def test_a_wrong_path_on_the_right_port_is_an_endpoint_error(browser: Browser) -> None:
    address = browser.url.partition("/devtools/")[0]

    with pytest.raises(EndpointError, match="its WebSocket was refused with HTTP status"):
        await Connection.open(f"{address}/devtools/page/none")


async def test_a_page_is_navigated_and_its_load_awaited(page: Session) -> None:
    await page.Page.enable()

    async with page.expect(page.Page.loadEventFired) as loaded:
        result = await page.Page.navigate(url=HEADING)
        assert (await loaded)["timestamp"] > 0

    assert result["frameId"] == page.target_info["targetId"]
    found = await page.Runtime.evaluate(expression="document.querySelector('h1').textContent")
    assert found["result"].get("value") == "Hello"


async def test_events_of_a_navigation_come_in_their_order(page: Session) -> None:
    seen: list[str] = []
    for name in ("Page.frameStartedNavigating", "Page.frameNavigated", "Page.loadEventFired"):
        page.on(name, lambda _, name=name: seen.append(name))
    await page.Page.enable()

    async with page.expect("Page.loadEventFired") as loaded:
        await page.Page.navigate(url=HEADING)
        await loaded

    assert seen == ["Page.frameStartedNavigating", "Page.frameNavigated", "Page.loadEventFired"]


async def test_auto_attached_sessions_exist_in_the_event_that_announces_them(
    connection: Connection, page: Session
) -> None:
    await page.Target.setAutoAttach(autoAttach=True, waitForDebuggerOnStart=True, flatten=True)

    async with page.expect(page.Target.attachedToTarget) as attached:
        await page.Runtime.evaluate(expression="w = new Worker('data:text/javascript,self.n=42')")
        worker = connection.session((await attached)["sessionId"])
    await worker.Runtime.runIfWaitingForDebugger()

    assert worker.target_info["type"] == "worker"
    assert worker.parent is page
    assert (await worker.Runtime.evaluate(expression="1 + 1"))["result"].get("value") == 2


async def test_commands_of_one_gather_are_carried_out_in_order(page: Session) -> None:
    await page.send("Runtime.evaluate", {"expression": "seen = []"})

    await asyncio.gather(
        *(page.send("Runtime.evaluate", {"expression": f"seen.push({n})"}) for n in range(50))
    )

    found = await page.send("Runtime.evaluate", {"expression": "seen", "returnByValue": True})
    assert found["result"]["value"] == list(range(50))


async def test_an_answer_of_50_megabytes_arrives_whole(page: Session) -> None:
    found = await page.Runtime.evaluate(expression="'x'.repeat(50e6)", returnByValue=True)

    assert len(found["result"].get("value", "")) == 50_000_000


async def test_a_refusal_tells_the_method_and_what_the_browser_said(page: Session) -> None:
    with pytest.raises(ProtocolError) as unknown:
        await page.send("Page.fold")
    with pytest.raises(ProtocolError) as invalid:
        await page.send("Page.navigate", {"url": 7})

    assert str(unknown.value) == "Page.fold failed: 'Page.fold' wasn't found. (code -32601)"
    assert invalid.value.code == -32602
    assert "string value expected" in str(invalid.value)


async def test_a_page_that_is_busy_times_out_and_goes_on_later(page: Session) -> None:
    async with page.expect("Runtime.consoleAPICalled") as done:
        await page.Runtime.enable()
        busy = "t = Date.now(); while (Date.now() - t < 300); console.log('done')"
        with pytest.raises(CallTimeout):
            await page.send("Runtime.evaluate", {"expression": busy}, timeout=0.05)
        await done


async def test_a_crashed_page_tells_it_as_an_event(page: Session) -> None:
    await page.Inspector.enable()

    async with page.expect(page.Inspector.targetCrashed) as crashed:
        call = asyncio.create_task(page.Page.crash())
        await crashed
        call.cancel()
        await asyncio.wait([call])

    assert page.closed is None


async def test_a_closed_target_ends_its_session_and_fails_its_calls(
    connection: Connection, page: Session
) -> None:
    never = {"expression": "new Promise(() => 0)", "awaitPromise": True}
    call = asyncio.create_task(page.send("Runtime.evaluate", never))
    await page.send("Runtime.evaluate", {"expression": "1"})

    await connection.root.Target.closeTarget(targetId=page.target_info["targetId"])

    with pytest.raises((SessionClosed, ProtocolError)) as caught:
        await call
    assert "Runtime.evaluate" in str(caught.value)


async def test_a_session_can_be_left_and_its_target_lives_on(
    connection: Connection, page: Session
) -> None:
    target_id = page.target_info["targetId"]

    await page.close()
    again = await connection.root.Target.attachToTarget(targetId=target_id, flatten=True)

    assert page.closed is not None
    with pytest.raises(SessionClosed):
        await page.Page.enable()
    assert await connection.session(again["sessionId"]).send("Page.enable") == {}


async def test_a_browser_that_is_killed_fails_what_waits_at_once(
    chromium: str, tmp_path: Path
) -> None:
    async with launched(chromium, tmp_path) as browser, Connection.open(browser.url) as connection:
        told: list[ConnectionLost] = []
        connection.on_lost(told.append)
        async with connection.root.expect("Target.targetCreated") as expected:
            browser.process.kill()
            with pytest.raises(ConnectionLost, match=r"Target\.targetCreated got no answer"):
                await expected
        with pytest.raises(ConnectionLost, match=r"Browser\.getVersion got no answer"):
            await connection.root.Browser.getVersion()
        assert told == [connection.lost]


async def test_a_browser_that_is_killed_in_the_middle_of_a_call_fails_it(
    chromium: str, tmp_path: Path
) -> None:
    never = {"expression": "new Promise(() => 0)", "awaitPromise": True}
    async with launched(chromium, tmp_path) as browser, Connection.open(browser.url) as connection:
        page = await attached_page(connection)
        call = asyncio.create_task(page.send("Runtime.evaluate", never))
        await page.send("Runtime.evaluate", {"expression": "1"})  # the other one is under way

        browser.process.kill()

        with pytest.raises(ConnectionLost, match=r"Runtime\.evaluate got no answer"):
            await call
        assert page.closed is not None

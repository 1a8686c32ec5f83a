"""The protocol client against a real Chromium."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cdp_protocol import (
    Browser,
    CallTimeout,
    Connection,
    ConnectionLost,
    EndpointError,
    ProtocolError,
    Session,
    SessionClosed,
    connect,
    endpoint_from_profile,
    websocket_url,
)
from cdp_protocol.description import Description
from tests.browser.cdp.chromium import Chromium, launch_chromium

HEADING = "data:text/html,<title>T</title><h1>Hello</h1>"


async def test_a_port_a_profile_and_an_address_lead_to_the_same_browser(
    shared_chromium: Chromium,
) -> None:
    port = shared_chromium.url.split(":")[2].split("/")[0]

    assert await websocket_url(f"http://127.0.0.1:{port}") == shared_chromium.url
    assert await websocket_url(port) == shared_chromium.url
    assert endpoint_from_profile(shared_chromium.profile) == shared_chromium.url


async def test_a_wrong_path_on_the_right_port_is_an_endpoint_error(
    shared_chromium: Chromium,
) -> None:
    address = shared_chromium.url.partition("/devtools/")[0]

    with pytest.raises(EndpointError, match="the server refused the WebSocket with HTTP status"):
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
    browser: Browser, page: Session
) -> None:
    await page.Target.setAutoAttach(autoAttach=True, waitForDebuggerOnStart=True, flatten=True)

    async with page.expect(page.Target.attachedToTarget) as attached:
        await page.Runtime.evaluate(expression="w = new Worker('data:text/javascript,self.n=42')")
        worker = browser.connection.session((await attached)["sessionId"])
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
    call = {"expression": "'x'.repeat(50e6)", "returnByValue": True}
    found = await page.send("Runtime.evaluate", call, timeout=25)

    assert len(found["result"].get("value", "")) == 50_000_000


async def test_a_refused_command_raises_an_error_with_its_method_and_the_browsers_message(
    page: Session,
) -> None:
    with pytest.raises(ProtocolError) as unknown:
        await page.send("Page.navigat")
    with pytest.raises(ProtocolError) as invalid:
        await page.send("Page.navigate", {"url": 7})

    assert str(unknown.value) == (
        "Page.navigat is not a command of this browser or target. (code -32601)"
    )
    assert invalid.value.code == -32602
    assert "string value expected" in str(invalid.value)
    protocol = Description.bundled()
    assert protocol.hint(unknown.value) == "Did you mean Page.navigate?"
    assert protocol.hint(invalid.value) == "url must be a string, not the number 7."


async def test_a_command_of_another_kind_of_target_is_not_reported_as_misspelled(
    browser: Browser,
) -> None:
    with pytest.raises(ProtocolError, match=r"^Page\.navigate is not a command of this") as refusal:
        await browser.send("Page.navigate", {"url": "about:blank"})

    protocol = Description.bundled()
    assert protocol.hint(refusal.value).startswith(f"{protocol.revision} has this command")


async def test_a_command_to_a_busy_page_times_out_and_the_session_continues(page: Session) -> None:
    async with page.expect("Runtime.consoleAPICalled") as done:
        await page.Runtime.enable()
        busy = "t = Date.now(); while (Date.now() - t < 300); console.log('done')"
        with pytest.raises(CallTimeout):
            await page.send("Runtime.evaluate", {"expression": busy}, timeout=0.05)
        await done


async def test_a_crash_of_a_page_is_an_event(page: Session) -> None:
    await page.Inspector.enable()

    async with page.expect(page.Inspector.targetCrashed) as crashed:
        call = asyncio.create_task(page.Page.crash())
        await crashed
        call.cancel()
        await asyncio.wait([call])

    assert page.closed is None


async def test_a_closed_target_ends_its_session_and_fails_its_calls(
    browser: Browser, page: Session
) -> None:
    never = {"expression": "new Promise(() => 0)", "awaitPromise": True}
    call = asyncio.create_task(page.send("Runtime.evaluate", never))
    await page.send("Runtime.evaluate", {"expression": "1"})

    await browser.Target.closeTarget(targetId=page.target_info["targetId"])

    with pytest.raises((SessionClosed, ProtocolError)) as caught:
        await call
    assert "Runtime.evaluate" in str(caught.value)


async def test_a_session_can_be_left_and_its_target_lives_on(
    browser: Browser, page: Session
) -> None:
    target_id = page.target_info["targetId"]

    await page.close()
    again = await browser.attach(target_id)

    assert page.closed is not None
    with pytest.raises(SessionClosed):
        await page.Page.enable()
    assert await again.send("Page.enable") == {}


async def test_when_the_browser_is_killed_pending_commands_fail_at_once(
    chromium: str, tmp_path: Path
) -> None:
    async with launch_chromium(chromium, tmp_path) as started, connect(started.url) as browser:
        results: list[ConnectionLost] = []
        browser.connection.on_lost(results.append)
        async with browser.expect("Target.targetCreated") as expected:
            started.process.kill()
            with pytest.raises(ConnectionLost, match=r"Target\.targetCreated failed"):
                await expected
        with pytest.raises(ConnectionLost, match=r"Browser\.getVersion failed"):
            await browser.Browser.getVersion()
        assert results == [browser.connection.lost]


async def test_a_browser_that_is_killed_in_the_middle_of_a_call_fails_it(
    chromium: str, tmp_path: Path
) -> None:
    never = {"expression": "new Promise(() => 0)", "awaitPromise": True}
    async with launch_chromium(chromium, tmp_path) as started, connect(started.url) as browser:
        page = await browser.attach(await browser.Target.createTarget(url="about:blank"))
        call = asyncio.create_task(page.send("Runtime.evaluate", never))
        await page.send("Runtime.evaluate", {"expression": "1"})  # the other one is under way

        started.process.kill()

        with pytest.raises(ConnectionLost, match=r"Runtime\.evaluate failed"):
            await call
        assert page.closed is not None

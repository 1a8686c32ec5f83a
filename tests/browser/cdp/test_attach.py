"""Attaching to the targets of a real Chromium: by hand, and as they appear."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cdp_protocol import (
    Browser,
    ConnectionLost,
    ProtocolError,
    Session,
    SessionClosed,
    TargetNotFound,
    connect,
)
from tests.browser.cdp.chromium import launch_chromium
from tests.site import Site

WORKER = "w = new Worker('data:text/javascript,self.n = 42')"


def target_type(session: Session) -> str:
    return str(session.target_info["type"])


async def evaluate(session: Session, expression: str) -> object:
    found = await session.Runtime.evaluate(expression=expression, returnByValue=True)
    return found["result"].get("value")


async def test_a_target_is_attached_to_in_each_of_its_forms(browser: Browser) -> None:
    made = await browser.Target.createTarget(url="about:blank")
    [info] = [
        info
        for info in (await browser.Target.getTargets())["targetInfos"]
        if info["targetId"] == made["targetId"]
    ]

    async with (
        browser.attach(made) as one,
        browser.attach(info) as two,
        browser.attach(made["targetId"]) as three,
    ):
        assert await evaluate(one, "n = 6") == 6
        assert await evaluate(two, "n * 7") == 42
        assert len({session.session_id for session in (one, two, three)}) == 3

    assert (await browser.Target.closeTarget(targetId=made["targetId"]))["success"]


async def test_a_target_lives_on_when_its_session_is_left(browser: Browser, page: Session) -> None:
    async with browser.attach(page.target_info) as other:
        await evaluate(other, "left = true")

    with pytest.raises(SessionClosed):
        await other.Page.enable()
    assert await evaluate(page, "left") is True


async def test_an_address_of_one_target_reaches_that_target(
    browser: Browser, page: Session
) -> None:
    address, _, _ = browser.endpoint.partition("/devtools/")

    async with connect(f"{address}/devtools/page/{page.target_info['targetId']}") as alone:
        await evaluate(alone, "reached = true")

    assert await evaluate(page, "reached") is True


async def test_a_target_that_is_unknown_or_gone_is_an_error_that_names_it(browser: Browser) -> None:
    gone = await browser.Target.createTarget(url="about:blank")
    async with browser.attach(gone) as page, page.events("Page.loadEventFired") as ended:
        await browser.Target.closeTarget(targetId=gone["targetId"])
        with pytest.raises(SessionClosed):
            await anext(ended)

    for target_id in (gone["targetId"], "NONE"):
        with pytest.raises(
            TargetNotFound, match=f"Target {target_id} does not exist, or is closed"
        ):
            await browser.attach(target_id)


async def test_frames_in_other_processes_and_workers_come_as_sessions(
    page: Session, site: Site
) -> None:
    inner = site.page(f"<p>In</p><script>{WORKER}</script>").replace("127.0.0.1", "localhost")
    outer = site.page(f"<iframe src='{inner}'></iframe>")

    async with page.auto_attach() as sessions:
        await page.Page.navigate(url=outer)
        frame = await anext(sessions)
        worker = await anext(sessions)

        assert (target_type(frame), target_type(worker)) == ("iframe", "worker")
        assert (frame.parent, worker.parent) == (page, frame)
        assert await evaluate(frame, "document.querySelector('p').textContent") == "In"
        assert await evaluate(worker, "self.constructor.name") == "DedicatedWorkerGlobalScope"


async def test_existing_targets_are_yielded_too(page: Session) -> None:
    await evaluate(page, WORKER + "; 0")

    async with page.auto_attach() as sessions:
        assert target_type(await anext(sessions)) == "worker"


async def test_all_events_of_a_paused_worker_are_received(page: Session) -> None:
    async with page.auto_attach(wait_for_debugger=True) as sessions:
        await evaluate(page, "new Worker('data:text/javascript,console.log(1)'); 0")
        worker = await anext(sessions)
        async with worker.events(worker.Runtime.consoleAPICalled) as messages:
            await worker.Runtime.enable()
            await worker.Runtime.runIfWaitingForDebugger()
            assert (await anext(messages))["args"][0].get("value") == 1


async def test_paused_targets_run_when_the_block_is_left(
    browser: Browser, page: Session, site: Site
) -> None:
    script = site.respond(
        "/w.js", "onconnect = e => e.ports[0].postMessage(5)", content_type="text/javascript"
    )
    answer = f"new Promise(done => new SharedWorker('{script}').port.onmessage = e => done(e.data))"
    async with page.expect("Page.loadEventFired") as loaded:
        await page.Page.enable()
        await page.Page.navigate(url=site.page("<p>Ask"))
        await loaded

    workers = [{"type": "shared_worker"}]
    async with browser.auto_attach(filter=workers, wait_for_debugger=True) as sessions:
        asking = asyncio.create_task(
            page.Runtime.evaluate(expression=answer, awaitPromise=True, returnByValue=True)
        )
        assert target_type(await anext(sessions)) == "shared_worker"
        assert not asking.done()

    assert (await asking)["result"].get("value") == 5


async def test_leaving_the_block_detaches_from_all_targets_and_ends_their_events(
    page: Session,
) -> None:
    async with page.auto_attach() as sessions:
        await evaluate(page, WORKER + "; 0")
        worker = await anext(sessions)

    with pytest.raises(SessionClosed):
        await worker.Runtime.enable()
    received: list[object] = []
    page.on("Target.attachedToTarget", received.append)
    await evaluate(page, WORKER + "; 0")
    assert received == []


async def test_new_pages_of_the_browser_are_yielded_and_a_filter_selects_them(
    browser: Browser, page: Session
) -> None:
    expected = [{"type": "page"}]
    async with browser.auto_attach(
        filter=expected, recursive=False, wait_for_debugger=True
    ) as pages:
        made = await browser.Target.createTarget(url="data:text/html,<title>New")
        async for session in pages:
            if session.target_info["targetId"] == made["targetId"]:
                break  # others are of tests before, and may be closing
        await session.Runtime.runIfWaitingForDebugger()
        assert target_type(session) == "page"

    assert (await browser.Target.closeTarget(targetId=made["targetId"]))["success"]


async def test_a_target_that_closes_ends_its_iterations(browser: Browser, page: Session) -> None:
    async with page.auto_attach() as sessions, page.events("Page.frameNavigated") as events:
        await page.Page.enable()
        await browser.Target.closeTarget(targetId=page.target_info["targetId"])

        with pytest.raises(SessionClosed, match=r"Page\.frameNavigated failed"):
            await anext(events)
        with pytest.raises(SessionClosed, match=r"Target\.attachedToTarget failed"):
            await anext(sessions)


async def test_a_browser_that_is_killed_ends_the_iterations(chromium: str, tmp_path: Path) -> None:
    async with launch_chromium(chromium, tmp_path) as started, connect(started.url) as browser:
        async with (
            browser.auto_attach(filter=[{"type": "page"}], recursive=False) as pages,
            browser.events("Target.targetCreated") as events,
        ):
            page = await anext(pages)
            started.process.kill()
            with pytest.raises(ConnectionLost, match=r"Target\.targetCreated failed"):
                await anext(events)
            with pytest.raises(ConnectionLost, match=r"attachedToTarget failed"):
                await anext(pages)
        with pytest.raises(ConnectionLost, match=r"Page\.enable failed"):
            await page.Page.enable()


async def test_a_browser_refuses_an_invalid_filter(page: Session) -> None:
    with pytest.raises(ProtocolError, match=r"Target\.setAutoAttach failed"):
        async with page.auto_attach(filter=[{"type": 7}]):
            pytest.fail("It was entered.")

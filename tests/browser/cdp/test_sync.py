"""The sync facade against a real Chromium, from programs that have no event loop."""

from __future__ import annotations

import asyncio
import signal
import sys
import textwrap
import threading
from asyncio.subprocess import PIPE
from collections.abc import Callable
from concurrent.futures import CancelledError, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest

from cdp_protocol import CallTimeout, ConnectionLost, EndpointError, SessionClosed, sync
from tests.browser.cdp.chromium import Chromium

T = TypeVar("T")

URL = "data:text/html,<title>T</title><h1>Hello</h1>"


async def run_in_thread(do: Callable[[], T]) -> T:
    """Run a function in a thread without an event loop; no thread that it starts may outlive it."""
    before = set(threading.enumerate())

    def check() -> T:
        try:
            return do()
        finally:
            left = {thread.name for thread in set(threading.enumerate()) - before}
            assert "cdp" not in left

    return await asyncio.to_thread(check)


async def test_a_page_is_opened_navigated_and_evaluated(shared_chromium: Chromium) -> None:
    def program() -> object:
        with sync.connect(shared_chromium.url) as browser:
            assert browser.Browser.getVersion()["protocolVersion"] == "1.3"
            with browser.attach(browser.Target.createTarget(url="about:blank")) as page:
                page.Page.enable()
                with page.expect(page.Page.loadEventFired) as loaded:
                    page.Page.navigate(url=URL)
                    assert loaded()["timestamp"] > 0
                found = page.Runtime.evaluate(expression="document.title")
                assert page.Page.close() == {}
                return found["result"]["value"]

    assert await run_in_thread(program) == "T"


async def test_events_are_iterated_over(shared_chromium: Chromium) -> None:
    def program() -> list[object]:
        with sync.connect(shared_chromium.url) as browser:
            page = browser.attach(browser.Target.createTarget(url="about:blank"))
            page.Runtime.enable()
            with page.events(page.Runtime.consoleAPICalled, silence=0.2) as messages:
                page.Runtime.evaluate(expression="for (n of [1, 2, 3]) console.log(n)")
                seen = [next(messages)["args"][0]["value"] for _ in range(3)]
                with pytest.raises(CallTimeout):
                    next(messages)
                page.Runtime.evaluate(expression="console.log(4)")
                seen.append(next(messages)["args"][0]["value"])
            assert list(messages) == []
            page.Page.close()
            return seen

    assert await run_in_thread(program) == [1, 2, 3, 4]


async def test_targets_that_appear_are_sessions(shared_chromium: Chromium) -> None:
    def program() -> object:
        with sync.connect(shared_chromium.url) as browser:
            page = browser.attach(browser.Target.createTarget(url="about:blank"))
            with page.auto_attach(wait_for_debugger=True) as sessions:
                page.Runtime.evaluate(expression="w = new Worker('data:text/javascript,')")
                for worker in sessions:
                    worker.Runtime.runIfWaitingForDebugger()
                    break
                found = worker.Runtime.evaluate(expression="6 * 7")
            with pytest.raises(SessionClosed):
                worker.Runtime.enable()
            page.Page.close()
            return found["result"]["value"]

    assert await run_in_thread(program) == 42


async def test_a_stream_is_read(shared_chromium: Chromium) -> None:
    def program() -> list[bytes]:
        with sync.connect(shared_chromium.url) as browser:
            page = browser.attach(browser.Target.createTarget(url="about:blank"))
            handle = page.Page.printToPDF(transferMode="ReturnAsStream")["stream"]
            for piece in page.read(handle, size=5):
                assert piece == b"%PDF-"
                break
            handle = page.Page.printToPDF(transferMode="ReturnAsStream")["stream"]
            pieces = list(page.read(handle))
            page.Page.close()
            return pieces

    assert b"".join(await run_in_thread(program)).rstrip().endswith(b"%%EOF")


async def test_a_refused_connection_is_reported_and_leaves_no_thread(unused_tcp_port: int) -> None:
    def program() -> None:
        with pytest.raises(EndpointError, match="Cannot connect to a browser"):
            sync.connect(str(unused_tcp_port))

    await run_in_thread(program)


async def test_a_browser_that_was_closed_is_closed_again_and_refuses(
    shared_chromium: Chromium,
) -> None:
    def program() -> None:
        browser = sync.connect(shared_chromium.url)
        browser.close()
        browser.close()
        assert isinstance(browser.session.connection.lost, ConnectionLost)
        with pytest.raises(RuntimeError, match=r"This browser is closed. Connect again"):
            browser.Browser.getVersion()

    await run_in_thread(program)


async def test_blocks_are_left_quietly_after_their_browser_was_closed(
    shared_chromium: Chromium,
) -> None:
    pages: list[sync.Session] = []

    def closing_early() -> None:
        with (
            sync.connect(shared_chromium.url) as browser,
            browser.attach(browser.Target.createTarget(url="about:blank")) as page,
            page.events("Page.loadEventFired"),
            page.expect("Page.loadEventFired"),
        ):
            pages.append(page)
            handle = page.Page.printToPDF(transferMode="ReturnAsStream")["stream"]
            pieces = page.read(handle, size=64)
            next(pieces)
            browser.close()
            pieces.close()  # type: ignore[attr-defined]
            raise KeyError("the program's own")

    def program() -> None:
        with pytest.raises(KeyError, match="the program's own"):
            closing_early()
        pages[0].close()

    await run_in_thread(program)


async def test_a_predicate_that_calls_is_refused_instead_of_waiting_for_ever(
    shared_chromium: Chromium,
) -> None:
    def program() -> None:
        with sync.connect(shared_chromium.url) as browser:
            page = browser.attach(browser.Target.createTarget(url="about:blank"))
            page.Page.enable()
            ask = page.Page.getFrameTree
            with page.expect("Page.loadEventFired", lambda _: bool(ask())) as loaded:
                page.Page.navigate(url=URL)
                with pytest.raises(RuntimeError, match="cannot wait for calls"):
                    loaded()
            page.Page.close()

    await run_in_thread(program)


async def test_a_browser_is_launched_and_ended(
    chromium: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHROMIUM_PATH", chromium)

    def program() -> bool:
        with sync.launch() as browser:
            assert browser.Browser.getVersion()["protocolVersion"] == "1.3"
            process = browser.session.process
        assert process is not None
        return process.exited.is_set()

    assert await run_in_thread(program)


async def test_a_launched_browser_that_crashed_is_cleaned_up_after(
    chromium: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHROMIUM_PATH", chromium)

    def program() -> Path:
        with sync.launch() as browser:
            with pytest.raises(ConnectionLost):
                browser.Browser.crash()
            assert browser.session.process is not None
            return browser.session.process.user_data_dir

    profile = await run_in_thread(program)
    assert not profile.exists()


async def test_an_interrupted_call_is_cleaned_up_before_the_thread_ends() -> None:
    undone: list[str] = []
    began = threading.Event()

    async def hold() -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            undone.append("let go")

    def program() -> None:
        loop = sync.EventLoopThread()
        with ThreadPoolExecutor() as other:
            holding = other.submit(loop.run, hold)
            began.wait()
            loop.close()
            with pytest.raises(CancelledError):
                holding.result()

    await run_in_thread(program)
    assert undone == ["let go"]


def test_names_that_are_no_domains_are_no_attributes(shared_chromium: Chromium) -> None:
    with sync.connect(shared_chromium.url) as browser:
        with pytest.raises(AttributeError, match="'Browser' object has no attribute 'page'"):
            browser.page  # noqa: B018
        assert not hasattr(browser, "__wrapped__")


@pytest.mark.skipif(sys.platform == "win32", reason="a signal is no Ctrl+C there")
async def test_ctrl_c_ends_a_wait_and_the_program(shared_chromium: Chromium) -> None:
    code = f"""
        from cdp_protocol import sync

        with sync.connect({shared_chromium.url!r}) as browser:
            with browser.expect("Target.never", timeout=60) as never:
                print("waiting", flush=True)
                never()
        """
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-c", textwrap.dedent(code), stdout=PIPE, stderr=PIPE
    )
    assert program.stdout is not None
    assert await program.stdout.readline() == b"waiting\n"
    program.send_signal(signal.SIGINT)
    _, errors = await program.communicate()

    # A signal right before the wait leaves a warning of asyncio behind the traceback.
    assert b"KeyboardInterrupt" in errors.splitlines()
    assert program.returncode == -signal.SIGINT

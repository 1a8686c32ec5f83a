"""Shared parts of the examples: the choice of the browser, a page in it, and the exit."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress

import cdp_protocol
from cdp_protocol import CdpError, Session
from cdp_protocol.sanitize.terminal_escaping import escape_control_characters

Prepare = Callable[[Session], Awaitable[object]]


@asynccontextmanager
async def fresh_page(
    endpoint: str | None, prepare: Prepare | None = None
) -> AsyncIterator[Session]:
    """Open a page without cookies and caches, in a running browser or in a new one.

    However the program ends, the browser closes the page when the connection ends.

    Args:
        endpoint: Of the browser; None to launch one, which is ended afterwards.
        prepare: Called with the page, and with each cross-site frame before its scripts run:
            Chromium gives such a frame its own process and session.
    """
    opening = cdp_protocol.connect(endpoint) if endpoint else cdp_protocol.launch()
    async with opening as browser:
        context = await browser.Target.createBrowserContext(disposeOnDetach=True)
        tab = await browser.Target.createTarget(url="about:blank", **context)
        async with browser.attach(tab) as page:
            await page.Page.enable()
            if prepare is None:
                yield page
                return
            await prepare(page)
            async with page.auto_attach(wait_for_debugger=True) as children:
                following = asyncio.create_task(_prepare_all(children, prepare))
                try:
                    yield page
                finally:
                    following.cancel()
                    await asyncio.gather(following, return_exceptions=True)


async def _prepare_all(children: AsyncIterable[Session], prepare: Prepare) -> None:
    async for child in children:
        with suppress(CdpError):  # it has closed already
            if child.target_info["type"] == "iframe":
                await child.Page.enable()
                await prepare(child)
            await child.Runtime.runIfWaitingForDebugger()


async def load(page: Session, url: str, seconds: float = 0) -> str:
    """Navigate, wait for the load event and some time more; returns the id of the main frame.

    The program ends if nothing can be loaded.
    """
    async with page.expect(page.Page.loadEventFired) as loaded:
        answer = await page.Page.navigate(url=url)
        if "errorText" in answer:
            sys.exit(escape_control_characters(f"{url} was not loaded: {answer['errorText']}"))
        await loaded
    await asyncio.sleep(seconds)
    return answer["frameId"]


async def click(page: Session, selector: str) -> None:
    """Click into the middle of an element, as a mouse does."""
    document = await page.DOM.getDocument(depth=0)
    found = await page.DOM.querySelector(nodeId=document["root"]["nodeId"], selector=selector)
    if not (node := found["nodeId"]):
        sys.exit(f"Nothing in the page matches {selector}.")
    await page.DOM.scrollIntoViewIfNeeded(nodeId=node)
    quad = (await page.DOM.getContentQuads(nodeId=node))["quads"][0]
    x, y = sum(quad[::2]) / 4, sum(quad[1::2]) / 4
    await page.Input.dispatchMouseEvent(type="mousePressed", x=x, y=y, button="left", clickCount=1)
    await page.Input.dispatchMouseEvent(type="mouseReleased", x=x, y=y, button="left", clickCount=1)


def arguments(told: str | None) -> argparse.ArgumentParser:
    """Make a parser of the arguments that every example has."""
    parser = argparse.ArgumentParser(description=told)
    add = parser.add_argument
    add("url")
    add("--endpoint", help="of a running browser, such as 9222; without, one is launched")
    add("--seconds", type=float, default=1.0, help="to go on after the page has loaded (1)")
    return parser


def print_safely(*texts: object) -> None:
    """Print a line at once, without control sequences of the page for the terminal."""
    print(escape_control_characters(" ".join(map(str, texts))), flush=True)


def run(example: Coroutine[None, None, None]) -> None:
    """Run an example until it ends or is interrupted; print an error in one sentence."""
    status: str | int = 0
    try:
        asyncio.run(example)
    except* BrokenPipeError:
        # The reader has closed the pipe, as `head` does.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except* (CdpError, OSError) as errors:
        status = escape_control_characters(str(errors.exceptions[0]))
    except* KeyboardInterrupt:
        status = 130
    # Early releases of Python 3.11 wrap an exception raised within `except*`, and print a
    # traceback.
    sys.exit(status)

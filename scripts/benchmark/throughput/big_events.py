"""A burst of large events on one page, and the latency of calls to another page during it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any

from scripts.benchmark.throughput.clients import Bare, Client, Ours

PACE = 0.005  # seconds from an answer to the next call, so that every client asks as often
BINDING = "tell"
EVENT = "Runtime.bindingCalled"
SCRIPT = "for (let n = 0; n < {events}; n++) " + BINDING + "('x'.repeat({size}))"

Send = Callable[[str, dict[str, Any]], Awaitable[Any]]


async def burst(client: Client, other: str, events: int, size: int) -> dict[str, Any]:
    """Make the page send events of `size` bytes. Return the seconds until the last one, and the
    latencies of calls to the target `other` during the burst.
    """
    send, elsewhere, on = await _two_pages(client, other)
    sizes: list[int] = []
    on(EVENT, lambda params: sizes.append(len(params["payload"])))
    await send("Runtime.enable", {})
    await send("Runtime.addBinding", {"name": BINDING})
    latencies = []
    began = perf_counter()
    script = {"expression": SCRIPT.format(events=events, size=size)}
    telling = asyncio.ensure_future(send("Runtime.evaluate", script))
    while len(sizes) < events:
        sent = perf_counter()
        await elsewhere("Runtime.evaluate", {"expression": "1"})
        latencies.append(perf_counter() - sent)
        await asyncio.sleep(PACE)
    seconds = perf_counter() - began
    await telling
    assert sizes == [size] * events, "events were lost or cut"
    await send("Runtime.disable", {})
    return {"seconds": seconds, "latencies": latencies}


async def _two_pages(client: Client, other: str) -> tuple[Send, Send, Any]:
    if isinstance(client, Ours):
        second = await client.browser.attach(other)
        return client.page.send, second.send, client.page.on
    assert isinstance(client, Bare), "measured for cdp_protocol and the bare loop"
    session = await client.attach(other)
    return (
        lambda method, params: client.send(method, params, client.session),
        lambda method, params: client.send(method, params, session),
        client.handlers.__setitem__,
    )

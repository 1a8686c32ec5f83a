"""Events by the thousand, events of ten megabytes, and streams, of a real Chromium."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from cdp_protocol import CallTimeout, ProtocolError, Session
from tests.site import Site

PICTURE = bytes(range(256)) * 12_000  # 3 MB, no text


async def test_requests_are_iterated_over_in_their_order(page: Session, site: Site) -> None:
    scripts = "".join(f"<script src='/{n}.js'></script>" for n in range(20))
    url = site.page(scripts)
    await page.Network.enable()

    async with page.events(page.Network.requestWillBeSent) as requests:
        await page.Page.navigate(url=url)
        seen = [(await anext(requests))["request"]["url"] for _ in range(21)]

    assert seen == [url, *(site.url(f"/{n}.js") for n in range(20))]


async def test_events_for_a_busy_reader_are_queued(page: Session) -> None:
    count = 5_000
    await page.Runtime.enable()

    async with page.events(page.Runtime.consoleAPICalled) as messages:
        loop = f"for (let n = 0; n < {count}; n++) console.log(n)"
        await page.Runtime.evaluate(expression=loop)
        seen = [(await anext(messages))["args"][0].get("value") for _ in range(count)]

    assert seen == list(range(count))


async def test_an_event_of_ten_megabytes_delays_no_call(page: Session) -> None:
    await page.Runtime.enable()
    await page.Runtime.addBinding(name="tell")

    async with page.events(page.Runtime.bindingCalled) as calls:
        await page.Runtime.evaluate(expression="tell('x'.repeat(10e6))")
        assert (await page.Runtime.evaluate(expression="1"))["result"].get("value") == 1
        assert len((await anext(calls))["payload"]) == 10_000_000


async def test_silence_ends_a_collection(page: Session, site: Site) -> None:
    await page.Network.enable()
    answered: list[str] = []

    async def collect() -> None:
        async for response in responses:
            answered.append(response["response"]["url"])

    async with page.events(page.Network.responseReceived, silence=0.5) as responses:
        await page.Page.navigate(url=site.page("<p>Hello", path="/"))
        with pytest.raises(CallTimeout, match=r"after 0\.5 s"):
            await collect()

    assert answered[0] == site.url("/")


async def test_the_time_limit_of_a_session_applies_to_its_calls_and_expectations(
    page: Session,
) -> None:
    page.timeout = 0.05

    with pytest.raises(CallTimeout, match=r"after 0\.05 s waiting for Runtime\.evaluate"):
        await page.Runtime.evaluate(expression="new Promise(() => 0)", awaitPromise=True)
    with pytest.raises(CallTimeout, match=r"after 0\.05 s waiting for Page\.loadEventFired"):
        async with page.expect("Page.loadEventFired") as loaded:
            await loaded
    found = await page.send("Runtime.evaluate", {"expression": "1"}, timeout=10.0)
    assert found["result"]["value"] == 1


async def test_a_typed_call_is_limited_from_outside(page: Session) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await page.Runtime.evaluate(expression="new Promise(() => 0)", awaitPromise=True)

    assert page.connection.pending_call_count == 0


async def test_a_response_is_read_as_a_stream(page: Session, site: Site) -> None:
    url = site.respond("/picture", PICTURE, content_type="image/png")
    await page.Fetch.enable(patterns=[{"requestStage": "Response"}])

    async with page.expect(page.Fetch.requestPaused) as paused:
        going = asyncio.create_task(page.Page.navigate(url=url))
        request = await paused
    taken = await page.Fetch.takeResponseBodyAsStream(requestId=request["requestId"])
    pieces = [piece async for piece in page.read(taken["stream"])]
    await page.Fetch.failRequest(requestId=request["requestId"], errorReason="Aborted")
    await going

    assert b"".join(pieces) == PICTURE
    assert len(pieces) >= 3


async def test_a_pdf_is_read_as_a_stream_in_pieces_of_a_size(page: Session) -> None:
    pdf = await page.Page.printToPDF(transferMode="ReturnAsStream")
    handle = pdf.get("stream")
    assert handle is not None

    pieces = [piece async for piece in page.read(handle, size=100)]

    assert pieces[0].startswith(b"%PDF")
    assert {len(piece) for piece in pieces[:-1]} == {100}
    with pytest.raises(ProtocolError, match=r"IO\.read failed"):
        await page.IO.read(handle=handle)


async def test_a_stream_that_is_left_early_is_closed(page: Session) -> None:
    pdf = await page.Page.printToPDF(transferMode="ReturnAsStream")
    handle = pdf.get("stream")
    assert handle is not None

    async with aclosing(page.read(handle, size=10)) as pieces:
        async for piece in pieces:
            assert piece == b"%PDF-1.4\n%"
            break

    with pytest.raises(ProtocolError, match=r"IO\.read failed"):
        await page.IO.read(handle=handle)

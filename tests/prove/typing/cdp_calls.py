"""Calls of the client whose types are checked. The module is checked, never run."""

from __future__ import annotations

from typing import Any, assert_type

from cdp_protocol import (
    AutoAttach,
    Browser,
    Connection,
    Event,
    EventStream,
    Expectation,
    Opening,
    Session,
    Subscription,
    connect,
    launch,
    sync,
    websocket_url,
)
from cdp_protocol.types import dom, network, page, runtime, target


async def commands_know_their_arguments_and_results(session: Session) -> None:
    assert_type(await session.Page.navigate(url="about:blank"), page.NavigateResult)
    assert_type(await session.Target.createTarget(url=""), target.CreateTargetResult)
    assert_type(await session.Page.enable(), dict[str, Any])
    assert_type((await session.Page.navigate(url=""))["frameId"], str)
    assert_type((await session.Page.navigate(url="")).get("errorText"), str | None)
    assert_type((await session.DOM.getDocument(depth=-1))["root"], dom.Node)
    assert_type((await session.Runtime.evaluate(expression=""))["result"], runtime.RemoteObject)
    await session.Runtime.evaluate(expression="", timeout=5, returnByValue=None)
    await session.Page.captureScreenshot(format="webp", clip=None, quality=80)


async def a_launched_browser_has_a_process() -> None:
    async with launch("/usr/bin/chromium", channel="chrome", args=["--lang=de"]) as browser:
        assert_type(browser, Browser)
        assert browser.process is not None
        assert_type(browser.process.pid, int)
    launch(channel="firefox")  # type: ignore[arg-type]  # none that is known
    launch(None, "chrome")  # type: ignore[call-arg]  # positional argument


async def mistakes_are_found(session: Session) -> None:
    await session.Page.navigat(url="")  # type: ignore[attr-defined]  # misspelt command
    await session.Pages.navigate(url="")  # type: ignore[attr-defined]  # misspelt domain
    await session.Page.navigate(uri="")  # type: ignore[call-arg]  # misspelt argument
    await session.Page.navigate()  # type: ignore[call-arg]  # missing argument
    await session.Page.navigate("")  # type: ignore[call-arg]  # positional argument
    await session.Page.navigate(url=7)  # type: ignore[arg-type]  # wrong type
    await session.Page.captureScreenshot(format="gif")  # type: ignore[arg-type]  # unknown literal
    (await session.Page.navigate(url=""))["frame"]  # type: ignore[typeddict-item]  # no such key
    session.on(session.Page.frameNavigate, print)  # type: ignore[attr-defined]  # misspelt event
    session.on(session.Page.navigate, print)  # type: ignore[call-overload]  # a command, no event
    session.Page.loadEventFired()  # type: ignore[operator]  # an event, no command


def events_know_their_parameters(session: Session) -> None:
    assert_type(session.Page.frameNavigated, Event[page.FrameNavigatedEvent])
    assert_type(session.on(session.Page.frameNavigated, on_navigated), Subscription)
    assert_type(session.on("Page.frameNavigated", on_anything), Subscription)
    session.on(session.Network.requestWillBeSent, lambda event: event["request"]["url"].upper())
    session.on(session.Page.loadEventFired, on_navigated)  # type: ignore[arg-type]  # another's
    session.on(
        session.Network.requestWillBeSent,
        lambda event: event["requests"],  # type: ignore[typeddict-item]  # no such key
    )


def on_navigated(event: page.FrameNavigatedEvent) -> None:
    assert_type(event["frame"], page.Frame)
    assert_type(event["frame"]["url"], str)


def on_anything(event: dict[str, Any]) -> None:
    assert_type(event, dict[str, Any])


async def expectations_give_the_parameters(session: Session) -> None:
    response = session.Network.responseReceived
    async with session.expect(response, lambda e: e["response"]["status"] == 200) as expected:
        assert_type(expected, Expectation[network.ResponseReceivedEvent])
        assert_type((await expected)["response"], network.Response)
    async with session.expect("Page.loadEventFired", timeout=1.0) as named:
        assert_type(await named, dict[str, Any])


async def iterations_give_the_parameters(session: Session) -> None:
    requests = session.Network.requestWillBeSent
    async with session.events(requests, lambda e: e.get("type") == "Fetch", silence=1.0) as sent:
        assert_type(sent, EventStream[network.RequestWillBeSentEvent])
        assert_type((await anext(sent))["request"], network.Request)
        async for request in sent:
            assert_type(request["request"]["url"], str)
            request["reqest"]  # type: ignore[typeddict-item]  # no such key
    async with session.events("Network.requestWillBeSent") as named:
        assert_type(await anext(named), dict[str, Any])
    session.events(session.Network.enable)  # type: ignore[call-overload]  # a command, no event
    session.on_every(lambda name, params: (name.upper(), params["frameId"]))
    session.on_every(on_anything)  # type: ignore[arg-type]  # it wants the name too


async def targets_are_attached_to(session: Session, info: target.TargetInfo) -> None:
    assert_type(session.attach("T1"), Opening[Session])
    assert_type(await session.attach(info), Session)
    async with session.attach(await session.Target.createTarget(url="")) as page:
        assert_type(page, Session)
    kinds: list[target.FilterEntry] = [{"type": "worker"}]
    async with session.auto_attach(filter=kinds, wait_for_debugger=True) as sessions:
        assert_type(sessions, AutoAttach)
        async for each in sessions:
            assert_type(each, Session)
    session.attach(7)  # type: ignore[arg-type]  # no target
    session.auto_attach(filter="worker")  # type: ignore[arg-type]  # a name, no filter


async def streams_are_bytes(session: Session) -> None:
    handle = (await session.Page.printToPDF(transferMode="ReturnAsStream")).get("stream")
    if handle is not None:
        async for piece in session.read(handle, size=4096):
            assert_type(piece, bytes)


async def connections_open_both_ways() -> None:
    url = await websocket_url("127.0.0.1:9222")
    assert_type(await Connection.open(url), Connection)
    async with Connection.open(url) as connection:
        assert_type(connection, Connection)
        assert_type(connection.root, Browser)
        assert_type(await connection.root.send("Browser.getVersion"), dict[str, Any])


def the_synchronous_client_is_opened_with_the_same_arguments() -> None:
    with sync.connect("9222", timeout=5) as browser:
        assert_type(browser, sync.Browser)
        assert_type(browser.session, Browser)
        with browser.attach("T1") as page, page.events("Page.loadEventFired") as events:
            assert_type(page, sync.Session)
            assert_type(next(events), dict[str, Any])
    sync.connect(9222)  # type: ignore[arg-type]  # a port is given as text
    sync.launch(channel="firefox")  # type: ignore[arg-type]  # none that is known


async def browsers_are_connected_to_both_ways() -> None:
    assert_type(await connect("9222"), Browser)
    async with connect("9222", headers={"X-Token": "t"}, timeout=None) as browser:
        assert_type(browser, Browser)
        assert_type(browser.endpoint, str)
        assert_type(await browser.Target.getTargets(), target.GetTargetsResult)
    connect(9222)  # type: ignore[arg-type]  # a port is given as text


def types_may_be_recursive(node: dom.Node, trace: runtime.StackTrace) -> None:
    assert_type(node.get("children"), list[dom.Node] | None)
    assert_type(trace.get("parent"), runtime.StackTrace | None)

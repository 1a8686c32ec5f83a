"""The requests of a page, kept from the browser's events."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.page.tab import ScriptedTab
from viewpoint_mcp.page.handover.private_time import PrivateTime
from viewpoint_mcp.page.network.request import NOT_KEPT, Request
from viewpoint_mcp.page.network.request_log import MAX_MEMORY, MAX_REQUESTS, RequestLog


@pytest.fixture
def requests(tab: ScriptedTab) -> RequestLog:
    requests = RequestLog()
    requests.subscribe(tab.session)
    return requests


def sent(request_id: str, url: str = "http://a/", **more: Any) -> dict[str, Any]:
    return {
        "requestId": request_id,
        "loaderId": "L1",
        "type": "Fetch",
        "timestamp": 10.0,
        "request": {"url": url, "method": "GET", "headers": {"A": "provisional"}},
        **more,
    }


def response(status: int = 200, **more: Any) -> dict[str, Any]:
    headers = {"B": "provisional"}
    return {
        "status": status,
        "statusText": "",
        "headers": headers,
        "encodedDataLength": 0,
        **more,
    }


async def send(tab: ScriptedTab, request_id: str, url: str = "http://a/", **more: Any) -> None:
    await tab.emit("Network.requestWillBeSent", **sent(request_id, url, **more))


async def commit(tab: ScriptedTab, loader: str, **more: Any) -> None:
    await tab.emit("Page.frameNavigated", frame={"id": "M", "loaderId": loader, **more})


def urls(requests: RequestLog) -> list[str]:
    return [request.url for request in requests]


def only(requests: RequestLog) -> Request:
    (request,) = requests
    return request


async def test_a_request_is_followed_to_its_end(tab: ScriptedTab, requests: RequestLog) -> None:
    await send(tab, "1")
    assert only(requests).ended_at is None
    answer = response(201, mimeType="text/plain", fromDiskCache=True)
    await tab.emit(
        "Network.responseReceived", requestId="1", timestamp=10.2, type="XHR", response=answer
    )
    await tab.emit("Network.dataReceived", requestId="1", dataLength=30)
    await tab.emit("Network.loadingFinished", requestId="1", timestamp=10.5, encodedDataLength=20)
    request = only(requests)
    assert (request.status, request.kind, request.response_source) == (201, "xhr", "disk cache")
    assert (request.body_length, request.received_bytes, request.ended_at) == (30, 20, 10.5)


async def test_a_response_from_memory_is_marked_even_if_it_is_on_disk_too(
    tab: ScriptedTab, requests: RequestLog
) -> None:
    await send(tab, "1")
    await tab.emit("Network.requestServedFromCache", requestId="1")
    answer = response(fromDiskCache=True)
    await tab.emit("Network.responseReceived", requestId="1", timestamp=10.2, response=answer)
    assert only(requests).response_source == "memory cache"


async def test_hops_of_a_redirect_are_separate_requests(
    tab: ScriptedTab, requests: RequestLog
) -> None:
    await send(tab, "1", "http://a/")
    await send(tab, "1", "http://b/", redirectResponse=response(302), redirectHasExtraInfo=True)
    first, second = requests
    assert (first.status, first.next, second.previous) == (302, second, first)
    assert first.ended_at == 10.0
    assert second.ended_at is None


async def test_headers_that_were_really_sent_find_their_hop_in_any_order(
    tab: ScriptedTab, requests: RequestLog
) -> None:
    def extra(value: str) -> dict[str, Any]:
        return {"requestId": "1", "headers": {"A": value}}

    await tab.emit("Network.requestWillBeSentExtraInfo", **extra("one"))
    await send(tab, "1", "http://a/")
    await tab.emit("Network.requestWillBeSentExtraInfo", **extra("two"))
    await send(tab, "1", "http://b/", redirectResponse=response(302), redirectHasExtraInfo=True)
    await tab.emit("Network.responseReceivedExtraInfo", **extra("three"))
    first, second = requests
    assert (first.request_headers, second.request_headers) == ("A: one", "A: two")
    assert first.response_headers == "A: three"
    assert second.response_headers == ""


async def test_provisional_headers_do_not_replace_the_real_ones(
    tab: ScriptedTab, requests: RequestLog
) -> None:
    await send(tab, "1")
    result = {"requestId": "1", "headers": {"Set-Cookie": "a=1\nb=2"}}
    await tab.emit("Network.responseReceivedExtraInfo", **result)
    await tab.emit(
        "Network.responseReceived",
        requestId="1",
        timestamp=10.2,
        response=response(),
        hasExtraInfo=True,
    )
    assert only(requests).response_headers == "Set-Cookie: a=1\nSet-Cookie: b=2"


async def test_a_navigation_keeps_its_own_request_and_later_ones(
    tab: ScriptedTab, requests: RequestLog
) -> None:
    await send(tab, "1", "http://old/")
    await send(tab, "L2", "http://start/", loaderId="L2", type="Document")
    await send(tab, "2", "http://old/late")
    await send(tab, "L2", "http://new/", loaderId="L2", redirectResponse=response(302))
    await commit(tab, "F1", parentId="M")
    assert len(requests) == 4
    await commit(tab, "L2")
    await send(tab, "3", "http://new/api", loaderId="L2")
    assert urls(requests) == ["http://start/", "http://new/", "http://new/api"]
    assert [request.index for request in requests] == [1, 2, 3]
    found = requests.find(3)
    assert found is not None
    assert found.url == "http://new/api"


async def test_requests_of_a_page_that_was_left_have_negative_indexes(
    tab: ScriptedTab, requests: RequestLog
) -> None:
    await send(tab, "1", "http://first/")
    await commit(tab, "L2")
    await send(tab, "2", "http://second/", loaderId="L2")
    await send(tab, "3", "http://second/api", loaderId="L2")
    await send(tab, "L3", "http://third/", loaderId="L3")
    await commit(tab, "L3")
    assert urls(requests) == ["http://third/"]
    assert [(each.index, each.url) for each in requests.earlier_requests] == [
        (-3, "http://first/"),
        (-2, "http://second/"),
        (-1, "http://second/api"),
    ]
    assert requests.find(-2) is requests.earlier_requests[1]
    assert requests.find(-4) is None


async def test_a_request_that_ends_after_its_page_was_left_says_so(
    tab: ScriptedTab, requests: RequestLog
) -> None:
    await send(tab, "1")
    await commit(tab, "L2")
    await tab.emit(
        "Network.responseReceived", requestId="1", timestamp=10.2, response=response(500)
    )
    await tab.emit("Network.loadingFinished", requestId="1", timestamp=10.5, encodedDataLength=20)
    assert (requests.earlier_requests[0].status, requests.earlier_requests[0].ended_at) == (
        500,
        10.5,
    )


async def test_requests_of_pages_that_were_left_are_dropped_first(
    tab: ScriptedTab, requests: RequestLog
) -> None:
    for number in range(MAX_REQUESTS):
        event = sent(str(number), f"http://a/{number}")
        tab.transport.send_event("Network.requestWillBeSent", event, tab.session.session_id)
    await commit(tab, "L2")
    for number in range(3):
        await send(tab, f"new {number}", "http://b/", loaderId="L2")
    assert (len(requests), requests.dropped_count) == (3, 0)
    assert (len(requests.earlier_requests), requests.dropped_earlier_count) == (MAX_REQUESTS - 3, 3)
    oldest = requests.find(3 - MAX_REQUESTS)
    assert oldest is not None
    assert oldest.url == "http://a/3"


async def test_a_frame_that_two_processes_report_is_one_request(
    tab: ScriptedTab, requests: RequestLog
) -> None:
    await send(tab, "1")
    await send(tab, "1")
    assert len(requests) == 1


async def test_the_oldest_are_dropped_and_an_index_keeps_its_meaning(
    tab: ScriptedTab, requests: RequestLog
) -> None:
    for number in range(MAX_REQUESTS + 5):
        event = sent(str(number), f"http://a/{number}")
        tab.transport.send_event("Network.requestWillBeSent", event, tab.session.session_id)
    await send(tab, "last", "http://a/last")
    assert (len(requests), requests.dropped_count) == (MAX_REQUESTS, 6)
    assert requests.find(6) is None
    assert requests.find(MAX_REQUESTS + 7) is None
    found = requests.find(7)
    assert found is not None
    assert (found.index, found.url) == (7, "http://a/6")


async def test_memory_is_bounded_for_every_page(tab: ScriptedTab, requests: RequestLog) -> None:
    huge = {f"header-{number}": "x" * 5_000 for number in range(50)}
    for number in range(MAX_REQUESTS):
        event = sent(str(number), "http://a/" + "u" * 100_000)
        event["request"]["headers"] = huge
        tab.transport.send_event("Network.requestWillBeSent", event, tab.session.session_id)
    await send(tab, "last")
    assert requests.dropped_count > 0
    assert sum(request.memory_size for request in requests) <= MAX_MEMORY
    first = next(iter(requests))
    assert first.memory_size < 30_000
    assert first.url.endswith("…(100,009 characters)")
    await commit(tab, "L9")
    assert len(requests) == 0


async def test_headers_without_a_request_are_bounded(
    tab: ScriptedTab, requests: RequestLog
) -> None:
    for number in range(200):
        event = {"requestId": str(number), "headers": {"A": "x"}}
        tab.transport.send_event(
            "Network.requestWillBeSentExtraInfo", event, tab.session.session_id
        )
    await send(tab, "0")
    await send(tab, "199")
    assert [request.request_headers for request in requests] == ["A: provisional", "A: x"]


async def test_messages_of_a_websocket_are_counted_and_the_last_are_kept(
    tab: ScriptedTab, requests: RequestLog
) -> None:
    await tab.emit("Network.webSocketCreated", requestId="1", url="ws://a/")
    for number in range(30):
        frame = {"opcode": 1, "payloadData": f"{number}" + "x" * 1000}
        await tab.emit("Network.webSocketFrameSent", requestId="1", response=frame)
    binary = {"opcode": 2, "payloadData": "AAEC"}
    await tab.emit("Network.webSocketFrameReceived", requestId="1", response=binary)
    request = only(requests)
    assert (request.sent_count, request.received_count) == (30, 1)
    assert request.messages is not None
    assert len(request.messages) == 20
    assert request.messages[-1] == "received: (3 bytes, binary)"
    assert len(request.messages[0]) < 520


@pytest.mark.parametrize(
    ("kind", "status", "failure", "is_static"),
    [
        ("image", 200, "", True),
        ("image", 404, "", False),
        ("image", 0, "", False),
        ("image", 200, "net::ERR_ABORTED", False),
        ("script", 304, "", True),
        ("fetch", 200, "", False),
        ("document", 200, "", False),
        ("ping", 200, "", False),
        ("eventsource", 200, "", False),
        ("preflight", 200, "", False),
    ],
)
async def test_successful_requests_that_are_not_data_are_static(
    tab: ScriptedTab, requests: RequestLog, kind: str, status: int, failure: str, is_static: bool
) -> None:
    await send(tab, "1", type=kind.capitalize())
    request = only(requests)
    request.status, request.failure = status, failure
    assert request.is_successful_static is is_static


async def test_what_a_request_sends_while_a_person_acts_is_not_kept(tab: ScriptedTab) -> None:
    private_time = PrivateTime()
    requests = RequestLog(private_time)
    requests.subscribe(tab.session)
    headers = {"Authorization": "Basic aHVudGVyMg==", "Accept": "*/*"}
    login = {
        **sent("1")["request"],
        "hasPostData": True,
        "postDataEntries": [{"bytes": "aHVudGVyMg=="}],
        "headers": headers,
    }
    with private_time.hold():
        await send(tab, "1", request=login)
    # The rest of the request arrives after the person has finished.
    await tab.emit("Network.requestWillBeSentExtraInfo", requestId="1", headers=headers)
    await send(tab, "2", request=login)

    private, public = requests
    assert private.is_private
    assert private.has_request_body
    assert private.request_body is None
    assert private.request_headers == f"Authorization: {NOT_KEPT}\nAccept: */*"
    assert not public.is_private
    assert public.request_body == b"hunter2"
    assert "aHVudGVyMg" in public.request_headers


async def test_a_message_that_a_socket_sends_while_a_person_acts_is_only_counted(
    tab: ScriptedTab,
) -> None:
    private_time = PrivateTime()
    requests = RequestLog(private_time)
    requests.subscribe(tab.session)
    await tab.emit("Network.webSocketCreated", requestId="1", url="ws://a/")
    frame = {"opcode": 1, "payloadData": "hunter2"}
    with private_time.hold():
        await tab.emit("Network.webSocketFrameSent", requestId="1", response=frame)
        await tab.emit("Network.webSocketFrameReceived", requestId="1", response=frame)

    assert list(only(requests).messages or ()) == [f"sent: ({NOT_KEPT})", "received: hunter2"]
    assert only(requests).sent_count == 1

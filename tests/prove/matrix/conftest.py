"""Runs a case of the matrix: serves its page, performs its action, and reads the result."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from secrets import token_hex

import pytest
from werkzeug import Request, Response

from tests.e2e.conftest import executable, open_here, shared_chromium, shared_server
from tests.e2e.support.client import Reply, ServerClient
from tests.prove.matrix.case import Case, Route
from tests.site import Site

__all__ = ["executable", "open_here", "shared_chromium", "shared_server"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a case.

    Attributes:
        reply: To its action.
        seconds: Until the reply arrived.
    """

    reply: Reply
    seconds: float


Play = Callable[[Case], Awaitable[Outcome]]


@pytest.fixture
def serve(site: Site) -> Iterator[Callable[[str, Route], None]]:
    """Return `serve(path, route)`; delayed responses end after the test."""
    ended = threading.Event()

    def answer(route: Route) -> Callable[[Request], Response]:
        def body() -> Iterator[bytes]:
            yield b""  # the head
            ended.wait(route.body_after)
            yield route.body.encode()
            while route.endless and not ended.wait(0.05):
                yield route.body.encode()

        def respond(request: Request) -> Response:
            ended.wait(route.after)
            headers = {"Content-Type": "text/html; charset=utf-8", **route.headers}
            return Response(body(), status=route.status, headers=headers)

        return respond

    def serve(path: str, route: Route) -> None:
        site.handle(path, answer(route))

    yield serve
    ended.set()


@pytest.fixture
async def play(
    shared_server: ServerClient, site: Site, serve: Callable[[str, Route], None]
) -> Play:
    """Return `await play(case)`, which may be called again with the same case."""
    served: set[str] = set()

    async def play(case: Case) -> Outcome:
        for path in case.routes.keys() - served:
            serve(path, case.routes[path])
            served.add(path)
        url = site.page(case.html, path=f"/matrix-{token_hex(4)}")
        page = await shared_server.call("browser_navigate", url=url)
        arguments = dict(case.arguments)
        if case.on:
            arguments["ref"] = ref_of(page, case.on)
        if case.before:
            await shared_server.call("browser_evaluate", function=f"() => {{ {case.before} }}")
        start = time.monotonic()
        reply = await shared_server.call(f"browser_{case.tool}", **arguments)
        return Outcome(reply, time.monotonic() - start)

    return play


def ref_of(page: Reply, name: str) -> str:
    """Return the ref of the line of the snapshot that has this name."""
    found = re.search(rf'"{re.escape(name)}".*?\[ref=(\w+)\]', page.text)
    assert found is not None, page.text
    return found[1]


@pytest.fixture(autouse=True)
async def tidy(shared_server: ServerClient) -> None:
    """Close what the test before left open: dialogs, further tabs, and pages that keep changing."""
    await shared_server.call("browser_tabs", action="new")
    tabs = await shared_server.call("browser_tabs", action="list")
    for _ in tabs.sections["Result"].splitlines()[1:]:
        await shared_server.call("browser_tabs", action="close", index=0)

"""Calls that reach their time limits. Each takes long, so all run at once in separate servers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from tests.e2e.conftest import StartServer
from tests.e2e.support.client import Reply, ServerClient, StdioClient

pytestmark = pytest.mark.prove

FINE = "data:text/html,<h1>Fine</h1>"
LOOP = "for (;;) {}"
START = f"data:text/html,<button onclick='{LOOP}'>A"


@dataclass(frozen=True)
class Outcome:
    """The reply of the call that takes long, and that of the navigation after it, with seconds."""

    reply: Reply
    seconds: float
    next_reply: Reply
    next_seconds: float


Act = Callable[[StdioClient], Awaitable[Reply]]


async def evaluate_for_ever(server: ServerClient) -> Reply:
    return await server.call("browser_evaluate", function="() => new Promise(() => {})", within=100)


async def wait_an_hour(server: ServerClient) -> Reply:
    return await server.call("browser_wait_for", time=3600, within=100)


async def click_into_a_loop(server: ServerClient) -> Reply:
    return await server.call("browser_click", ref="button", within=100)


async def load_a_loop(server: ServerClient) -> Reply:
    html = f"data:text/html,<h1>Loop</h1><script>{LOOP}</script>"
    return await server.call("browser_navigate", url=html, within=100)


async def load_a_loop_that_begins_later(server: ServerClient) -> Reply:
    script = f"onload = () => setTimeout(() => {{ {LOOP} }})"
    html = f"data:text/html,<h1>Loop</h1><script>{script}</script>"
    return await server.call("browser_navigate", url=html, within=100)


ACTS: tuple[Act, ...] = (
    evaluate_for_ever,
    wait_an_hour,
    click_into_a_loop,
    load_a_loop,
    load_a_loop_that_begins_later,
)


@pytest.fixture(scope="module")
async def outcomes(
    open_server: StartServer, tmp_path_factory: pytest.TempPathFactory
) -> dict[Act, Outcome]:
    """Return the outcome of each action. All actions run in parallel."""

    async def run(act: Act) -> Outcome:
        directory = tmp_path_factory.mktemp(act.__name__)
        async with open_server("--timeout-navigation=3000", cwd=directory) as server:
            await server.call("browser_navigate", url=START)
            start = time.monotonic()
            reply = await act(server)
            middle = time.monotonic()
            after = await server.call("browser_navigate", url=FINE, within=100)
            return Outcome(reply, middle - start, after, time.monotonic() - middle)

    return dict(zip(ACTS, await asyncio.gather(*map(run, ACTS)), strict=True))


@pytest.mark.parametrize("act", ACTS)
async def test_after_a_timeout_the_next_navigation_works_at_once(
    outcomes: dict[Act, Outcome], act: Act
) -> None:
    outcome = outcomes[act]
    assert not outcome.next_reply.is_error, outcome.next_reply.text
    assert "Fine" in outcome.next_reply.sections["Snapshot"]
    assert outcome.next_seconds < 8


async def test_a_promise_that_is_never_settled_times_out(outcomes: dict[Act, Outcome]) -> None:
    outcome = outcomes[evaluate_for_ever]
    assert outcome.seconds < 25
    assert outcome.reply.is_error
    assert "was not settled after 22 s" in outcome.reply.sections["Error"]


async def test_a_wait_ends_after_thirty_seconds_and_says_so(
    outcomes: dict[Act, Outcome],
) -> None:
    outcome = outcomes[wait_an_hour]
    assert 29 < outcome.seconds < 40
    assert "the maximum; you asked for 3600 s" in outcome.reply.sections["Result"]


async def test_a_handler_that_loops_for_ever_is_an_error(outcomes: dict[Act, Outcome]) -> None:
    outcome = outcomes[click_into_a_loop]
    assert outcome.seconds < 20
    assert outcome.reply.is_error
    assert "its script may run forever" in outcome.reply.sections["Error"]


async def test_a_page_that_loops_for_ever_on_load_is_an_error(
    outcomes: dict[Act, Outcome],
) -> None:
    outcome = outcomes[load_a_loop]
    assert outcome.seconds < 20
    assert outcome.reply.is_error
    assert "did not answer within" in outcome.reply.sections["Error"]


async def test_a_page_that_loops_after_its_load_is_reported(
    outcomes: dict[Act, Outcome],
) -> None:
    outcome = outcomes[load_a_loop_that_begins_later]
    assert outcome.seconds < 20
    assert "did not answer within" in outcome.reply.text

"""Refs: each names one element for ever, and never acts on another."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from tests.e2e.client import StdioClient
from tests.e2e.conftest import Show
from tests.e2e.processes import below, browser_of
from tests.site import Site

TWO = "<button id=a>First</button><button id=b>Second</button>"


async def test_a_ref_stays_over_further_snapshots(shared_server: StdioClient, show: Show) -> None:
    first = await show(TWO)
    second = await shared_server.call("browser_snapshot")
    assert second.ref("button", "First") == first.ref("button", "First")
    assert second.ref("button", "Second") == first.ref("button", "Second")


async def test_a_ref_stays_when_its_element_moves(shared_server: StdioClient, show: Show) -> None:
    first = await show(TWO)
    await shared_server.call("browser_evaluate", function="document.body.prepend(b)")
    second = await shared_server.call("browser_snapshot")
    assert second.ref("button", "Second") == first.ref("button", "Second")
    lines = second.sections["Snapshot"]
    assert lines.index("Second") < lines.index("First")


async def test_a_new_element_gets_a_new_ref(shared_server: StdioClient, show: Show) -> None:
    first = await show(TWO)
    script = (
        "a.replaceWith(Object.assign(document.createElement('button'), {textContent: 'First'}))"
    )
    await shared_server.call("browser_evaluate", function=script)
    second = await shared_server.call("browser_snapshot")
    old = {first.ref("button", "First"), first.ref("button", "Second")}
    assert second.ref("button", "First") not in old


async def test_no_ref_is_used_again_after_a_navigation(show: Show) -> None:
    first = await show("<button>A</button>")
    second = await show("<button>A</button>")
    assert first.ref("button", "A") != second.ref("button", "A")


async def test_a_ref_of_a_page_that_was_left_is_refused(
    shared_server: StdioClient, show: Show
) -> None:
    old = (await show("<button>A</button>")).ref("button", "A")
    await show("<button>A</button>")
    reply = await shared_server.call("browser_click", ref=old)
    assert reply.is_error
    assert f"Ref {old} " in reply.sections["Error"]
    assert "Take a new snapshot and use a ref from it." in reply.sections["Error"]


async def test_a_ref_is_still_refused_after_going_back(
    shared_server: StdioClient, show: Show
) -> None:
    old = (await show("<button>A</button>")).ref("button", "A")
    await show("<h1>Second</h1>")
    back = await shared_server.call("browser_navigate_back")
    assert back.ref("button", "A") != old
    assert (await shared_server.call("browser_click", ref=old)).is_error


async def test_no_ref_of_a_frame_is_used_again_when_the_frame_navigates(
    shared_server: StdioClient, show: Show
) -> None:
    first = await show("<iframe id=f srcdoc='<button>In</button>'></iframe>")
    script = "() => new Promise(done => { f.onload = done; f.srcdoc = '<button>In</button>' })"
    await shared_server.call("browser_evaluate", function=script + ".then(() => 0)")
    second = await shared_server.call("browser_snapshot")
    assert second.ref("button", "In") != first.ref("button", "In")


async def test_a_ref_of_another_tab_is_refused(
    shared_server: StdioClient, show: Show, site: Site
) -> None:
    old = (await show("<button>A</button>")).ref("button", "A")
    await shared_server.call("browser_tabs", action="new", url=site.page("<button>A</button>"))
    new = (await shared_server.call("browser_snapshot")).ref("button", "A")
    assert new != old
    reply = await shared_server.call("browser_click", ref=old)
    assert reply.is_error
    assert f"Ref {old} belongs to another page than the active one." in reply.sections["Error"]


async def test_no_ref_is_used_again_by_a_new_browser(server: StdioClient, site: Site) -> None:
    url = site.page("<button>A</button>")
    old = (await server.call("browser_navigate", url=url)).ref("button", "A")
    os.kill(browser_of(server.process.pid), signal.SIGKILL)
    await server.call("browser_snapshot")
    new = await server.call("browser_navigate", url=url)
    assert new.ref("button", "A") != old
    assert (await server.call("browser_click", ref=old)).is_error
    assert below(server.process.pid)


async def test_the_ref_of_a_removed_element_says_what_it_was(
    shared_server: StdioClient, show: Show
) -> None:
    ref = (await show(TWO)).ref("button", "First")
    await shared_server.call("browser_evaluate", function="a.remove()")
    reply = await shared_server.call("browser_click", ref=ref)
    assert reply.is_error
    assert reply.sections["Error"] == (
        f'Ref {ref} was button "First" and is no longer on the page. '
        "Take a new snapshot and use a ref from it."
    )


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("browser_click", {}),
        ("browser_type", {"text": "x"}),
        ("browser_evaluate", {"function": "e => e.textContent"}),
        ("browser_snapshot", {}),
        ("browser_take_screenshot", {}),
    ],
)
async def test_a_row_that_stands_for_another_thing_now_is_refused(
    shared_server: StdioClient, show: Show, tool: str, arguments: dict[str, Any]
) -> None:
    ref = (await show("<button id=row>Anna Smith</button>")).ref("button", "Anna Smith")
    await shared_server.call("browser_evaluate", function="row.textContent = 'Peter Jones'")
    reply = await shared_server.call(tool, ref=ref, **arguments)
    assert reply.is_error
    assert (
        f'Ref {ref} was button "Anna Smith" but is button "Peter Jones" now.'
        in reply.sections["Error"]
    )


async def test_a_name_that_changed_a_little_is_the_same_element(
    shared_server: StdioClient, show: Show
) -> None:
    ref = (await show("<button id=cart>Cart (0)</button>")).ref("button", "Cart (0)")
    await shared_server.call("browser_evaluate", function="cart.textContent = 'Cart (3)'")
    reply = await shared_server.call("browser_click", ref=ref)
    assert reply.sections["Result"] == 'Clicked button "Cart (3)"'


async def test_an_unknown_ref_is_refused(shared_server: StdioClient, show: Show) -> None:
    known = (await show(TWO)).ref("button", "First")
    unknown = known.rpartition("e")[0] + "e99999"
    reply = await shared_server.call("browser_click", ref=unknown)
    assert reply.is_error
    assert f"Ref {unknown} is not on the page." in reply.sections["Error"]


async def test_the_long_form_of_a_ref_is_accepted(server: StdioClient, site: Site) -> None:
    page = await server.call("browser_navigate", url=site.page("<button>A</button>"))
    assert page.ref("button", "A") == "e1"
    reply = await server.call("browser_click", ref="c0p0f0e1")
    assert reply.sections["Result"] == 'Clicked button "A"'


async def test_a_selector_that_matches_one_element_is_accepted(
    shared_server: StdioClient, show: Show
) -> None:
    await show(TWO)
    reply = await shared_server.call("browser_click", ref="#b")
    assert reply.sections["Result"] == 'Clicked button "Second"'


@pytest.mark.parametrize(
    ("selector", "reason"),
    [
        ("#none", "it matches 0"),
        ("button", "it matches 2"),
        ("e12x", "it matches 0"),
        ("]][", "it is no CSS selector"),
        ("", "it is no CSS selector"),
        ("e-1!", "it is no CSS selector"),
    ],
)
async def test_any_other_selector_is_refused_with_the_reason(
    shared_server: StdioClient, show: Show, selector: str, reason: str
) -> None:
    await show(TWO)
    reply = await shared_server.call("browser_click", ref=selector)
    assert reply.is_error
    assert (
        f'"{selector}" is neither a ref nor a selector of exactly one element: {reason}.'
        in reply.sections["Error"]
    )


async def test_target_is_another_name_for_ref(shared_server: StdioClient, show: Show) -> None:
    ref = (await show(TWO)).ref("button", "First")
    reply = await shared_server.call("browser_click", target=ref, element="the first button")
    assert reply.sections["Result"] == 'Clicked button "First"'

"""Refs: each always names the same element, and never acts on another."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.e2e.conftest import Show
from tests.e2e.support.client import ServerClient, StdioClient
from tests.e2e.support.processes import find_descendants, kill_browser
from tests.site import Site

TWO = "<button id=a>First</button><button id=b>Second</button>"


async def test_a_ref_stays_over_further_snapshots(shared_server: ServerClient, show: Show) -> None:
    first = await show(TWO)
    second = await shared_server.call("browser_snapshot")
    assert second.ref("button", "First") == first.ref("button", "First")
    assert second.ref("button", "Second") == first.ref("button", "Second")


async def test_a_ref_stays_when_its_element_moves(shared_server: ServerClient, show: Show) -> None:
    first = await show(TWO)
    await shared_server.call("browser_evaluate", function="document.body.prepend(b)")
    second = await shared_server.call("browser_snapshot")
    assert second.ref("button", "Second") == first.ref("button", "Second")
    lines = second.sections["Snapshot"]
    assert lines.index("Second") < lines.index("First")


async def test_a_new_element_gets_a_new_ref(shared_server: ServerClient, show: Show) -> None:
    first = await show(f"<main>{TWO}<p>{'Other words. ' * 20}</main>")
    script = (
        "a.replaceWith(Object.assign(document.createElement('button'), {textContent: 'First'}));"
        "document.querySelector('p').textContent = 'A page for somebody else'"
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
    shared_server: ServerClient, show: Show
) -> None:
    old = (await show("<button>A</button>")).ref("button", "A")
    await show("<button>A</button>")
    reply = await shared_server.call("browser_click", ref=old)
    assert reply.is_error
    new = (await shared_server.call("browser_snapshot")).ref("button", "A")
    url = re.search(r"Page URL: (\S+)", reply.sections["Page"])
    assert url
    assert reply.sections["Error"].split("\n") == [
        f"Ref {old} belongs to a document that is no longer shown; the page is at {url[1]} now.",
        'Was: button "A"',
        "Similar elements on the page now:",
        f'- button "A" [ref={new}]',
        "If one of them is meant, use its ref.",
    ]


async def test_a_ref_is_still_refused_after_going_back(
    shared_server: ServerClient, show: Show
) -> None:
    old = (await show("<button>A</button>")).ref("button", "A")
    await show("<h1>Second</h1>")
    back = await shared_server.call("browser_navigate_back")
    assert back.ref("button", "A") != old
    assert (await shared_server.call("browser_click", ref=old)).is_error


async def test_no_ref_of_a_frame_is_used_again_when_the_frame_navigates(
    shared_server: ServerClient, show: Show
) -> None:
    first = await show("<iframe id=f srcdoc='<button>In</button>'></iframe>")
    script = "() => new Promise(done => { f.onload = done; f.srcdoc = '<button>In</button>' })"
    await shared_server.call("browser_evaluate", function=script + ".then(() => 0)")
    second = await shared_server.call("browser_snapshot")
    assert second.ref("button", "In") != first.ref("button", "In")


async def test_a_ref_of_a_removed_frame_says_so(shared_server: ServerClient, show: Show) -> None:
    ref = (await show("<iframe id=f srcdoc='<button>In</button>'></iframe>")).ref("button", "In")
    await shared_server.call("browser_evaluate", function="f.remove()")
    reply = await shared_server.call("browser_click", ref=ref)
    assert reply.is_error
    assert (
        f'Ref {ref} belongs to a frame that is no longer on the page.\nWas: button "In"'
        in reply.sections["Error"]
    )


async def test_a_ref_of_another_tab_is_refused_and_the_tab_is_named(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    old = (await show("<title>First</title><button>A</button>")).ref("button", "A")
    await shared_server.call("browser_tabs", action="new", url=site.page("<button>A</button>"))
    new = (await shared_server.call("browser_snapshot")).ref("button", "A")
    assert new != old
    reply = await shared_server.call("browser_click", ref=old)
    assert reply.is_error
    assert reply.sections["Error"] == (
        f"Ref {old} belongs to another page. "
        'It belongs to tab 0, "First". Select that tab with browser_tabs first.'
    )


async def test_a_ref_of_a_closed_tab_says_so(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    await show("<button>A</button>")
    await shared_server.call("browser_tabs", action="new", url=site.page("<button>B</button>"))
    old = (await shared_server.call("browser_snapshot")).ref("button", "B")
    await shared_server.call("browser_tabs", action="close")
    reply = await shared_server.call("browser_click", ref=old)
    assert "Its tab was closed." in reply.sections["Error"]


@pytest.mark.parametrize(
    ("ref", "error"),
    [
        ("p999f0e1", "No page ever had this number."),
        ("c7p0f0e1", "No context ever had this number."),
    ],
)
async def test_a_ref_of_an_unknown_page_says_so(
    shared_server: ServerClient, show: Show, ref: str, error: str
) -> None:
    await show("<button>A</button>")
    assert error in (await shared_server.call("browser_click", ref=ref)).sections["Error"]


async def test_no_ref_is_used_again_by_a_new_browser(spawned: StdioClient, site: Site) -> None:
    url = site.page("<button>A</button>")
    old = (await spawned.call("browser_navigate", url=url)).ref("button", "A")
    await kill_browser(spawned)
    new = await spawned.call("browser_navigate", url=url)
    assert new.ref("button", "A") != old
    assert (await spawned.call("browser_click", ref=old)).is_error
    assert find_descendants(spawned.process.pid)


async def test_the_ref_of_a_removed_element_names_the_element(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show(TWO)
    ref, kept = page.ref("button", "First"), page.ref("button", "Second")
    await shared_server.call("browser_evaluate", function="a.remove()")
    reply = await shared_server.call("browser_click", ref=ref)
    assert reply.is_error
    assert reply.sections["Error"] == (
        f'Ref {ref} is no longer on the page: its element was removed.\nWas: button "First"'
    )
    assert reply.sections["Snapshot"] == f'```yaml\n- button "Second" [ref={kept}]\n```'


async def test_similar_elements_are_suggested_the_same_name_first(
    shared_server: ServerClient, show: Show
) -> None:
    ref = (await show("<button id=a>Save draft</button>")).ref("button", "Save draft")
    html = (
        "<button>Save</button><a href=/>Save draft</a><button>Delete</button>"
        "<button style='visibility:hidden'>Save draft</button><button disabled>Save draft</button>"
        "<iframe srcdoc='<button>Save draft now</button>'></iframe>"
    )
    script = f"() => {{ document.body.innerHTML = {json.dumps(html)} }}"
    await shared_server.call("browser_evaluate", function=script)
    reply = await shared_server.call("browser_click", ref=ref)
    offered = re.findall(r"^- (.*) \[ref=\w+\]", reply.sections["Error"], re.MULTILINE)
    assert offered == ['button "Save draft" [disabled]', 'button "Save draft now"', 'button "Save"']


async def test_a_suggested_ref_can_be_used_at_once(shared_server: ServerClient, show: Show) -> None:
    ref = (await show("<button id=a>Save</button>")).ref("button", "Save")
    script = "a.replaceWith(Object.assign(document.createElement('button'), {textContent: 'Save'}))"
    await shared_server.call("browser_evaluate", function=script)
    refused = await shared_server.call("browser_click", ref=ref)
    near = re.search(r'- button "Save" \[ref=(\w+)\]', refused.sections["Error"])
    assert near
    reply = await shared_server.call("browser_click", ref=near[1])
    assert reply.sections["Result"] == 'Clicked button "Save"'


async def test_equal_suggestions_are_distinguished(shared_server: ServerClient, show: Show) -> None:
    ref = (await show("<button id=a>Delete</button>")).ref("button", "Delete")
    rows = "".join(
        f"<div><div>{name}</div><div><button>Delete</button></div></div>"
        for name in ("Anna", "Ben")
    )
    script = f"document.body.innerHTML = '<section>{rows}</section>'"
    await shared_server.call("browser_evaluate", function=script)
    reply = await shared_server.call("browser_click", ref=ref)
    assert re.sub(r"=\w+", "", reply.sections["Error"]).split("\n")[3:] == [
        '- button "Delete" [ref] after "Anna"',
        '- button "Delete" [ref] after "Ben"',
        "If one of them is meant, use its ref.",
    ]


@pytest.mark.parametrize(
    "move",
    [
        "document.body.prepend(b)",
        "host.attachShadow({mode: 'open'}).append(b)",
        "{ const e = b; e.remove(); document.querySelector('section').append(e) }",
        "{ b.textContent = 'Second one'; b.className = 'new' }",
    ],
)
async def test_a_ref_lives_as_long_as_its_element(
    shared_server: ServerClient, show: Show, move: str
) -> None:
    first = await show(f"{TWO}<section></section><div id=host></div>")
    await shared_server.call("browser_evaluate", function=f"() => {{ {move} }}")
    ref = first.ref("button", "Second")
    assert f"[ref={ref}]" in (await shared_server.call("browser_snapshot")).text
    assert not (await shared_server.call("browser_click", ref=ref)).is_error


async def test_an_element_that_moved_into_a_frame_is_no_longer_on_the_page(
    shared_server: ServerClient, show: Show
) -> None:
    first = await show(f"{TWO}<iframe id=f srcdoc='<p>In</p>'></iframe>")
    await shared_server.call(
        "browser_evaluate", function="() => { f.contentDocument.body.append(b) }"
    )
    reply = await shared_server.call("browser_click", ref=first.ref("button", "Second"))
    assert "is no longer on the page" in reply.sections["Error"]
    near = re.search(r'- button "Second" \[ref=(\w*f\w+)\]', reply.sections["Error"])
    assert near
    assert not (await shared_server.call("browser_click", ref=near[1])).is_error


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
async def test_a_row_that_shows_another_record_now_is_refused(
    shared_server: ServerClient, show: Show, tool: str, arguments: dict[str, Any]
) -> None:
    ref = (await show("<button id=row>Anna Smith</button>")).ref("button", "Anna Smith")
    await shared_server.call("browser_evaluate", function="row.textContent = 'Peter Jones'")
    reply = await shared_server.call(tool, ref=ref, **arguments)
    assert reply.is_error
    assert reply.sections["Error"] == (
        f"Ref {ref} represents something else now; nothing was done.\n"
        'Was: button "Anna Smith"\nNow: button "Peter Jones"'
    )


async def test_a_name_that_changed_a_little_is_the_same_element(
    shared_server: ServerClient, show: Show
) -> None:
    ref = (await show("<button id=cart>Cart (0)</button>")).ref("button", "Cart (0)")
    await shared_server.call("browser_evaluate", function="cart.textContent = 'Cart (3)'")
    reply = await shared_server.call("browser_click", ref=ref)
    assert reply.sections["Result"] == 'Clicked button "Cart (3)"'


async def test_an_unknown_ref_is_refused(shared_server: ServerClient, show: Show) -> None:
    known = (await show(TWO)).ref("button", "First")
    unknown = known.rpartition("e")[0] + "e99999"
    reply = await shared_server.call("browser_click", ref=unknown)
    assert reply.is_error
    last = known.rpartition("e")[0] + f"e{int(known.rpartition('e')[2]) + 1}"
    assert reply.sections["Error"] == (
        f"Ref {unknown} does not exist on this page. Valid refs: {known} to {last}."
    )
    assert reply.sections["Snapshot"].startswith("No change")


async def test_for_an_unknown_ref_the_description_of_the_agent_is_searched(
    shared_server: ServerClient, show: Show
) -> None:
    first = await show(TWO)
    unknown = first.ref("button", "First").rpartition("e")[0] + "e99999"
    reply = await shared_server.call("browser_click", ref=unknown, element="the Second button")
    assert f'- button "Second" [ref={first.ref("button", "Second")}]' in reply.sections["Error"]


@pytest.mark.parametrize("wrapped", ["[ref={}]", "ref={}", "@{}", ' "{}" ', 'button "x" [ref={}]'])
async def test_a_ref_is_accepted_with_brackets_or_a_prefix(
    shared_server: ServerClient, show: Show, wrapped: str
) -> None:
    ref = (await show(TWO)).ref("button", "Second")
    reply = await shared_server.call("browser_click", ref=wrapped.format(ref))
    assert reply.sections["Result"] == 'Clicked button "Second"'


async def test_a_ref_within_other_text_is_refused_and_the_error_shows_the_ref(
    shared_server: ServerClient, show: Show
) -> None:
    await show(TWO)
    reply = await shared_server.call("browser_click", ref="e12 button")
    assert reply.is_error
    assert "Pass only the ref: e12." in reply.sections["Error"]


async def test_the_long_form_of_a_ref_is_accepted(server: ServerClient, site: Site) -> None:
    page = await server.call("browser_navigate", url=site.page("<button>A</button>"))
    assert page.ref("button", "A") == "e1"
    reply = await server.call("browser_click", ref="c0p0f0e1")
    assert reply.sections["Result"] == 'Clicked button "A"'


async def test_a_selector_that_matches_one_element_is_accepted(
    shared_server: ServerClient, show: Show
) -> None:
    await show(TWO)
    reply = await shared_server.call("browser_click", ref="#b")
    assert reply.sections["Result"] == 'Clicked button "Second"'


@pytest.mark.parametrize(
    ("selector", "reason"),
    [
        ("#none", "it matches 0"),
        ("e12x", "it matches 0"),
        ("]][", "it is not a valid selector"),
        ("", "it is not a valid selector"),
        ("e-1!", "it is not a valid selector"),
    ],
)
async def test_any_other_selector_is_refused_with_the_reason(
    shared_server: ServerClient, show: Show, selector: str, reason: str
) -> None:
    await show(TWO)
    reply = await shared_server.call("browser_click", ref=selector)
    assert reply.is_error
    assert (
        f'"{selector}" is neither a ref nor a CSS selector of exactly one element: {reason}.'
        in reply.sections["Error"]
    )


async def test_several_matches_of_a_selector_are_listed_with_refs(
    shared_server: ServerClient, show: Show
) -> None:
    hidden = "<p class=x style='display: none'>Two</p>"
    page = await show(f"<h2>Home</h2><button class=x>Add</button>{hidden}<p class=x>Three</p>")
    reply = await shared_server.call("browser_click", ref=".x")
    refs = re.findall(r"ref=(\w+)", reply.sections["Error"])
    assert refs[0] == page.ref("button", "Add")
    assert re.sub(r"=\w+", "", reply.sections["Error"]).split("\n") == [
        "3 elements are .x:",
        '- button "Add" [ref]',
        "- paragraph [hidden] [ref]",
        '- paragraph [ref]: "Three"',
        "Use the ref of one of them.",
    ]
    clicked = await shared_server.call("browser_click", ref=refs[2])
    assert clicked.sections["Result"].startswith("Clicked paragraph")


async def test_target_is_another_name_for_ref(shared_server: ServerClient, show: Show) -> None:
    ref = (await show(TWO)).ref("button", "First")
    reply = await shared_server.call("browser_click", target=ref, element="the first button")
    assert reply.sections["Result"] == 'Clicked button "First"'

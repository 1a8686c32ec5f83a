"""browser_wait_for: wait until a text appears or disappears, or for a time."""

from __future__ import annotations

import asyncio
import time

import pytest

from tests.e2e.conftest import Show
from tests.e2e.support.client import ServerClient
from tests.site import Site

LATER = "<p id=p>Loading</p><script>setTimeout(() => { p.textContent = 'Ready' }, 600)</script>"


@pytest.mark.timing
async def test_a_text_that_appears_is_waited_for(shared_server: ServerClient, show: Show) -> None:
    await show("<p id=p>Loading</p>")
    later = "() => { setTimeout(() => { p.textContent = 'Ready' }, 900) }"
    await shared_server.call("browser_evaluate", function=later)
    start = time.monotonic()
    reply = await shared_server.call("browser_wait_for", text="Ready")
    assert time.monotonic() - start < 5
    assert reply.sections["Result"] == '"Ready" is there'
    assert "- paragraph: Ready" in reply.sections["Snapshot"]


async def test_a_text_that_disappears_is_waited_for(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<p id=p>Loading</p>")
    later = "() => { setTimeout(() => p.remove(), 900) }"
    await shared_server.call("browser_evaluate", function=later)
    reply = await shared_server.call("browser_wait_for", textGone="Loading")
    assert reply.sections["Result"] == '"Loading" is gone'
    after = await shared_server.call("browser_snapshot")
    assert "Loading" not in after.sections["Snapshot"]


async def test_the_value_of_a_field_is_waited_for(shared_server: ServerClient, show: Show) -> None:
    await show("<div id=host></div><input id=name style='display: none' value='Oolong tea'>")
    await shared_server.call("browser_evaluate", function="""() => {
        const shadow = host.attachShadow({mode: 'open'})
        shadow.innerHTML = '<textarea></textarea>'
        setTimeout(() => { shadow.querySelector('textarea').value = 'Darjeeling\\ntea' }, 700)
    }""")  # fmt: skip
    reply = await shared_server.call("browser_wait_for", text="Darjeeling tea")
    assert reply.sections["Result"] == '"Darjeeling tea" is there'
    unseen = await shared_server.call("browser_wait_for", text="Oolong tea", time=0.1)
    assert unseen.is_error
    later = "() => { setTimeout(() => { host.shadowRoot.firstChild.value = '' }, 700) }"
    await shared_server.call("browser_evaluate", function=later)
    gone = await shared_server.call("browser_wait_for", textGone="Darjeeling tea")
    assert gone.sections["Result"] == '"Darjeeling tea" is gone'


async def test_a_text_that_a_style_shows_is_waited_for(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<style id=s>p { display: none }</style><p>Ready</p>")
    await shared_server.call(
        "browser_evaluate", function="() => { setTimeout(() => { s.disabled = true }, 700) }"
    )
    reply = await shared_server.call("browser_wait_for", text="Ready", within=10)
    assert reply.sections["Result"] == '"Ready" is there'


@pytest.mark.parametrize("ref", ["#late", 'button "Late"'])
async def test_an_element_that_appears_is_waited_for(
    shared_server: ServerClient, show: Show, ref: str
) -> None:
    await show("<p id=p>Loading</p>")
    late = "() => { setTimeout(() => { p.innerHTML = '<button id=late>Late</button>' }, 900) }"
    await shared_server.call("browser_evaluate", function=late)
    reply = await shared_server.call("browser_wait_for", ref=ref)
    assert reply.sections["Result"] == f"{ref} is there"
    assert 'button "Late"' in reply.sections["Snapshot"]


async def test_several_elements_may_appear(shared_server: ServerClient, show: Show) -> None:
    page = await show("<button>Go</button><button>Go</button><button>Once</button>")
    for ref in ("button", 'button "Go"', page.ref("button", "Once")):
        reply = await shared_server.call("browser_wait_for", ref=ref)
        assert reply.sections["Result"] == f"{ref} is there"


async def test_an_element_that_does_not_appear_is_an_error(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<p>Loading</p>")
    reply = await shared_server.call("browser_wait_for", ref='button "Late"', time=0.3)
    assert 'button "Late" is not on the page after 0.3 s.' in reply.sections["Error"]
    reply = await shared_server.call("browser_wait_for", ref="]][", time=0.3)
    assert "it is not a valid selector" in reply.sections["Error"]


async def test_a_url_is_waited_for(shared_server: ServerClient, show: Show, site: Site) -> None:
    site.page("<h1>Done</h1>", path="/done")
    await show("<p>Loading</p>")
    later = "() => { setTimeout(() => { location = '/done' }, 900) }"
    await shared_server.call("browser_evaluate", function=later)
    reply = await shared_server.call("browser_wait_for", url="/done", text="Done")
    assert reply.sections["Result"].startswith("The URL is http")
    assert reply.sections["Result"].endswith('/done and "Done" is there')
    reply = await shared_server.call("browser_wait_for", url="/never", time=0.2)
    assert 'The URL does not contain "/never" after 0.2 s. It is http' in reply.sections["Error"]


async def test_a_text_in_a_frame_counts(shared_server: ServerClient, show: Show) -> None:
    await show("<iframe srcdoc='<p>Inner text</p>'></iframe>")
    reply = await shared_server.call("browser_wait_for", text="Inner text")
    assert not reply.is_error


async def test_a_text_of_the_next_page_is_waited_for(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    site.page("<p>Second page</p>", path="/next")
    await show("<p>First</p>")
    later = "() => { setTimeout(() => { location = '/next' }, 700) }"
    await shared_server.call("browser_evaluate", function=later)
    reply = await shared_server.call("browser_wait_for", text="Second page", within=10)
    assert reply.sections["Result"] == '"Second page" is there'


@pytest.mark.timing
async def test_a_text_that_never_appears_is_an_error_after_the_given_time(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<p>Loading</p>")
    start = time.monotonic()
    reply = await shared_server.call("browser_wait_for", text="Ready", time=0.5)
    assert 0.5 <= time.monotonic() - start < 3
    assert reply.is_error
    assert '"Ready" is not on the page after 0.5 s.' in reply.sections["Error"]


async def test_a_text_that_stays_is_an_error_after_the_given_time(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<p>Loading</p>")
    reply = await shared_server.call("browser_wait_for", textGone="Loading", time=0.5)
    assert reply.is_error
    assert '"Loading" is still on the page after 0.5 s.' in reply.sections["Error"]


async def test_a_text_of_a_drawing_counts(shared_server: ServerClient, site: Site) -> None:
    drawing = """<svg xmlns="http://www.w3.org/2000/svg"><text y="20">Seen <tspan>words</tspan>
    </text><text display="none">Hidden</text></svg>"""
    url = site.respond("/drawing.svg", drawing, content_type="image/svg+xml")
    await shared_server.call("browser_navigate", url=url)
    assert not (await shared_server.call("browser_wait_for", text="Seen words")).is_error
    assert (await shared_server.call("browser_wait_for", text="Hidden", time=0.1)).is_error


async def test_a_hidden_text_does_not_count(shared_server: ServerClient, show: Show) -> None:
    await show("<p style='display:none'>Ready</p>")
    reply = await shared_server.call("browser_wait_for", text="Ready", time=0.4)
    assert reply.is_error


@pytest.mark.timing
async def test_a_given_time_is_waited(shared_server: ServerClient, show: Show) -> None:
    await show(LATER)
    start = time.monotonic()
    reply = await shared_server.call("browser_wait_for", time=1)
    assert 1 <= time.monotonic() - start < 2
    assert reply.sections["Result"] == "Waited for 1 s"
    assert "Ready" in reply.sections["Snapshot"]


@pytest.mark.timing
async def test_an_alert_ends_the_wait(shared_server: ServerClient, show: Show) -> None:
    await show("<p>x</p>")
    await shared_server.call(
        "browser_evaluate", function="() => { setTimeout(() => alert('Ping'), 700) }"
    )
    start = time.monotonic()
    reply = await shared_server.call("browser_wait_for", time=20)
    assert time.monotonic() - start < 5
    assert '["alert" dialog with message "Ping"]' in reply.sections["Modal state"]


@pytest.mark.timing
async def test_a_wait_on_one_page_does_not_delay_a_ping(shared_server: ServerClient) -> None:
    await shared_server.call("browser_navigate", url="about:blank")
    waiting = asyncio.create_task(shared_server.call("browser_wait_for", time=1.5))
    start = time.monotonic()
    await shared_server.request("ping")
    assert time.monotonic() - start < 1
    await waiting


async def test_a_call_without_anything_to_wait_for_is_refused(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<p>x</p>")
    reply = await shared_server.call("browser_wait_for")
    assert reply.is_error
    assert "browser_wait_for needs text, textGone, ref, url or time." in reply.sections["Error"]


async def test_a_negative_time_is_refused(shared_server: ServerClient) -> None:
    reply = await shared_server.call("browser_wait_for", time=-1)
    assert reply.is_error
    assert "'time' of browser_wait_for must be a number of at least 0" in reply.sections["Error"]


async def test_a_client_with_a_progress_token_gets_progress_during_the_wait(
    server: ServerClient,
) -> None:
    await server.call("browser_navigate", url="about:blank")
    params = {
        "name": "browser_wait_for",
        "arguments": {"time": 2.5},
        "_meta": {"progressToken": "mine"},
    }
    await server.request("tools/call", params)
    messages = [await server.receive(within=1) for _ in range(2)]
    assert [each["method"] for each in messages] == ["notifications/progress"] * 2
    assert [each["params"]["progressToken"] for each in messages] == ["mine"] * 2
    assert [each["params"]["progress"] for each in messages] == [1, 2]


async def test_a_page_that_is_closed_ends_the_wait(server: ServerClient, site: Site) -> None:
    await server.call("browser_navigate", url=site.page("<script>name = 'x'</script>"))
    waiting = asyncio.create_task(server.call("browser_wait_for", text="never", within=10))
    await server.request("ping")
    await server.call("browser_close")
    reply = await waiting
    assert reply.is_error
    assert "The page was closed." in reply.sections["Error"]

"""Applications that still start after their load are waited for and distinguished from blank
pages.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest
from werkzeug import Request, Response

from tests.browser.conftest import OpenPage
from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.config.settings import Timeouts
from viewpoint_mcp.page.snapshot.blank_page import NO_CONTENT

TURN = "<style>@keyframes turn { to { rotate: 360deg } }</style>"
SPLASH = (
    f"{TURN}<div style='animation: turn 1s infinite'><svg width=99 height=99><rect width=99 "
    "height=99 /></svg></div>"
)
LOADING = ["<p>Loading...</p>", SPLASH, "<div role=status aria-busy=true>Starting</div>"]


@pytest.fixture
async def patient(open_page: OpenPage) -> Agent:
    return Agent(await open_page(Timeouts(action=2.0, navigation=10.0, settle=10.0)))


@pytest.mark.parametrize("html", LOADING)
async def test_content_after_a_loading_sign_is_waited_for(
    patient: Agent, site: Site, html: str
) -> None:
    later = "document.body.innerHTML = '<button>Up</button>'"
    text = await patient.go(
        site.page(
            f"<body>{html}<script>onload = () => setTimeout(() => {{ {later} }}, 700)</script>"
        )
    )
    assert 'button "Up"' in text


@pytest.mark.parametrize(
    ("html", "sentence"),
    [
        ("<p>Loading...</p>", 'The page is still loading: it shows "Loading...".'),
        ("<div aria-busy=true style='height: 9px'></div>", "The page is still loading."),
        (SPLASH, "The page shows nothing but an animation and may still be loading."),
        ("", NO_CONTENT),
    ],
)
async def test_a_blank_page_reports_its_cause(
    agent: Agent, site: Site, html: str, sentence: str
) -> None:
    await agent.go(site.page(f"{html}<script>1</script>"))
    assert services_of(agent.page).current_action.is_blank_after_action
    assert (await agent.page.explain_blank_page(is_empty=True)).startswith(sentence)


async def test_a_page_that_waits_for_a_response_names_the_request(agent: Agent, site: Site) -> None:
    end = threading.Event()

    def slow(_: Request) -> Response:
        end.wait(20)
        return Response("{}")

    url = site.handle("/data", slow)
    await agent.go(site.page("<p>Loading...</p><script>fetch('/data?n=1')</script>"))
    result = await agent.page.explain_blank_page(is_empty=False)
    end.set()
    assert result.startswith(
        f'The page is still loading: it shows "Loading..." and it waits for {url}?n=1.'
    )


@pytest.mark.parametrize(
    "html", ["<p>Loading docks</p>", "<button>Loading...</button>", "<p>Hi</p>"]
)
async def test_a_page_that_shows_something_is_not_blank(
    agent: Agent, site: Site, html: str
) -> None:
    await agent.go(site.page(f"{html}<p>Text</p><script>1</script>"))
    assert not services_of(agent.page).current_action.is_blank_after_action
    assert await agent.page.explain_blank_page(is_empty=False) == ""


async def test_a_snapshot_waits_for_the_first_content_of_a_loading_page(
    agent: Agent, site: Site
) -> None:
    begun, rest = threading.Event(), threading.Event()

    def stream() -> Iterator[str]:
        yield f"<!doctype html><!--{'.' * 2000}-->"
        begun.set()
        rest.wait(20)
        yield "<button>Here</button>"

    url = site.handle("/slow", lambda _: Response(stream(), content_type="text/html"))
    await agent.go(site.page("<p>Before</p>"))
    async with services_of(agent.page).session.expect("Page.frameNavigated"):
        await agent.page.evaluate(f"setTimeout(() => location = '{url}')")
    await asyncio.to_thread(begun.wait, 20)
    look = asyncio.ensure_future(agent.snapshot())
    await asyncio.wait({look}, timeout=0.5)
    was_waiting = not look.done()
    rest.set()
    assert 'button "Here"' in await look
    assert was_waiting

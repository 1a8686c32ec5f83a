"""An element that cannot be clicked is refused at once. The error names the cause, with a ref to
act on.
"""

from __future__ import annotations

import re

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.page.agent import Agent
from viewpoint_mcp.config.settings import Timeouts
from viewpoint_mcp.errors import (
    ElementCoveredError,
    ElementDisabledError,
    ElementError,
    ElementNotVisibleError,
)
from viewpoint_mcp.page.page import Page

GO = "<button id=go>Go</button>"
LOW = "<button id=go style='position: fixed; top: 20px; z-index: -1'>Go</button>"
BAR = "inset: 0 0 auto; background: tan"
FULL = "position: fixed; inset: 0; background: tan"
COUNT = "<script>seen = []; addEventListener('mousedown', event => seen.push(event.type))</script>"
REF = r" \[ref=e\d+\]"

CAUSES = {
    "a part of a dialog": (
        ElementCoveredError,
        f"{GO}<div role=dialog aria-label=Cookies style='{FULL}'><p>We <b>bake</b></p></div>",
        f'covered by dialog "Cookies"{REF}',
    ),
    "a dialog that says that it is modal": (
        ElementCoveredError,
        f"{GO}<div aria-modal=true role=dialog aria-label=Sure style='{FULL}'><i>Sure?</i></div>",
        f'covered by the modal dialog "Sure"{REF}',
    ),
    "a modal dialog": (
        ElementCoveredError,
        f"{GO}<dialog id=d aria-label=Sure>Sure?</dialog><script>d.showModal()</script>",
        f'covered by the modal dialog "Sure"{REF}',
    ),
    "a modal dialog whose backdrop takes no clicks": (
        ElementCoveredError,
        (
            f"<style>::backdrop {{ display: none }}</style>{GO}"
            "<dialog id=d aria-label=Sure>Sure?</dialog><script>d.showModal()</script>"
        ),
        f'covered by the modal dialog "Sure"{REF}',
    ),
    "an overlay": (
        ElementCoveredError,
        f"{GO}<div style='{FULL}'>Please wait</div>",
        f'covered by generic "Please wait"{REF}',
    ),
    "a header that fills all but nothing": (
        ElementCoveredError,
        (
            f"<!DOCTYPE html><header style='position: sticky; height: 70vh; {BAR}'>Head</header>"
            f"{LOW}"
        ),
        f'covered by the sticky banner "Head"{REF}',
    ),
    "a bar that stays": (
        ElementCoveredError,
        (f"<nav aria-label=Main style='position: fixed; height: 90px; {BAR}'>Nav</nav>{LOW}"),
        f'covered by the fixed navigation "Main"{REF}',
    ),
    "a picture": (
        ElementCoveredError,
        (
            f"<div style='position: relative'>{GO}<svg role=img aria-label=Splash width=400 "
            "style='position: absolute; left: 0; top: 0'><rect width=400 height=99 /></svg></div>"
        ),
        f'covered by img "Splash"{REF}',
    ),
    "its fieldset": (
        ElementDisabledError,
        f"<fieldset disabled><legend>Address</legend>{GO}</fieldset>",
        f'disabled by its fieldset, group "Address"{REF}',
    ),
    "itself, in a fieldset": (
        ElementDisabledError,
        "<fieldset disabled><legend><button id=go disabled>Go</button></legend></fieldset>",
        "is disabled",
    ),
    "an ancestor that says so": (
        ElementDisabledError,
        f"<div role=toolbar aria-label=Tools aria-disabled=true>{GO}</div>",
        f'disabled by the aria-disabled toolbar "Tools"{REF}',
    ),
    "an inert part": (
        ElementDisabledError,
        f"<main inert><p>{GO}</p></main>",
        f"inert in main{REF} and accepts no input",
    ),
    "being inert": (
        ElementDisabledError,
        "<button id=go inert>Go</button>",
        "is inert and accepts no input",
    ),
    "letting clicks through": (
        ElementDisabledError,
        "<main style='height: 300px'><button id=go style='pointer-events: none'>Go</button></main>",
        f"ignores clicks .pointer-events: none.; main{REF} receives them instead",
    ),
    "not being displayed": (
        ElementNotVisibleError,
        "<button id=go hidden>Go</button>",
        "it is not displayed",
    ),
    "a part that is not displayed": (
        ElementNotVisibleError,
        f"<main><section aria-label=Old style='display: none'><p>{GO}</p></section></main>",
        f'not visible: region "Old"{REF} is not displayed',
    ),
    "a part that is hidden": (
        ElementNotVisibleError,
        f"<section aria-label=Old style='visibility: hidden'><p>{GO}</p></section>",
        f'not visible: region "Old"{REF} has visibility hidden',
    ),
    "a part that skips its content": (
        ElementNotVisibleError,
        f"<section aria-label=Old style='content-visibility: hidden'><p>{GO}</p></section>",
        f'not visible: region "Old"{REF} skips its content',
    ),
    "closed details": (
        ElementNotVisibleError,
        f"<details><summary>More</summary><p>{GO}</p></details>",
        rf"not visible: group.*{REF} is closed. Open it first",
    ),
    "a closed dialog": (
        ElementNotVisibleError,
        f"<dialog aria-label=Sure><p>{GO}</p></dialog>",
        f'not visible: dialog "Sure"{REF} is closed. Open it first',
    ),
    "a closed popover": (
        ElementNotVisibleError,
        f"<div popover role=menu aria-label=File>{GO}</div>",
        f'not visible: menu "File"{REF} is closed. Open it first',
    ),
    "having no size": (
        ElementNotVisibleError,
        "<button id=go style='width: 0; height: 0; padding: 0; border: 0'></button>",
        "not visible: its box has no size",
    ),
    "having no slot": (
        ElementNotVisibleError,
        (
            f"<div id=host aria-label=Card role=region>{GO}</div>"
            "<script>host.attachShadow({ mode: 'open' }).innerHTML = '<b>none</b>'</script>"
        ),
        f'not visible: region "Card"{REF} has no slot for it',
    ),
    "being an option": (
        ElementNotVisibleError,
        "<select aria-label=Size><option>S<option id=go>L</select>",
        f'it is an option of combobox "Size"{REF}. Use browser_select_option',
    ),
    "a box that clips": (
        ElementNotVisibleError,
        (
            "<section aria-label=Cut style='overflow: clip; height: 40px; position: relative'>"
            "<button id=go style='position: absolute; top: 90px'>Go</button></section>"
        ),
        f'cannot be scrolled into view: region "Cut"{REF} clips it',
    ),
    "its own clip": (
        ElementNotVisibleError,
        "<button id=go style='clip-path: inset(50%)'>Go</button>",
        "cannot be scrolled into view: its own style clips it",
    ),
    "a place left of the page": (
        ElementNotVisibleError,
        "<button id=go style='position: absolute; left: -900px'>Go</button>",
        "cannot be scrolled into view: it lies beyond the left edge of the page",
    ),
    "a place above the page": (
        ElementNotVisibleError,
        "<button id=go style='position: absolute; top: -900px'>Go</button>",
        "cannot be scrolled into view: it lies above the top of the page",
    ),
    "a place below what stays": (
        ElementNotVisibleError,
        "<button id=go style='position: fixed; top: 2000px'>Go</button>",
        "cannot be scrolled into view: it lies below the end of the page",
    ),
}


@pytest.fixture
async def page(open_page: OpenPage) -> Page:
    """Return a tab that waits half as long as usual for a covering element to disappear."""
    return await open_page(Timeouts(action=1.0, navigation=10.0))


async def expect_refusal(agent: Agent, kind: type[ElementError], cause: str) -> str:
    element = await agent.page.find_element("#go")
    with pytest.raises(kind, match=cause) as raised:
        await agent.click(element)
    return str(raised.value)


@pytest.mark.parametrize(("kind", "html", "cause"), CAUSES.values(), ids=CAUSES)
async def test_the_cause_is_named(
    agent: Agent, kind: type[ElementError], html: str, cause: str
) -> None:
    await agent.open(COUNT + html)
    await expect_refusal(agent, kind, cause)
    assert await agent.run("seen.length") == "0"


async def test_a_named_cause_can_be_acted_on(agent: Agent) -> None:
    await agent.open(
        "<details><summary>More</summary><button id=go onclick='document.title = 1'>Go</button>"
        "</details>"
    )
    message = await expect_refusal(agent, ElementNotVisibleError, "is closed")
    ref = re.search(r"\[ref=(\w+)\]", message)
    assert ref
    await agent.click(await agent.page.find_element(ref[1]))
    await agent.click(await agent.page.find_element("#go"))
    assert await agent.run("document.title") == "1"


@pytest.mark.parametrize(
    "html",
    [
        f"{GO}<div role=dialog aria-label=Cookies style='{FULL}'>We bake<button>OK</button></div>",
        f"{GO}<dialog id=d>Sure?<button>Yes</button></dialog><script>d.showModal()</script>",
        "<select><option>S<option id=go>L</select>",
    ],
)
async def test_the_refusal_comes_at_once_when_waiting_cannot_help(agent: Agent, html: str) -> None:
    """The refusal takes fewer frames than an element gets to appear."""
    await agent.open(html)
    element = await agent.page.find_element("#go")
    await agent.run(
        "() => { drawn = 0; (function next() { drawn++; requestAnimationFrame(next) })() }"
    )
    with pytest.raises(ElementError):
        await agent.click(element)
    seen = await agent.run("drawn")
    assert seen is not None
    assert int(seen) < 20


async def test_a_button_that_pulses_without_end_is_clicked(agent: Agent) -> None:
    await agent.open(
        "<style>@keyframes pulse { to { scale: 1.1 } } button { margin: 50px; "
        "animation: pulse 1s infinite alternate }</style>"
        "<button id=go onclick='document.title = 1'>Go</button>"
    )
    await agent.click(await agent.page.find_element("#go"))
    assert await agent.run("document.title") == "1"


async def test_a_covering_element_that_slides_away_is_waited_for(agent: Agent) -> None:
    await agent.open(
        "<button id=go onclick='document.title = 1'>Go</button>"
        f"<div id=cover style='{FULL}'>x</div>"
    )
    button = await agent.page.find_element("#go")
    await agent.run(
        "() => { cover.animate([{ translate: 0 }, { translate: '0 -100vh' }], "
        "{ duration: 900, fill: 'forwards' }) }"
    )
    await agent.click(button)
    assert await agent.run("document.title") == "1"

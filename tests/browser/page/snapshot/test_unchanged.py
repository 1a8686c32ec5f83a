"""A page that did not change is not walked again; a page that changed in any way is."""

from __future__ import annotations

import pytest

from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.accessibility.capture_options import CaptureOptions
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_tree
from viewpoint_mcp.page.page import Page

PAGE = """<style id=style>.gone { display: none } #late:target { display: none }</style>
<p id=text>Text</p><input id=field value=one aria-label=Field><input type=checkbox id=box>
<select id=choice multiple><option>A<option>B</select><textarea id=area>x</textarea>
<details id=details><summary>More</summary>inside</details><div id=popover popover>popped</div>
<x-host id=host></x-host><div id=host2></div><dialog id=dialog>Sure?</dialog>
<script>
document.getElementById("host").attachShadow({mode: "open"}).innerHTML = "<p>shadow</p>";
window.closed_root = document.getElementById("host2").attachShadow({mode: "closed"});
closed_root.innerHTML = "<p>closed</p>";
</script>"""

CHANGES = {
    "a text": "text.firstChild.data = 'Changed'",
    "an attribute": "text.setAttribute('role', 'alert')",
    "an element": "text.remove()",
    "a value by script": "field.value = 'two'",
    "a check by script": "box.checked = true",
    "a mixed check by script": "box.indeterminate = true",
    "a choice by script": "choice.options[1].selected = true",
    "a text area by script": "area.value = 'y'",
    "the focus": "field.focus()",
    "a rule of a sheet": "style.sheet.insertRule('#text { display: none }')",
    "the style in a rule": "style.sheet.cssRules[0].selectorText = '#text'",
    "a sheet switched off": "style.sheet.insertRule('p { display: none }')",
    "an adopted sheet": "{ const sheet = new CSSStyleSheet(); "
    "sheet.replaceSync('#text { visibility: hidden }'); document.adoptedStyleSheets = [sheet] }",
    "an open popover": "popover.showPopover()",
    "an open details": "details.open = true",
    "a modal dialog": "dialog.showModal()",
    "a shadow tree": "host.shadowRoot.firstChild.textContent = 'other'",
    "a closed shadow tree": "closed_root.firstChild.textContent = 'other'",
    "a new shadow root": "text.insertAdjacentHTML('afterend', '<p></p>');"
    "text.nextSibling.attachShadow({mode: 'open'}).innerHTML = 'new'",
}


async def test_the_same_page_gives_the_same_capture(agent: Agent, page: Page) -> None:
    await agent.open(PAGE)
    first = await page.snapshot()
    assert await page.snapshot() is first
    assert await page.snapshot() is first


@pytest.mark.parametrize("script", CHANGES.values(), ids=CHANGES)
async def test_a_change_is_seen_at_once(agent: Agent, page: Page, script: str) -> None:
    await agent.open(PAGE)
    before = await page.snapshot()
    assert await page.snapshot() is before
    await services_of(page).session.Runtime.evaluate(expression=f"{{ {script} }}")
    after = await page.snapshot()
    assert render_tree(after.nodes) != render_tree(before.nodes)
    assert render_tree((await page.snapshot()).nodes) == render_tree(after.nodes)


async def test_a_page_with_a_running_animation_is_walked_again(agent: Agent, page: Page) -> None:
    await agent.open(
        "<style>@keyframes k { 50%, 100% { text-transform: uppercase } }"
        "p { animation: k 1s infinite }</style><p>Hi"
    )
    seen = set()
    for _ in range(300):
        seen.add(render_tree((await page.snapshot()).nodes))
        if len(seen) == 2:
            return
    raise AssertionError(seen)


async def test_a_part_and_other_options_are_read_for_themselves(agent: Agent, page: Page) -> None:
    await agent.open(PAGE)
    whole = await page.snapshot()
    everything = await page.snapshot(options=CaptureOptions(all_refs=True))
    assert everything is not whole
    part = await page.snapshot(await page.find_element("#text"))
    assert render_tree(part.nodes) == "- paragraph: Text"
    assert await page.snapshot() is whole


async def test_a_change_in_a_frame_does_not_change_the_capture_before(
    agent: Agent, page: Page, site: Site
) -> None:
    inner = site.page("<button onclick=\"this.textContent = 'After'\">Before</button>")
    await agent.go(site.page(f"<p>Around</p><iframe src='{inner}'></iframe>"))
    before = await page.snapshot()
    assert await page.snapshot() is before
    text = render_tree(before.nodes)
    await agent.click('button "Before"')
    after = await page.snapshot()
    assert 'button "After"' in render_tree(after.nodes)
    assert render_tree(before.nodes) == text


async def test_refs_of_an_unchanged_page_are_good(agent: Agent, page: Page) -> None:
    await agent.open("<button onclick='document.title = 1'>Save</button>")
    await page.snapshot()
    assert 'button "Save"' in await agent.click('button "Save"')


async def test_a_root_attached_by_a_script_that_keeps_the_page_busy_is_seen(agent: Agent) -> None:
    """Chromium reports its counts while the script runs, before the layout that the walk causes."""
    await agent.open("<div id=empty></div>")
    await agent.run("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    await agent.snapshot()
    await agent.run(
        "() => { empty.attachShadow({mode: 'open'}).innerHTML = '<button>Go</button>';"
        "const end = performance.now() + 500;"
        "setTimeout(() => { while (performance.now() < end); }, 0) }"
    )
    assert 'button "Go"' in await agent.snapshot()

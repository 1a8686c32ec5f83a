"""Acting in frames: a point of an inner viewport is found in the outer one."""

from __future__ import annotations

import time

import pytest
from werkzeug import Request, Response

from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import ElementCoveredError, StaleRefError, ViewpointError

INNER = (
    "<body style='margin: 0'><button onclick=\"this.textContent = 'HIT'\" "
    "style='width: 30px; height: 20px; padding: 0; border: 0'>In</button>"
)


def late_script(request: Request) -> Response:
    time.sleep(0.8)
    return Response("document.body.append('DONE')", content_type="text/javascript")


def page_with_frame(inner: str, style: str = "") -> str:
    escaped = inner.replace("&", "&amp;").replace('"', "&quot;")
    return f'<iframe srcdoc="{escaped}" style="{style}"></iframe>'


@pytest.mark.parametrize(
    "style",
    [
        "",
        "border: 40px solid red",
        "padding: 30px; border: 0",
        "border: 13px solid red; padding: 7px 0 0 50px; margin: 60px",
        "position: absolute; left: 333.3px; top: 222.2px",
        "box-sizing: border-box; border: 25px solid red; padding: 25px",
        "width: 60px; height: 50px; border: 0",
    ],
)
async def test_a_button_in_a_frame_is_hit(agent: Agent, style: str) -> None:
    await agent.open(page_with_frame(INNER, style))
    assert 'button "HIT"' in await agent.click('button "In"')


@pytest.mark.parametrize(
    "style",
    [
        "transform: scale(0.5)",
        "transform: scale(2); transform-origin: 0 0",
        "zoom: 2",
        "position: absolute; left: 50%; translate: -50%",
    ],
)
async def test_a_button_in_a_transformed_frame_is_hit(agent: Agent, style: str) -> None:
    await agent.open(page_with_frame(INNER, style))
    assert 'button "HIT"' in await agent.click('button "In"')


async def test_a_button_in_a_frame_in_a_transformed_parent_is_hit(agent: Agent) -> None:
    frame = page_with_frame(INNER)
    await agent.open(f"<div style='transform: scale(0.5) translate(100px, 80px)'>{frame}</div>")
    assert 'button "HIT"' in await agent.click('button "In"')


async def test_a_button_in_a_nested_frame_is_hit(agent: Agent) -> None:
    middle = page_with_frame(INNER, "border: 11px solid blue; margin: 17px")
    await agent.open(page_with_frame(middle, "border: 23px solid red; margin: 29px; padding: 3px"))
    assert 'button "HIT"' in await agent.click('button "In"')


async def test_a_frame_far_below_is_scrolled_to(agent: Agent) -> None:
    await agent.open("<div style='height: 3000px'></div>" + page_with_frame(INNER))
    assert 'button "HIT"' in await agent.click('button "In"')


async def test_a_button_far_below_in_a_frame_is_scrolled_to(agent: Agent) -> None:
    inner = f"<div style='height: 3000px'></div>{INNER}"
    await agent.open("<div style='height: 3000px'></div>" + page_with_frame(inner))
    assert 'button "HIT"' in await agent.click('button "In"')


async def test_a_frame_in_a_scrolled_box_is_scrolled_to(agent: Agent) -> None:
    await agent.open(
        "<div style='height: 200px; overflow: auto'><div style='height: 900px'></div>"
        f"{page_with_frame(INNER)}</div>"
    )
    assert 'button "HIT"' in await agent.click('button "In"')


async def test_a_frame_in_a_shadow_root_is_entered(agent: Agent) -> None:
    await agent.open("<div id=host></div>")
    html = page_with_frame(INNER, "border: 20px solid red").replace("'", "\\'")
    await agent.run(f"() => {{ host.attachShadow({{mode: 'open'}}).innerHTML = `{html}` }}")
    assert 'button "HIT"' in await agent.click('button "In"')


async def test_the_element_that_covers_the_frame_is_named(agent: Agent) -> None:
    await agent.open(
        page_with_frame(INNER) + "<div role=dialog aria-label=Cookies "
        "style='position: fixed; inset: 0; background: red'>x</div>"
    )
    with pytest.raises(
        ElementCoveredError, match=r'button "In" is covered by dialog "Cookies" \[ref=e\d+\]'
    ):
        await agent.click('button "In"')


async def test_the_element_that_covers_a_target_in_the_frame_has_a_ref_of_the_frame(
    agent: Agent,
) -> None:
    cover = (
        "<div role=dialog aria-label=Cookies style='position: fixed; inset: 0; background: red'>"
    )
    await agent.open(page_with_frame(f"{INNER}{cover}x</div>"))
    with pytest.raises(ElementCoveredError, match=r'dialog "Cookies" \[ref=f\d+e\d+\]'):
        await agent.click('button "In"')


async def test_a_field_in_a_frame_is_typed_into(agent: Agent) -> None:
    await agent.open(page_with_frame("<input aria-label=Name>"))
    assert 'textbox "Name"' in (text := await agent.type("textbox", "Ann"))
    assert "Ann" in text


async def test_submit_in_a_frame_presses_enter_there(agent: Agent) -> None:
    await agent.open(
        page_with_frame(
            "<input aria-label=Name onkeydown=\"if (event.key == 'Enter') this.value = 'SENT'\">"
        )
    )
    assert "SENT" in await agent.type("textbox", "Ann", submit=True)


async def test_a_late_change_in_a_frame_is_in_the_snapshot(agent: Agent) -> None:
    await agent.open(
        page_with_frame(
            "<button onclick=\"setTimeout(() => this.textContent = 'DONE', 200)\">In</button>"
        )
    )
    assert "DONE" in await agent.click('button "In"')


async def test_a_late_change_of_a_frame_in_its_parent_is_in_the_snapshot(agent: Agent) -> None:
    inner = "<button onclick=\"setTimeout(() => parent.document.body.append('DONE'), 200)\">In"
    await agent.open(page_with_frame(inner))
    assert "DONE" in await agent.click('button "In"')


async def test_a_frame_that_navigates_is_waited_for(agent: Agent, site: Site) -> None:
    site.page("<h1>There</h1>", path="/there")
    site.page("<a href=/there>Go</a>", path="/inner")
    await agent.go(site.page("<iframe src=/inner></iframe>"))
    assert 'heading "There"' in await agent.click('link "Go"')


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"], ids=["same site", "other site"])
async def test_no_time_is_spent_waiting_after_a_frame_has_loaded(
    agent: Agent, site: Site, host: str
) -> None:
    there = site.page("<h1>There</h1><script>1</script>").replace("127.0.0.1", host)
    late = "setTimeout(() => document.body.append('LATE'), 450)"
    frame = f"<iframe name=x srcdoc=empty></iframe><a href={there} target=x>Go</a>"
    await agent.go(site.page(frame))
    await agent.run(f"() => {{ document.querySelector('iframe').onload = () => {late} }}")
    text = await agent.click('link "Go"')
    assert 'heading "There"' in text
    assert "LATE" not in text


async def test_a_ref_in_a_frame_is_stale_once_the_frame_shows_another_document(
    agent: Agent,
) -> None:
    await agent.open(page_with_frame(INNER))
    ref = str((await agent.find('button "In"')).ref)
    await agent.run(
        "() => new Promise(r => { const f = document.querySelector('iframe');"
        "f.onload = r; f.srcdoc = '<button>In</button>' })"
    )
    with pytest.raises(StaleRefError):
        await agent.click(await agent.page.find_element(ref))


async def test_a_ref_in_a_frame_that_was_removed_is_stale(agent: Agent) -> None:
    await agent.open(page_with_frame(INNER))
    button = await agent.find('button "In"')
    await agent.run("() => document.querySelector('iframe').remove()")
    with pytest.raises(StaleRefError):
        await agent.page.find_element(str(button.ref))
    with pytest.raises(ViewpointError):
        await agent.click(button)


async def test_a_frame_keeps_its_refs_when_the_parent_changes(agent: Agent) -> None:
    await agent.open(page_with_frame(INNER))
    ref = (await agent.find('button "In"')).ref
    await agent.run("() => document.body.prepend('new text')")
    assert (await agent.find('button "In"')).ref == ref


async def test_a_frame_of_another_site_is_read_and_acted_in(agent: Agent, site: Site) -> None:
    inner = site.page(INNER).replace("127.0.0.1", "localhost")
    frame = f"<iframe src={inner} style='border: 31px solid red; margin: 40px'></iframe>"
    await agent.go(site.page(frame))
    assert 'button "HIT"' in await agent.click('button "In"')


async def test_the_load_of_a_frame_is_not_that_of_the_page(agent: Agent, site: Site) -> None:
    site.handle("/late.js", late_script)
    inner = site.page("<p>In</p>").replace("127.0.0.1", "localhost")
    page = f"<iframe src={inner}></iframe><script src=/late.js></script>"
    assert "DONE" in await agent.go(site.page(page))


async def test_a_frame_of_another_site_far_below_is_scrolled_to(agent: Agent, site: Site) -> None:
    inner = site.page(INNER).replace("127.0.0.1", "localhost")
    await agent.go(site.page(f"<div style='height: 3000px'></div><iframe src={inner}></iframe>"))
    assert 'button "HIT"' in await agent.click('button "In"')


@pytest.mark.parametrize(
    "leave", ["location = '{}'", "parent.postMessage('remove', '*')"], ids=["goes home", "removed"]
)
async def test_a_frame_that_leaves_its_process_does_not_take_the_page_along(
    agent: Agent, site: Site, leave: str
) -> None:
    home = site.page("<h1>Home</h1>")
    button = f'<button onclick="{leave.format(home)}">In</button>'
    inner = site.page(button).replace("127.0.0.1", "localhost")
    await agent.go(
        site.page(
            f"<h1>Outer</h1><iframe src={inner}></iframe><script>"
            "onmessage = () => document.querySelector('iframe').remove()</script>"
        )
    )
    assert 'heading "Outer"' in await agent.click('button "In"')
    assert agent.page.blockers.blocking_error() is None


async def test_a_field_in_a_frame_of_another_site_is_typed_into(agent: Agent, site: Site) -> None:
    inner = site.page("<input aria-label=Name>").replace("127.0.0.1", "localhost")
    await agent.go(site.page(f"<iframe src={inner}></iframe>"))
    assert "Ann" in await agent.type("textbox", "Ann")

"""Snapshots of frames of every kind: each is shown under its iframe, or with the reason why not."""

from __future__ import annotations

import asyncio
import time

import pytest
import yaml
from werkzeug import Request, Response

from tests.browser.conftest import OpenPage
from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.e2e.support.processes import wait_until
from tests.site import Site
from viewpoint_mcp.accessibility.tree_capture import capture_tree
from viewpoint_mcp.config.settings import Timeouts
from viewpoint_mcp.errors import StaleRefError
from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.snapshot.walked_frame import WalkedFrame

HIT = "<button onclick=\"this.textContent = 'HIT'\">In</button>"


FILL = "<script>frames[0].document.body.innerHTML = t.innerHTML</script>"


def elsewhere(url: str) -> str:
    """The same address at another site, and so in another process."""
    return url.replace("127.0.0.1", "localhost")


def srcdoc(inner: str) -> str:
    return f'<iframe srcdoc="{inner.replace("&", "&amp;").replace(chr(34), "&quot;")}"></iframe>'


async def crash(frame: Frame) -> None:
    """End the process that the frame lives in, and wait until that is known."""
    async with frame.session.expect("Inspector.targetCrashed", timeout=5) as crashed:
        dying = asyncio.ensure_future(frame.session.send("Page.crash"))
        await crashed
    dying.cancel()
    await asyncio.gather(dying, return_exceptions=True)


@pytest.mark.parametrize("order", ["sss", "sos", "oso", "ooo", "sso", "oos"])
async def test_three_levels_of_the_same_and_another_process_are_read_and_clicked(
    agent: Agent, site: Site, order: str
) -> None:
    url = site.page(HIT)
    is_away = False
    for level in reversed(order):
        is_away = level == "o"
        url = site.page(
            f"<h2>{level}</h2><iframe src={elsewhere(url) if is_away else url}></iframe>"
        )
    text = await agent.go(url)
    assert text.count("- heading") == 3
    assert 'button "HIT"' in await agent.click('button "In"')


@pytest.mark.parametrize(
    "frame",
    [
        srcdoc(HIT),
        f"<iframe src='data:text/html,{HIT.replace(chr(39), '%27')}'></iframe>",
        f"<template id=t>{HIT}</template><iframe></iframe>{FILL}",
        f"<template id=t>{HIT}</template><iframe src=about:blank></iframe>{FILL}",
        srcdoc(HIT).replace("<iframe", "<iframe sandbox=allow-scripts"),
        srcdoc(srcdoc(HIT)),
        f"<div><template shadowrootmode=open>{srcdoc(HIT)}</template></div>",
        f"<div><template shadowrootmode=open><p><slot></slot></p></template>{srcdoc(HIT)}</div>",
        srcdoc(HIT).replace("<iframe", "<iframe role=presentation title=x"),
        srcdoc(HIT).replace("<iframe", "<iframe role=region title=x"),
        srcdoc(HIT).replace("<iframe", "<iframe name=parentNode id=body"),
    ],
)
async def test_a_frame_is_read_and_clicked(agent: Agent, site: Site, frame: str) -> None:
    await agent.go(site.page(frame))
    assert 'button "HIT"' in await agent.click('button "In"')


async def test_a_sandboxed_frame_without_scripts_is_read_and_clicked(
    agent: Agent, site: Site
) -> None:
    inner = "<details><summary>In</summary>HIT</details>"
    await agent.go(site.page(srcdoc(inner).replace("<iframe", "<iframe sandbox")))
    assert "HIT" in await agent.click('button "In"')


@pytest.mark.parametrize("away", [False, True])
@pytest.mark.parametrize(
    "frame",
    [
        "<object data='{}' type=text/html width=300 height=100></object>",
        "<object data='{}' width=300 height=100><p>Fallback</p></object>",
        "<embed src='{}' type=text/html width=300 height=100>",
    ],
)
async def test_a_document_in_an_object_or_embed_is_read_and_clicked(
    agent: Agent, site: Site, frame: str, away: bool
) -> None:
    url = site.page(HIT)
    text = await agent.go(site.page(frame.format(elsewhere(url) if away else url)))
    assert "Fallback" not in text
    assert 'button "HIT"' in await agent.click('button "In"')


async def test_the_frames_of_a_frameset_are_read_and_clicked(agent: Agent, site: Site) -> None:
    one, two = site.page("<h1>One</h1>"), elsewhere(site.page(HIT))
    text = await agent.go(
        site.page(f"<frameset cols='50%,50%'><frame src={one}><frame src={two}></frameset>")
    )
    assert 'heading "One"' in text
    assert 'button "HIT"' in await agent.click('button "In"')


async def test_the_contents_of_hidden_frames_are_not_shown(agent: Agent, site: Site) -> None:
    away = elsewhere(site.page("<p>Secret</p>"))
    text = await agent.go(
        site.page(
            f"<iframe src={away} style='display: none'></iframe>"
            f"<div hidden>{srcdoc('<p>Secret</p>')}</div>"
            f"<iframe src={away} style='visibility: hidden'></iframe>"
            f"<div inert>{srcdoc('<p>Secret</p>')}</div><p>Shown</p>"
        )
    )
    assert text == "- paragraph: Shown"


async def test_refs_contain_the_number_of_their_frame(agent: Agent) -> None:
    text = await agent.open(srcdoc(HIT) + HIT + srcdoc(HIT))
    refs = [line.split("[ref=")[1].rstrip("]:") for line in text.split("\n")]
    assert refs == ["e1", "f1e1", "e2", "e3", "f2e1"]


@pytest.mark.timing
async def test_a_crashed_frame_is_reported_and_the_rest_is_shown(agent: Agent, site: Site) -> None:
    away = elsewhere(site.page(HIT))
    await agent.go(site.page(f"<h1>Top</h1><iframe src={away} title=Pay></iframe>{srcdoc(HIT)}"))
    button = await agent.find('button "In"')
    await crash(button.frame)
    start = time.monotonic()
    text = await agent.snapshot()
    assert time.monotonic() - start < 2.0
    assert '- iframe "Pay" [crashed] [ref=' in text
    assert 'heading "Top"' in text
    assert text.count('button "In"') == 1
    with pytest.raises(StaleRefError, match="no longer shown"):
        await agent.page.find_element(str(button.ref))


async def test_a_crashed_frame_that_is_loaded_again_is_read(agent: Agent, site: Site) -> None:
    away = elsewhere(site.page(HIT))
    await agent.go(site.page(f"<iframe src={away}></iframe>"))
    await crash((await agent.find('button "In"')).frame)
    assert "[crashed]" in await agent.snapshot()
    async with agent.page.settle_afterwards():
        await agent.page.evaluate(f"document.querySelector('iframe').src = '{away}?again'")
    assert 'button "HIT"' in await agent.click('button "In"')


async def test_the_page_cannot_fake_a_crashed_frame(agent: Agent) -> None:
    text = await agent.open("<iframe title='x [crashed]' srcdoc='<p>There</p>'></iframe>")
    assert text.startswith('- iframe "x [crashed]" [ref=e1]:')


async def test_frames_that_take_too_long_together_are_read_by_the_next_snapshot(
    agent: Agent,
) -> None:
    await agent.open("<iframe srcdoc='<button>In</button>'></iframe>" * 30)
    page = services_of(agent.page)
    top, *frames = (
        WalkedFrame(each, page.frames, page.refs, page.context_number, page.page_number)
        for each in page.frames
    )
    capture = await capture_tree(top, frames, frames_timeout=0)
    assert any("unresponsive" in each.properties for each in capture.nodes)
    assert (await agent.snapshot()).count('button "In"') == 30


@pytest.mark.timing
@pytest.mark.prove
@pytest.mark.parametrize("style", ["", "display: none"])
async def test_a_frame_with_an_endless_script_does_not_block_the_rest(
    agent: Agent, site: Site, style: str
) -> None:
    mark = "" if style else "- iframe [unresponsive] [ref="
    away = elsewhere(site.page(f"<p>Busy</p>{site.script_that_hangs()}"))
    await agent.go(
        site.page(f"<h1>Top</h1><iframe src={away} style='{style}'></iframe>{srcdoc(HIT)}")
    )
    await agent.page.evaluate("frames[0].postMessage('', '*')")
    await wait_until(lambda: bool(site.requests("/hangs")))
    start = time.monotonic()
    text = await agent.snapshot()
    assert time.monotonic() - start < 6.0
    assert mark in text
    assert 'heading "Top"' in text
    assert 'button "In"' in text
    start = time.monotonic()
    assert mark in await agent.snapshot()
    assert time.monotonic() - start < 5.0


@pytest.mark.time_limit(60)
async def test_a_frame_that_is_removed_or_navigates_during_the_snapshot_causes_no_error(
    agent: Agent, site: Site
) -> None:
    one, two = elsewhere(site.page("<p>One</p>")), site.page("<p>Two</p>")
    await agent.go(
        site.page(
            f"<h1>Top</h1><iframe src={one}></iframe><iframe src={two}></iframe><script>let i = 0;"
            f"setInterval(() => {{ const old = document.querySelector('iframe'); "
            "const made = document.createElement('iframe');"
            f"made.src = ['{one}', '{two}'][i++ % 2];"
            "old.remove(); document.body.append(made) }, 150);"
            f"setInterval(() => {{ document.querySelector('iframe').src = ['{one}', '{two}']"
            "[i++ % 2] }, 90)</script>"
        )
    )
    for _ in range(6):
        text = await agent.snapshot()
        assert yaml.safe_load(text)[0].startswith('heading "Top"')


@pytest.mark.prove
async def test_a_frame_that_loads_slowly_is_shown_as_far_as_it_is(agent: Agent, site: Site) -> None:
    def slow(_request: Request) -> Response:
        def parts() -> object:
            yield b"<!doctype html><p>First</p>" + b" " * 4096
            time.sleep(3)
            yield b"<p>Last</p>"

        return Response(parts(), content_type="text/html")  # type: ignore[arg-type]

    url = elsewhere(site.handle("/slow", slow))
    await agent.go(site.page("<h1>Top</h1>"))
    await agent.page.evaluate(
        f"document.body.append(Object.assign(document.createElement('iframe'), {{src: '{url}'}}))"
    )
    text = await agent.snapshot()
    assert 'heading "Top"' in text
    await agent.page.wait_for_text("Last", 10.0)
    assert "First" in await agent.snapshot()


@pytest.mark.timing
@pytest.mark.prove
@pytest.mark.time_limit(120)
async def test_hundreds_of_frames_are_read_in_bounded_time(open_page: OpenPage) -> None:
    agent = Agent(await open_page(Timeouts(action=2.0, navigation=60.0)))
    await agent.page.navigate(
        "data:text/html,<body></body><script>for (let i = 0; i < 300; i++) {"
        "const frame = document.createElement('iframe'); document.body.append(frame);"
        "frame.contentDocument.body.innerHTML = `<p>No ${i}</p>` }</script>"
    )
    await agent.snapshot()
    start = time.monotonic()
    text = await agent.snapshot()
    assert time.monotonic() - start < 5.0
    assert [f"paragraph: No {i}\n" in text + "\n" for i in range(300)] == [True] * 300

"""Dragging an element to another: by the mouse alone, and with the browser's drag and drop."""

from __future__ import annotations

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import (
    CallError,
    ElementCoveredError,
    ElementError,
    ElementNotVisibleError,
)

TITLE = "document.title"
BOX = "width: 100px; height: 60px; position: absolute;"

# A list whose items swap while one is dragged over them; a drag starts after some pixels.
SORTABLE = """<style>body { margin: 0 } li { height: 40px; width: 200px; user-select: none }</style>
<ul id=list style="margin: 0; padding: 0">
<li tabindex=0 aria-label=one>one</li><li tabindex=0 aria-label=two>two</li>
<li tabindex=0 aria-label=three>three</li><li tabindex=0 aria-label=four>four</li></ul>
<script>let held = null, from = 0, moved = false, since = 0;
list.onpointerdown = e => { held = e.target.closest('li'); from = e.clientY; moved = false;
  since = performance.now() };
document.onpointermove = e => {
  if (!held) return;
  if (!moved && Math.abs(e.clientY - from) < 10) return;
  if (!moved && performance.now() - since < DELAY) { held = null; return }
  moved = true; held.setPointerCapture(e.pointerId);
  const over = [...list.children].find(li => { const r = li.getBoundingClientRect();
    return li !== held && e.clientY > r.top + 10 && e.clientY < r.bottom - 10 });
  if (!over) return;
  const isBelow = over.compareDocumentPosition(held) & Node.DOCUMENT_POSITION_PRECEDING;
  over[isBelow ? 'after' : 'before'](held) };
document.onpointerup = () => { held = null };
</script>"""
ORDER = "[...list.children].map(li => li.textContent).join()"

# Drag and drop of HTML, with all its events noted.
NATIVE = f"""<style>body {{ margin: 0 }}</style>
<div id=a draggable=true role=button aria-label=a style="{BOX} left: 0; top: 0">a</div>
<div id=b role=region tabindex=0 aria-label=b style="{BOX} left: 300px; top: 200px">b</div>
<script>window.seen = [];
for (const type of ['dragstart', 'dragenter', 'dragover', 'drop', 'dragend', 'mouseup', 'click'])
  addEventListener(type, e => {{ const what = type + e.target.id;
    if (seen.at(-1) !== what) seen.push(what) }});
a.ondragstart = e => {{ e.dataTransfer.setData('text/plain', 'hello');
  e.dataTransfer.setData('application/x-card', '7'); e.dataTransfer.effectAllowed = 'move' }};
a.ondragend = e => {{ window.effect = e.dataTransfer.dropEffect }};
ACCEPT</script>"""
ACCEPT = """b.ondragover = e => { e.preventDefault(); e.dataTransfer.dropEffect = 'move' };
b.ondrop = e => { e.preventDefault(); document.title = e.dataTransfer.getData('text/plain')
  + e.dataTransfer.getData('application/x-card') };"""


async def test_a_list_is_sorted_by_the_mouse(agent: Agent) -> None:
    await agent.open(SORTABLE.replace("DELAY", "0"))
    await agent.drag("one", "three")
    assert await agent.run(ORDER) == "two,three,one,four"


async def test_a_list_is_sorted_upwards(agent: Agent) -> None:
    await agent.open(SORTABLE.replace("DELAY", "0"))
    await agent.drag("four", "two")
    assert await agent.run(ORDER) == "one,four,two,three"


async def test_a_drag_that_needs_a_while_of_holding_begins(agent: Agent) -> None:
    await agent.open(SORTABLE.replace("DELAY", "250"))
    await agent.drag("one", "two")
    assert await agent.run(ORDER) == "two,one,three,four"


async def test_a_list_that_is_undecided_at_the_middle_of_an_item_gets_the_item(
    agent: Agent,
) -> None:
    await agent.open(
        "<style>body { margin: 0 } li { height: 40px; width: 200px } ul { padding: 0 }</style>"
        "<ul><li id=one draggable=true>one</li><li>two</li></ul><ul id=to><li id=end>end</li></ul>"
        # It compares the horizontal position only, and ignores the pointer after a change.
        "<script>let silent = 0; ondragover = e => { e.preventDefault();"
        "const li = e.target.closest('li'); const now = performance.now();"
        "if (!li || li === one || now < silent) return;"
        "const { left, width } = li.getBoundingClientRect();"
        "if (li === end && e.clientX === left + width / 2) return;"
        "li.after(one); silent = now + 30 }</script>"
    )
    await agent.drag(await agent.page.find_element("#one"), await agent.page.find_element("#end"))
    assert await agent.run("to.textContent") == "endone"


async def test_a_slider_is_pulled(agent: Agent) -> None:
    await agent.open(
        "<style>body { margin: 0 }</style><div id=bar style='width: 400px; height: 10px; "
        "margin: 50px; background: silver; position: relative'><div id=t role=slider tabindex=0 "
        "aria-label=Volume aria-valuenow=0 style='width: 20px; height: 20px; position: absolute; "
        "background: navy'></div></div><button id=goal style='position: absolute; left: 300px; "
        "top: 48px; width: 20px; opacity: 0.5; pointer-events: none'>|</button>"
        "<b id=end tabindex=0 role=button style='position: absolute; left: 300px; top: 90px'>x</b>"
        "<script>t.onmousedown = () => { document.onmousemove = e => {"
        "t.style.left = e.clientX - 60 + 'px'; t.ariaValueNow = e.clientX };"
        "document.onmouseup = () => { document.onmousemove = null } }</script>"
    )
    await agent.drag("slider", 'button "x"')
    assert 295 < int(await agent.run("t.ariaValueNow") or 0) < 315


async def test_a_line_is_drawn_on_a_canvas(agent: Agent) -> None:
    await agent.open(
        "<style>body { margin: 0 } b { position: absolute; width: 10px }</style>"
        "<canvas id=c width=500 height=300></canvas>"
        "<b id=p tabindex=0 role=button style='left: 20px; top: 20px'>p</b>"
        "<b id=q tabindex=0 role=button style='left: 400px; top: 200px'>q</b><script>"
        "let points = 0; onmousemove = e => { if (e.buttons === 1) points += 1 };"
        "onmouseup = () => { document.title = points }</script>"
    )
    await agent.drag('button "p"', 'button "q"')
    assert int(await agent.run(TITLE) or 0) > 10


async def test_a_text_is_selected(agent: Agent) -> None:
    await agent.open(
        "<p style='font-size: 30px'>From <span id=s tabindex=0>here</span> all the way to "
        "<span id=e tabindex=0>there</span> and on</p>"
    )
    await agent.drag(await agent.page.find_element("#s"), await agent.page.find_element("#e"))
    assert "all the way to" in (await agent.run("getSelection().toString()") or "")


async def test_drag_and_drop_carries_its_data(agent: Agent) -> None:
    await agent.open(NATIVE.replace("ACCEPT", ACCEPT))
    await agent.drag('button "a"', "region")
    assert await agent.run(TITLE) == "hello7"
    assert await agent.run("seen.join(' ')") == (
        "dragstarta dragentera dragovera dragenter dragover dragenterb dragoverb dropb dragenda"
    )
    assert await agent.run("effect") == "move"


async def test_a_target_that_accepts_no_drop_is_reported(agent: Agent) -> None:
    await agent.open(NATIVE.replace("ACCEPT", ""))
    with pytest.raises(ElementError, match='region "b" did not accept the drop of button "a"'):
        await agent.drag('button "a"', "region")
    assert await agent.run("effect") == "none"
    assert "drop" not in (await agent.run("seen.join()") or "")


async def test_a_drop_effect_that_is_not_allowed_is_reported(agent: Agent) -> None:
    await agent.open(NATIVE.replace("ACCEPT", ACCEPT.replace("'move'", "'copy'")))
    with pytest.raises(ElementError, match="did not accept the drop"):
        await agent.drag('button "a"', "region")


async def test_no_mouse_button_is_pressed_after_a_drag(agent: Agent) -> None:
    await agent.open(NATIVE.replace("ACCEPT", ACCEPT))
    await agent.drag('button "a"', "region")
    await agent.run("() => { a.onclick = e => document.title = 'click' + e.buttons }")
    await agent.click('button "a"')
    assert await agent.run(TITLE) == "click0"


async def test_a_target_that_becomes_ready_after_the_start_accepts_the_drop(agent: Agent) -> None:
    """As React DnD does: the drag is known a task later, and enter comes before over."""
    await agent.open(
        NATIVE.replace(
            "ACCEPT",
            "let dragging = false, inside = false;"
            "a.addEventListener('dragstart', () => setTimeout(() => { dragging = true }, 0));"
            "b.ondragenter = () => { inside = dragging };"
            "b.ondragover = e => { if (inside) e.preventDefault() };"
            "b.ondrop = e => { document.title = 'dropped' };",
        )
    )
    await agent.drag('button "a"', "region")
    assert await agent.run(TITLE) == "dropped"


async def test_a_target_that_moves_when_a_drag_begins_is_hit(
    agent: Agent,
) -> None:
    await agent.open(
        NATIVE.replace(
            "ACCEPT",
            ACCEPT + "a.addEventListener('dragstart', () => setTimeout(() => {"
            "b.style.left = '500px'; b.style.top = '400px' }, 0));",
        )
    )
    await agent.drag('button "a"', "region")
    assert await agent.run(TITLE) == "hello7"


async def test_the_page_scrolls_between_a_start_and_an_end_that_are_far_apart(agent: Agent) -> None:
    await agent.open(NATIVE.replace("ACCEPT", ACCEPT).replace("top: 200px", "top: 4000px"))
    await agent.drag('button "a"', "region")
    assert await agent.run(TITLE) == "hello7"


async def test_start_and_end_are_brought_into_view_together(agent: Agent) -> None:
    await agent.open(
        NATIVE.replace("ACCEPT", ACCEPT + "addEventListener('dragstart', () => {"
        "addEventListener('scroll', () => { document.title = 'scrolled' }) })")
        .replace("top: 0", "top: 2000px").replace("top: 200px", "top: 2450px")
    )  # fmt: skip
    await agent.drag('button "a"', "region")
    assert await agent.run(TITLE) == "hello7"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a href=/there>Link</a>", "/there"),
        ("<img alt=Link src=/picture.svg width=50 height=50 tabindex=0>", "/picture.svg"),
    ],
)
async def test_links_and_images_are_draggable_by_default(
    agent: Agent, site: Site, html: str, expected: str
) -> None:
    svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"
    site.respond("/picture.svg", svg, content_type="image/svg+xml")
    url = site.page(
        f"{html}<div id=b role=region tabindex=0 aria-label=b style='{BOX} top: 200px'>b</div>"
        "<script>b.ondragover = e => e.preventDefault(); b.ondrop = e => { e.preventDefault();"
        "document.title = e.dataTransfer.getData('text/uri-list') }</script>"
    )
    await agent.go(url)
    await agent.drag("Link", "region")
    assert (await agent.run(TITLE) or "").endswith(expected)
    assert agent.page.url == url


async def test_a_link_dropped_on_an_element_that_takes_none_does_not_navigate(
    agent: Agent, site: Site
) -> None:
    url = site.page(
        f"<a href=/there>Link</a><p role=button tabindex=0 style='{BOX} top: 200px'>Text</p>"
    )
    await agent.go(url)
    with pytest.raises(ElementError, match="did not accept the drop"):
        await agent.drag("Link", "Text")
    assert agent.page.url == url


async def test_a_selected_text_is_dragged_into_a_field(agent: Agent) -> None:
    await agent.open("<p><b id=w tabindex=0>word</b> and more</p><input aria-label=Field>")
    word = await agent.page.find_element("#w")
    await agent.run("() => { getSelection().selectAllChildren(w) }")
    assert 'textbox "Field"' in (snapshot := await agent.drag(word, "textbox"))
    assert "word" in snapshot.split("Field")[1]


async def test_shadow_roots_are_no_hindrance(agent: Agent) -> None:
    await agent.open("<div id=one></div><div id=two style='margin-top: 100px'></div>")
    await agent.run(
        "() => { const [a, b] = [one, two].map(host => host.attachShadow({mode: 'open'}));"
        "a.innerHTML = '<p draggable=true aria-label=a role=button>a</p>';"
        "b.innerHTML = '<p role=region tabindex=0 aria-label=b>b</p>';"
        "b.firstChild.ondragover = e => e.preventDefault();"
        "b.firstChild.ondrop = () => { document.title = 'dropped' } }"
    )
    await agent.drag('button "a"', "region")
    assert await agent.run(TITLE) == "dropped"


# ---- frames

INNER = """<body style="margin: 0"><div id=NAME draggable=true aria-label=NAME role=button
style="width: 100px; height: 60px; background: silver">NAME</div><script>
NAME.ondragstart = e => e.dataTransfer.setData('text/plain', 'NAME');
NAME.ondragover = e => e.preventDefault();
NAME.ondrop = e => { e.preventDefault();
  NAME.append(` got ${e.dataTransfer.getData('text/plain')}`) };
NAME.onclick = () => NAME.append(' clicked');
NAME.ondragend = e => NAME.append(' ended') </script>"""


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
@pytest.mark.parametrize(("start", "end"), [("a", "b"), ("b", "a")])
async def test_elements_are_dragged_into_and_out_of_a_frame(
    agent: Agent, site: Site, host: str, start: str, end: str
) -> None:
    inner = site.page(INNER.replace("NAME", "b")).replace("localhost", host)
    await agent.go(site.page(INNER.replace("NAME", "a") + f"<iframe src={inner} title=F></iframe>"))
    snapshot = await agent.drag(f'button "{start}"', f'button "{end}"')
    assert f"{end} got {start}" in snapshot
    # Each process knows that the drag is over: it takes clicks again.
    await agent.click(f'button "{start}"')
    snapshot = await agent.click(f'button "{end}"')
    assert f"{start} ended clicked" in snapshot
    assert f"{end} got {start} clicked" in snapshot


async def test_a_frame_element_accepts_a_drop(agent: Agent, site: Site) -> None:
    inner = site.page(
        "<body style='height: 100vh; margin: 0' ondragover='event.preventDefault()' "
        "ondrop=\"document.body.append('DROPPED')\">"
    )
    await agent.go(site.page(INNER.replace("NAME", "a") + f"<iframe src={inner} title=F></iframe>"))
    assert "DROPPED" in await agent.drag('button "a"', "iframe")


# ---- refused before the mouse is pressed


async def test_an_element_is_not_dragged_to_itself(agent: Agent) -> None:
    await agent.open(NATIVE.replace("ACCEPT", ACCEPT))
    with pytest.raises(CallError, match='button "a" cannot be dragged onto itself'):
        await agent.drag('button "a"', await agent.page.find_element("#a"))


@pytest.mark.prove
@pytest.mark.parametrize("covered", ["a", "b"])
async def test_a_covered_element_is_neither_dragged_nor_dropped_on(
    agent: Agent, covered: str
) -> None:
    await agent.open(NATIVE.replace("ACCEPT", ACCEPT))
    start, end = await agent.find('button "a"'), await agent.find("region")
    await agent.run(
        "() => { const cover = document.createElement('div'); cover.style = "
        f"{covered}.style.cssText; cover.style.background = 'red'; document.body.append(cover);"
        "onmousedown = () => { document.title = 'pressed' } }"
    )
    with pytest.raises(ElementCoveredError):
        await agent.drag(start, end)
    assert await agent.run(TITLE) == ""


async def test_a_hidden_element_is_not_dropped_on(agent: Agent) -> None:
    await agent.open(NATIVE.replace("ACCEPT", ACCEPT))
    start, end = await agent.find('button "a"'), await agent.find("region")
    await agent.run("() => { b.style.display = 'none' }")
    with pytest.raises(ElementNotVisibleError, match='region "b" is not visible'):
        await agent.drag(start, end)


async def test_a_tab_behind_another_drags(open_page: OpenPage) -> None:
    agent, front = Agent(await open_page()), await open_page()
    await services_of(front).session.Page.bringToFront()
    await agent.open(NATIVE.replace("ACCEPT", ACCEPT))
    await agent.drag('button "a"', "region")
    assert await agent.run(TITLE) == "hello7"


async def test_an_element_that_changed_its_name_is_reported_once(agent: Agent) -> None:
    await agent.open(SORTABLE.replace("DELAY", "0"))
    start, end = await agent.find('"one"'), await agent.find('"three"')
    await agent.run("() => { list.children[2].ariaLabel = 'three books' }")
    await agent.drag(start, end)
    assert [each for each in agent.page.take_events() if "books" in each] == [
        f'Ref {end.ref} was listitem "three" and is listitem "three books" now'
    ]

"""Frames that share the page's origin, and so its process and its isolated world's objects."""

from __future__ import annotations

from html import escape

import pytest

from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.site import Site


def document(name: str, more: str = "") -> str:
    """Return a document with every kind of object that the walker distinguishes."""
    return (
        "<style>.off { position: absolute; left: -9999px } .mark::before { content: 'Note ' }"
        "@keyframes fade { from { opacity: 1 } }</style>"
        f"<div class=off>SECRET of {name}</div><p class=mark>{name}</p>"
        f"<div id=area>area of {name}</div><div id=host></div><script>"
        "host.attachShadow({mode: 'open'}).innerHTML = '<label for=i>Label of "
        f"{name}</label><input id=i>';"
        "document.addEventListener('click', () => {}); area.addEventListener('click', () => {})"
        f"</script>{more}"
    )


@pytest.fixture
def nested(site: Site) -> str:
    inner = f'<iframe title=Inner srcdoc="{escape(document("inner"))}"></iframe>'
    outer = f'<iframe title=Outer srcdoc="{escape(document("outer", inner))}"></iframe>'
    return site.page(document("page", outer))


async def test_each_document_is_read_as_if_it_were_alone(agent: Agent, nested: str) -> None:
    first = await agent.go(nested)
    for text in (first, await agent.snapshot()):
        assert "SECRET" not in text
        for name in ("page", "outer", "inner"):
            assert f"paragraph: Note {name}\n" in text, text
            assert f'textbox "Label of {name}" [ref=' in text, text


async def test_an_element_that_listens_for_clicks_has_a_ref_in_each_document(
    agent: Agent, nested: str
) -> None:
    text = await agent.go(nested)
    for prefix, name in (("", "page"), ("f1", "outer"), ("f2", "inner")):
        assert f": area of {name}" in text
        assert any(
            line.endswith(f": area of {name}") and f"[ref={prefix}e" in line
            for line in text.splitlines()
        ), text


async def test_the_objects_of_a_frame_belong_to_its_own_realm(agent: Agent, nested: str) -> None:
    await agent.go(nested)
    session = services_of(agent.page).session
    for frame in services_of(agent.page).frames:
        made = await session.Page.createIsolatedWorld(frameId=frame.id, worldName="viewpoint")
        answer = await session.Runtime.evaluate(
            expression="document instanceof Document && area instanceof HTMLElement",
            contextId=made["executionContextId"],
        )
        assert answer["result"]["value"] is True


async def test_an_element_that_a_page_moves_into_a_frame_is_read_like_others(
    agent: Agent, site: Site
) -> None:
    frame = f'<iframe title=Frame srcdoc="{escape(document("frame"))}"></iframe>'
    moved = "<div id=moved><div class=off>SECRET</div><p class=mark>moved</p></div>"
    await agent.go(site.page(document("page", moved + frame)))
    await agent.run(
        "() => { const inside = document.querySelector('iframe').contentDocument;"
        "inside.body.append(moved, host) }"
    )
    text = await agent.snapshot()
    assert "SECRET" not in text
    page, inside = text.split('iframe "Frame"')
    assert "Note moved" in inside
    assert 'textbox "Label of page" [ref=f1e' in inside
    assert "Label of page" not in page

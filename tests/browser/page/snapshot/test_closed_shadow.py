"""Closed shadow roots: scripts cannot read them, but the snapshot shows them."""

from __future__ import annotations

import pytest

from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import ElementCoveredError

HOST_TAGS = ["x-host", "div", "span", "p", "section", "article", "aside", "main", "h2", "nav"]
SAVE = "<button onclick=\"this.textContent = 'HIT'\">Save</button>"


def shadow_host(inner: str, *, tag: str = "div", light: str = "", style: str = "") -> str:
    """Return a host whose closed root a script fills."""
    return (
        f"<{tag} class=host style='{style}'>{light}</{tag}><script>"
        "document.currentScript.previousElementSibling.attachShadow({mode: 'closed'})"
        f".innerHTML = {inner!r}</script>"
    )


@pytest.mark.parametrize("tag", HOST_TAGS)
async def test_a_button_in_a_closed_root_is_read_and_clicked(agent: Agent, tag: str) -> None:
    assert 'button "Save"' in await agent.open(shadow_host(SAVE, tag=tag))
    assert 'button "HIT"' in await agent.click('button "Save"')


async def test_a_host_without_a_box_is_read(agent: Agent) -> None:
    fixed = f"<div style='position: fixed; top: 50px'>{SAVE}</div>"
    await agent.open(shadow_host(fixed))
    assert 'button "HIT"' in await agent.click('button "Save"')


async def test_a_declarative_closed_root_is_read(agent: Agent, site: Site) -> None:
    text = await agent.go(
        site.page(f"<div><template shadowrootmode=closed>{SAVE}</template></div>")
    )
    assert 'button "Save"' in text


async def test_a_closed_root_in_a_closed_root_is_read(agent: Agent) -> None:
    text = await agent.open(
        "<x-a></x-a><script>let at = document.querySelector('x-a');"
        "for (let i = 0; i < 30; i++) { const root = at.attachShadow({mode: 'closed'});"
        "root.innerHTML = `<button>B${i}</button><x-b></x-b>`; at = root.lastChild }</script>"
    )
    assert [f'button "B{i}"' in text for i in range(30)] == [True] * 30


async def test_an_open_root_in_a_closed_one_and_the_reverse_are_read(agent: Agent) -> None:
    text = await agent.open(
        "<x-a></x-a><script>let at = document.querySelector('x-a');"
        "for (let i = 0; i < 6; i++) { const root = at.attachShadow({mode: i % 2 ? 'open' :"
        "'closed'}); root.innerHTML = `<button>B${i}</button><x-b></x-b>`; at = root.lastChild }"
        "</script>"
    )
    assert [f'button "B{i}"' in text for i in range(6)] == [True] * 6


async def test_an_unslotted_element_is_not_shown_and_a_slotted_one_is_at_its_slot(
    agent: Agent,
) -> None:
    text = await agent.open(
        shadow_host(
            "<ul><li>Before</li><li><slot name=a></slot></li></ul>",
            tag="x-list",
            light="<button slot=a>Slotted</button><button>Lost</button>",
        )
    )
    assert "Lost" not in text
    assert '- list: Before | button "Slotted"' in text


async def test_a_plain_host_with_unslotted_children_is_read(agent: Agent) -> None:
    text = await agent.open(shadow_host(SAVE, light="<p>Fallback</p>"))
    assert "Fallback" not in text
    assert 'button "Save"' in text


async def test_a_slotted_button_is_clicked(agent: Agent) -> None:
    await agent.open(shadow_host("<p><slot></slot></p>", tag="x-host", light=SAVE))
    assert 'button "HIT"' in await agent.click('button "Save"')


async def test_a_field_in_a_closed_root_is_typed_into_and_is_the_active_one(agent: Agent) -> None:
    await agent.open(shadow_host("<label for=n>Name</label><input id=n>"))
    text = await agent.type('textbox "Name"', "Ann")
    assert 'textbox "Name" [active]' in text
    assert "Ann" in text


async def test_ids_are_those_of_the_closed_root(agent: Agent) -> None:
    inner = "<b id=l>Inner</b><button aria-labelledby=l>x</button>"
    assert 'button "Inner"' in await agent.open(f"<b id=l>Outer</b>{shadow_host(inner)}")


async def test_changes_in_a_closed_root_are_settled_on(agent: Agent) -> None:
    await agent.open(
        "<div></div><script>const root = document.querySelector('div').attachShadow({mode:"
        "'closed'}); root.innerHTML = '<button>Go</button><p></p>';"
        "root.querySelector('button').onclick = () => setTimeout(() => "
        "root.querySelector('p').textContent = 'LATE', 200)</script>"
    )
    assert "LATE" in await agent.click('button "Go"')


async def test_a_root_that_is_attached_later_is_found(agent: Agent) -> None:
    first = await agent.open(
        "<button onclick=\"document.querySelector('div').attachShadow({mode: 'closed'})"
        ".innerHTML = '<p>Attached</p>'\">Attach</button>"
        "<div style='height: 50px'></div>"
    )
    assert "Attached" not in first
    assert "Attached" in await agent.click('button "Attach"')


async def test_a_root_that_is_attached_by_the_element_definition_is_found(agent: Agent) -> None:
    many = "<x-late></x-late>" * 200
    await agent.open(
        f"<button>Define</button>{many}<script>document.querySelector('button').onclick = () =>"
        "customElements.define('x-late', class extends HTMLElement { constructor() { super();"
        "this.attachShadow({mode: 'closed'}).innerHTML = '<i>Defined</i>' } })</script>"
    )
    assert (await agent.click('button "Define"')).count("Defined") == 200


LATE = (
    "document.querySelectorAll('span')[250].attachShadow({{mode: 'closed'}})"
    ".innerHTML = '<b style=\"{}\">Late</b>'"
)


async def test_one_late_root_among_many_empty_elements_is_found_by_its_size(agent: Agent) -> None:
    await agent.open("<span></span>" * 300)
    await agent.page.evaluate(LATE.format(""))
    assert "Late" in await agent.snapshot()


async def test_a_late_root_that_changes_no_size_is_found_on_a_busy_page(
    agent: Agent,
) -> None:
    await agent.open("<p id=p>0</p>" + "<span></span>" * 300)
    await agent.page.evaluate(LATE.format("position: fixed"))
    looks = []
    for count in range(7):
        await agent.page.evaluate(f"p.textContent = {count}")
        looks.append("Late" in await agent.snapshot())
    assert looks[-1]


async def test_roots_that_the_browser_made_are_not_read(agent: Agent) -> None:
    text = await agent.open(
        "<input value=v><input type=date><select><option>o</select><details><summary>s</summary>d"
        "</details><video controls></video><progress value=1></progress>"
    )
    assert "Show picker" not in text
    assert "play" not in text


async def test_a_covering_element_in_a_closed_root_is_named(agent: Agent) -> None:
    cover = "<div role=dialog aria-label=Cookies style='position: fixed; inset: 0'>x</div>"
    await agent.open(f"<button>Below</button>{shadow_host(cover)}")
    with pytest.raises(ElementCoveredError, match=r'covered by dialog "Cookies" \[ref=e\d+\]'):
        await agent.click('button "Below"')


async def test_a_frame_in_a_closed_root_is_read_and_clicked(agent: Agent, site: Site) -> None:
    inner = site.page(SAVE).replace("127.0.0.1", "localhost")
    await agent.go(site.page(shadow_host(f"<iframe src={inner}></iframe>")))
    assert 'button "HIT"' in await agent.click('button "Save"')


async def test_text_in_a_closed_root_is_waited_for_before_any_snapshot(agent: Agent) -> None:
    await agent.page.navigate(
        "data:text/html,<div></div><script>const root = document.querySelector('div')"
        ".attachShadow({mode: 'closed'}); setTimeout(() => root.innerHTML = '<p>Ready</p>', 300)"
        "</script>"
    )
    await agent.page.wait_for_text("Ready", 5.0)

"""Effects of keys in a page."""

from __future__ import annotations

import pytest

from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import CallError

FOCUSED = """(() => { let at = document.activeElement
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
  return at?.id ?? '' })()"""


async def press(agent: Agent, *keys: str) -> None:
    for key in keys:
        async with agent.page.settle_afterwards():
            await agent.page.press_key_and_detect_select_all(key)


@pytest.mark.parametrize(
    ("start", "keys", "focused"),
    [
        ("a", ["Tab"], "b"),
        ("a", ["Tab", "Tab"], "c"),
        ("b", ["Shift+Tab"], "a"),
        ("c", ["Tab"], "in"),
        ("first", ["Tab"], "second"),
        ("second", ["Tab"], "a"),
    ],
)
async def test_the_tab_key_moves_from_field_to_field(
    agent: Agent, start: str, keys: list[str], focused: str
) -> None:
    await agent.open(
        "<input id=a><input tabindex=-1><div id=host><template shadowrootmode=open><input id=b>"
        "</template></div><input disabled><a href=/ id=c>c</a><iframe id=in srcdoc='<input>'>"
        "</iframe><input id=second tabindex=2><input id=first tabindex=1>"
    )
    await agent.run(
        f"(document.getElementById('{start}') ?? host.shadowRoot.getElementById('{start}')).focus()"
    )
    await press(agent, *keys)
    assert await agent.run(FOCUSED) == focused


@pytest.mark.parametrize(
    ("html", "keys", "script", "value"),
    [
        ("<input id=f type=checkbox>", ["Space"], "f.checked", "true"),
        ("<details><summary id=f>s</summary></details>", ["Enter"], "f.parentNode.open", "true"),
        ("<input type=radio name=r id=f checked><input type=radio name=r id=g>", ["ArrowDown"],
         "g.checked", "true"),
        ("<select id=f><option>a<option>b<option>c</select>", ["ArrowDown", "ArrowDown"],
         "f.value", "c"),
        ("<input id=f type=range max=10 value=5>", ["ArrowRight", "End"], "f.value", "10"),
        ("<input id=f type=number value=5>", ["ArrowUp"], "f.value", "6"),
        ("<input id=f value=abc>", ["Home", "Delete", "End", "Backspace"], "f.value", "b"),
        ("<input id=f value=abc>", ["Control+a", "x"], "f.value", "x"),
        ("<input id=f value=abc>", ["Control+a", "Control+x", "Control+v", "Control+v"],
         "f.value", "abcabc"),
        ("<input id=f value='one two'>", ["End", "Control+Backspace"], "f.value", "one "),
        ("<input id=f>", ["a", "b", "Control+z"], "f.value", ""),
        ("<input id=f value=abc>", ["End", "Shift+ArrowLeft", "Shift+ArrowLeft", "X"],
         "f.value", "aX"),
        ("<input id=f value='one two'>", ["Home", "Control+Shift+ArrowRight", "Delete"],
         "f.value", " two"),
        ("<textarea id=f></textarea>", ["a", "Enter", "Shift+Enter", "b"], "f.value", "a\n\nb"),
        ("<div id=f contenteditable></div>", ["A", "?", "é", "日", "+", "Numpad7"],
         "f.innerText", "A?é日+7"),
        ("<input id=f value=abc>", ["ControlOrMeta+a", "Control+Insert", "End", "Shift+Insert"],
         "f.value", "abcabc"),
    ],
)  # fmt: skip
async def test_a_key_has_the_same_effect_as_for_a_person(
    agent: Agent, html: str, keys: list[str], script: str, value: str
) -> None:
    await agent.open(html)
    await agent.run("f.focus()")
    await press(agent, *keys)
    assert str(await agent.run(script)) == value


@pytest.mark.parametrize("key", ["Enter", "Space"])
@pytest.mark.parametrize("tag", ["button", "a href=#"])
async def test_a_key_activates_the_focused_element(agent: Agent, tag: str, key: str) -> None:
    await agent.open(
        f"<{tag} id=f onclick=\"document.title += 'click'\">Go</{tag.split(maxsplit=1)[0]}>"
    )
    await agent.run("f.focus()")
    await press(agent, key)
    expected = "" if tag != "button" and key == "Space" else "click"
    assert await agent.run("document.title") == expected


@pytest.mark.parametrize(
    ("form", "sent"),
    [
        ("<input id=f>", "submit"),
        ("<input id=f><input>", ""),
        ("<input id=f><input><button>Go</button>", "clicksubmit"),
        ("<input id=f><button disabled>Go</button>", ""),
        ("<input id=f required><button>Go</button>", "click"),
        ("<textarea id=f></textarea><button>Go</button>", ""),
    ],
)
async def test_enter_submits_a_form_by_the_rules_of_html(
    agent: Agent, form: str, sent: str
) -> None:
    await agent.open(
        "<form onsubmit=\"event.preventDefault(); document.title += 'submit'\""
        f" onclick=\"document.title += 'click'\">{form}</form>"
    )
    await agent.run("f.focus()")
    await press(agent, "Enter")
    assert await agent.run("document.title") == sent


@pytest.mark.parametrize(
    ("html", "opening"),
    [
        ("<dialog id=d>Hi</dialog>", "d.showModal()"),
        ("<div popover id=d>Hi</div>", "d.showPopover()"),
    ],
)
async def test_escape_closes_an_open_dialog_or_menu(agent: Agent, html: str, opening: str) -> None:
    await agent.open(html)
    await agent.run(opening)
    await press(agent, "Escape")
    assert await agent.run("d.matches(':modal, :popover-open')") == "false"


@pytest.mark.parametrize(
    ("keys", "check"),
    [
        (["PageDown"], "scrollY > 300"),
        (["End"], "scrollY > 4000"),
        (["End", "Home"], "scrollY === 0"),
        (["Space"], "scrollY > 300"),
        (["ArrowDown"], "scrollY > 10"),
    ],
)
async def test_a_key_scrolls_the_page(agent: Agent, keys: list[str], check: str) -> None:
    await agent.open("<body style='height: 5000px'>")
    await press(agent, *keys)
    scrolled = (
        f"new Promise((done) => {{ const look = () => {check} ? done('yes') : "
        "requestAnimationFrame(look); look() })"
    )
    assert await agent.run(scrolled) == "yes"


@pytest.mark.parametrize("key", ["F5", "Control+r", "Control+w", "Control+n", "Alt+F4", "F11"])
async def test_a_shortcut_of_the_browser_has_no_effect(agent: Agent, site: Site, key: str) -> None:
    await agent.go(site.page("<input autofocus><h1>Here</h1>"))
    await press(agent, key)
    assert 'heading "Here"' in await agent.snapshot()


async def test_the_page_sees_the_whole_key(agent: Agent) -> None:
    await agent.open(
        '<body onkeydown="document.title = [event.key, event.code, event.keyCode, '
        'event.location, event.ctrlKey, event.shiftKey].join()">'
    )
    for key, seen in {
        "F24": "F24,F24,135,0,false,false",
        "NumpadEnter": "Enter,NumpadEnter,13,3,false,false",
        "ShiftRight": "Shift,ShiftRight,16,2,false,true",
        "Control++": "+,Equal,187,0,true,true",
        "controlorMETA+k": "k,KeyK,75,0,true,false",
    }.items():
        await press(agent, key)
        assert await agent.run("document.title") == seen


KEYS_DOWN = """<input id=f><script>
const down = new Set()
addEventListener('keydown', (event) => down.add(event.code), true)
addEventListener('keyup', (event) => down.delete(event.code), true)
const allUp = async () => { while (down.size) await new Promise((done) => setTimeout(done, 10)) }
</script>"""


@pytest.mark.parametrize("key", ["a", "Control+Shift+k", "Enter"])
async def test_no_key_stays_down_when_a_dialog_opens_on_it(agent: Agent, key: str) -> None:
    await agent.open(KEYS_DOWN)
    await agent.run("() => { f.focus(); f.onkeydown = () => { f.onkeydown = null; alert('hm') } }")
    await press(agent, key)
    dialog = agent.page.blockers.dialog
    assert dialog is not None
    await agent.page.answer_current_or_next_dialog(accept=True)
    await agent.run("allUp")  # the event that was sent when the dialog came is still on its way
    await press(agent, "b")
    assert "b" in str(await agent.run("f.value"))


async def test_no_key_stays_down_when_typing_is_cancelled(agent: Agent) -> None:
    await agent.open(KEYS_DOWN)
    await agent.run("() => { f.focus(); f.onkeydown = () => { f.onkeydown = null; alert('hm') } }")
    async with agent.page.settle_afterwards():
        await services_of(agent.page).current_action.record_state_before_events()
        await services_of(agent.page).current_action.perform_until_dialog(
            services_of(agent.page).keyboard.type_text("ABC")
        )
    dialog = agent.page.blockers.dialog
    assert dialog is not None
    await agent.page.answer_current_or_next_dialog(accept=True)
    assert await agent.run("[...down].join()") == ""
    assert await agent.run("f.value.length") in ("0", "1")


@pytest.mark.parametrize(
    ("key", "hint"),
    [("Entr", "Enter"), ("Control+Bogus", "Use a name such as Enter"), ("", "name is missing")],
)
async def test_a_key_that_there_is_not_is_refused(agent: Agent, key: str, hint: str) -> None:
    with pytest.raises(CallError, match=hint):
        await agent.page.press_key_and_detect_select_all(key)

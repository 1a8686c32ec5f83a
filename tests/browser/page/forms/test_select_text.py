"""Selection of a text in fields, editors and documents, and what typing replaces then."""

from __future__ import annotations

import pytest

from tests.browser.page.agent import Agent
from viewpoint_mcp.errors import CallError, ElementDisabledError, ElementError

FIELDS = """<input aria-label=Text value="order 12345 of 12345"><textarea aria-label=Note>one
two</textarea><input type=email aria-label=Mail value=ada@example.com>
<input type=number aria-label=Number value=98765>
<input type=password aria-label=Password value=hunter2>
<input type=date aria-label=Date value=2026-01-31><input disabled aria-label=Off value=abc>
<label>Labelled <input value="a b"></label>"""
EDITOR = """<div contenteditable aria-label=Editor role=textbox>
<p>Hello <b>brave</b> new&nbsp;world</p>
<p>Hello again<br>and again</p></div>"""
# Draws its text itself, and receives keys in a field without a size.
CODE = """<style>textarea { position: absolute; width: 1px; height: 1px; opacity: 0; resize: none }
pre { user-select: none; font: 16px monospace }</style>
<div id=code><textarea aria-label=Code></textarea><pre>let total = 12</pre></div><script>
const at = event => document.caretPositionFromPoint(event.x, event.y).offset
const area = document.querySelector('textarea'), pre = document.querySelector('pre')
let from
pre.onmousedown = event => { from = at(event); event.preventDefault(); area.focus() }
pre.onmouseup = event => { area.title = pre.textContent.slice(from, at(event)) }
area.oninput = () => { pre.textContent = pre.textContent.replace(area.title, area.value) }
</script>"""


async def select(agent: Agent, target: str, text: str, occurrence: int | None = None) -> str:
    return await (await agent.page.find_element(target)).select_text(text, occurrence)


async def type_over(agent: Agent, text: str) -> None:
    await (await agent.page.find_focused_field()).type_text(text, replace=False)


@pytest.mark.parametrize(
    ("target", "text", "occurrence", "value"),
    [
        ('textbox "Text"', "12345", 2, "order 12345 of X"),
        ('textbox "Text"', "3", 1, "order 12X45 of 12345"),
        ('textbox "Text"', "order 12345 of 12345", None, "X"),
        ('textbox "Note"', "e\ntw", None, "onXo"),
        ('textbox "Mail"', "example", None, "ada@X.com"),
        ('textbox "Password"', "unt", None, "hXer2"),
        ('textbox "Labelled"', "b", None, "a X"),
    ],
)
async def test_typing_replaces_the_text_in_a_field(
    agent: Agent, target: str, text: str, occurrence: int | None, value: str
) -> None:
    await agent.open(FIELDS)
    sentence = await select(agent, target, text, occurrence)
    assert "hunter" not in sentence
    await type_over(agent, "X")
    assert await agent.run("document.activeElement.value") == value


async def test_a_field_that_scripts_cannot_select_in_gets_keys(agent: Agent) -> None:
    await agent.open(FIELDS)
    assert (
        await select(agent, 'spinbutton "Number"', "87") == 'Selected "87" in spinbutton "Number"'
    )
    await type_over(agent, "00")
    assert await agent.run("document.activeElement.value") == "90065"


async def test_a_label_names_its_field(agent: Agent) -> None:
    await agent.open(FIELDS)
    await select(agent, "label", "b")
    assert await agent.run("getSelection() + ''") == "b"


@pytest.mark.parametrize(
    ("target", "text", "occurrence", "message"),
    [
        (
            "[aria-label=Text]",
            "foo",
            None,
            'does not contain "foo"; it contains "order 12345 of 12345". Pass a part of it',
        ),
        (
            "[aria-label=Text]",
            "12345",
            None,
            'contains "12345" 2 times. Pass a longer text, or occurrence (1 to 2).',
        ),
        ("[aria-label=Text]", "order", 3, 'contains "order" once, so it has no occurrence 3.'),
        (
            "[aria-label=Password]",
            "zzz",
            None,
            "does not contain the text; it holds 7 characters. Pass a part of it; case matters.",
        ),
    ],
)
async def test_a_text_that_cannot_be_chosen_is_explained(
    agent: Agent, target: str, text: str, occurrence: int | None, message: str
) -> None:
    await agent.open(FIELDS)
    with pytest.raises(CallError) as raised:
        await select(agent, target, text, occurrence)
    assert message in str(raised.value)


async def test_fields_without_text_are_refused(agent: Agent) -> None:
    await agent.open(FIELDS)
    with pytest.raises(ElementError, match='textbox "Date" has no text to select'):
        await select(agent, 'textbox "Date"', "2026")
    with pytest.raises(ElementDisabledError, match='textbox "Off" is disabled'):
        await select(agent, 'textbox "Off"', "b")


@pytest.mark.parametrize(
    ("text", "occurrence", "content"),
    [
        ("brave new world", None, "Hello X\n\nHello again\nand again"),
        ("again", 2, "Hello brave new world\n\nHello again\nand X"),
        ("world Hello again", None, "Hello brave new X\n\nand again"),
    ],
)
async def test_typing_replaces_the_text_in_an_editor(
    agent: Agent, text: str, occurrence: int | None, content: str
) -> None:
    await agent.open(EDITOR)
    await select(agent, 'textbox "Editor"', text, occurrence)
    await type_over(agent, "X")
    held = await agent.run("document.activeElement.innerText.replaceAll('\\u00a0', ' ')")
    assert (held or "").strip() == content


@pytest.mark.parametrize("target", ['textbox "Code"', "#code"])
async def test_text_that_a_code_editor_draws_is_selected_with_the_mouse(
    agent: Agent, target: str
) -> None:
    await agent.load(CODE)
    await select(agent, target, "12")
    await type_over(agent, "7")
    assert await agent.run("document.querySelector('pre').textContent") == "let total = 7"


async def test_text_of_the_page_is_selected_with_the_mouse(agent: Agent) -> None:
    await agent.open(
        """<p onmouseup="document.title = getSelection()">Some <i>long</i> text of&nbsp;it</p>"""
    )
    assert await select(agent, "p", "long text of") == ('Selected "long text of" in paragraph (p)')
    assert await agent.page.title() == "long text of"


@pytest.mark.parametrize(
    "html",
    [
        "<a href=#>Some long text</a>",
        "<p style='user-select: none'>Some long text",
        "<p style='direction: rtl'>Some long text",
        "<p onmousedown='event.preventDefault()'>Some long text",
        "<p style='height: 3000px'>Text</p><p>Some <b>long</b> text</p>",
    ],
)
async def test_a_script_selects_what_the_mouse_cannot(agent: Agent, html: str) -> None:
    await agent.open(html)
    await select(agent, "body", "long te")
    assert (
        await agent.run("getSelection().toString() || getSelection().getRangeAt(0).toString()")
        == "long te"
    )


async def test_text_in_a_frame_is_selected(agent: Agent) -> None:
    await agent.open(
        """<iframe title=Inner srcdoc="<p>Some long text</p><input value=abc>"></iframe>"""
    )
    await select(agent, 'iframe "Inner"', "long")
    await select(agent, 'textbox in iframe "Inner"', "b")
    await type_over(agent, "X")
    assert await agent.run("frames[0].document.querySelector('input').value") == "aXc"

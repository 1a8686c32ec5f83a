"""Typing at the caret, and selections in replies."""

from __future__ import annotations

import pytest

from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import ElementError
from viewpoint_mcp.page.page import Page

FIELD = "<input id=f aria-label=F value='60s15s'><button>B</button>"
AREA = "<textarea id=f aria-label=F>one two three</textarea>"
RICH = "<div id=f contenteditable role=textbox aria-label=F><p>one two</p><p>three</p></div>"
# An editor in a frame in a frame. Its whole body is editable.
NESTED = """<iframe title=Outer srcdoc="<iframe title=Inner style='width:250px' srcdoc='
<body contenteditable><div>a kettle boils</div><div>twice</div>'></iframe>"></iframe>"""
# A code editor: it draws its text itself and stores the caret in a model. An invisible field
# receives the keys and contains the selected text.
CODE = """<div id=e style="width:300px;height:60px;font:16px monospace;border:1px solid">
<pre id=lines style="margin:0"></pre>
<textarea id=f aria-label=Code style="position:absolute;width:1px;height:1px;opacity:0"></textarea>
</div><script>
let text = 'interval: 60s\\nretry: 5', from = 0, to = 0
function draw() {
  lines.textContent = text; f.value = text.slice(from, to); f.setSelectionRange(0, to - from)
}
draw()
e.ondblclick = () => { from = text.indexOf('60s'); to = from + 3; f.focus(); draw() }
e.onmousedown = (event) => { event.preventDefault(); f.focus() }
f.onkeydown = (event) => {
  if (event.key === 'End') {
    from = to = event.ctrlKey ? text.length : (text + '\\n').indexOf('\\n', to)
    event.preventDefault(); draw()
  }
}
f.onbeforeinput = (event) => {
  event.preventDefault()
  text = text.slice(0, from) + event.data + text.slice(to); from = to = from + event.data.length
  draw()
}
</script>"""


async def slowly(agent: Agent, text: str, what: str = "#f") -> str:
    return await (await agent.page.find_element(what)).type_text(text, slowly=True)


async def at_caret(page: Page, text: str, *, slow: bool = False) -> str:
    element = await page.find_focused_field()
    return await element.type_text(text, slowly=slow, replace=False)


async def test_slowly_keeps_the_caret_of_a_field_that_has_the_focus(agent: Agent) -> None:
    await agent.open(FIELD)
    await agent.run("() => { f.focus(); f.setSelectionRange(3, 3) }")
    assert await slowly(agent, "30s") == ""
    assert await agent.run("f.value") == "60s30s15s"


async def test_slowly_replaces_the_selection_as_keys_do(agent: Agent) -> None:
    await agent.open(AREA)
    await agent.run("() => { f.focus(); f.setSelectionRange(4, 7) }")
    assert await slowly(agent, "2") == ""
    assert await agent.run("f.value") == "one 2 three"


async def test_slowly_appends_to_a_field_without_the_focus(agent: Agent) -> None:
    await agent.open(FIELD)
    await agent.run("() => { f.setSelectionRange(0, 2); document.querySelector('button').focus() }")
    assert await slowly(agent, "!") == ""
    assert await agent.run("f.value") == "60s15s!"


async def test_slowly_keeps_the_selection_in_an_editable_element(agent: Agent) -> None:
    await agent.open(RICH + "<button>Bold</button>")
    await agent.run(
        "() => { const text = f.querySelector('p').firstChild; f.focus();"
        "getSelection().setBaseAndExtent(text, 4, text, 7);"
        "document.querySelector('button').focus() }"
    )
    assert await slowly(agent, "2") == ""
    assert await agent.run("f.innerText") == "one 2\n\nthree"


async def test_text_that_a_field_changes_at_its_caret_is_reported(agent: Agent) -> None:
    await agent.open("<input id=f value=1234 oninput=\"value = value.replace(/\\D/g, '')\">")
    await agent.run("() => { f.focus(); f.setSelectionRange(2, 2) }")
    assert await slowly(agent, "5x") == 'it holds "12534" now'


async def test_a_code_editor_keeps_its_selection(agent: Agent) -> None:
    await agent.open(CODE)
    async with agent.page.settle_afterwards():
        await agent.click(await agent.page.find_element("#lines"), count=2)
    assert await slowly(agent, "15s") == ""
    assert await agent.run("text") == "interval: 15s\nretry: 5"


async def test_slowly_appends_to_a_code_editor_without_the_focus(agent: Agent) -> None:
    await agent.open(CODE)
    assert await slowly(agent, "0") == ""
    assert await agent.run("text") == "interval: 60s\nretry: 50"


async def test_an_editor_whose_input_element_has_no_size_is_typed_into(agent: Agent) -> None:
    await agent.open(
        "<pre id=out></pre><div id=f tabindex=0 role=textbox style='width:0;height:0'></div>"
        "<script>"
        "const c = f.editContext = new EditContext({text: 'wait 60s', selectionStart: 5,"
        "selectionEnd: 8}); c.ontextupdate = () => out.textContent = c.text;"
        "f.focus()</script>"
    )
    assert await agent.page.describe_selected_text() == 'Selected: "60s"'
    assert await slowly(agent, "15s") == ""
    assert await at_caret(agent.page, "!") == ""
    assert await agent.run("out.textContent") == "wait 15s!"


async def test_an_editor_in_nested_frames_keeps_its_selection(agent: Agent) -> None:
    await agent.load(NESTED)
    body = await agent.page.find_element("f2e1")
    await agent.run(
        "() => { const inner = frames[0].frames[0]; inner.focus();"
        "const text = inner.document.querySelector('div').firstChild;"
        "inner.getSelection().setBaseAndExtent(text, 2, text, 8) }"
    )
    assert await body.type_text("pot", slowly=True) == ""
    held = await agent.run("frames[0].frames[0].document.body.innerText")
    assert str(held).split("\n")[0] == "a pot boils"


@pytest.mark.parametrize("slow", [False, True])
@pytest.mark.parametrize(
    ("html", "focus"),
    [
        ("<input id=f value=ad>", "f"),
        (
            (
                "<x-f id=h></x-f><script>h.attachShadow({mode: 'open'}).innerHTML ="
                "'<input value=ad>'</script>"
            ),
            "h.shadowRoot.querySelector('input')",
        ),
        (
            "<iframe srcdoc='<input value=ad>'></iframe>",
            "frames[0].document.querySelector('input')",
        ),
    ],
)
async def test_without_an_element_the_focused_field_gets_the_text_at_its_caret(
    agent: Agent, html: str, focus: str, slow: bool
) -> None:
    await agent.open(html)
    await agent.run(f"() => {{ const at = {focus}; at.focus(); at.setSelectionRange(1, 1) }}")
    assert await at_caret(agent.page, "bc", slow=slow) == ""
    assert await agent.run(f"{focus}.value") == "abcd"


async def test_without_an_element_a_field_of_another_sites_frame_gets_the_text(
    agent: Agent, site: Site
) -> None:
    inner = site.page("<input value=ad>").replace("127.0.0.1", "localhost")
    await agent.go(site.page(f"<iframe src='{inner}'></iframe>"))
    await agent.click("textbox")
    async with agent.page.settle_afterwards():
        await agent.page.press_key_and_detect_select_all("Home")
    assert await at_caret(agent.page, "x") == ""
    assert "textbox [active]" in await agent.snapshot()
    assert ": xad" in await agent.snapshot()


@pytest.mark.parametrize(
    ("html", "says"),
    [
        ("<p>Hello</p>", "No editable element has the focus. Click the field first, or pass ref."),
        ("<button autofocus>Go</button>", 'No editable element has the focus; button "Go" has it.'),
    ],
)
async def test_without_a_focused_field_there_is_nothing_to_type_into(
    agent: Agent, html: str, says: str
) -> None:
    await agent.open(html)
    await agent.run("() => document.querySelector('button')?.focus()")
    with pytest.raises(ElementError) as error:
        await agent.page.find_focused_field()
    assert str(error.value).startswith(says)


@pytest.mark.parametrize(
    ("html", "select", "says"),
    [
        ("<p>Hello</p>", "", ""),
        ("<p id=p>Hello you</p>", "getSelection().selectAllChildren(p)", 'Selected: "Hello you"'),
        (AREA, "f.focus(); f.setSelectionRange(4, 7)", 'Selected: "two"'),
        (AREA, "f.focus(); f.setSelectionRange(4, 4)", ""),
        (RICH, "f.focus(); getSelection().selectAllChildren(f)", 'Selected: "one two three"'),
        (
            "<input id=f type=password value=hush>",
            "f.focus(); f.select()",
            "Selected: 4 characters",
        ),
        (
            f"<textarea id=f>{'word ' * 400}</textarea>",
            "f.focus(); f.select()",
            f'Selected: "{"word " * 16}…" (2,000 characters)',
        ),
        (
            "<iframe srcdoc='<p>Inside</p>'></iframe>",
            (
                "const inner = frames[0]; inner.focus();"
                "inner.getSelection().selectAllChildren(inner.document.querySelector('p'))"
            ),
            'Selected: "Inside"',
        ),
        (
            (
                "<x-h id=h></x-h><script>h.attachShadow({mode: 'open'}).innerHTML ="
                "'<div contenteditable>In a shadow</div>'</script>"
            ),
            (
                "const at = h.shadowRoot.querySelector('div'); at.focus();"
                "getSelection().selectAllChildren(at)"
            ),
            'Selected: "In a shadow"',
        ),
    ],
)
async def test_the_selection_is_reported(agent: Agent, html: str, select: str, says: str) -> None:
    await agent.open(html)
    await agent.run(f"() => {{ {select} }}")
    assert await agent.page.describe_selected_text() == says

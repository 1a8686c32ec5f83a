"""Fields that change the typed text: the result reports their value."""

from __future__ import annotations

import pytest

from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import (
    CallError,
    ElementDisabledError,
    ElementError,
    ElementNotVisibleError,
)

VALUE = "document.querySelector('#f').value"
REACT = """<div id=root></div><script>
// The two halves of a controlled input: a tracker on the element that tells programs from people,
// and state that is written back into the field after each event.
function controlled(field, change) {
  const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
  let tracked = '', state = ''
  Object.defineProperty(field, 'value', {
    configurable: true, get() { return own.get.call(this) },
    set(v) { tracked = '' + v; own.set.call(this, v) } })
  field._valueTracker = { getValue: () => tracked, setValue: (v) => { tracked = '' + v } }
  root.addEventListener('input', (event) => {
    const now = own.get.call(event.target)
    if (now === tracked) return
    tracked = now
    state = change(now, state)
    if (field.value !== state) field.value = state
    document.title = state
  })
}
root.innerHTML = '<input id=f aria-label=F>'
controlled(f, CHANGE)
</script>"""


async def typed(agent: Agent, text: str, *, slowly: bool = False, submit: bool = False) -> str:
    """Type into #f; return the text that the result adds."""
    element = await agent.page.find_element("#f")
    return await element.type_text(text, slowly=slowly, submit=submit)


@pytest.mark.parametrize("slowly", [False, True])
@pytest.mark.parametrize(
    ("html", "text", "holds"),
    [
        ("<input id=f maxlength=3>", "abcdef", "abc"),
        ("<textarea id=f maxlength=4></textarea>", "abcdef", "abcd"),
        ("<input id=f type=number>", "12abc", "12"),
        ("<input id=f oninput='value = value.toUpperCase()'>", "abc", "ABC"),
        ("<input id=f oninput=\"value = value.replace(/\\D/g, '')\">", "1a2", "12"),
        (
            (
                "<input id=f oninput=\"const d = value.replace(/\\D/g, '').slice(0, 10);"
                "value = d.length > 3 ? `(${d.slice(0, 3)}) ${d.slice(3)}` : d;"
                'setSelectionRange(value.length, value.length)">'
            ),
            "5551234567",
            "(555) 1234567",
        ),
        (
            (
                "<input id=f value=7 onbeforeinput='"
                "if (!/^[0-9]*$/.test(event.data)) event.preventDefault()'>"
            ),
            "4",
            None,
        ),
    ],
)
async def test_a_field_that_changes_the_text_is_reported(
    agent: Agent, html: str, text: str, holds: str | None, slowly: bool
) -> None:
    await agent.open(html)
    note = await typed(agent, text, slowly=slowly)
    assert note == ("" if holds is None else f'it holds "{holds}" now')


async def test_a_line_break_in_a_single_line_field_is_reported(agent: Agent) -> None:
    await agent.open("<input id=f>")
    assert await typed(agent, "one\ntwo") == 'it holds "one two" now'


async def test_text_that_a_late_handler_changes_is_reported_with_its_final_value(
    agent: Agent,
) -> None:
    await agent.open("<input id=f oninput='setTimeout(() => { f.value = f.value.trim() }, 100)'>")
    assert await typed(agent, "abc ") == 'it holds "abc" now'


@pytest.mark.parametrize("slowly", [False, True])
@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<input id=f aria-label=F onbeforeinput='event.preventDefault()'>", "abc"),
        ("<input id=f aria-label=F type=number>", "abc"),
        ("<input id=f aria-label=F maxlength=0>", "abc"),
        (
            (
                "<div id=f aria-label=F role=textbox contenteditable "
                "onbeforeinput='event.preventDefault()'></div>"
            ),
            "abc",
        ),
    ],
)
async def test_text_of_which_nothing_arrives_is_an_error(
    agent: Agent, html: str, text: str, slowly: bool
) -> None:
    await agent.open(html)
    with pytest.raises(ElementError, match=r'"F" did not accept the text; it still holds nothing'):
        await typed(agent, text, slowly=slowly)


@pytest.mark.parametrize("slowly", [False, True])
async def test_a_controlled_field_keeps_the_text(agent: Agent, slowly: bool) -> None:
    await agent.open(REACT.replace("CHANGE", "(now) => now"))
    assert await typed(agent, "Ann", slowly=slowly) == ""
    assert await agent.run("document.title") == "Ann"


@pytest.mark.parametrize("slowly", [False, True])
async def test_a_controlled_field_that_refuses_the_text_is_reported(
    agent: Agent, slowly: bool
) -> None:
    await agent.open(REACT.replace("CHANGE", "(now, state) => (/^\\d*$/.test(now) ? now : state)"))
    await typed(agent, "42", slowly=slowly)
    assert await agent.run("document.title") == "42"
    assert await typed(agent, "x", slowly=True) == 'it still holds "42"'


async def test_a_model_that_updates_on_change_is_updated_when_the_field_loses_focus(
    agent: Agent,
) -> None:
    await agent.open("<input id=f onchange='document.title = value'><button>Next</button>")
    await typed(agent, "lazy")
    await agent.click("button")
    assert await agent.run("document.title") == "lazy"


async def test_a_field_that_is_replaced_at_the_first_key_is_reported(agent: Agent) -> None:
    await agent.open(
        "<div id=w><input id=f></div><script>f.oninput = () => "
        "{ w.innerHTML = '<input id=g value=\"' + f.value + '\" >' }</script>"
    )
    note = await typed(agent, "abc", slowly=True)
    assert note == "it is no longer on the page"
    assert await agent.run("g.value") == "a"


async def test_a_field_that_is_replaced_and_keeps_the_text_is_accepted(agent: Agent) -> None:
    await agent.open(
        "<div id=w><input id=f></div><script>function swap(e) { const n = e.target.cloneNode();"
        "n.value = e.target.value; n.oninput = swap; w.replaceChildren(n); n.focus();"
        "n.setSelectionRange(9, 9) } f.oninput = swap</script>"
    )
    assert await typed(agent, "abc", slowly=True) == ""
    assert await agent.run(VALUE) == "abc"


async def test_the_element_that_has_the_focus_instead_is_named(agent: Agent) -> None:
    await agent.open("<input id=g aria-label=Thief><input id=f aria-label=F onfocus='g.focus()'>")
    with pytest.raises(
        ElementDisabledError, match='"F" did not get the focus; textbox "Thief" has it'
    ):
        await typed(agent, "abc")
    assert await agent.run("f.value + g.value") == ""


async def test_a_password_is_never_in_the_reply(agent: Agent) -> None:
    await agent.open("<input id=f type=password maxlength=4>")
    note = await typed(agent, "hunter2")
    assert note == "it holds 4 characters now, but not the typed text"


async def test_a_dialog_during_typing_is_reported(agent: Agent) -> None:
    await agent.open("<input id=f oninput=\"alert('no')\">")
    assert await typed(agent, "abc", slowly=True) == "while it was typed, a dialog opened"
    assert agent.page.blockers.dialog is not None


async def test_enter_is_not_pressed_under_a_dialog(agent: Agent) -> None:
    await agent.open("<input id=f oninput=\"alert('no')\">")
    note = await typed(agent, "abc", submit=True)
    assert note == "while it was typed, a dialog opened, and Enter was not pressed"


async def test_a_field_of_a_new_document_is_not_confused_with_the_old_field(
    agent: Agent, site: Site
) -> None:
    other = site.page("<input autofocus value=other>", path="/other")
    await agent.go(site.page("<input id=f oninput=\"location = '/other'\">"))
    assert await typed(agent, "abc") == ""
    assert agent.page.url == other


async def test_half_a_surrogate_pair_is_refused(agent: Agent) -> None:
    await agent.open("<input id=f>")
    with pytest.raises(CallError, match="half of a surrogate pair"):
        await typed(agent, "a\ud83d")


@pytest.mark.parametrize("slowly", [False, True])
@pytest.mark.parametrize(
    "text", ["e\u0301", "👩‍👩‍👧 🏳️‍🌈", "שלום עולם", "日本語 한국어", "Ünïcode ß"]
)
@pytest.mark.parametrize("html", ["<input id=f>", "<div id=f contenteditable></div>"])
async def test_any_script_is_typed(agent: Agent, html: str, text: str, slowly: bool) -> None:
    await agent.open(html)
    assert await typed(agent, text, slowly=slowly) == ""
    assert await agent.run("f.value ?? f.innerText") == text


async def test_an_input_method_is_played_for_scripts_that_need_one(agent: Agent) -> None:
    await agent.open("<input id=f>")
    await agent.run(
        "() => { for (const type of ['compositionstart', 'beforeinput', 'input', 'compositionend'])"
        "f.addEventListener(type, (e) => "
        "{ document.title += type + (e.isComposing ? '*;' : ';') }) }"
    )
    assert await typed(agent, "日本", slowly=True) == ""
    events = str(await agent.run("document.title")).split(";")[:-1]
    assert events[:3] == ["compositionstart", "beforeinput*", "input*"]
    assert events[-1] == "compositionend"


@pytest.mark.parametrize("kind", ["email", "number", "search", "text"])
async def test_slow_typing_appends_to_the_text(agent: Agent, kind: str) -> None:
    await agent.open(f"<input id=f type={kind} value=12>")
    assert await typed(agent, "34", slowly=True) == ""
    assert await agent.run(VALUE) == "1234"


async def test_a_submit_presses_enter_in_a_textarea_too(agent: Agent) -> None:
    await agent.open("<textarea id=f></textarea>")
    assert await typed(agent, "one", submit=True) == ""
    assert await agent.run(VALUE) == "one\n"


async def test_a_chat_box_that_clears_itself_at_enter_received_the_text(agent: Agent) -> None:
    await agent.open(
        "<textarea id=f onkeydown=\"if (event.key == 'Enter') { event.preventDefault();"
        "document.title = value; value = '' }\"></textarea>"
    )
    assert await typed(agent, "hello", submit=True) == ""
    assert await agent.run("document.title") == "hello"


@pytest.mark.parametrize(
    ("html", "text", "shows"),
    [
        ("<div id=f contenteditable><p>a</p><p>b</p></div>", "one\ntwo", "one\n\ntwo"),
        ("<div id=f contenteditable=plaintext-only>a</div>", "one\ntwo", "one\ntwo"),
        ("<div contenteditable>keep <p id=f>old</p></div>", "new", "new"),
        (
            (
                "<div contenteditable>a<div contenteditable=false>b"
                "<div id=f contenteditable>c</div></div></div>"
            ),
            "new",
            "new",
        ),
    ],
)
async def test_the_text_of_an_editable_element_is_replaced(
    agent: Agent, html: str, text: str, shows: str
) -> None:
    await agent.open(html)
    assert await typed(agent, text) == ""
    assert await agent.run("f.innerText") == shows


MODEL_EDITOR = """<div id=f contenteditable role=textbox aria-label=F><p>old text</p></div><script>
// As rich editors do: drawn from a model, with the caret known from `selectionchange`.
let model = 'old text', from = 0, to = 0
document.addEventListener('selectionchange', () => {
  const { anchorNode, focusNode } = getSelection()
  if (f.contains(anchorNode)) [from, to] = anchorNode === f || focusNode === f ? [0, model.length]
    : [getSelection().anchorOffset, getSelection().focusOffset]
})
function draw() {
  f.innerHTML = '<p></p>'; f.firstChild.textContent = model
  const node = f.firstChild.firstChild ?? f.firstChild
  getSelection().setPosition(node, from)
}
f.addEventListener('beforeinput', (event) => {
  event.preventDefault()
  const text = event.inputType.startsWith('delete') ? '' : event.data ?? ''
  model = model.slice(0, from) + text + model.slice(to)
  from = to = from + text.length
  draw()
})
</script>"""


async def test_an_editor_that_draws_its_model_gets_the_text(agent: Agent) -> None:
    await agent.open(MODEL_EDITOR)
    assert await typed(agent, "new words") == ""
    assert await agent.run("model + '|' + f.innerText") == "new words|new words"


async def test_an_editor_that_draws_its_model_is_added_to(agent: Agent) -> None:
    await agent.open(MODEL_EDITOR)
    assert await typed(agent, "!", slowly=True) == ""
    assert await agent.run("model") == "old text!"


async def test_an_editor_that_draws_its_model_is_emptied(agent: Agent) -> None:
    await agent.open(MODEL_EDITOR)
    await typed(agent, "")
    assert await agent.run("model") == ""


CODE_EDITOR = """<div id=f><div style="overflow:hidden;position:relative;width:3px;height:0">
<textarea style="position:absolute;width:1000px;height:1em"></textarea></div>
<pre id=code>old</pre></div>
<script>
// As code editors do: a text area that nobody sees takes the keys, the text is drawn elsewhere.
const area = f.querySelector('textarea')
let text = 'old', all = false
area.addEventListener('keydown', (event) => { if (event.ctrlKey && event.key === 'a') all = true
  if (event.key === 'Delete' && all) { text = ''; code.textContent = '' } })
area.addEventListener('input', () => {
  text = all ? area.value : text + area.value
  all = false; area.value = ''; code.textContent = text })
</script>"""


async def test_a_code_editor_with_a_hidden_text_area_gets_the_text(agent: Agent) -> None:
    await agent.open(CODE_EDITOR)
    assert await typed(agent, "let a\nlet b") == ""
    assert await agent.run("code.textContent") == "let a\nlet b"
    await typed(agent, "")
    assert await agent.run("code.textContent") == ""


async def test_a_document_that_is_edited_as_a_whole_is_typed_into_by_its_frame(
    agent: Agent,
) -> None:
    await agent.open("<iframe id=f srcdoc='<body>old'></iframe>")
    await agent.run("() => { f.contentDocument.designMode = 'on' }")
    assert await typed(agent, "new") == ""
    assert await agent.run("f.contentDocument.body.innerText") == "new"


async def test_a_frame_that_is_not_editable_is_no_text_field(agent: Agent) -> None:
    await agent.open("<iframe id=f srcdoc='<body>old'></iframe>")
    with pytest.raises(ElementDisabledError, match="not a text field"):
        await typed(agent, "new")


@pytest.mark.parametrize("slowly", [False, True])
async def test_a_field_in_a_frame_of_another_process_is_typed_into(
    agent: Agent, site: Site, slowly: bool
) -> None:
    inner = site.page("<input aria-label=In onblur='0'>").replace("127.0.0.1", "localhost")
    if inner.startswith(site.url()):
        inner = inner.replace("localhost", "127.0.0.1")
    await agent.go(site.page(f"<input aria-label=Out><iframe src={inner}></iframe>"))
    field = await agent.find('textbox "In"')
    assert await field.type_text("héllo 日", slowly=slowly) == ""
    assert 'textbox "In" [active]' in (snapshot := await agent.snapshot())
    assert ": héllo 日" in snapshot
    out = await agent.find('textbox "Out"')
    assert await out.type_text("back", slowly=slowly) == ""
    assert ": back" in await agent.snapshot()


@pytest.mark.parametrize("slowly", [False, True])
async def test_a_field_in_a_closed_shadow_root_is_typed_into(agent: Agent, slowly: bool) -> None:
    await agent.open("<x-field></x-field>")
    await agent.run(
        "() => { customElements.define('x-field', class extends HTMLElement { constructor() {"
        "super(); this.attachShadow({mode: 'closed'}).innerHTML ="
        "'<input aria-label=In oninput=\"document.title = value\">' } }) }"
    )
    field = await agent.find('textbox "In"')
    assert await field.type_text("hidden", slowly=slowly) == ""
    assert await agent.run("document.title") == "hidden"


async def test_the_element_that_disables_a_field_is_named(agent: Agent) -> None:
    await agent.open(
        "<fieldset disabled aria-label=Payment><input id=f aria-label=Card></fieldset>"
    )
    with pytest.raises(
        ElementDisabledError, match=r'disabled by its fieldset, group "Payment" \[ref=e\d+\]'
    ):
        await typed(agent, "4711")


async def test_the_element_that_hides_a_field_is_named(agent: Agent) -> None:
    await agent.open("<form style='display: none' aria-label=Pay><input id=f></form>")
    with pytest.raises(ElementNotVisibleError, match=r'form "Pay" \[ref=e\d+\] is not displayed'):
        await typed(agent, "4711")

"""browser_type: the value of the field afterwards, and the events of the page."""

from __future__ import annotations

import json
import time

import pytest

from tests.e2e.conftest import Show
from tests.e2e.support.client import ServerClient
from tests.site import Site

# Writes each event of the field into the log.
LOG = """<input id=f aria-label=Field value=old><p id=log></p><script>
for (const type of ['keydown', 'beforeinput', 'input', 'keyup', 'change', 'focus'])
  f.addEventListener(type, e => { log.append(type + (e.key ? ':' + e.key : '') + ' ') })
</script>"""
# Keeps its own state, as a framework does, and writes that back into the field.
CONTROLLED = """<input id=f aria-label=Field><p id=state></p><script>
let value = 'old'; f.value = value
const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
Object.defineProperty(f, 'value', {
  get() { return native.get.call(f) }, set(v) { tracked = v; native.set.call(f, v) } })
let tracked = value
f.addEventListener('input', () => {
  if (f.value === tracked) return
  value = f.value; f.value = value; state.textContent = `state is ${value}` })
</script>"""


async def value_of(server: ServerClient, selector: str = "#f") -> str:
    script = "element => [element.isContentEditable ? element.innerText : element.value]"
    reply = await server.call("browser_evaluate", ref=selector, function=script)
    (value,) = json.loads(reply.sections["Result"])
    return str(value)


async def test_text_replaces_the_content(shared_server: ServerClient, show: Show) -> None:
    page = await show("<input aria-label=Field value=old>")
    field = page.ref("textbox", "Field")
    reply = await shared_server.call("browser_type", ref=field, text="new text")
    assert reply.sections["Result"] == 'Typed into textbox "Field"'
    assert f'- textbox "Field" [active] [ref={field}]: new text' in reply.sections["Snapshot"]


async def test_an_empty_text_clears_the_field(shared_server: ServerClient, show: Show) -> None:
    await show(LOG)
    reply = await shared_server.call("browser_type", ref="#f", text="")
    assert await value_of(shared_server) == ""
    assert "input " in reply.sections["Snapshot"]


async def test_the_page_sees_the_input(shared_server: ServerClient, show: Show) -> None:
    await show(LOG)
    reply = await shared_server.call("browser_type", ref="#f", text="new")
    assert "focus beforeinput input" in reply.sections["Snapshot"]


async def test_slowly_adds_key_by_key(shared_server: ServerClient, show: Show) -> None:
    await show(LOG)
    reply = await shared_server.call("browser_type", ref="#f", text="ab", slowly=True)
    assert await value_of(shared_server) == "oldab"
    keys = "keydown:a beforeinput input keyup:a keydown:b beforeinput input keyup:b"
    assert keys in reply.sections["Snapshot"]


async def test_submit_presses_enter_and_follows_the_form(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    url = site.page("<h1>Found</h1>", path="/search")
    await show("<form action=/search><input id=f name=q></form>")
    reply = await shared_server.call("browser_type", ref="#f", text="a b", submit=True)
    assert f"- Page URL: {url}?q=a+b" in reply.sections["Page"]
    assert "Found" in reply.sections["Snapshot"]


async def test_a_field_that_a_framework_controls_accepts_the_text(
    shared_server: ServerClient, show: Show
) -> None:
    await show(CONTROLLED)
    reply = await shared_server.call("browser_type", ref="#f", text="new")
    assert await value_of(shared_server) == "new"
    assert "state is new" in reply.sections["Snapshot"]


async def test_a_change_by_a_debounced_handler_is_in_the_reply(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    site.respond("/hints", "hint one")
    script = "fetch('/hints').then(r => r.text()).then(t => p.textContent = t)"
    await show(
        "<input id=f><p id=p></p><script>"
        f"f.oninput = () => setTimeout(() => {script}, 250)</script>"
    )
    reply = await shared_server.call("browser_type", ref="#f", text="x")
    assert "hint one" in reply.sections["Snapshot"]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<textarea id=f>old</textarea>", "one\ntwo"),
        ("<div id=f contenteditable>old <b>bold</b></div>", "new text"),
        ("<div id=f contenteditable></div>", "new"),
        ("<input id=f type=number value=1>", "42.5"),
        ("<input id=f type=search value=old>", "new"),
        ("<input id=f type=password value=old>", "pass word"),
        ("<input id=f type=email value=a@b.c>", "d@e.f"),
        ("<input id=f type=date value=2020-01-01>", "2026-01-31"),
        ("<input id=f type=time>", "13:45"),
        ("<input id=f type=color>", "#ff0000"),
        ("<input id=f value=old>", "Zürich 北京 🙂"),
        ("<input id=f value=old>", "<b>\"quoted\" & 'single' \\ ${x}"),
        ("<input id=f maxlength=90>", "long " * 17),
    ],
)
async def test_each_kind_of_field_accepts_its_text(
    shared_server: ServerClient, show: Show, html: str, text: str
) -> None:
    await show(html)
    reply = await shared_server.call("browser_type", ref="#f", text=text)
    assert not reply.is_error, reply.text
    assert await value_of(shared_server) == text


@pytest.mark.parametrize("html", ["<textarea id=f>old</textarea>", "<input id=f value=old>"])
async def test_each_kind_of_field_is_cleared(
    shared_server: ServerClient, show: Show, html: str
) -> None:
    await show(html)
    await shared_server.call("browser_type", ref="#f", text="")
    assert await value_of(shared_server) == ""


async def test_a_date_field_fires_its_events(shared_server: ServerClient, show: Show) -> None:
    await show(
        "<input id=f type=date><p id=p></p>"
        "<script>f.oninput = () => p.append('input ')\n"
        "f.onchange = () => p.append('change')</script>"
    )
    reply = await shared_server.call("browser_type", ref="#f", text="2026-01-31")
    assert "input change" in reply.sections["Snapshot"]


async def test_a_malformed_date_is_refused_with_the_form_it_needs(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<input id=f type=date aria-label=Day>")
    reply = await shared_server.call("browser_type", ref="#f", text="31.1.2026")
    assert reply.is_error
    assert 'does not accept "31.1.2026"' in reply.sections["Error"]
    assert "2026-01-31 for a date" in reply.sections["Error"]


async def test_the_field_of_a_label_is_typed_into(shared_server: ServerClient, show: Show) -> None:
    await show("<label id=l>Name <input id=f></label>")
    await shared_server.call("browser_type", ref="#l", text="Anna")
    assert await value_of(shared_server) == "Anna"


async def test_a_field_in_a_frame_is_typed_into(shared_server: ServerClient, show: Show) -> None:
    page = await show("<iframe srcdoc='<input aria-label=In>'></iframe>")
    ref = page.ref("textbox", "In")
    reply = await shared_server.call("browser_type", ref=ref, text="inside")
    assert f'- textbox "In" [active] [ref={ref}]: inside' in reply.sections["Snapshot"]


async def test_a_field_in_a_shadow_root_is_typed_into(
    shared_server: ServerClient, show: Show
) -> None:
    script = "host.attachShadow({mode: 'open'}).innerHTML = '<input aria-label=In>'"
    page = await show(f"<div id=host></div><script>{script}</script>")
    ref = page.ref("textbox", "In")
    reply = await shared_server.call("browser_type", ref=ref, text="inside")
    assert "inside" in reply.sections["Snapshot"]


@pytest.mark.timing
@pytest.mark.parametrize(
    ("html", "cause"),
    [
        ("<input id=f readonly value=old>", "is read-only."),
        ("<input id=f disabled value=old>", "is disabled."),
        ("<button id=f value=old>A</button>", "is not a text field"),
        ("<input id=f type=checkbox value=old>", "checkbox or radio button with browser_fill_form"),
        ("<input id=f hidden value=old>", "is not visible: it is not displayed."),
    ],
)
async def test_an_element_that_takes_no_text_reports_the_reason(
    shared_server: ServerClient, show: Show, html: str, cause: str
) -> None:
    await show(html)
    start = time.monotonic()
    reply = await shared_server.call("browser_type", ref="#f", text="new")
    assert time.monotonic() - start < 3
    assert reply.is_error
    assert cause in reply.sections["Error"]
    assert await value_of(shared_server) == "old"


async def test_a_dialog_that_typing_opens_is_reported(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<input id=f oninput=\"alert('Too long')\">")
    reply = await shared_server.call("browser_type", ref="#f", text="x", within=10)
    assert '["alert" dialog with message "Too long"]' in reply.sections["Modal state"]


async def test_a_call_without_a_text_is_refused(shared_server: ServerClient, show: Show) -> None:
    await show("<input id=f>")
    reply = await shared_server.call("browser_type", ref="#f")
    assert reply.is_error
    assert "browser_type needs the argument 'text', a string." in reply.sections["Error"]


async def test_text_that_the_field_changes_is_reported(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<input id=f aria-label=Code maxlength=3>")
    reply = await shared_server.call("browser_type", ref="#f", text="abcdef")
    assert reply.sections["Result"] == 'Typed into textbox "Code"; it holds "abc" now'


async def test_a_text_of_which_nothing_arrives_is_an_error(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<input id=f aria-label=Code onbeforeinput='event.preventDefault()'>")
    reply = await shared_server.call("browser_type", ref="#f", text="abc")
    assert reply.is_error
    assert (
        'textbox "Code" did not accept the text; it still holds nothing.' in reply.sections["Error"]
    )


async def test_without_a_ref_the_text_is_typed_at_the_caret(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<input id=f value='a kettle' style='font: 20px monospace'>")
    reply = await shared_server.call("browser_click", ref="#f", doubleClick=True)
    assert reply.sections["Result"].split("\n")[1] == 'Selected: "kettle"'
    reply = await shared_server.call("browser_type", text="pot")
    assert reply.sections["Result"] == "Typed into textbox"
    reply = await shared_server.call("browser_press_key", key="Control+a")
    assert reply.sections["Result"] == 'Pressed Control+a\nSelected: "a pot"'
    await shared_server.call("browser_type", text="all", slowly=True)
    reply = await shared_server.call("browser_evaluate", function="() => f.value")
    assert reply.sections["Result"] == "all"


async def test_without_a_ref_and_a_focused_field_is_an_error(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<p>Hello</p>")
    reply = await shared_server.call("browser_type", text="x")
    assert "No editable element has the focus. Click the field first" in reply.sections["Error"]


async def test_a_selected_text_is_replaced(shared_server: ServerClient, show: Show) -> None:
    await show("<input id=f aria-label=Quantity value=1234>")
    reply = await shared_server.call("browser_select_text", ref="#f", text="3")
    assert reply.sections["Result"] == 'Selected "3" in textbox "Quantity"'
    await shared_server.call("browser_type", text="0")
    assert await value_of(shared_server) == "1204"


async def test_a_text_to_select_must_occur(shared_server: ServerClient, show: Show) -> None:
    await show("<input id=f aria-label=Quantity value=1234>")
    reply = await shared_server.call("browser_select_text", ref="#f", text="7")
    assert reply.is_error
    assert 'textbox "Quantity" does not contain "7"; it contains "1234".' in reply.text
    reply = await shared_server.call("browser_select_text", ref="#f", text="")
    assert "must be a non-empty string" in reply.text

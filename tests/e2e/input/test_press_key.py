"""browser_press_key: keys and combinations reach the focused element."""

from __future__ import annotations

import pytest

from tests.e2e.conftest import Show
from tests.e2e.support.client import ServerClient
from tests.site import Site

LOG = """<p id=log></p><script>addEventListener('keydown', e => {
  e.preventDefault()
  const held = ['ctrl', 'shift', 'alt', 'meta'].filter(k => e[k + 'Key']).join('+')
  log.textContent = `[${held}] ${e.key} ${e.code} ${e.keyCode}.` })</script>"""


async def test_enter_submits_a_form(shared_server: ServerClient, show: Show, site: Site) -> None:
    site.page("<h1>Found</h1>", path="/search")
    await show("<form action=/search><input autofocus name=q value=1></form>")
    reply = await shared_server.call("browser_press_key", key="Enter")
    assert reply.sections["Result"] == "Pressed Enter"
    assert "Found" in reply.sections["Snapshot"]


async def test_tab_moves_the_focus(shared_server: ServerClient, show: Show) -> None:
    await show("<input autofocus aria-label=One><input aria-label=Two>")
    reply = await shared_server.call("browser_press_key", key="Tab")
    assert '- textbox "Two" [active]' in reply.sections["Snapshot"]


async def test_shift_tab_moves_it_back(shared_server: ServerClient, show: Show) -> None:
    await show("<input aria-label=One><input autofocus aria-label=Two>")
    reply = await shared_server.call("browser_press_key", key="Shift+Tab")
    assert '- textbox "One" [active]' in reply.sections["Snapshot"]


async def test_a_character_is_typed(shared_server: ServerClient, show: Show) -> None:
    await show("<input autofocus aria-label=One>")
    reply = await shared_server.call("browser_press_key", key="é")
    assert ": é" in reply.sections["Snapshot"]


async def test_control_a_and_delete_empty_a_field(shared_server: ServerClient, show: Show) -> None:
    await show("<input autofocus id=f value='some text'>")
    await shared_server.call("browser_press_key", key="Control+a")
    selected = await shared_server.call("browser_evaluate", function="f.selectionEnd")
    assert selected.sections["Result"] == "9"
    await shared_server.call("browser_press_key", key="Delete")
    value = await shared_server.call("browser_evaluate", function="f.value === ''")
    assert value.sections["Result"] == "true"


async def test_space_presses_a_button(shared_server: ServerClient, show: Show) -> None:
    await show("<button autofocus onclick=\"p.textContent = 'pressed'\">A</button><p id=p></p>")
    reply = await shared_server.call("browser_press_key", key="Space")
    assert "pressed" in reply.sections["Snapshot"]


@pytest.mark.parametrize(
    ("key", "seen"),
    [
        ("a", "[] a KeyA 65."),
        ("A", "[shift] A KeyA 65."),
        ("Control+Shift+K", "[ctrl+shift] K KeyK 75."),
        ("ArrowLeft", "[] ArrowLeft ArrowLeft 37."),
        ("F5", "[] F5 F5 116."),
        ("Escape", "[] Escape Escape 27."),
        ("Control++", "[ctrl+shift] + Equal 187."),
        ("Meta+Backspace", "[meta] Backspace Backspace 8."),
        ("enter", "[] Enter Enter 13."),
    ],
)
async def test_the_page_sees_the_key(
    shared_server: ServerClient, show: Show, key: str, seen: str
) -> None:
    await show(LOG)
    reply = await shared_server.call("browser_press_key", key=key)
    assert seen in reply.sections["Snapshot"]


async def test_no_modifier_stays_down(shared_server: ServerClient, show: Show) -> None:
    await show(LOG)
    await shared_server.call("browser_press_key", key="Control+x")
    reply = await shared_server.call("browser_press_key", key="x")
    assert "[] x KeyX 88." in reply.sections["Snapshot"]


@pytest.mark.parametrize("key", ["NoSuchKey", "", "Control+NoSuchKey", "Hyper+a"])
async def test_a_key_that_there_is_not_is_refused(
    shared_server: ServerClient, show: Show, key: str
) -> None:
    await show(LOG)
    reply = await shared_server.call("browser_press_key", key=key)
    assert reply.is_error
    assert "key" in reply.sections["Error"].lower()
    now = await shared_server.call("browser_evaluate", function="log.textContent === ''")
    assert now.sections["Result"] == "true"


async def test_a_key_without_effect_names_the_element_with_the_focus(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show("<p>Tea</p><input aria-label=Name>")
    reply = await shared_server.call("browser_press_key", key="F9")
    assert reply.sections["Result"] == (
        "Pressed F9; nothing has the focus, so the document received the key"
    )
    await shared_server.call("browser_click", ref=page.ref("textbox", "Name"))
    reply = await shared_server.call("browser_press_key", key="F9")
    assert reply.sections["Result"] == 'Pressed F9; textbox "Name" has the focus'
    reply = await shared_server.call("browser_press_key", key="a")
    assert reply.sections["Result"] == "Pressed a"

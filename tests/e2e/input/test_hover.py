"""browser_hover: the menu under the mouse is in the reply, and stays open for the next call."""

from __future__ import annotations

from tests.e2e.conftest import Show
from tests.e2e.support.client import ServerClient

MENU = """<style>li > ul { display: none } li:hover > ul { display: block }</style>
<ul><li><button>File</button><ul><li><button onclick="document.body.append('SAVED')">Save</button>
</li></ul></li></ul><button title="Not now" disabled>Print</button>"""


async def test_a_menu_opens_and_stays_for_the_next_calls(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show(MENU)
    reply = await shared_server.call(
        "browser_hover", ref=page.ref("button", "File"), element="File menu"
    )
    assert reply.sections["Result"] == 'Hovered over button "File"'
    await shared_server.call("browser_take_screenshot")
    looked = await shared_server.call("browser_snapshot")
    clicked = await shared_server.call("browser_click", ref=looked.ref("button", "Save"))
    assert "SAVED" in clicked.sections["Snapshot"]


async def test_a_slow_tooltip_is_in_the_reply(shared_server: ServerClient, show: Show) -> None:
    page = await show(
        "<button onmouseover=\"setTimeout(() => tip.textContent = 'Explains', 300)\">?</button>"
        "<p id=tip></p>"
    )
    reply = await shared_server.call("browser_hover", target=page.ref("button", "?"))
    assert "Explains" in reply.sections["Snapshot"]


async def test_a_covered_element_is_refused_with_the_cause(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show("<button>Go</button>")
    await shared_server.call(
        "browser_evaluate",
        function="() => { const d = document.createElement('div'); d.textContent = 'Over';"
        "d.style = 'position: fixed; inset: 0; background: red'; document.body.append(d) }",
    )
    reply = await shared_server.call("browser_hover", ref=page.ref("button", "Go"))
    assert reply.is_error
    assert 'button "Go" is covered by' in reply.sections["Error"]


async def test_a_ref_that_was_never_printed_is_refused(
    shared_server: ServerClient, show: Show
) -> None:
    await show(MENU)
    for tool in ("browser_hover", "browser_scroll_into_view"):
        reply = await shared_server.call(tool, ref="e9999")
        assert reply.is_error
        assert "does not exist on this page" in reply.sections["Error"]

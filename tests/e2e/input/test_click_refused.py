"""browser_click where no click can be made: the reply names the cause, and nothing was clicked."""

from __future__ import annotations

import re
import time

import pytest

from tests.e2e.conftest import Show
from tests.e2e.support.client import ServerClient

COVER = "position:fixed;inset:0;background:white"
COUNT = "<script>clicks = 0; addEventListener('mousedown', () => clicks++, true)</script>"


async def clicks(server: ServerClient) -> str:
    return (await server.call("browser_evaluate", function="clicks")).sections["Result"]


async def test_a_covering_element_is_named_with_its_ref(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show(
        f"{COUNT}<button>Buy</button>"
        f"<div role=dialog aria-label=Cookies style='{COVER}' onclick=this.remove()>We bake</div>"
    )
    reply = await shared_server.call("browser_click", ref=page.ref("button", "Buy"))
    assert reply.is_error
    found = re.search(
        r'button "Buy" is covered by dialog "Cookies" \[ref=(\w+)\]', reply.sections["Error"]
    )
    assert found
    assert await clicks(shared_server) == "0"


async def test_the_covering_element_can_be_clicked_by_its_reported_ref(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show(
        f"<button>Buy</button><div role=dialog aria-label=Cookies style='{COVER}' "
        "onclick=this.remove()>We bake</div>"
    )
    refused = await shared_server.call("browser_click", ref=page.ref("button", "Buy"))
    cover = re.search(r"\[ref=(\w+)\]", refused.sections["Error"])
    assert cover
    assert not (await shared_server.call("browser_click", ref=cover[1])).is_error
    reply = await shared_server.call("browser_click", ref=page.ref("button", "Buy"))
    assert reply.sections["Result"] == 'Clicked button "Buy"'


async def test_an_element_that_covers_a_frame_is_named(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show(
        "<iframe srcdoc='<button>Pay</button>'></iframe>"
        f"<div role=dialog aria-label=Cookies style='{COVER}'>We bake</div>"
    )
    reply = await shared_server.call("browser_click", ref=page.ref("button", "Pay"))
    assert reply.is_error
    assert 'button "Pay" is covered by dialog "Cookies"' in reply.sections["Error"]


async def test_an_open_modal_dialog_covers_the_elements_behind_it(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<button id=b>Behind</button><dialog id=d aria-label=Sure>Sure?</dialog>")
    await shared_server.call("browser_evaluate", function="d.showModal()")
    reply = await shared_server.call("browser_click", ref="#b")
    assert reply.is_error
    assert 'is covered by the modal dialog "Sure" [ref=' in reply.sections["Error"]


@pytest.mark.timing
@pytest.mark.parametrize(
    ("html", "cause"),
    [
        ("<button id=b disabled>A</button>", "is disabled."),
        (
            "<fieldset disabled><legend>Card</legend><button id=b>A</button></fieldset>",
            'is disabled by its fieldset, group "Card" [ref=',
        ),
        ("<button id=b aria-disabled=true>A</button>", "is disabled"),
        ("<button id=b style='display:none'>A</button>", "is not visible: it is not displayed."),
        ("<button id=b style='visibility:hidden'>A</button>", "is not visible: it has"),
        (
            "<main style='display:none'><button id=b>A</button></main>",
            "is not visible: main [ref=",
        ),
        (
            "<button id=b style='width:0;height:0;padding:0;border:0'></button>",
            "is not visible: its box has no size.",
        ),
        (
            "<button id=b style='position:fixed;left:-999px'>A</button>",
            "cannot be scrolled into view: it lies beyond the left edge of the page.",
        ),
    ],
)
async def test_an_element_that_cannot_be_clicked_reports_the_reason(
    shared_server: ServerClient, show: Show, html: str, cause: str
) -> None:
    await show(COUNT + html)
    start = time.monotonic()
    reply = await shared_server.call("browser_click", ref="#b")
    assert time.monotonic() - start < 3
    assert reply.is_error
    assert cause in reply.sections["Error"]
    assert await clicks(shared_server) == "0"


async def test_an_element_that_the_moving_mouse_opens_gets_no_click(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show(
        f"{COUNT}<button>Buy</button><div id=d role=dialog aria-label=Offer hidden style='{COVER}'>"
        "Stay</div><script>onmousemove = () => { d.hidden = false }</script>"
    )
    reply = await shared_server.call("browser_click", ref=page.ref("button", "Buy"))
    assert reply.is_error
    assert 'button "Buy" is covered by dialog "Offer" [ref=' in reply.sections["Error"]
    assert await clicks(shared_server) == "0"


async def test_an_element_that_replaces_the_target_under_the_mouse_is_not_clicked(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show(
        f"{COUNT}<p id=p><button>Buy</button></p>"
        "<script>onmousemove = () => { onmousemove = null; p.innerHTML = p.innerHTML }</script>"
    )
    reply = await shared_server.call("browser_click", ref=page.ref("button", "Buy"))
    assert reply.is_error
    assert 'Similar elements on the page now:\n- button "Buy" [ref=' in reply.sections["Error"]
    assert await clicks(shared_server) == "0"


@pytest.mark.prove
@pytest.mark.timing
async def test_clicking_an_element_that_never_stops_moving_times_out(
    shared_server: ServerClient, show: Show
) -> None:
    script = (
        "const move = t => { b.style.left = (t % 500) + 'px'; requestAnimationFrame(move) };"
        "requestAnimationFrame(move)"
    )
    await show(f"{COUNT}<button id=b style='position:absolute'>A</button><script>{script}</script>")
    start = time.monotonic()
    reply = await shared_server.call("browser_click", ref="#b", within=15)
    assert time.monotonic() - start < 10
    assert reply.is_error
    assert "does not stop moving." in reply.sections["Error"]
    assert await clicks(shared_server) == "0"


async def test_an_error_shows_the_page_s_state(shared_server: ServerClient, show: Show) -> None:
    await show("<title>State</title><button id=b disabled>A</button>")
    reply = await shared_server.call("browser_click", ref="#b")
    assert "- Page Title: State" in reply.sections["Page"]


async def test_a_button_that_is_unknown_is_refused(shared_server: ServerClient, show: Show) -> None:
    page = await show("<button>A</button>")
    reply = await shared_server.call(
        "browser_click", ref=page.ref("button", "A"), button="leftmost"
    )
    assert reply.is_error
    assert "must be one of left, middle, right, not 'leftmost'" in reply.sections["Error"]

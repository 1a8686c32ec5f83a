"""The tools of --caps testing, through a server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.e2e.conftest import OpenHere
from tests.e2e.support.client import ServerClient
from tests.site import Site

ORDER = """<title>Order</title><button data-qa=go>Go</button><button data-testid=stop>Stop</button>
<ul aria-label=Teas><li>Oolong<li>Assam</ul><input aria-label=Name value=Anna>
<button onclick="alert('Hi')">Greet</button>
<iframe title=Pay srcdoc="<button>Confirm</button>"></iframe>"""


@pytest.fixture(scope="module")
async def tester(
    open_here: OpenHere, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[ServerClient]:
    """Return a server with testing that all tests of the module share."""
    flags = ("--caps=testing", "--test-id-attribute=data-qa")
    async with open_here(*flags, cwd=tmp_path_factory.mktemp("testing")) as client:
        await client.initialize()
        yield client


@pytest.mark.parametrize(
    ("tool", "arguments", "result"),
    [
        (
            "browser_verify_element_visible",
            {"role": "button", "accessibleName": "Confirm"},
            'Done: button "Confirm" [ref=f1e1] is visible',
        ),
        ("browser_verify_text_visible", {"text": "assam"}, 'Done: "Assam" in listitem [ref='),
        (
            "browser_verify_list_visible",
            {"element": "teas", "target": 'list "Teas"', "items": ["Oolong"]},
            'Done: list "Teas" shows 1 item',
        ),
        (
            "browser_verify_value",
            {"type": "textbox", "element": "name", "target": "input", "value": "Anna"},
            'Done: textbox "Name" ',
        ),
        ("browser_generate_locator", {"target": 'button "Go"'}, "getByTestId('go')"),
        ("browser_generate_locator", {"ref": "getByTestId('go')"}, "getByTestId('go')"),
        (
            "browser_generate_locator",
            {"ref": 'button "Stop"'},
            "getByRole('button', { name: 'Stop' })",
        ),
        (
            "browser_generate_locator",
            {"ref": 'button "Confirm"'},
            (
                "locator('iframe[title=\"Pay\"]').contentFrame()"
                ".getByRole('button', { name: 'Confirm' })"
            ),
        ),
    ],
)
async def test_a_page_is_verified(
    tester: ServerClient, site: Site, tool: str, arguments: dict[str, Any], result: str
) -> None:
    await tester.call("browser_navigate", url=site.page(ORDER))
    reply = await tester.call(tool, **arguments)
    assert not reply.is_error, reply.text
    assert reply.sections["Result"].startswith(result)


@pytest.mark.parametrize(
    ("tool", "arguments", "error"),
    [
        (
            "browser_verify_element_visible",
            {"role": "button", "accessibleName": "Stopp"},
            (
                'Element with role "button" and accessible name "Stopp" not found.\n'
                'Similar elements on the page now:\n- button "Stop" [ref='
            ),
        ),
        ("browser_verify_text_visible", {"text": "Sencha"}, 'Text "Sencha" not found.'),
        (
            "browser_verify_list_visible",
            {"ref": "ul", "items": ["Sencha"]},
            'Item "Sencha" not found in list',
        ),
        (
            "browser_verify_value",
            {"type": "textbox", "ref": "input", "value": "Ben"},
            'Expected value "Ben", but got "Anna".',
        ),
    ],
)
async def test_a_failed_verification_has_a_code_and_what_is_there(
    tester: ServerClient, site: Site, tool: str, arguments: dict[str, Any], error: str
) -> None:
    await tester.call("browser_navigate", url=site.page(ORDER))
    reply = await tester.call(tool, **arguments)
    assert reply.is_error
    assert reply.sections["Error"].startswith(error)
    assert reply.raw["structuredContent"]["error"]["code"] == "verification_failed"


async def test_an_open_dialog_blocks_verifications(tester: ServerClient, site: Site) -> None:
    await tester.call("browser_navigate", url=site.page(ORDER))
    await tester.call("browser_click", ref='button "Greet"')
    reply = await tester.call("browser_verify_text_visible", text="Go")
    assert reply.is_error
    assert "browser_handle_dialog" in reply.text
    await tester.call("browser_handle_dialog", accept=True)
    assert not (await tester.call("browser_verify_text_visible", text="Go")).is_error


async def test_a_step_of_a_batch_waits_for_what_it_verifies(
    tester: ServerClient, site: Site
) -> None:
    late = '<button onclick="setTimeout(() => { p.hidden = false }, 700)">Save</button>'
    late += "<p id=p hidden>Saved"
    await tester.call("browser_navigate", url=site.page(late))
    click = {"tool": "browser_click", "arguments": {"ref": "button"}}
    verify = {"tool": "browser_verify_text_visible", "arguments": {"text": "Saved"}}
    reply = await tester.call("browser_batch", calls=[click, verify])
    assert not reply.is_error, reply.text

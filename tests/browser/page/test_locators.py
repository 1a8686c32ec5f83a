"""Elements found by a locator, in any frame, and the wait for those that do not exist yet."""

from __future__ import annotations

import time

import pytest

from tests.browser.page.agent import Agent
from viewpoint_mcp.errors import CallError, StaleRefError

ROWS = """<table><tr><th>Name<th>Action<tr><td>Anna<td><button>Delete</button>
<tr><td>Ben<td><button>Delete</button></table>
<h1>People</h1><iframe srcdoc="<button>Pay</button>"></iframe>"""
LATE = """<script>setTimeout(() => {
  const button = document.createElement('button')
  button.id = 'late'; button.textContent = 'Late'; document.body.append(button)
}, 400)</script>"""


@pytest.mark.parametrize(
    ("locator", "label"),
    [
        ('button "Delete" in row "Ben"', 'button "Delete"'),
        ('button "Pay"', 'button "Pay"'),
        ('heading "People"', 'heading "People"'),
    ],
)
async def test_a_locator_names_one_element(agent: Agent, locator: str, label: str) -> None:
    await agent.open(ROWS)
    element = await agent.page.find_element(locator)
    await element.check_exists()
    assert element.label == label


async def test_several_matches_are_refused(agent: Agent) -> None:
    await agent.open(ROWS)
    with pytest.raises(CallError, match='2 elements are button "Delete":') as raised:
        await agent.page.find_element('button "Delete"')
    assert 'in row "Anna"\n' in str(raised.value)


SHOP = """<nav><button style="display: none">Save</button></nav>
<label>Name <input placeholder="Your name"></label><input aria-label="City" value="Graz">
<input placeholder="Postcode">
<ul id=list><li>Anna <button>Delete</button><li>Ben <button disabled>Delete</button></ul>
<p data-testid=total>Total:   <b>12 €</b></p><input type=submit value="Save all">
<div role=button aria-label=Save tabindex=0>S</div><img alt="Chart of tea" title=Tea>
<script>Total</script>
<div id=host></div><iframe srcdoc="<button>Pay</button>"></iframe>
<script>host.attachShadow({mode: 'open'}).innerHTML = '<a href=/x>Terms</a>'</script>"""


@pytest.mark.parametrize(
    ("locator", "label"),
    [
        ("getByRole('button', { name: 'Save', exact: true })", 'button "Save"'),
        ("getByRole('button', { name: 'save' }).last()", 'button "Save"'),
        ("getByRole('button', { name: /^save a/i })", 'button "Save all"'),
        ("getByRole('button', { disabled: true })", 'button "Delete"'),
        (
            "getByRole('listitem').filter({ hasText: 'anna' }).getByRole('button')",
            'button "Delete"',
        ),
        ("getByRole('listitem', { name: /ben/i }).getByRole('button')", 'button "Delete"'),
        ("locator('#list li').nth(1).locator('button')", 'button "Delete"'),
        ("getByText('Total')", "paragraph"),
        ("getByText('12 €', { exact: true })", "generic"),
        ("text=Save all", 'button "Save all"'),
        ("getByLabel('Name')", 'textbox "Name"'),
        ("getByLabel('city')", 'textbox "City"'),
        ("getByLabel('postcode')", 'textbox "Postcode"'),
        ("getByPlaceholder('your')", 'textbox "Name"'),
        ("getByTestId('total')", "paragraph"),
        ("getByAltText('chart')", 'img "Chart of tea"'),
        ("getByTitle('Tea')", 'img "Chart of tea"'),
        ("role=link[name=Terms]", 'link "Terms"'),
        ("getByRole('button', { name: 'Pay' })", 'button "Pay"'),
        ("#list >> text=Ben", "listitem"),
    ],
)
async def test_a_playwright_locator_names_one_element(
    agent: Agent, locator: str, label: str
) -> None:
    await agent.open(SHOP)
    element = await agent.page.find_element(locator)
    await element.check_exists()
    assert element.label.removesuffix(f" ({locator})") == label


async def test_several_matches_of_a_playwright_locator_are_listed(agent: Agent) -> None:
    await agent.open(SHOP)
    with pytest.raises(CallError, match="2 elements are getByRole") as raised:
        await agent.page.find_element("getByRole('button', { name: 'Delete' })")
    assert 'button "Delete" [ref=' in str(raised.value)
    assert 'in listitem "Anna"\n' in str(raised.value)


async def test_a_playwright_locator_without_a_match_is_an_error(agent: Agent) -> None:
    await agent.open(SHOP)
    with pytest.raises(StaleRefError, match="No element on this page is text=Nowhere"):
        await agent.page.find_element("text=Nowhere")
    with pytest.raises(StaleRefError, match='Similar elements on the page now:\n- button "Delete"'):
        await agent.page.find_element("getByRole('button', { name: 'Deleted' })")
    with pytest.raises(CallError, match="it is not a valid selector"):
        await agent.page.find_element("locator('[[')")
    with pytest.raises(CallError, match="it is not a valid selector"):
        await agent.page.find_element("getByText(/(/)")


@pytest.mark.parametrize("target", ['button "Late"', "#late"])
async def test_outside_of_a_wait_a_missing_element_is_an_error_at_once(
    agent: Agent, target: str
) -> None:
    await agent.open("<p>Nothing")
    started = time.monotonic()
    with pytest.raises((CallError, StaleRefError)):
        await agent.page.find_element(target)
    assert time.monotonic() - started < 2.0  # the limit of an action


@pytest.mark.parametrize("target", ['button "Late"', "#late", "getByText('Late')"])
async def test_a_missing_element_is_waited_for(patient_agent: Agent, target: str) -> None:
    await patient_agent.open(LATE)
    with patient_agent.page.elements.wait_for_missing():
        element = await patient_agent.page.find_element(target)
    await element.check_exists()
    assert element.label == 'button "Late"'


async def test_the_wait_ends_with_an_error(agent: Agent) -> None:
    await agent.open("<button>Other</button>")
    with (
        agent.page.elements.wait_for_missing(),
        pytest.raises(StaleRefError, match='No element on this page is button "Late"'),
    ):
        await agent.page.find_element('button "Late"')

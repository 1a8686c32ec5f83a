"""Verifications of what a page shows, and what a failed one lists."""

from __future__ import annotations

import pytest

from tests.browser.page.agent import Agent
from viewpoint_mcp.errors import VerificationError
from viewpoint_mcp.page.locators.test_support import TestSupport
from viewpoint_mcp.page.locators.verification import ControlType

ORDER = """<h1>Order 12</h1><p>Total: <b>14 €</b></p><p style="display: none">Sold out</p>
<p style="visibility: hidden">Paid</p><button>Pay</button><button>Cancel</button>
<button>Cancel all</button>
<ul aria-label=Teas><li>Oolong <em>fresh</em><li>Assam<li hidden>Sencha</ul>
<iframe srcdoc="<button>Confirm</button><p>Card accepted</p>"></iframe>"""


def support(agent: Agent) -> TestSupport:
    return agent.page.elements.test_support


async def test_an_element_is_found_by_role_and_a_part_of_its_name_in_any_frame(
    agent: Agent,
) -> None:
    await agent.load(ORDER)
    match = await support(agent).verify_role("button", "cancel")
    assert (match.element.label, match.count) == ('button "Cancel"', 2)
    match = await support(agent).verify_role("button", "Confirm")
    assert str(match.element.ref).startswith("f")


@pytest.mark.parametrize(
    ("role", "name", "expected"),
    [
        ("button", "Cancell", '- button "Cancel" [ref='),
        ("link", "Pay", '- button "Pay" [ref='),
        ("button", "Zzz", "Elements with this role on the page now:\n- button"),
        ("slider", "Zzz", "No element of the page has the role slider."),
    ],
)
async def test_an_element_that_is_missing_fails_with_the_closest_ones(
    agent: Agent, role: str, name: str, expected: str
) -> None:
    await agent.load(ORDER)
    with pytest.raises(VerificationError, match=f'role "{role}" and accessible name') as raised:
        await support(agent).verify_role(role, name)
    assert expected in str(raised.value)


async def test_a_text_counts_across_inline_elements_and_frames(agent: Agent) -> None:
    await agent.load(ORDER)
    assert (await support(agent).verify_text("total: 14 €")).element.label == "paragraph"
    assert (await support(agent).verify_text("Card accepted")).text == "Card accepted"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sold out", 'Text "Sold out" is on the page, but not visible.'),
        ("Paid", 'Text "Paid" is on the page, but not visible.'),
        (
            "Total: 15 €",
            'Text "Total: 15 €" not found.\nSimilar texts on the page now:\n- paragraph',
        ),
        ("Zzz", 'Text "Zzz" not found.'),
    ],
)
async def test_a_text_that_is_hidden_or_missing_fails(
    agent: Agent, text: str, expected: str
) -> None:
    await agent.load(ORDER)
    with pytest.raises(VerificationError) as raised:
        await support(agent).verify_text(text)
    assert str(raised.value).startswith(expected)


async def test_the_items_of_a_list_are_verified_in_any_order(agent: Agent) -> None:
    await agent.load(ORDER)
    teas = await agent.page.find_element('list "Teas"')
    assert await support(agent).verify_items(teas, ["assam", "Oolong fresh"]) == [
        *("Assam", "Oolong fresh"),
    ]


async def test_missing_and_hidden_items_fail_with_those_that_are_there(agent: Agent) -> None:
    await agent.load(ORDER)
    teas = await agent.page.find_element('list "Teas"')
    with pytest.raises(VerificationError) as raised:
        await support(agent).verify_items(teas, ["Assam", "Sencha", "Matcha"])
    message = str(raised.value)
    assert message.startswith('Item "Sencha" not found, Item "Matcha" not found in list "Teas".')
    assert message.endswith("It shows:\n- Oolong fresh\n- Assam")


FORM = """<input aria-label=Name value=Anna><textarea aria-label=Note>Hi
there</textarea><select aria-label=Size><option value=s>Small<option value=m selected>Medium
</select><input type=checkbox checked aria-label=News>
<div role=switch aria-checked=false aria-label=Dark tabindex=0></div>
<input type=radio name=r aria-label=Red><input type=range value=30 aria-label=Volume>
<div role=slider aria-valuenow=5 aria-valuetext=warm aria-label=Heat tabindex=0></div>
<div contenteditable aria-label=Editor role=textbox>Dear <b>Ben</b></div>
<input type=password aria-label=Password value=secret>
<label id=l><input type=checkbox> Terms</label>"""


@pytest.mark.parametrize(
    ("kind", "target", "value", "place"),
    [
        ("textbox", 'textbox "Name"', "Anna", "value"),
        ("textbox", 'textbox "Note"', "Hi\nthere", "value"),
        ("combobox", 'combobox "Size"', "m", "value"),
        ("combobox", 'combobox "Size"', "Medium", "value"),
        ("checkbox", 'checkbox "News"', "true", "checked"),
        ("checkbox", 'switch "Dark"', "false", "checked"),
        ("checkbox", "#l", "false", "checked"),
        ("radio", 'radio "Red"', "false", "checked"),
        ("slider", 'slider "Volume"', "30", "value"),
        ("slider", 'slider "Heat"', "5", "aria-valuenow"),
        ("slider", 'slider "Heat"', "warm", "aria-valuenow"),
        ("textbox", 'textbox "Editor"', "Dear Ben", "text"),
        ("textbox", 'textbox "Password"', "secret", "value"),
    ],
)
async def test_a_value_is_verified(
    agent: Agent, kind: ControlType, target: str, value: str, place: str
) -> None:
    await agent.load(FORM)
    element = await agent.page.find_element(target)
    assert (await support(agent).verify_value(element, kind, value)).place == place


@pytest.mark.parametrize(
    ("kind", "target", "value", "expected"),
    [
        ("textbox", 'textbox "Name"', "Ben", 'Expected value "Ben", but got "Anna".'),
        ("combobox", 'combobox "Size"', "s", 'Expected value "s", but got "m" ("Medium").'),
        ("checkbox", 'checkbox "News"', "false", 'Expected value "false", but got "true".'),
        ("textbox", 'textbox "Password"', "guess", 'Expected value "guess", but got "••••••".'),
        ("checkbox", 'textbox "Name"', "true", r"is no checkbox, so it holds no value\."),
    ],
)
async def test_another_value_fails_with_the_present_one(
    agent: Agent, kind: ControlType, target: str, value: str, expected: str
) -> None:
    await agent.load(FORM)
    element = await agent.page.find_element(target)
    with pytest.raises(VerificationError, match=expected.replace("(", r"\(").replace(")", r"\)")):
        await support(agent).verify_value(element, kind, value)

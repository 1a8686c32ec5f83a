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


@pytest.mark.parametrize("target", ['button "Late"', "#late"])
async def test_outside_of_a_wait_a_missing_element_is_an_error_at_once(
    agent: Agent, target: str
) -> None:
    await agent.open("<p>Nothing")
    started = time.monotonic()
    with pytest.raises((CallError, StaleRefError)):
        await agent.page.find_element(target)
    assert time.monotonic() - started < 2.0  # the limit of an action


@pytest.mark.parametrize("target", ['button "Late"', "#late"])
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

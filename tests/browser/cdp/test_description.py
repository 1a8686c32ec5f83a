"""The description of the protocol against the browser that it describes."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_protocol import ProtocolError, Session
from cdp_protocol.description import Description
from tests.browser.cdp.chromium import Chromium

TAKEN: list[dict[str, Any]] = [
    {},
    {"format": "jpeg", "quality": 80},
    {"quality": 80.0, "format": "jpeg"},
    {"quality": -(2**31), "format": "jpeg"},
    {"clip": {"x": 0, "y": 0.5, "width": 10, "height": 10, "scale": 1}},
]
REFUSED: list[dict[str, Any]] = [
    {"format": "gif"},
    {"format": 1},
    {"quality": "80"},
    {"quality": 80.5},
    {"quality": 2**31},
    {"quality": None},
    {"fromSurface": 1},
    {"clip": 1},
    {"clip": {"x": 0, "y": 0, "width": 10, "height": 10}},
    {"clip": {"x": 0, "y": 0, "width": 10, "height": "10", "scale": 1}},
]


@pytest.mark.parametrize("params", TAKEN)
async def test_a_command_that_the_browser_accepts_has_no_problem(
    page: Session, params: dict[str, Any]
) -> None:
    assert (await page.send("Page.captureScreenshot", params))["data"]
    assert Description.bundled().problems("Page.captureScreenshot", params) == []


@pytest.mark.parametrize("params", REFUSED)
async def test_a_command_that_the_browser_refuses_is_reported_as_a_problem(
    page: Session, params: dict[str, Any]
) -> None:
    with pytest.raises(ProtocolError) as refusal:
        await page.send("Page.captureScreenshot", params)

    description = Description.bundled()
    (problem,) = description.problems("Page.captureScreenshot", params)
    assert description.hint(refusal.value) == problem


async def test_a_running_browser_serves_its_description(shared_chromium: Chromium) -> None:
    served = await Description.served_by(shared_chromium.url)

    assert served.revision.startswith("Chrome/")
    assert {"Page.navigate", "Debugger.pause"} <= set(served.commands())
    assert not [line for line in Description.bundled().drift(served) if "Page.navigate:" in line]

"""An agent at a fresh tab."""

from __future__ import annotations

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.page.agent import Agent
from viewpoint_mcp.config.settings import Timeouts
from viewpoint_mcp.page.actions import actionability_decision
from viewpoint_mcp.page.page import Page


@pytest.fixture
def agent(page: Page) -> Agent:
    return Agent(page)


@pytest.fixture
async def patient_agent(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> Agent:
    """Return an agent whose actions wait up to 20 s for an obstacle to disappear.

    For tests of what is waited for: a busy machine cannot make them fail. How long an action waits
    is tested in `tests/unit/page/test_actionability_decision.py`.
    """
    monkeypatch.setattr(actionability_decision, "_DEFAULT_LIMIT", 20.0)
    monkeypatch.setattr(actionability_decision, "_COVER_LIMIT", 20.0)
    return Agent(await open_page(Timeouts(action=20.0, navigation=10.0)))

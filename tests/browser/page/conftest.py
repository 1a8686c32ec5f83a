"""An agent at a fresh tab."""

from __future__ import annotations

import pytest

from tests.browser.page.agent import Agent
from viewpoint_mcp.page.page import Page


@pytest.fixture
def agent(page: Page) -> Agent:
    return Agent(page)

"""Contexts for tests that change the emulation."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import count

import pytest

from viewpoint_mcp.browser.client_workspace import Workspace
from viewpoint_mcp.browser.context import Context, ContextOptions
from viewpoint_mcp.config.settings import Emulation

_numbers = count()


@pytest.fixture
async def context(launched: Workspace) -> AsyncIterator[Context]:
    """Return a new context of a browser that attaches to popups and workers as they start."""
    name = f"emulation {next(_numbers)}"
    yield await launched.create_context(name, ContextOptions(emulation=Emulation(locale="fr-FR")))
    await launched.close_context(name)

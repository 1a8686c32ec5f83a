"""Access to the private parts of a page, for tests that check more than its public methods."""

from __future__ import annotations

from viewpoint_mcp.page.page import Page
from viewpoint_mcp.page.services import PageServices


def services_of(page: Page) -> PageServices:
    """Return the services of a page: its CDP session, frames, keyboard and the rest."""
    return page._services

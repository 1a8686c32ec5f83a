"""The browser and the tab of the walker's tests."""

from __future__ import annotations

from tests.browser.conftest import blank, chromium_process, connection, tabs
from tests.browser.walker.conftest import walked

__all__ = ["blank", "chromium_process", "connection", "tabs", "walked"]

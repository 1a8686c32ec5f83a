"""The browser and the tab of the walker's tests."""

from __future__ import annotations

from tests.browser.conftest import chromium_process, connection
from tests.browser.walker.conftest import walked

__all__ = ["chromium_process", "connection", "walked"]

"""The browser of tests/browser."""

from __future__ import annotations

from tests.browser.conftest import chromium_process, connection

__all__ = ["chromium_process", "connection"]

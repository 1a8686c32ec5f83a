"""The servers of tests/e2e, for the tests with real Playwright."""

from __future__ import annotations

from tests.e2e.conftest import executable, open_here, shared_chromium

__all__ = ["executable", "open_here", "shared_chromium"]

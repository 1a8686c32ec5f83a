"""The tab of the walker's tests."""

from __future__ import annotations

from tests.browser.walker.conftest import walked

__all__ = ["walked"]

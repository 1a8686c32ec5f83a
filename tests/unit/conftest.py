"""Fixtures for tests without a browser."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture
def loggers() -> Iterator[None]:
    """Restore the logging configuration after the test."""
    root = logging.getLogger()
    kept = root.handlers[:], root.level, logging.getLogger("viewpoint_mcp").level
    # `configure_logging` closes the handlers that it replaces, so hide those of the test run.
    root.handlers[:] = []
    yield
    root.handlers[:] = kept[0]
    root.setLevel(kept[1])
    for name in ("viewpoint_mcp", "cdp_protocol"):
        logging.getLogger(name).setLevel(kept[2])
    logging.captureWarnings(False)

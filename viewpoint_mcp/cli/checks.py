"""Checks of flags' values that need more than `config` may import: the catalog of tools, and the
formats of files.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from viewpoint_mcp.cli.capabilities import read_capabilities
from viewpoint_mcp.cli.option import Check
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.catalog import TOOLS
from viewpoint_mcp.tools.core.selection import read_selection


def _check_tools(texts: Sequence[str]) -> tuple[str, ...]:
    return read_selection(texts, TOOLS)


def _check_trace(path: Path) -> Path:
    """Refuse a file that cannot be written, or that another server records in; one that is there
    keeps what is in it until a browser starts.
    """
    from cdp_protocol.recording.file import claim

    try:
        os.close(claim(path))
    except OSError as error:
        raise CallError(
            f"{path} cannot be written: {error.strerror}.", "Name another file."
        ) from error
    return path


def _check_state(path: Path) -> Path:
    """Refuse a file that cannot be read, or that no browser could take."""
    from viewpoint_mcp.browser.storage import state_file

    state_file.read(path)
    return path


CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        "--caps": read_capabilities,
        "--tools": _check_tools,
        "--trace-cdp": _check_trace,
        "--storage-state": _check_state,
    }
)
"""By the flag's name."""

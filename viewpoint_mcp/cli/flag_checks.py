"""Checks of flags that need modules which `config` must not import.

They need the catalog of tools, and the formats of files.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from viewpoint_mcp.cli.capabilities import parse_capabilities
from viewpoint_mcp.cli.flag_option import FlagCheck
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.catalog import list_all_tools
from viewpoint_mcp.tools.core.tool_selection import parse_selection


def _parse_tool_selection(texts: Sequence[str]) -> tuple[str, ...]:
    return parse_selection(texts, list_all_tools()) if texts else ()


def _check_trace_file_is_writable(path: Path) -> Path:
    """Check that a trace file can be written and that no other server records in it.

    An existing file keeps its content until a browser starts.

    Raises:
        CallError: The file cannot be written or is in use.
    """
    from cdp_protocol.recording.locked_file import open_locked

    try:
        os.close(open_locked(path))
    except OSError as error:
        raise CallError(
            f"Cannot write {path}: {error.strerror}.", "Choose another file."
        ) from error
    return path


def _check_storage_state_file(path: Path) -> Path:
    """Check that a file is a valid storage state.

    Raises:
        CallError: The file cannot be read or is malformed.
    """
    from viewpoint_mcp.browser.storage import state_file

    state_file.read_state(path)
    return path


def _check_inline_storage_state(state: Mapping[str, Any]) -> Mapping[str, Any]:
    """Check that a storage state in the configuration file is valid.

    Raises:
        CallError: The state is malformed.
    """
    from viewpoint_mcp.browser.storage import state_file

    state_file.convert_state(state)
    return state


FLAG_CHECKS: Mapping[str, FlagCheck] = MappingProxyType(
    {
        "--caps": parse_capabilities,
        "--tools": _parse_tool_selection,
        "--trace-cdp": _check_trace_file_is_writable,
        "--storage-state": _check_storage_state_file,
        "--inline-storage-state": _check_inline_storage_state,
    }
)
"""Checks by the name of the flag."""

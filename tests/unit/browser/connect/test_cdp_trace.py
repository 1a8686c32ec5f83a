"""The recording of the messages between server and browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from viewpoint_mcp.browser.connect import cdp_trace
from viewpoint_mcp.config.secrets import Secrets
from viewpoint_mcp.errors import BrowserError


def test_the_trace_of_another_server_is_named_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    first = cdp_trace.open_recorder(path, Secrets())
    first.write_header()

    with pytest.raises(
        BrowserError, match=re.escape(f"{path} cannot be written: another recorder")
    ):
        cdp_trace.open_recorder(path, Secrets())
    first.close()

    assert path.read_bytes().startswith(b'{"cdp":1')

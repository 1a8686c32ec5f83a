"""The directory in which a browser writes downloads until they are complete."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewpoint_mcp.browser.connect.launch import make_download_directory
from viewpoint_mcp.errors import BrowserError


async def test_it_is_in_the_configured_directory_which_is_created(tmp_path: Path) -> None:
    made = make_download_directory(tmp_path / "a" / "b")
    assert made.path.parent == tmp_path / "a" / "b"
    await made.remove()
    assert list((tmp_path / "a" / "b").iterdir()) == []


def test_a_directory_that_cannot_be_created_is_reported_with_its_key(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(
        BrowserError, match="file/inbox, cannot be created: Not a directory"
    ) as raised:
        make_download_directory(tmp_path / "file" / "inbox")
    assert "browser.launchOptions.downloadsPath" in str(raised.value)

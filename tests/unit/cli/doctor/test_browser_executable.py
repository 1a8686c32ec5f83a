"""Reports of the doctor about a browser that does not start."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from viewpoint_mcp.cli.doctor.browser_executable import check_executable
from viewpoint_mcp.cli.doctor.finding import Status
from viewpoint_mcp.config.settings import Settings

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="made of a shell script")


@pytest.mark.parametrize(
    ("words", "fix"),
    [
        (
            "chrome: error while loading shared libraries: libnss3.so: cannot open shared object",
            "The library libnss3.so is missing: ",
        ),
        ("Aborted", "Run it by hand"),
    ],
)
async def test_a_browser_that_exits_at_once_is_reported_with_advice(
    tmp_path: Path, words: str, fix: str
) -> None:
    browser = tmp_path / "chrome"
    browser.write_text(f"#!/bin/sh\necho '{words}' >&2\nexit 127\n")
    browser.chmod(0o755)
    finding = await check_executable(Settings(executable=browser))
    assert finding.status is Status.FAILED
    assert words in finding.details
    assert finding.fix.startswith(fix)

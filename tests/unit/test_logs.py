from __future__ import annotations

import logging

import pytest

from viewpoint_mcp import logs

OURS = logging.getLogger("viewpoint_mcp")


@pytest.mark.usefixtures("loggers")
def test_a_line_on_stderr_carries_the_call_it_belongs_to(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.configure_logging("info")
    token = logs.call_id.set("7")
    OURS.info("within")
    logs.call_id.reset(token)
    OURS.info("outside")
    OURS.debug("too fine")
    written = capsys.readouterr()
    assert written.out == ""
    lines = [line.split(" ", 2)[2] for line in written.err.splitlines()]
    assert lines == [
        "INFO    [7] viewpoint_mcp: within",
        "INFO    [-] viewpoint_mcp: outside",
    ]


@pytest.mark.usefixtures("loggers")
def test_invisible_characters_do_not_reach_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure_logging("info")
    OURS.info("a\x1b[2J\r\x9b31m\u202e\ud800\tb\nc é")
    written = capsys.readouterr().err
    assert written.endswith("viewpoint_mcp: a\\x1b[2J\\r\\x9b31m\\u202e\\ud800\tb\nc é\n")


@pytest.mark.usefixtures("loggers")
def test_a_level_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="LOUD"):
        logs.configure_logging("loud")

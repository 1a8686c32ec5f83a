"""The command's output and exit status before it serves."""

from __future__ import annotations

from click.testing import CliRunner

from viewpoint_mcp import __version__
from viewpoint_mcp.cli.root_command import root_command


def test_the_command_itself_exits_with_2_before_it_serves() -> None:
    result = CliRunner().invoke(root_command, ["--viewport-size", "wide"])
    assert result.exit_code == 2
    assert '"wide" is not a size. Write it like 1280x720.' in result.stderr


def test_the_version_is_printed() -> None:
    result = CliRunner().invoke(root_command, ["--version"])
    assert result.exit_code == 0
    assert __version__ in result.stdout

"""The flags: from the command line, from the environment, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from viewpoint_mcp import __version__
from viewpoint_mcp.cli.command import command
from viewpoint_mcp.cli.options import OPTIONS, settings_of
from viewpoint_mcp.settings import Emulation, Settings, SnapshotMode, Timeouts

HERE = Path.cwd().resolve()


@click.command()
@click.pass_context
def reader(context: click.Context, /, **values: Any) -> None:
    """Reads the flags as the product does, and serves nothing."""
    context.obj.append(settings_of(values))


for _option in reversed(OPTIONS):
    reader = _option(reader)


def run(*flags: str, env: Mapping[str, str] | None = None) -> tuple[Result, list[Settings]]:
    read: list[Settings] = []
    return CliRunner().invoke(reader, flags, obj=read, env=env), read


def settings(*flags: str, env: Mapping[str, str] | None = None) -> Settings:
    result, read = run(*flags, env=env)
    assert result.exit_code == 0, result.output
    return read[0]


FLAGS: list[tuple[str, str | None, str, object]] = [
    ("--headless", None, "headless", True),
    ("--browser", "msedge", "channel", "msedge"),
    ("--executable-path", "/opt/chrome", "executable", Path("/opt/chrome")),
    ("--user-data-dir", "profile", "user_data_dir", HERE / "profile"),
    ("--cdp-endpoint", "http://127.0.0.1:9222", "cdp_endpoint", "http://127.0.0.1:9222"),
    ("--cdp-header", "X-Key: a:b", "cdp_headers", {"X-Key": "a:b"}),
    ("--cdp-timeout", "1500", "timeouts", Timeouts(attach=1.5)),
    ("--auto-connect", None, "auto_connect", True),
    ("--viewport-size", "800x600", "emulation", Emulation(viewport=(800, 600))),
    *(("--snapshot-mode", mode.value, "snapshot_mode", mode) for mode in SnapshotMode),
    ("--snapshot-budget", "1000", "snapshot_budget", 1000),
    ("--screenshot-dir", "shots", "screenshot_dir", HERE / "shots"),
    ("--output-dir", "/tmp", "output_dir", Path("/tmp")),
    ("--allow-unrestricted-file-access", None, "unrestricted_files", True),
    ("--timeout-action", "1500", "timeouts", Timeouts(action=1.5)),
    ("--timeout-navigation", "1500", "timeouts", Timeouts(navigation=1.5)),
    ("--timeout-settle", "0", "timeouts", Timeouts(settle=0.0)),
]


def test_without_flags_the_defaults_hold() -> None:
    assert settings() == Settings()


@pytest.mark.parametrize(("flag", "value", "name", "expected"), FLAGS)
def test_a_flag_becomes_a_setting(
    flag: str, value: str | None, name: str, expected: object
) -> None:
    flags = [flag] if value is None else [flag, value]
    assert getattr(settings(*flags), name) == expected


@pytest.mark.parametrize("prefix", ["VIEWPOINT_MCP", "PLAYWRIGHT_MCP"])
@pytest.mark.parametrize(("flag", "value", "name", "expected"), FLAGS)
def test_a_flag_is_read_from_the_environment_too(
    prefix: str, flag: str, value: str | None, name: str, expected: object
) -> None:
    variable = f"{prefix}_{flag.lstrip('-').replace('-', '_').upper()}"
    assert getattr(settings(env={variable: value or "true"}), name) == expected


@pytest.mark.parametrize(
    ("flags", "expected"), [((), None), (("--sandbox",), True), (("--no-sandbox",), False)]
)
def test_the_sandbox_is_left_to_the_machine_unless_said(
    flags: tuple[str, ...], expected: bool | None
) -> None:
    assert settings(*flags).sandbox is expected


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({"VIEWPOINT_MCP_SANDBOX": "1"}, True),
        ({"PLAYWRIGHT_MCP_SANDBOX": "false"}, False),
        ({"VIEWPOINT_MCP_NO_SANDBOX": "1"}, False),
    ],
)
def test_the_sandbox_is_read_from_the_environment_too(
    env: dict[str, str], expected: bool | None
) -> None:
    assert settings(env=env).sandbox is expected


def test_a_flag_beats_the_environment_and_our_name_beats_the_other() -> None:
    env = {"VIEWPOINT_MCP_BROWSER": "chrome", "PLAYWRIGHT_MCP_BROWSER": "msedge"}
    assert settings(env=env).channel == "chrome"
    assert settings("--browser", "chromium", env=env).channel == "chromium"


def test_an_empty_variable_of_ours_leaves_the_word_to_the_other() -> None:
    env = {"VIEWPOINT_MCP_BROWSER": "", "PLAYWRIGHT_MCP_BROWSER": "msedge"}
    assert settings(env=env).channel == "msedge"


def test_a_browser_that_asks_its_user_is_waited_for_longer_unless_said() -> None:
    assert settings("--auto-connect").timeouts.attach == 60
    assert settings("--auto-connect", "--cdp-timeout=1500").timeouts.attach == 1.5


def test_no_secret_is_shown_of_settings_or_of_a_header_that_is_none() -> None:
    flags = ("--cdp-endpoint=wss://u:s3cret@h/?t=s3cret", "--cdp-header", "K: s3cret")
    assert "s3cret" not in repr(settings(*flags))
    result, _ = run("--cdp-header", "s3cret")
    assert result.exit_code == 2
    assert "s3cret" not in result.output


def test_a_browser_is_either_found_or_named() -> None:
    result, _ = run("--auto-connect", "--cdp-endpoint=9222")
    assert result.exit_code == 2
    assert "--auto-connect finds the browser by itself" in result.output


def test_several_headers_are_sent() -> None:
    given = settings("--cdp-header", "A: 1", "--cdp-header", "B:2")
    assert given.cdp_headers == {"A": "1", "B": "2"}


def test_a_header_with_blanks_comes_whole_from_the_environment() -> None:
    env = {"VIEWPOINT_MCP_CDP_HEADER": "Authorization: Bearer abc"}
    assert settings(env=env).cdp_headers == {"Authorization": "Bearer abc"}


def test_several_headers_come_from_the_environment_line_by_line() -> None:
    env = {"VIEWPOINT_MCP_CDP_HEADER": "A: 1\nB: 2"}
    assert settings(env=env).cdp_headers == {"A": "1", "B": "2"}


@pytest.mark.parametrize("text", ["1280x720", "1280X720", "1280,720", "1280 x 720", "1280, 720"])
def test_a_size_may_be_written_in_several_ways(text: str) -> None:
    assert settings("--viewport-size", text).emulation.viewport == (1280, 720)


BAD = [
    ("--browser", "firefox", "firefox"),
    ("--viewport-size", "wide", '"wide" is not a size; write it as 1280x720'),
    ("--viewport-size", "0x720", "is not a size"),
    ("--viewport-size", "-1x720", "is not a size"),
    ("--viewport-size", "1280x", "is not a size"),
    ("--cdp-header", "no colon", "is not a header"),
    ("--cdp-header", ": empty", "is not a header"),
    ("--cdp-header", "a b: c", "is not a header"),
    ("--cdp-header", "a: b\r\nc: d", "is not a header"),
    ("--cdp-timeout", "-1", "-1"),
    ("--cdp-timeout", "soon", "soon"),
    ("--snapshot-mode", "some", "some"),
    ("--snapshot-budget", "999", "999"),
    ("--timeout-action", "1.5", "1.5"),
    ("--timeout-navigation", "-5", "-5"),
    ("--timeout-settle", "x", "x"),
    ("--log-level", "loud", "loud"),
    ("--no-such-flag", "x", "no-such-flag"),
]


@pytest.mark.parametrize(("flag", "value", "words"), BAD)
def test_a_bad_value_exits_with_2_and_says_what_is_wrong(flag: str, value: str, words: str) -> None:
    result, _ = run(f"{flag}={value}")
    assert result.exit_code == 2
    assert words in result.stderr
    assert flag in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(("flag", "value", "words"), BAD[:-1])
def test_a_bad_variable_exits_with_2_too(flag: str, value: str, words: str) -> None:
    variable = f"VIEWPOINT_MCP_{flag.lstrip('-').replace('-', '_').upper()}"
    result, _ = run(env={variable: value})
    assert result.exit_code == 2
    assert words in result.stderr


def test_the_command_itself_exits_with_2_before_it_serves() -> None:
    result = CliRunner().invoke(command, ["--viewport-size", "wide"])
    assert result.exit_code == 2
    assert '"wide" is not a size; write it as 1280x720.' in result.stderr


def test_the_version_is_told() -> None:
    result = CliRunner().invoke(command, ["--version"])
    assert result.exit_code == 0
    assert __version__ in result.stdout


def test_the_help_names_every_flag() -> None:
    told = CliRunner().invoke(command, ["--help"]).stdout
    assert [flag for flag, *_ in FLAGS if flag not in told] == []

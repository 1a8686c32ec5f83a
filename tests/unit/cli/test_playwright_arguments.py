"""Command lines in playwright-mcp's form: lists with blanks, old names, refused flags, booleans."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest

from tests.unit.cli.test_options import run, settings
from viewpoint_mcp.cli.playwright_arguments import convert_arguments
from viewpoint_mcp.cli.root_command import root_command
from viewpoint_mcp.config.browser import Channel
from viewpoint_mcp.config.origins import parse_origins


def test_permissions_are_separated_by_blanks() -> None:
    parsed = settings("--grant-permissions", "midi", "camera,geolocation", "--headless")
    assert parsed.emulation.permissions == ("midi", "camera", "geolocation")
    assert parsed.headless
    assert settings("--grant-permissions", "midi camera").emulation.permissions == (
        "midi",
        "camera",
    )


def test_scripts_are_separated_by_blanks(tmp_path: Path) -> None:
    for name in ("a b.js", "c.js"):
        (tmp_path / name).write_text(name)
    parsed = settings("--init-script", str(tmp_path / "a b.js"), str(tmp_path / "c.js"))
    assert parsed.emulation.init_scripts == ("a b.js", "c.js")


def test_hosts_headers_origins_capabilities_and_tools_are_separated_by_blanks() -> None:
    parsed = settings(
        *("--port=0", "--allowed-hosts", "a.test", "b.test:1"),
        *("--cdp-header", "A: 1", "B: 2 3", "--caps", "vision", "pdf"),
        *("--blocked-origins", "a.test", "b.test", "--tools", "slim", "browser_pdf_save"),
    )
    assert parsed.listening is not None
    assert parsed.listening.allowed_hosts == ("a.test", "b.test:1")
    assert parsed.cdp_headers == {"A": "1", "B": "2 3"}
    assert parsed.capabilities == {"vision", "pdf"}
    assert parsed.origins.blocked == parse_origins("a.test;b.test")
    assert parsed.tools == ("slim", "browser_pdf_save")


def test_a_value_after_an_equals_sign_begins_no_list() -> None:
    result, _ = run("--grant-permissions=midi", "camera")
    assert result.exit_code == 2
    assert "No such command 'camera'" in result.output


def test_a_list_ends_before_a_sub_command() -> None:
    arguments = ["--caps", "vision", "pdf", "doctor", "--caps", "x", "y"]
    converted = convert_arguments(arguments, root_command.params, root_command.commands)
    assert converted == ["--caps", "vision", "--caps", "pdf", *arguments[3:]]


def test_switches_of_the_browser_may_look_like_flags() -> None:
    parsed = settings("--browser-arg", "--headless", "--browser-arg", "--lang=de", "--isolated")
    assert parsed.browser_args == ("--headless", "--lang=de")
    assert parsed.isolated
    assert not parsed.headless


@pytest.mark.parametrize("name", ["VIEWPOINT_MCP_CAPS", "PLAYWRIGHT_MCP_CAPS"])
@pytest.mark.parametrize("text", ["vision,pdf", "vision pdf", " vision ,  pdf"])
def test_lists_in_the_environment_are_separated_by_commas_or_blanks(name: str, text: str) -> None:
    assert settings(env={name: text}).capabilities == {"vision", "pdf"}


def test_old_names_of_flags_have_their_effect() -> None:
    assert settings("--vision").capabilities == {"vision"}
    assert settings("--vision", "--caps=pdf").capabilities == {"vision", "pdf"}
    assert settings("--remote-header", "A: 1", "B: 2").cdp_headers == {"A": "1", "B": "2"}
    assert settings("--remote-header=A: 1").cdp_headers == {"A": "1"}
    env = {"PLAYWRIGHT_MCP_REMOTE_HEADERS": "A: 1"}
    assert settings(env=env).cdp_headers == {"A": "1"}


@pytest.mark.parametrize("channel", get_args(Channel))
def test_every_channel_can_be_selected_also_as_an_endpoint(channel: Channel) -> None:
    assert settings("--browser", channel).channel == channel
    attached = settings("--cdp-endpoint", channel)
    assert (attached.auto_connect, attached.cdp_endpoint) == (True, None)
    assert attached.channel == channel


@pytest.mark.parametrize("name", ["firefox", "webkit", "moz-firefox-beta"])
def test_other_browsers_are_refused_with_the_reason(tmp_path: Path, name: str) -> None:
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"browser": {"browserName": name}}))
    for result, _ in (run("--browser", name), run("--config", str(config))):
        assert result.exit_code == 2
        assert "drives browsers that are based on Chromium" in result.output.replace("\n", " ")
        assert "chrome-canary" in result.output


@pytest.mark.parametrize(
    ("flags", "env", "config", "words"),
    [
        (["--extension"], {}, {}, "--extension needs the browser extension"),
        ([], {"PLAYWRIGHT_MCP_EXTENSION": "1"}, {}, "--extension needs the browser extension"),
        ([], {}, {"extension": True}, "extension needs the browser extension"),
        (["--endpoint", "ws://a"], {}, {}, "--endpoint needs a server of Playwright"),
        ([], {}, {"browser": {"remoteEndpoint": "ws://a"}}, "needs a server of Playwright"),
    ],
)
def test_flags_that_choose_another_browser_are_refused_with_the_replacement(
    tmp_path: Path, flags: list[str], env: dict[str, str], config: dict[str, object], words: str
) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps(config))
    result, _ = run(*flags, "--config", str(file), env=env)
    text = " ".join(result.output.split())
    assert result.exit_code == 2
    assert words in text
    assert ("--auto-connect" if "extension" in words else "--cdp-endpoint") in text


def test_a_refused_flag_that_is_off_is_accepted(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"extension": False, "webmcp": False}))
    result, _ = run("--config", str(file), env={"PLAYWRIGHT_MCP_EXTENSION": "false"})
    assert result.exit_code == 0
    assert result.output == ""


@pytest.mark.parametrize(("flags", "config"), [(["--no-webmcp"], {}), ([], {"webmcp": False})])
def test_webmcp_that_is_switched_off_wins_over_the_capability(
    tmp_path: Path, flags: list[str], config: dict[str, object]
) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps(config))
    given = settings("--caps=webmcp,pdf", *flags, "--config", str(file))
    assert given.capabilities == {"pdf"}


@pytest.mark.parametrize("prefix", ["VIEWPOINT_MCP", "PLAYWRIGHT_MCP"])
@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("1", "true", "TRUE", "yes", "on", "On", " y ", "t"), True),
        (("0", "false", "False", "no", "off", "n", ""), False),
    ],
)
def test_booleans_in_the_environment_have_many_spellings(
    prefix: str, texts: tuple[str, ...], expected: bool
) -> None:
    for text in texts:
        assert settings(env={f"{prefix}_HEADLESS": text}).headless is expected, text
        assert settings(env={f"{prefix}_MOBILE": text}).emulation.mobile is expected, text


def test_another_word_is_no_boolean() -> None:
    result, _ = run(env={"VIEWPOINT_MCP_HEADLESS": "maybe"})
    assert result.exit_code == 2
    assert "'maybe' is not a valid boolean" in result.output

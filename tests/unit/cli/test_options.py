"""Flags from the command line and from the environment, and errors about them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from viewpoint_mcp.cli.flag_group import FlagGroup
from viewpoint_mcp.cli.options import FLAGS, make_settings
from viewpoint_mcp.cli.root_command import root_command
from viewpoint_mcp.config.emulation.devices import find_device
from viewpoint_mcp.config.emulation.http_credentials import HttpCredentials
from viewpoint_mcp.config.flag_annotations import list_declarations
from viewpoint_mcp.config.origins import parse_origins
from viewpoint_mcp.config.settings import (
    Emulation,
    OriginRules,
    Proxy,
    Settings,
    SnapshotMode,
    Timeouts,
)

HERE = Path.cwd().resolve()
ADA = (HttpCredentials(username="ada", password="p:w d"),)
SCRIPT = Path(__file__).read_text(encoding="utf-8")  # any text will do


@click.group(cls=FlagGroup, invoke_without_command=True)
@click.pass_context
def reader(context: click.Context, /, **values: Any) -> None:
    """Parses the flags like the command, and serves nothing."""
    context.obj.append(make_settings(values))


reader.add_flags(FLAGS)


def run(*flags: str, env: Mapping[str, str] | None = None) -> tuple[Result, list[Settings]]:
    read: list[Settings] = []
    return CliRunner().invoke(reader, flags, obj=read, env=env), read


def settings(*flags: str, env: Mapping[str, str] | None = None) -> Settings:
    result, read = run(*flags, env=env)
    assert result.exit_code == 0, result.output
    return read[0]


TABLE: list[tuple[str, str | None, str, object]] = [
    ("--headless", None, "headless", True),
    ("--browser", "msedge", "channel", "msedge"),
    ("--executable-path", "/opt/chrome", "executable", Path("/opt/chrome")),
    ("--user-data-dir", "profile", "user_data_dir", HERE / "profile"),
    ("--isolated", None, "isolated", True),
    ("--shared-browser-context", None, "shared_context", True),
    ("--cdp-endpoint", "http://127.0.0.1:9222", "cdp_endpoint", "http://127.0.0.1:9222"),
    ("--cdp-header", "X-Key: a:b", "cdp_headers", {"X-Key": "a:b"}),
    ("--extra-headers", "X-Key: a:b", "emulation", Emulation(extra_headers={"X-Key": "a:b"})),
    ("--http-credentials", "ada:p:w d", "emulation", Emulation(http_credentials=ADA)),
    ("--cdp-timeout", "1500", "timeouts", Timeouts(attach=1.5)),
    ("--auto-connect", None, "auto_connect", True),
    ("--viewport-size", "800x600", "emulation", Emulation(viewport=(800, 600))),
    ("--proxy-server", "socks5://a:1", "proxy", Proxy(scheme="socks5", host="a", port=1)),
    ("--allowed-origins", "a.test:1", "origins", OriginRules(allowed=parse_origins("a.test:1"))),
    ("--blocked-origins", "*.b.test", "origins", OriginRules(blocked=parse_origins("*.b.test"))),
    ("--writable-origins", "c.test", "origins", OriginRules(writable=parse_origins("c.test"))),
    ("--allow-private-network", None, "origins", OriginRules(allows_private_network=True)),
    ("--outflow", "block", "outflow", "block"),
    ("--device", "iphone 15", "emulation", Emulation(**find_device("iPhone 15"))),
    ("--mobile", None, "emulation", Emulation(**find_device("Pixel 10"))),
    ("--user-agent", "Me/1.0", "emulation", Emulation(user_agent="Me/1.0")),
    ("--locale", "pt_BR", "emulation", Emulation(locale="pt-BR")),
    ("--timezone", "europe/berlin", "emulation", Emulation(time_zone="Europe/Berlin")),
    ("--geolocation", "52.5,-13", "emulation", Emulation(geolocation=(52.5, -13.0, 10.0))),
    ("--grant-permissions", "midi,camera", "emulation", Emulation(permissions=("midi", "camera"))),
    ("--color-scheme", "dark", "emulation", Emulation(color_scheme="dark")),
    ("--offline", None, "emulation", Emulation(offline=True)),
    ("--ignore-https-errors", None, "emulation", Emulation(ignore_https_errors=True)),
    ("--block-service-workers", None, "emulation", Emulation(block_service_workers=True)),
    ("--init-script", __file__, "emulation", Emulation(init_scripts=(SCRIPT,))),
    ("--caps", "vision, pdf", "capabilities", frozenset({"vision", "pdf"})),
    *(("--snapshot-mode", mode.value, "snapshot_mode", mode) for mode in SnapshotMode),
    ("--snapshot-mode", "incremental", "snapshot_mode", SnapshotMode.DIFF),
    ("--snapshot-budget", "1000", "snapshot_budget", 1000),
    ("--snapshot-boxes", None, "snapshot_boxes", True),
    ("--console-level", "error", "console_level", "error"),
    ("--codegen", "python", "codegen", "python"),
    ("--test-id-attribute", "data-qa, data-test", "test_ids", ("data-qa", "data-test")),
    ("--tools", "slim, -browser_tabs", "tools", ("slim", "-browser_tabs")),
    ("--file-paths", "absolute", "absolute_paths", True),
    ("--save-session", None, "save_session", True),
    ("--shell", None, "shell", True),
    ("--browser-connection", "pipe", "by_pipe", True),
    ("--browser-arg", "--lang=de", "browser_args", ("--lang=de",)),
    ("--screenshot-dir", "shots", "screenshot_dir", HERE / "shots"),
    ("--output-dir", "/tmp", "output_dir", Path("/tmp")),
    ("--output-max-size", "1000000", "output_max_size", 1_000_000),
    ("--output-max-size", "500k", "output_max_size", 500 * 1024),
    ("--output-max-size", " 20 MB", "output_max_size", 20 * 1024**2),
    ("--output-max-size", "1G", "output_max_size", 1024**3),
    ("--allow-unrestricted-file-access", None, "unrestricted_files", True),
    ("--timeout-action", "1500", "timeouts", Timeouts(action=1.5)),
    ("--timeout-navigation", "1500", "timeouts", Timeouts(navigation=1.5)),
    ("--idle-timeout", "1500", "timeouts", Timeouts(idle=1.5)),
    ("--idle-timeout", "0", "timeouts", Timeouts(idle=0.0)),
    ("--timeout-settle", "0", "timeouts", Timeouts(settle=0.0)),
    ("--timeout-action", "0", "timeouts", Timeouts(action=86_400.0)),
    ("--timeout-navigation", "0", "timeouts", Timeouts(navigation=86_400.0)),
    ("--cdp-timeout", "0", "timeouts", Timeouts(attach=86_400.0)),
]


OF_SEVERAL_VALUES = {  # other tests here and in test_server_flags check these flags further
    *("--sandbox/--no-sandbox", "--proxy-bypass", "--trace-cdp", "--storage-state", "--secrets"),
    *("--image-responses", "--allow-dir"),
    *("--port", "--host", "--allowed-hosts", "--api-key", "--no-auth"),
}
DECLARATIONS = {
    each.flag.name: each for each in list_declarations(Settings) if not each.flag.is_key_only
}


def test_the_table_has_every_flag() -> None:
    assert {flag for flag, *_ in TABLE} | OF_SEVERAL_VALUES == set(DECLARATIONS)


def test_without_flags_the_defaults_apply() -> None:
    assert settings() == Settings(keeps_profile=True)


@pytest.mark.parametrize(("flag", "value", "name", "expected"), TABLE)
def test_a_flag_becomes_a_setting(
    flag: str, value: str | None, name: str, expected: object
) -> None:
    flags = [flag] if value is None else [flag, value]
    assert getattr(settings(*flags), name) == expected


@pytest.mark.parametrize("prefix", ["VIEWPOINT_MCP", "PLAYWRIGHT_MCP"])
@pytest.mark.parametrize(("flag", "value", "name", "expected"), TABLE)
def test_a_flag_is_read_from_the_environment_too(
    prefix: str, flag: str, value: str | None, name: str, expected: object
) -> None:
    variable = f"{prefix}_{flag.lstrip('-').replace('-', '_').upper()}"
    assert getattr(settings(env={variable: value or "true"}), name) == expected


def test_the_command_line_and_the_environment_do_not_have_what_only_keys_set() -> None:
    result, _ = run("--device-scale-factor=2")
    assert (result.exit_code, "No such option" in result.stderr) == (2, True)
    assert settings(env={"VIEWPOINT_MCP_DEVICE_SCALE_FACTOR": "2"}).emulation == Emulation()


def keys_of(flag: str) -> list[str]:
    """Return the configuration keys whose values are written as on the command line."""
    declared = DECLARATIONS[flag].flag
    first, *others = declared.parameter_name.split("_")
    named = first + "".join(map(str.capitalize, others))
    return [named, *(key for key in declared.config_keys if isinstance(key, str))]


@pytest.mark.parametrize(("flag", "value", "name", "expected"), TABLE)
def test_a_flag_is_read_from_the_configuration_file_too(
    tmp_path: Path, flag: str, value: str | None, name: str, expected: object
) -> None:
    file = tmp_path / "config.json"
    for key in keys_of(flag):
        config: object = value or True
        for part in reversed(key.split(".")):
            config = {part: config}
        file.write_text(json.dumps(config))
        assert getattr(settings("--config", str(file)), name) == expected


@pytest.mark.parametrize(
    ("flags", "expected"), [((), None), (("--sandbox",), True), (("--no-sandbox",), False)]
)
def test_the_sandbox_depends_on_the_machine_by_default(
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


@pytest.mark.parametrize(
    "flag", ["--port=0", "--isolated", "--user-data-dir=p", "--cdp-endpoint=9222", "--auto-connect"]
)
def test_a_profile_is_kept_unless_a_flag_decides_about_logins(flag: str) -> None:
    assert settings("--headless").keeps_profile
    assert not settings(flag).keeps_profile


def test_the_output_directory_keeps_screenshots_too_unless_they_have_their_own() -> None:
    assert settings("--output-dir=out").screenshot_dir == HERE / "out"
    assert settings("--output-dir=out", "--screenshot-dir=shots").screenshot_dir == HERE / "shots"
    assert settings("--screenshot-dir=shots").output_dir == HERE / ".viewpoint-mcp"


def test_a_flag_overrides_the_environment_and_the_projects_prefix_overrides_the_other() -> None:
    env = {"VIEWPOINT_MCP_BROWSER": "chrome", "PLAYWRIGHT_MCP_BROWSER": "msedge"}
    assert settings(env=env).channel == "chrome"
    assert settings("--browser", "chromium", env=env).channel == "chromium"


def test_with_an_empty_variable_of_this_project_the_other_one_counts() -> None:
    env = {"VIEWPOINT_MCP_BROWSER": "", "PLAYWRIGHT_MCP_BROWSER": "msedge"}
    assert settings(env=env).channel == "msedge"


def test_attaching_waits_longer_for_a_browser_that_asks_its_user() -> None:
    assert settings("--auto-connect").timeouts.attach == 60
    assert settings("--auto-connect", "--cdp-timeout=1500").timeouts.attach == 1.5


def test_no_secret_of_the_settings_or_of_a_malformed_header_is_shown() -> None:
    flags = ("--cdp-endpoint=wss://u:s3cret@h/?t=s3cret", "--cdp-header", "K: s3cret")
    assert "s3cret" not in repr(settings(*flags))
    result, _ = run("--cdp-header", "s3cret")
    assert result.exit_code == 2
    assert "s3cret" not in result.output


def test_a_browser_is_either_found_or_named() -> None:
    result, _ = run("--auto-connect", "--cdp-endpoint=9222")
    assert result.exit_code == 2
    assert "--auto-connect and --cdp-endpoint both choose the browser" in result.output


def test_a_server_without_tools_is_refused() -> None:
    for words in ("browser_pdf_save", "-*"):
        result, _ = run("--tools", words)
        assert result.exit_code == 2
        assert "--tools selects no tool" in result.output
    assert settings("--tools", "browser_pdf_save", "--caps", "pdf").tools == ("browser_pdf_save",)


def test_several_headers_are_sent() -> None:
    given = settings("--cdp-header", "A: 1", "--cdp-header", "B:2")
    assert given.cdp_headers == {"A": "1", "B": "2"}
    given = settings("--extra-headers", "A: 1", "--extra-headers", "B:2")
    assert given.emulation.extra_headers == {"A": "1", "B": "2"}


def test_a_header_with_blanks_is_read_whole_from_the_environment() -> None:
    env = {"VIEWPOINT_MCP_CDP_HEADER": "Authorization: Bearer abc"}
    assert settings(env=env).cdp_headers == {"Authorization": "Bearer abc"}


def test_several_headers_come_from_the_environment_line_by_line() -> None:
    env = {"VIEWPOINT_MCP_CDP_HEADER": "A: 1\nB: 2"}
    assert settings(env=env).cdp_headers == {"A": "1", "B": "2"}


def test_variables_that_playwright_mcp_names_differently_are_read(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("PIN=483920\n")
    env = {
        "PLAYWRIGHT_MCP_SECRETS_FILE": str(file),
        "PLAYWRIGHT_MCP_CDP_HEADERS": "Authorization: Bearer a b",
    }
    assert settings(env=env).secrets.get_value_or_same_text("PIN") == "483920"
    assert settings(env=env).cdp_headers == {"Authorization": "Bearer a b"}


def test_a_storage_state_is_read_by_its_absolute_path(tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    file.write_text("{}")
    assert settings("--storage-state", str(file)).storage_state == file
    env = {"PLAYWRIGHT_MCP_STORAGE_STATE": str(file)}
    assert settings(env=env).storage_state == file


@pytest.mark.parametrize("flag", ["--user-data-dir=profile", "--cdp-endpoint=localhost:9222"])
@pytest.mark.parametrize("first", [True, False])
def test_a_storage_state_is_refused_for_a_browser_with_existing_logins(
    tmp_path: Path, flag: str, first: bool
) -> None:
    file = tmp_path / "state.json"
    file.write_text("{}")
    state = f"--storage-state={file}"
    result, _ = run(*((flag, state) if first else (state, flag)))
    assert result.exit_code == 2
    assert f"browser or profile of {flag.partition('=')[0]}" in result.output
    assert "browser_context_create" in result.output


@pytest.mark.parametrize("text", ["1280x720", "1280X720", "1280,720", "1280 x 720", "1280, 720"])
def test_a_size_may_be_written_in_several_ways(text: str) -> None:
    assert settings("--viewport-size", text).emulation.viewport == (1280, 720)


def test_the_bypass_list_is_read_with_the_proxy() -> None:
    flags = ("--proxy-server", "proxy:3128", "--proxy-bypass", "localhost, .a.com")
    assert settings(*flags).proxy == Proxy(
        scheme="http", host="proxy", port=3128, bypass=("localhost", ".a.com")
    )


def test_a_bypass_list_requires_a_proxy() -> None:
    result, _ = run("--proxy-bypass", "localhost")
    assert result.exit_code == 2
    assert "--proxy-bypass needs --proxy-server." in result.stderr


@pytest.mark.parametrize("url", ["ftp://joe:hunter2@proxy", "http://joe:hunter2@proxy:x"])
def test_the_password_of_a_malformed_proxy_is_not_repeated(url: str) -> None:
    for result, _ in (run("--proxy-server", url), run(env={"VIEWPOINT_MCP_PROXY_SERVER": url})):
        assert result.exit_code == 2
        assert "hunter2" not in result.output


def test_lists_of_origins_may_be_repeated() -> None:
    parsed = settings("--allowed-origins", "a.test;b.test", "--allowed-origins", "c.test").origins
    assert parsed.allowed == parse_origins("a.test;b.test;c.test")
    env = {"PLAYWRIGHT_MCP_ALLOWED_ORIGINS": "https://a.test;http://localhost:3000"}
    assert settings(env=env).origins.allowed == parse_origins(";".join(env.values()))


@pytest.mark.parametrize(
    "flag",
    [
        "--cdp-endpoint=localhost:9222",
        "--auto-connect",
        "--proxy-server=socks4://a",
        "--proxy-bypass=.a.test",
    ],
)
@pytest.mark.parametrize("origins", ["--allowed-origins=a.test", "--blocked-origins=a.test"])
def test_lists_of_origins_refuse_settings_that_would_bypass_them(flag: str, origins: str) -> None:
    result, _ = run(flag, origins, "--proxy-server=a")
    if "socks4" in flag:
        result, _ = run(flag, origins)
    assert result.exit_code == 2
    assert "--allowed-origins and --blocked-origins" in result.stderr


def test_a_given_value_overrides_the_device() -> None:
    parsed = settings("--device", "Pixel 7", "--viewport-size", "500x600", "--user-agent", "Me")
    assert parsed.emulation == Emulation(
        viewport=(500, 600), scale=2.625, mobile=True, touch=True, user_agent="Me"
    )


def test_a_device_wins_over_any_mobile_one() -> None:
    parsed = settings("--device", "iPhone 15", "--mobile")
    assert parsed.emulation == settings("--device", "iPhone 15").emulation


def test_permissions_and_scripts_may_be_repeated(tmp_path: Path) -> None:
    first, second = tmp_path / "first.js", tmp_path / "second.js"
    first.write_text("first")
    second.write_text("second")
    flags = ["--grant-permissions", "midi", "--grant-permissions", "camera, geolocation"]
    parsed = settings(*flags, "--init-script", str(first), "--init-script", str(second)).emulation
    assert parsed.permissions == ("midi", "camera", "geolocation")
    assert parsed.init_scripts == ("first", "second")
    assert "second" not in repr(parsed)


@pytest.mark.parametrize(
    ("flags", "env"),
    [
        (("--isolated", "--user-data-dir=profile"), {}),
        (("--isolated",), {"PLAYWRIGHT_MCP_USER_DATA_DIR": "profile"}),
    ],
)
def test_a_profile_for_isolated_contexts_is_a_contradiction(
    flags: tuple[str, ...], env: dict[str, str]
) -> None:
    result, _ = run(*flags, env=env)
    assert result.exit_code == 2
    assert "--isolated uses no profile" in result.stderr


def test_the_help_names_every_flag() -> None:
    reported = CliRunner().invoke(root_command, ["--help"]).stdout
    assert [flag for flag, *_ in TABLE if flag not in reported] == []

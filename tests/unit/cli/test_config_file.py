"""--config: playwright-mcp's keys, below the environment and the flags."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.unit.cli.test_options import run, settings
from viewpoint_mcp.config.emulation.devices import find_device
from viewpoint_mcp.config.emulation.http_credentials import HttpCredentials
from viewpoint_mcp.config.settings import (
    Emulation,
    ImageResponses,
    Listening,
    Proxy,
    SnapshotMode,
    Timeouts,
)


@pytest.fixture
def write(tmp_path: Path) -> Any:
    """Return `write(config)`: the flag that names a file with it."""

    def write(config: object) -> str:
        path = tmp_path / "config.json"
        path.write_text(config if isinstance(config, str) else json.dumps(config))
        return f"--config={path}"

    return write


CONFIGS: list[tuple[dict[str, Any], str, object]] = [
    ({"browser": {"isolated": True}}, "isolated", True),
    ({"browser": {"browserName": "chromium"}}, "channel", None),
    ({"browser": {"userDataDir": "/profile"}}, "user_data_dir", Path("/profile")),
    ({"browser": {"launchOptions": {"channel": "msedge"}}}, "channel", "msedge"),
    ({"browser": {"launchOptions": {"channel": "chrome-for-testing"}}}, "channel", "chromium"),
    ({"browser": {"launchOptions": {"headless": True}}}, "headless", True),
    ({"browser": {"launchOptions": {"headless": False}}}, "headless", False),
    ({"browser": {"launchOptions": {"executablePath": "/c"}}}, "executable", Path("/c")),
    ({"browser": {"launchOptions": {"chromiumSandbox": False}}}, "sandbox", False),
    (
        {"browser": {"launchOptions": {"args": ["--lang=de", "-x"]}}},
        "browser_args",
        ("--lang=de", "-x"),
    ),
    (
        {"browser": {"launchOptions": {"proxy": {"server": "http://p:1", "bypass": ".a"}}}},
        "proxy",
        Proxy(scheme="http", host="p", port=1, bypass=(".a",)),
    ),
    (
        {"browser": {"contextOptions": {"viewport": {"width": 9, "height": 8}}}},
        "emulation",
        Emulation(viewport=(9, 8)),
    ),
    ({"browser": {"contextOptions": {"viewport": None}}}, "emulation", Emulation()),
    ({"browser": {"contextOptions": {"userAgent": "me"}}}, "emulation", Emulation(user_agent="me")),
    (
        {"browser": {"contextOptions": {"timezoneId": "UTC"}}},
        "emulation",
        Emulation(time_zone="UTC"),
    ),
    (
        {"browser": {"contextOptions": {"geolocation": {"latitude": 1, "longitude": 2.5}}}},
        "emulation",
        Emulation(geolocation=(1.0, 2.5, 10.0)),
    ),
    (
        {"browser": {"contextOptions": {"permissions": ["camera", "midi"]}}},
        "emulation",
        Emulation(permissions=("camera", "midi")),
    ),
    (
        {"browser": {"contextOptions": {"serviceWorkers": "block"}}},
        "emulation",
        Emulation(block_service_workers=True),
    ),
    (
        {"browser": {"contextOptions": {"ignoreHTTPSErrors": True}}},
        "emulation",
        Emulation(ignore_https_errors=True),
    ),
    (
        {"browser": {"contextOptions": {"extraHTTPHeaders": {"X-Key": "a:b", "Y": "2"}}}},
        "emulation",
        Emulation(extra_headers={"X-Key": "a:b", "Y": "2"}),
    ),
    (
        {"browser": {"contextOptions": {"deviceScaleFactor": 2.5}}},
        "emulation",
        Emulation(scale=2.5),
    ),
    ({"browser": {"contextOptions": {"isMobile": True}}}, "emulation", Emulation(mobile=True)),
    ({"browser": {"contextOptions": {"hasTouch": True}}}, "emulation", Emulation(touch=True)),
    (
        {"browser": {"contextOptions": {"screen": {"width": 9, "height": 8}}}},
        "emulation",
        Emulation(screen=(9, 8)),
    ),
    (
        {"browser": {"contextOptions": {"reducedMotion": "reduce", "colorScheme": None}}},
        "emulation",
        Emulation(reduced_motion="reduce"),
    ),
    (
        {"browser": {"contextOptions": {"forcedColors": "active"}}},
        "emulation",
        Emulation(forced_colors="active"),
    ),
    (
        {"browser": {"contextOptions": {"contrast": "more"}}},
        "emulation",
        Emulation(contrast="more"),
    ),
    ({"browser": {"contextOptions": {"bypassCSP": True}}}, "emulation", Emulation(bypass_csp=True)),
    (
        {"browser": {"contextOptions": {"javaScriptEnabled": False}}},
        "emulation",
        Emulation(javascript_enabled=False),
    ),
    (
        {"device": "iPhone 15", "browser": {"contextOptions": {"isMobile": False}}},
        "emulation",
        Emulation(**{**find_device("iPhone 15"), "mobile": False}),
    ),
    (
        {"browser": {"contextOptions": {"httpCredentials": {"username": "a", "password": "b"}}}},
        "emulation",
        Emulation(http_credentials=(HttpCredentials(username="a", password="b"),)),
    ),
    ({"server": {"port": 8931}}, "listening", Listening(host="127.0.0.1", port=8931)),
    (
        {"server": {"port": "0", "host": "::1", "allowedHosts": ["a.test", "b.test:1"]}},
        "listening",
        Listening(host="::1", port=0, allowed_hosts=("a.test", "b.test:1")),
    ),
    ({"server": {"host": "localhost", "allowedHosts": "a.test"}}, "listening", None),
    ({"browser": {"cdpEndpoint": "localhost:9222"}}, "cdp_endpoint", "localhost:9222"),
    ({"browser": {"cdpHeaders": {"X-Key": "a"}}}, "cdp_headers", {"X-Key": "a"}),
    ({"browser": {"remoteHeaders": {"X-Key": "a"}}}, "cdp_headers", {"X-Key": "a"}),
    ({"browser": {"cdpTimeout": 1500}}, "timeouts", Timeouts(attach=1.5)),
    ({"capabilities": ["core", "vision"]}, "capabilities", frozenset({"vision"})),
    ({"saveSession": True}, "save_session", True),
    ({"outputDir": "/out"}, "output_dir", Path("/out")),
    ({"outputMaxSize": 1000}, "output_max_size", 1000),
    ({"console": {"level": "error"}}, "console_level", "error"),
    (
        {"timeouts": {"action": 1500, "settle": 0, "idle": 0}},
        "timeouts",
        Timeouts(action=1.5, settle=0, idle=0),
    ),
    ({"imageResponses": "allow"}, "image_responses", ImageResponses.INLINE),
    ({"filePaths": "absolute"}, "absolute_paths", True),
    ({"snapshot": {"mode": "full"}}, "snapshot_mode", SnapshotMode.FULL),
    ({"snapshot": {"boxes": True}}, "snapshot_boxes", True),
    ({"allowUnrestrictedFileAccess": True}, "unrestricted_files", True),
    ({"snapshotBudget": 5000}, "snapshot_budget", 5000),
]


@pytest.mark.parametrize(("config", "name", "expected"), CONFIGS)
def test_a_key_becomes_a_setting(
    write: Any, config: dict[str, Any], name: str, expected: object
) -> None:
    assert getattr(settings(write(config)), name) == expected


def test_credentials_of_a_proxy_are_read_unchanged(write: Any) -> None:
    proxy = {"server": "socks5://p:1", "username": "a@b", "password": "c:d/é"}
    read = settings(write({"browser": {"launchOptions": {"proxy": proxy}}})).proxy
    assert read is not None
    assert (read.url_without_credentials, read.username, read.password) == (
        "socks5://p:1",
        "a@b",
        "c:d/é",
    )


def test_the_file_may_contain_secrets(write: Any) -> None:
    assert (
        settings(write({"secrets": {"PIN": "483920"}})).secrets.get_value_or_same_text("PIN")
        == "483920"
    )


def test_the_schema_for_editors_is_ignored_without_a_warning(write: Any) -> None:
    schema = "https://json.schemastore.org/any.json"
    result, read = run(write({"$schema": schema, "outputMaxSize": 5}))
    assert [each.output_max_size for each in read] == [5]
    assert result.stderr == ""


@pytest.mark.parametrize("form", ["browser.initScript", "initScript", "one path"])
def test_an_init_script_is_relative_to_the_file(write: Any, tmp_path: Path, form: str) -> None:
    (tmp_path / "a.js").write_text("a")
    (tmp_path / "b.js").write_text("b")
    paths = ["a.js", str(tmp_path / "b.js")]
    configs: dict[str, dict[str, Any]] = {
        "browser.initScript": {"browser": {"initScript": paths}},
        "initScript": {"initScript": paths},
        "one path": {"browser": {"initScript": "a.js"}},
    }
    expected = ("a",) if form == "one path" else ("a", "b")
    assert settings(write(configs[form])).emulation.init_scripts == expected


def test_a_missing_init_script_is_reported_with_its_path(write: Any, tmp_path: Path) -> None:
    result, _ = run(write({"browser": {"initScript": ["none.js"]}}))
    assert result.exit_code == 2
    assert str(tmp_path / "none.js") in "".join(result.stderr.split("\n"))


def test_a_null_secret_is_no_secret(write: Any) -> None:
    config = write({"secrets": {"PIN": 483920, "OTHER": None}})
    assert settings(config).secrets.values == {"PIN": "483920"}


def test_the_environment_beats_it_and_a_flag_beats_both(write: Any) -> None:
    config = write({"timeouts": {"action": 1000, "navigation": 1000, "settle": 1000}})
    env = {"PLAYWRIGHT_MCP_TIMEOUT_ACTION": "2000", "VIEWPOINT_MCP_TIMEOUT_SETTLE": "2000"}
    read = settings(config, "--timeout-action=3000", env=env).timeouts
    assert (read.action, read.settle, read.navigation) == (3.0, 2.0, 1.0)


def test_the_environment_switches_the_sandbox_off_that_it_has_on(write: Any) -> None:
    config = write({"browser": {"launchOptions": {"chromiumSandbox": True}}})
    env = {"PLAYWRIGHT_MCP_NO_SANDBOX": "true"}
    assert settings(config, env=env).sandbox is False
    assert settings(config, env={"PLAYWRIGHT_MCP_NO_SANDBOX": "false"}).sandbox is True
    assert settings(config, "--sandbox", env=env).sandbox is True
    assert settings(config, env={**env, "PLAYWRIGHT_MCP_SANDBOX": "true"}).sandbox is True


def test_the_environment_may_name_it(write: Any) -> None:
    path = write({"saveSession": True}).removeprefix("--config=")
    assert settings(env={"PLAYWRIGHT_MCP_CONFIG": path}).save_session


BAD: list[tuple[object, str]] = [
    ("{", "as JSON"),
    ([], "is not a JSON object"),
    ({"browsr": {}}, "Unknown key browsr in"),
    ({"browser": {"isolate": True}}, "Unknown key browser.isolate"),
    ({"console": {"levl": "error"}}, "Unknown key console.levl"),
    ({"deviceScaleFactor": 2}, "Unknown key deviceScaleFactor in"),
    (
        {"browser": {"contextOptions": {"contrast": "much"}}},
        "Invalid value for browser.contextOptions.contrast: 'much' is not one of",
    ),
    (
        {"browser": {"contextOptions": {"deviceScaleFactor": 0}}},
        "0 is not a device scale factor. Write a number such as 2.",
    ),
    ({"timeouts": {"action": "soon"}}, "It comes from timeouts.action of"),
    ({"browser": {"browserName": "firefox"}}, "It comes from browser.browserName of"),
    (
        {"browser": {"contextOptions": {"viewport": {"width": 1}}}},
        "The value of browser.contextOptions.viewport has the wrong type",
    ),
    (
        {"browser": {"contextOptions": {"clientCertificates": [{"origin": "https://a.test"}]}}},
        "browser.contextOptions.clientCertificates cannot be used: the DevTools protocol has no",
    ),
    (
        {"browser": {"launchOptions": {"proxy": "http://p"}}},
        "The value of browser.launchOptions.proxy has the wrong type",
    ),
]


OF_A_WRONG_TYPE: list[dict[str, Any]] = [
    {"browser": {"userDataDir": 5}},
    {"browser": {"isolated": 5}},
    {"browser": {"initScript": [1]}},
    {"browser": {"cdpEndpoint": {"url": "a"}}},
    {"browser": {"launchOptions": {"executablePath": ["a"]}}},
    {"browser": {"launchOptions": {"headless": {}}}},
    {"browser": {"launchOptions": {"headless": [1]}}},
    {"browser": {"contextOptions": {"userAgent": {"a": 1}}}},
    {"browser": {"contextOptions": {"storageState": ["a"]}}},
    {"browser": {"contextOptions": {"httpCredentials": "hunter2"}}},
    {"browser": {"contextOptions": {"httpCredentials": [{"username": "hunter2"}]}}},
    {"browser": {"contextOptions": {"httpCredentials": {"username": 1, "password": "hunter2"}}}},
    {"timeouts": {"action": [1]}},
    {"allowDir": [5]},
    {"outputDir": []},
    {"secrets": ["hunter2"]},
    {"secrets": 5},
    {"secrets": {"KEY": {"value": "hunter2"}}},
]


@pytest.mark.parametrize("config", OF_A_WRONG_TYPE)
def test_a_value_of_a_wrong_type_is_reported_in_a_sentence(
    write: Any, config: dict[str, Any]
) -> None:
    result: Result = run(write(config))[0]
    assert result.exit_code == 2
    assert "has the wrong type" in result.stderr
    assert "hunter2" not in result.stderr


@pytest.mark.parametrize(("config", "words"), BAD)
def test_a_mistake_in_the_file_is_named_and_the_status_is_2(
    write: Any, config: object, words: str
) -> None:
    result: Result = run(write(config))[0]
    assert result.exit_code == 2
    assert words in result.stderr

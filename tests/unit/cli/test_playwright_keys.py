"""Each key of playwright-mcp, and each option of Playwright, has an effect or a reason."""

from __future__ import annotations

import json
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from tests.code_blocks import ROOT
from tests.unit.cli.test_options import run
from viewpoint_mcp.cli.ignored_flags import IGNORED_KEYS

PEER = json.loads((ROOT / "tests/unit/documentation/playwright_mcp.json").read_text())
LAUNCH, CONTEXT = "browser.launchOptions", "browser.contextOptions"
KEYS = [
    *(key for key in PEER["keys"] if key not in (LAUNCH, CONTEXT)),
    *(f"{LAUNCH}.{key}" for key in PEER["launchOptions"]),
    *(f"{CONTEXT}.{key}" for key in PEER["contextOptions"]),
]
PROXY = {"server": "http://proxy:1", "bypass": ".a", "username": "u", "password": "p"}
SIZE = {"width": 9, "height": 8}
EFFECTIVE: dict[str, Any] = {
    "browser.isolated": True,
    "browser.userDataDir": "/profile",
    "browser.cdpEndpoint": "localhost:9222",
    "browser.cdpHeaders": {"X-Key": "a"},
    "browser.cdpTimeout": 1500,
    "browser.initScript": [__file__],
    "server.port": 8931,
    "server.host": "::1",
    "server.allowedHosts": ["a.test"],
    "capabilities": ["vision"],
    "saveSession": True,
    "sharedBrowserContext": True,
    "secrets": {"PIN": "483920"},
    "outputDir": "/out",
    "outputMaxSize": 1000,
    "console.level": "error",
    "network.allowedOrigins": ["https://a.test"],
    "network.blockedOrigins": ["https://a.test"],
    "testIdAttribute": "data-qa",
    "timeouts.action": 1,
    "timeouts.navigation": 1,
    "timeouts.expect": 1,
    "timeouts.settle": 1,
    "timeouts.idle": 1,
    "imageResponses": "omit",
    "filePaths": "absolute",
    "snapshot.mode": "none",
    "snapshot.boxes": True,
    "allowUnrestrictedFileAccess": True,
    "codegen": "typescript",
    f"{LAUNCH}.args": ["--lang=de"],
    f"{LAUNCH}.channel": "msedge",
    f"{LAUNCH}.chromiumSandbox": True,
    f"{LAUNCH}.downloadsPath": "/downloads",
    f"{LAUNCH}.env": {"TZ": "UTC", "N": 1, "UNSET": None},
    f"{LAUNCH}.executablePath": "/chrome",
    f"{LAUNCH}.headless": True,
    f"{LAUNCH}.ignoreDefaultArgs": ["--mute-audio"],
    f"{LAUNCH}.proxy": PROXY,
    f"{LAUNCH}.timeout": 1000,
    f"{CONTEXT}.acceptDownloads": False,
    f"{CONTEXT}.bypassCSP": True,
    f"{CONTEXT}.colorScheme": "dark",
    f"{CONTEXT}.contrast": "more",
    f"{CONTEXT}.deviceScaleFactor": 2,
    f"{CONTEXT}.extraHTTPHeaders": {"X-Key": "a"},
    f"{CONTEXT}.forcedColors": "active",
    f"{CONTEXT}.geolocation": {"latitude": 1, "longitude": 2},
    f"{CONTEXT}.hasTouch": True,
    f"{CONTEXT}.httpCredentials": {"username": "a", "password": "b"},
    f"{CONTEXT}.ignoreHTTPSErrors": True,
    f"{CONTEXT}.isMobile": True,
    f"{CONTEXT}.javaScriptEnabled": False,
    f"{CONTEXT}.locale": "de-DE",
    f"{CONTEXT}.offline": True,
    f"{CONTEXT}.permissions": ["camera"],
    f"{CONTEXT}.proxy": PROXY,
    f"{CONTEXT}.reducedMotion": "reduce",
    f"{CONTEXT}.screen": SIZE,
    f"{CONTEXT}.serviceWorkers": "block",
    f"{CONTEXT}.storageState": {"cookies": [], "origins": []},
    f"{CONTEXT}.timezoneId": "UTC",
    f"{CONTEXT}.userAgent": "Me/1",
    f"{CONTEXT}.viewport": SIZE,
}
REFUSED: dict[str, tuple[Any, str]] = {
    "browser.browserName": ("firefox", "this server drives browsers that are based on Chromium"),
    "browser.remoteEndpoint": ("ws://a.test", "needs a server of Playwright"),
    "extension": (True, "needs the browser extension of Playwright"),
    f"{CONTEXT}.clientCertificates": ([{"origin": "https://a.test"}], "has no command that gives"),
}
IN_FORCE: list[tuple[str, Any]] = [
    ("browser.browserName", "chromium"),
    ("extension", False),
    ("webmcp", False),
    (f"{LAUNCH}.handleSIGINT", True),
    (f"{LAUNCH}.slowMo", 0),
    (f"{LAUNCH}.env", None),
    (f"{LAUNCH}.ignoreDefaultArgs", False),
    (f"{CONTEXT}.acceptDownloads", True),
    (f"{CONTEXT}.colorScheme", None),
    (f"{CONTEXT}.javaScriptEnabled", True),
    (f"{CONTEXT}.strictSelectors", True),
    (f"{CONTEXT}.viewport", None),
]


def flag_for(directory: Path, key: str, value: Any, *, port: int | None = None) -> str:
    """Write a configuration file with a key, and return the flag that names it."""
    config = reduce(lambda inner, part: {part: inner}, reversed(key.split(".")), value)
    if port is not None:
        config.setdefault("server", {}).setdefault("port", port)
    path = directory / "config.json"
    path.write_text(json.dumps(config))
    return f"--config={path}"


def test_each_key_is_in_one_table() -> None:
    tables = [set(EFFECTIVE), set(REFUSED), set(IGNORED_KEYS)]
    assert {key: [key in table for table in tables].count(True) for key in KEYS} == dict.fromkeys(
        KEYS, 1
    )


@pytest.mark.parametrize("key", EFFECTIVE)
def test_a_key_with_an_effect_changes_the_settings_without_a_warning(
    tmp_path: Path, key: str
) -> None:
    port = 1 if key.startswith("server.") and key != "server.port" else None
    result, with_key = run(flag_for(tmp_path, key, EFFECTIVE[key], port=port))
    assert result.exit_code == 0, result.stderr
    _, without = run(*() if port is None else (f"--port={port}",))
    assert with_key != without
    assert "Ignored" not in result.stderr


@pytest.mark.parametrize("key", IGNORED_KEYS)
def test_a_key_without_an_effect_has_a_reason(tmp_path: Path, key: str) -> None:
    value = "x" if key != f"{CONTEXT}.strictSelectors" else "perhaps"
    result, with_key = run(flag_for(tmp_path, key, value))
    assert result.exit_code == 0, result.stderr
    assert with_key == run()[1]
    assert IGNORED_KEYS[key].reason.endswith(".")


@pytest.mark.parametrize("key", REFUSED)
def test_a_key_that_is_refused_ends_the_start_with_the_reason(tmp_path: Path, key: str) -> None:
    value, reason = REFUSED[key]
    result, with_key = run(flag_for(tmp_path, key, value))
    assert (result.exit_code, with_key) == (2, [])
    assert reason in " ".join(result.stderr.split())


@pytest.mark.parametrize(("key", "value"), IN_FORCE)
def test_a_value_that_is_in_force_anyway_changes_nothing(
    tmp_path: Path, key: str, value: Any
) -> None:
    result, with_key = run(flag_for(tmp_path, key, value))
    assert (result.exit_code, with_key) == (0, run()[1])


def test_a_relative_directory_for_downloads_starts_in_the_working_directory(
    tmp_path: Path,
) -> None:
    _, (read,) = run(flag_for(tmp_path, f"{LAUNCH}.downloadsPath", "inbox"))
    assert read.partial_downloads_dir == Path.cwd() / "inbox"


MALFORMED: list[tuple[str, Any]] = [
    (f"{LAUNCH}.env", ["TZ"]),
    (f"{LAUNCH}.env", {"TZ": ["hunter2"]}),
    (f"{LAUNCH}.ignoreDefaultArgs", "--mute-audio"),
    (f"{LAUNCH}.ignoreDefaultArgs", [1]),
    (f"{LAUNCH}.timeout", "soon"),
    (f"{LAUNCH}.downloadsPath", 5),
    (f"{CONTEXT}.deviceScaleFactor", "big"),
    (f"{CONTEXT}.isMobile", "perhaps"),
    (f"{CONTEXT}.screen", {"width": 9}),
    (f"{CONTEXT}.storageState", {"cookies": [{"name": "hunter2"}]}),
    ("timeouts.expect", -1),
]


@pytest.mark.parametrize(("key", "value"), MALFORMED)
def test_a_malformed_value_is_refused_with_its_key(tmp_path: Path, key: str, value: Any) -> None:
    result, _ = run(flag_for(tmp_path, key, value))
    assert result.exit_code == 2
    message = " ".join(result.stderr.split())
    assert key in message
    assert "hunter2" not in message


def test_a_storage_state_on_the_command_line_replaces_that_in_the_file(tmp_path: Path) -> None:
    flag = flag_for(tmp_path, f"{CONTEXT}.storageState", {"cookies": []})
    state = tmp_path / "state.json"
    state.write_text('{"cookies": []}')
    _, (read,) = run(flag, f"--storage-state={state}")
    assert read.storage_state == state
    result, _ = run(flag, "--user-data-dir=profile")
    assert (result.exit_code, "change the logins" in result.stderr) == (2, True)

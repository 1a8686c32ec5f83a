"""The settings in the form of the configuration file: complete, readable again, without secrets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support.in_process import settings_in
from viewpoint_mcp.config.flag_annotations import list_declarations
from viewpoint_mcp.config.resolved_config import render_as_config
from viewpoint_mcp.config.settings import Settings


def render(cwd: Path, *flags: str) -> dict[str, Any]:
    config = render_as_config(settings_in(cwd, *flags))
    return dict(json.loads(json.dumps(config)))


def test_values_have_the_keys_and_the_form_of_the_configuration_file(tmp_path: Path) -> None:
    config = render(
        tmp_path,
        *("--headless", "--viewport-size=800x600", "--geolocation=52.5,13.4", "--caps=vision"),
        *("--timeout-action=1500", "--proxy-server=localhost:1", "--proxy-bypass=a.test,b.test"),
        *("--browser-connection=pipe", "--file-paths=absolute"),
        *("--block-service-workers", "--grant-permissions=camera", "--mobile"),
    )
    options = config["browser"]["contextOptions"]
    assert config["browser"]["launchOptions"]["headless"] is True
    assert options["viewport"] == {"width": 800, "height": 600}
    assert options["geolocation"] == {"latitude": 52.5, "longitude": 13.4, "accuracy": 10}
    assert (options["serviceWorkers"], options["permissions"]) == ("block", ["camera"])
    assert (options["isMobile"], options["hasTouch"]) == (True, True)
    assert config["capabilities"] == ["vision"]
    assert config["timeouts"]["action"] == 1500
    proxy = {"server": "http://localhost:1", "bypass": "a.test,b.test"}
    assert config["browser"]["launchOptions"]["proxy"] == proxy
    assert (config["browserConnection"], config["filePaths"]) == ("pipe", "absolute")
    assert config["snapshot"] == {"mode": "diff", "boxes": False}
    assert "server" not in config
    assert "codegen" in config


@pytest.mark.parametrize(
    "flags",
    [
        (),
        ("--port=0", "--host=::1", "--allowed-hosts=a.test", "--no-auth", "--caps=pdf,vision"),
        ("--device=Pixel 7", "--locale=de-DE", "--allowed-origins=a.test;*.b.test:8080"),
        ("--snapshot-mode=full", "--output-max-size=2k", "--test-id-attribute=data-qa,data-t"),
        ("--proxy-server=socks5://a.test:9", "--sandbox", "--browser=chrome", "--idle-timeout=0"),
        ("--browser-connection=pipe", "--browser-arg=--lang=de", "--color-scheme=dark"),
    ],
)
def test_it_is_a_configuration_file_with_the_same_result(
    tmp_path: Path, flags: tuple[str, ...]
) -> None:
    config = render(tmp_path, *flags)
    file = tmp_path / "config.json"
    file.write_text(json.dumps(config))
    assert render(tmp_path, f"--config={file}") == config


def test_secrets_are_masked(tmp_path: Path) -> None:
    secrets, script, state = tmp_path / "secrets.env", tmp_path / "start.js", tmp_path / "c.json"
    secrets.write_text("TOKEN=hidden-1\n")
    script.write_text("const key = 'hidden-2'")
    options = {
        "launchOptions": {"env": {"KEY": "hidden-3"}},
        "contextOptions": {
            "extraHTTPHeaders": {"Authorization": "hidden-4"},
            "httpCredentials": {"username": "hidden-5", "password": "hidden-6"},
            "storageState": {"cookies": [], "origins": []},
        },
    }
    state.write_text(json.dumps({"browser": options}))
    flags = (f"--secrets={secrets}", f"--init-script={script}", f"--config={state}")
    proxy = "--proxy-server=http://hidden-7:hidden-8@localhost:1"
    listening = ("--port=0", "--api-key=hidden-9", "--browser-arg=--x=http://a:hidden-10@b.test")
    config = render(tmp_path, *flags, proxy, *listening)
    endpoint = "wss://ann:hidden-11@a.test/?token=hidden-12"
    attached = render(tmp_path, f"--cdp-endpoint={endpoint}", "--cdp-header=X-Key: hidden-13")
    assert "hidden" not in json.dumps([config, attached])
    assert config["secrets"] == {"TOKEN": "<masked>"}
    assert config["apiKey"] == "<masked>"
    browser = config["browser"]
    assert browser["contextOptions"]["extraHTTPHeaders"] == {"Authorization": "<masked>"}
    assert browser["launchOptions"]["env"] == {"KEY": "<masked>"}
    assert browser["launchOptions"]["proxy"]["server"] == "http://localhost:1"
    assert browser["initScript"] == ["(script of 22 characters)"]
    assert attached["browser"]["cdpEndpoint"] == "wss://<masked>@a.test/?<masked>"
    assert attached["browser"]["cdpHeaders"] == {"X-Key": "<masked>"}


def test_every_flag_has_a_key_of_its_own() -> None:
    """Flags that share a key set parts of one object, or the same field."""
    shared = {"browser.launchOptions.proxy", "browser.contextOptions.storageState"}
    keys = [each.flag.main_key for each in list_declarations(Settings)]
    assert {key for key in keys if keys.count(key) > 1} == shared

"""Client hints for a user agent."""

from __future__ import annotations

from typing import Any

import pytest

from viewpoint_mcp.config.emulation.devices import find_device
from viewpoint_mcp.config.settings import Emulation
from viewpoint_mcp.page.emulation.user_agent import UserAgentOverride, build_override

VERSION = "156.0.8078.79"
CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"


def override_for(**wanted: Any) -> UserAgentOverride:
    params = build_override(Emulation(**wanted), VERSION)
    assert params is not None
    return params


def test_without_a_user_agent_no_hints_are_sent() -> None:
    assert build_override(Emulation(viewport=(1, 1), time_zone="UTC"), VERSION) is None


@pytest.mark.parametrize(
    ("locale", "languages"), [("de-DE", "de-DE,de"), ("de", "de"), ("zh-Hans-CN", "zh-Hans-CN,zh")]
)
def test_a_locale_alone_leaves_the_browsers_own_user_agent(locale: str, languages: str) -> None:
    assert override_for(locale=locale) == {"userAgent": "", "acceptLanguage": languages}


def test_a_devices_user_agent_gets_the_version_that_runs() -> None:
    params = override_for(**find_device("Pixel 7"))
    assert "Chrome/156.0.0.0 Mobile" in params["userAgent"]
    assert params["platform"] == "Linux armv8l"
    hints = params["userAgentMetadata"]
    assert {"brand": "Google Chrome", "version": "156"} in hints["brands"]
    assert {"brand": "Google Chrome", "version": VERSION} in hints["fullVersionList"]
    assert (hints["platform"], hints["model"], hints["mobile"]) == ("Android", "Pixel 7", True)


def test_another_version_than_the_browsers_is_in_all_hints() -> None:
    hints = override_for(user_agent=f"Mozilla/5.0 (X11; Linux x86_64) {CHROME}")[
        "userAgentMetadata"
    ]
    versions = {each["brand"]: each["version"] for each in hints["fullVersionList"]}
    assert versions["Chromium"] == "140.0.0.0"


@pytest.mark.parametrize(
    ("system", "platform", "version", "navigator", "model"),
    [
        ("Windows NT 10.0; Win64; x64", "Windows", "10.0", "Win32", ""),
        ("Macintosh; Intel Mac OS X 10_15_7", "macOS", "10.15.7", "MacIntel", ""),
        ("X11; Linux x86_64", "Linux", "", "Linux x86_64", ""),
        ("X11; CrOS x86_64 14541.0.0", "Chrome OS", "14541.0.0", "Linux x86_64", ""),
        ("Linux; Android 14; SM-A556B Build/UP1A", "Android", "14", "Linux armv8l", "SM-A556B"),
        ("Linux; Android 10; K", "Android", "10", "Linux armv8l", ""),
        ("Toaster", "", "", None, ""),
    ],
)
def test_the_platform_is_that_of_the_user_agent(
    system: str, platform: str, version: str, navigator: str | None, model: str
) -> None:
    params = override_for(user_agent=f"Mozilla/5.0 ({system}) {CHROME}")
    hints = params["userAgentMetadata"]
    assert (hints["platform"], hints["platformVersion"]) == (platform, version)
    assert hints["model"] == model
    assert params.get("platform") == navigator


@pytest.mark.parametrize(
    ("mark", "brand"),
    [("", "Google Chrome"), (" Edg/140.0", "Microsoft Edge"), (" OPR/1", "Opera")],
)
def test_the_brand_is_that_of_the_user_agent(mark: str, brand: str) -> None:
    hints = override_for(user_agent=f"Mozilla/5.0 (X11; Linux x86_64) {CHROME}{mark}")[
        "userAgentMetadata"
    ]
    assert hints["brands"][-1] == {"brand": brand, "version": "140"}


def test_a_user_agent_other_than_chromium_has_no_hints() -> None:
    params = override_for(**find_device("iPhone 15"))
    assert "userAgentMetadata" not in params
    assert params["platform"] == "iPhone"

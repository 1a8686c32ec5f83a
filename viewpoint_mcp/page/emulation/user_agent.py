"""The override of the user agent, with consistent client hints, platform and languages.

Source: https://wicg.github.io/ua-client-hints/
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NotRequired, TypedDict, cast

from viewpoint_mcp.config.settings import Emulation

if TYPE_CHECKING:
    from cdp_protocol.types.emulation import UserAgentBrandVersion, UserAgentMetadata

_CHROME_VERSION = re.compile(r"Chrome/(\d+)([\d.]*)")
_BRANDS = (("Edg/", "Microsoft Edge"), ("OPR/", "Opera"), ("Chrome/", "Google Chrome"))
# A meaningless brand (GREASE), so that sites do not rely on an exact list.
_GREASE = ("Not:A-Brand", "8")

# A pattern of user agents that captures the platform version; the platform, the architecture, and
# `navigator.platform`.
_PLATFORMS = (
    (r"Android ?([\d.]*)", "Android", "", "Linux armv8l"),
    (r"iPhone; CPU iPhone OS ([\d_]+)", "iOS", "", "iPhone"),
    (r"iPad; CPU OS ([\d_]+)", "iOS", "", "iPad"),
    (r"Windows NT ([\d.]+)", "Windows", "x86", "Win32"),
    (r"CrOS \S+ ([\d.]+)", "Chrome OS", "x86", "Linux x86_64"),
    (r"Mac OS X ([\d_.]+)", "macOS", "x86", "MacIntel"),
    (r"Linux()", "Linux", "x86", "Linux x86_64"),
)


class UserAgentOverride(TypedDict):
    """The arguments of CDP `Emulation.setUserAgentOverride`."""

    userAgent: str
    acceptLanguage: NotRequired[str]
    platform: NotRequired[str]
    userAgentMetadata: NotRequired[UserAgentMetadata]


def build_override(emulation: Emulation, chrome_version: str) -> UserAgentOverride | None:
    """Return the override of the browser's user agent; None if none is needed.

    A user agent of another browser engine gets no client hints, as Safari and Firefox send none.

    Args:
        emulation: The settings: the user agent, the locale, and the device's client hints.
        chrome_version: Version of the running Chrome, such as 156.0.8078.79.
    """
    languages = _list_languages(emulation.locale)
    if emulation.user_agent is None:
        # An empty user agent keeps the browser's user agent.
        return {"userAgent": "", "acceptLanguage": languages} if languages else None
    major = chrome_version.partition(".")[0]
    user_agent = emulation.user_agent.replace("%s", f"{major}.0.0.0")
    hints, platform = _parse_client_hints_and_navigator_platform(user_agent)
    params: UserAgentOverride = {"userAgent": user_agent}
    if languages:
        params["acceptLanguage"] = languages
    if platform:
        params["platform"] = platform
    if (chrome := _CHROME_VERSION.search(user_agent)) is None:
        return params
    # A reduced user agent (Chrome/156.0.0.0) lacks the full version, but the browser has it.
    full_version = chrome_version if chrome[1] == major else chrome[1] + (chrome[2] or ".0.0.0")
    metadata = {
        "brands": _list_brands(user_agent, chrome[1], _GREASE[1]),
        "fullVersionList": _list_brands(user_agent, full_version, f"{_GREASE[1]}.0.0.0"),
        **hints,
        **(emulation.hints or {}),
    }
    params["userAgentMetadata"] = cast("UserAgentMetadata", metadata)
    return params


def _list_languages(locale: str | None) -> str:
    """Return the languages that Chrome lists for a locale, such as "de-DE,de"; "" for None."""
    if locale is None:
        return ""
    language = locale.partition("-")[0]
    return locale if locale == language else f"{locale},{language}"


def _parse_client_hints_and_navigator_platform(user_agent: str) -> tuple[UserAgentMetadata, str]:
    """Return the client hints in a user agent, and its `navigator.platform` ("" if unknown)."""
    hints: UserAgentMetadata = {
        "platform": "",
        "platformVersion": "",
        "architecture": "",
        "model": "",
        "mobile": "Mobile" in user_agent,
    }
    for pattern, platform, architecture, navigator_platform in _PLATFORMS:
        if match := re.search(pattern, user_agent):
            model = re.search(r"Android [^;)]*; ([^;)]+?)(?: Build/[^;)]*)?[;)]", user_agent)
            hints |= {
                "platform": platform,
                "platformVersion": match[1].replace("_", "."),
                "architecture": architecture,
                "bitness": "64" if architecture else "",
                "model": model[1] if model and model[1] != "K" else "",
            }
            return hints, navigator_platform
    return hints, ""


def _list_brands(user_agent: str, version: str, grease_version: str) -> list[UserAgentBrandVersion]:
    brand = next(name for mark, name in _BRANDS if mark in user_agent)
    names_and_versions = ((_GREASE[0], grease_version), ("Chromium", version), (brand, version))
    return [{"brand": name, "version": each} for name, each in names_and_versions]

"""The override of the user agent, with consistent client hints, platform and languages.

Source: https://wicg.github.io/ua-client-hints/
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NotRequired, TypedDict, cast

from viewpoint_mcp.config.settings import Emulation

if TYPE_CHECKING:
    from cdp_protocol.types.emulation import UserAgentBrandVersion, UserAgentMetadata

_CHROME = re.compile(r"Chrome/(\d+)([\d.]*)")
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


class Override(TypedDict):
    """The arguments of CDP `Emulation.setUserAgentOverride`."""

    userAgent: str
    acceptLanguage: NotRequired[str]
    platform: NotRequired[str]
    userAgentMetadata: NotRequired[UserAgentMetadata]


def override(emulation: Emulation, version: str) -> Override | None:
    """Return the override of the browser's user agent; None if none is needed.

    A user agent of another browser engine gets no client hints, as Safari and Firefox send none.

    Args:
        emulation: The settings: the user agent, the locale, and the device's client hints.
        version: Version of the running Chrome, such as 156.0.8078.79.
    """
    languages = _languages(emulation.locale)
    if emulation.user_agent is None:
        # An empty user agent keeps the browser's user agent.
        return {"userAgent": "", "acceptLanguage": languages} if languages else None
    major = version.partition(".")[0]
    agent = emulation.user_agent.replace("%s", f"{major}.0.0.0")
    told, platform = _platform(agent)
    params: Override = {"userAgent": agent}
    if languages:
        params["acceptLanguage"] = languages
    if platform:
        params["platform"] = platform
    if (chrome := _CHROME.search(agent)) is None:
        return params
    # A reduced user agent (Chrome/156.0.0.0) lacks the full version, but the browser has it.
    full = version if chrome[1] == major else chrome[1] + (chrome[2] or ".0.0.0")
    metadata = {
        "brands": _brands(agent, chrome[1], _GREASE[1]),
        "fullVersionList": _brands(agent, full, f"{_GREASE[1]}.0.0.0"),
        **told,
        **(emulation.hints or {}),
    }
    params["userAgentMetadata"] = cast("UserAgentMetadata", metadata)
    return params


def _languages(locale: str | None) -> str:
    """Return the languages that Chrome lists for a locale, such as "de-DE,de"; "" for None."""
    if locale is None:
        return ""
    language = locale.partition("-")[0]
    return locale if locale == language else f"{locale},{language}"


def _platform(agent: str) -> tuple[UserAgentMetadata, str]:
    """Return the client hints in a user agent, and its `navigator.platform` ("" if unknown)."""
    hints: UserAgentMetadata = {
        "platform": "",
        "platformVersion": "",
        "architecture": "",
        "model": "",
        "mobile": "Mobile" in agent,
    }
    for pattern, platform, architecture, navigator_platform in _PLATFORMS:
        if found := re.search(pattern, agent):
            model = re.search(r"Android [^;)]*; ([^;)]+?)(?: Build/[^;)]*)?[;)]", agent)
            hints |= {
                "platform": platform,
                "platformVersion": found[1].replace("_", "."),
                "architecture": architecture,
                "bitness": "64" if architecture else "",
                "model": model[1] if model and model[1] != "K" else "",
            }
            return hints, navigator_platform
    return hints, ""


def _brands(agent: str, version: str, grease: str) -> list[UserAgentBrandVersion]:
    brand = next(name for mark, name in _BRANDS if mark in agent)
    named = ((_GREASE[0], grease), ("Chromium", version), (brand, version))
    return [{"brand": name, "version": each} for name, each in named]

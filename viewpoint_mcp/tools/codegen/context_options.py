"""The options of a context in Playwright, from its emulation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from viewpoint_mcp.tools.codegen.statements import Value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from viewpoint_mcp.config.emulation.emulation import Emulation


_DEFAULT_VIEWPORT: Final = (1280, 720)  # of Playwright


def make_context_options(
    emulation: Emulation, storage_state: Path | Mapping[str, Any] | None
) -> dict[str, Value]:
    """Return the options of `browser.newContext` that differ from Playwright's defaults.

    Args:
        storage_state: The file with the initial storage; None for an empty storage. The content of
            such a file is left out, because it contains credentials.
    """
    options: dict[str, Value] = {
        "viewport": _size(emulation.viewport) if emulation.viewport != _DEFAULT_VIEWPORT else None,
        "screen": _size(emulation.screen),
        "deviceScaleFactor": emulation.scale,
        "isMobile": emulation.mobile or None,
        "hasTouch": emulation.touch or None,
        "userAgent": emulation.user_agent,
        "locale": emulation.locale,
        "timezoneId": emulation.time_zone,
        "geolocation": _position(emulation.geolocation),
        "permissions": list(emulation.permissions) or None,
        "colorScheme": emulation.color_scheme,
        "reducedMotion": emulation.reduced_motion,
        "forcedColors": emulation.forced_colors,
        "contrast": emulation.contrast,
        "bypassCSP": emulation.bypass_csp or None,
        "javaScriptEnabled": None if emulation.javascript_enabled else False,
        "offline": emulation.offline or None,
        "ignoreHTTPSErrors": emulation.ignore_https_errors or None,
        "serviceWorkers": "block" if emulation.block_service_workers else None,
        "storageState": str(storage_state) if isinstance(storage_state, Path) else None,
    }
    return {name: value for name, value in options.items() if value is not None}


def _size(size: tuple[int, int] | None) -> dict[str, Value] | None:
    return None if size is None else {"width": size[0], "height": size[1]}


def _position(position: tuple[float, float, float] | None) -> dict[str, Value] | None:
    if position is None:
        return None
    latitude, longitude, accuracy = position
    return {"latitude": latitude, "longitude": longitude, "accuracy": accuracy}

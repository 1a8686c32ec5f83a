"""The speed of an emulated network connection, and the presets of DevTools."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct


class Throttling(Struct, frozen=True, kw_only=True):
    """The limits of a slow network connection.

    Args:
        name: Name of the preset; "" for explicit limits.
        latency: Least time from a request to its response, in milliseconds; 0 for no limit.
        download: Kilobits per second; None for no limit.
        upload: Kilobits per second; None for no limit.
    """

    name: str = ""
    latency: float = 0
    download: float | None = None
    upload: float | None = None


class NetworkConditions(Struct, frozen=True, kw_only=True):
    """The network connection that pages and workers perceive.

    Args:
        is_offline: Whether there is no connection. The throttling applies again afterwards.
        throttling: The limits of the connection; None for none.
    """

    is_offline: bool = False
    throttling: Throttling | None = None


# The numbers of DevTools, which puppeteer and chrome-devtools-mcp use too: its factors for the
# latency and the throughput are multiplied out.
PRESETS: Final[Mapping[str, Throttling]] = MappingProxyType(
    {
        each.name: each
        for each in (
            Throttling(name="Slow 3G", latency=2000, download=400, upload=400),
            Throttling(name="Fast 3G", latency=562.5, download=1440, upload=675),
            Throttling(name="Slow 4G", latency=562.5, download=1440, upload=675),
            Throttling(name="Fast 4G", latency=165, download=8100, upload=1350),
        )
    }
)
"""The presets, by their names."""

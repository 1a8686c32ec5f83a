"""Optional features of a server, each with its methods and capabilities."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from viewpoint_mcp.caller import caller
from viewpoint_mcp.rpc.errors import INVALID_PARAMS, RpcError
from viewpoint_mcp.rpc.messages import JsonObject
from viewpoint_mcp.server.client import LOG_LEVELS, Client

FeatureMethod = Callable[[JsonObject, str], Awaitable[JsonObject]]
"""Serves a request: takes its params and its protocol version, and returns the result."""


class CapabilitiesAndMethods(Struct, frozen=True):
    """The capabilities and methods of a feature for one group of protocol versions.

    Args:
        capabilities: Server capabilities to declare in `initialize` or `server/discover`.
        methods: Functions by method name. They replace methods of the session with the same name.
    """

    capabilities: Mapping[str, Any] = msgspec.field(default_factory=dict)
    methods: Mapping[str, FeatureMethod] = msgspec.field(default_factory=dict)


class OptionalFeature(Protocol):
    """An optional feature of a server, such as prompts."""

    @property
    def support_in_session_protocol(self) -> CapabilitiesAndMethods:
        """The capabilities and methods for protocol versions up to 2025-11-25."""

    @property
    def support_in_sessionless_protocol(self) -> CapabilitiesAndMethods:
        """The capabilities and methods for protocol versions since 2026-07-28."""


class LoggingFeature:
    """The MCP logging feature, which declares the log messages that tools send with `Caller.log`.

    For protocol versions up to 2025-11-25 it adds the method logging/setLevel.
    """

    @property
    def support_in_session_protocol(self) -> CapabilitiesAndMethods:
        return CapabilitiesAndMethods({"logging": {}}, {"logging/setLevel": _set_log_level})

    @property
    def support_in_sessionless_protocol(self) -> CapabilitiesAndMethods:
        return CapabilitiesAndMethods(
            {"logging": {}}
        )  # Each request carries its log level in `_meta`.


async def _set_log_level(params: JsonObject, _version: str) -> JsonObject:
    level = params.get("level")
    if level not in LOG_LEVELS:
        raise RpcError(INVALID_PARAMS, f"level must be one of {', '.join(LOG_LEVELS)}.")
    client = caller()
    assert isinstance(client, Client)
    client.session_state.log_level = level
    return {}

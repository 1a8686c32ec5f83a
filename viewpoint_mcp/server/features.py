"""What a server may offer beside tools and saved files, each a set of methods and capabilities."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from viewpoint_mcp.caller import caller
from viewpoint_mcp.rpc.errors import INVALID_PARAMS, RpcError
from viewpoint_mcp.rpc.messages import JsonObject
from viewpoint_mcp.server.client import LEVELS, Client

Serve = Callable[[JsonObject, str], Awaitable[JsonObject]]
"""Takes the params of a request and the version of the protocol that it is of."""


class Offer(Struct, frozen=True):
    """What is offered in one era.

    Args:
        capabilities: As `initialize` and `server/discover` tell them.
        methods: By name; they go before those that a session has by itself.
    """

    capabilities: Mapping[str, Any] = msgspec.field(default_factory=dict)
    methods: Mapping[str, Serve] = msgspec.field(default_factory=dict)


class Feature(Protocol):
    """Something that a server offers."""

    @property
    def legacy(self) -> Offer:
        """To clients of the revisions up to 2025-11-25."""

    @property
    def modern(self) -> Offer:
        """To clients of those since."""


class Logging:
    """What tools log, for clients: `Caller.log` reaches them once this is offered."""

    @property
    def legacy(self) -> Offer:
        return Offer({"logging": {}}, {"logging/setLevel": _set_level})

    @property
    def modern(self) -> Offer:
        return Offer({"logging": {}})  # the level comes with each request


async def _set_level(params: JsonObject, _version: str) -> JsonObject:
    level = params.get("level")
    if level not in LEVELS:
        raise RpcError(INVALID_PARAMS, f"level must be one of {', '.join(LEVELS)}.")
    client = caller()
    assert isinstance(client, Client)
    client.agreed.log_level = level
    return {}

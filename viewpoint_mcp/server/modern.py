"""Requests of protocol versions since 2026-07-28, which have no handshake.

Each request carries its protocol version and client capabilities. Each result has a `resultType`.

Source: MCP 2026-07-28, "Basic protocol" and `schema.ts`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from viewpoint_mcp.rpc.errors import INVALID_PARAMS, RpcError
from viewpoint_mcp.rpc.messages import JsonObject
from viewpoint_mcp.server import lifecycle

VERSIONS: Final = ("2026-07-28",)
METHODS: Final = frozenset({"server/discover", "subscriptions/listen"})
"""Methods that earlier versions do not have."""

UNSUPPORTED_VERSION: Final = -32022
MISSING_CAPABILITY: Final = -32021

_PREFIX: Final = "io.modelcontextprotocol/"
_VERSION: Final = f"{_PREFIX}protocolVersion"
_CAPABILITIES: Final = f"{_PREFIX}clientCapabilities"
_LOG_LEVEL: Final = f"{_PREFIX}logLevel"
_SERVER: Final = f"{_PREFIX}serverInfo"
_SUBSCRIPTION: Final = f"{_PREFIX}subscriptionId"

_HOUR: Final = 3_600_000  # milliseconds
# Milliseconds for which a result may be cached, and whether clients may share it. Tools, prompts
# and templates are the same for all clients while the server runs. Saved files are private, and
# any call may add one.
_CACHING: Final[Mapping[str, tuple[int, str]]] = MappingProxyType(
    {
        "server/discover": (_HOUR, "public"),
        "tools/list": (_HOUR, "public"),
        "prompts/list": (_HOUR, "public"),
        "resources/list": (0, "private"),
        "resources/read": (0, "private"),
        "resources/templates/list": (_HOUR, "public"),
    }
)


def version_of(method: str, params: JsonObject) -> str | None:
    """Return the protocol version that a request carries in `_meta`.

    Returns:
        None for a request of an earlier version, where `initialize` negotiated the version.

    Raises:
        RpcError: The version or the client capabilities are missing, or the version is not
            supported. In the second case the error's data lists the supported versions.
    """
    if not is_modern(method, params):
        return None
    version = requested_version(method, params)
    check_served(version)
    return version


def is_modern(method: str, params: object) -> bool:
    """Return whether a request carries its protocol version, or is of a method that requires it.

    The version may be one that this server does not support.
    """
    if method == "initialize" or method in METHODS:
        return method in METHODS
    meta = params.get("_meta") if isinstance(params, dict) else None
    return isinstance(meta, dict) and _VERSION in meta


def requested_version(method: str, params: JsonObject) -> str:
    """Return the protocol version that a request carries, supported or not.

    Raises:
        RpcError: `_meta` lacks the version or the client capabilities.
    """
    meta = params.get("_meta")
    meta = meta if isinstance(meta, dict) else {}
    requested = meta.get(_VERSION)
    if not isinstance(requested, str) or not isinstance(meta.get(_CAPABILITIES), dict):
        raise RpcError(
            INVALID_PARAMS,
            f"{method} needs _meta with {_VERSION}, a string, and {_CAPABILITIES}, an object.",
        )
    return requested


def check_served(version: str) -> None:
    """Check that a protocol version is one of `VERSIONS`.

    Raises:
        RpcError: The version is not supported. The error's data lists the supported versions.
    """
    if version not in VERSIONS:
        raise RpcError(
            UNSUPPORTED_VERSION,
            f"Unsupported protocol version: {version[:100]}.",
            {"supported": supported(), "requested": version},
        )


def supported() -> list[str]:
    """Return all supported protocol versions, newest first, with those that use `initialize`."""
    return [*VERSIONS, *reversed(lifecycle.VERSIONS)]


def capabilities_of(meta: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the client capabilities in the `_meta` of a request that `version_of` accepted."""
    capabilities: Mapping[str, Any] = meta[_CAPABILITIES]
    return capabilities


def log_level_of(meta: Mapping[str, Any]) -> object:
    """Return the minimum log level in the `_meta` of a request; None for no log messages."""
    return meta.get(_LOG_LEVEL)


def discover(identity: lifecycle.Identity, more: Mapping[str, Any]) -> JsonObject:
    """Return the result of `server/discover`, without the fields that `complete` adds.

    Args:
        more: Capabilities of the features, added to those that every server has.
    """
    return {
        "supportedVersions": supported(),
        "capabilities": {"tools": {}, "resources": {}, **more},
        "instructions": identity.instructions,
    }


def complete(method: str, result: JsonObject, identity: lifecycle.Identity) -> JsonObject:
    """Return a result with the fields that these versions require.

    They are the result type, the identity of the server and, for some methods, caching hints.
    """
    whole = {"resultType": "complete", **result}
    if method in _CACHING:
        whole["ttlMs"], whole["cacheScope"] = _CACHING[method]
    meta = {_SERVER: identity.server_info, **result.get("_meta", {})}
    return {**whole, "_meta": meta}


def acknowledged(subscription: object) -> JsonObject:
    """Return the params of `notifications/subscriptions/acknowledged`.

    They list no notifications, because this server sends none to subscriptions.

    Args:
        subscription: The id of the `subscriptions/listen` request.
    """
    return {"_meta": {_SUBSCRIPTION: subscription}, "notifications": {}}


def ended(subscription: object) -> JsonObject:
    """Return the result of `subscriptions/listen` for a subscription that the server ends.

    Args:
        subscription: The id of the `subscriptions/listen` request.
    """
    return {"_meta": {_SUBSCRIPTION: subscription}}

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
from viewpoint_mcp.server import initialize_handshake

SESSIONLESS_VERSIONS: Final = ("2026-07-28",)
SESSIONLESS_METHODS: Final = frozenset({"server/discover", "subscriptions/listen"})
"""Methods that earlier versions do not have."""

UNSUPPORTED_VERSION: Final = -32022
MISSING_CAPABILITY: Final = -32021

_PREFIX: Final = "io.modelcontextprotocol/"
_VERSION: Final = f"{_PREFIX}protocolVersion"
_CAPABILITIES: Final = f"{_PREFIX}clientCapabilities"
_LOG_LEVEL: Final = f"{_PREFIX}logLevel"
_CLIENT: Final = f"{_PREFIX}clientInfo"
_SERVER: Final = f"{_PREFIX}serverInfo"
_SUBSCRIPTION: Final = f"{_PREFIX}subscriptionId"

_HOUR_MS: Final = 3_600_000  # milliseconds
# Milliseconds for which a result may be cached, and whether clients may share it. Tools, prompts
# and templates are the same for all clients while the server runs. Saved files are private, and
# any call may add one.
_CACHING: Final[Mapping[str, tuple[int, str]]] = MappingProxyType(
    {
        "server/discover": (_HOUR_MS, "public"),
        "tools/list": (_HOUR_MS, "public"),
        "prompts/list": (_HOUR_MS, "public"),
        "resources/list": (0, "private"),
        "resources/read": (0, "private"),
        "resources/templates/list": (_HOUR_MS, "public"),
    }
)


def read_version(method: str, params: JsonObject) -> str | None:
    """Return the protocol version that a request carries in `_meta`.

    Returns:
        None for a request of an earlier version, where `initialize` negotiated the version.

    Raises:
        RpcError: The version or the client capabilities are missing, or the version is not
            supported. In the second case the error's data lists the supported versions.
    """
    if not is_sessionless_request(method, params):
        return None
    version = read_unchecked_version(method, params)
    raise_if_version_unsupported(version)
    return version


def is_sessionless_request(method: str, params: object) -> bool:
    """Return whether a request carries its protocol version, or is of a method that requires it.

    The version may be one that this server does not support.
    """
    if method == "initialize" or method in SESSIONLESS_METHODS:
        return method in SESSIONLESS_METHODS
    meta = params.get("_meta") if isinstance(params, dict) else None
    return isinstance(meta, dict) and _VERSION in meta


def read_unchecked_version(method: str, params: JsonObject) -> str:
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


def raise_if_version_unsupported(version: str) -> None:
    """Raise an error unless a protocol version is one of `SESSIONLESS_VERSIONS`.

    Raises:
        RpcError: The version is not supported. The error's data lists the supported versions.
    """
    if version not in SESSIONLESS_VERSIONS:
        raise RpcError(
            UNSUPPORTED_VERSION,
            f"Unsupported protocol version: {version[:100]}.",
            {"supported": list_supported_versions(), "requested": version},
        )


def list_supported_versions() -> list[str]:
    """Return all supported protocol versions, newest first, with those that use `initialize`."""
    return [*SESSIONLESS_VERSIONS, *reversed(initialize_handshake.SESSION_VERSIONS)]


def read_client_capabilities(meta: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the client capabilities in the `_meta` of a request that `read_version` accepted."""
    capabilities: Mapping[str, Any] = meta[_CAPABILITIES]
    return capabilities


def read_client_info(params: JsonObject) -> object:
    """Return the name and version of the client in the `_meta` of a request; None for none."""
    meta = params.get("_meta")
    return meta.get(_CLIENT) if isinstance(meta, dict) else None


def read_log_level(meta: Mapping[str, Any]) -> object:
    """Return the minimum log level in the `_meta` of a request; None for no log messages."""
    return meta.get(_LOG_LEVEL)


def make_discover_result(
    identity: initialize_handshake.Identity, feature_capabilities: Mapping[str, Any]
) -> JsonObject:
    """Return the result of `server/discover`, without its required fields.

    `add_required_result_fields` adds them.

    Args:
        feature_capabilities: Capabilities of the features, added to those that every server has.
    """
    return {
        "supportedVersions": list_supported_versions(),
        "capabilities": {"tools": {}, "resources": {}, **feature_capabilities},
        "instructions": identity.instructions,
    }


def add_required_result_fields(
    method: str, result: JsonObject, identity: initialize_handshake.Identity
) -> JsonObject:
    """Return a result with the fields that these versions require.

    They are the result type, the identity of the server and, for some methods, caching hints.
    """
    completed = {"resultType": "complete", **result}
    if method in _CACHING:
        completed["ttlMs"], completed["cacheScope"] = _CACHING[method]
    meta = {_SERVER: identity.server_info, **result.get("_meta", {})}
    return {**completed, "_meta": meta}


def make_subscription_acknowledged_params(subscription_id: object) -> JsonObject:
    """Return the params of `notifications/subscriptions/acknowledged`.

    They list no notifications, because this server sends none to subscriptions.

    Args:
        subscription_id: The id of the `subscriptions/listen` request.
    """
    return {"_meta": {_SUBSCRIPTION: subscription_id}, "notifications": {}}


def make_subscription_ended_result(subscription_id: object) -> JsonObject:
    """Return the result of `subscriptions/listen` for a subscription that the server ends.

    Args:
        subscription_id: The id of the `subscriptions/listen` request.
    """
    return {"_meta": {_SUBSCRIPTION: subscription_id}}

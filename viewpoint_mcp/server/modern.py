"""Requests since the revision 2026-07-28: each brings its version itself, its result says what it
is, and there is no handshake.

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
"""Those that earlier revisions have not."""

UNSUPPORTED_VERSION: Final = -32022
MISSING_CAPABILITY: Final = -32021

_PREFIX: Final = "io.modelcontextprotocol/"
_VERSION: Final = f"{_PREFIX}protocolVersion"
_CAPABILITIES: Final = f"{_PREFIX}clientCapabilities"
_LOG_LEVEL: Final = f"{_PREFIX}logLevel"
_SERVER: Final = f"{_PREFIX}serverInfo"
_SUBSCRIPTION: Final = f"{_PREFIX}subscriptionId"

_HOUR: Final = 3_600_000  # milliseconds
# What may be kept of a result, and by whom. The tools are the same for all as long as the server
# runs; what it has saved is its client's business, and another call may have saved more.
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
    """Return the version that a request brings; None if it is one of the earlier revisions, which
    were agreed on once for all.

    Raises:
        RpcError: It does not bring what it must, or a version that is not served; the data tells
            which are.
    """
    if not is_modern(method, params):
        return None
    version = requested_version(method, params)
    check_served(version)
    return version


def is_modern(method: str, params: object) -> bool:
    """Whether a request is one that brings its version, or must: be it served or not."""
    if method == "initialize" or method in METHODS:
        return method in METHODS
    meta = params.get("_meta") if isinstance(params, dict) else None
    return isinstance(meta, dict) and _VERSION in meta


def requested_version(method: str, params: JsonObject) -> str:
    """Return the version that a request brings, served or not.

    Raises:
        RpcError: It does not bring what it must.
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
    """See whether this server speaks a version.

    Raises:
        RpcError: It does not; the data tells which it does.
    """
    if version not in VERSIONS:
        raise RpcError(
            UNSUPPORTED_VERSION,
            f"Unsupported protocol version: {version[:100]}.",
            {"supported": supported(), "requested": version},
        )


def supported() -> list[str]:
    """Return all versions served, the newest first; the earlier ones begin with `initialize`."""
    return [*VERSIONS, *reversed(lifecycle.VERSIONS)]


def capabilities_of(meta: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the client of a request with this `_meta` can do."""
    capabilities: Mapping[str, Any] = meta[_CAPABILITIES]
    return capabilities


def log_level_of(meta: Mapping[str, Any]) -> object:
    """The least serious that the client wants to be told; None for nothing at all."""
    return meta.get(_LOG_LEVEL)


def discover(identity: lifecycle.Identity, more: Mapping[str, Any]) -> JsonObject:
    """The result of `server/discover`.

    Args:
        more: Capabilities beside those that every server has.
    """
    return {
        "supportedVersions": supported(),
        "capabilities": {"tools": {}, "resources": {}, **more},
        "instructions": identity.instructions,
    }


def complete(method: str, result: JsonObject, identity: lifecycle.Identity) -> JsonObject:
    """Return a result with what each must say since this revision."""
    whole = {"resultType": "complete", **result}
    if method in _CACHING:
        whole["ttlMs"], whole["cacheScope"] = _CACHING[method]
    meta = {_SERVER: identity.server_info, **result.get("_meta", {})}
    return {**whole, "_meta": meta}


def acknowledged(subscription: object) -> JsonObject:
    """The params of `notifications/subscriptions/acknowledged`: of all that can be listened to, the
    server tells nothing, for nothing of it changes.

    Args:
        subscription: The id of the request.
    """
    return {"_meta": {_SUBSCRIPTION: subscription}, "notifications": {}}


def ended(subscription: object) -> JsonObject:
    """The result of `subscriptions/listen`, when the server ends it."""
    return {"_meta": {_SUBSCRIPTION: subscription}}

"""The MCP server and its sessions, which route each method to the function that serves it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress

from viewpoint_mcp import logs
from viewpoint_mcp.caller import InputRequired, MissingCapability, set_caller
from viewpoint_mcp.files.shelf import Shelf
from viewpoint_mcp.rpc.dispatcher import Call, Conversation, Handler
from viewpoint_mcp.rpc.errors import INVALID_PARAMS, METHOD_NOT_FOUND, RpcError
from viewpoint_mcp.rpc.messages import JsonObject, Params
from viewpoint_mcp.server import modern
from viewpoint_mcp.server.client import Agreed, Client
from viewpoint_mcp.server.features import Feature, Serve
from viewpoint_mcp.server.lifecycle import BATCHING, LATEST, Identity, introduce, negotiate
from viewpoint_mcp.server.progress import progress
from viewpoint_mcp.server.resources import list_resources, list_templates, read_resource
from viewpoint_mcp.server.sealing import Seal
from viewpoint_mcp.server.tools import Runner, Runners, call_tool, list_tools

log = logging.getLogger(__name__)

Method = Callable[[JsonObject, Call, str], Awaitable[JsonObject | None]]
"""Serves a method: takes the params, the call and the protocol version of the request."""


class McpServer:
    """The parts that all clients share: tools, saved files, identity and features.

    Args:
        runners: Opens a runner for each client or request, which lists and calls the tools.
        shelf: Lists and reads the saved files, which are resources.
        identity: The name, version and instructions of the server.
        features: Features in addition to tools and saved files.
    """

    def __init__(
        self,
        runners: Runners,
        shelf: Shelf,
        *,
        identity: Identity,
        features: Sequence[Feature] = (),
    ) -> None:
        self._runners = runners
        self.shelf = shelf
        self.identity = identity
        self.features = features
        self.seal = Seal()

    def open(self, conversation: Conversation) -> Handler:
        """Open a session for a client. `Dispatcher` calls this for each new conversation."""
        return McpSession(self, self._runners.for_session(), conversation)

    def open_request(self, conversation: Conversation) -> Handler:
        """Open a handler for a single request of a client without a session."""
        return McpSession(self, self._runners.for_request(), conversation)


class McpSession:
    """The session of one client, or one request without a session.

    A client may send requests before `initialize`. They are served with the latest version that has
    a handshake, without client capabilities and without batches.

    Args:
        server: The parts that all clients share.
        runner: Runs the tool calls of the client; closed with the session.
        conversation: The JSON-RPC conversation with the client.
    """

    def __init__(self, server: McpServer, runner: Runner, conversation: Conversation) -> None:
        self._agreed = Agreed()
        self._server = server
        self._runner = runner
        self._conversation = conversation
        conversation.alone = frozenset({"initialize"})
        both: dict[str, Method] = {
            "tools/list": self._list_tools,
            "tools/call": self._call_tool,
            "resources/list": self._list_resources,
            "resources/read": self._read_resource,
            "resources/templates/list": self._list_templates,
        }
        self._methods: dict[str, Method] = {
            **both,
            "initialize": self._initialize,
            "ping": self._ping,
            "notifications/initialized": self._ignore,
            "notifications/cancelled": self._cancelled,
        }
        self._modern_methods: dict[str, Method] = {
            **both,
            "server/discover": self._discover,
            "subscriptions/listen": self._listen,
            "notifications/cancelled": self._cancelled,
        }
        for feature in server.features:
            self._methods.update(_offered(feature.legacy.methods))
            self._modern_methods.update(_offered(feature.modern.methods))

    async def handle(self, method: str, params: Params, call: Call) -> JsonObject | None:
        """Serve one request or notification, by the rules of its own protocol version.

        Raises:
            RpcError: The method is unknown, its params are invalid, or it failed.
        """
        logs.call_id.set("-" if call.id is None else logs.shorten_for_log(call.id))
        if isinstance(params, list):
            raise RpcError(INVALID_PARAMS, f"The params of {method} must be an object.")
        params = {} if params is None else params
        version = modern.version_of(method, params)
        serve = (self._methods if version is None else self._modern_methods).get(method)
        if serve is None or method.startswith("notifications/") != (call.id is None):
            raise RpcError(METHOD_NOT_FOUND, f"Method not found: {method[:100]}")
        spoken = version or self._agreed.protocol_version or LATEST
        result = await self._served(serve, method, params, call, spoken)
        if version is None or result is None:
            return result
        return modern.complete(method, result, self._server.identity)

    async def _served(
        self, serve: Method, method: str, params: JsonObject, call: Call, version: str
    ) -> JsonObject | None:
        """Return the result of a method, or the result that asks the client for input."""
        client = Client(call, method, params, version, self._agreed, self._server.seal)
        set_caller(client)
        try:
            return await serve(params, call, version)
        except InputRequired as needed:
            return client.needs(needed)
        except MissingCapability as error:
            raise client.missing(error) from None

    async def close(self) -> None:
        """Close the runner, and with it the contexts that only this client uses."""
        await self._runner.close()

    async def _initialize(self, params: JsonObject, _call: Call, _version: str) -> JsonObject:
        version = self._agreed.protocol_version = negotiate(params)
        capabilities = params.get("capabilities")
        self._agreed.capabilities = capabilities if isinstance(capabilities, dict) else {}
        self._conversation.batches = version == BATCHING
        more = {k: v for each in self._server.features for k, v in each.legacy.capabilities.items()}
        return introduce(version, self._server.identity, more)

    async def _discover(self, _params: JsonObject, _call: Call, _version: str) -> JsonObject:
        more = {k: v for each in self._server.features for k, v in each.modern.capabilities.items()}
        return modern.discover(self._server.identity, more)

    async def _ping(self, _params: JsonObject, _call: Call, _version: str) -> JsonObject:
        return {}

    async def _list_tools(self, params: JsonObject, _call: Call, version: str) -> JsonObject:
        return list_tools(self._runner, params, version)

    async def _call_tool(self, params: JsonObject, call: Call, version: str) -> JsonObject:
        async with progress(call, params, version):
            return await call_tool(self._runner, params, version)

    async def _list_resources(self, params: JsonObject, _call: Call, version: str) -> JsonObject:
        return await list_resources(self._server.shelf, params, version)

    async def _read_resource(self, params: JsonObject, _call: Call, version: str) -> JsonObject:
        return await read_resource(self._server.shelf, params, version)

    async def _list_templates(self, params: JsonObject, _call: Call, version: str) -> JsonObject:
        return list_templates(params, version)

    async def _listen(self, params: JsonObject, call: Call, _version: str) -> JsonObject:
        """Hold a subscription open until it is cancelled or the conversation closes."""
        if not isinstance(params.get("notifications"), dict):
            raise RpcError(INVALID_PARAMS, "subscriptions/listen needs notifications, an object.")
        call.notify("notifications/subscriptions/acknowledged", modern.acknowledged(call.id))
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        # The client gets this only if the server ends the conversation, not if it cancels.
        return modern.ended(call.id)

    async def _ignore(self, _params: JsonObject, _call: Call, _version: str) -> None:
        return None

    async def _cancelled(self, params: JsonObject, _call: Call, _version: str) -> None:
        request_id = params.get("requestId")
        if isinstance(request_id, bool):
            return  # As a dictionary key, True equals the request id 1.
        if isinstance(request_id, str | int | float) and self._conversation.cancel(request_id):
            reason = logs.shorten_for_log(params.get("reason"))
            log.info("The client cancelled %s: %s", logs.shorten_for_log(request_id), reason)


def _offered(methods: Mapping[str, Serve]) -> dict[str, Method]:
    """Return the methods of a feature with the signature of the session's methods."""

    def bound(serve: Serve) -> Method:
        async def run(params: JsonObject, _call: Call, version: str) -> JsonObject:
            return await serve(params, version)

        return run

    return {name: bound(serve) for name, serve in methods.items()}

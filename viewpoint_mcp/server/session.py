"""The MCP server and its sessions, which route each method to the function that serves it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress

from viewpoint_mcp import logs
from viewpoint_mcp.caller import InputRequired, MissingCapability, set_caller
from viewpoint_mcp.files.saved_file_lookup import SavedFiles
from viewpoint_mcp.rpc.dispatcher import Call, Conversation, Handler
from viewpoint_mcp.rpc.errors import INVALID_PARAMS, METHOD_NOT_FOUND, RpcError
from viewpoint_mcp.rpc.messages import JsonObject, Params
from viewpoint_mcp.server import sessionless_protocol
from viewpoint_mcp.server.client import Client, SessionState
from viewpoint_mcp.server.initialize_handshake import (
    BATCH_VERSION,
    LATEST_SESSION_VERSION,
    Identity,
    make_initialize_result,
    negotiate_version,
)
from viewpoint_mcp.server.open_sessions import OpenSession, OpenSessions
from viewpoint_mcp.server.optional_features import FeatureMethod, OptionalFeature
from viewpoint_mcp.server.progress import report_progress
from viewpoint_mcp.server.request_state_signer import RequestStateSigner
from viewpoint_mcp.server.saved_file_resources import list_resources, list_templates, read_resource
from viewpoint_mcp.server.tool_methods import ToolRunner, ToolRunnerFactory, call_tool, list_tools

log = logging.getLogger(__name__)

Method = Callable[[JsonObject, Call, str], Awaitable[JsonObject | None]]
"""Serves a method: takes the params, the call and the protocol version of the request."""


class McpServer:
    """The parts that all clients share: tools, saved files, identity and features.

    Args:
        runner_factory: Opens a runner for each client or request, which lists and calls the tools.
        saved_files: Lists and reads the saved files, which are resources.
        identity: The name, version and instructions of the server.
        features: Features in addition to tools and saved files.

    Attributes:
        open_sessions: The sessions of the clients that sent `initialize` or called a tool.
    """

    def __init__(
        self,
        runner_factory: ToolRunnerFactory,
        saved_files: SavedFiles,
        *,
        identity: Identity,
        features: Sequence[OptionalFeature] = (),
    ) -> None:
        self._runner_factory = runner_factory
        self.saved_files = saved_files
        self.identity = identity
        self.features = features
        self.open_sessions = OpenSessions()
        self.signer = RequestStateSigner()

    def open_session(self, conversation: Conversation) -> Handler:
        """Open a session for a client. `Dispatcher` calls this for each new conversation."""
        runner = self._runner_factory.open_session_runner()
        return McpSession(self, runner, conversation, is_listed=True)

    def open_sessionless_handler(self, conversation: Conversation) -> Handler:
        """Open a handler for a single request of a client without a session."""
        runner = self._runner_factory.open_sessionless_runner()
        return McpSession(self, runner, conversation, is_listed=False)


class McpSession:
    """The session of one client, or one request without a session.

    A client may send requests before `initialize`. They are served with the latest version that has
    a handshake, without client capabilities and without batches.

    Args:
        server: The parts that all clients share.
        runner: Runs the tool calls of the client; closed with the session.
        conversation: The JSON-RPC conversation with the client.
        is_listed: Whether the session is one of the open sessions of the server.
    """

    def __init__(
        self, server: McpServer, runner: ToolRunner, conversation: Conversation, *, is_listed: bool
    ) -> None:
        self._state = SessionState()
        self._is_listed = is_listed
        self._open_session: OpenSession | None = None  # None before the first call
        self._server = server
        self._runner = runner
        self._conversation = conversation
        conversation.unbatchable_methods = frozenset({"initialize"})
        shared_methods: dict[str, Method] = {
            "tools/list": self._list_tools,
            "tools/call": self._call_tool,
            "resources/list": self._list_resources,
            "resources/read": self._read_resource,
            "resources/templates/list": self._list_templates,
        }
        self._methods: dict[str, Method] = {
            **shared_methods,
            "initialize": self._initialize,
            "ping": self._ping,
            "notifications/initialized": self._ignore_notification,
            # The roots are asked for whenever they are needed.
            "notifications/roots/list_changed": self._ignore_notification,
            "notifications/cancelled": self._cancel_request,
        }
        self._sessionless_methods: dict[str, Method] = {
            **shared_methods,
            "server/discover": self._discover,
            "subscriptions/listen": self._hold_subscription,
            "notifications/cancelled": self._cancel_request,
        }
        for feature in server.features:
            self._methods.update(_adapt_methods(feature.support_in_session_protocol.methods))
            self._sessionless_methods.update(
                _adapt_methods(feature.support_in_sessionless_protocol.methods)
            )

    async def handle(self, method: str, params: Params, call: Call) -> JsonObject | None:
        """Serve one request or notification, by the rules of its own protocol version.

        Raises:
            RpcError: The method is unknown, its params are invalid, or it failed.
        """
        logs.call_id.set("-" if call.id is None else logs.shorten_for_log(call.id))
        if isinstance(params, list):
            raise RpcError(INVALID_PARAMS, f"The params of {method} must be an object.")
        params = {} if params is None else params
        version = sessionless_protocol.read_version(method, params)
        run = (self._methods if version is None else self._sessionless_methods).get(method)
        if run is None or method.startswith("notifications/") != (call.id is None):
            raise RpcError(METHOD_NOT_FOUND, f"Method not found: {method[:100]}")
        protocol_version = version or self._state.protocol_version or LATEST_SESSION_VERSION
        result = await self._run_method_or_request_input(
            run, method, params, call, protocol_version
        )
        if version is None or result is None:
            return result
        return sessionless_protocol.add_required_result_fields(
            method, result, self._server.identity
        )

    async def _run_method_or_request_input(
        self, run: Method, method: str, params: JsonObject, call: Call, version: str
    ) -> JsonObject | None:
        """Return the result of a method, or the result that asks the client for input."""
        client = Client(call, method, params, version, self._state, self._server.signer)
        set_caller(client)
        try:
            return await run(params, call, version)
        except InputRequired as error:
            return client.make_input_required_result(error)
        except MissingCapability as error:
            raise client.make_missing_capability_error(error) from None

    async def close(self) -> None:
        """Close the runner, and with it the contexts that only this client uses."""
        if self._open_session is not None:
            self._server.open_sessions.remove(self._open_session)
        await self._runner.close()

    async def _initialize(self, params: JsonObject, _call: Call, _version: str) -> JsonObject:
        version = self._state.protocol_version = negotiate_version(params)
        capabilities = params.get("capabilities")
        self._state.capabilities = capabilities if isinstance(capabilities, dict) else {}
        self._conversation.can_receive_batches = version == BATCH_VERSION
        self._note_session(params.get("clientInfo"))
        feature_capabilities = {
            k: v
            for each in self._server.features
            for k, v in each.support_in_session_protocol.capabilities.items()
        }
        return make_initialize_result(version, self._server.identity, feature_capabilities)

    def _note_session(self, client_info: object) -> None:
        """Add the session to the open ones, unless this was done before."""
        if self._is_listed and self._open_session is None:
            self._open_session = self._server.open_sessions.add(
                client_info, self._runner, self._conversation
            )

    async def _discover(self, _params: JsonObject, _call: Call, _version: str) -> JsonObject:
        feature_capabilities = {
            k: v
            for each in self._server.features
            for k, v in each.support_in_sessionless_protocol.capabilities.items()
        }
        return sessionless_protocol.make_discover_result(
            self._server.identity, feature_capabilities
        )

    async def _ping(self, _params: JsonObject, _call: Call, _version: str) -> JsonObject:
        return {}

    async def _list_tools(self, params: JsonObject, _call: Call, version: str) -> JsonObject:
        return list_tools(self._runner, params, version)

    async def _call_tool(self, params: JsonObject, call: Call, version: str) -> JsonObject:
        self._note_session(sessionless_protocol.read_client_info(params))
        if self._open_session is not None:
            self._open_session.note_call()
        async with report_progress(call, params, version):
            return await call_tool(self._runner, params, version)

    async def _list_resources(self, params: JsonObject, _call: Call, version: str) -> JsonObject:
        return await list_resources(self._server.saved_files, params, version)

    async def _read_resource(self, params: JsonObject, _call: Call, version: str) -> JsonObject:
        return await read_resource(self._server.saved_files, params, version)

    async def _list_templates(self, params: JsonObject, _call: Call, version: str) -> JsonObject:
        return list_templates(params, version)

    async def _hold_subscription(self, params: JsonObject, call: Call, _version: str) -> JsonObject:
        """Hold a subscription open until it is cancelled or the conversation closes."""
        if not isinstance(params.get("notifications"), dict):
            raise RpcError(INVALID_PARAMS, "subscriptions/listen needs notifications, an object.")
        call.send_notification(
            "notifications/subscriptions/acknowledged",
            sessionless_protocol.make_subscription_acknowledged_params(call.id),
        )
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        # The client gets this only if the server ends the conversation, not if it cancels.
        return sessionless_protocol.make_subscription_ended_result(call.id)

    async def _ignore_notification(self, _params: JsonObject, _call: Call, _version: str) -> None:
        return None

    async def _cancel_request(self, params: JsonObject, _call: Call, _version: str) -> None:
        request_id = params.get("requestId")
        if isinstance(request_id, bool):
            return  # As a dictionary key, True equals the request id 1.
        if isinstance(request_id, str | int | float) and self._conversation.cancel(request_id):
            reason = logs.shorten_for_log(params.get("reason"))
            log.info("The client cancelled %s: %s", logs.shorten_for_log(request_id), reason)


def _adapt_methods(methods: Mapping[str, FeatureMethod]) -> dict[str, Method]:
    """Return the methods of a feature with the signature of the session's methods."""

    def adapt(feature_method: FeatureMethod) -> Method:
        async def run_feature_method(params: JsonObject, _call: Call, version: str) -> JsonObject:
            return await feature_method(params, version)

        return run_feature_method

    return {name: adapt(feature_method) for name, feature_method in methods.items()}

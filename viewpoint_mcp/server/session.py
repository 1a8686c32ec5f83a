"""One client's MCP session: routes each method, by itself, to what serves it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

from viewpoint_mcp import logs
from viewpoint_mcp.files.shelf import Shelf
from viewpoint_mcp.rpc.dispatcher import Call, Conversation, Handler
from viewpoint_mcp.rpc.errors import INVALID_PARAMS, METHOD_NOT_FOUND, RpcError
from viewpoint_mcp.rpc.messages import Params
from viewpoint_mcp.server.lifecycle import BATCHING, LATEST, introduce, negotiate, refuse_modern
from viewpoint_mcp.server.progress import progress
from viewpoint_mcp.server.resources import list_resources, list_templates, read_resource
from viewpoint_mcp.server.tools import Runner, call_tool, list_tools

log = logging.getLogger(__name__)

Method = Callable[[dict[str, Any], Call], Awaitable[dict[str, Any] | None]]


class McpServer:
    """What all clients share: the tools, what they saved, and the version.

    Args:
        runner: Lists and runs the tools.
        shelf: Has the saved files, which are the resources.
        version: The product's version.
    """

    def __init__(self, runner: Runner, shelf: Shelf, *, version: str) -> None:
        self.runner = runner
        self.shelf = shelf
        self.version = version

    def open(self, conversation: Conversation) -> Handler:
        """Begin a session; this is what a Dispatcher is made with."""
        return McpSession(self, conversation).handle


class McpSession:
    """One client and what was agreed with it.

    A client may call before it has initialized: nothing here depends on the handshake but batches.

    Args:
        server: What is served.
        conversation: Whom it is served to.
    """

    def __init__(self, server: McpServer, conversation: Conversation) -> None:
        self.protocol_version: str | None = None
        self._server = server
        self._conversation = conversation
        self._methods: dict[str, Method] = {
            "initialize": self._initialize,
            "ping": self._ping,
            "tools/list": self._list_tools,
            "tools/call": self._call_tool,
            "resources/list": self._list_resources,
            "resources/read": self._read_resource,
            "resources/templates/list": self._list_templates,
            "notifications/initialized": self._ignore,
            "notifications/cancelled": self._cancelled,
        }

    async def handle(self, method: str, params: Params, call: Call) -> dict[str, Any] | None:
        """Serve one request or notification.

        Raises:
            RpcError: The method is unknown, or its params are not what it takes.
        """
        logs.call_id.set("-" if call.id is None else str(call.id))
        if isinstance(params, list):
            raise RpcError(INVALID_PARAMS, f"The params of {method} must be an object.")
        params = {} if params is None else params
        if method != "initialize":
            refuse_modern(params)
        serve = self._methods.get(method)
        if serve is None or method.startswith("notifications/") != (call.id is None):
            raise RpcError(METHOD_NOT_FOUND, f"Method not found: {method[:100]}")
        return await serve(params, call)

    @property
    def _version(self) -> str:
        return self.protocol_version or LATEST

    async def _initialize(self, params: dict[str, Any], _call: Call) -> dict[str, Any]:
        self.protocol_version = negotiate(params)
        self._conversation.batches = self.protocol_version == BATCHING
        return introduce(self.protocol_version, self._server.version)

    async def _ping(self, _params: dict[str, Any], _call: Call) -> dict[str, Any]:
        return {}

    async def _list_tools(self, params: dict[str, Any], _call: Call) -> dict[str, Any]:
        return list_tools(self._server.runner, params)

    async def _call_tool(self, params: dict[str, Any], call: Call) -> dict[str, Any]:
        async with progress(call, params):
            return await call_tool(self._server.runner, params, self._version)

    async def _list_resources(self, params: dict[str, Any], _call: Call) -> dict[str, Any]:
        return await list_resources(self._server.shelf, params, self._version)

    async def _read_resource(self, params: dict[str, Any], _call: Call) -> dict[str, Any]:
        return await read_resource(self._server.shelf, params)

    async def _list_templates(self, params: dict[str, Any], _call: Call) -> dict[str, Any]:
        return list_templates(params, self._version)

    async def _ignore(self, _params: dict[str, Any], _call: Call) -> None:
        return None

    async def _cancelled(self, params: dict[str, Any], _call: Call) -> None:
        request_id = params.get("requestId")
        if isinstance(request_id, str | int | float) and self._conversation.cancel(request_id):
            log.info("The client cancelled %r: %s", request_id, params.get("reason"))

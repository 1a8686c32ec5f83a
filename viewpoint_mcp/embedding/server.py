"""A complete MCP server: settings, tools, browser and protocol.

The command line creates its server with this module. Other programs can embed a server in the same
way; see docs/embedding.md.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Self

from msgspec.structs import replace

from viewpoint_mcp import __version__
from viewpoint_mcp.config.settings import Listening, Settings
from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.files.saved_file_lookup import SavedFiles
from viewpoint_mcp.rpc.dispatcher import Dispatcher
from viewpoint_mcp.server.initialize_handshake import Identity
from viewpoint_mcp.server.optional_features import LoggingFeature, OptionalFeature
from viewpoint_mcp.server.session import McpServer
from viewpoint_mcp.tools.catalog import list_all_tools, offered_tools
from viewpoint_mcp.tools.core.runner import Runner, RunnerFactory
from viewpoint_mcp.tools.core.tool import Tool
from viewpoint_mcp.transports.stdio import StdioTransport, claim_stdio

if TYPE_CHECKING:
    from viewpoint_mcp.live_view.live_views import LiveViews
    from viewpoint_mcp.server.embedder_resources import EmbedderResources, Resource
    from viewpoint_mcp.server.prompts import Prompt
    from viewpoint_mcp.transports.http.shell_endpoint import RunCommand


class Server:
    """An MCP server with a browser. The browser starts when a tool first needs it.

    A server is an async context manager. It closes the browser on exit.

    Args:
        settings: The settings that users choose with flags; None for the defaults. `tools` and
            `capabilities` select the built-in tools: `("slim",)`, or `("-*",)` for none of them.
        own_tools: Tools created by `page_tool`, `browser_tool` or `plain_tool`. They are listed
            before the built-in tools, in this order.
        prompts: Prompts created by `prompt`.
        resources: Resources. They are listed before the files that tools save.
        logging: Whether clients can receive the messages that tools send with `Caller.log`.
        name: Name of the server for programs; None for the built-in name.
        title: Name of the server for people; None for `name`.
        version: Version of the server.
        instructions: Description of the server for models; None for the built-in text.
        overrides: Fields of `Settings` that replace those of `settings`.

    Raises:
        TypeError: `overrides` has a name that is no field of `Settings`, or `own_tools` contains
            something other than a tool.
        ValueError: Two tools, two prompts or two resources have the same name.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        own_tools: Iterable[Tool[Any]] = (),
        prompts: Sequence[Prompt] = (),
        resources: Sequence[Resource] = (),
        logging: bool = False,
        name: str | None = None,
        title: str | None = None,
        version: str = __version__,
        instructions: str | None = None,
        **overrides: Any,
    ) -> None:
        self.settings = replace(settings or Settings(), **overrides)
        custom_tools = tuple(own_tools)
        builtin_tools = offered_tools(self.settings.capabilities, self.settings.tools)
        _refuse_non_tools_and_duplicates(custom_tools, prompts, resources)
        self._runner_factory = RunnerFactory((*custom_tools, *builtin_tools), self.settings)
        self._runner_factory.live_views = _make_live_views_if_enabled(self.settings)
        saved_files = SavedFiles(FileAccess.from_settings(self.settings))
        identity_fields = {"name": name, "title": title or name, "instructions": instructions}
        identity = Identity(
            version=version, **{k: v for k, v in identity_fields.items() if v is not None}
        )
        self._resources = _make_embedder_resources(resources, saved_files)
        features: list[OptionalFeature] = []
        if prompts:
            from viewpoint_mcp.server.prompts import Prompts

            features.append(Prompts(prompts))
        if self._resources is not None:
            features.append(self._resources)
        if logging:
            features.append(LoggingFeature())
        self._mcp_server = McpServer(
            self._runner_factory, saved_files, identity=identity, features=features
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def dispatcher(self) -> Dispatcher:
        """The dispatcher, for a custom transport.

        `dispatcher.open(send)` starts a conversation with one client. Pass the client's messages to
        the `receive` method of the conversation.
        """
        return Dispatcher(self._mcp_server.open_session)

    async def serve_stdio(self) -> None:
        """Serve one client over stdin and stdout until the client ends the connection.

        No other code may use stdin and stdout after this call.
        """
        transport = StdioTransport(self.dispatcher, claim_stdio(), grace=1.0)
        if not self.settings.shell:
            await transport.serve()
            return
        from viewpoint_mcp.shell.attaching.local_commands import serve_local_commands

        sessions = self._mcp_server.open_sessions
        async with serve_local_commands(
            sessions, self._runner_factory, os.environ, version=__version__
        ):
            await transport.serve()

    async def serve_http(
        self,
        listening: Listening | None = None,
        *,
        say: Callable[[str], object] = print,
    ) -> None:
        """Serve many clients over HTTP until cancelled.

        Args:
            listening: The address, and the rules of access to it; None for those in the settings.
            say: Called with a text for people: the address, the key, a client configuration.

        Raises:
            CallError: The server would be open to other machines or web sites without a key.
            ListenError: The server cannot listen on the address.
            RuntimeError: A session of this process made calls before, in contexts that HTTP clients
                would share with it.
            TypeError: Neither `listening` nor the settings contain an address.
        """
        from viewpoint_mcp.embedding.http import open_http_server

        address = listening or self.settings.listening
        if address is None:
            raise TypeError("serve_http needs an address. Pass Listening(host=..., port=...).")
        self._runner_factory.separate_client_contexts()
        server = open_http_server(
            self._mcp_server,
            address,
            self.settings.timeouts.idle,
            say,
            live_views=self._runner_factory.live_views,
            run_command=self._make_shell_commands(),
        )
        await server.serve()

    def _make_shell_commands(self) -> RunCommand | None:
        if not self.settings.shell:
            return None
        from viewpoint_mcp.shell.attaching.http_commands import make_http_commands

        return make_http_commands(
            self._mcp_server.open_sessions, self._runner_factory, version=__version__
        )

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Runner]:
        """Open a session within this process, to call tools without a transport.

        Example: `reply = await session.call("browser_navigate", {"url": url})`.
        """
        runner = self._runner_factory.open_session_runner()
        try:
            yield runner
        finally:
            await runner.close()

    def tell_updated(self, uri: str) -> None:
        """Notify the clients that subscribed to a resource that it has changed.

        Args:
            uri: URI of one of `resources`.
        """
        if self._resources is not None:
            self._resources.notify_updated(uri)

    async def close(self) -> None:
        """Close the browser. Idempotent."""
        await self._runner_factory.close()


def _make_live_views_if_enabled(settings: Settings) -> LiveViews | None:
    if "handoff" not in settings.capabilities:
        return None
    from viewpoint_mcp.embedding.live_view import make_live_views

    return make_live_views()


def _make_embedder_resources(
    resources: Sequence[Resource], saved_files: SavedFiles
) -> EmbedderResources | None:
    if not resources:
        return None
    from viewpoint_mcp.server.embedder_resources import EmbedderResources

    return EmbedderResources(resources, saved_files)


def _refuse_non_tools_and_duplicates(
    custom_tools: Sequence[Tool[Any]], prompts: Sequence[Prompt], resources: Sequence[Resource]
) -> None:
    for tool in custom_tools:
        if not isinstance(tool, Tool):
            raise TypeError(
                f"{tool!r} is not a tool. Declare it with page_tool, browser_tool or plain_tool."
            )
    if custom_tools:
        _refuse_duplicates("tools", [each.name for each in (*custom_tools, *list_all_tools())])
    _refuse_duplicates("prompts", [each.name for each in prompts])
    _refuse_duplicates("resources", [each.uri for each in resources])


def _refuse_duplicates(kind: str, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"Two {kind} are called {name}. Give one of them another name.")

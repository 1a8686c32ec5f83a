"""Runners of tool calls, which connect the server with the executors.

`RunnerFactory` belongs to the server and opens a `Runner` for each client. Importing pages and
browsers takes far longer than importing the rest of the server, and a client should not wait for it
at startup. So the factory imports them in a thread when the first client lists the tools, or calls
a tool without listing them.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine, Iterable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from viewpoint_mcp.config.listening import is_loopback
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.client_roots import fetch_client_roots, use_client_roots
from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.tools.core.args import Args, list_file_names
from viewpoint_mcp.tools.core.batch import Batch, parse_batch
from viewpoint_mcp.tools.core.result import Failure, Reply
from viewpoint_mcp.tools.core.session_log import SessionLog
from viewpoint_mcp.tools.core.tool import Tool, UnknownTool
from viewpoint_mcp.tools.reply.error_reply import make_error_reply

if TYPE_CHECKING:
    from viewpoint_mcp.browser.supervisor import BrowserSupervisor
    from viewpoint_mcp.live_view.live_view import LiveView
    from viewpoint_mcp.live_view.live_views import LiveViews
    from viewpoint_mcp.tools.core.executor import Executor
    from viewpoint_mcp.tools.core.sessionless_call_executor import SessionlessCallExecutor


class HandleContextInfo(NamedTuple):
    """A context of a client without a session.

    Attributes:
        name: A name for people, which is not secret and stays the same.
        handle: The secret name that calls pass as `context`.
        used_at: When the last call began, in seconds of `time.monotonic`.
    """

    name: str
    handle: str
    tab_count: int
    used_at: float


class Runner:
    """Runs the tools for one client.

    Args:
        factory: The factory with the tools and the settings of the server.
        open_executor: Returns the executor; called at the first tool call.
    """

    def __init__(
        self, factory: RunnerFactory, open_executor: Callable[[], ExecutorWithLog]
    ) -> None:
        self._factory = factory
        self._open_executor = open_executor
        self._executor_with_log: ExecutorWithLog | None = None
        self._is_closed = False

    @property
    def listing(self) -> list[dict[str, Any]]:
        """The entries of all offered tools in tools/list, in a fixed order.

        Reading it starts the import, because a client that lists the tools will soon call one.
        """
        self._factory.import_in_background()
        return self._factory.listing

    @property
    def tab_count(self) -> int:
        """Number of open tabs that the client sees."""
        opened = self._executor_with_log
        return 0 if opened is None else len(opened.executor.list_tab_ids())

    async def call(self, name: str, arguments: object) -> Reply:
        """Run one tool and return its reply, with secrets masked and invisible characters escaped.

        Expected failures become replies with `is_error`.

        Raises:
            UnknownTool: The server offers no tool of that name.
            ClientInputError: The tool needs input or a capability of the client.
        """
        tool = self._factory.tools.get(name)
        if tool is None:
            raise UnknownTool(name)
        opened = await self._get_or_open_executor()
        running = self._run(tool, arguments, opened.executor)
        live_view = opened.executor.find_live_view(arguments)
        if live_view is not None:
            running = self._list_call(live_view, name, arguments, running)
        trace = opened.executor.find_trace(arguments)
        reply = await (running if trace is None else trace.record_call(name, arguments, running))
        if opened.session_log is not None:
            await opened.session_log.append_call(name, arguments, reply)
        return reply

    async def _list_call(
        self, live_view: LiveView, name: str, arguments: object, running: Coroutine[Any, Any, Reply]
    ) -> Reply:
        from viewpoint_mcp.tools.core.listed_calls import list_call

        return await list_call(live_view, name, arguments, running, self._factory.settings.secrets)

    async def _run(
        self, tool: Tool[Any], arguments: object, executor: Executor | SessionlessCallExecutor
    ) -> Reply:
        secrets = self._factory.settings.secrets
        try:
            args = tool.parse(arguments, secrets)
            if tool.scope == "batch":
                args = parse_batch(args, self._factory.tools, secrets)
            with use_client_roots(await self._fetch_roots_if_needed(args)):
                reply = await executor.run(tool, args)
        except CallError as error:
            reply = make_error_reply(Failure.from_error(error))
        # Imported after the executor, which needs it too.
        from viewpoint_mcp.accessibility.printing.invisible_characters import escape_invisible

        return reply.clean_texts(lambda text: escape_invisible(secrets.escape_and_mask(text)))

    async def close(self) -> None:
        """Close the executor, unless other clients share it. Idempotent."""
        self._is_closed = True
        if self._executor_with_log is not None and not self._executor_with_log.is_shared:
            await self._executor_with_log.executor.close()

    async def _fetch_roots_if_needed(self, args: Args | Batch) -> tuple[Path, ...]:
        """Return the client's roots if a call names a file outside the server's own directories.

        Raises:
            InputRequired: The client must repeat the call with its roots.
        """
        steps = [step.args for step in args.steps] if isinstance(args, Batch) else [args]
        names = [name for each in steps for name in list_file_names(each)]
        files = FileAccess.from_settings(self._factory.settings)
        if not self._factory.trusts_client_roots or not any(
            map(files.is_outside_own_directories, names)
        ):
            return ()
        return await fetch_client_roots()

    async def _get_or_open_executor(self) -> ExecutorWithLog:
        await self._factory.import_browser_and_create_supervisor()
        if self._executor_with_log is None:
            self._executor_with_log = self._open_executor()
            if self._is_closed:  # closed during the import; the executor will refuse the call
                await self.close()
        return self._executor_with_log


class ExecutorWithLog(NamedTuple):
    """The executor and the session log of a runner. The first tool call creates them.

    Attributes:
        session_log: The log of calls and replies; None without `--save-session`.
        is_shared: Whether other clients use it too. `RunnerFactory.close` closes it then.
    """

    executor: Executor | SessionlessCallExecutor
    session_log: SessionLog | None
    is_shared: bool


class RunnerFactory:
    """Opens a runner for each client of one server.

    Args:
        tools: The offered tools, in the order of the listing.

    Attributes:
        tools: The offered tools by name.
        listing: The entries of the offered tools in tools/list.
        supervisor: The supervisor of the browser; None until the first call.
        live_views: Makes the live view of each client; None if the server has none. To be set
            before the first call.
    """

    def __init__(self, tools: Iterable[Tool[Any]], settings: Settings) -> None:
        self.tools = {tool.name: tool for tool in tools}
        self.listing = [tool.list_entry for tool in self.tools.values()]
        self.settings = settings
        self.supervisor: BrowserSupervisor | None = None
        self.live_views: LiveViews | None = None
        self._isolates_clients = settings.listening is not None
        self._import_task: asyncio.Task[None] | None = None
        self._shared_executor: ExecutorWithLog | None = None

    @property
    def trusts_client_roots(self) -> bool:
        """Whether the roots of clients name directories of this machine that they may use.

        The client that started the server over stdio may use any file anyway. Over HTTP, a client
        may run on another machine or for another user, unless it has the key of a loopback server.
        """
        listening = self.settings.listening
        if listening is None:
            return not self._isolates_clients
        is_local = is_loopback(listening.host) and not listening.allowed_hosts
        return is_local and listening.asks_for_key

    def separate_client_contexts(self) -> None:
        """Isolate clients from each other from now on.

        Raises:
            RuntimeError: A tool was called before, in contexts that all clients would share.
        """
        is_for_one = self.supervisor is not None and self.supervisor.is_single_client
        if is_for_one and not self.settings.shared_context:
            raise RuntimeError(
                "HTTP clients would share the contexts of earlier calls in this server. Call "
                "serve_http first, or pass listening to Server."
            )
        self._isolates_clients = True

    def open_session_runner(self) -> Runner:
        """Return a runner for a client with a session.

        Its contexts are not visible to other clients, unless all clients share one workspace.
        """
        return Runner(self, self._open_session_executor)

    def open_sessionless_runner(self) -> Runner:
        """Return a runner for a request without a session, which names its context by a handle."""
        return Runner(self, self._open_shared_executor)

    def import_in_background(self) -> asyncio.Task[None]:
        """Import pages and browsers in a thread, unless this was done already.

        Returns:
            The task of the import. After a failed import this is a new task, which tries again.
        """
        if self._import_task is None or _has_failed(self._import_task):
            self._import_task = asyncio.create_task(asyncio.to_thread(_import_executor))
        return self._import_task

    async def import_browser_and_create_supervisor(self) -> None:
        """Wait for the import, then create the supervisor of the browser. Idempotent."""
        await asyncio.shield(self.import_in_background())
        if self.supervisor is None:
            from viewpoint_mcp.browser.supervisor import BrowserSupervisor

            self.supervisor = BrowserSupervisor(
                self.settings, has_isolated_clients=self._isolates_clients
            )

    @property
    def shared_tab_count(self) -> int:
        """Number of open tabs of the clients that share one executor."""
        opened = self._shared_executor
        return 0 if opened is None else len(opened.executor.list_tab_ids())

    def list_handle_contexts(self) -> list[HandleContextInfo]:
        """Return the contexts of clients without a session."""
        opened = self._shared_executor
        return [] if opened is None else opened.executor.list_handle_contexts()

    async def close(self) -> None:
        """Close the browser and the shared executor. Idempotent."""
        if self._import_task is not None:
            await asyncio.wait([self._import_task])
        if self.live_views is not None:
            await self.live_views.close()
        if self.supervisor is not None:
            await self.supervisor.close()
        if self._shared_executor is not None:
            await self._shared_executor.executor.close()

    def _open_session_executor(self) -> ExecutorWithLog:
        from viewpoint_mcp.tools.core.executor import Executor

        assert self.supervisor is not None
        if self.supervisor.is_single_client:
            return self._open_shared_executor()
        workspace = self.supervisor.make_workspace()
        executor = Executor(workspace, self.settings, live_views=self.live_views)
        return ExecutorWithLog(executor, self._make_session_log(), is_shared=False)

    def _open_shared_executor(self) -> ExecutorWithLog:
        from viewpoint_mcp.tools.core.executor import Executor
        from viewpoint_mcp.tools.core.sessionless_call_executor import SessionlessCallExecutor

        assert self.supervisor is not None
        if self._shared_executor is None:
            executor = (
                Executor(
                    self.supervisor.make_workspace(), self.settings, live_views=self.live_views
                )
                if self.supervisor.is_single_client
                else SessionlessCallExecutor(
                    self.supervisor, self.settings, live_views=self.live_views
                )
            )
            self._shared_executor = ExecutorWithLog(
                executor, self._make_session_log(), is_shared=True
            )
        return self._shared_executor

    def _make_session_log(self) -> SessionLog | None:
        if not self.settings.save_session:
            return None
        return SessionLog(self.settings.output_dir, self.settings.secrets)


def _has_failed(task: asyncio.Task[None]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)


def _import_executor() -> None:
    import_module("viewpoint_mcp.tools.core.sessionless_call_executor")
    gc.freeze()  # the garbage collector need not visit the modules, which are never freed

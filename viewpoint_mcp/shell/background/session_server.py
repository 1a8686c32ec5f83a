"""The background server: it runs the commands of clients in sessions that share one browser.

Each session has a `Runner`, and so a separate workspace with isolated contexts. The server ends
when its last session is closed, when it is idle, when its socket vanishes, or with its owner.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from viewpoint_mcp import __version__
from viewpoint_mcp.background_tasks import cancel_and_wait
from viewpoint_mcp.caller import ClientInputError
from viewpoint_mcp.cli.start_flags import StartFlags
from viewpoint_mcp.errors import ViewpointError
from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.files.files_of_call import collect_saved_files
from viewpoint_mcp.files.records import FileDescription
from viewpoint_mcp.shell.background.owner_process import end_with_process
from viewpoint_mcp.shell.client import Response
from viewpoint_mcp.shell.commands.catalog import Catalog
from viewpoint_mcp.shell.commands.command_line import (
    Options,
    Surroundings,
    ToolCall,
    UsageError,
    parse_batch_lines,
    parse_tool_call,
    split_options,
)
from viewpoint_mcp.shell.commands.output import FAILED, USAGE, print_reply
from viewpoint_mcp.shell.endpoint import NOT_ON_WINDOWS, Endpoint, EndpointError
from viewpoint_mcp.tools.catalog import offered_tools
from viewpoint_mcp.tools.core.result import Image, Reply
from viewpoint_mcp.tools.core.runner import Runner, RunnerFactory

log = logging.getLogger(__name__)

_MAX_REQUEST = 64 * 1024 * 1024  # bytes
_LAST_RESPONSES_LIMIT = 5.0  # seconds
_CHECK_INTERVAL = 1.0  # seconds between checks of the socket file

Request = dict[str, Any]


class _Session:
    """One session: the runner of its commands, and the time of the last one."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self.used_at = time.monotonic()


class SessionServer:
    """Serves the clients of one workspace.

    Args:
        endpoint: Where the server listens.
        workspace: The directory that the server belongs to.
        flags: The settings, and what ends the server.
    """

    def __init__(self, endpoint: Endpoint, workspace: str, flags: StartFlags) -> None:
        self._endpoint = endpoint
        self._workspace = workspace
        self._flags = flags
        settings = flags.settings
        self._catalog = Catalog(offered_tools(settings.capabilities, settings.tools))
        self._factory = RunnerFactory(
            (command.tool for command in self._catalog.commands.values()), settings
        )
        self._factory.separate_client_contexts()
        self._sessions: dict[str, _Session] = {}
        self._connections: set[asyncio.Task[None]] = set()
        self._running_commands = 0
        self._idle_timer: asyncio.TimerHandle | None = None
        self._should_end = asyncio.Event()
        self._closing: asyncio.Task[None] | None = None
        self._listener: asyncio.Server | None = None
        self._inode = 0

    async def serve(self, on_ready: Callable[[], object]) -> None:
        """Listen until the server should end, then close the browser.

        Args:
            on_ready: Called when clients can connect.

        Raises:
            OSError: The socket cannot be made.
        """
        if sys.platform == "win32":
            raise EndpointError(NOT_ON_WINDOWS)
        with suppress(FileNotFoundError):
            os.unlink(self._endpoint.socket_path)  # noqa: PTH108 - that of a killed server
        self._listener = await asyncio.start_unix_server(
            self._serve_connection, self._endpoint.socket_path, limit=_MAX_REQUEST
        )
        os.chmod(self._endpoint.socket_path, 0o600)  # noqa: PTH101
        self._inode = os.stat(self._endpoint.socket_path).st_ino  # noqa: PTH116
        self._factory.import_in_background()
        self._restart_idle_timer()
        on_ready()
        watch = asyncio.create_task(self._watch())
        try:
            with end_with_process(self._flags.owner_pid, self.end):
                await self._should_end.wait()
        finally:
            await cancel_and_wait(watch)
            await self._close()
            if self._connections:  # They send their last responses.
                await asyncio.wait(self._connections, timeout=_LAST_RESPONSES_LIMIT)

    def end(self) -> None:
        """Make `serve` close the browser and return."""
        self._should_end.set()

    async def _watch(self) -> None:
        """End the server when its socket file vanishes."""
        while self._has_socket():  # noqa: ASYNC110 - no event
            await asyncio.sleep(_CHECK_INTERVAL)
        self.end()

    def _has_socket(self) -> bool:
        try:
            return os.stat(self._endpoint.socket_path).st_ino == self._inode  # noqa: PTH116
        except OSError:
            return False

    async def _close(self) -> None:
        """Stop listening, and close the sessions and the browser. Idempotent."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close_once())
        await asyncio.shield(self._closing)

    async def _close_once(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        if self._has_socket():
            os.unlink(self._endpoint.socket_path)  # noqa: PTH108
        if self._listener is not None:
            self._listener.close()
        sessions, self._sessions = self._sessions, {}
        for each in sessions.values():
            await each.runner.close()
        await self._factory.close()

    # ---- connections

    async def _serve_connection(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            await self._answer(reader, writer)
        except (ConnectionError, ValueError) as error:
            log.info("A client ended or sent no request: %s", error)
        finally:
            self._connections.discard(task)
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = await reader.readline()
        if not line.endswith(b"\n") or self._should_end.is_set() or self._closing is not None:
            return  # The client ended, or starts another server.
        request: Request = json.loads(line)
        writer.write(b"\n")
        response = await self._run_while_connected(self._respond(request), reader)
        if response is not None:
            writer.write(json.dumps(response._asdict()).encode() + b"\n")
            await writer.drain()

    async def _run_while_connected(
        self, command: Awaitable[Response], reader: asyncio.StreamReader
    ) -> Response | None:
        """Run a command; cancel it when its client ends, and return None."""
        running = asyncio.ensure_future(command)
        disconnect = asyncio.ensure_future(reader.read(1))
        self._running_commands += 1
        self._restart_idle_timer()
        try:
            await asyncio.wait({running, disconnect}, return_when=asyncio.FIRST_COMPLETED)
            return running.result() if running.done() else None
        except Exception:
            log.exception("A command failed")
            return Response("", f"A server error. See {self._endpoint.log}.\n", FAILED)
        finally:
            await cancel_and_wait(running)
            await cancel_and_wait(disconnect)
            self._running_commands -= 1
            self._restart_idle_timer()

    def _restart_idle_timer(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        limit = self._flags.idle_limit
        if limit is not None and not self._running_commands:
            self._idle_timer = asyncio.get_running_loop().call_later(limit, self.end)

    # ---- commands

    async def _respond(self, request: Request) -> Response:
        try:
            options, words = split_options(request["argv"])
            session = options.session or request["session"]
            name = words[0] if words else ""
            if name == "close":
                return await self._close_session(session, ends_all="--all" in words)
            if name == "sessions":
                return self._list_sessions()
            if request["version"] != __version__:
                return self._refuse_version(request["version"])
            if name == "start":
                return self._describe_running(words[1:])
            call = self._parse(words, request)
        except UsageError as error:
            return Response("", f"{error}\n", USAGE)
        return await self._call(call, options, session)

    def _parse(self, words: list[str], request: Request) -> ToolCall:
        client = Surroundings(request["cwd"], request["stdin"], self._flags.settings.secrets)
        if words[:1] == ["batch"]:
            if len(words) > 1:
                raise UsageError("viewpoint batch takes no arguments. It reads lines from stdin.")
            return parse_batch_lines(self._catalog, request["stdin"], client)
        return parse_tool_call(self._catalog, words, client)

    async def _call(self, call: ToolCall, options: Options, name: str) -> Response:
        session = self._sessions.get(name)
        if session is None:
            session = self._sessions[name] = _Session(self._factory.open_session_runner())
        try:
            with collect_saved_files() as files:
                reply = await session.runner.call(call.tool, call.arguments)
                if reply.images:
                    reply = await asyncio.to_thread(self._save_images, reply)
        except ClientInputError as error:
            return Response("", f"{error}\n", FAILED)
        finally:
            session.used_at = time.monotonic()
        return print_reply(reply, options.form, files, call)

    def _save_images(self, reply: Reply) -> Reply:
        """Save the images for the agent, which a shell cannot show, and name the files."""
        files = FileAccess.from_settings(self._flags.settings)
        images = [e for e in reply.images if not e.audience or "assistant" in e.audience]
        try:
            lines = [f"Image saved to {_save_image(files, each)}" for each in images]
        except ViewpointError as error:
            lines = [str(error)]
        return replace(reply, text="\n".join([reply.text, *lines]))

    async def _close_session(self, name: str, *, ends_all: bool) -> Response:
        if not ends_all and name not in self._sessions:
            names = ", ".join(self._sessions) or "none"
            return Response(f'Session "{name}" is not open here. Open sessions: {names}.\n')
        closed = list(self._sessions) if ends_all else [name]
        if ends_all or len(self._sessions) == 1:
            await self._close()
            self.end()
        else:
            await self._sessions.pop(name).runner.close()
        names = ", ".join(closed)
        return Response(f"Closed {names or 'the server'} of {self._workspace}.\n")

    def _list_sessions(self) -> Response:
        now = time.monotonic()
        head = f"{self._workspace} (pid {os.getpid()}, version {__version__})\n"
        lines = [
            f"  {name}: last command {_format_age(now - each.used_at)} ago\n"
            for name, each in self._sessions.items()
        ]
        return Response(head + ("".join(lines) or "  no session\n"))

    def _describe_running(self, flags: list[str]) -> Response:
        if not flags:
            return Response(f"The server of {self._workspace} runs already.\n")
        names = " and ".join(f"`viewpoint close -s {each}`" for each in self._sessions)
        return Response(
            "",
            "The server of this workspace runs already, with other flags. Close it before: "
            f"{names or '`viewpoint close --all`'}.\n",
            FAILED,
        )

    def _refuse_version(self, version: str) -> Response:
        return Response(
            "",
            f"This is viewpoint {version}, and the server of {self._workspace} is version "
            f"{__version__}. Run `viewpoint close --all`, which closes all sessions. The next "
            "command then starts a server of your version.\n",
            FAILED,
        )


def _save_image(files: FileAccess, image: Image) -> Path:
    suffix = image.mime_type.partition("/")[2]
    return files.save(image.data, suffix, FileDescription(kind="result", what="image of a reply"))


def _format_age(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 60 else f"{seconds:.0f} s"

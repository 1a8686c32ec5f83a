"""Execution of commands: parse a request, call the tool in its session, print the reply.

Every server that offers commands uses this module. It differs in its sessions only.
"""

from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol, TypedDict

from msgspec.structs import replace

from viewpoint_mcp.caller import ClientInputError
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import ViewpointError
from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.files.files_of_call import collect_saved_files
from viewpoint_mcp.files.records import FileDescription
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
from viewpoint_mcp.shell.response import Response
from viewpoint_mcp.tools.core.result import Image, Reply


class Request(TypedDict):
    """What a client sends.

    Attributes:
        version: The version of the client.
        argv: The words of the command line.
        cwd: The directory to which names of files are relative; "" for that of the server.
        session: The session, unless the command line names one; "" for the only one.
        stdin: The text on standard input, if the command reads it.
    """

    version: str
    argv: list[str]
    cwd: str
    session: str
    stdin: str


class ToolRunner(Protocol):
    """The interface to the tools in one session; `tools.core.runner` implements it."""

    async def call(self, name: str, arguments: object) -> Reply:
        """Run a tool. Expected failures become replies."""


class SessionHost(Protocol):
    """The sessions of a server, in which commands run."""

    def use_session(self, name: str) -> AbstractContextManager[ToolRunner]:
        """Keep a session open within the block, and return its runner.

        Raises:
            SessionError: The server has no such session, and opens none.
        """

    def list_sessions(self) -> Response:
        """Return the response of `viewpoint sessions`."""

    async def close_session(self, name: str, *, ends_all: bool) -> Response:
        """Return the response of `viewpoint close`."""

    def describe_running(self, flags: list[str]) -> Response:
        """Return the response of `viewpoint start` with flags. The server runs already."""

    def refuse_version(self, version: str) -> Response:
        """Return the response to a client of another version."""


class SessionError(Exception):
    """A command cannot run in its session. The message is for the user."""


class CommandRunner:
    """Runs the commands of clients.

    Args:
        catalog: The commands that the server offers.
        settings: The settings of the server: its secrets, and the directories of its files.
        host: The sessions of the server.
        version: The version of the server, which clients must have too.
    """

    def __init__(
        self, catalog: Catalog, settings: Settings, host: SessionHost, *, version: str
    ) -> None:
        self._catalog = catalog
        self._settings = settings
        self._host = host
        self._version = version

    async def run(self, request: Request) -> Response:
        """Run a command. All failures that can be expected are responses."""
        try:
            options, words = split_options(request["argv"])
            session = options.session or request["session"]
            name = words[0] if words else ""
            if name == "close":
                return await self._host.close_session(session, ends_all="--all" in words)
            if name == "sessions":
                return self._host.list_sessions()
            if request["version"] != self._version:
                return self._host.refuse_version(request["version"])
            if name == "start":
                return self._host.describe_running(words[1:])
            return await self._call(self._parse(words, request), options, session)
        except UsageError as error:
            return Response("", f"{error}\n", USAGE)
        except (SessionError, ClientInputError) as error:
            return Response("", f"{error}\n", FAILED)

    def _parse(self, words: list[str], request: Request) -> ToolCall:
        client = Surroundings(request["cwd"], request["stdin"], self._settings.secrets)
        if words[:1] == ["batch"]:
            if len(words) > 1:
                raise UsageError("viewpoint batch takes no arguments. It reads lines from stdin.")
            return parse_batch_lines(self._catalog, request["stdin"], client)
        return parse_tool_call(self._catalog, words, client)

    async def _call(self, call: ToolCall, options: Options, session: str) -> Response:
        with self._host.use_session(session) as runner, collect_saved_files() as files:
            reply = await runner.call(call.tool, call.arguments)
            if reply.images:
                reply = await asyncio.to_thread(self._save_images, reply)
        return print_reply(reply, options.form, files, call)

    def _save_images(self, reply: Reply) -> Reply:
        """Save the images for the agent, which a shell cannot show, and name the files.

        Without them the command has failed, because nothing shows them.
        """
        files = FileAccess.from_settings(self._settings)
        images = [e for e in reply.images if not e.audience or "assistant" in e.audience]
        try:
            lines = [f"Image saved to {_save_image(files, each)}" for each in images]
        except ViewpointError as error:
            reason = "" if str(error) in reply.text else f"\n{error}"
            return replace(reply, text=reply.text + reason, is_error=True)
        return replace(reply, text="\n".join([reply.text, *lines]))


def _save_image(files: FileAccess, image: Image) -> Path:
    suffix = image.mime_type.partition("/")[2]
    return files.save(image.data, suffix, FileDescription(kind="result", what="image of a reply"))
